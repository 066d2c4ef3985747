// Package tokens counts tokens: exactly, with the vocabulary of the model in use, where that can be read, else with a
// vocabulary of our own that errs on the high side and learns from what the engine counts.
//
// Every count takes linear time whatever the text: texts are cut into pieces of at most a kilobyte at places where no
// token crosses, or anywhere in a text without such places, and of texts over maxExact a sample is counted.
package tokens

import (
	"cmp"
	"context"
	"errors"
	"maps"
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
	digests map[string]string      // model name → digest, as last heard from the source
	recent  []*entry               // vocabularies, the one used last in front
	learned map[string]Calibration // by digest
	saved   map[string]Calibration // as last given to save
	save    func(map[string]Calibration)
}

// Calibration is what was learned about how a model counts.
type Calibration struct {
	Factor float64 `json:"factor"` // of estimates
	Offset float64 `json:"offset"` // tokens a prompt, with an exact vocabulary
}

// Changes below these are not worth saving, and calibrations beyond that number are dropped.
const (
	factorStep       = .01
	offsetStep       = 2.0
	keepCalibrations = 64
)

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
	return &Counters{src: src, digests: map[string]string{}, learned: map[string]Calibration{}, saved: map[string]Calibration{}}
}

// Keep begins with what an earlier run learned, by the models' digests, and gives what is learned from now on to save.
func (c *Counters) Keep(learned map[string]Calibration, save func(map[string]Calibration)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for digest, l := range learned {
		if l.Factor >= minFactor && l.Factor <= maxFactor && l.Offset >= minOffset && l.Offset <= maxOffset {
			c.learned[digest], c.saved[digest] = l, l
		}
	}
	c.save = save
}

// learn notes a calibration; c.mu is held. It returns what is to be saved, nil when nothing is.
func (c *Counters) learn(digest string, l Calibration) map[string]Calibration {
	c.learned[digest] = l
	before, known := c.saved[digest]
	if c.save == nil || known && math.Abs(l.Factor-before.Factor) < factorStep && math.Abs(l.Offset-before.Offset) < offsetStep {
		return nil
	}
	for other := range c.learned {
		if len(c.learned) <= keepCalibrations {
			break
		}
		if other != digest {
			delete(c.learned, other)
		}
	}
	c.saved = maps.Clone(c.learned)
	return maps.Clone(c.saved)
}

// For returns a counter for model. It never fails: where the vocabulary cannot be had, the counter estimates. The
// first call for a model reads its vocabulary, which takes some tenths of a second. The counter belongs to ctx; once
// that has ended, it no longer counts but guesses from the length, so that a cancelled turn ends at once.
func (c *Counters) For(ctx context.Context, model string) Counter {
	e := c.load(ctx, model)
	c.mu.Lock()
	learned := c.of(model)
	c.mu.Unlock()
	if e == nil {
		return estimator{ctx: ctx, factor: learned.Factor}
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
	changed := c.calibrate(model, float64(estimated), float64(measured))
	save := c.save
	c.mu.Unlock()
	if changed != nil {
		save(changed)
	}
}

// calibrate is Calibrate while c.mu is held; it returns what is to be saved.
func (c *Counters) calibrate(model string, estimated, measured float64) map[string]Calibration {
	key, l := c.key(model), c.of(model)
	if e := c.find(key); e != nil && e.v != nil && e.v.exact {
		diff := measured - estimated
		if math.Abs(diff) > max(64, 0.2*estimated) {
			return nil
		}
		l.Offset = min(max(l.Offset+weightOfNew*diff, minOffset), maxOffset)
		return c.learn(key, l)
	}
	ratio := measured / estimated
	if ratio < 0.5 || ratio > 2 {
		return nil
	}
	l.Factor = min(max(l.Factor*(1+weightOfNew*(ratio-1)), minFactor), maxFactor)
	return c.learn(key, l)
}

// of returns what was learned about a model; c.mu is held.
func (c *Counters) of(model string) Calibration {
	if l, ok := c.learned[c.key(model)]; ok {
		return l
	}
	return Calibration{Factor: 1}
}

// key is under what a model's calibration is kept: its digest, or its name as long as that is not known; c.mu is held.
func (c *Counters) key(model string) string { return cmp.Or(c.digests[model], model) }

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
	learned  Calibration
}

// Count counts the tokens of text.
func (c counter) Count(text string) int { return c.corrected(c.v.count(c.ctx, text)) }

// Exact reports whether the pre-tokenizer is known as well.
func (c counter) Exact() bool { return c.v.exact }

// Overhead returns what the template adds, and what calibration found missing.
func (c counter) Overhead() Overhead {
	o := c.template.overhead
	o.Prompt += int(math.Ceil(c.learned.Offset))
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
	return scale(n, c.learned.Factor)
}

func scale(n int, factor float64) int { return int(math.Ceil(float64(n) * factor)) }
