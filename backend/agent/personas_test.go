package agent

import (
	"strings"
	"testing"

	"recollect/backend/memory"
	"recollect/backend/tokens"
)

func TestPersonasAreCompleteInBothLanguages(t *testing.T) {
	en, zh := Personas("en", "Wren"), Personas("zh", "Wren")
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
	if got := firstBlocks("zh", "Wren")[0].Value; got != zh[0].Text {
		t.Errorf("an agent begins as %q", got)
	}
}

func TestPersonaGoesByTheNameOfItsAgent(t *testing.T) {
	for language, calls := range map[string]map[string]string{
		"en": {"Wren": "I am Wren, ", "小雨": "I am 小雨, "},
		"zh": {"Wren": "我是 Wren，", "小雨": "我是小雨，"},
	} {
		for name, want := range calls {
			for i, p := range Personas(language, name) {
				if !strings.HasPrefix(p.Text, want) || strings.Contains(p.Text, nameMark) {
					t.Errorf("%s %s: %q", language, p.ID, p.Text)
				}
				if got, is := templates(language)[i].nameIn(p.Text); !is || got != name {
					t.Errorf("%s %s: the name in it is %q, %v", language, p.ID, got, is)
				}
			}
		}
	}
	if p := Personas("en", "")[1]; !strings.HasPrefix(p.Text, "I am "+p.Name+", ") {
		t.Errorf("without a name: %q", p.Text)
	}
	if _, is := templates("en")[0].nameIn("I am Wren."); is {
		t.Error("a text of one's own is taken for a template")
	}
}
