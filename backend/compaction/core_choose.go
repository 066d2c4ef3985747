package compaction

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"recollect/backend/memory"
)

// Defaults of an agent's choices about core memory.
const (
	DefaultCoreAt   = 0.8 // share of the budget, or of a block's limit, from which on core memory is compacted
	DefaultCoreTo   = 0.6 // share that it may have afterwards
	DefaultCoreKeep = 4.0 // importance below which entries go first
)

// Hysteresis of the triggers: a core memory that was compacted is left alone.
const (
	RestTurns = 10   // turns
	RestShare = 0.05 // unless that share of its budget was added
)

// ChooseCore marks the entries that leave: all that are less important than keep, and those that state what is no longer
// true; then, until required tokens are free, the least important of the others. What is protected stays. It returns the
// tokens of those that leave, and those of what may not, by the protection.
func ChooseCore(entries []memory.CompactionEntry, required int, keep float64) (freed int, held map[string]int) {
	held = map[string]int{}
	order := make([]int, 0, len(entries))
	for i, e := range entries {
		if e.Protected != "" {
			held[string(e.Protected)] += e.Tokens
			continue
		}
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := entries[a], entries[b]
		return cmp.Or(before(x.Kind == SignalReplaced, y.Kind == SignalReplaced), cmp.Compare(x.Score, y.Score))
	})
	for _, i := range order {
		e := &entries[i]
		if e.Score >= keep && e.Kind != SignalReplaced && freed >= required {
			break
		}
		if e.Action == memory.EntryStays {
			e.Action = memory.EntryArchived
			freed += e.Tokens
		}
	}
	return freed, held
}

