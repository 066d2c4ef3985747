package agent

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

const (
	publishEvery = 125 * time.Millisecond // batches of text on the bus, while one may read along
	skimEvery    = 650 * time.Millisecond // the same at most, while text comes so fast that it is only skimmed
	skimPace     = 180                    // runes a second, six times what one reads
	saveEvery    = 900 * time.Millisecond // a partial answer on disk is at most 1 s old
	deltaRunes   = 600                    // of one event: under 4 KB however JSON escapes them
)

// stream takes an answer as it comes, tells it on the bus and saves it.
type stream struct {
	s    *Service
	id   string // of the message
	conv string
	fail func(error) // called when the answer cannot be saved

	mu       sync.Mutex
	content  strings.Builder
	thinking strings.Builder
	holding  bool // text that may be a tool call is not shown
	told     [2]position
	saved    int // bytes of both that are saved

	quit, done chan struct{}
}

// position says how much of a text has been told.
type position struct{ bytes, runes int }

// newStream returns a stream of a message that has content already (an answer that goes on).
func newStream(ctx context.Context, s *Service, m memory.Message, holding bool, fail func(error)) *stream {
	w := &stream{s: s, id: m.ID, conv: m.ConversationID, fail: fail, holding: holding, quit: make(chan struct{}), done: make(chan struct{})}
	w.content.WriteString(m.Content)
	w.thinking.WriteString(m.Thinking)
	w.told = [2]position{{len(m.Content), utf8.RuneCountInString(m.Content)}, {len(m.Thinking), utf8.RuneCountInString(m.Thinking)}}
	w.saved = len(m.Content) + len(m.Thinking)
	go w.run(ctx)
	return w
}

// add takes a piece of the answer.
func (w *stream) add(c engine.Chunk) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.content.WriteString(c.Content)
	w.thinking.WriteString(c.Thinking)
}

// text returns what has come.
func (w *stream) text() (content, thinking string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.content.String(), w.thinking.String()
}

// run publishes and saves until the stream is closed.
func (w *stream) run(ctx context.Context) {
	defer close(w.done)
	tick := time.NewTimer(publishEvery)
	defer tick.Stop()
	saved := time.Now()
	told := saved
	for {
		select {
		case <-w.quit:
			return
		case now := <-tick.C:
			next := pause(w.tell(false), now.Sub(told))
			tick.Reset(next)
			told = now
			if now.Sub(saved)+next > saveEvery {
				saved = now
				if err := w.save(ctx); err != nil {
					w.fail(err)
					return
				}
			}
		}
	}
}

// pause returns how long text is gathered before it is told, where so many runes came within the time before: the faster
// it comes the less often, since each telling costs the page about the same and nobody reads that fast.
func pause(runes int, within time.Duration) time.Duration {
	pace := float64(runes) / max(within, time.Millisecond).Seconds()
	return min(max(time.Duration(pace/skimPace*float64(publishEvery)), publishEvery), skimEvery)
}

// close ends the stream; all that may be shown is told. What it holds back is told only with everything.
func (w *stream) close(everything bool) {
	close(w.quit)
	<-w.done
	w.tell(everything)
}

func (w *stream) save(ctx context.Context) error {
	content, thinking := w.text()
	if len(content)+len(thinking) == w.saved {
		return nil
	}
	err := w.s.Store.AppendStream(context.WithoutCancel(ctx), w.id, store.StreamState{Content: content, Thinking: thinking})
	if err == nil {
		w.saved = len(content) + len(thinking)
	}
	return err
}

// tell publishes what is new and returns its length in runes.
func (w *stream) tell(everything bool) int {
	content, thinking := w.text()
	if w.holding && !everything {
		content = content[:max(holdFrom(content), min(w.told[0].bytes, len(content)))]
	}
	return w.publish(1, "thinking", thinking) + w.publish(0, "content", content)
}

func (w *stream) publish(which int, kind, text string) int {
	p := &w.told[which]
	before := p.runes
	for p.bytes < len(text) {
		piece := text[p.bytes:]
		n, runes := 0, 0
		for n < len(piece) && runes < deltaRunes {
			if !utf8.FullRuneInString(piece[n:]) {
				break // the rest of the character is still to come
			}
			_, size := utf8.DecodeRuneInString(piece[n:])
			n += size
			runes++
		}
		if n == 0 {
			break
		}
		w.s.publish("message.delta", map[string]any{
			"id": w.id, "conversation_id": w.conv, "kind": kind, "offset": p.runes, "text": piece[:n],
		})
		p.bytes += n
		p.runes += runes
	}
	return p.runes - before
}
