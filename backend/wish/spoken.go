package wish

import "unicode/utf8"

// Spoken is a sentence or line of a message that its writer says themselves.
type Spoken struct {
	Text     string // word for word
	Masked   string // the same bytes, with code and quotations blanked out
	Byte     int    // where it begins in the message
	Rune     int    // the same in characters
	Line     int    // which line of the message it stands on
	Question bool   // it ends in a question mark
	Quoted   bool   // introduced by a colon: somebody else's words, an example, or a list
}

// Spoke returns the sentences of a message that rules look at: all of it, or the beginning and the end of a long one,
// where a paste is more likely than a talk.
func Spoke(message string) []Spoken {
	d := &document{text: message, masked: mask(message)}
	d.sentences = split(d.masked)
	d.head, d.tail = edges(message)
	var out []Spoken
	at, runes := 0, 0
	for i := range d.sentences {
		s := &d.sentences[i]
		if !d.searched(s) {
			continue
		}
		runes += utf8.RuneCountInString(message[at:s.start])
		at = s.start
		out = append(out, Spoken{
			Text: message[s.start:s.end], Masked: d.masked[s.start:s.end], Byte: s.start, Rune: runes, Line: s.line,
			Question: s.question, Quoted: s.quoted,
		})
	}
	return out
}

// Simplified returns Chinese text with the traditional characters of the rules simplified, byte for byte as long.
func Simplified(s string) string { return simplify.Replace(s) }
