package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"recollect/backend/compaction"
	"recollect/backend/engine"
	"recollect/backend/memory"
)

// The ranges of settings, of agents and of the whole.
const (
	minWindow       = 2048 // tokens
	maxWindow       = 1 << 20
	maxCoreShare    = 0.6
	maxSteps        = 64
	maxCacheMB      = 64 << 10
	maxThreads      = 256
	maxDeepSeconds  = 60
	maxDailyBackups = 365
	minTextSize     = 80 // percent
	maxTextSize     = 200
	maxUISettings   = 64 << 10 // bytes of what the page keeps
	maxName         = 256      // characters of a model's name or an address
)

// settingChecks has a check for every setting of Settings: what the value must be, and whether it is.
var settingChecks = map[string]struct {
	want string
	ok   func(json.RawMessage) bool
}{
	"language":        {"en or zh", oneOf("en", "zh")},
	"theme":           {"light or dark", oneOf("light", "dark")},
	"send_key":        {"enter or mod_enter", oneOf("enter", "mod_enter")},
	"notes":           {"auto or off", oneOf("auto", "off")},
	"facts":           {"on or off", oneOf("on", "off")},
	"summaries":       {"auto, always or off", oneOf("auto", "always", "off")},
	"deep_recall":     {"auto, always or never", oneOf("auto", "always", "never")},
	"deep_seconds":    {"a whole number from 1 to 60", within[int](1, maxDeepSeconds)},
	"model":           {"the name of a model", name},
	"embedder":        {"the name of a model", name},
	"window":          {"a whole number of tokens from 2,048 to 1,048,576", within[int](minWindow, maxWindow)},
	"core_share":      {"a number from 0.05 to 0.6", within(0.05, maxCoreShare)},
	"compact_at":      {"a number from 0.3 to 0.95", within(minCompactAt, maxCompactAt)},
	"compact_to":      {"a number from 0.1 to 0.9", within(minCompactTo, maxCompactTo)},
	"compaction":      {"auto, sliding_window, priority or summary", oneOf("auto", "sliding_window", "priority", "summary")},
	"window_messages": {"a whole number from 4 to 1,000", within[int](minWindowMessages, maxWindowMessages)},
	"page_turns":      {"a whole number from 1 to 100", within[int](1, maxPageTurns)},
	"threads":         {"a whole number from 1 to 256", within[int](1, maxThreads)},
	"daily_backups":   {"a whole number from 0 to 365", within[int](0, maxDailyBackups)},
	"vector_cache_mb": {"a whole number from 0 to 65,536", within[int](0, maxCacheMB)},
	"engine_host":     {"an address such as http://127.0.0.1:11434", address},
	"text_size":       {"a whole number of percent from 80 to 200", within[int](minTextSize, maxTextSize)},
	"notifications":   {"true or false", boolean},
	"ui":              {"an object of at most 64 KB", object},
}

func oneOf(values ...string) func(json.RawMessage) bool {
	return func(raw json.RawMessage) bool {
		var s string
		return json.Unmarshal(raw, &s) == nil && slices.Contains(values, s)
	}
}

func within[T int | float64](low, high T) func(json.RawMessage) bool {
	return func(raw json.RawMessage) bool {
		var n T
		return json.Unmarshal(raw, &n) == nil && n >= low && n <= high
	}
}

func boolean(raw json.RawMessage) bool {
	var b bool
	return !null(raw) && json.Unmarshal(raw, &b) == nil
}

func name(raw json.RawMessage) bool {
	var s string
	return json.Unmarshal(raw, &s) == nil && strings.TrimSpace(s) != "" && len(s) <= maxName
}

// address takes what OLLAMA_HOST takes: a host with or without scheme and port.
func address(raw json.RawMessage) bool {
	if !name(raw) {
		return false
	}
	var s string
	_ = json.Unmarshal(raw, &s) // name has done it
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return false
	}
	host := u.Hostname()
	_, ipErr := netip.ParseAddr(host)
	return host != "" && (ipErr == nil || !strings.ContainsAny(host, " _/\\"))
}

