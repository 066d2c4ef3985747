package window

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// blockText renders a block of the snapshot.
func blockText(b memory.Block) string {
	return `<block label="` + b.Label + `"` + attributes(b) + ">\n" + valueText(b) + "\n</block>\n"
}

// valueText is the value of a block as the model reads it.
func valueText(b memory.Block) string { return memory.AsData(b.Value, memory.FrameBlock) }

// attributes renders what a model has to know about a block besides its value.
func attributes(b memory.Block) string {
	var s string
	if b.Description != "" {
		s = ` about="` + strings.NewReplacer("\n", " ", "\r", " ", `"`, "'").Replace(memory.AsData(b.Description, memory.FrameBlock)) + `"`
	}
	if b.ReadOnly {
		s += ` read_only="true"`
	}
	return s
}

// systemText renders the one system message: the instructions and the snapshot of core memory. It has no dates and no
// counters but those of the marker, so that the same memory gives the same bytes. What changes when messages leave comes last.
func systemText(l language, instructions string, blocks []memory.Block, summary, marker string) string {
	var s strings.Builder
	s.WriteString(strings.TrimRight(instructions, "\n"))
	if len(blocks) > 0 {
		s.WriteString("\n\n" + l.core + "\n")
		for _, b := range blocks {
			s.WriteString(blockText(b))
		}
	}
	if more := summaryText(l, summary, marker); more != "" {
		s.WriteString("\n" + more)
	}
	return strings.TrimRight(s.String(), "\n")
}

// summaryText renders what stands for the messages that left the window.
func summaryText(l language, summary, marker string) string {
	if summary == "" {
		return marker
	}
	return l.summary + "\n<summary>\n" + memory.AsData(summary, memory.FrameSummary) + "\n</summary>\n" + marker
}

// Update returns the text that tells the model the present value of a block. The result of a tool that changed the
// block contains it on lines of its own; what no tool result told, the next user message does.
func Update(b memory.Block) string { return updateText(b, "") }

const (
	updateOpen  = `<memory_update label="`
	updateClose = "\n</memory_update>"

	noAttributes = ` about=""` // says that a description is gone; without attributes the old ones hold
)

func updateText(b memory.Block, attrs string) string {
	return updateOpen + b.Label + `"` + attrs + ">\n" + valueText(b) + updateClose
}

func removalText(label string) string { return updateOpen + label + `" removed/>` }

var updateLine = regexp.MustCompile(`(?m)^<memory_update label="([^"\n]*)"([^\n]*)>$`)

// known is what the model has last been told about a block.
type known struct{ value, attrs string }

// knowledge is what the model knows of core memory at some point of a prompt: label → block.
type knowledge map[string]known

func snapshotKnowledge(blocks []memory.Block) knowledge {
	k := knowledge{}
	for _, b := range blocks {
		k[b.Label] = known{b.Value, attributes(b)}
	}
	return k
}

// read follows the updates in a text that the model has seen. Only the blocks' present values need to be recognised in
// full, so a value may contain anything.
func (k knowledge) read(text string, blocks []memory.Block) {
	if !strings.Contains(text, updateOpen) {
		return
	}
	for {
		m := updateLine.FindStringSubmatchIndex(text)
		if m == nil {
			return
		}
		label, attrs := text[m[2]:m[3]], text[m[4]:m[5]]
		text = text[m[1]:]
		if attrs == " removed/" {
			delete(k, label)
			continue
		}
		next := known{attrs: attrs}
		switch attrs {
		case "":
			next.attrs = k[label].attrs
		case noAttributes:
			next.attrs = ""
		}
		i := slices.IndexFunc(blocks, func(b memory.Block) bool { return b.Label == label })
		if i >= 0 && strings.HasPrefix(text, "\n"+valueText(blocks[i])+updateClose) {
			next.value = blocks[i].Value
			text = text[1+len(valueText(blocks[i])):]
		} else {
			next.value, _, _ = strings.Cut(strings.TrimPrefix(text, "\n"), updateClose)
		}
		k[label] = next
	}
}

