package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// find returns what a search for words finds in the agent's memory, best first.
func (w *world) find(a memory.Agent, words string, change ...func(*LexQuery)) []string {
	w.t.Helper()
	q := LexQuery{AgentID: a.ID, ArchiveID: a.ArchiveID, Terms: segment.Query(words)}
	for _, f := range change {
		f(&q)
	}
	hits, err := w.LexicalSearch(w.ctx, q)
	must(w.t, err)
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
		if i > 0 && h.Rank > hits[i-1].Rank {
			w.t.Errorf("result %d ranks higher than the one before it", i)
		}
	}
	return ids
}

func TestSearchNewestFirst(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	var want []string
	for i := range 5 {
		p := w.passage(a.ArchiveID, strings.Repeat("heron ", 5-i)+strconv.Itoa(i))
		want = append([]string{p.ID}, want...)
	}
	hits, err := w.LexicalSearch(w.ctx, LexQuery{ArchiveID: a.ArchiveID, Terms: []string{`"heron"`}, Newest: true, Limit: 3})
	must(t, err)
	for i, h := range hits {
		wantEqual(t, "hit", h.ID, want[i])
	}
	wantEqual(t, "hits", len(hits), 3)
}

func TestSearchDoesNotWaitForWhoWrites(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	p := w.passage(a.ArchiveID, "a heron in the reeds")
	writing, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- w.write(w.ctx, "write", lazy, func(*tx) error { close(writing); <-end; return nil })
	}()
	<-writing
	wantEqual(t, "found", fmt.Sprint(w.find(a, "heron")), fmt.Sprint([]string{p.ID}))
	items, err := w.Items(w.ctx, []Ref{{KindPassage, p.ID}})
	must(t, err)
	wantEqual(t, "items", len(items), 1)
	close(end)
	must(t, <-ended)
}

func TestSearchThatIsStoppedLeavesWritingAlone(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	for i := range 300 {
		w.passage(a.ArchiveID, fmt.Sprintf("heron %d", i))
	}
	for i := range 50 {
		ctx, cancel := context.WithCancel(w.ctx)
		stopped := make(chan struct{})
		go func() { defer close(stopped); cancel() }()
		_, err := w.LexicalSearch(ctx, LexQuery{ArchiveID: a.ArchiveID, Terms: []string{`"heron"`}})
		if err != nil && memory.CodeOf(err) != memory.ECANCELLED {
			t.Fatal(err)
		}
		w.passage(a.ArchiveID, fmt.Sprintf("egret %d", i))
		<-stopped
	}
	wantEqual(t, "stored", len(w.find(a, "egret", func(q *LexQuery) { q.Limit = 100 })), 50)
}

func TestSearchFindsTextsByTheirWords(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	for i := range 20 { // so that the words below are rare
		w.say(c.ID, memory.RoleUser, fmt.Sprintf("filler number %d about nothing", i))
	}
	bicycle := w.say(c.ID, memory.RoleUser, "My bicycles are called Comet and Halley")
	for range 3 {
		w.say(c.ID, memory.RoleAssistant, "something else entirely")
	}
	cat := w.say(c.ID, memory.RoleUser, "记住我的猫叫年糕。")
	passage := w.passage(a.ArchiveID, "Ｆｉｓｈ for the café", "pets")
	for _, tc := range []struct{ name, words, want string }{
		{"stem", "bicycle", bicycle.ID},
		{"name", "what is comet's brother?", bicycle.ID},
		{"chinese pair", "年糕", cat.ID},
		{"chinese question", "你还记得年糕吗", cat.ID},
		{"one character", "猫", cat.ID},
		{"last character of a run", "糕", cat.ID},
		{"full width", "fish", passage.ID},
		{"accent", "cafe", passage.ID},
		{"tag", "pets", passage.ID},
		{"syntax is only words", `comet" AND own:x* NEAR(`, bicycle.ID},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if ids := w.find(a, tc.words); len(ids) == 0 || ids[0] != tc.want {
				t.Errorf("found %v, want %s first", ids, tc.want)
			}
		})
	}
	if ids := w.find(a, "QQQQ"); len(ids) != 0 {
		t.Errorf("nonsense finds %v", ids)
	}
}

