// Package bus numbers what happens and tells everyone who listens. Publishers never wait for listeners: events are kept
// in a ring, every subscription reads it at its own pace, and one that falls behind the ring is told to start afresh.
package bus

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"sync"

	"recollect/backend/memory"
)

const (
	// Capacity is how many of the newest events can still be replayed.
	Capacity = 4096
	// MaxData is the largest size of an event's data as JSON, in bytes. Web views leak or stall on larger ones; bodies
	// are fetched over HTTP instead.
	MaxData = 4096
	// TypeReset is the type of the event that a subscription delivers in place of events that are no longer there.
	TypeReset = "reset"
)

// maxKept is the size in bytes up to which a value survives when its event is too large: ids and counts do.
const maxKept = 200

// Bus is a numbered stream of events. Its methods may be called from many goroutines.
type Bus struct {
	clock memory.Clock
	epoch string

	mu   sync.Mutex
	ring [Capacity]memory.Event // event n is at n % Capacity
	seq  uint64                 // number of the newest event, 0 = none yet
	subs map[*Subscription]struct{}
}

// New returns an empty bus that takes the time of events from clock.
func New(clock memory.Clock) *Bus {
	return &Bus{clock: clock, epoch: rand.Text()[:12], subs: map[*Subscription]struct{}{}}
}

// Epoch identifies this run of the process: numbers of different epochs cannot be compared.
func (b *Bus) Epoch() string { return b.epoch }

// Seq returns the number of the newest event, 0 before the first.
func (b *Bus) Seq() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seq
}

// Publish numbers ev, sets its time where it has none, and hands it to all subscriptions. It never blocks. The caller
// must not change ev.Data afterwards. Data of more than MaxData bytes is cut down to its short values and marked
// "too_large"; data that JSON cannot express is replaced by "invalid".
func (b *Bus) Publish(ev memory.Event) memory.Event {
	ev.Data = bounded(ev.Type, ev.Data)
	b.mu.Lock()
	defer b.mu.Unlock()
	if ev.At.IsZero() {
		ev.At = b.clock()
	}
	b.seq++
	ev.Seq = b.seq
	b.ring[ev.Seq%Capacity] = ev
	for s := range b.subs {
		select {
		case s.wake <- struct{}{}:
		default: // it has been woken already
		}
	}
	return ev
}

// Since returns the events after number n, oldest first. ok is false when some of them are gone or n is not a number
// of this epoch: the listener needs a new snapshot.
func (b *Bus) Since(n uint64) (events []memory.Event, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.after(n, Capacity)
}

// after returns at most limit events after number n, or false when they are gone. The caller holds the lock.
func (b *Bus) after(n, limit uint64) ([]memory.Event, bool) {
	if n > b.seq || b.seq-n > Capacity {
		return nil, false
	}
	events := make([]memory.Event, 0, min(b.seq-n, limit))
	for i := n + 1; i <= min(b.seq, n+limit); i++ {
		events = append(events, b.ring[i%Capacity])
	}
	return events, true
}

// Subscription delivers events in order, from one number on.
type Subscription struct {
	events chan memory.Event
	wake   chan struct{}
}

// Events delivers each event once, in order. Where events are missing, because the listener was slower than the ring
// or asked for a past that is gone, one event of TypeReset comes first, numbered like the newest event it skips. The
// channel is closed when the subscription's context ends.
func (s *Subscription) Events() <-chan memory.Event { return s.events }

// Subscribe delivers the events after number since, until ctx ends; Seq as since means "from now on".
func (b *Bus) Subscribe(ctx context.Context, since uint64) *Subscription {
	s := &Subscription{events: make(chan memory.Event), wake: make(chan struct{}, 1)}
	b.mu.Lock()
	b.subs[s] = struct{}{}
	b.mu.Unlock()
	go func() {
		defer close(s.events)
		defer func() {
			b.mu.Lock()
			delete(b.subs, s)
			b.mu.Unlock()
		}()
		at := since
		for {
			batch := b.next(at)
			for _, ev := range batch {
				select {
				case s.events <- ev:
					at = ev.Seq
				case <-ctx.Done():
					return
				}
			}
			if len(batch) > 0 {
				continue // there may be more
			}
			select {
			case <-s.wake:
			case <-ctx.Done():
				return
			}
		}
	}()
	return s
}

// maxBatch bounds what a subscription takes out of the ring at once, so that a slow one holds no old events alive.
const maxBatch = 64

// next returns the first events after number n, or a reset when they are gone.
func (b *Bus) next(n uint64) []memory.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	events, ok := b.after(n, maxBatch)
	if !ok {
		return []memory.Event{{Seq: b.seq, Type: TypeReset, At: b.clock(), Data: map[string]any{}}}
	}
	return events
}

// bounded returns data within MaxData.
func bounded(eventType string, data map[string]any) map[string]any {
	if data == nil {
		return map[string]any{}
	}
	size, err := jsonSize(data)
	if err == nil && size <= MaxData {
		return data
	}
	if err != nil {
		slog.Error("an event cannot be written as JSON", "type", eventType, "err", err)
		return map[string]any{"invalid": true}
	}
	slog.Error("an event is too large", "type", eventType, "bytes", size)
	kept := map[string]any{"too_large": true}
	for k, v := range data {
		if size, err := jsonSize(v); err == nil && size <= maxKept {
			kept[k] = v
		}
	}
	if size, _ := jsonSize(kept); size > MaxData {
		return map[string]any{"too_large": true}
	}
	return kept
}

func jsonSize(v any) (int, error) {
	b, err := json.Marshal(v)
	return len(b), err
}
