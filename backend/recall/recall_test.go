package recall

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// house is a real store with one agent.
type house struct {
	*store.Store
	t     *testing.T
	agent memory.Agent
	now   time.Time
	ids   *memory.IDs
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	h.ids = memory.NewIDs(func() time.Time { return h.now }, rand.Reader)
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "recollect.db"), store.Options{Version: "test", VectorCacheBytes: 64 << 20, Clock: func() time.Time { return h.now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	h.Store = s
	if h.agent, err = s.CreateAgent(t.Context(), memory.Agent{Name: "A"}, memory.Cause{Actor: memory.ActorUser}); err != nil {
		t.Fatal(err)
	}
	return h
}

// say stores messages of the user, each with a short answer, in a conversation of their own; it returns the ids of the
// user's messages.
func (h *house) say(texts ...string) []string {
	h.t.Helper()
	c, err := h.CreateConversation(h.t.Context(), memory.Conversation{AgentID: h.agent.ID})
	if err != nil {
		h.t.Fatal(err)
	}
	ids, parent := make([]string, len(texts)), ""
	var all []memory.Message
	add := func(role memory.Role, text string) string {
		h.now = h.now.Add(time.Minute)
		m := memory.Message{
			ID: h.ids.New("msg"), ConversationID: c.ID, AgentID: h.agent.ID, ParentID: parent, Role: role,
			Content: text, Status: memory.StatusComplete, CreatedAt: h.now,
		}
		all, parent = append(all, m), m.ID
		return m.ID
	}
	for i, text := range texts {
		ids[i] = add(memory.RoleUser, text)
		add(memory.RoleAssistant, "Noted.")
	}
	if _, err := h.AddMessages(h.t.Context(), all); err != nil {
		h.t.Fatal(err)
	}
	return ids
}

// note stores a passage.
func (h *house) note(text string, tags ...string) string {
	h.t.Helper()
	h.now = h.now.Add(time.Minute)
	p, _, err := h.CreatePassage(h.t.Context(), memory.Passage{ArchiveID: h.agent.ArchiveID, Text: text, Tags: tags, CreatedAt: h.now}, memory.Cause{Actor: memory.ActorUser})
	if err != nil {
		h.t.Fatal(err)
	}
	return p.ID
}

func (h *house) recall() *Recall { return New(Deps{Store: h.Store}) }

// ask recalls for a text that was not said yet.
func (h *house) ask(r *Recall, text string) memory.Receipt {
	h.t.Helper()
	rc, err := r.For(h.t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: text, Cap: 1500})
	if err != nil {
		h.t.Fatal(err)
	}
	return rc
}

func takenTexts(rc memory.Receipt) []string {
	var out []string
	for _, c := range rc.Candidates {
		if c.Taken {
			out = append(out, c.Text)
		}
	}
	return out
}

func why(rc memory.Receipt, text string) memory.Why {
	for _, c := range rc.Candidates {
		if c.Text == text {
			return c.Why
		}
	}
	return "not considered"
}

func TestFindsWhatWasSaidAmongOtherThings(t *testing.T) {
	for _, size := range []int{0, 2000} {
		t.Run(fmt.Sprintf("%d other messages", size), func(t *testing.T) {
			if size > 0 {
				h := newHouse(t)
				h.say(noise(size / 2)...)
				for _, p := range pairs {
					h.say(p.said)
				}
				h.say(noise(size)[size/2:]...)
				r := h.recall()
				for _, p := range pairs {
					h.expect(r, p)
				}
				return
			}
			for _, p := range pairs { // a store that holds nothing else
				h := newHouse(t)
				h.say(p.said)
				h.expect(h.recall(), p)
			}
		})
	}
}

// expect fails the test unless what was said is among the first three memories taken for what is asked.
func (h *house) expect(r *Recall, p pair) {
	h.t.Helper()
	taken := takenTexts(h.ask(r, p.asked))
	if !slices.Contains(taken[:min(3, len(taken))], p.said) {
		h.t.Errorf("%q does not bring back %q but %q", p.asked, p.said, taken)
	}
}

func TestNothingIsInjectedForSmallTalkAndNonsense(t *testing.T) {
	h := newHouse(t)
	h.say(noise(1000)...)
	for _, p := range pairs {
		h.say(p.said)
	}
	r := h.recall()
	for _, text := range offTopic {
		if taken := takenTexts(h.ask(r, text)); len(taken) > 0 {
			t.Errorf("%q brings %q", text, taken)
		}
	}
}

