package engine

import (
	"context"
	"sync"
)

// queue lets one request at a time through to the engine, whatever its model: two models at work at once would spin on each
// other's cores. Among the waiting, chat goes before query embeddings before background work, and within a class the
// first come is the first served.
type queue struct {
	mu      sync.Mutex
	busy    bool
	waiting [PriorityBackground + 1][]chan struct{}
}

// acquire waits for the turn; the caller must release exactly once.
func (q *queue) acquire(ctx context.Context, p Priority) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	if !q.busy {
		q.busy = true
		q.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	q.waiting[p] = append(q.waiting[p], turn)
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	for i, w := range q.waiting[p] {
		if w == turn {
			q.waiting[p] = append(q.waiting[p][:i], q.waiting[p][i+1:]...)
			q.mu.Unlock()
			return ctx.Err()
		}
	}
	q.mu.Unlock()
	q.release() // the turn came at the same moment: pass it on
	return ctx.Err()
}

// release hands the turn to the next.
func (q *queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for p := range q.waiting {
		if w := q.waiting[p]; len(w) > 0 {
			q.waiting[p] = w[1:]
			close(w[0])
			return
		}
	}
	q.busy = false
}

// yield lets those before p go first and says whether any did; on an error the turn is lost.
func (q *queue) yield(ctx context.Context, p Priority) (bool, error) {
	q.mu.Lock()
	before := 0
	for i := range p {
		before += len(q.waiting[i])
	}
	q.mu.Unlock()
	if before == 0 {
		return false, nil
	}
	q.release()
	return true, q.acquire(ctx, p)
}

// idle says whether nobody has the turn.
func (q *queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.busy
}
