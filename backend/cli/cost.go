package cli

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"recollect/backend/monitor"
)

func costCommand() command {
	return command{
		name: "cost", homeless: true,
		flags: func(set *flag.FlagSet, in *invocation) {
			for name, into := range in.cost.numbers() {
				set.StringVar(into, name, "", in.words.flags[name])
			}
			set.StringVar(&in.cost.ratio, "ratio", "3:1", in.words.flags["ratio"])
		},
		run: runCost,
	}
}

// costFlags are those of cost, as they were typed.
type costFlags struct{ daily, tokens, input, output, ratio string }

// numbers are the flags that must be given, by name.
func (f *costFlags) numbers() map[string]*string {
	return map[string]*string{"daily": &f.daily, "tokens": &f.tokens, "input-price": &f.input, "output-price": &f.output}
}

// runCost works out what talking costs by the month. It needs neither the database nor the engine.
func runCost(_ context.Context, in *invocation) error {
	f := &in.cost
	read := func(name, s string, low, high float64, whole bool) (float64, error) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v >= low && v <= high) || whole && v != float64(int(v)) { // NaN is in no range
			kind := in.words.costNumber
			if whole {
				kind = in.words.costWhole
			}
			return 0, usageError{fmt.Sprintf(kind, "--"+name, grouped(int(low)), grouped(int(high)), s)}
		}
		return v, nil
	}
	var daily, tokens, input, output, reads, writes float64
	var missing []string
	read1, written1, ok := strings.Cut(f.ratio, ":")
	if !ok {
		return usageError{fmt.Sprintf(in.words.costRatio, f.ratio)}
	}
	for _, n := range []struct {
		name, value string
		into        *float64
		low, high   float64
		whole       bool
	}{
		{"daily", f.daily, &daily, 1, monitor.MaxDaily, true},
		{"tokens", f.tokens, &tokens, 1, monitor.MaxTokens, true},
		{"input-price", f.input, &input, 0, monitor.MaxPrice, false},
		{"output-price", f.output, &output, 0, monitor.MaxPrice, false},
		{"ratio", strings.TrimSpace(read1), &reads, 0, monitor.MaxParts, false},
		{"ratio", strings.TrimSpace(written1), &writes, 0, monitor.MaxParts, false},
	} {
		if !in.given[n.name] && n.value == "" {
			missing = append(missing, "--"+n.name)
			continue
		}
		v, err := read(n.name, n.value, n.low, n.high, n.whole)
		if err != nil {
			return err
		}
		*n.into = v
	}
	if len(missing) > 0 {
		return usageError{fmt.Sprintf(in.words.costNeeds, strings.Join(missing, ", "))}
	}
	h := monitor.Habit{Daily: int(daily), Tokens: int(tokens), Input: reads, Output: writes}
	if reads+writes == 0 {
		return usageError{fmt.Sprintf(in.words.costRatio, f.ratio)}
	}
	c, err := monitor.CostOf(h, input, output)
	if err != nil {
		return err
	}
	if in.json {
		return in.printJSON(c)
	}
	in.printf(in.words.cost, grouped(c.MonthlyTokens), c.MonthlyCost, c.PerConversation)
	return nil
}

// grouped returns a number with a comma between each three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
