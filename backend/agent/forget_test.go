package agent_test

import (
	"strings"
	"testing"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/window"
)

// What is taken out of memory is not sent any longer but in what was said; what is added or written otherwise is told behind the prompt
// that there is.
func TestWhatIsForgottenIsNotSentAnyLonger(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right."))
	w.setValue("My cat is called Mochi\nLives in Oslo")
	w.send("Hello there")
	w.setValue("My cat is called Mochi\nLives in Bergen\nLikes tea")
	w.send("How are you?")
	if s := w.lastSent(); !strings.Contains(s, "<memory_update label") || !strings.Contains(s, "Lives in Oslo") || w.prefix().Generation != 1 {
		t.Errorf("an ordinary edit is told: %s", s)
	}
	if it := w.item(w.block("human").ID); !it.Stale || !strings.Contains(it.Text, "Bergen") {
		t.Errorf("the block is listed as it is, and as one that the prompt begins with otherwise: %+v", it)
	}

	for i, forget := range []func(){
		func() { w.send("Forget that my cat is called Mochi") },
		func() {
			w.setValue("Lives in Bergen\nLikes Mochi and tea")
			w.send("So.")
			w.setValue("Lives in Bergen\nLikes tea")
		},
	} {
		forget()
		if i > 0 {
			if it := w.item(w.block("human").ID); it.Stale || strings.Contains(it.Text, "Mochi") {
				t.Errorf("%d: %+v", i, it)
			}
		}
		w.send("And now?")
		s := w.lastSent()
		said := strings.Count(s, "Forget that my cat is called Mochi") + strings.Count(s, "Forgotten: “My cat is called Mochi”")
		if strings.Count(s, "Mochi") > said || strings.Contains(s, "<memory_update label") || w.prefix().Reason != window.ReasonForgotten {
			t.Errorf("%d: %q: %s", i, w.prefix().Reason, s)
		}
		generation := w.prefix().Generation
		if w.send("Once more."); w.prefix().Generation != generation {
			t.Errorf("%d: the prompt begins anew once", i)
		}
	}
}

func (w *world) setValue(value string) {
	w.Helper()
	w.setBlock("human", memory.BlockChange{Value: &value})
}

// A passage or fact that was deleted is neither sent where it was recalled nor where it was put in.
func TestADeletedMemoryIsNotSentAnyLonger(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right."))
	cause := memory.Cause{Actor: memory.ActorUser}
	recalled, put := w.passage("The spare key of the cottage hangs behind the blue shutter."), w.passage("The boat is called Argo.")
	f, _, err := w.store.CreateFact(w.ctx(), memory.Fact{AgentID: w.agent.ID, Subject: memory.SubjectUser, Key: "home", Value: "Bern"}, cause)
	w.must(err)
	w.send("Hello there")
	for kind, id := range map[memory.ItemKind]string{memory.ItemPassage: put.ID, memory.ItemFact: f.ID} {
		_, err = w.service.PageIn(w.ctx(), memory.PageIn{ConversationID: w.conv.ID, Kind: kind, ID: id, Pinned: true})
		w.must(err)
	}
	w.send("Where does the spare key of the cottage hang?")
	contains(t, "prompt", w.lastSent(), "blue shutter", "Argo", "Bern")
	for words, del := range map[string]func() error{
		"blue shutter": func() error { _, err := w.store.DeletePassage(w.ctx(), recalled.ID, cause); return err },
		"Argo":         func() error { _, err := w.store.DeletePassage(w.ctx(), put.ID, cause); return err },
		"Bern":         func() error { _, err := w.store.DeleteFact(w.ctx(), f.ID, cause); return err },
	} {
		w.must(del())
		w.send("And now?")
		if s := w.lastSent(); strings.Contains(s, words) || w.prefix().Reason != window.ReasonForgotten {
			t.Errorf("%s: %s", words, s)
		}
	}
}
