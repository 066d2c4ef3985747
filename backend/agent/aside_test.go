package agent_test

import (
	"strings"
	"testing"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

func (w *world) aside() agent.Aside {
	return agent.Aside{Kind: memory.CallDocument, AgentID: w.agent.ID, Tokens: 50, Text: func(language string) string { return "Say it in " + language }}
}

func TestAsideIsAskedWhereItCostsLittle(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	p := &paced{Engine: w.engine}
	w.replace(func(d *agent.Deps) { d.Engine = p })
	w.scripts(say("There it is, all of it, one word after the other."))
	ask := func(a agent.Aside, code memory.Code) {
		t.Helper()
		before := len(w.fake.Chats())
		text, digest, err := w.service.Ask(w.ctx(), a)
		if memory.CodeOf(err) != code {
			t.Errorf("%v, want %q", err, code)
		}
		if asked := len(w.fake.Chats()) > before; asked != (err == nil) || asked && (text == "" || digest == "") {
			t.Errorf("asked %v: %q, %q", asked, text, digest)
		}
	}
	ask(w.aside(), "") // nobody has talked with the model: there is nothing to lose
	last := w.fake.Chats()[0]
	if q := last.Messages; len(q) != 2 || q[1].Content != "Say it in en" || last.Options["num_ctx"].(float64) != 8192 || len(last.Format) > 0 {
		t.Errorf("sent %+v", last)
	}
	w.send("hello")
	ask(w.aside(), memory.EBUSY) // the chat would have to be read again
	costly := w.aside()
	costly.Costly = true
	ask(costly, "")
	w.replace(func(d *agent.Deps) { d.Engine = paced{Engine: w.engine, side: true, reads: 1000} })
	ask(w.aside(), "")
	w.replace(func(d *agent.Deps) { d.Engine = paced{Engine: w.engine, side: true, reads: .05} })
	w.send("hello") // now it is known how fast it writes
	ask(w.aside(), memory.EBUSY)

	if n := w.called(memory.CallDocument); n != 3 {
		t.Errorf("%d calls are noted", n)
	}

	useless := w.aside()
	useless.Usable = func(string) bool { return false }
	ask(useless, memory.EUNSUPPORTED)
	long := costly
	long.Text = func(string) string { return strings.Repeat("word ", 9000) }
	ask(long, memory.EOVERFLOW)
	w.fake.RemoveModel(enginetest.Chat)
	if _, _, err := w.service.Ask(w.ctx(), costly); memory.CodeOf(err) != memory.EMODEL {
		t.Errorf("without its model: %v", err)
	}
}
