package ingest_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"recollect/backend/ingest"
	"recollect/backend/ingest/ingesttest"
)

// childFile makes a run of this test program read one document and print the most memory it had.
const childFile = "RECOLLECT_TEST_DOCUMENT"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		os.Exit(readAlone(path))
	}
	os.Exit(m.Run())
}

// readAlone reads a document as the app does and prints the number of pieces and the peak of its memory in bytes.
func readAlone(path string) int {
	debug.SetGCPercent(50)
	f, err := os.Open(path) // of this test
	if err != nil {
		fmt.Println(err)
		return 1
	}
	info, err := f.Stat()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	pieces := 0
	_, err = ingest.Read(context.Background(), ingest.Source{Name: path, File: f, Bytes: info.Size()}, func(*ingest.Meta, ingest.Chunk) error { pieces++; return nil })
	if err != nil {
		fmt.Println(err)
		return 1
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(peak)[0])
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(pieces, kb<<10)
	return 0
}

// writers write documents of about a size.
var writers = map[string]func(w io.Writer, bytes int) error{
	"a.txt": func(w io.Writer, n int) error {
		return repeat(w, n, "The ride number %d went to the coast and back.\nThe wind was with us for once.\n\n")
	},
	"a.md": func(w io.Writer, n int) error {
		return repeat(w, n, "## Ride %d\n\nIt went to the coast and back, and the wind was with us for once.\n\n- one\n- two\n\n")
	},
	"a.csv": func(w io.Writer, n int) error {
		return repeat(w, n, "%d,Mina,coast,\"with us, for once\",2026-03-04\n")
	},
	"a.json": func(w io.Writer, n int) error {
		if _, err := io.WriteString(w, `[{"ride":0}`); err != nil {
			return err
		}
		if err := repeat(w, n, `,{"ride":%d,"to":"the coast","with":["Mina","Ada"]}`); err != nil {
			return err
		}
		_, err := io.WriteString(w, "]")
		return err
	},
	"a.go": func(w io.Writer, n int) error {
		return repeat(w, n, "// Ride%[1]d rides.\nfunc Ride%[1]d(km int) int {\n\treturn km * %[1]d\n}\n\n")
	},
	"line.txt": func(w io.Writer, n int) error { return repeat(w, n, "word%d ") },
	"a.html": func(w io.Writer, n int) error {
		return repeat(w, n, "<h2>Ride %d</h2><p>It went to the <b>coast</b> and back.</p><table><tr><td>km<td>87</table>")
	},
	"a.docx": func(w io.Writer, n int) error {
		z := zip.NewWriter(w)
		f, err := z.CreateHeader(&zip.FileHeader{Name: "word/document.xml", Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, `<w:document xmlns:w="w"><w:body>`); err != nil {
			return err
		}
		if err := repeat(f, n, `<w:p><w:r><w:t>The ride number %d went to the coast and back.</w:t></w:r></w:p>`); err != nil {
			return err
		}
		if _, err := io.WriteString(f, `</w:body></w:document>`); err != nil {
			return err
		}
		return z.Close()
	},
	"a.pdf": func(w io.Writer, n int) error {
		return ingesttest.PDF{Pages: n / 35_000, Padding: 32_000, Page: func(page int) []string {
			lines := []string{fmt.Sprintf("# Chapter %d", page)}
			for i := range 40 {
				lines = append(lines, fmt.Sprintf("On page %d line %d tells of a ride to the coast and back again with the wind.", page, i))
			}
			return lines
		}}.Write(w)
	},
}

func repeat(w io.Writer, n int, format string) error {
	for i, written := 0, 0; written < n; i++ {
		m, err := fmt.Fprintf(w, format, i)
		if err != nil {
			return err
		}
		written += m
	}
	return nil
}

// TestDocumentsAreReadInBoundedMemory measures small files everywhere and those of full size where RECOLLECT_FULL is set.
func TestDocumentsAreReadInBoundedMemory(t *testing.T) {
	full := os.Getenv("RECOLLECT_FULL") != ""
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			size, most := 16<<20, 90<<20
			packed := strings.HasSuffix(name, ".pdf") || strings.HasSuffix(name, ".docx") || strings.HasSuffix(name, ".html")
			switch {
			case full && packed:
				size, most = 100<<20, 500<<20
			case full:
				size, most = 500<<20, 200<<20
			case strings.HasSuffix(name, ".pdf"):
				size, most = 4<<20, 500<<20
			}
			path := filepath.Join(t.TempDir(), name)
			f, err := os.Create(path) // of this test
			if err != nil {
				t.Fatal(err)
			}
			buffered := bufio.NewWriterSize(f, 1<<20)
			if err := write(buffered, size); err != nil {
				t.Fatal(err)
			}
			if err := buffered.Flush(); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0]) // this very program
			cmd.Env = append(os.Environ(), childFile+"="+path)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, os.Stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
			var pieces, peak int
			if _, err := fmt.Sscan(out.String(), &pieces, &peak); err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
			t.Logf("%d MB: %d pieces, at most %d MB of memory", size>>20, pieces, peak>>20)
			if peak > most {
				t.Errorf("%d MB of memory for a file of %d MB; at most %d", peak>>20, size>>20, most>>20)
			}
		})
	}
}
