package cli

import (
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// helpWords is what help says of a command.
type helpWords struct {
	args  string // what may follow the flags
	short string // one line
	long  string // more, "" = that is all
}

// printUsage tells which commands there are.
func (w *words) printUsage(out io.Writer) {
	_, _ = fmt.Fprint(out, w.intro)
	for _, c := range commands() {
		name := c.name
		if name == "" {
			name = w.noName
		}
		_, _ = fmt.Fprintf(out, "  %s %s\n", column(name, 10), w.commands[c.name].short)
	}
	_, _ = fmt.Fprint(out, w.outro)
}

// printHelp tells what a command does, and its flags.
func (w *words) printHelp(out io.Writer, name string, set *flag.FlagSet) {
	help := w.commands[name]
	head := strings.Join(strings.Fields("recollect "+name+" "+w.flagsHere+" "+help.args), " ")
	text := help.short
	if help.long != "" {
		text += "\n" + help.long
	}
	_, _ = fmt.Fprintf(out, w.usage, head, text)
	width := 0
	parts := func(f *flag.Flag) (named, usage string) {
		value, usage := flag.UnquoteUsage(f)
		if isSwitch(f) {
			value = ""
		}
		return strings.TrimSpace("--" + f.Name + " " + value), usage
	}
	set.VisitAll(func(f *flag.Flag) {
		named, _ := parts(f)
		width = max(width, cells(named))
	})
	set.VisitAll(func(f *flag.Flag) {
		named, usage := parts(f)
		if f.DefValue != "" && f.DefValue != "0" && !isSwitch(f) {
			usage += fmt.Sprintf(w.byDefault, f.DefValue)
		}
		_, _ = fmt.Fprintf(out, "  %s  %s\n", column(named, width), usage)
	})
}

// isSwitch says whether a flag is on or off, and takes no value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// flagError says what is wrong with the flags. Package flag tells it in English, and with one hyphen.
func (w *words) flagError(err error) string {
	for said, ours := range map[string]string{
		"flag provided but not defined: -": w.noFlag,
		"bad flag syntax: ":                w.noFlag,
		"flag needs an argument: -":        w.noValue,
	} {
		if name, ok := strings.CutPrefix(err.Error(), said); ok {
			return fmt.Sprintf(ours, "--"+strings.TrimLeft(name, "-"))
		}
	}
	if m := badValue.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Sprintf(w.badValue, "--"+m[2], m[1])
	}
	return err.Error()
}

// badValue is how package flag says that a flag does not take a value.
var badValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-(\S+): `)

// cells is how many cells of the terminal a text takes; Chinese characters take two.
func cells(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r >= 0x2e80 {
			n++
		}
	}
	return n
}

// column fills text with blanks up to a width in cells of the terminal.
func column(text string, width int) string {
	return text + strings.Repeat(" ", max(width-cells(text), 0))
}
