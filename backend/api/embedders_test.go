package api

import (
	"testing"

	"recollect/backend/engine"
)

func TestInstalledEmbeddersAreKnownUnderTheirOtherNames(t *testing.T) {
	list := offeredEmbedders([]engine.Model{
		{Name: "someone/all-minilm-l6-v2:latest", Embedding: true},
		{Name: "bge-m3-chat:latest"},
	})
	for _, o := range list {
		if want := o.Name == "all-minilm"; o.Installed != want {
			t.Errorf("%s: installed %t, want %t", o.Name, o.Installed, want)
		}
		if o.Bytes == 0 || len(o.Languages) == 0 || o.Library == (o.Name == engine.StarterEmbedder) {
			t.Errorf("%+v", o)
		}
	}
}
