package engine

import (
	"time"
	"unicode/utf8"

	"github.com/ollama/ollama/api"
)

const (
	firstPiece = 256                     // tokens, while the speed is unknown
	minPiece   = 32                      // below it the cost of a request outweighs
	pieceTime  = 1500 * time.Millisecond // that a piece should take to read, and so a stop to take effect
)

// piece returns how many tokens to read at once.
func (t *turn) piece() int {
	speed := t.PromptSpeed(t.req.Model)
	if speed <= 0 {
		return firstPiece
	}
	return max(minPiece, int(speed*pieceTime.Seconds()))
}

// stages reads the new part of the prompt in growing pieces, each as a request that generates a single token: the engine can
// neither cancel a prompt nor tell how far it is, but a piece is short, and the cache keeps what was read. fresh means that
// the cache is taken for empty. It returns whether the turn in the queue is still held.
func (t *turn) stages(fresh bool) (held bool, err error) {
	at := 0
	if !fresh {
		at = max(t.req.CachedTokens, t.expected()) // a piece shorter than what is cached would throw the rest away
	}
	t.progress(PhaseReading, at)
	if t.req.NoStages || !t.profile.stages(t.total) || t.total-at <= 2*t.piece() {
		return true, nil
	}
	var grow int
	for step := t.piece(); t.total-at > step+step/2; step = grow * t.piece() {
		messages, ok := t.cut(at + step)
		if !ok {
			break // what is left cannot be cut, such as a long tool call
		}
		req := t.base
		req.Messages = messages
		req.Format = nil
		req.Options = withPredict(req.Options, 1)
		speed := t.PromptSpeed(t.req.Model)
		o, err := t.send(t.ctx, req, t.expect(step), nil)
		if err != nil {
			return true, err
		}
		t.result.Stages++
		t.account(o)
		t.remember(messages)
		at += step
		t.progress(PhaseReading, max(at, o.PromptEvalCount-suffixTokens))
		grow = 1
		if speed > 0 && o.PromptEvalDuration.Seconds() < float64(step)/speed/4 {
			grow = 2 // it was in the cache after all
		}
		if t.req.Priority == PriorityBackground {
			gave, err := t.queue.yield(t.ctx, t.req.Priority)
			if err != nil {
				return false, err
			}
			if gave { // who went first may have taken the cache
				if _, err := t.load(); err != nil {
					return true, err
				}
				at, t.last, grow = min(at, t.expected()), 0, 1
			}
		}
		if err := t.ctx.Err(); err != nil {
			return true, err
		}
	}
	return true, nil
}

// suffixTokens is about what the template and our fillers add after a cut.
const suffixTokens = 12

func withPredict(options map[string]any, n int) map[string]any {
	out := make(map[string]any, len(options))
	for k, v := range options {
		out[k] = v
	}
	out["num_predict"] = n
	return out
}

// cut returns the messages up to about the given token of the prompt, the last of them cut short inside its text. Behind a
// cut before the last user message come fillers, so that what templates attach to the last user message (tools, switches)
// stands behind the cut as well and all before it is the same, byte for byte, as in the whole prompt. ok is false when
// there is nothing more to cut.
func (t *turn) cut(tokens int) (messages []api.Message, ok bool) {
	w := t.weights()
	scale := float64(t.total) / w.sum
	lastUser := -1
	for i, m := range t.base.Messages {
		if m.Role == "user" {
			lastUser = i
		}
	}
	left := float64(tokens)
	for i, m := range t.base.Messages {
		n := w.messages[i] * scale
		if left >= n || len(m.ToolCalls) > 0 { // calls are not cut
			left -= n
			continue
		}
		share := 0.0
		if own := weight(m.Content) * scale; own > n-left { // tools of the first message stand before its text
			share = 1 - (n-left)/own
		}
		m.Content = prefix(m.Content, share)
		messages = append(messages, t.base.Messages[:i]...)
		messages = append(messages, m)
		if i < lastUser {
			if m.Role != "assistant" && m.Role != "system" {
				messages = append(messages, api.Message{Role: "assistant", Content: "."})
			}
			messages = append(messages, api.Message{Role: "user", Content: "."})
		}
		return messages, true
	}
	return nil, false
}

// prefix returns the first share of a text, cut between two runes.
func prefix(s string, share float64) string {
	n := int(share * float64(len(s)))
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
