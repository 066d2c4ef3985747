package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"recollect/backend/agent"
	"recollect/backend/agent/tools"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/eval"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// The scripted chat is about these. They are in the archive too, so that recall has something to say.
var (
	places = []string{"the sea", "the market", "the garden", "the library", "the station", "the mountain", "the cinema"}             // constants
	things = []string{"an old bicycle", "a cup of tea", "a letter from home", "a long piece of music", "the winter that was coming"} // constants
)

const (
	reuseTurns  = 50
	editEvery   = 5
	reuseWindow = 32768 // room for all turns: the scripted model needs nearly two tokens where others need one
)

// reuse measures how much of each prompt the engine really took from its cache, over a scripted chat in which memory is
// edited every fifth turn: with neither recall nor tools, and with both. The rival holds its memory in the system message
// and writes it anew at each edit. The engine is real; the model is a scripted one, which costs next to no time to read.
func reuse(ctx context.Context, o Options) ([]Result, error) {
	e, end, err := raise(ctx, o)
	if err != nil {
		return nil, err
	}
	defer end()
	path := filepath.Join(o.Dir, "scripted.gguf")
	if err := scripted.Write(path, scripted.Llama); err != nil {
		return nil, err
	}
	var results []Result
	for _, kind := range []struct {
		name  string
		arch  string // whose template the model gets: gemma3's has no tools
		tools bool
		bar   float64
	}{
		{"plain", scripted.Gemma3, false, 95},
		{"with recall and tools", scripted.Llama, true, 80},
	} {
		model := "bench-" + strings.Fields(kind.name)[0]
		if err := e.Import(ctx, path, model, engine.ImportOptions{
			Template: scripted.Template(kind.arch), Parameters: map[string]any{"temperature": 0, "num_thread": 1},
		}, func(engine.PullProgress) {}); err != nil {
			return results, err
		}
		ours, err := ourChat(ctx, o, e, model, kind.tools)
		if err != nil {
			return results, err
		}
		theirs, err := rivalChat(ctx, o, e, model, kind.tools)
		if err != nil {
			return results, err
		}
		name := fmt.Sprintf("prompt from the engine's cache over %d turns, %s, median", len(ours), kind.name)
		results = append(results, share(name, percentile(shares(ours), 50), kind.bar).against(percentile(shares(theirs), 50)))
		if !kind.tools { // the rival recalls nothing, so that it would have less to read
			results = append(results, lower(fmt.Sprintf("prompt read anew over %d turns, %s, against memory in the system message", len(ours), kind.name),
				anew(ours), "tokens", anew(theirs)).against(anew(theirs)))
		}
	}
	return results, nil
}

// reading is what the engine did with a prompt.
type reading struct{ prompt, cached int }

func readingOf(u memory.Usage) (reading, error) {
	if u.CachedTokens < 0 || u.PromptTokens == 0 {
		return reading{}, errors.New("the engine does not say what it had in its cache")
	}
	return reading{u.PromptTokens, u.CachedTokens}, nil
}

// shares returns how much of each prompt came from the cache, in per cent.
func shares(rs []reading) []float64 {
	out := make([]float64, len(rs))
	for i, r := range rs {
		out[i] = 100 * float64(r.cached) / float64(r.prompt)
	}
	return out
}

// anew returns how many tokens had to be read.
func anew(rs []reading) float64 {
	sum := 0
	for _, r := range rs {
		sum += r.prompt - r.cached
	}
	return float64(sum)
}

func isEdit(turn int) bool { return turn > 0 && turn%editEvery == 0 }

func (o Options) reuseTurns() int {
	if o.Quick {
		return 15
	}
	return reuseTurns
}

func said(turn int, withTools bool) string {
	s := fmt.Sprintf("On day %d we went to %s and talked for a long time about %s. It was better than last year, and I want you to keep it in mind. "+
		"What would you say about that, and what should we do next time?", turn+1, places[turn%len(places)], things[turn%len(things)])
	if withTools && turn%editEvery == 3 {
		s += " <c:archival_memory_search>" // the scripted model calls that tool
	}
	return s
}

// fact is what the edit before a turn adds to the block "human".
func fact(turn int) string {
	return fmt.Sprintf("\nOn day %d the user began to like the number %d.", turn, turn)
}

// quiet is recall that has nothing to say.
type quiet struct{ tools.Search }

func (quiet) For(context.Context, recall.Query) (memory.Receipt, error) { return memory.Receipt{}, nil }
func (quiet) Wake()                                                     {}

