package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"recollect/backend/backups"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// The settings that parts of the app read; api.Settings has them all.
const (
	SettingModel       = "model"
	SettingEmbedder    = "embedder"
	SettingEngineHost  = "engine_host"
	SettingTextSize    = "text_size"
	settingTheme       = "theme"
	settingLanguage    = "language"
	settingVectorCache = "vector_cache_mb"
	settingBounds      = "window_bounds"
	settingThreads     = "threads"
	settingSummaries   = "summaries"
	settingBackups     = "daily_backups"
)

// defaultBackups is how many daily backups are kept.
const defaultBackups = 7

// defaultVectorCache holds 100,000 vectors of 384 dimensions in two views, about what a life of chat comes to.
const defaultVectorCache = 400 << 20

// settings reads and writes the settings in the store. There are a few dozen, so no copy of them is kept.
type settings struct{ store *store.Store }

// Decode reads a setting into v and leaves v as it is where the setting is absent.
func (s *settings) Decode(key string, v any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	all, err := s.store.Settings(ctx)
	if err != nil {
		return err
	}
	raw, ok := all[key]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("read the setting %s: %w", key, err)
	}
	return nil
}

// String returns a setting that is a text, "" where it is absent.
func (s *settings) String(key string) string {
	var v string
	_ = s.Decode(key, &v) // of another type: as if absent
	return v
}

// Int returns a setting that is a number, 0 where it is absent.
func (s *settings) Int(key string) int {
	var v int
	_ = s.Decode(key, &v)
	return v
}

// Float returns a setting that is a number, 0 where it is absent.
func (s *settings) Float(key string) float64 {
	var v float64
	_ = s.Decode(key, &v)
	return v
}

// Set writes a setting.
func (s *settings) Set(ctx context.Context, key string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the setting %s: %w", key, err)
	}
	return s.store.SetSetting(ctx, key, raw)
}

// vectorCache returns how many bytes of memory vectors may take.
func (a *App) vectorCache() int64 {
	mb := -1
	if err := a.settings.Decode(settingVectorCache, &mb); err != nil || mb < 0 {
		return defaultVectorCache
	}
	return int64(mb) << 20
}

// applySettings follows the settings that parts of the app hold a copy of.
func (a *App) applySettings(ctx context.Context) error {
	for ev := range a.Bus.Subscribe(ctx, a.Bus.Seq()).Events() {
		if ev.Type != "settings.changed" {
			continue
		}
		switch ev.Data["key"] {
		case SettingEngineHost:
			a.Engine.SetHost(a.settings.String(SettingEngineHost))
		case settingSummaries:
			a.summaries.Wake()
		case settingThreads:
			a.Engine.SetThreads(a.settings.Int(settingThreads))
		case SettingEmbedder:
			a.Recall.Wake()
		case settingVectorCache:
			a.Store.SetVectorCache(a.vectorCache())
		case settingLanguage:
			if err := a.Agent.SpeakLanguage(ctx, a.settings.String(settingLanguage)); err != nil {
				a.log.Warn("The first agent keeps its language.", "error", err)
			}
		}
	}
	return ctx.Err()
}

// readTranscript has the agents read the facts in messages that came otherwise than by a turn, whenever some may have come.
func (a *App) readTranscript(ctx context.Context) error {
	wake := make(chan struct{}, 1)
	events := a.Bus.Subscribe(ctx, a.Bus.Seq()).Events()
	a.wg.Go(func() {
		for ev := range events {
			switch ev.Type {
			case "conversation.changed", "turn.done", "job.ended", "settings.changed":
				select {
				case wake <- struct{}{}:
				default: // it is awake
				}
			}
		}
	})
	return a.Agent.ReadTranscript(ctx, wake)
}

// tellHealth waits for the check after an unclean exit and tells the user of damage.
func (a *App) tellHealth(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-a.Store.Verified():
	}
	if err := a.Store.Health(); err != nil {
		a.damaged(err)
	}
	return nil
}

// damaged tells the user that the database is damaged; the page offers to restore a backup.
func (a *App) damaged(err error) {
	a.log.Error("The database is damaged.", "error", err)
	a.Bus.Publish(event("notice", map[string]any{"level": "error", "code": "database_damaged", "text": err.Error()}))
}

const (
	checkEvery  = 7 * 24 * time.Hour // a whole check of the database
	lookEvery   = 5 * time.Minute    // whether it is time for one
	idleFor     = 5 * time.Minute    // no turn for that long
	lastCheckID = "last_check"
)

// maintain looks after the database while nobody waits for an answer: a backup a day, and once a week a check of the whole,
// which repairs the indexes.
func (a *App) maintain(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	idleSince := a.options.Clock()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		now := a.options.Clock()
		if len(a.Agent.RunningAll()) > 0 {
			idleSince = now
			continue
		}
		if now.Sub(idleSince) < idleFor {
			continue
		}
		if err := a.backUp(ctx, now); err != nil {
			a.log.Error("The daily backup was not made.", "error", err)
			a.Bus.Publish(event("notice", map[string]any{"level": "error", "code": "backup_failed", "text": memory.ProblemOf(err).Message}))
		}
		if err := a.checkUp(ctx, now); err != nil {
			return err
		}
	}
}

// checkUp checks the whole database, where a week has passed since the last time, and repairs the indexes.
func (a *App) checkUp(ctx context.Context, now time.Time) error {
	var last time.Time
	if a.settings.Decode(lastCheckID, &last) == nil && now.Sub(last) < checkEvery { // a date that cannot be read: check
		return nil
	}
	if err := a.Store.RepairIndexes(ctx); err != nil { // the next look tries again
		a.log.Error("The weekly check of the database did not end.", "error", err)
		if damage := a.Store.Health(); damage != nil {
			a.damaged(damage)
		}
		return nil
	}
	return a.settings.Set(ctx, lastCheckID, now)
}

// backUp makes the backup of the day, where it is due, and deletes the daily ones that are too many.
func (a *App) backUp(ctx context.Context, now time.Time) error {
	keep := defaultBackups
	if err := a.settings.Decode(settingBackups, &keep); err != nil || keep <= 0 {
		return err
	}
	dir := BackupDir(a.home)
	files, err := backups.List(dir)
	if err != nil || !backups.Due(files, now) {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of backups: %w", err)
	}
	path := backups.Path(dir, backups.KindDaily, now)
	if err := a.Store.Backup(ctx, path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		done := memory.Event{Type: "backup.done", Data: map[string]any{"path": path, "bytes": info.Size(), "actor": memory.ActorSystem}}
		if _, err := a.Store.RecordEvent(ctx, done); err != nil {
			a.log.Warn("A backup is missing in the activity.", "error", err)
		}
	}
	if files, err = backups.List(dir); err != nil {
		return err
	}
	return backups.Thin(files, keep)
}
