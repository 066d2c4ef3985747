package agent

import (
	"testing"

	"recollect/backend/memory"
	"recollect/backend/tokens"
)

func TestPersonasAreCompleteInBothLanguages(t *testing.T) {
	en, zh := Personas("en"), Personas("zh")
	for i, p := range en {
		for language, p := range map[string]Persona{"en": p, "zh": zh[i]} {
			if p.Name == "" || p.About == "" || p.Text == "" || p.ID != en[i].ID {
				t.Errorf("%s %s: %+v", language, p.ID, p)
			}
			if n := tokens.Estimator().Count(p.Text); n > 150 {
				t.Errorf("%s %s takes %d tokens of every prompt", language, p.ID, n)
			}
			if _, err := memory.ValidateBlock(memory.Block{Label: personaLabel, Value: p.Text}); err != nil {
				t.Errorf("%s %s: %v", language, p.ID, err)
			}
		}
		if p.Text == zh[i].Text || p.Name == zh[i].Name {
			t.Errorf("%s is not translated", p.ID)
		}
	}
	if got := firstBlocks("zh")[0].Value; got != zh[0].Text {
		t.Errorf("an agent begins as %q", got)
	}
}
