package fact

import (
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/wish"
)

// Who corrects themselves in the same breath, "my favourite colour is blue, no wait, green", 「我住在北京，不对，上海」, meant what they
// said last. It is read in the place of what it takes back; where it cannot be, what was taken back is no fact either.

var (
	slip = compile(`(?i)(?:^|[,;.…–—]\s*|\s[-–—]+\s*)(?:(?:oh|ah|er|uh|um|hm|sorry|oops|and)[, ]+)*(?:no,? (?:wait|sorry|i mean|i meant)|wait,? no|i mean|i meant|or rather|rather|scratch that|correction|make that|no,|sorry,)[,:.…]*(?: (?:it['’]s|it is|that['’]s))?\s+(.+)$` +
		`|(?:^|[，,；;。…—～~]\s*)(?:(?:呃|额|嗯|噢|哦|啊|抱歉|对不起)[，, ]*)*(?:不对|不是|(?:哦|噢|啊|呃)不|不不|(?:我)?(?:说|打|写|记)?错了|口误|更正(?:一下)?)[，,：:…～~。 ]+(?:应该)?(?:是|叫|在|对|住在?)?(.+)$`)
	noSlip = compile(`(?i)^(?:not?|never|really|seriously|honestly|thanks?|please|kidding|i|i['’]m|you|he|she|we|they|who|what|why|how|when|because|but|and|or)\b|[?？]\s*$`)
)

const slipWords = 4 // what is put in the place of a value is no longer

// slipped looks in a sentence for what takes back a value said before it, there or in the sentence before. n is the number of
// facts that were known before the sentence.
func (r *reader) slipped(s wish.Spoken, n int) {
	m := slip.FindStringSubmatchIndex(s.Masked)
	if m == nil {
		r.prior, r.priorFrom = s, n
		return
	}
	from := n
	said := s
	if m[0] == 0 || strings.TrimSpace(s.Masked[:m[0]]) == "" {
		if r.prior.Text == "" || len(r.found) > n {
			return
		}
		said, from = r.prior, r.priorFrom
	} else {
		said.Text, said.Masked = s.Text[:m[0]], s.Masked[:m[0]]
	}
	cue := s.Rune + utf8.RuneCountInString(s.Text[:m[0]])
	before := func(f memory.FactStatement) bool { return f.Start < cue }
	after := r.found[from:]
	if i := slices.IndexFunc(after, func(f memory.FactStatement) bool { return !before(f) }); i >= 0 { // it is a statement of its own
		again := after[i]
		r.found = slices.DeleteFunc(r.found, func(f memory.FactStatement) bool {
			return before(f) && f.Start >= said.Rune && f.Subject == again.Subject && f.Key == again.Key
		})
		return
	}
	group := 2
	if m[group] < 0 {
		group = 4
	}
	meant := tidy(s.Text[m[group]:m[group+1]])
	if len(after) == 0 || meant == "" || noSlip.MatchString(s.Text[m[group]:m[group+1]]) || wordCount(meant) > slipWords {
		return
	}
	wrong := after[len(after)-1]
	at := strings.LastIndex(said.Text, wrong.Value)
	if at < 0 && strings.Contains(meant, wrong.Value) { // "I'm 35, no, 36 years old"
		r.found = slices.DeleteFunc(r.found, func(f memory.FactStatement) bool {
			return f.Start >= said.Rune && f.Subject == wrong.Subject && f.Key == wrong.Key && f.Value != wrong.Value
		})
		return
	}
	if kindOf(meant) != kindOf(wrong.Value) || hasHan(meant) != hasHan(wrong.Value) || strings.EqualFold(meant, wrong.Value) {
		return
	}
	r.found = r.found[:len(r.found)-1]
	r.last = nil
	if at < 0 {
		return
	}
	text := said.Text[:at] + meant + said.Text[at+len(wrong.Value):]
	for _, f := range Read(Message{ID: r.message.ID, Text: text, At: r.message.At}) {
		if f.Subject == wrong.Subject && f.Key == wrong.Key && strings.Contains(meant, f.Value) {
			f.Start, f.End = wrong.Start, s.Rune+utf8.RuneCountInString(s.Text)
			f.Confidence = corrected
			r.found = append(r.found, f)
			r.last = &f
		}
	}
}
