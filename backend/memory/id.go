package memory

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// Clock tells the time; tests inject their own.
type Clock func() time.Time

// IDs makes identifiers "kind-ulid" that sort by the time they were made, also when the clock is set back.
type IDs struct {
	mu      sync.Mutex
	now     Clock
	last    uint64
	entropy ulid.MonotonicReader
}

// NewIDs returns a maker that takes the time from now and randomness from random (crypto/rand.Reader in the app).
func NewIDs(now Clock, random io.Reader) *IDs {
	return &IDs{now: now, entropy: ulid.Monotonic(random, 0)}
}

// New returns an identifier of the given kind, greater than each that this maker returned before for that kind.
func (g *IDs) New(kind string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	ms := ulid.Timestamp(g.now())
	if ms < g.last {
		ms = g.last
	}
	id, err := ulid.New(ms, g.entropy)
	for err != nil { // the entropy of this millisecond is used up
		ms++
		id, err = ulid.New(ms, g.entropy)
	}
	g.last = ms
	return kind + "-" + strings.ToLower(id.String())
}

// FirstID returns an identifier that sorts before those of the kind that are made after a time.
func FirstID(kind string, after time.Time) string {
	var u ulid.ULID
	if err := u.SetTime(ulid.Timestamp(after)); err != nil { // beyond what an identifier can tell
		return kind + "-"
	}
	return kind + "-" + strings.ToLower(u.String())
}

// Seed makes every later identifier greater than id; the store calls it with the newest one on disk, so that a clock
// set back between two runs does not disturb the order.
func (g *IDs) Seed(id string) {
	_, raw, ok := strings.Cut(id, "-")
	if !ok {
		return
	}
	u, err := ulid.ParseStrict(strings.ToUpper(raw))
	if err != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = max(g.last, u.Time()+1)
}
