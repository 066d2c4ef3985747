package engine

import "context"

// Waiting is how many requests wait for their turn.
func (e *Engine) Waiting() int {
	e.queue.mu.Lock()
	defer e.queue.mu.Unlock()
	n := 0
	for _, w := range e.queue.waiting {
		n += len(w)
	}
	return n
}

// Unload frees a model's memory.
func (e *Engine) Unload(ctx context.Context, name string) error {
	c, err := e.connection()
	if err != nil {
		return err
	}
	return e.unload(ctx, c, name)
}
