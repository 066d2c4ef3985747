package engine

// account learns from one request of the turn. Only figures that say something about the machine change the speed.
func (t *turn) account(o one) {
	t.reading += o.PromptEvalDuration
	fresh, trusted := o.PromptEvalCount, t.loaded // the first prompt after loading: all of it is new
	if t.last > 0 {                               // a later piece: what it has more than the one before
		fresh, trusted = o.PromptEvalCount-t.last+suffixTokens, true
	} else {
		t.first = o
	}
	if o.known {
		fresh, trusted = o.slot.Prompt-o.slot.Used, true
	}
	t.last = o.PromptEvalCount
	seconds := o.PromptEvalDuration.Seconds()
	if !trusted || fresh < 32 || seconds <= 0 {
		return
	}
	sample, speed := float64(fresh)/seconds, t.PromptSpeed(t.req.Model)
	switch {
	case speed == 0:
		speed = sample
	case !o.known && sample > 4*speed: // it was in the cache after all
		return
	default:
		speed = 0.7*speed + 0.3*sample
	}
	t.mu.Lock()
	t.speeds[fullName(t.req.Model)] = speed
	t.mu.Unlock()
}

// cached returns how much of the prompt was in the engine's cache before this turn: exactly where its log says so, else out
// of the time that reading took, else -1.
func (t *turn) cached(o one) int {
	if t.first.known {
		return min(t.first.slot.Used, o.PromptEvalCount)
	}
	speed := t.PromptSpeed(t.req.Model)
	if speed <= 0 || o.PromptEvalCount == 0 {
		return -1
	}
	read := t.reading.Seconds()*speed - float64(suffixTokens*(t.result.Stages-1))
	return min(max(o.PromptEvalCount-int(read), 0), o.PromptEvalCount)
}
