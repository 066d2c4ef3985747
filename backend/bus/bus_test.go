package bus_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/backend/bus"
	"recollect/backend/memory"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func newBus() *bus.Bus { return bus.New(func() time.Time { return noon }) }

func receive(t *testing.T, s *bus.Subscription) memory.Event {
	t.Helper()
	select {
	case ev, ok := <-s.Events():
		if !ok {
			t.Fatal("the subscription ended")
		}
		return ev
	case <-time.After(time.Minute):
		t.Fatal("no event came")
	}
	return memory.Event{}
}

func publish(b *bus.Bus, n int) {
	for range n {
		b.Publish(memory.Event{Type: "notice", Data: map[string]any{"text": "hello"}})
	}
}

func TestPublishNumbersAndDates(t *testing.T) {
	b := newBus()
	first := b.Publish(memory.Event{Type: "notice"})
	own := noon.Add(-time.Hour)
	second := b.Publish(memory.Event{Type: "notice", At: own, ID: "ev-1"})
	if first.Seq != 1 || !first.At.Equal(noon) || first.Data == nil {
		t.Errorf("first event: %+v", first)
	}
	if second.Seq != 2 || !second.At.Equal(own) || second.ID != "ev-1" {
		t.Errorf("second event: %+v", second)
	}
	if b.Seq() != 2 {
		t.Errorf("Seq() = %d", b.Seq())
	}
	if b.Epoch() == "" || b.Epoch() == newBus().Epoch() {
		t.Error("two buses must have different epochs")
	}
}

func TestSubscriptionGetsThePastAndThePresentInOrder(t *testing.T) {
	b := newBus()
	publish(b, 200)
	s := b.Subscribe(t.Context(), 50)
	publish(b, 100)
	for want := uint64(51); want <= 300; want++ {
		if ev := receive(t, s); ev.Seq != want || ev.Type != "notice" {
			t.Fatalf("got %s %d, want notice %d", ev.Type, ev.Seq, want)
		}
	}
}

func TestASlowSubscriberBlocksNobodyAndIsReset(t *testing.T) {
	b := newBus()
	slow := b.Subscribe(t.Context(), 0)
	publish(b, 3*bus.Capacity) // would hang if publishers waited
	// A reset stands for all up to its number; what follows comes without a gap.
	seen, resets := uint64(0), 0
	for seen < b.Seq() {
		ev := receive(t, slow)
		if ev.Type == bus.TypeReset {
			resets++
		} else if ev.Seq != seen+1 {
			t.Fatalf("event %d follows %d without a reset", ev.Seq, seen)
		}
		seen = ev.Seq
	}
	if resets == 0 {
		t.Error("nothing told that events were lost")
	}
	next := b.Publish(memory.Event{Type: "notice"})
	if ev := receive(t, slow); ev.Seq != next.Seq {
		t.Errorf("after the reset came %d, want %d", ev.Seq, next.Seq)
	}
}

func TestSubscribingToALostPastOrToAnotherEpochResets(t *testing.T) {
	b := newBus()
	publish(b, bus.Capacity+1)
	for name, since := range map[string]uint64{"too old": 0, "of another epoch": bus.Capacity + 99} {
		t.Run(name, func(t *testing.T) {
			if ev := receive(t, b.Subscribe(t.Context(), since)); ev.Type != bus.TypeReset || ev.Seq != b.Seq() {
				t.Errorf("got %s %d", ev.Type, ev.Seq)
			}
			if _, ok := b.Since(since); ok {
				t.Error("Since must say that the past is gone")
			}
		})
	}
	if events, ok := b.Since(1); !ok || len(events) != bus.Capacity || events[0].Seq != 2 {
		t.Errorf("Since(1): %d events, %v", len(events), ok)
	}
	if events, ok := b.Since(b.Seq()); !ok || len(events) != 0 {
		t.Errorf("Since(now): %d events, %v", len(events), ok)
	}
}

func TestASubscriptionEndsWithItsContext(t *testing.T) {
	b := newBus()
	ctx, cancel := context.WithCancel(t.Context())
	s := b.Subscribe(ctx, 0)
	publish(b, 10) // nobody reads them
	cancel()
	for range s.Events() {
	}
}

func TestDataStaysSmallAndIsAlwaysJSON(t *testing.T) {
	for _, c := range []struct {
		name string
		data map[string]any
		want string
	}{
		{"as it is", map[string]any{"text": strings.Repeat("x", 4000)}, `{"text":"` + strings.Repeat("x", 4000) + `"}`},
		{"too large", map[string]any{"id": "m-1", "text": strings.Repeat("x", 5000)}, `{"id":"m-1","too_large":true}`},
		{"too many", func() map[string]any {
			m := map[string]any{}
			for range 100 {
				m[strings.Repeat("k", len(m)+1)] = "v"
			}
			return m
		}(), `{"too_large":true}`},
		{"not a number", map[string]any{"eta": math.NaN()}, `{"invalid":true}`},
		{"nothing", nil, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(newBus().Publish(memory.Event{Type: "notice", Data: c.data}).Data)
			if err != nil || string(got) != c.want {
				t.Errorf("got %.200s, %v", got, err)
			}
		})
	}
}

func TestManyPublishersAndSubscribers(t *testing.T) {
	b := newBus()
	var wg sync.WaitGroup
	for range 4 {
		s := b.Subscribe(t.Context(), 0)
		wg.Go(func() {
			for want := uint64(1); want <= 1000; want++ {
				if ev := <-s.Events(); ev.Seq != want {
					t.Errorf("got %d, want %d", ev.Seq, want)
					return
				}
			}
		})
		wg.Go(func() { publish(b, 250) })
	}
	wg.Wait()
}

func BenchmarkPublish(b *testing.B) {
	bb := newBus()
	for range 4 {
		bb.Subscribe(b.Context(), 0)
	}
	data := map[string]any{"id": "m-1", "kind": "content", "offset": 120, "text": "some words of an answer"}
	for b.Loop() {
		bb.Publish(memory.Event{Type: "message.delta", Data: data})
	}
}
