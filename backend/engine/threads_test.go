package engine_test

import (
	"testing"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
)

func TestTheUserChoosesTheThreads(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{Threads: 3})
	ask := func() any {
		t.Helper()
		if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("Hello")...), nil); err != nil {
			t.Fatal(err)
		}
		chats := f.Chats()
		return chats[len(chats)-1].Options["num_thread"]
	}
	if n := ask(); n != 3.0 {
		t.Errorf("%v threads at the start", n)
	}
	e.SetThreads(2)
	if n := ask(); n != 2.0 {
		t.Errorf("%v threads after a change", n)
	}
	e.SetThreads(0)
	if n := ask(); n != float64(engine.Cores()) {
		t.Errorf("%v threads without a choice", n)
	}
}
