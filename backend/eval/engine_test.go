package eval

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
)

// TestAConversationWithTheEngine measures one conversation of LoCoMo, by keywords and with the starter embedder on a real
// engine. It needs the data, which is not part of the repository: RECOLLECT_EVAL_DATA names its folder.
func TestAConversationWithTheEngine(t *testing.T) {
	data, models := os.Getenv("RECOLLECT_EVAL_DATA"), os.Getenv("RECOLLECT_TEST_MODELS")
	if data == "" || models == "" {
		t.Skip("needs RECOLLECT_EVAL_DATA and RECOLLECT_TEST_MODELS")
	}
	set, err := Find("locomo")
	if err != nil {
		t.Fatal(err)
	}
	ds, err := set.Load(data, "")
	if Missing(err) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Home: t.TempDir(), Host: enginetest.StartEngine(t), Env: func(string) string { return "" }})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = e.Run(ctx) }() // ends with ctx
	defer func() { stop(); <-ended }()
	if err := e.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(models, "multilingual-e5-small.gguf")
	if err := e.Import(ctx, file, engine.StarterEmbedder, engine.ImportOptions{}, func(engine.PullProgress) {}); err != nil {
		t.Fatal(err)
	}
	words, err := Run(ctx, set, ds, Options{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	meaning, err := Run(ctx, set, ds, Options{Limit: 1, Embedder: e, Model: engine.StarterEmbedder})
	if err != nil {
		t.Fatal(err)
	}
	if err := Print(os.Stdout, words, meaning); err != nil {
		t.Fatal(err)
	}
	if a, b := words.Overall["R@10"], meaning.Overall["R@10"]; a < .7 || b < a-.01 {
		t.Errorf("R@10 %.3f by keywords and %.3f with vectors, want .7 and no worse with vectors", a, b)
	}
}
