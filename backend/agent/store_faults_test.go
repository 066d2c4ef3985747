package agent_test

import (
	"context"
	"sync/atomic"
	"testing"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
)

// fullDisk is a store whose disk fills up.
type fullDisk struct {
	*store.Store
	stream, memory atomic.Bool
}

func (f *fullDisk) AppendStream(ctx context.Context, id string, s store.StreamState) error {
	if f.stream.Load() {
		return memory.Errorf(memory.EDISKFULL, "save stream", "the disk is full")
	}
	return f.Store.AppendStream(ctx, id, s)
}

func (f *fullDisk) UpdateBlock(ctx context.Context, id string, c memory.BlockChange, cause memory.Cause) (memory.Block, memory.Revision, error) {
	if f.memory.Load() {
		return memory.Block{}, memory.Revision{}, memory.Errorf(memory.EDISKFULL, "update block", "the disk is full")
	}
	return f.Store.UpdateBlock(ctx, id, c, cause)
}

// noRecall is a recall that fails.
type noRecall struct{ *recall.Recall }

func (noRecall) For(context.Context, recall.Query) (memory.Receipt, error) {
	return memory.Receipt{}, memory.Errorf(memory.ECORRUPT, "recall", "the index is damaged")
}

func TestDiskFullWhileStreaming(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	disk := &fullDisk{Store: w.store}
	w.replace(func(d *agent.Deps) { d.Store = disk })
	hold := make(chan struct{})
	defer close(hold)
	w.scripts(enginetest.Reply{Content: "Once upon a time", Hold: hold})
	disk.stream.Store(true)
	m := w.send("tell me a story")
	if m.Status != memory.StatusPartial || m.Problem == nil || m.Problem.Code != memory.EDISKFULL || m.Problem.Remedy != memory.RemedyFreeSpace || m.Content != "Once upon a time" {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	disk.stream.Store(false)
	w.usable()
}

func TestMemoryFailsAndTheChatGoesOn(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	disk := &fullDisk{Store: w.store}
	w.replace(func(d *agent.Deps) { d.Store = disk })
	disk.memory.Store(true)
	w.scripts(call("core_memory_append", appendComet), say("I could not store that."))
	if m := w.send("My bicycle is called Comet"); m.Content != "I could not store that." || m.Status != memory.StatusComplete {
		t.Errorf("%+v", m)
	}
	if n := w.eventsOf("notice"); len(n) != 1 || n[0].Data["code"] != "EDISKFULL" {
		t.Errorf("notices %+v", n)
	}
	w.scripts(say("Sorry."))
	m := w.send("remember that my bicycle is called Comet")
	if m.Status != memory.StatusComplete {
		t.Errorf("%+v", m)
	}
	contains(t, "prompt", w.sent(2), "Not stored: “my bicycle is called Comet” (the disk is full)")
}

func TestRecallFailsAndTheChatGoesOn(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.replace(func(d *agent.Deps) { d.Recall = noRecall{recall.New(recall.Deps{Store: w.store})} })
	w.usable()
}