// ourChat returns what the engine did with the first prompt of each turn.
func ourChat(ctx context.Context, o Options, e *engine.Engine, model string, withTools bool) ([]reading, error) {
	st, err := openStore(ctx, filepath.Join(o.Dir, "reuse-"+model))
	if err != nil {
		return nil, err
	}
	defer func() { _ = st.Close() }()
	a, err := defaultAgent(ctx, st)
	if err != nil {
		return nil, err
	}
	w := eval.NewWorld()
	search := recall.New(recall.Deps{Store: st, Embedder: w, Model: func() string { return eval.BenchModel }})
	deps := agent.Deps{
		Store: st, Engine: e, Counters: tokens.New(e), Bus: deaf{}, Settings: settings{"model": model, "window": reuseWindow}, Recall: quiet{search},
	}
	if withTools {
		deps.Recall = search
		if err := remembered(ctx, st, a, w); err != nil {
			return nil, err
		}
	}
	s := agent.New(deps)
	defer func() { _ = s.Close(ctx) }()
	c, err := st.CreateConversation(ctx, memory.Conversation{AgentID: a.ID})
	if err != nil {
		return nil, err
	}
	var readings []reading
	recalled, tokensRecalled, calls := 0, 0, 0
	for turn := range o.reuseTurns() {
		if isEdit(turn) {
			if err := edit(ctx, st, a, turn); err != nil {
				return nil, err
			}
		}
		m, err := s.Send(ctx, agent.SendRequest{ConversationID: c.ID, Content: said(turn, withTools)})
		if err != nil {
			return nil, err
		}
		if err := s.Wait(ctx, c.ID); err != nil {
			return nil, err
		}
		answers, err := st.Children(ctx, m.ID, c.ID)
		if err != nil {
			return nil, err
		}
		if len(answers) == 0 || answers[0].Usage == nil || answers[0].Problem != nil {
			return nil, fmt.Errorf("turn %d has no answer that was measured: %+v", turn+1, answers)
		}
		r, err := readingOf(*answers[0].Usage)
		if err != nil {
			return nil, err
		}
		readings = append(readings, r)
		calls += len(answers[0].ToolCalls)
		if withTools {
			receipt, err := st.Receipt(ctx, m.ID)
			if err != nil {
				return nil, err
			}
			if receipt.Tokens > 0 {
				recalled++
				tokensRecalled += receipt.Tokens
			}
		}
	}
	o.note("%s: %d tokens of memories recalled in %d of %d turns, %d tools called", model, tokensRecalled, recalled, len(readings), calls)
	if withTools && (recalled == 0 || calls == 0) {
		return nil, fmt.Errorf("%d turns recalled something and %d tools were called, which measures nothing", recalled, calls)
	}
	return readings, nil
}

// remembered fills the archive with what the chat is about.
func remembered(ctx context.Context, st *store.Store, a memory.Agent, w *eval.World) error {
	w.Topic()
	ps := make([]memory.Passage, 300)
	for i := range ps {
		text := w.Sentence() // about nothing that is spoken of
		if i < 35 {
			text = fmt.Sprintf("At %s there was %s (note %d).", places[i%len(places)], things[i%len(things)], i)
		}
		ps[i] = memory.Passage{ArchiveID: a.ArchiveID, Text: text}
	}
	ps, err := st.CreatePassages(ctx, ps, memory.Cause{Actor: memory.ActorImport})
	if err != nil {
		return err
	}
	if _, err := st.PendingEmbeddings(ctx, eval.BenchModel, eval.BenchDimension, true, 1); err != nil {
		return err
	}
	return embed(ctx, st, w, store.KindPassage, len(ps), func(i int) (string, string) { return ps[i].ID, ps[i].Text })
}

// edit changes the block "human" as its user would.
func edit(ctx context.Context, st *store.Store, a memory.Agent, turn int) error {
	blocks, err := st.Blocks(ctx, a.ID)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		if b.Label == "human" {
			value := b.Value + fact(turn)
			_, _, err := st.UpdateBlock(ctx, b.ID, memory.BlockChange{Value: &value}, memory.Cause{Actor: memory.ActorUser})
			return err
		}
	}
	return errors.New("there is no block human")
}

// rivalChat is the same chat with the memory inside the system message, and nothing recalled.
func rivalChat(ctx context.Context, o Options, e *engine.Engine, model string, withTools bool) ([]reading, error) {
	human := "The user is a person."
	system := func() engine.Message {
		return engine.Message{Role: "system", Content: agent.SystemText("en", withTools) + "\n\n<human>\n" + human + "\n</human>"}
	}
	messages := []engine.Message{system()}
	var readings []reading
	for turn := range o.reuseTurns() {
		if isEdit(turn) {
			human += fact(turn)
			messages[0] = system()
		}
		messages = append(messages, engine.Message{Role: "user", Content: said(turn, false)})
		r := engine.ChatRequest{Model: model, Messages: messages, NumCtx: reuseWindow, NumPredict: 256}
		if withTools {
			r.Tools = tools.Schemas()
		}
		result, err := e.Chat(ctx, r, nil)
		if err != nil {
			return nil, err
		}
		read, err := readingOf(result.Usage)
		if err != nil {
			return nil, err
		}
		readings = append(readings, read)
		messages = append(messages, result.Message)
	}
	return readings, nil
}
