package engine

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
)

const (
	seedTokens = 4000 // generated at most while the side request takes its place; ended as soon as it has
	seedTries  = 2    // for one load of the model
)

// seedFormat keeps the model from ending before the side request has come, which on a busy machine takes a while. A list,
// since the engine ends an answer in which one token repeats; a list of lists, since each of the least items is a rule of
// the grammar.
var seedFormat = json.RawMessage(`{"type":"array","minItems":100,"items":{"type":"array","minItems":50,"items":{"type":"integer"}}}`)

// SideCache says whether side tasks of the model have a prompt cache of their own now. Where they have none, each costs the
// chat what it has in its cache.
func (e *Engine) SideCache(model string) bool {
	c, err := e.connection()
	if err != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.resident[fullName(model)].seeded
}

// seed gives side tasks the second prompt cache of our own engine. Sequential requests all go to the first cache where no
// prefix tells them apart, so every side task would wipe the chat's. Hence, once after each load, a tiny side request is
// sent while the chat's prompt is generating: the first cache is in use, it gets the second, and from then on the longest
// common prefix leads each to its own (see SidePrefix). The chat's prompt is read here instead of in the answer, so
// nothing is read twice. Failure costs nothing but the benefit, so errors are left for the answer to meet.
func (t *turn) seed() {
	c := t.conn
	if c.log == nil || t.profile.slots(c.slots) < 2 || t.req.Priority == PriorityBackground && !t.warm {
		return
	}
	name := fullName(t.req.Model)
	c.mu.Lock()
	r, ok := c.resident[name]
	if r.tries++; ok {
		c.resident[name] = r
	}
	c.mu.Unlock()
	if !ok || r.seeded || r.tries > seedTries {
		return
	}
	chat := t.base
	chat.Format = seedFormat // with tools, for once: they belong to the prompt, and nobody reads this answer
	chat.Options = withPredict(chat.Options, seedTokens)
	side := t.base
	side.Tools, side.Format = nil, nil
	side.Messages = []api.Message{{Role: "system", Content: SidePrefix}, {Role: "user", Content: "."}}
	side.Options = withPredict(side.Options, 1)

	ctx, enough := context.WithCancel(t.ctx)
	defer enough()
	var wg sync.WaitGroup
	var other one
	var sideErr error
	var o one
	began, mark := time.Now(), c.log.mark()
	_, err := t.send(ctx, chat, t.expect(t.total), func(api.ChatResponse) error {
		if o.PromptEvalDuration > 0 {
			return nil
		}
		o.PromptEvalDuration = time.Since(began)
		wg.Go(func() {
			other, sideErr = t.send(t.ctx, side, 0, nil)
			enough() // generating can be cancelled at once, unlike reading
		})
		return nil
	})
	wg.Wait()
	if o.PromptEvalDuration == 0 || t.ctx.Err() != nil || err != nil && ctx.Err() == nil {
		return
	}
	t.result.Stages++
	if o.slot, o.known = c.log.next(mark); !o.known {
		return
	}
	o.PromptEvalCount = o.slot.Prompt
	t.account(o)
	t.remember(t.base.Messages)
	if sideErr == nil && other.known && o.slot.ID != other.slot.ID {
		c.mu.Lock()
		if r, ok := c.resident[name]; ok {
			r.seeded = true
			c.resident[name] = r
		}
		c.mu.Unlock()
	}
}
