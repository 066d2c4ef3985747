package agent

import (
	"embed"
	"strings"
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

// Personas returns the templates in a language, the plain assistant first.
func Personas(language string) []Persona {
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

// parsePersona reads a template: its name as the heading, a line about it, then the text.
func parsePersona(id, file string) Persona {
	head, rest, _ := strings.Cut(strings.TrimSpace(file), "\n\n")
	about, text, _ := strings.Cut(rest, "\n\n")
	return Persona{ID: id, Name: strings.TrimPrefix(head, "# "), About: about, Text: text}
}
