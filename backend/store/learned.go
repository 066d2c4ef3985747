package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// learnedPrefix keeps what was learned apart from the store's own keys.
const learnedPrefix = "learned."

// Learned returns what the app noted under a key about the models it works with, nil when it noted nothing.
func (s *Store) Learned(ctx context.Context, key string) (json.RawMessage, error) {
	text, err := one(ctx, s, value[string], "meta_get", learnedPrefix+key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return json.RawMessage(text), fault("read what was learned", err)
}

// SetLearned notes something that the app learned by itself, such as how a model counts. It is no choice of the user's:
// there is no event, and a crash may lose it.
func (s *Store) SetLearned(ctx context.Context, key string, value json.RawMessage) error {
	return s.write(ctx, "note what was learned", lazy, func(t *tx) error { return t.run("meta_set", learnedPrefix+key, string(value)) })
}
