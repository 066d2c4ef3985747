package agent

import (
	"context"
	"errors"
	"slices"
)

// Chores are work in the background that needs a model: notes, summaries, judging what may leave core memory. They never
// delay an answer: one after the other they run while no turn does, and one that runs when a turn begins is stopped and run
// again afterwards, from its beginning.

// chore is one such piece of work.
type chore struct {
	name         string // what it is, for the log
	conversation string // the one it is about, for the log; may be ""
	most         int    // chores of this name that may wait, older ones are dropped; 0 = any number
	// run does it. Its context ends with errTurnBegins when a turn begins. An error is logged, and the chore is over.
	run func(ctx context.Context) error
}

// chores are those that wait, the one that runs first. Service.mu guards them.
type chores struct {
	waiting []*chore
	busy    bool                    // a worker runs
	rested  chan struct{}           // closed when it ends
	pause   context.CancelCauseFunc // of the chore that runs
}

var errTurnBegins = errors.New("a turn begins")

// chore puts a chore on the list.
func (s *Service) chore(c *chore) {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := 0
	for _, w := range s.chores.waiting {
		if w.name == c.name {
			same++
		}
	}
	if c.most > 0 && same >= c.most {
		i := slices.IndexFunc(s.chores.waiting, func(w *chore) bool { return w.name == c.name })
		s.chores.waiting = slices.Delete(s.chores.waiting, i, i+1)
	}
	s.chores.waiting = append(s.chores.waiting, c)
	s.startChores()
}

// startChores begins to work off the list when no turn runs; s.mu is held.
func (s *Service) startChores() {
	if s.chores.busy || !s.mayChore() {
		return
	}
	s.chores.busy, s.chores.rested = true, make(chan struct{})
	s.turns.Add(1)
	go s.doChores()
}

// mayChore says whether there is a chore and nothing in its way; s.mu is held.
func (s *Service) mayChore() bool {
	if s.closed || len(s.chores.waiting) == 0 {
		return false
	}
	for _, l := range s.lanes {
		if len(l.jobs) > 0 {
			return false
		}
	}
	return true
}

// pauseChores stops the chore that runs, since a turn begins; s.mu is held. It is run again afterwards.
func (s *Service) pauseChores() {
	if s.chores.pause != nil {
		s.chores.pause(errTurnBegins)
	}
}

// doChores runs the chores that wait, one by one, until a turn begins or none is left.
func (s *Service) doChores() {
	defer s.turns.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.mayChore() {
		c := s.chores.waiting[0]
		ctx, cancel := context.WithCancelCause(s.ctx)
		s.chores.pause = cancel
		s.mu.Unlock()

		err := c.run(ctx)
		paused := errors.Is(context.Cause(ctx), errTurnBegins)
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("background work", "what", c.name, "conversation", c.conversation, "error", err)
		}
		cancel(nil)

		s.mu.Lock()
		s.chores.pause = nil
		if !paused {
			s.chores.waiting = slices.DeleteFunc(s.chores.waiting, func(w *chore) bool { return w == c })
		}
	}
	s.chores.busy = false
	close(s.chores.rested)
}

// choring says whether a chore of that name waits or runs.
func (s *Service) choring(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.chores.waiting, func(c *chore) bool { return c.name == name })
}

// Rest returns when no work runs in the background, or ctx ends.
func (s *Service) Rest(ctx context.Context) error {
	s.mu.Lock()
	busy, rested := s.chores.busy, s.chores.rested
	s.mu.Unlock()
	if !busy {
		return nil
	}
	select {
	case <-rested:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
