package agent

import (
	"cmp"
	"embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed personas
var personaFiles embed.FS

// Persona is a template for the block persona of an agent.
type Persona struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	About string `json:"about"` // one line for people
	Text  string `json:"text"`  // the value of the block
}

// personaIDs are the templates in the order they are offered. The first is what an agent begins with.
var personaIDs = []string{"assistant", "tutor", "coach", "translator", "writer"}

// nameMark stands in a template where the agent's name goes.
const nameMark = "{name}"

// Personas returns the templates in a language, the plain assistant first, for an agent of that name; where it is "", each
// goes by the name of its template.
func Personas(language, name string) []Persona {
	list := templates(language)
	for i := range list {
		list[i].Text = list[i].called(cmp.Or(name, list[i].Name))
	}
	return list
}

// templates returns the templates with the mark instead of a name.
func templates(language string) []Persona {
	list := make([]Persona, len(personaIDs))
	for i, id := range personaIDs {
		b, err := personaFiles.ReadFile("personas/" + id + "_" + languageOf(language) + ".md")
		if err != nil {
			panic(err) // a file of this package is missing
		}
		list[i] = parsePersona(id, string(b))
	}
	return list
}

// called returns the text of a template with a name in it, parted by a space from Chinese where it is not Chinese itself.
func (p Persona) called(name string) string {
	before, after, _ := strings.Cut(p.Text, nameMark)
	last, _ := utf8.DecodeLastRuneInString(before)
	if first, _ := utf8.DecodeRuneInString(name); unicode.Is(unicode.Han, last) && !unicode.Is(unicode.Han, first) {
		before += " "
	}
	return before + name + after
}

// nameIn returns the name that was put into a template, and whether text is that template at all.
func (p Persona) nameIn(text string) (string, bool) {
	before, after, _ := strings.Cut(p.Text, nameMark)
	rest, begins := strings.CutPrefix(text, before)
	name, ends := strings.CutSuffix(rest, after)
	name = strings.TrimSpace(name)
	return name, begins && ends && name != ""
}

// parsePersona reads a template: its name as the heading, a line about it, then the text.
func parsePersona(id, file string) Persona {
	head, rest, _ := strings.Cut(strings.TrimSpace(file), "\n\n")
	about, text, _ := strings.Cut(rest, "\n\n")
	return Persona{ID: id, Name: strings.TrimPrefix(head, "# "), About: about, Text: text}
}