func TestSearchSeesNeighboursButNoPreamble(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	question := w.say(c.ID, memory.RoleUser, "Which dish shall we cook?")
	must(t, w.SetPreamble(w.ctx, question.ID, "<recalled>the password is swordfish</recalled>"))
	m, err := w.AddMessage(w.ctx, memory.Message{
		ConversationID: c.ID, ParentID: question.ID, Role: memory.RoleUser, Content: "Tell me", Preamble: "swordfish again",
	})
	must(t, err)
	answer := w.say(c.ID, memory.RoleAssistant, "Ratatouille")
	if ids := w.find(a, "ratatouille"); !slices.Contains(ids, answer.ID) || !slices.Contains(ids, m.ID) || ids[0] != answer.ID {
		t.Errorf("found %v, want the answer first and the message before it", ids)
	}
	if ids := w.find(a, "swordfish"); len(ids) != 0 {
		t.Errorf("recalled text is found in %v", ids)
	}
	w.rebuildIndexes()
	if ids := w.find(a, "swordfish"); len(ids) != 0 {
		t.Errorf("after rebuilding, recalled text is found in %v", ids)
	}
}

func TestSearchKeepsAgentsApart(t *testing.T) {
	w := newWorld(t)
	a, b := w.agent(), w.agent()
	mine := w.say(w.conversation(a).ID, memory.RoleUser, "the secret garden")
	w.say(w.conversation(b).ID, memory.RoleUser, "the secret cellar")
	w.passage(b.ArchiveID, "a secret passage")
	if ids := w.find(a, "secret"); !slices.Equal(ids, []string{mine.ID}) {
		t.Errorf("found %v, want only %s", ids, mine.ID)
	}
	if ids := w.find(a, "owner2 owner3 scope"); len(ids) != 0 {
		t.Errorf("the word for an owner finds %v", ids)
	}
}

// Whoever has most of the texts is searched for in another way than who has few: both find their own, in the same order.
func TestSearchKeepsAgentsApartWhateverTheyHave(t *testing.T) {
	w := newWorld(t)
	small, large := w.agent(), w.agent()
	c := w.conversation(small)
	first := w.say(c.ID, memory.RoleUser, "the secret garden of secrets is secret")
	second := w.passage(small.ArchiveID, "one secret among many other words that nobody keeps")
	alone := w.find(small, "secret")
	if !slices.Equal(alone, []string{first.ID, second.ID}) {
		t.Fatalf("found %v", alone)
	}
	theirs := make([]memory.Passage, 40)
	for i := range theirs {
		theirs[i] = memory.Passage{ArchiveID: large.ArchiveID, Text: fmt.Sprintf("secret %d", i)}
	}
	_, err := w.CreatePassages(w.ctx, theirs, memory.Cause{Actor: memory.ActorUser})
	must(t, err)
	if ids := w.find(small, "secret"); !slices.Equal(ids, alone) {
		t.Errorf("beside 40 texts of another agent found %v, want %v", ids, alone)
	}
	if ids := w.find(large, "secret"); len(ids) != len(theirs) || slices.Contains(ids, first.ID) || slices.Contains(ids, second.ID) {
		t.Errorf("the other agent finds %d texts, want its own %d", len(ids), len(theirs))
	}
	third := w.say(c.ID, memory.RoleUser, "another secret")
	if ids := w.find(small, "secret"); !slices.Contains(ids, third.ID) {
		t.Errorf("what was just said is not in %v", ids)
	}
	w.reopen()
	if ids := w.find(small, "garden"); !slices.Contains(ids, first.ID) || slices.Contains(ids, theirs[0].ID) {
		t.Errorf("after a restart found %v", ids)
	}
}

func TestSearchFilters(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	first := w.say(c.ID, memory.RoleUser, "apples")
	w.pass(24 * time.Hour)
	noon := w.now()
	second := w.say(c.ID, memory.RoleAssistant, "apples")
	red := w.passage(a.ArchiveID, "apples are red", "fruit", "red")
	green := w.passage(a.ArchiveID, "apples are green", "fruit")
	for _, tc := range []struct {
		name   string
		filter func(*LexQuery)
		want   []string
	}{
		{"messages", func(q *LexQuery) { q.Kinds = []string{KindMessage} }, []string{first.ID, second.ID}},
		{"passages", func(q *LexQuery) { q.Kinds = []string{KindPassage} }, []string{red.ID, green.ID}},
		{"role", func(q *LexQuery) { q.Roles = []memory.Role{memory.RoleAssistant} }, []string{second.ID, red.ID, green.ID}},
		{"after is inclusive", func(q *LexQuery) { q.After = noon }, []string{second.ID, red.ID, green.ID}},
		{"before is exclusive", func(q *LexQuery) { q.Before = noon }, []string{first.ID}},
		{"zone does not matter", func(q *LexQuery) { q.Before = noon.In(time.FixedZone("", 8*3600)) }, []string{first.ID}},
		{"any tag", func(q *LexQuery) { q.Tags = []string{"red", "fruit"} }, []string{red.ID, green.ID}},
		{"all tags", func(q *LexQuery) { q.Tags, q.TagMode = []string{"red", "fruit"}, "all" }, []string{red.ID}},
		{"no such tag", func(q *LexQuery) { q.Tags = []string{"blue"} }, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := w.find(a, "apples", tc.filter)
			slices.Sort(got)
			want := slices.Sorted(slices.Values(tc.want))
			if !slices.Equal(got, want) {
				t.Errorf("found %v, want %v", got, want)
			}
		})
	}
	t.Run("pages", func(t *testing.T) {
		whole := w.find(a, "apples")
		var paged []string
		for i := range whole {
			paged = append(paged, w.find(a, "apples", func(q *LexQuery) { q.Offset, q.Limit = i, 1 })...)
		}
		if !slices.Equal(paged, whole) {
			t.Errorf("pages are %v, the whole is %v", paged, whole)
		}
	})
}

