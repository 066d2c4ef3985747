package api

import (
	"net/http"
	"slices"
	"strconv"

	"recollect/backend/agent"
	"recollect/backend/compaction"
	"recollect/backend/memory"
)

// Shares and scores that core memory may be compacted by.
const (
	minCoreAt   = 0.3
	maxCoreAt   = 0.95
	minCoreTo   = 0.1
	maxCoreTo   = 0.9
	maxCoreKeep = 9.0
)

// CoreCompact asks for room in core memory.
type CoreCompact struct {
	BlockID        string         `json:"block_id,omitempty"`        // "" = all blocks
	ConversationID string         `json:"conversation_id,omitempty"` // that it is asked for in
	DryRun         bool           `json:"dry_run,omitempty"`         // only tell what would leave by signals alone; nothing is stored
	Trigger        memory.Trigger `json:"trigger,omitempty"`         // user (default) or forecast
}

// CoreWeights is what undoing and putting back taught an agent's scores.
type CoreWeights struct {
	memory.CompactionWeights
	Max   float64  `json:"max"`   // a weight is from -Max to Max
	Names []string `json:"names"` // of all kinds of content
}

// CoreWeight gives a kind of content another weight.
type CoreWeight struct {
	Kind  string  `json:"kind"`
	Value float64 `json:"value"`
}

// compactCore moves the least important entries of core memory to the archive, in the background, or tells which would go.
func (a *API) compactCore(r *http.Request) (result, error) {
	var in CoreCompact
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if !slices.Contains([]memory.Trigger{"", memory.TriggerUser, memory.TriggerForecast}, in.Trigger) {
		return result{}, invalid("trigger must be user or forecast")
	}
	return compacted(a.Turns.CompactCore(r.Context(), r.PathValue("id"), agent.CoreRequest{
		BlockID: in.BlockID, ConversationID: in.ConversationID, DryRun: in.DryRun, Trigger: in.Trigger,
	}))
}

// restoreEntry puts an entry that left core memory back into its old place.
func (a *API) restoreEntry(r *http.Request) (result, error) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil {
		return result{}, invalid("%q is not the number of an entry", r.PathValue("n"))
	}
	c, err := a.Turns.RestoreEntry(r.Context(), r.PathValue("id"), n)
	return ok(c), err
}

func (a *API) coreWeights(r *http.Request) (result, error) {
	found, err := a.Store.Agent(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	w, err := a.Store.CoreWeights(r.Context(), found.ID)
	return ok(CoreWeights{CompactionWeights: w, Max: memory.MaxLearned, Names: compaction.Kinds()}), err
}

func (a *API) setCoreWeight(r *http.Request) (result, error) {
	var in CoreWeight
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	switch {
	case !slices.Contains(compaction.Kinds(), in.Kind):
		return result{}, invalid("there is no kind of content %q", in.Kind)
	case in.Value < -memory.MaxLearned || in.Value > memory.MaxLearned:
		return result{}, invalid("value must be from %v to %v", -memory.MaxLearned, memory.MaxLearned)
	}
	err := a.Store.ChangeCoreWeights(r.Context(), r.PathValue("id"), func(w memory.CompactionWeights) memory.CompactionWeights {
		return compaction.Weigh(w, in.Kind, in.Value, "user", "", a.Clock())
	})
	if err != nil {
		return result{}, err
	}
	return a.coreWeights(r)
}

// resetCoreWeights forgets what was learned.
func (a *API) resetCoreWeights(r *http.Request) (result, error) {
	return nothing(), a.Store.ChangeCoreWeights(r.Context(), r.PathValue("id"), func(memory.CompactionWeights) memory.CompactionWeights {
		return memory.CompactionWeights{Kinds: map[string]float64{}, Lessons: []memory.Lesson{}}
	})
}

// checkCoreRoom checks an agent's choice about core memory.
func checkCoreRoom(r memory.Room) error {
	between := func(v, low, high float64) bool { return v == 0 || v >= low && v <= high }
	switch {
	case !between(r.CoreAt, minCoreAt, maxCoreAt):
		return invalid("core_at must be 0 or from %v to %v", minCoreAt, maxCoreAt)
	case !between(r.CoreTo, minCoreTo, maxCoreTo):
		return invalid("core_to must be 0 or from %v to %v", minCoreTo, maxCoreTo)
	case !between(r.CoreKeep, 0, maxCoreKeep):
		return invalid("core_keep must be from 0 to %v", maxCoreKeep)
	case !slices.Contains([]string{"", "on", "off"}, r.CoreJudge):
		return invalid("core_judge must be on, off or empty")
	}
	return nil
}