// deltas returns the updates that bring the model's knowledge to the present blocks.
func (k knowledge) deltas(blocks []memory.Block) []string {
	var out []string
	present := map[string]bool{}
	for _, b := range blocks {
		present[b.Label] = true
		have, ok := k[b.Label]
		switch {
		case ok && have == known{b.Value, attributes(b)}:
		case ok && have.attrs == attributes(b):
			out = append(out, updateText(b, ""))
		case ok && attributes(b) == "":
			out = append(out, updateText(b, noAttributes))
		default:
			out = append(out, updateText(b, attributes(b)))
		}
	}
	var gone []string
	for label := range k {
		if !present[label] {
			gone = append(gone, removalText(label))
		}
	}
	slices.Sort(gone)
	return append(out, gone...)
}

// fileText renders a file of a message; an image that the model cannot see is only named.
func fileText(f memory.MessageFile, sees bool) string {
	name := strings.ReplaceAll(memory.AsData(f.Name, memory.FrameFile), `"`, "'")
	switch {
	case !f.IsImage():
		return "\n\n<file name=\"" + name + "\">\n" + memory.AsData(memory.CleanText(string(f.Content)), memory.FrameFile) + "\n</file>"
	case sees:
		return ""
	}
	return "\n\n<image name=\"" + name + "\" not shown/>"
}

const (
	recalledOpen  = "<recalled>\n"
	recalledClose = "\n</recalled>"
)

// preambleText renders what stands in front of the newest user message.
func preambleText(l language, now time.Time, deltas, notes []string, recalled []memory.Candidate) string {
	lines := []string{now.Format("[2006-01-02 15:04 ") + l.days[now.Weekday()] + "]"}
	lines = append(lines, deltas...)
	lines = append(lines, notes...)
	if len(recalled) > 0 {
		lines = append(lines, recalledOpen+l.recalled)
		for _, c := range recalled {
			lines = append(lines, recalledLine(l, c, now.Location()))
		}
		lines[len(lines)-1] += recalledClose
	}
	return strings.Join(lines, "\n") + "\n\n"
}

// recalledLine renders one memory with its date, whose it is, from or until when it is true, and what is true now instead.
func recalledLine(l language, c memory.Candidate, zone *time.Location) string {
	who := l.passage
	if c.Kind == "message" {
		who = l.user
		if c.Role == memory.RoleAssistant {
			who = l.assistant
		}
	}
	if c.Layer == memory.LayerFact {
		who = l.fact
	}
	if d := c.Document; d != nil {
		switch {
		case d.Page == 0:
			who = fmt.Sprintf(l.document, d.Title)
		case d.Paged:
			who = fmt.Sprintf(l.page, d.Title, d.Page)
		default:
			who = fmt.Sprintf(l.part, d.Title, d.Page)
		}
	}
	if s := c.Replaced; s != nil {
		since := s.Date.In(zone).Format(time.DateOnly)
		if s.Text == "" {
			who += " (" + fmt.Sprintf(l.over, since) + ")"
		} else {
			who += " (" + fmt.Sprintf(l.replaced, since, s.Text) + ")"
		}
	}
	if !c.Begins.IsZero() {
		who += " (" + fmt.Sprintf(l.begins, c.Begins.In(zone).Format(time.DateOnly)) + ")"
	}
	if !c.Ends.IsZero() {
		who += " (" + fmt.Sprintf(l.ends, c.Ends.In(zone).Format(time.DateOnly)) + ")"
	}
	return "[" + c.Date.In(zone).Format(time.DateOnly) + "] " + memory.AsData(who+": "+c.Text, memory.FrameRecalled)
}

// recalledLines returns the memories of a preamble, each as recalledLine has written it: within one no line begins with a bracket.
func recalledLines(preamble string) []string {
	section := strings.TrimSuffix(recalledSection(preamble), recalledClose)
	begin := strings.Index(section, "\n[")
	if begin < 0 {
		return nil
	}
	lines := strings.Split(section[begin+1:], "\n[")
	for i := range lines[1:] {
		lines[i+1] = "[" + lines[i+1]
	}
	return lines
}

// recalledSection returns the recalled part of a preamble, "" when it has none.
func recalledSection(preamble string) string {
	start := strings.LastIndex(preamble, "\n"+recalledOpen)
	end := strings.LastIndex(preamble, recalledClose)
	if start < 0 || end < start {
		return ""
	}
	return preamble[start : end+len(recalledClose)]
}