func TestDeletedConversationIsNotFoundUntilItIsBack(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.VectorCacheBytes = 1 << 20 })
	a := w.agent()
	c := w.conversation(a)
	m := w.say(c.ID, memory.RoleUser, "the lighthouse")
	w.embedAll("m", 8)
	near := func() int {
		hits, err := w.VectorSearch(w.ctx, VecQuery{Model: "m", View: ViewOwn, Vector: vectorOf(1, 8), AgentID: a.ID})
		must(t, err)
		return len(hits)
	}
	near()
	w.awaitCache()
	yes, no := true, false
	_, err := w.UpdateConversation(w.ctx, c.ID, ConversationChange{Deleted: &yes})
	must(t, err)
	wantEqual(t, "words found", len(w.find(a, "lighthouse")), 0)
	wantEqual(t, "vectors found", near(), 0)
	_, err = w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, Role: memory.RoleUser, Content: "more"})
	wantCode(t, err, memory.ENOTFOUND)
	_, err = w.UpdateConversation(w.ctx, c.ID, ConversationChange{Deleted: &no})
	must(t, err)
	if ids := w.find(a, "lighthouse"); !slices.Equal(ids, []string{m.ID}) {
		t.Errorf("found %v", ids)
	}
	wantEqual(t, "vectors found", near(), 1)
}

func TestDocFrequencies(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	w.passage(a.ArchiveID, "red apples")
	w.passage(a.ArchiveID, "green apple")
	total, df, err := w.DocFrequencies(w.ctx, segment.Query("apples red plum"))
	must(t, err)
	wantEqual(t, "total", total, 2)
	if !slices.Equal(df, []int{2, 1, 0}) {
		t.Errorf("frequencies are %v", df)
	}
	w.passage(a.ArchiveID, "plum")
	total, _, err = w.DocFrequencies(w.ctx, nil)
	must(t, err)
	wantEqual(t, "total", total, 3)
}

// The counts of common words are remembered. They follow what is added, and a rare word is never missed.
func TestDocFrequenciesFollowTheTexts(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	n := 0
	add := func(more int) {
		ps := make([]memory.Passage, more)
		for i := range ps {
			ps[i] = memory.Passage{ArchiveID: a.ArchiveID, Text: fmt.Sprintf("apple %d", n+i)}
		}
		_, err := w.CreatePassages(w.ctx, ps, memory.Cause{Actor: memory.ActorImport})
		must(t, err)
		n += more
	}
	count := func(word string) int {
		_, df, err := w.DocFrequencies(w.ctx, segment.Query(word))
		must(t, err)
		return df[0]
	}
	add(2 * commonWord)
	wantEqual(t, "texts with the common word", count("apple"), n)
	wantEqual(t, "texts with a word nobody said", count("plum"), 0)
	w.passage(a.ArchiveID, "a plum")
	wantEqual(t, "texts with a new word", count("plum"), 1)
	for range 5 {
		add(commonWord / 2)
		if got := count("apple"); got > n || n-got > n/staleAfter {
			t.Errorf("%d texts have the common word, counted were %d", n, got)
		}
	}
	w.rebuildIndexes()
	wantEqual(t, "texts after rebuilding", count("apple"), n)
	w.reopen()
	wantEqual(t, "texts after a restart", count("apple"), n)
}

func TestNeighboursSkipToolSteps(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	w.say(c.ID, memory.RoleUser, "Where is the kettle?")
	w.say(c.ID, memory.RoleTool, "{}")
	answer := w.say(c.ID, memory.RoleAssistant, "Upstairs")
	w.say(c.ID, memory.RoleTool, "{}")
	w.say(c.ID, memory.RoleUser, "Thanks, a marigold for you")
	for _, word := range []string{"kettle", "marigold"} {
		if ids := w.find(a, word); !slices.Contains(ids, answer.ID) {
			t.Errorf("%q finds %v, not the message beside it", word, ids)
		}
	}
}

