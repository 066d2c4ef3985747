package memory

import (
	"regexp"
	"strings"
)

// Frame is what stands around a text in a prompt.
type Frame string

// The frames.
const (
	FrameMessage  Frame = "" // none of ours: the template of the model has one
	FrameBlock    Frame = "block"
	FrameRecalled Frame = "recalled"
	FrameSummary  Frame = "summary"
	FrameFile     Frame = "file"
	FrameChat     Frame = "chat"
	FrameEntry    Frame = "entry"
)

// Tags that mean something to the app, or to the template of a model, wherever they stand.
const anywhere = `/?memory_update\b|/?recalled\b|block label=|\|[\w ]{1,40}\|>`

// tags find what would end a frame, or begin another one. A message is left its other tags: they are code that is talked about.
var tags = func() map[Frame]*regexp.Regexp {
	m := map[Frame]*regexp.Regexp{FrameMessage: regexp.MustCompile(`(?i)<(` + anywhere + `)`)}
	for _, f := range []Frame{FrameBlock, FrameRecalled, FrameSummary, FrameFile, FrameChat, FrameEntry} {
		m[f] = regexp.MustCompile(`(?i)<(` + anywhere + `|/?(?:block|` + string(f) + `)\b)`)
	}
	return m
}()

// AsData returns a text as it may stand in a frame of a prompt: in it no tag ends the frame or pretends to be one of the app's
// or of the model's template. Such a tag begins with ‹ then; what is stored and what the user sees stays as it is. In a frame
// of lines that begin with a date in brackets, no further line of the text begins like one.
func AsData(text string, in Frame) string {
	if strings.IndexByte(text, '<') >= 0 {
		text = tags[in].ReplaceAllString(text, "‹$1")
	}
	if in == FrameRecalled || in == FrameChat {
		text = strings.ReplaceAll(text, "\n[", "\n [")
	}
	return text
}

var shown = regexp.MustCompile(`(?i)‹(` + anywhere + `|/?(?:block|summary|file|chat|entry)\b)`)

// FromData returns what a model copied from its prompt as it was before AsData.
func FromData(text string) string {
	if !strings.Contains(text, "‹") {
		return text
	}
	return shown.ReplaceAllString(text, "<$1")
}

var copied = regexp.MustCompile(`(?is)<recalled>.*?(?:</recalled>|$)`)

// WithoutRecalled returns a text with blanks in place of what a model copied of the memories that recall had brought it, byte
// for byte as long: it was said before, and is not found once more as if it had been said again.
func WithoutRecalled(text string) string {
	if strings.IndexByte(text, '<') < 0 {
		return text
	}
	return copied.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
}
