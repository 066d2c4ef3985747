package fact

import (
	"strings"
	"time"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/when"
	"recollect/backend/wish"
)

// What begins or ends on a day that is to come: "from January I work at Bosch", 「从下个月起我住在杭州」, "I work at Siemens until
// June". Without such a day a plan is no fact; with it, it is one that is true from then on, or until then.

// "As of 1 January" on the fifth is about the day that was: where the last one lies no longer back, and the next so far ahead.
const (
	justBegun = 60 * 24 * time.Hour
	farAhead  = 120 * 24 * time.Hour
)

var (
	enStart   = compile(`(?i)(?:\b(?:starting|beginning)(?: from| in| on)?|\b(?:from|as of|as from|with effect from|effective(?: from)?))\s+$`)
	enOnward  = compile(`(?i)^(?: on| onwards?)?[,.!;]*\s*$`)
	enLeading = compile(`(?i)^(?: on| onwards?)?,?\s+`)
	zhSince   = compile(`[从自]\s*$`)
	zhOnward  = compile(`^\s*(?:起|开始|以后|之后)[，,]?\s*`)
	zhTill    = compile(`(?:一?直)?[到至]\s*$`)
	zhMoved   = compile(`(?:改|定|推迟|提前|延期|延后|延|调整|调|约|排|改期|顺延|挪|移|拖|推)[到至]\s*$`) // 改到 is no end
	zhUpTo    = compile(`^\s*(?:为止|止)?[。，,！!.]*\s*$`)
	enBehind  = compile(`(?i)\b(?:was|were|been|had|used to)\b|['’]ve\b|\bhave \w+(?:ed|n)\b`)
	enWillBe  = compile(`(?i)(?:['’]ll| will| shall) be\b`)
	// What is going to happen for certain, said with the day: "I'm moving to Lyon in January", "my rent goes up to 900 on 1 March".
	enMoving   = compile(`(?i)(?:\bi['’]m|\bi am|\bwe['’]re|\bwe are|\bi|\bwe)(?:['’]ll be| will be)?(?: (?:moving|relocating|move|relocate) to\b| (?:starting|start)(?: work(?:ing)?| my new job| a new job)? (?:at|with)\b| (?:joining|join)\b)`)
	enRises    = compile(`(?i)\b(?:(?:is |are )?(?:goes|going|rises|rising|increases|increasing|climbs|drops|dropping|falls|falling|changes|changing)(?: up| down)? to)\b`)
	enBehindIt = compile(`(?i)(?:^|\s)(?:(?:in|on|from|as of|starting|by)\s+)?(?:the\s+)?$`)
	enLast     = compile(`^[.!;]*\s*$`)
	zhMoves    = compile(`^(?:我们?|咱们?)?(?:就|就要|要|会|将|将要|打算好了)?(?:搬到|搬去|搬家到|入职|调到|调去|改住)`)
	zhRises    = compile(`(?:涨到|涨至|升到|降到|降至|调到|变成|改成|增加到|减到)`)
	zhUnsure   = compile(`可能|也许|大概|或许|说不定|想|打算|计划|希望|如果|要是|假如|万一|考虑|准备|[吗？?]`)
	zhModal    = compile(`(?:就要|将要|就|要|会|将)(搬|入职|调|涨|升|降|变|改)`)
	enWill     = compile(`(?i)['’]ll\b| will\b| shall\b`)
)

// ahead finds the day that is to come on which what a sentence states begins or ends, and returns the sentence without it. last
// says that it stands behind what is stated.
func ahead(s wish.Spoken, at time.Time) (rest wish.Spoken, from, to time.Time, last bool) {
	text := s.Masked
	if enBehind.MatchString(text) {
		return s, from, to, false
	}
	for _, sp := range when.Parse(text, at, when.Ahead) {
		if !sp.Window() || sp.Precision < when.Day {
			continue
		}
		said, before, after := text[sp.Start:sp.End], text[:sp.Start], text[sp.End:]
		start, end := sp.Start, sp.End
		switch lead := enStart.FindStringIndex(before); {
		case sp.From.IsZero() && sp.To.After(at) && enOnward.MatchString(after): // until June
			to, last = sp.To, true
		case lead != nil && sp.Kind == when.Point && enOnward.MatchString(after):
			from, start, end, last = sp.From, lead[0], len(text), true
		case lead != nil && sp.Kind == when.Point && strings.TrimSpace(before[:lead[0]]) == "" && enLeading.MatchString(after):
			from, start, end = sp.From, lead[0], sp.End+len(enLeading.FindString(after))
		case hasHan(said) && sp.Kind == when.Range && sp.To.IsZero() && zhOpen(said, before):
			from, start = sp.From, 0
		case hasHan(said) && sp.Kind == when.Point && zhOnward.MatchString(after) && strings.TrimSpace(zhSince.ReplaceAllString(before, "")) == "":
			from, start, end = sp.From, 0, sp.End+len(zhOnward.FindString(after))
		case hasHan(said) && sp.Kind == when.Point && sp.From.After(at) && zhTill.MatchString(before) && !zhMoved.MatchString(before) && zhUpTo.MatchString(after):
			to, last = sp.From, true
			start, end = zhTill.FindStringIndex(before)[0], len(text)
		case sp.Kind == when.Point && sp.From.After(at) && !hasHan(text) && enBehindIt.MatchString(before) && enLast.MatchString(after) && enCertain(before):
			from, last = sp.From, true
			start, end = enBehindIt.FindStringIndex(before)[0], len(text)
		case (sp.Kind == when.Point || sp.To.IsZero()) && sp.From.After(at) && hasHan(text) && !zhUnsure.MatchString(text) && zhCertain(before, after):
			end += len(zhOnward.FindString(after))
			rest = s
			rest.Text, rest.Masked = modal(s.Text[:start]+s.Text[end:]), modal(s.Masked[:start]+s.Masked[end:])
			return rest, sp.From, to, false
		default:
			continue
		}
		if !from.IsZero() && from.Sub(at) > farAhead {
			from = begun(text, sp, at)
		}
		rest = s
		if last {
			rest.Text, rest.Masked = blank(s.Text, start, end), blank(s.Masked, start, end)
		} else {
			rest.Text, rest.Masked = s.Text[end:], s.Masked[end:]
			rest.Byte, rest.Rune = s.Byte+end, s.Rune+utf8.RuneCountInString(s.Text[:end])
		}
		if !from.IsZero() {
			rest.Text, rest.Masked = present(rest.Text), present(rest.Masked)
		}
		return rest, from, to, last
	}
	return s, from, to, false
}

