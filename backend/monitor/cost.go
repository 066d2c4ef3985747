package monitor

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// Price is what a model costs elsewhere, and what it holds.
type Price struct {
	Model   string  `json:"model"`
	Window  int     `json:"window"`  // tokens
	Usable  int     `json:"usable"`  // of these, for a talk
	Chinese int     `json:"chinese"` // Chinese characters that it holds, about
	Input   float64 `json:"input"`   // dollars for a thousand tokens
	Output  float64 `json:"output"`
	AsOf    string  `json:"as_of"` // the date of the prices, as 2024-04-30
}

// OwnCost is what the model on this machine costs.
type OwnCost struct {
	Watts    float64 `json:"watts"`     // that the machine draws more while a model works
	KWhPrice float64 `json:"kwh_price"` // dollars
}

// CostTable is what costs are worked out from; the user can change it.
type CostTable struct {
	Prices []Price `json:"prices"`
	Own    OwnCost `json:"own"`
}

// pricesAsOf is when most of the built-in prices were those of the models' makers.
const pricesAsOf = "2024-10-01"

// DefaultCosts returns the table that is there before the user changes it.
func DefaultCosts() CostTable {
	return CostTable{
		Prices: []Price{
			{"GPT-3.5-turbo", 4_000, 3_500, 2_000, 0.0015, 0.002, "2023-06-13"}, // cheaper since, with a larger window,
			{"GPT-4", 8_000, 7_000, 4_000, 0.03, 0.06, pricesAsOf},
			{"GPT-4-turbo", 128_000, 120_000, 60_000, 0.01, 0.03, pricesAsOf},
			{"Claude 3 Opus", 200_000, 180_000, 90_000, 0.015, 0.075, pricesAsOf},
			{"Claude 3 Sonnet", 200_000, 180_000, 90_000, 0.003, 0.015, pricesAsOf},
			{"Gemini 1.5 Pro", 1_000_000, 900_000, 450_000, 0.00125, 0.005, pricesAsOf},
		},
		Own: OwnCost{Watts: 65, KWhPrice: 0.15},
	}
}

// Bounds of what costs are worked out from: far above what anybody has, and far below where sums lose digits.
const (
	maxPrices   = 100
	maxName     = 100
	MaxTokens   = 100_000_000 // of a conversation, and of a window
	MaxDaily    = 10_000_000
	MaxPrice    = 10_000 // dollars for a thousand tokens, or a kWh
	maxWatts    = 100_000
	MaxParts    = 1_000_000
	daysInMonth = 30
)

const costOp = "work out the cost"

// within fails with EINVALID, the number's name in it, unless low ≤ v ≤ high; NaN fails as well.
func within(name string, v, low, high float64) error {
	if v >= low && v <= high {
		return nil
	}
	return memory.Errorf(memory.EINVALID, costOp, "%s must be a number from %s to %s", name, plain(low), plain(high))
}

// Validate fails with EINVALID where the table cannot be worked with.
func (t CostTable) Validate() error {
	if len(t.Prices) > maxPrices {
		return memory.Errorf(memory.EINVALID, costOp, "there may be %d rows, not %d", maxPrices, len(t.Prices))
	}
	seen := map[string]bool{}
	for _, p := range t.Prices {
		name := strings.TrimSpace(p.Model)
		if name == "" || len(name) > maxName || name != p.Model {
			return memory.Errorf(memory.EINVALID, costOp, "a row needs the name of a model, of at most %d bytes, without blanks around it", maxName)
		}
		key := strings.ToLower(name)
		if seen[key] {
			return memory.Errorf(memory.EINVALID, costOp, "there are two rows for %s", name)
		}
		seen[key] = true
		if _, err := time.Parse(time.DateOnly, p.AsOf); err != nil {
			return memory.Errorf(memory.EINVALID, costOp, "%s: as_of must be a date such as 2026-11-29", name)
		}
		for _, c := range []struct {
			name string
			v    float64
			low  float64
			high float64
		}{
			{"window", float64(p.Window), 1, MaxTokens},
			{"usable", float64(p.Usable), 0, float64(p.Window)},
			{"chinese", float64(p.Chinese), 0, MaxTokens},
			{"input", p.Input, 0, MaxPrice},
			{"output", p.Output, 0, MaxPrice},
		} {
			if err := within(name+": "+c.name, c.v, c.low, c.high); err != nil {
				return err
			}
		}
	}
	if err := within("own.watts", t.Own.Watts, 0, maxWatts); err != nil {
		return err
	}
	return within("own.kwh_price", t.Own.KWhPrice, 0, MaxPrice)
}

// Habit is how much somebody talks with a model.
type Habit struct {
	Daily  int     `json:"daily"`  // conversations a day
	Tokens int     `json:"tokens"` // of each, read and written
	Input  float64 `json:"input"`  // parts of these that are read, to
	Output float64 `json:"output"` // parts that are written
}

// DefaultHabit is the reference's: a hundred conversations of five thousand tokens, three of which are read for one written.
func DefaultHabit() Habit { return Habit{Daily: 100, Tokens: 5000, Input: 3, Output: 1} }

