package memory

import "testing"

func TestWithMeasuredPutsTheCountOfTheEngineInPlaceOfOurs(t *testing.T) {
	parts := func() []Part {
		return []Part{
			{Name: PartSystem, Allowed: 300, Used: 300},
			{Name: PartCore, Used: 100},
			{Name: PartMessages, Used: 620},
			{Name: PartReserve, Used: 1024},
			{Name: PartMargin, Used: 410},
		}
	}
	plan := Plan{Window: 4096, Prompt: 1020, Cached: 1000, Parts: parts()}
	for name, c := range map[string]struct {
		plan             Plan
		measured, prompt int
		messages         int
	}{
		"more than ours": {plan, 1100, 1120, 680},
		"less":           {plan, 500, 520, 320},
		"nothing":        {plan, 0, 1020, 620},
		"not cached":     {Plan{Window: 4096, Prompt: 1020, Parts: parts()}, 1100, 1020, 620},
		"too much":       {plan, 5000, 1020, 620},
	} {
		got := c.plan.WithMeasured(c.measured)
		sum := 0
		for _, p := range got.Parts[:3] {
			sum += p.Used
		}
		if got.Parts[0].Used != got.Parts[0].Allowed {
			t.Errorf("%s: the instructions take more than they may: %+v", name, got.Parts[0])
		}
		if got.Prompt != c.prompt || sum != c.prompt || got.Parts[2].Used != c.messages || got.Parts[3].Used != 1024 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if plan.Parts[0].Used != 300 {
		t.Error("the plan itself was changed")
	}
}