// enCertain reports whether what stands before a day says what will happen then.
func enCertain(before string) bool {
	return enMoving.MatchString(before) || enRises.MatchString(before)
}

// zhCertain reports the same of what stands around a day, 我下个月搬到上海, 房租下个月涨到3000元.
func zhCertain(before, after string) bool {
	before = strings.TrimSpace(before)
	after = zhOnward.ReplaceAllString(strings.TrimSpace(after), "")
	return (before == "我" || before == "我们" || before == "") && zhMoves.MatchString(after) || zhRises.MatchString(after)
}

// modal takes what says that something will be away from what will.
func modal(s string) string { return zhModal.ReplaceAllString(s, "$1") }

// zhOpen reports whether an open range, 从下个月开始, begins a sentence.
func zhOpen(said, before string) bool {
	return (strings.HasPrefix(said, "从") || strings.HasPrefix(said, "自")) && strings.TrimSpace(before) == ""
}

// begun returns the latest day of the name of one to come where it is so near that it is meant, else the one to come.
func begun(text string, ahead when.Span, at time.Time) time.Time {
	for _, sp := range when.Parse(text, at, when.Past) {
		if sp.Start == ahead.Start && !sp.From.After(at) && at.Sub(sp.From) < justBegun {
			return sp.From
		}
	}
	return ahead.From
}

// blank returns a text with blanks in the place of some of its bytes, so that the others stay where they are.
func blank(s string, from, to int) string {
	return s[:from] + strings.Repeat(" ", to-from) + s[to:]
}

// present makes of what will be what is, byte for byte as long.
func present(s string) string {
	s = enMoving.ReplaceAllStringFunc(s, func(m string) string {
		for verb, past := range map[string]string{"mov": " moved to", "relocat": " moved to", "start": " joined", "join": " joined"} {
			if strings.Contains(strings.ToLower(m), verb) {
				who := m[:strings.IndexAny(m, "'’ ")]
				return who + past + strings.Repeat(" ", max(0, len(m)-len(who)-len(past)))
			}
		}
		return m
	})
	s = enRises.ReplaceAllStringFunc(s, func(m string) string { return "went to" + strings.Repeat(" ", max(0, len(m)-len("went to"))) })
	s = enWillBe.ReplaceAllStringFunc(s, func(m string) string { return " am" + strings.Repeat(" ", len(m)-3) })
	return enWill.ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// said gives the facts of a sentence that was read without a piece of its middle, those found from the nth on, all of it as where
// they come from.
func (r *reader) said(n int, whole, read wish.Spoken) {
	if strings.HasSuffix(whole.Text, read.Text) || len(whole.Text) == len(read.Text) {
		return
	}
	for i := range r.found[n:] {
		r.found[n+i].Start, r.found[n+i].End = whole.Rune, whole.Rune+utf8.RuneCountInString(whole.Text)
	}
}

// dated gives the facts of a sentence, those found from the nth on, the day on which it says that they begin or end. What
// stands behind several things is said of the last.
func (r *reader) dated(n int, from, to time.Time, last bool) {
	found := r.found[n:]
	for i := range found {
		f := &found[i]
		other := func(o memory.FactStatement) bool { return o.Subject != f.Subject || o.Key != f.Key }
		if f.Over || last && i < len(found)-1 && other(found[len(found)-1]) {
			continue
		}
		if !from.IsZero() {
			f.ValidFrom = from
		}
		if !to.IsZero() {
			f.EndedAt = to
		}
	}
}
