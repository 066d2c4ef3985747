package engine

import "strings"

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// thinkSplitter parts an answer that begins with <think>…</think> into thoughts and words. The engine does so only for
// models whose template it knows to think; with others, and where thinking was switched off and the model does it all the
// same, the marks come as words. Later marks are words: somebody may ask about them.
type thinkSplitter struct {
	state thinkState
	held  string // too short to say what it is
}

type thinkState int

const (
	thinkUndecided thinkState = iota // nothing but white space or the beginning of a mark so far
	thinkInside
	thinkAfter // thoughts are over, the first word is still to come
	thinkNever
)

// add takes a piece of the answer and returns what of it is clear.
func (s *thinkSplitter) add(text string) (content, thinking string) {
	if text == "" || s.state == thinkNever {
		return text, ""
	}
	s.held += text
	if s.state == thinkUndecided {
		bare := strings.TrimLeft(s.held, " \t\r\n")
		switch {
		case strings.HasPrefix(bare, thinkOpen):
			s.state, s.held = thinkInside, bare[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, bare):
			return "", ""
		default:
			s.state = thinkNever
			return s.flush(), ""
		}
	}
	if s.state == thinkInside {
		if before, after, ok := strings.Cut(s.held, thinkClose); ok {
			thinking, s.state, s.held = before, thinkAfter, after
		} else {
			keep := 0
			for n := min(len(thinkClose)-1, len(s.held)); n > 0; n-- {
				if strings.HasSuffix(s.held, thinkClose[:n]) {
					keep = n
					break
				}
			}
			thinking, s.held = s.held[:len(s.held)-keep], s.held[len(s.held)-keep:]
		}
	}
	if s.state == thinkAfter {
		if s.held = strings.TrimLeft(s.held, " \t\r\n"); s.held != "" {
			s.state = thinkNever
			content = s.flush()
		}
	}
	return content, thinking
}

// end returns what is still held when the answer is over.
func (s *thinkSplitter) end() (content, thinking string) {
	if s.state == thinkInside {
		return "", s.flush()
	}
	return s.flush(), ""
}

func (s *thinkSplitter) flush() string {
	text := s.held
	s.held = ""
	return text
}