// Validate fails with EINVALID where a habit cannot be.
func (h Habit) Validate() error {
	for _, c := range []struct {
		name    string
		v, high float64
	}{{"daily", float64(h.Daily), MaxDaily}, {"tokens", float64(h.Tokens), MaxTokens}} {
		if err := within(c.name, c.v, 1, c.high); err != nil {
			return err
		}
	}
	if err := within("input", h.Input, 0, MaxParts); err != nil {
		return err
	}
	if err := within("output", h.Output, 0, MaxParts); err != nil {
		return err
	}
	if h.Input+h.Output == 0 {
		return memory.Errorf(memory.EINVALID, costOp, "input and output must not both be 0")
	}
	return nil
}

// Cost is what a habit costs, in dollars.
type Cost struct {
	MonthlyTokens   int     `json:"monthly_tokens"` // thirty days
	MonthlyCost     float64 `json:"monthly_cost"`
	PerConversation float64 `json:"per_conversation"`
}

// CostOf returns what a habit costs at prices for a thousand tokens read and written. EINVALID where a number is none.
func CostOf(h Habit, input, output float64) (Cost, error) {
	if err := h.Validate(); err != nil {
		return Cost{}, err
	}
	if err := within("the price of input", input, 0, MaxPrice); err != nil {
		return Cost{}, err
	}
	if err := within("the price of output", output, 0, MaxPrice); err != nil {
		return Cost{}, err
	}
	each := float64(h.Tokens) / 1000 * (input*h.Input + output*h.Output) / (h.Input + h.Output)
	months := h.Daily * daysInMonth
	return Cost{MonthlyTokens: months * h.Tokens, MonthlyCost: dollars(each * float64(months)), PerConversation: dollars(each)}, nil
}

// dollars rounds to a millionth, so that sums look as on paper.
func dollars(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// CostReport compares what a habit and what the user really did would cost.
type CostReport struct {
	CostTable
	Edited bool      `json:"edited"` // by the user: not the table that comes with the app
	Habit  Habit     `json:"habit"`
	Rows   []CostRow `json:"rows"` // one for each price, in their order
	Local  LocalCost `json:"local"`
	Days   int       `json:"days"`         // how many of the last days Last in the rows is about
	Read   int       `json:"read_tokens"`  // tokens of the prompts of these days
	Wrote  int       `json:"wrote_tokens"` // tokens of their answers
	Calls  int       `json:"calls"`        // of a model, in these days
}

// CostRow is what one model costs.
type CostRow struct {
	Model string  `json:"model"`
	Cost  Cost    `json:"cost"` // of the habit
	Fits  bool    `json:"fits"` // a conversation of the habit fits into what is usable
	Last  float64 `json:"last"` // what the tokens of the last days would have cost, in dollars
}

// LocalCost is what the model on this machine costs, by the speed that was measured.
type LocalCost struct {
	Measured       bool    `json:"measured"` // else there is no speed yet, and the costs are 0
	ReadPerSecond  float64 `json:"read_per_second"`
	WritePerSecond float64 `json:"write_per_second"`
	Cost           Cost    `json:"cost"`  // of the habit, nothing being cached
	Last           float64 `json:"last"`  // of the last days, in dollars
	Hours          float64 `json:"hours"` // that the model worked in these days
}

// Spent is what was really used in the last days.
type Spent struct {
	Days               int
	Calls, Read, Wrote int           // calls, tokens of their prompts and answers
	ReadSpeed          float64       // tokens of prompts a second, of those that were not cached
	WriteSpeed         float64       // tokens of answers a second
	Busy               time.Duration // time that models worked
}

// SpentSince returns what was used in so many days before now.
func SpentSince(ctx context.Context, s Store, f store.UsageFilter, now time.Time, days int) (Spent, error) {
	sum, answers, err := sums(ctx, s, f, now.AddDate(0, 0, -days), now)
	t := totals(answers) // whose speeds are those of talking
	return Spent{
		Days: days, Calls: sum.Calls, Read: sum.PromptTokens, Wrote: sum.OutputTokens, ReadSpeed: t.ReadPerSecond, WriteSpeed: t.TokensPerSecond,
		Busy: time.Duration(sum.PromptMs+sum.OutputMs) * time.Millisecond,
	}, err
}

// Costs reports what a habit costs at the prices of a table, and what was spent would have cost.
func Costs(t CostTable, edited bool, h Habit, spent Spent) (CostReport, error) {
	r := CostReport{CostTable: t, Edited: edited, Habit: h, Days: spent.Days, Read: spent.Read, Wrote: spent.Wrote, Calls: spent.Calls}
	for _, p := range t.Prices {
		c, err := CostOf(h, p.Input, p.Output)
		if err != nil {
			return r, err
		}
		r.Rows = append(r.Rows, CostRow{
			Model: p.Model, Cost: c, Fits: h.Tokens <= p.Usable,
			Last: dollars(float64(spent.Read)/1000*p.Input + float64(spent.Wrote)/1000*p.Output),
		})
	}
	perSecond := t.Own.Watts / 1000 / 3600 * t.Own.KWhPrice
	r.Local = LocalCost{ReadPerSecond: spent.ReadSpeed, WritePerSecond: spent.WriteSpeed, Hours: round(spent.Busy.Hours(), 2), Last: dollars(spent.Busy.Seconds() * perSecond)}
	if spent.ReadSpeed > 0 && spent.WriteSpeed > 0 {
		c, err := CostOf(h, 1000/spent.ReadSpeed*perSecond, 1000/spent.WriteSpeed*perSecond)
		if err != nil {
			return r, err
		}
		r.Local.Measured, r.Local.Cost = true, c
	}
	return r, nil
}

// plain returns a number without an exponent.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