// before sorts true before false.
func before(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

// Values returns what the blocks become whose entries leave, in the order in which they occur.
func Values(entries []memory.CompactionEntry) []memory.BlockValues {
	var out []memory.BlockValues
	for from := 0; from < len(entries); {
		to := from
		for to < len(entries) && entries[to].BlockID == entries[from].BlockID {
			to++
		}
		block := entries[from:to]
		v := memory.BlockValues{BlockID: entries[from].BlockID, Before: valueOf(block, func(int) bool { return true })}
		v.After = valueOf(block, func(i int) bool { return !block[i].Action.Left() })
		if v.After != v.Before {
			out = append(out, v)
		}
		from = to
	}
	return out
}

// Whole returns the values of the blocks that the entries are of, as they were before any left.
func Whole(entries []memory.CompactionEntry) []memory.BlockValues {
	none := slices.Clone(entries)
	for i := range none { // so that each block counts as changed
		none[i].Action = memory.EntryArchived
	}
	return Values(none)
}

// valueOf returns the value of a block with those of its entries that are in it.
func valueOf(block []memory.CompactionEntry, in func(i int) bool) string {
	var b strings.Builder
	last := true
	for i, e := range block {
		if last = in(i); last {
			b.WriteString(e.Text)
		}
	}
	if !last {
		return strings.TrimRightFunc(b.String(), unicode.IsSpace)
	}
	return b.String()
}

// Place returns the value of a block with entry n of the compaction in its old place: behind the entry that stood before it,
// else before the one that stood behind it, else at the end. A value that has it already stays.
func Place(value string, c memory.Compaction, n int) string {
	e := c.Entries[n]
	from := slices.IndexFunc(c.Entries, func(o memory.CompactionEntry) bool { return o.BlockID == e.BlockID })
	block := c.Entries[from:]
	if to := slices.IndexFunc(block, func(o memory.CompactionEntry) bool { return o.BlockID != e.BlockID }); to >= 0 {
		block = block[:to]
	}
	stays := func(i int) bool { return !block[i].Action.Left() }
	if value == valueOf(block, stays) { // nobody else has changed it
		return valueOf(block, func(i int) bool { return from+i == n || stays(i) })
	}
	if start, _ := find(value, e.Text); start >= 0 && !twin(c, n) {
		return value
	}
	last := true
	for _, o := range c.Entries[n+1:] {
		last = last && o.BlockID != e.BlockID
	}
	for i := n - 1; i >= 0 && c.Entries[i].BlockID == e.BlockID; i-- {
		o := c.Entries[i]
		if o.Action.Left() {
			continue
		}
		if _, end := find(value, o.Text); end >= 0 {
			return insert(value, end, blanks(o.Text), e.Text, last)
		}
	}
	for i := n + 1; i < len(c.Entries) && c.Entries[i].BlockID == e.BlockID; i++ {
		o := c.Entries[i]
		if o.Action.Left() {
			continue
		}
		if start, _ := find(value, o.Text); start >= 0 {
			return value[:start] + apart(e.Text) + value[start:]
		}
	}
	return insert(value, len(value), "\n", e.Text, last)
}

// twin reports whether another entry of the block has the same text, and is in it.
func twin(c memory.Compaction, n int) bool {
	for i, o := range c.Entries {
		if i != n && o.BlockID == c.Entries[n].BlockID && !o.Action.Left() && strings.TrimSpace(o.Text) == strings.TrimSpace(c.Entries[n].Text) {
			return true
		}
	}
	return false
}

// insert puts text behind the first at bytes of a value, which ended in the blanks of between before.
func insert(value string, at int, between, text string, last bool) string {
	rest := strings.TrimLeftFunc(value[at:], unicode.IsSpace)
	if rest == "" {
		if at == 0 {
			between = ""
		}
		if between == "" && at > 0 {
			between = "\n"
		}
		if !last {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		return value[:at] + between + text
	}
	between = value[at : len(value)-len(rest)]
	return value[:at] + between + apart(text) + rest
}

// apart returns a text with a line end behind it, if it has no blank there.
func apart(text string) string {
	if blanks(text) == "" && !strings.HasSuffix(text, "。") && !strings.HasSuffix(text, "！") && !strings.HasSuffix(text, "？") {
		return text + "\n"
	}
	return text
}

// blanks returns the blanks that a text ends in.
func blanks(text string) string {
	return text[len(strings.TrimRightFunc(text, unicode.IsSpace)):]
}

// find returns where an entry stands in a value, without the blanks behind it; -1 where it does not.
func find(value, text string) (start, end int) {
	text = strings.TrimSpace(text)
	if text == "" {
		return -1, -1
	}
	for from := 0; ; {
		i := strings.Index(value[from:], text)
		if i < 0 {
			return -1, -1
		}
		start, end = from+i, from+i+len(text)
		before, _ := utf8.DecodeLastRuneInString(value[:start])
		behind, _ := utf8.DecodeRuneInString(value[end:])
		final, _ := utf8.DecodeLastRuneInString(text)
		if (start == 0 || unicode.IsSpace(before) || strings.ContainsRune(".。！？!?；;", before)) &&
			(end == len(value) || unicode.IsSpace(behind) || strings.ContainsRune("。！？；", final)) {
			for start > 0 && (value[start-1] == ' ' || value[start-1] == '\t') && indented(value, start) {
				start--
			}
			return start, end
		}
		_, n := utf8.DecodeRuneInString(value[start:])
		from = start + n
	}
}

// indented reports whether only blanks stand before a place on its line.
func indented(value string, at int) bool {
	line := value[strings.LastIndexByte(value[:at], '\n')+1 : at]
	return strings.TrimSpace(line) == ""
}

// Passage returns the passage that an entry becomes.
func Passage(archiveID string, e memory.CompactionEntry) memory.Passage {
	p := memory.Passage{ArchiveID: archiveID, Text: bare(e.Text), Origin: e.Origin, CreatedAt: e.Since}
	for _, tag := range []string{e.Label, e.Heading} {
		if tag = clipTag(tag); tag != "" {
			p.Tags = append(p.Tags, tag)
		}
	}
	return p
}

// clipTag returns a text as a tag can be.
func clipTag(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > memory.MaxLabelChars {
		s = string(r[:memory.MaxLabelChars])
	}
	return strings.TrimSpace(s)
}

// What one act of the user teaches.
const (
	taughtByUndo    = .25 // for each kind among what left
	taughtByRestore = .5
	keptLessons     = 50
)

// Teach returns weights after the user undid ("undo") or redid ("redo") a compaction, or put entry n of it back ("restore"):
// what they want in core memory becomes more important, by a bounded amount.
func Teach(w memory.CompactionWeights, c memory.Compaction, cause string, n int, at time.Time) memory.CompactionWeights {
	kinds := map[string]bool{}
	teach := func(e memory.CompactionEntry, change float64) {
		if e.Kind == "" || kinds[e.Kind] || e.Kind == SignalReplaced || e.Kind == string(memory.ProtectStructure) {
			return
		}
		kinds[e.Kind] = true
		w = Weigh(w, e.Kind, w.Kinds[e.Kind]+change, cause, firstRunes(bare(e.Text), 80), at)
	}
	switch cause {
	case "restore":
		teach(c.Entries[n], taughtByRestore)
	case "undo":
		for _, e := range c.Entries {
			if e.Action.Left() {
				teach(e, taughtByUndo)
			}
		}
	case "redo":
		for _, e := range c.Entries {
			if e.Action.Left() {
				teach(e, -taughtByUndo)
			}
		}
	}
	return w
}

// Weigh returns weights in which a kind has the value, within its bounds, with the lesson that says so.
func Weigh(w memory.CompactionWeights, kind string, value float64, cause, text string, at time.Time) memory.CompactionWeights {
	was := w.Kinds[kind]
	value = math.Round(100*max(-memory.MaxLearned, min(memory.MaxLearned, value))) / 100
	if value == was {
		return w
	}
	all := map[string]float64{}
	for k, v := range w.Kinds {
		all[k] = v
	}
	if all[kind] = value; value == 0 {
		delete(all, kind)
	}
	w.Kinds = all
	w.Lessons = append([]memory.Lesson{{Kind: kind, Change: math.Round(100*(value-was)) / 100, Cause: cause, Text: text, At: at}}, w.Lessons...)
	w.Lessons = w.Lessons[:min(len(w.Lessons), keptLessons)]
	return w
}

// Kinds returns the names of the kinds of content that entries have.
func Kinds() []string {
	names := []string{SignalPlain, SignalOver, doing.name}
	for _, list := range [][]kind{lasting, passing} {
		for _, k := range list {
			names = append(names, k.name)
		}
	}
	return names
}

func firstRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