func TestPassagesAreFoundBesideMessages(t *testing.T) {
	h := newHouse(t)
	h.say(noise(100)...)
	h.note("The lease of the workshop in Bremen ends in May 2028.", "contracts")
	h.note("工作室的租约在二〇二八年五月到期。")
	r := h.recall()
	h.expect(r, pair{"The lease of the workshop in Bremen ends in May 2028.", "when does the workshop lease end?"})
	h.expect(r, pair{"工作室的租约在二〇二八年五月到期。", "工作室的租约什么时候到期？"})
}

func TestTheMessageItselfAndTheWindowAreNotRepeated(t *testing.T) {
	h := newHouse(t)
	h.say(noise(50)...)
	said := h.say("My bicycle is called Comet", "what is my bicycle called")
	r := h.recall()
	q := Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, MessageID: said[1], Text: "what is my bicycle called", Cap: 1500}
	rc, err := r.For(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if why(rc, "My bicycle is called Comet") != memory.WhyTaken || why(rc, q.Text) != "not considered" {
		t.Errorf("%+v, want the statement and not the question itself", rc.Candidates)
	}
	if c := rc.Candidates[0]; c.LexRank != 1 || c.Lexical != 1 {
		t.Errorf("%+v, want it ranked as if the question had not been stored", c)
	}
	q.InWindow = map[string]bool{said[0]: true}
	if rc, err = r.For(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if got := why(rc, "My bicycle is called Comet"); got != memory.WhyInWindow || len(takenTexts(rc)) > 0 {
		t.Errorf("what is in the window is %q, taken %q", got, takenTexts(rc))
	}
}

func TestAPassageMadeFromAMessageInTheWindowIsNotRepeated(t *testing.T) {
	h := newHouse(t)
	said := h.say("remember that the gate code is 7391")
	if _, _, err := h.CreatePassage(t.Context(), memory.Passage{ArchiveID: h.agent.ArchiveID, Text: "The gate code is 7391", Origin: said[0]},
		memory.Cause{Actor: memory.ActorUser, MessageID: said[0]}); err != nil {
		t.Fatal(err)
	}
	rc, err := h.recall().For(t.Context(), Query{
		AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: "gate code?", Cap: 1500,
		InWindow: map[string]bool{said[0]: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := why(rc, "The gate code is 7391"); got != memory.WhyInWindow {
		t.Errorf("the passage is %q, want in_window", got)
	}
}

func TestTheSameStatementIsInjectedOnce(t *testing.T) {
	h := newHouse(t)
	h.say(noise(50)...)
	h.say("Remember that my bicycle is called Comet")
	h.say("my bicycle is called comet!")
	h.note("The bicycle is called Comet")
	h.say("What is my bicycle called?") // asked before, in vain
	h.say("My bicycle is not called Comet any more")
	h.say("My old bicycle was called Comet 2")
	got := takenTexts(h.ask(h.recall(), "what is my bicycle called"))
	same := 0
	for _, text := range got {
		if slices.Contains([]string{"Remember that my bicycle is called Comet", "my bicycle is called comet!", "The bicycle is called Comet"}, text) {
			same++
		}
	}
	if same != 1 {
		t.Errorf("the statement is injected %d times: %q", same, got)
	}
	for _, other := range []string{"My bicycle is not called Comet any more", "My old bicycle was called Comet 2"} {
		if !slices.Contains(got, other) {
			t.Errorf("%q is taken for the same: %q", other, got)
		}
	}
	if slices.Contains(got, "What is my bicycle called?") {
		t.Errorf("the earlier question is injected: %q", got)
	}
}

// document stores a document of so many pages, with its summary.
func (h *house) document(title, summary string, pages ...string) {
	h.t.Helper()
	ctx := h.t.Context()
	rd, err := h.BeginReading(ctx, h.agent.ArchiveID, title+".pdf", "", "")
	if err != nil {
		h.t.Fatal(err)
	}
	parts := make([]store.DocumentPart, len(pages))
	for i, text := range pages {
		parts[i] = store.DocumentPart{Page: i + 1, Text: text}
	}
	if err := h.AddParts(ctx, rd, title, h.now, parts); err != nil {
		h.t.Fatal(err)
	}
	if _, _, err := h.Publish(ctx, rd, memory.Document{Title: title, Format: memory.FormatPDF, Hash: title, Pages: len(pages), Paged: true}, summary,
		memory.Cause{Actor: memory.ActorUser}); err != nil {
		h.t.Fatal(err)
	}
}

func TestASummaryThatRepeatsAPassageIsNotInjectedBesideIt(t *testing.T) {
	h := newHouse(t)
	h.say(noise(50)...)
	page := "Heating and water\n\nThe boiler in the cellar is serviced in March. The engineer is Mrs Okafor, and the key to the cellar is with her."
	short := "“Boiler”: a PDF of 1 page." + memory.SummaryHeadings[0] + "Heating and water." + memory.SummaryBegins[0] + strings.TrimPrefix(page, "Heating and water\n\n")
	h.document("Boiler", short, page)
	rc := h.ask(h.recall(), "Who services the boiler in the cellar?")
	if got := takenTexts(rc); !slices.Equal(got, []string{page}) || why(rc, short) != memory.WhyDuplicate {
		t.Errorf("taken %q; the summary: %s", got, why(rc, short))
	}
	// What says more than the passages that are taken is no repetition.
	lead := "The garage door opens with a code."
	long := "“Garage”: a PDF of 2 pages." + memory.SummaryHeadings[0] + "Garage door; Winter tyres." + memory.SummaryBegins[0] + lead
	h.document("Garage", long, lead, "Winter tyres stand behind the shelf.")
	if rc = h.ask(h.recall(), "How does the garage door open?"); why(rc, long) != memory.WhyTaken {
		t.Errorf("the summary is %s, taken %q", why(rc, long), takenTexts(rc))
	}
}

func TestWhatTheAppSaidOfAWishRepeatsIt(t *testing.T) {
	h := newHouse(t)
	h.say(noise(50)...)
	wish, done := "Remember that my bicycle is called Comet", "Remembered: “my bicycle is called Comet”."
	h.say(wish, done)
	rc := h.ask(h.recall(), "What is my bicycle called?")
	if a, b := why(rc, wish), why(rc, done); (a == memory.WhyTaken) == (b == memory.WhyTaken) {
		t.Errorf("the wish is %s and what the app said then %s, want one of them", a, b)
	}
}

func TestTheCapIsKept(t *testing.T) {
	h := newHouse(t)
	for i := range 60 {
		h.note(fmt.Sprintf("The orchard report number %d: %s", i, strings.Repeat(fmt.Sprintf("apples%d pears%d ", i, i), 20)))
	}
	r := h.recall()
	for _, limit := range []int{0, 20, 300, 1500} {
		rc, err := r.For(t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: "What does the orchard report say?", Cap: limit, Counter: words{}})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, c := range rc.Candidates {
			if c.Taken {
				sum += c.Tokens
			}
		}
		if sum != rc.Tokens || sum > limit {
			t.Errorf("took %d tokens, said %d, the cap is %d", sum, rc.Tokens, limit)
		}
		if limit >= 300 && sum == 0 {
			t.Errorf("nothing taken with a cap of %d", limit)
		}
	}
}

// words counts blanks.
type words struct{}

func (words) Count(text string) int { return len(strings.Fields(text)) }

func TestALongMemoryIsCutToWhatWasAsked(t *testing.T) {
	h := newHouse(t)
	long := strings.Repeat("The weather report of that day was uneventful. ", 60) + "The spare fuse lies behind the blue cabinet. " + strings.Repeat("Then came lunch and a nap. ", 60)
	h.note(long)
	got := takenTexts(h.ask(h.recall(), "Where does the spare fuse lie?"))
	if len(got) != 1 || !strings.Contains(got[0], "behind the blue cabinet") || len([]rune(got[0])) > 1000 {
		t.Errorf("got %q", got)
	}
	if len(got) == 1 && (!strings.HasPrefix(got[0], "…") || !strings.HasSuffix(got[0], "…")) {
		t.Error("the cuts are not marked")
	}
}

func TestReceiptSaysWhatWasConsideredAndWhy(t *testing.T) {
	h := newHouse(t)
	h.say(noise(200)...)
	h.say("My bicycle is called Comet")
	rc := h.ask(h.recall(), "what is my bicycle called")
	if rc.Query == "" || rc.Plan != "rules" || rc.Cap != 1500 || rc.Considered < len(rc.Candidates) || rc.Vectors || rc.Floor <= 0 || rc.Floor >= 1 {
		t.Errorf("receipt %+v", rc)
	}
	c := rc.Candidates[0]
	if c.Text != "My bicycle is called Comet" || c.Kind != "message" || c.LexRank != 1 || c.Lexical != 1 || c.Score < rc.Floor || c.Role != memory.RoleUser ||
		!c.Taken || c.Why != memory.WhyTaken || c.Tokens == 0 || c.Date.IsZero() || c.ID == "" {
		t.Errorf("first candidate %+v", c)
	}
	for i, c := range rc.Candidates {
		if c.Why == "" || c.Taken != (c.Why == memory.WhyTaken) || c.Score < 0 || c.Score >= 1 || i > 0 && c.Score > rc.Candidates[i-1].Score {
			t.Errorf("candidate %d: %+v", i, c)
		}
	}
	if rc := h.ask(h.recall(), "QQQQ"); rc.Candidates == nil || rc.Floor != 1 {
		t.Errorf("an empty receipt: %+v", rc)
	}
}

func TestAwkwardQueries(t *testing.T) {
	h := newHouse(t)
	h.say(noise(100)...)
	h.note("DROP TABLE is what the workshop sign says")
	r := h.recall()
	for _, q := range []string{
		"", "a", `"`, `""`, `"unclosed`, "NEAR(a b)", "a AND OR NOT", "*", "foo*", "own:x", "{own}:x", "col : y", "-x", "^x",
		"'; DROP TABLE messages; --", "(", ")))", "🙂", "\x00\x00", "\xff\xfe", "的", "是的吗", "ｆｕｌｌ　ｗｉｄｔｈ", "日本語のテスト", "한국어 시험", "שלום עולם",
		"the of and", "is it not so", "的了吗呢", "。。。", "👍👍 ❤️", "C++ и 中文 mixed ١٢٣", "SELECT * FROM message; --", "in the year 9999", "31 February 0000", "9000 years ago",
		"on 1 January 0001 or 99999-99-99", "a% _b", `\`, "text NEAR/2 sign", "DROP*", `"DROP TABLE"^2`,
		strings.Repeat("a", 100_000), strings.Repeat("字", 100_000), strings.Repeat("fence ", 20_000), strings.Repeat("\"' ", 30_000),
	} {
		if _, err := r.For(t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: q, Cap: 1500}); err != nil {
			t.Errorf("%.40q: %v", q, err)
		}
		if _, _, err := r.SearchMessages(t.Context(), h.agent.ID, q, nil, time.Time{}, time.Time{}, 5, ""); err != nil {
			t.Errorf("%.40q: %v", q, err)
		}
		if _, _, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, q, nil, "", time.Time{}, time.Time{}, 5, ""); err != nil {
			t.Errorf("passages, %.40q: %v", q, err)
		}
		if _, _, err := r.TypePassages(t.Context(), h.agent.ArchiveID, q, nil, "", time.Time{}, time.Time{}, 5, ""); err != nil {
			t.Errorf("typed, %.40q: %v", q, err)
		}
	}
	got, _, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, "'; DROP TABLE message; --", nil, "", time.Time{}, time.Time{}, 5, "")
	if err != nil || len(got) != 1 || !strings.Contains(got[0].Text, "workshop sign") {
		t.Errorf("SQL in a query finds %+v, %v; want its words", got, err)
	}
}

// Memories of the far past and the far future are kept with their dates, found, and listed by them.
func TestDatesFarAway(t *testing.T) {
	h := newHouse(t)
	h.say(noise(20)...)
	dates := []time.Time{
		time.Date(1, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(1582, 10, 10, 12, 0, 0, 0, time.UTC), time.Date(1900, 2, 28, 23, 0, 0, 0, time.UTC),
		time.Date(2100, 2, 28, 12, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 12, 0, 0, 0, time.UTC),
	}
	for i, at := range dates {
		text := fmt.Sprintf("The almanac entry number %d is about comets", i)
		if _, _, err := h.CreatePassage(t.Context(), memory.Passage{ArchiveID: h.agent.ArchiveID, Text: text, CreatedAt: at}, memory.Cause{Actor: memory.ActorUser}); err != nil {
			t.Fatal(err)
		}
	}
	r := h.recall()
	for i, at := range dates {
		day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
		got, _, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, "", nil, "", day, day, 10, "")
		if err != nil || len(got) != 1 || !got[0].Date.Equal(at) || !strings.Contains(got[0].Text, fmt.Sprintf("number %d ", i)) {
			t.Errorf("on %s: %+v, %v", day.Format(time.DateOnly), got, err)
		}
	}
	for _, q := range []string{"what does the almanac say about comets?", "what did the almanac say about comets in 1900?", "what did the almanac say about comets in 1850?"} {
		if taken := takenTexts(h.ask(r, q)); len(taken) == 0 {
			t.Errorf("%q brings nothing", q)
		}
	}
}

func TestAnEmptyMemoryBringsNothing(t *testing.T) {
	h := newHouse(t)
	for name, r := range map[string]*Recall{"by words": h.recall(), "with an embedder": New(Deps{Store: h.Store, Model: named("m"), Embedder: letters(8)})} {
		rc := h.ask(r, "Where do I live?")
		if rc.Considered != 0 || rc.Candidates == nil || rc.Floor != 1 || rc.Tokens != 0 {
			t.Errorf("%s: %+v", name, rc)
		}
		for _, query := range []string{"", "tea"} {
			if got, next, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, query, nil, "", time.Time{}, time.Time{}, 5, ""); err != nil || len(got) > 0 || next != "" {
				t.Errorf("%s: search for %q: %v, %q, %v", name, query, got, next, err)
			}
		}
	}
}

// The same thing said ten thousand times is recalled once, and hides nothing else that is known of it.
func TestTheSameMessageTenThousandTimes(t *testing.T) {
	h := newHouse(t)
	same := make([]string, 10_000)
	for i := range same {
		same[i] = "My bicycle is called Comet"
	}
	h.say(same...)
	h.say("The bell of the bicycle Comet is broken since Easter")
	rc := h.ask(h.recall(), "Since when is the bell of my bicycle broken?")
	got := takenTexts(rc)
	if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "bell") }) {
		t.Errorf("took %q", got)
	}
	slices.Sort(got)
	if len(slices.Compact(slices.Clone(got))) < len(got) {
		t.Errorf("took the same twice: %q", got)
	}
	if got := takenTexts(h.ask(h.recall(), "What is my bicycle called?")); !slices.Contains(got, same[0]) {
		t.Errorf("what was said most was not recalled, but %q", got)
	}
}

// broken is a store whose searches fail.
type broken struct {
	Store
	lexical, vectors bool
}

var errBroken = errors.New("database disk image is malformed")

func (b broken) LexicalSearch(ctx context.Context, q store.LexQuery) ([]store.LexHit, error) {
	if b.lexical {
		return nil, errBroken
	}
	return b.Store.LexicalSearch(ctx, q)
}

func (b broken) ItemVectors(context.Context, string, string, int, []store.Item) ([][][]float32, error) {
	return nil, errBroken
}

func (b broken) VectorSearch(ctx context.Context, q store.VecQuery) ([]store.VecHit, error) {
	if b.vectors {
		return nil, errBroken
	}
	return b.Store.VectorSearch(ctx, q)
}

func TestATurnNeverFailsForRecall(t *testing.T) {
	h := newHouse(t)
	h.say(noise(50)...)
	h.say("My bicycle is called Comet")
	q := Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, MessageID: "m", Text: "what is my bicycle called", Cap: 1500}

	rc, err := New(Deps{Store: broken{Store: h.Store, lexical: true}}).For(t.Context(), q)
	if !errors.Is(err, errBroken) || rc.MessageID != "m" || rc.Candidates == nil || len(takenTexts(rc)) > 0 {
		t.Errorf("with a broken database: %+v, %v", rc, err)
	}
	whys := map[string]memory.WordsOnly{"no embedder": memory.WordsNoEmbedder, "embedder too slow": memory.WordsLate}
	for name, d := range map[string]Deps{
		"no embedder": {Store: h.Store, Model: named(""), Embedder: letters(8)},
		"engine not running": {Store: h.Store, Model: named("m"), Embedder: embedder(func(engine.EmbedRequest) ([][]float32, error) {
			return nil, memory.Errorf(memory.EENGINE, "embed", "connection refused")
		})},
		"embedder too slow": {Store: h.Store, Model: named("m"), Patience: time.Millisecond, Embedder: slow{make(chan struct{}), new(int)}},
		"vector of zeros": {Store: h.Store, Model: named("m"), Embedder: embedder(func(r engine.EmbedRequest) ([][]float32, error) {
			return [][]float32{make([]float32, 8)}, nil
		})},
		"vector search broken": {Store: broken{Store: h.Store, vectors: true}, Model: named("m"), Embedder: letters(8)},
	} {
		rc, err := New(d).For(t.Context(), q)
		if err != nil || rc.Vectors || !slices.Contains(takenTexts(rc), "My bicycle is called Comet") {
			t.Errorf("%s: %q, vectors %v, %v; want the memory by its words", name, takenTexts(rc), rc.Vectors, err)
		}
		if want := cmp.Or(whys[name], memory.WordsFailed); rc.WordsOnly != want {
			t.Errorf("%s: by words alone since %q, want %q", name, rc.WordsOnly, want)
		}
	}
	if rc, err = New(Deps{Store: broken{Store: h.Store}, Model: named("m"), Embedder: letters(8)}).For(t.Context(), q); err != nil || len(takenTexts(rc)) == 0 {
		t.Errorf("vectors that cannot be read: %q, %v", takenTexts(rc), err)
	}
}

// themes is an embedder that knows what some words are about, in two languages.
func themes(r engine.EmbedRequest) ([][]float32, error) {
	about := []([]string){
		{"dog", "puppy", "hound", "terrier", "狗", "小狗"},
		{"car", "vehicle", "sedan", "drive", "汽车"},
		{"salary", "income", "earn", "工资", "赚"},
		{"fence", "篱笆"},
		{"election", "选举"},
		{"cake", "蛋糕"},
		{"suitcase", "行李"},
		{"volcano", "火山"},
		{"sofa", "沙发"},
		{"noise", "吵"},
		{"tomato", "西红柿"},
		{"bus", "末班车"},
		{"mural", "壁画"},
		{"window", "窗户"},
		{"coin", "古币"},
		{"noted"},
	}
	vs := make([][]float32, len(r.Texts))
	for i, text := range r.Texts {
		vs[i] = make([]float32, len(about)+33)
		own := strings.Split(text, "\n")
		vs[i][len(about)] = 1 // what all texts have in common
		h := 0
		for _, c := range own[len(own)-1] {
			h = h*31 + int(c)
		}
		vs[i][len(about)+1+(h&0xffff)%32] = .5 // and what is peculiar to each
		for j, ws := range about {
			for _, w := range ws {
				if strings.Contains(strings.ToLower(text), w) {
					vs[i][j] = 2
				}
			}
		}
	}
	return vs, nil
}

func TestMeaningIsFoundWithoutACommonWord(t *testing.T) {
	h := newHouse(t)
	h.say(noise(100)...)
	h.say("Our terrier sleeps in the kitchen")
	h.say("我买了一辆新汽车")
	d := Deps{Store: h.Store, Embedder: embedder(themes), Model: named("themes"), Patience: time.Minute}
	var r *Recall
	indexUntil(t, d, func(x *Recall) bool { r = x; return h.embedded("themes") })
	for asked, said := range map[string]string{"Which puppy do we have?": "Our terrier sleeps in the kitchen", "what vehicle did I get": "我买了一辆新汽车"} {
		rc := h.ask(r, asked)
		if taken := takenTexts(rc); !rc.Vectors || len(taken) == 0 || taken[0] != said {
			t.Errorf("%q brings %q, vectors %v, want %q", asked, taken, rc.Vectors, said)
		}
		if rc.Candidates[0].SemRank != 1 || rc.Candidates[0].Semantic != 1 {
			t.Errorf("first candidate %+v", rc.Candidates[0])
		}
	}
	if taken := takenTexts(h.ask(r, "QQQQ")); len(taken) > 0 {
		t.Errorf("nonsense brings %q", taken)
	}
}

// embedded tells whether every text has its vectors.
func (h *house) embedded(model string) bool {
	sets, err := h.EmbeddingSets(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.ContainsFunc(sets, func(s store.EmbeddingSet) bool { return s.Model == model && s.Done > 0 && s.Pending == 0 })
}

func TestInjectedTextIsNotIndexed(t *testing.T) {
	h := newHouse(t)
	c, err := h.CreateConversation(t.Context(), memory.Conversation{AgentID: h.agent.ID})
	if err != nil {
		t.Fatal(err)
	}
	m, err := h.AddMessage(t.Context(), memory.Message{
		ConversationID: c.ID, AgentID: h.agent.ID, Role: memory.RoleUser, Content: "good evening",
		Status: memory.StatusComplete,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.SetPreamble(t.Context(), m.ID, "<recalled>the zeppelin hangar is in Friedrichshafen</recalled>"); err != nil {
		t.Fatal(err)
	}
	if rc := h.ask(h.recall(), "where is the zeppelin hangar?"); rc.Considered > 0 {
		t.Errorf("found its own injection: %+v", rc.Candidates)
	}
	// A model may copy what it was given; what it says besides is its own.
	for _, says := range []string{"You told me:\n<recalled>\nthe zeppelin hangar is in Friedrichshafen\n</recalled>\nIt smells of marzipan.", "<recalled>\nthe zeppelin hangar"} {
		if _, err := h.AddMessage(t.Context(), memory.Message{
			ConversationID: c.ID, AgentID: h.agent.ID, Role: memory.RoleAssistant, Content: says, Status: memory.StatusComplete,
		}); err != nil {
			t.Fatal(err)
		}
	}
	if rc := h.ask(h.recall(), "where is the zeppelin hangar?"); rc.Considered > 0 {
		t.Errorf("found a copy of its own injection: %+v", rc.Candidates)
	}
	if rc := h.ask(h.recall(), "what smells of marzipan?"); rc.Considered == 0 {
		t.Error("what the model said itself is not found")
	}
}

func TestSearchMessagesFiltersBeforeTheLimit(t *testing.T) {
	h := newHouse(t)
	h.now = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	h.say("the harbour on the first of March")
	h.now = time.Date(2026, 3, 5, 23, 30, 0, 0, time.UTC)
	last := h.say("the harbour on the fifth of March")
	h.now = time.Date(2026, 3, 6, 8, 0, 0, 0, time.UTC)
	for range 30 {
		h.say("the harbour harbour harbour on the sixth")
	}
	r := h.recall()
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	got, _, err := r.SearchMessages(t.Context(), h.agent.ID, "harbour", nil, day(2), day(5), 1, "")
	if err != nil || len(got) != 1 || got[0].ID != last[0] {
		t.Errorf("2 to 5 March: %+v, %v; want the message of the evening of the fifth", got, err)
	}
	got, _, err = r.SearchMessages(t.Context(), h.agent.ID, "harbour", []memory.Role{memory.RoleAssistant}, time.Time{}, time.Time{}, 10, "")
	for _, c := range got {
		if c.Role != memory.RoleAssistant {
			t.Errorf("a message of the %s, want only the assistant's", c.Role)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

func TestBrowsingByDateWithoutAQuery(t *testing.T) {
	h := newHouse(t)
	for d := 1; d <= 5; d++ {
		h.now = time.Date(2026, 3, d, 22, 0, 0, 0, time.UTC)
		h.say(fmt.Sprintf("evening of day %d", d))
	}
	r := h.recall()
	var seen []string
	cursor := ""
	for {
		got, next, err := r.SearchMessages(t.Context(), h.agent.ID, "", []memory.Role{memory.RoleUser}, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
			time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC), 2, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got {
			seen = append(seen, c.Text)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if want := []string{"evening of day 2", "evening of day 3", "evening of day 4"}; !slices.Equal(seen, want) {
		t.Errorf("browsed %q, want %q", seen, want)
	}
}

// The end day is included to its last minute and no further, in the zone it is named in, also where the clocks change on it.
func TestTheEndDayIsIncludedWhole(t *testing.T) {
	for name, day := range map[string][3]int{"Europe/Berlin": {2026, 3, 29}, "America/Sao_Paulo": {2018, 11, 4}, "Africa/Cairo": {2023, 4, 28}, "Pacific/Kiritimati": {2026, 5, 2}} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		h := newHouse(t)
		at := func(days, hour, minute int) time.Time {
			return time.Date(day[0], time.Month(day[1]), day[2]+days, hour, minute, 0, 0, zone)
		}
		for _, when := range []time.Time{at(-1, 23, 30), at(0, 1, 30), at(0, 23, 50), at(1, 0, 10)} {
			h.now = when.Add(-time.Minute).UTC()
			h.say("harbour at " + when.Format("02 15:04"))
		}
		start := memory.DayStart(day[0], time.Month(day[1]), day[2], zone)
		for _, query := range []string{"", "harbour"} {
			got, _, err := h.recall().SearchMessages(t.Context(), h.agent.ID, query, []memory.Role{memory.RoleUser}, start, start, 10, "")
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, c := range got {
				texts = append(texts, c.Text)
			}
			slices.Sort(texts)
			want := []string{"harbour at " + at(0, 1, 30).Format("02 15:04"), "harbour at " + at(0, 23, 50).Format("02 15:04")}
			if !slices.Equal(texts, want) {
				t.Errorf("%s, %q: found %q, want %q", name, query, texts, want)
			}
		}
	}
}

func TestPassagesAreFoundWhileTheQueryIsTyped(t *testing.T) {
	h := newHouse(t)
	h.note("The bicycle stands in the hallway.")
	h.note("Happiness is a warm stove.")
	h.note("工作室的租约在五月到期。")
	r := h.recall()
	for typed, want := range map[string]int{
		"bi": 0, "bic": 1, "bicy": 1, "bicycl": 1, "the BICYCLE st": 1, "happ": 1, "happy": 1, "hallw ": 0, "租": 1, "租约": 1, "": 0, `"*`: 0,
	} {
		got, _, err := r.TypePassages(t.Context(), h.agent.ArchiveID, typed, nil, "", time.Time{}, time.Time{}, 10, "")
		if err != nil || len(got) != want {
			t.Errorf("%q finds %d (%v), want %d", typed, len(got), err, want)
		}
	}
}

func TestSearchPassagesByTagsAndPages(t *testing.T) {
	h := newHouse(t)
	for i := range 50 {
		tags := []string{"garden"}
		if i%2 == 0 {
			tags = append(tags, "spring")
		}
		h.note(fmt.Sprintf("Bed %d holds tulips", i), tags...)
	}
	r := h.recall()
	search := func(query string, tags []string, mode string, limit int) (texts []string) {
		t.Helper()
		cursor := ""
		for {
			got, next, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, query, tags, mode, time.Time{}, time.Time{}, limit, cursor)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) > limit {
				t.Fatalf("%d results with a limit of %d", len(got), limit)
			}
			for _, c := range got {
				texts = append(texts, c.Text)
			}
			if cursor = next; cursor == "" {
				return texts
			}
		}
	}
	for _, c := range []struct {
		query string
		tags  []string
		mode  string
		want  int
	}{
		{"tulips", nil, "", 50},
		{"tulips", []string{"garden", "spring"}, "any", 50},
		{"tulips", []string{"garden", "spring"}, "all", 25},
		{"tulips", []string{"autumn"}, "any", 0},
		{"", []string{"spring"}, "any", 25},
		{"", nil, "", 50},
		{"zeppelin", nil, "", 0},
	} {
		got := search(c.query, c.tags, c.mode, 20)
		slices.Sort(got)
		if n := len(slices.Compact(got)); n != c.want {
			t.Errorf("%q with tags %v (%s): %d passages over all pages, want %d", c.query, c.tags, c.mode, n, c.want)
		}
	}
	if got := search("tulips", nil, "", 100); len(got) != 50 {
		t.Errorf("top_k 100: %d, want all 50", len(got))
	}
	if _, _, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, "tulips", nil, "", time.Time{}, time.Time{}, 5, "nonsense"); memory.CodeOf(err) != memory.EINVALID {
		t.Errorf("a foreign cursor: %v, want EINVALID", err)
	}
}

