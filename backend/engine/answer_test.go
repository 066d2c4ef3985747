package engine_test

import (
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// A model whose own file limits its answers is not made to ramble on: the smaller of the two limits holds.
func TestModelLimitsItsOwnAnswers(t *testing.T) {
	m := enginetest.Model{Name: "brief:latest", Parameters: "num_predict                    20\nstop                           \"x\""}
	f, e := withFake(t, enginetest.Options{Models: []enginetest.Model{m}}, engine.Options{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: strings.Repeat("word ", 100)} })
	for asked, want := range map[int]float64{1000: 20, 10: 10} {
		req := request(m.Name, user("talk")...)
		req.NumPredict = asked
		res, err := e.Chat(t.Context(), req, nil)
		if err != nil || res.End != memory.EndLength {
			t.Fatalf("got end %q, error %v", res.End, err)
		}
		chats := f.Chats()
		if got := chats[len(chats)-1].Options["num_predict"]; got != want {
			t.Errorf("asked for %d, sent %v; want %v", asked, got, want)
		}
	}
}
