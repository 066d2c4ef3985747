// Package sample gives the user somebody else's memory to look around in: sixty dated turns of an invented person, with
// what they left in core memory, archive, receipts and history. It lives in an agent of its own and goes without a trace.
package sample

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// names are those of the sample agent by language.
var names = map[string]string{"en": "Sample", "zh": "示例"}

// replaced returns text with a piece of it replaced, which must be there once.
func replaced(text, old, with string) (string, error) {
	if strings.Count(text, old) != 1 {
		return "", fmt.Errorf("%q is there %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, with, 1), nil
}

// Store is what the sample needs of the database.
type Store interface {
	Sample(ctx context.Context) (*store.Sample, error)
	SampleAgent(ctx context.Context) (string, error)
	LoadSample(ctx context.Context, from *store.Store, language string) (store.Sample, error)
	RemoveSample(ctx context.Context) error
}

// Life loads and removes the sample life.
type Life struct {
	Store Store
	Dir   string       // where a temporary folder may be made
	Clock memory.Clock // in the user's time zone
	Wake  func()       // there is something new to embed
}

// Load plays the script of a language and takes what came of it into the database, all or nothing; the language is "en"
// or "zh". Where the sample is loaded already nothing happens.
func (l *Life) Load(ctx context.Context, language string) (there store.Sample, err error) {
	const op = "load the sample life"
	if sm, err := l.Store.Sample(ctx); err != nil || sm != nil {
		if sm != nil {
			there = *sm
		}
		return there, err
	}
	now := l.Clock()
	talks, err := read(language, now.Location())
	if err != nil {
		return there, memory.Errorf(memory.EINVALID, op, "%w", err)
	}
	shift(talks, now)
	dir, err := os.MkdirTemp(l.Dir, "sample-")
	if err != nil {
		return there, fmt.Errorf("%s: %w", op, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := play(ctx, dir, language, talks)
	if err != nil {
		return there, fmt.Errorf("%s: %w", op, err)
	}
	defer func() { err = errors.Join(err, s.close(context.WithoutCancel(ctx))) }()
	if there, err = l.Store.LoadSample(ctx, s.store, language); err != nil {
		return there, err
	}
	l.Wake()
	return there, nil
}

// State tells what is loaded and what the user has added to it, nil where nothing is loaded.
func (l *Life) State(ctx context.Context) (*store.Sample, error) { return l.Store.Sample(ctx) }

// Agent returns the id of the sample's agent, "" where none is loaded.
func (l *Life) Agent(ctx context.Context) (string, error) { return l.Store.SampleAgent(ctx) }

// Remove erases the sample and all that has been added to it since.
func (l *Life) Remove(ctx context.Context) error { return l.Store.RemoveSample(ctx) }

const week = 7 * 24 * time.Hour

// shift moves talks by whole weeks, so that weekdays stay true and the last turn is a day to eight days before now.
func shift(talks []talk, now time.Time) {
	turns := talks[len(talks)-1].turns
	last := turns[len(turns)-1].at
	weeks := int(now.Sub(last).Hours()-24) / int(week.Hours())
	if now.Sub(last) < 24*time.Hour {
		weeks--
	}
	for _, t := range talks {
		for i := range t.turns {
			t.turns[i].at = t.turns[i].at.AddDate(0, 0, 7*weeks)
		}
	}
}
