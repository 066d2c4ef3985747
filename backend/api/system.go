package api

import (
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"

	"recollect/backend/doctor"
	"recollect/backend/memory"
	"recollect/backend/store"
)

func (a *API) health(*http.Request) (result, error) {
	return ok(Health{OK: true, Version: a.Version, PID: os.Getpid()}), nil
}

func (a *API) snapshot(r *http.Request) (result, error) {
	q := parameters(r, "since")
	since, known := a.position(q.text("since"))
	if q.err != nil {
		return result{}, q.err
	}
	ctx := r.Context()
	// The number comes before the state: what happens meanwhile is told again, which does no harm.
	s := Snapshot{
		Epoch: a.Bus.Epoch(), Seq: a.Bus.Seq(), Version: a.Version, Engine: a.Engine.Status(), Jobs: a.Jobs.List(),
		Platform: Platform{OS: runtime.GOOS, Desktop: inWindow(r), Home: a.Home},
	}
	s.Damage = memory.ProblemOf(a.Store.Health())
	if q.text("since") != "" {
		events, there := a.Bus.Since(since)
		s.Reset = !known || !there
		if !s.Reset {
			s.Events = events
			s.Seq = since + uint64(len(events))
		}
	}
	raw, err := a.Store.Settings(ctx)
	if err != nil {
		return result{}, err
	}
	if s.Settings, err = settingsOf(raw); err != nil {
		return result{}, err
	}
	if s.Agents, err = a.Store.Agents(ctx); err != nil {
		return result{}, err
	}
	if s.Sample, err = a.Sample.Agent(ctx); err != nil {
		return result{}, err
	}
	s.Conversations, s.Next, err = a.Store.Conversations(ctx, store.ConversationFilter{Limit: defaultPage})
	if err != nil {
		return result{}, err
	}
	now := a.Clock()
	for _, p := range a.Turns.RunningAll() {
		s.Running = append(s.Running, TurnProgress{
			ConversationID: p.ConversationID, MessageID: p.MessageID, Phase: Phase(p.Phase), Read: p.Read, Total: p.Total,
			ETAMs: p.ETA.Milliseconds(), ElapsedMs: now.Sub(p.Started).Milliseconds(), Detail: p.Detail,
			Queued: append([]string{}, p.Queued...),
		})
	}
	return ok(s), nil
}

// maxActivityQuery bounds the text that the activity is searched for, in bytes: SQLite refuses patterns of 50,000.
const maxActivityQuery = 1000

func (a *API) activity(r *http.Request) (result, error) {
	q := parameters(r, "types", "actor", "agent_id", "conversation_id", "query", "after", "before", "cursor", "limit")
	f := store.EventFilter{
		Types: q.list("types"), Actor: memory.Actor(q.text("actor")), AgentID: q.text("agent_id"),
		ConversationID: q.text("conversation_id"), Query: q.text("query"),
		After: q.time("after", a.Location, false), Before: q.time("before", a.Location, true),
		Cursor: q.text("cursor"), Limit: q.limit(defaultPage, largestPage),
	}
	switch f.Actor {
	case "", memory.ActorUser, memory.ActorModel, memory.ActorSystem, memory.ActorImport:
	default:
		q.fail("actor must be user, model, system or import")
	}
	if len(f.Query) > maxActivityQuery {
		q.fail("query has more than %d bytes", maxActivityQuery)
	}
	if q.err != nil {
		return result{}, q.err
	}
	events, next, err := a.Store.Events(r.Context(), f)
	return ok(Activity{Events: events, Next: next}), err
}

func (a *API) selftest(r *http.Request) (result, error) {
	var in SelftestRun
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if a.Selftest == nil {
		return result{}, memory.Errorf(memory.EUNSUPPORTED, "selftest", "this installation cannot try models")
	}
	out, err := a.Selftest(r.Context(), strings.TrimSpace(in.Model))
	if err != nil {
		return result{}, err
	}
	return ok(out), nil
}

func (a *API) doctor(r *http.Request) (result, error) {
	language := r.URL.Query().Get("language")
	if language != "" && language != "en" && language != "zh" {
		return result{}, invalid("language must be en or zh")
	}
	var checks []doctor.Check
	if a.Doctor != nil {
		checks = a.Doctor(r.Context(), language)
	}
	return ok(Doctor{Checks: checks}), nil
}

// position reads the number of an event, as "epoch-number" or alone. known is false for one of another epoch.
func (a *API) position(s string) (seq uint64, known bool) {
	epoch, number, two := strings.Cut(s, "-")
	if !two {
		epoch, number = a.Bus.Epoch(), s
	}
	seq, err := strconv.ParseUint(number, 10, 64)
	return seq, err == nil && epoch == a.Bus.Epoch()
}
