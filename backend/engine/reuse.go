package engine

import "github.com/ollama/ollama/api"

// side says which cache the turn's prompt goes to: side tasks have one of their own once it is seeded.
func (t *turn) side(r residence) int {
	if r.seeded && t.aside() {
		return 1
	}
	return 0
}

// remember notes what the engine's cache holds now.
func (t *turn) remember(messages []api.Message) {
	t.conn.mu.Lock()
	defer t.conn.mu.Unlock()
	name := fullName(t.req.Model)
	if r, ok := t.conn.resident[name]; ok {
		r.sent[t.side(r)] = prompt{t.base.Tools.String(), messages}
		t.conn.resident[name] = r
	}
}

// expected returns how many tokens of the prompt should be cached, by what this engine was sent before.
func (t *turn) expected() int {
	t.conn.mu.Lock()
	r := t.conn.resident[fullName(t.req.Model)]
	t.conn.mu.Unlock()
	before := r.sent[t.side(r)]
	if before.tools != t.base.Tools.String() {
		return 0
	}
	w := t.weights()
	common := 0.0
	for i, m := range t.base.Messages {
		if i == len(before.messages) {
			break
		}
		b := before.messages[i]
		if b.Role == m.Role && b.Content == m.Content && sameCalls(b.ToolCalls, m.ToolCalls) {
			common += w.messages[i]
			continue
		}
		if b.Role == m.Role {
			n := 0
			for n < len(b.Content) && n < len(m.Content) && b.Content[n] == m.Content[n] {
				n++
			}
			common += weight(m.Content[:n])
			if i == 0 && before.tools != "" {
				common += weight(before.tools)
			}
		}
		break
	}
	return int(common / w.sum * float64(t.total))
}

func sameCalls(a, b []api.ToolCall) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Function.Name != b[i].Function.Name || a[i].Function.Arguments.String() != b[i].Function.Arguments.String() {
			return false
		}
	}
	return true
}

// account learns from one request of the turn. Only figures that say something about the machine change the speed.
func (t *turn) account(o one) {
	t.reading += o.PromptEvalDuration
	fresh, trusted := o.PromptEvalCount, t.loaded // the first prompt after loading: all of it is new
	if t.last > 0 {                               // a later piece: what it has more than the one before
		fresh, trusted = o.PromptEvalCount-t.last+suffixTokens, true
	} else {
		t.first = o
	}
	used, told := o.reused()
	switch {
	case o.known:
		fresh, trusted = o.slot.Prompt-used, true
	case told:
		fresh, trusted = o.PromptEvalCount-used, true
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
	case !told && sample > 4*speed: // it was in the cache after all
		return
	default:
		speed = 0.7*speed + 0.3*sample
	}
	t.mu.Lock()
	t.speeds[fullName(t.req.Model)] = speed
	t.mu.Unlock()
}

// cached returns how much of the prompt was in the engine's cache before this turn: exactly where the engine or its log
// says so, else out of the time that reading took, else -1.
func (t *turn) cached(o one) int {
	if used, told := t.first.reused(); told {
		return min(used, o.PromptEvalCount)
	}
	speed := t.PromptSpeed(t.req.Model)
	if speed <= 0 || o.PromptEvalCount == 0 {
		return -1
	}
	read := t.reading.Seconds()*speed - float64(suffixTokens*(t.result.Stages-1))
	return min(max(o.PromptEvalCount-int(read), 0), o.PromptEvalCount)
}
