package engine

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// slotLine is what our own engine logs when a prompt meets its cache: "loading cache slot … id=0 cache=957 prompt=1001
// used=955 remaining=46".
type slotLine struct {
	ID     int // number of the slot
	Cache  int // tokens that were in it, 0 = a fresh one
	Prompt int // tokens of the prompt
	Used   int // of these, taken from the cache
}

var slotPattern = regexp.MustCompile(`msg="loading cache slot" id=(\d+) cache=(\d+) prompt=(\d+) used=(\d+)`)

// slotLog is where our own engine logs to. It keeps the slot lines, and passes on what people may need to see: never a
// debug line, since those hold the user's prompts, nor the list of requests.
type slotLog struct {
	out io.Writer // may be nil

	mu      sync.Mutex
	line    []byte
	skip    bool // the present line is too long to matter
	slots   []slotLine
	dropped int // slots lines that are no longer kept
	came    chan struct{}
}

func newSlotLog(out io.Writer) *slotLog { return &slotLog{out: out, came: make(chan struct{})} }

const maxLogLine = 8 << 10

// Write takes the engine's output.
func (l *slotLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := p; len(rest) > 0; {
		part, after, whole := bytes.Cut(rest, []byte{'\n'})
		rest = after
		if len(l.line)+len(part) > maxLogLine {
			l.skip = true
		} else {
			l.line = append(l.line, part...)
		}
		if whole {
			if !l.skip {
				l.take(l.line)
			}
			l.line, l.skip = l.line[:0], false
		}
	}
	return len(p), nil
}

func (l *slotLog) take(line []byte) {
	if m := slotPattern.FindSubmatch(line); m != nil {
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(string(m[i+1])) //nolint:errcheck // digits
		}
		l.slots = append(l.slots, slotLine{n[0], n[1], n[2], n[3]})
		if k := len(l.slots) - 64; k > 0 {
			l.slots = l.slots[k:]
			l.dropped += k
		}
		close(l.came)
		l.came = make(chan struct{})
	}
	if l.out == nil || bytes.Contains(line, []byte("level=DEBUG")) || bytes.Contains(line, []byte("level=TRACE")) ||
		bytes.HasPrefix(line, []byte("[GIN]")) {
		return
	}
	_, _ = l.out.Write(append(line, '\n')) // a log that cannot be written must not stop the engine
}

// mark returns a place in the log; find looks at what came after it.
func (l *slotLog) mark() int {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped + len(l.slots)
}

// find returns the first line after mark about a prompt of that many tokens.
func (l *slotLog) find(mark, prompt int) (slotLine, bool) {
	if prompt == 0 {
		return slotLine{}, false
	}
	return l.first(mark, func(s slotLine) bool { return s.Prompt == prompt })
}

// next returns the first line after mark.
func (l *slotLog) next(mark int) (slotLine, bool) {
	return l.first(mark, func(slotLine) bool { return true })
}

// first returns the first line after mark that is as wanted; the log may lag a little behind the answer.
func (l *slotLog) first(mark int, ok func(slotLine) bool) (slotLine, bool) {
	if l == nil {
		return slotLine{}, false
	}
	late := time.NewTimer(200 * time.Millisecond)
	defer late.Stop()
	for {
		l.mu.Lock()
		came := l.came
		for _, s := range l.slots[min(max(mark-l.dropped, 0), len(l.slots)):] {
			if ok(s) {
				l.mu.Unlock()
				return s, true
			}
		}
		l.mu.Unlock()
		select {
		case <-came:
		case <-late.C:
			return slotLine{}, false
		}
	}
}
