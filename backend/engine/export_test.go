package engine

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
