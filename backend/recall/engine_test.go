package recall

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
)

// startEngine returns the app's engine, ready, on a fake Ollama.
func startEngine(t *testing.T, f *enginetest.Fake) *engine.Engine {
	t.Helper()
	e := engine.New(engine.Options{Home: t.TempDir(), Host: f.Addr(), Env: func(string) string { return "" }})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = e.Run(ctx) // ends with ctx
	}()
	t.Cleanup(func() { cancel(); <-done })
	ready, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	if err := e.Ready(ready); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEmbeddingsOfTheEngineAreBackfilledAfterFaults(t *testing.T) {
	for name, fault := range map[string]enginetest.EmbedReply{
		"out of memory":        {Status: 500, Error: "llama runner process has terminated: signal: killed"},
		"model being loaded":   {Status: 503, Error: "server busy, please try again"},
		"one vector less":      {Drop: 1},
		"all batches refused":  {Status: 400, Error: "invalid input"},
		"proxy in between":     {Status: 502, Error: "bad gateway"},
		"not a number for all": {Status: 500, Error: "failed to encode response: json: unsupported value: NaN"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.say(noise(10)...)
			var calls atomic.Int32
			f := enginetest.New(t, enginetest.Options{})
			f.OnEmbed(func(api.EmbedRequest) enginetest.EmbedReply {
				if calls.Add(1) <= 8 {
					return fault
				}
				return enginetest.EmbedReply{}
			})
			d := Deps{Store: h.Store, Embedder: startEngine(t, f), Model: named(enginetest.Embedder)}
			indexUntil(t, d, func(*Recall) bool { return h.embedded(enginetest.Embedder) })
			sets, err := h.EmbeddingSets(t.Context())
			if err != nil || len(sets) != 1 || sets[0].Done != 40 {
				t.Errorf("%+v, %v; want two vectors for each of 20 messages", sets, err)
			}
		})
	}
}

func TestOnePoisonousMessageStaysFindableByItsWords(t *testing.T) {
	h := newHouse(t)
	h.say(append(noise(10), "The poison ivy grows behind the shed")...)
	f := enginetest.New(t, enginetest.Options{})
	f.OnEmbed(func(r api.EmbedRequest) enginetest.EmbedReply {
		if slices.ContainsFunc(enginetest.Texts(r), func(x string) bool { return strings.Contains(x, "poison") }) {
			return enginetest.EmbedReply{Status: 400, Error: "embedding contains NaN or Inf values"}
		}
		return enginetest.EmbedReply{}
	})
	d := Deps{Store: h.Store, Embedder: startEngine(t, f), Model: named(enginetest.Embedder), Patience: time.Minute}
	var r *Recall
	indexUntil(t, d, func(x *Recall) bool { r = x; return h.embedded(enginetest.Embedder) })
	rc := h.ask(r, "where does the ivy grow?")
	if taken := takenTexts(rc); len(taken) == 0 || taken[0] != "The poison ivy grows behind the shed" || !rc.Vectors {
		t.Errorf("taken %q, vectors %v", taken, rc.Vectors)
	}
}

func TestTheEmbedderIsDeletedWhileInUse(t *testing.T) {
	h := newHouse(t)
	h.say(noise(10)...)
	h.say("My bicycle is called Comet")
	f := enginetest.New(t, enginetest.Options{})
	d := Deps{Store: h.Store, Embedder: startEngine(t, f), Model: named(enginetest.Embedder), Patience: time.Minute}
	var r *Recall
	indexUntil(t, d, func(x *Recall) bool { r = x; return h.embedded(enginetest.Embedder) })
	f.RemoveModel(enginetest.Embedder)
	rc, err := r.For(t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: "what is my bicycle called", Cap: 1500})
	if err != nil || rc.Vectors || !slices.Contains(takenTexts(rc), "My bicycle is called Comet") {
		t.Errorf("taken %q, vectors %v, %v; want the memory by its words", takenTexts(rc), rc.Vectors, err)
	}
}

var _ Embedder = (*engine.Engine)(nil)