func TestSayings(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"my bike is called Comet", "remember that my bike is called Comet", true},
		{"I live in Paris", "I live in Rome", false},
		{"I like tea", "I don't like tea", false},
		{"the code is 7391", "the code is 7392", false},
		{"我喜欢茶", "我不喜欢茶", false},
		{"我的猫叫年糕", "记住我的猫叫年糕", true},
		{"the", "anything", false},
	} {
		if got := newSaying(c.a).within(newSaying(c.b)); got != c.want {
			t.Errorf("%q within %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestALongMessageIsFoundInThePieceThatMatches(t *testing.T) {
	h := newHouse(t)
	h.say(noise(10)...)
	var b strings.Builder
	for i, thing := range []string{"kettle", "lantern", "anvil", "trumpet"} {
		fmt.Fprintf(&b, "## Room %d\n\n", i+1)
		b.WriteString(strings.Repeat("The "+thing+" was bought in the old town and is kept dry in winter. ", 14) + "\n\n")
	}
	id := h.say(b.String())[0]
	rc := h.ask(h.recall(), "Where was the trumpet bought?")
	if len(rc.Candidates) == 0 || rc.Candidates[0].ID != id || !rc.Candidates[0].Taken || !strings.Contains(rc.Candidates[0].Text, "trumpet") ||
		strings.Contains(rc.Candidates[0].Text, "lantern") {
		t.Errorf("%+v", rc.Candidates)
	}
	times := 0
	for _, c := range rc.Candidates {
		if c.ID == id {
			times++
		}
	}
	if times != 1 {
		t.Errorf("the message is there %d times", times)
	}
}

// Scores are numbers also where a short talk says the same few things over and over.
func TestATalkThatRepeatsItselfIsScored(t *testing.T) {
	h := newHouse(t)
	for i := range 60 {
		h.say(fmt.Sprintf("Where does the spare key of cottage %d hang, and who says so today?", i%12))
		for _, c := range h.ask(h.recall(), "Where does the spare key of cottage 3 hang, and who says so today?").Candidates {
			if !(c.Score < 1 && c.Score > -100) {
				t.Fatalf("turn %d: %q has the score %v", i, c.Text, c.Score)
			}
		}
	}
}