func TestRebuildingFindsTheSame(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	words := newWords(3)
	var last memory.Message
	for i := range 40 {
		role := memory.RoleUser
		if i%2 == 1 {
			role = memory.RoleAssistant
		}
		last = w.say(c.ID, role, words.sentence(12))
	}
	w.sayAfter(c.ID, last.ParentID, memory.RoleAssistant, words.sentence(12)) // another branch
	w.passage(a.ArchiveID, words.sentence(12))
	queries := make([]string, 20)
	before := make([][]string, len(queries))
	for i := range queries {
		queries[i] = words.sentence(4)
		before[i] = w.find(a, queries[i])
	}
	w.rebuildIndexes()
	for i, q := range queries {
		if after := w.find(a, q); !slices.Equal(before[i], after) {
			t.Errorf("%q found %v, and after rebuilding %v", q, before[i], after)
		}
	}
}

func TestConversationsAreFoundByTitleAndWords(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	cats := w.conversation(a)
	w.pass(time.Second)
	other, err := w.CreateConversation(w.ctx, memory.Conversation{AgentID: a.ID, Title: "100% wool"})
	must(t, err)
	w.say(other.ID, memory.RoleUser, "knitting a pullover")
	for query, want := range map[string]string{"ABOUT c": cats.ID, "0% w": other.ID, "pullovers": other.ID, "_": "", "%": other.ID} {
		list, _, err := w.Conversations(w.ctx, ConversationFilter{Query: query})
		must(t, err)
		got := ""
		if len(list) == 1 {
			got = list[0].ID
		}
		if got != want || len(list) > 1 {
			t.Errorf("%q finds %v, want %q", query, list, want)
		}
	}
}

// Who writes in traditional characters is found in simplified ones and the other way round, also what an earlier version
// indexed as it was written.
func TestTraditionalAndSimplifiedAreOne(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	traditional := w.say(c.ID, memory.RoleUser, "我的貓叫年糕，住在臺北")
	simplified := w.passage(a.ArchiveID, "新买的电脑放在书房里")
	long := w.say(w.conversation(a).ID, memory.RoleUser, longText("kettle", "lantern", "anvil")+" 圖書館")
	find := func(text string) []string { return w.find(a, text) }
	check := func(when string) {
		t.Helper()
		for text, want := range map[string]string{
			"猫 台北": traditional.ID, "貓 臺北": traditional.ID, "電腦 書房": simplified.ID, "电脑": simplified.ID, "图书馆": long.ID, "ｌａｎｔｅｒｎ": long.ID,
		} {
			if got := find(text); len(got) == 0 || got[0] != want {
				t.Errorf("%s: %q finds %q, want %q first", when, text, got, want)
			}
		}
	}
	check("new")
	must(t, w.write(w.ctx, "test", kept, func(t *tx) error { // as an earlier version left it
		key, err := t.key(Ref{KindMessage, traditional.ID})
		if err != nil {
			return err
		}
		owner, err := one(t.ctx, t, value[int64], "SELECT owner FROM item WHERE key = ?", key)
		if err != nil {
			return err
		}
		if err := t.run("search_put", key, "我的 的貓 貓叫 叫年 年糕 糕 住在 在臺 臺北 北", "", "", "", scope(owner)); err != nil {
			return err
		}
		return t.run("meta_delete", indexVersion)
	}))
	if found := find("猫 台北"); len(found) > 0 && found[0] == traditional.ID {
		t.Error("an earlier version found it")
	}
	w.reopen()
	w.work.Wait()
	check("indexed anew")
	if marks, err := all(w.ctx, w.Store, value[string], "meta_get", indexBelow); err != nil || len(marks) != 0 {
		t.Errorf("it is not over: %v, %v", marks, err)
	}
}

func TestWhatComesAfterAnUpgradeIsNotIndexedAnew(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	before := w.say(c.ID, memory.RoleUser, "said before the upgrade")
	w.work.Wait()
	must(t, w.write(w.ctx, "test", kept, func(t *tx) error {
		if err := t.run("meta_delete", indexVersion); err != nil {
			return err
		}
		return t.noteIndexVersion()
	}))
	after := w.say(c.ID, memory.RoleUser, "said after it")
	marks, err := all(w.ctx, w.Store, value[string], "meta_get", indexBelow)
	must(t, err)
	must(t, w.write(w.ctx, "test", kept, func(tx *tx) error {
		old, err := tx.key(Ref{KindMessage, before.ID})
		must(t, err)
		fresh, err := tx.key(Ref{KindMessage, after.ID})
		must(t, err)
		if len(marks) != 1 || marks[0] <= strconv.FormatInt(old, 10) || marks[0] > strconv.FormatInt(fresh, 10) {
			t.Errorf("texts below %v are indexed anew; before it is %d, after it %d", marks, old, fresh)
		}
		return nil
	}))
}
