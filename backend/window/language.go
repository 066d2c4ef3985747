package window

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed prompts/*.txt
var prompts embed.FS

// language holds the words that the window adds to a prompt.
type language struct {
	core, evicted, recalled  string
	left, search, kept       string // formats: messages and tokens that are not in the window; how to find them; how many stand first
	summary, gap             string
	stub, cut, again         string // formats of a result that is not shown, or not in full
	user, assistant, passage string
	fact                     string
	replaced, over           string   // behind whose memory it is: the date, and what took its place
	begins, ends             string   // the same: from or until when it is true
	document, page, part     string   // formats of a title, and of a title with a number
	days                     []string // from Sunday
}

var languages = map[string]language{"en": load("en"), "zh": load("zh")}

// languageFor returns the words of a language, English for one that there is no file for.
func languageFor(name string) language {
	if l, ok := languages[name]; ok {
		return l
	}
	return languages["en"]
}

// load reads the file of a language. The files are compiled in, so a fault in one is a fault of the build.
func load(name string) language {
	b, err := prompts.ReadFile("prompts/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	words := map[string]string{}
	for line := range strings.Lines(string(b)) {
		key, text, _ := strings.Cut(strings.TrimSpace(line), " = ")
		words[key] = text
	}
	l := language{
		core: words["core"], evicted: words["evicted"], recalled: words["recalled"],
		left: words["left"], search: words["search"], kept: words["kept"], summary: words["summary"],
		stub: words["stub"], cut: words["cut"], again: words["again"],
		user: words["user"], assistant: words["assistant"], passage: words["passage"], fact: words["fact"],
		replaced: words["replaced"], over: words["over"], begins: words["begins"], ends: words["ends"],
		document: words["document"], page: words["page"], part: words["part"],
		days: strings.Fields(words["days"]),
	}
	if name == "en" {
		l.gap = " "
	}
	if len(words) != 22 || len(l.days) != 7 {
		panic(fmt.Sprintf("prompts/%s.txt is incomplete", name))
	}
	return l
}
