package agent_test

import (
	"context"
	"testing"
	"time"

	"github.com/ollama/ollama/types/model"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/recall"
)

// A turn asks the archive's own embedder as well as the app's, and finds by the meaning of both.
func TestATurnAsksTheArchivesEmbedderToo(t *testing.T) {
	const own = "bge-m3:latest"
	w := newWorld(t, enginetest.Chat)
	w.fake.AddModel(enginetest.Model{Name: own, Arch: "bert", Context: 8192, Capabilities: []model.Capability{model.CapabilityEmbedding}})
	_, err := w.store.SetArchiveEmbedder(w.ctx(), w.agent.ArchiveID, own)
	w.must(err)
	_, _, err = w.store.CreatePassage(w.ctx(), memory.Passage{ArchiveID: w.agent.ArchiveID, Text: "The violin teacher is called Aurelia."}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	w.scripts(say("Noted."))
	w.send("My violin is from Cremona.")
	w.conv = w.newConversation()

	done := make(chan string, 100)
	r := recall.New(recall.Deps{
		Store: w.store, Embedder: w.engine, Model: func() string { return enginetest.Embedder }, Patience: time.Minute,
		Done: func(name string, _ int) { done <- name },
	})
	ctx, stop := context.WithCancel(w.ctx())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.Index(ctx) // ends with ctx
	}()
	for missing := map[string]bool{enginetest.Embedder: true, own: true}; len(missing) > 0; {
		delete(missing, <-done)
	}
	stop()
	<-ended
	w.replace(func(d *agent.Deps) { d.Recall = r })
	w.scripts(say("Aurelia."))
	receipt, err := w.store.Receipt(w.ctx(), w.send("Who teaches me the violin?").TurnID)
	w.must(err)
	meant := map[string]bool{}
	for _, c := range receipt.Candidates {
		meant[c.Kind] = meant[c.Kind] || c.SemRank > 0
	}
	if !receipt.Vectors || !meant["message"] || !meant["passage"] {
		t.Errorf("compared by meaning: %v", meant)
	}
	asked := map[string]bool{}
	for _, q := range w.fake.Requests() {
		if q.Embed != nil {
			asked[q.Embed.Model] = true
		}
	}
	if len(asked) != 2 {
		t.Errorf("asked %v, want both models", asked)
	}
}
