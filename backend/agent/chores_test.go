package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Chores run one after the other, the oldest of too many is dropped, and one that fails holds up no other.
func TestChoresRunOneByOne(t *testing.T) {
	s := New(Deps{})
	hold, begun := make(chan struct{}), make(chan struct{})
	var ran []string
	add := func(name string, most int, fault error) {
		s.chore(&chore{name: strings.TrimRight(name, "0123456789"), most: most, run: func(context.Context) error {
			ran = append(ran, name)
			return fault
		}})
	}
	s.chore(&chore{name: "first", run: func(context.Context) error { close(begun); <-hold; return nil }})
	<-begun
	add("note1", 2, nil)
	add("summary1", 0, errors.New("no engine"))
	add("note2", 2, nil)
	add("note3", 2, nil)
	if !s.choring("note") || s.choring("walk") {
		t.Error("it does not know what waits")
	}
	close(hold)
	if err := s.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"summary1", "note2", "note3"}; !slices.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	add("note4", 2, nil)
	if len(ran) != 3 {
		t.Error("it ran after the end")
	}
}

// A chore that runs when a turn begins is stopped, waits for the turn's end, and is run again.
func TestAChoreGivesWayToATurn(t *testing.T) {
	s := New(Deps{})
	begun := make(chan struct{}, 1)
	times := 0
	s.chore(&chore{name: "summary", run: func(ctx context.Context) error {
		if times++; times > 1 {
			return nil
		}
		begun <- struct{}{}
		<-ctx.Done()
		return context.Cause(ctx)
	}})
	<-begun
	l := &lane{}
	s.mu.Lock()
	s.lanes["conversation"] = l
	l.jobs = append(l.jobs, &job{}) // as enqueue does
	s.pauseChores()
	s.mu.Unlock()
	if err := s.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if times != 1 || !s.choring("summary") {
		t.Errorf("ran %d times while a turn runs", times)
	}
	s.mu.Lock()
	l.jobs = nil
	s.startChores()
	s.mu.Unlock()
	if err := s.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if times != 2 || s.choring("summary") {
		t.Errorf("ran %d times", times)
	}
}
