package agent

import (
	"context"
	"maps"
	"slices"
	"sync"

	"recollect/backend/memory"
)

const (
	pathPage    = 256 // messages that are read at a time, from the newest on, where it is not known how far the window reaches
	messageRoom = 24  // bytes that a message takes in the window besides its text, at least
	newMessages = 64  // at the end of a branch are looked through for where it goes on from the last turn …
	fewMessages = 4   // … beginning with so many
)

// path reads the branch that ends in leaf as far back as the window can reach: from its oldest message on, and the one
// before, by which the window is seen to have a past. newest is the user message of the turn, "" for a draft.
func (s *Service) path(ctx context.Context, leaf, newest string, p *memory.Prefix, set setup) ([]memory.Message, error) {
	if leaf == "" {
		return nil, nil
	}
	read := func() ([]memory.Message, error) { return s.pathSince(ctx, leaf, p.First) }
	if p == nil {
		read = func() ([]memory.Message, error) { return s.recentPath(ctx, leaf, set.Window) }
	} else if p.Model != set.Model || p.Window != set.Window || newest != "" && newest < p.PreamblesFrom {
		read = func() ([]memory.Message, error) { return s.recentPath(ctx, leaf, max(set.Window, p.Window)) }
	}
	path, err := read()
	if err == nil && p != nil {
		path, err = s.withKept(ctx, path, p)
	}
	if err == nil && newest != "" {
		s.lastPath.keep(path, newest)
	}
	return path, err
}

// withKept puts the messages that a window has kept of earlier times in front of a path that begins later. On a branch that
// parts from the talk before the window begins there are none: it is read from its root.
func (s *Service) withKept(ctx context.Context, path []memory.Message, p *memory.Prefix) ([]memory.Message, error) {
	if len(p.Kept) == 0 || !slices.ContainsFunc(path, func(m memory.Message) bool { return m.ID == p.First }) {
		return path, nil
	}
	missing := map[string]bool{}
	for _, id := range p.Kept {
		missing[id] = true
	}
	for _, m := range path {
		delete(missing, m.ID)
	}
	if len(missing) == 0 {
		return path, nil
	}
	kept := s.lastPath.named(missing)
	if len(kept) < len(missing) {
		var err error
		if kept, err = s.Store.MessagesNamed(ctx, slices.Sorted(maps.Keys(missing))); err != nil {
			return nil, err
		}
	}
	return append(kept, path...), nil
}

// recentPath returns the end of a branch, more of it than a window of so many tokens holds. A long talk is not read as a
// whole because its model has changed.
func (s *Service) recentPath(ctx context.Context, leaf string, tokens int) ([]memory.Message, error) {
	room, before := 2*bytesPerToken*tokens, ""
	var pages [][]memory.Message
	for {
		page, err := s.Store.Path(ctx, leaf, pathPage, before)
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
		for _, m := range page {
			room -= len(m.Preamble) + len(m.Content) + messageRoom
		}
		if page[0].ParentID == "" || room < 0 {
			slices.Reverse(pages)
			return slices.Concat(pages...), nil
		}
		before = page[0].ID
	}
}

// pathSince returns a branch from the message before first on, from its root on where first is "" or not in it.
func (s *Service) pathSince(ctx context.Context, leaf, first string) ([]memory.Message, error) {
	if path := s.lastPath.goOn(ctx, s.Store, leaf, first); path != nil {
		return path, nil
	}
	path, err := s.Store.PathSince(ctx, leaf, first)
	if err != nil || path[0].ParentID == "" {
		return path, err
	}
	before, err := s.Store.Path(ctx, leaf, 1, path[0].ID)
	return append(before, path...), err
}

// lastPath holds what stood before the user message of the last turn, of whichever conversation. The next turn mostly
// goes on from there and need not read it again. Nothing before a turn changes but by another turn, of an older message,
// and that one takes its place here.
type lastPath struct {
	mu       sync.Mutex
	messages []memory.Message
}

// keep notes the path of a turn.
func (l *lastPath) keep(path []memory.Message, newest string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.messages = path[:max(slices.IndexFunc(path, func(m memory.Message) bool { return m.ID == newest }), 0)]
}

// named returns those of the messages that are known, the oldest first.
func (l *lastPath) named(ids map[string]bool) []memory.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []memory.Message
	for _, m := range l.messages {
		if ids[m.ID] {
			out = append(out, m)
		}
	}
	return out
}

// goOn returns the branch from the message before first on, nil where it does not go on from the last turn.
func (l *lastPath) goOn(ctx context.Context, st Store, leaf, first string) []memory.Message {
	l.mu.Lock()
	known := l.messages
	l.mu.Unlock()
	if len(known) == 0 {
		return nil
	}
	last := known[len(known)-1]
	for n := fewMessages; n <= newMessages; n *= 4 { // mostly there are a question and its answer between the last turn and this one
		end, err := st.Path(ctx, leaf, n, "")
		if err != nil || end[0].ConversationID != last.ConversationID {
			return nil
		}
		if from := slices.IndexFunc(end, func(m memory.Message) bool { return m.ParentID == last.ID }); from >= 0 {
			return since(slices.Concat(known, end[from:]), first)
		}
	}
	return nil
}

// since returns a branch from the message before first on, nil where it does not reach back as far.
func since(path []memory.Message, first string) []memory.Message {
	at := 0
	if first != "" {
		at = slices.IndexFunc(path, func(m memory.Message) bool { return m.ID == first })
	}
	switch {
	case at > 0:
		return path[at-1:]
	case at == 0 && path[0].ParentID == "":
		return path
	}
	return nil
}
