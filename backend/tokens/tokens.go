// Package tokens counts tokens: exactly, with the vocabulary of the model in use, where that can be read, else with a
// vocabulary of our own that errs on the high side and learns from what the engine counts.
//
// Every count takes linear time whatever the text: texts are cut into pieces of at most a kilobyte at places where no
// token crosses, or anywhere in a text without such places, and of texts over maxExact a sample is counted.
package tokens

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"recollect/backend/engine"
)

// Counter counts the tokens of texts for one model. Counters may be used from several goroutines.
type Counter interface {
	// Count returns the tokens of text alone, without what a template puts around it.
	Count(text string) int
	// Exact reports whether Count uses the model's own vocabulary.
	Exact() bool
	// Overhead returns what the model's template adds to the texts.
	Overhead() Overhead
	// Tools returns the tokens that a set of tools takes in a prompt.
	Tools(tools []engine.Tool) int
}

// Overhead is what a chat template adds to the texts of a prompt, in tokens.
type Overhead struct {
	Message int // around each message
	Prompt  int // once a prompt: begin-of-text, the header of the answer, and what calibration found missing; may be < 0
}

// Source says where vocabularies are; *engine.Engine is one.
type Source interface {
	// Profile describes an installed model.
	Profile(ctx context.Context, model string) (engine.Profile, error)
	// Vocabulary returns the metadata of a model with its whole vocabulary, as /api/show gives it when asked to be
	// verbose. It is only called for a model whose file cannot be read from here.
	Vocabulary(ctx context.Context, model string) (map[string]any, error)
}

// keepVocabularies is how many vocabularies stay in memory: the chat model's and one for a side task.
const keepVocabularies = 2

// Bounds of what calibration may do, so that one odd figure from an engine cannot upset the budget.
const (
	minFactor, maxFactor = 0.7, 2.0 // of an estimate
	minOffset, maxOffset = -128, 1024
	weightOfNew          = 0.3
)

// Counters makes counters. It keeps the vocabularies that were used last.
type Counters struct {
	src Source

	mu      sync.Mutex
	digests map[string]string       // model name → digest, as last heard from the source
	recent  []*entry                // vocabularies, the one used last in front
	learned map[string]*calibration // by model name
}

type calibration struct {
	factor float64 // of estimates
	offset float64 // tokens a prompt, with an exact vocabulary
}

// entry is the vocabulary of one digest. The semaphore is held while it is loaded.
type entry struct {
	digest   string
	sem      chan struct{}
	v        *vocabulary // nil until loaded
	template *chatTemplate
	failed   bool // it cannot be used; not tried again
}

// New returns Counters that find vocabularies through src.
func New(src Source) *Counters {
	return &Counters{src: src, digests: map[string]string{}, learned: map[string]*calibration{}}
}

// For returns a counter for model. It never fails: where the vocabulary cannot be had, the counter estimates. The
// first call for a model reads its vocabulary, which takes some tenths of a second. The counter belongs to ctx; once
// that has ended, it no longer counts but guesses from the length, so that a cancelled turn ends at once.
func (c *Counters) For(ctx context.Context, model string) Counter {
	e := c.load(ctx, model)
	c.mu.Lock()
	learned := calibration{factor: 1}
	if l := c.learned[model]; l != nil {
		learned = *l
	}
	c.mu.Unlock()
	if e == nil {
		return estimator{ctx: ctx, factor: learned.factor}
	}
	return counter{ctx: ctx, v: e.v, template: e.template, learned: learned}
}

// Calibrate learns from what the engine counted: estimated is the prompt of the plan that was sent, measured the
// engine's figure for it. An exact counter learns what the template adds to a prompt, an estimating one its factor.
// Figures that no template explains (an engine that cuts prompts, one that reports nothing) are left alone.
func (c *Counters) Calibrate(model string, estimated, measured int) {
	if estimated <= 0 || measured <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.learned[model]
	if l == nil {
		l = &calibration{factor: 1}
		c.learned[model] = l
	}
	if e := c.find(c.digests[model]); e != nil && e.v != nil && e.v.exact {
		diff := float64(measured - estimated)
		if math.Abs(diff) > max(64, 0.2*float64(estimated)) {
			return
		}
		l.offset = min(max(l.offset+weightOfNew*diff, minOffset), maxOffset)
		return
	}
	ratio := float64(measured) / float64(estimated)
	if ratio < 0.5 || ratio > 2 {
		return
	}
	l.factor = min(max(l.factor*(1+weightOfNew*(ratio-1)), minFactor), maxFactor)
}

// load returns the vocabulary of model, nil when there is none to be had.
func (c *Counters) load(ctx context.Context, model string) *entry {
	if model == "" {
		return nil
	}
	profile, err := c.src.Profile(ctx, model)
	c.mu.Lock()
	digest := c.digests[model] // the engine may be away: what was known before still holds
	if err == nil && profile.Digest != "" {
		digest = profile.Digest
		c.digests[model] = digest
	}
	if digest == "" {
		c.mu.Unlock()
		return nil
	}
	e := c.find(digest)
	if e == nil {
		e = &entry{digest: digest, sem: make(chan struct{}, 1)}
	}
	c.recent = slices.DeleteFunc(c.recent, func(o *entry) bool { return o == e })
	c.recent = append([]*entry{e}, c.recent[:min(len(c.recent), keepVocabularies-1)]...)
	c.mu.Unlock()

	select {
	case e.sem <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	defer func() { <-e.sem }()
	if e.v == nil && !e.failed && err == nil {
		v, loadErr := readVocabulary(ctx, c.src, model, profile)
		if loadErr != nil {
			e.failed = errors.Is(loadErr, errUnusable)
			return nil
		}
		template := newChatTemplate(profile, v)
		c.mu.Lock() // Calibrate looks at v
		e.v, e.template = v, template
		c.mu.Unlock()
	}
	if e.v == nil {
		return nil
	}
	return e
}

// find returns the entry of a digest; c.mu is held.
func (c *Counters) find(digest string) *entry {
	for _, e := range c.recent {
		if e.digest == digest {
			return e
		}
	}
	return nil
}

// counter counts with a model's own vocabulary.
type counter struct {
	ctx      context.Context // a counter is made for one request
	v        *vocabulary
	template *chatTemplate
	learned  calibration
}

// Count counts the tokens of text.
func (c counter) Count(text string) int { return c.corrected(c.v.count(c.ctx, text)) }

// Exact reports whether the pre-tokenizer is known as well.
func (c counter) Exact() bool { return c.v.exact }

// Overhead returns what the template adds, and what calibration found missing.
func (c counter) Overhead() Overhead {
	o := c.template.overhead
	o.Prompt += int(math.Ceil(c.learned.offset))
	return o
}

// Tools counts the tools as the template prints them.
func (c counter) Tools(tools []engine.Tool) int {
	return c.corrected(c.template.tools(c.ctx, tools))
}

// corrected applies what calibration learned where the vocabulary is used with rules that may not be the model's.
func (c counter) corrected(n int) int {
	if c.v.exact {
		return n
	}
	return scale(n, c.learned.factor)
}

func scale(n int, factor float64) int { return int(math.Ceil(float64(n) * factor)) }
