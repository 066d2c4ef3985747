package experiment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// Mode is how much memory there is in an experiment.
type Mode string

// The modes, from the least to the most.
const (
	ModeOff     Mode = "off"     // no core memory, no recall, no summary: the oldest turns are dropped
	ModeWindow  Mode = "window"  // a sliding window beside core memory
	ModeSummary Mode = "summary" // what leaves the window is summed up
	ModeAll     Mode = "all"     // everything, as the app is
)

// Modes are all of them.
var Modes = []Mode{ModeOff, ModeWindow, ModeSummary, ModeAll}

// ForgetRow is what became of a number that was told in the first turn.
type ForgetRow struct {
	Mode         Mode   `json:"mode"`
	Turn         int    `json:"turn"`          // after which it was asked for
	Available    bool   `json:"available"`     // its ten digits stand in the prompt, outside the question
	DigitsKept   int    `json:"digits_kept"`   // how many of them, from the first on, are said; without a model, stand in the prompt
	PromptTokens int    `json:"prompt_tokens"` // measured where there is a model
	Said         string `json:"said"`          // the model's answer, "" without a model
}

// Forgotten is the outcome of the forgetting experiment.
type Forgotten struct {
	Model  string      `json:"model"` // "none", or the one that was asked
	Window int         `json:"window"`
	Rows   []ForgetRow `json:"rows"` // in the order of turns
}

// ForgetOptions say how the forgetting experiment is made.
type ForgetOptions struct {
	Turns    int    // how many there are; at most MaxTurns
	Model    string // "" or NoModel = none
	Engine   Engine // needed for a model
	Progress func(done, total int, mode Mode, turn int)
}

// MaxTurns is how long an experiment may be.
const MaxTurns = 5000

// The experiment as everybody tells it.
const (
	forgetWindow   = 8192
	tokensPerTurn  = 150
	number         = "3847291056"
	numberTold     = "The number on my library card is " + number + ", it came with the post this morning."
	numberAnswered = "Good to know. The library is a fine place on rainy days, and a card opens all of its rooms."
	numberAsked    = "What is the number on my library card?"
)

// forgetSteps are the turns after which the number is asked for.
var forgetSteps = []int{1, 5, 20, 50, 100, 1000}

// steps returns the turns after which is asked in an experiment of so many turns, the last one among them.
func steps(turns int) []int {
	var out []int
	for _, s := range forgetSteps {
		if s < turns {
			out = append(out, s)
		}
	}
	return append(out, turns)
}

// modeSetups are the stages of the modes.
func modeSetup(m Mode) setup {
	quiet := choices{"facts": "off", "notes": "off", "compaction": string(memory.StrategySliding)}
	how := setup{settings: quiet, window: forgetWindow, core: true, tools: true}
	switch m {
	case ModeOff:
		quiet["compact_at"], quiet["compact_to"], quiet["window_messages"] = 1.0, 0.95, 10_000
		how.core, how.tools = false, false
	case ModeSummary:
		quiet["compaction"] = string(memory.StrategySummary)
	case ModeAll:
		how.settings, how.recalls = choices{}, true
	}
	return how
}

// Forget tells a ten-digit number in the first turn, talks about other things, with other numbers of ten digits among them, and
// asks for the number after some turns, with less and more memory. Each question is asked of a copy, so that neither it nor its
// answer is known to the turns behind it. Errors: EINVALID for a number of turns that is out of bounds.
func Forget(ctx context.Context, o ForgetOptions) (Forgotten, error) {
	if o.Turns < 1 || o.Turns > MaxTurns {
		return Forgotten{}, memory.Errorf(memory.EINVALID, "forgetting experiment", "turns must be a whole number from 1 to %d", MaxTurns)
	}
	if o.Engine == nil {
		o.Model = NoModel
	}
	f := Forgotten{Model: o.Model, Window: forgetWindow, Rows: []ForgetRow{}}
	for i, m := range Modes {
		rows, err := forget(ctx, m, o, func(turn int) {
			if o.Progress != nil {
				o.Progress(i*o.Turns+turn, len(Modes)*o.Turns, m, turn)
			}
		})
		if err != nil {
			return f, err
		}
		f.Rows = append(f.Rows, rows...)
	}
	slices.SortStableFunc(f.Rows, func(a, b ForgetRow) int { return a.Turn - b.Turn })
	return f, nil
}

func forget(ctx context.Context, m Mode, o ForgetOptions, tell func(turn int)) (rows []ForgetRow, err error) {
	dir, err := os.MkdirTemp("", "recollect-experiment-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := build(ctx, dir, modeSetup(m), o.Engine, o.Model)
	if err != nil {
		return nil, err
	}
	defer func() {
		if bad := s.close(context.WithoutCancel(ctx)); err == nil {
			err = bad
		}
	}()
	talk := newSmallTalk(tokens.Estimator(), tokensPerTurn)
	ask := steps(o.Turns)
	for turn := 1; turn <= o.Turns; turn++ {
		e := talk.filled(exchange{user: numberTold, answer: numberAnswered})
		if turn > 1 {
			e = talk.next()
		}
		if err := s.say(ctx, e); err != nil {
			return nil, fmt.Errorf("turn %d: %w", turn, err)
		}
		tell(turn)
		if !slices.Contains(ask, turn) {
			continue
		}
		row, err := s.forgotten(ctx, m, turn)
		if err != nil {
			return nil, fmt.Errorf("ask after turn %d: %w", turn, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// forgotten asks for the number on a copy of the stage.
func (s *stage) forgotten(ctx context.Context, m Mode, turn int) (row ForgetRow, err error) {
	dir := filepath.Join(s.dir, fmt.Sprintf("asked-%d", turn))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return row, fmt.Errorf("make a folder: %w", err)
	}
	copied, err := s.copied(ctx, dir)
	if err != nil {
		return row, err
	}
	defer func() {
		if bad := copied.close(context.WithoutCancel(ctx)); err == nil {
			err = bad
		}
		_ = os.RemoveAll(dir)
	}()
	a, err := copied.ask(ctx, numberAsked)
	if err != nil {
		return row, err
	}
	heard := a.said
	if s.model.real == nil {
		heard = a.prompt
	}
	return ForgetRow{
		Mode: m, Turn: turn, Available: strings.Contains(a.prompt, number), DigitsKept: kept(number, heard), PromptTokens: a.tokens, Said: a.said,
	}, nil
}

// kept returns how many digits of a number, from the first on, stand in a text in one piece; fewer than three are chance.
func kept(number, text string) int {
	for n := len(number); n > 2; n-- {
		for at := 0; ; {
			i := strings.Index(text[at:], number[:n])
			if i < 0 {
				break
			}
			at += i
			if at == 0 || text[at-1] < '0' || text[at-1] > '9' {
				return n
			}
			at++
		}
	}
	return 0
}
