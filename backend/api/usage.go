package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"recollect/backend/memory"
	"recollect/backend/monitor"
	"recollect/backend/store"
)

// usageFilter reads what selects model calls. after and before include the days that they name.
func (a *API) usageFilter(ctx context.Context, q *query) (store.UsageFilter, error) {
	f := store.UsageFilter{
		AgentID: q.text("agent_id"), ConversationID: q.text("conversation_id"), Model: q.text("model"),
		From: q.time("after", a.Location, false), To: q.time("before", a.Location, true),
	}
	if q.err == nil && !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		q.fail("after must be before before")
	}
	if q.err != nil {
		return f, q.err
	}
	if f.AgentID != "" {
		if _, err := a.Store.Agent(ctx, f.AgentID); err != nil {
			return f, err
		}
	}
	if f.ConversationID != "" {
		if _, err := a.Store.Conversation(ctx, f.ConversationID); err != nil {
			return f, err
		}
	}
	return f, nil
}

// callKind reads what calls are for, "" for all.
func callKind(q *query) memory.CallKind {
	kind := memory.CallKind(q.text("kind"))
	if kind != "" && !slices.Contains(memory.CallKinds(), kind) {
		q.fail("kind must be one of %v", memory.CallKinds())
	}
	return kind
}

var usageParameters = []string{"agent_id", "conversation_id", "model", "after", "before"}

// usage reports what model calls took.
func (a *API) usage(r *http.Request) (result, error) {
	q := parameters(r, append([]string{"bucket"}, usageParameters...)...)
	size := monitor.BucketSize(q.text("bucket"))
	if !slices.Contains([]monitor.BucketSize{"", monitor.BucketHour, monitor.BucketDay, monitor.BucketWeek}, size) {
		q.fail("bucket must be hour, day or week")
	}
	f, err := a.usageFilter(r.Context(), q)
	if err != nil {
		return result{}, err
	}
	report, err := monitor.Report(r.Context(), a.Store, f, size, a.Location)
	return ok(report), err
}

// modelCalls lists model calls, the newest first.
func (a *API) modelCalls(r *http.Request) (result, error) {
	q := parameters(r, append([]string{"cursor", "limit", "kind"}, usageParameters...)...)
	limit := q.limit(defaultPage, largestPage)
	kind := callKind(q)
	f, err := a.usageFilter(r.Context(), q)
	if err != nil {
		return result{}, err
	}
	f.Kind = kind
	f.Cursor, f.Limit = q.text("cursor"), limit
	calls, next, err := a.Store.ModelCalls(r.Context(), f)
	return ok(ModelCalls{Calls: calls, Next: next}), err
}

// exportUsage sends all model calls that are selected as a file. They are read while they are sent, since there may be very
// many; where that fails the answer breaks off, so that nobody takes the half for the whole.
func (a *API) exportUsage(w http.ResponseWriter, r *http.Request) {
	q := parameters(r, append([]string{"format", "kind"}, usageParameters...)...)
	write, contentType := monitor.ExportCSV, "text/csv; charset=utf-8"
	switch q.text("format") {
	case "csv":
	case "json":
		write, contentType = monitor.ExportJSON, "application/json"
	default:
		q.fail("format must be csv or json")
	}
	kind := callKind(q)
	f, err := a.usageFilter(r.Context(), q)
	if err != nil {
		writeProblem(w, r, err)
		return
	}
	f.Kind = kind
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="recollect-usage-%s.%s"`, a.Clock().In(a.Location).Format(time.DateOnly), q.text("format")))
	if err := write(r.Context(), a.Store, f, w); err != nil {
		if r.Context().Err() == nil {
			slog.Error("An export broke off.", "err", err)
		}
		panic(http.ErrAbortHandler)
	}
}

// checkup looks at the window of a chat.
func (a *API) checkup(r *http.Request) (result, error) {
	q := parameters(r, "conversation_id")
	if q.err != nil {
		return result{}, q.err
	}
	ctx, agentID, conversationID := r.Context(), r.PathValue("id"), q.text("conversation_id")
	in, err := a.Turns.Inspect(ctx, agentID, conversationID)
	if err != nil {
		return result{}, err
	}
	month, err := a.month(ctx, store.UsageFilter{AgentID: agentID})
	if err != nil {
		return result{}, err
	}
	seen := monitor.Inspected{
		AgentID: agentID, ConversationID: conversationID, Model: in.Model, Plan: in.Plan, Turns: in.Turns, Answered: in.Answered, Results: in.Results,
		Threshold: in.Threshold, Due: in.Due, Month: month,
	}
	if conversationID != "" {
		calls, _, err := a.Store.ModelCalls(ctx, store.UsageFilter{ConversationID: conversationID, Kind: memory.CallAnswer, Limit: 1})
		if err != nil {
			return result{}, err
		}
		if len(calls) > 0 {
			seen.Last = &calls[0]
		}
	}
	return ok(monitor.Check(seen)), nil
}

// lastDays is over how long a time costs are looked at.
const lastDays = 30

// month returns the sums of the model calls of the last thirty days.
func (a *API) month(ctx context.Context, f store.UsageFilter) (monitor.UsageTotals, error) {
	now := a.Clock()
	return monitor.Totals(ctx, a.Store, f, now.AddDate(0, 0, -lastDays), now)
}