func object(raw json.RawMessage) bool {
	var m map[string]any
	return json.Unmarshal(raw, &m) == nil && len(raw) <= maxUISettings
}

func (a *API) settings(r *http.Request) (result, error) {
	settings, err := a.Store.Settings(r.Context())
	return ok(settings), err
}

// changeSettings sets the given settings, all or none of which are valid; null sets one back to its default.
func (a *API) changeSettings(r *http.Request) (result, error) {
	var in map[string]json.RawMessage
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	keys := slices.Sorted(maps.Keys(in))
	for _, key := range keys {
		check, known := settingChecks[key]
		if !known {
			return result{}, invalid("there is no setting %q", key)
		}
		if !null(in[key]) && !check.ok(in[key]) {
			return result{}, invalid("%s must be %s", key, check.want)
		}
	}
	for _, key := range []string{"model", "embedder"} {
		var name string
		if raw, given := in[key]; given && json.Unmarshal(raw, &name) == nil && name != "" {
			if err := a.checkModel(r.Context(), key, name); err != nil {
				return result{}, err
			}
		}
	}
	if err := a.checkCompaction(r.Context(), in); err != nil {
		return result{}, err
	}
	if err := a.Store.SetSettings(r.Context(), in); err != nil {
		return result{}, err
	}
	return a.settings(r)
}

// checkCompaction holds the two shares of compaction to their order, where one of them changes.
func (a *API) checkCompaction(ctx context.Context, in map[string]json.RawMessage) error {
	_, at := in["compact_at"]
	_, to := in["compact_to"]
	if !at && !to {
		return nil
	}
	stored, err := a.Store.Settings(ctx)
	if err != nil {
		return err
	}
	all := map[string]json.RawMessage{}
	maps.Copy(all, stored)
	maps.Copy(all, in)
	s, err := settingsOf(all)
	if err != nil {
		return err
	}
	return inOrder("compact_to", cmp.Or(s.CompactTo, compaction.DefaultTarget), "compact_at", cmp.Or(s.CompactAt, compaction.DefaultThreshold))
}

// checkModel refuses a model that the engine does not have, or not for that: everything that needs it would fail. Without an
// engine nobody knows, and the name is taken.
func (a *API) checkModel(ctx context.Context, setting, name string) error {
	const op = "choose the model"
	m, known, err := a.lookup(ctx, name)
	if err != nil {
		return ctx.Err()
	}
	if !known {
		missing := memory.Errorf(memory.EMODEL, op, "the model %q is not installed", name)
		missing.Remedy = memory.RemedyPullModel
		return missing
	}
	// one of which the engine does not tell what it can do is refused when it is used, with the reason
	if m.Chat != m.Embedding && m.Embedding != (setting == "embedder") {
		unfit := memory.Errorf(memory.EMODEL, op, "the model %q cannot be the %s", name, setting)
		unfit.Remedy = memory.RemedyChooseModel
		return unfit
	}
	return nil
}

// lookup returns the installed model of that name, if there is one.
func (a *API) lookup(ctx context.Context, name string) (m engine.Model, known bool, err error) {
	models, err := a.Engine.Models(ctx)
	if i := slices.IndexFunc(models, func(m engine.Model) bool { return engine.SameModel(m.Name, name) }); i >= 0 {
		m, known = models[i], true
	}
	return m, known, err
}

func null(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }

// settingsOf returns the settings that are known and valid. What else lies in the database, from another version or by a
// slip of the hand, is as if it were absent: it must not keep the user from the page where it is mended.
func settingsOf(raw map[string]json.RawMessage) (Settings, error) {
	valid := map[string]json.RawMessage{}
	for key, value := range raw {
		if check, known := settingChecks[key]; known && check.ok(value) {
			valid[key] = value
		}
	}
	body, err := json.Marshal(valid)
	var s Settings
	if err == nil {
		err = json.Unmarshal(body, &s)
	}
	if err != nil {
		return Settings{}, fmt.Errorf("read the settings: %w", err)
	}
	return s, nil
}
