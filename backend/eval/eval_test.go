package eval

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"recollect/backend/engine"
	"recollect/backend/memory"
)

// write puts files of a small data set into a folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const smallLoCoMo = `[{"sample_id": "conv-1", "conversation": {
	"speaker_a": "Ann", "speaker_b": "Bob",
	"session_1_date_time": "1:56 pm on 8 May, 2023",
	"session_1": [
		{"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a parrot named Kiwi."},
		{"speaker": "Bob", "dia_id": "D1:2", "text": "Lovely! I went sailing on the lake.", "blip_caption": "a photo of a sailing boat"}],
	"session_2_date_time": "10:37 am on 27 June, 2023",
	"session_2": [
		{"speaker": "Bob", "dia_id": "D2:1", "text": "My new job at the observatory starts on Monday."},
		{"speaker": "Ann", "dia_id": "D2:2", "text": "Congratulations on that!"}]},
  "qa": [
	{"question": "What is the name of Ann's parrot?", "answer": "Kiwi", "evidence": ["D1:1"], "category": 4},
	{"question": "Where does Bob start his new job on Monday, and where did he go sailing on the lake?", "evidence": ["D:2:01; D1:2", "D9:9"], "category": 1},
	{"question": "What about nothing?", "evidence": [], "category": 5}]}]`

// loaded returns what a set reads from files.
func loaded(t *testing.T, name string, files map[string]string) []Dialogue {
	t.Helper()
	set, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := set.Load(write(t, files), "")
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func TestLoadLoCoMo(t *testing.T) {
	for _, folder := range []string{"", "locomo/"} {
		ds := loaded(t, "locomo", map[string]string{folder + "locomo_small.json": smallLoCoMo})
		if len(ds) != 1 || len(ds[0].Texts) != 4 || len(ds[0].Questions) != 3 {
			t.Fatalf("loaded %+v", ds)
		}
		boat := ds[0].Texts[1]
		if boat.ID != "D1:2" || boat.Session != 1 || boat.Speaker != "Bob" || !strings.Contains(boat.Text, "[a photo of a sailing boat]") ||
			!boat.Date.Equal(time.Date(2023, 5, 8, 13, 56, 30, 0, time.UTC)) {
			t.Errorf("second turn %+v", boat)
		}
		if q := ds[0].Questions[1]; !slices.Equal(q.Evidence, []string{"D2:1", "D1:2"}) || q.Category != "multi-hop" || q.ID != "conv-1/2" {
			t.Errorf("second question %+v, want its ids repaired and the unknown one left out", q)
		}
	}
}

func TestEvidence(t *testing.T) {
	texts := []Text{{ID: "D1:1"}, {ID: "D1:2"}, {ID: "D1:3"}, {ID: "D11:26"}, {ID: "D30:5"}}
	for raw, want := range map[string][]string{
		`["D1:3", "D1:1"]`:           {"D1:3", "D1:1"},
		`["D1:1; D11:26,D30:05"]`:    {"D1:1", "D11:26", "D30:5"},
		`"D:11:26"`:                  {"D11:26"},
		`["D1:1-D1:3", "D1:2"]`:      {"D1:1", "D1:2", "D1:3"},
		`["D1:2 - D11:26"]`:          {"D1:2", "D1:3", "D11:26"},
		`["D1:3-D1:1"]`:              {"D1:3", "D1:1"}, // no range
		`["D9:9", "D", "D1:1 D1:1"]`: {"D1:1"},
		`[]`:                         nil,
		`null`:                       nil,
	} {
		var e evidence
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		if got := e.ids(texts); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

func TestLoadRealTalk(t *testing.T) {
	ds := loaded(t, "realtalk", map[string]string{"realtalk/Chat_1_Emi_Elise.json": `{"name": {"speaker_1": "Emi", "speaker_2": "Elise"},
		"session_10": [{"clean_text": "The exam went well.", "speaker": "Elise", "date_time": "02.01.2024, 09:00:00", "dia_id": "D10:1"}],
		"session_2": [
			{"clean_text": "I bought a kayak.", "speaker": "Emi", "date_time": "28.12.2023, 20:02:02", "dia_id": "D2:1"},
			{"clean_text": "", "blip_caption": "a red kayak", "speaker": "Emi", "date_time": "28.12.2023, 20:02:01", "dia_id": "D2:2"},
			{"clean_text": "Nice!", "speaker": "Elise", "date_time": "28.12.2023, 20:05:00", "dia_id": "D2:3"}],
		"events_session_2": {"Emi": []},
		"qa": [{"question": "What did Emi buy?", "answer": "a kayak", "evidence": ["D2:1-D2:3"], "category": 3}]}`})
	d := ds[0]
	if len(d.Texts) != 4 || d.Texts[3].ID != "D10:1" || d.Texts[1].Text != "[a red kayak]" || d.Texts[1].Date.Before(d.Texts[0].Date) ||
		!d.Texts[0].Date.Equal(time.Date(2023, 12, 28, 20, 2, 2, 0, time.UTC)) {
		t.Errorf("turns %+v", d.Texts)
	}
	if q := d.Questions[0]; len(q.Evidence) != 3 || q.Category != "commonsense" || q.ID != "Chat_1_Emi_Elise/1" {
		t.Errorf("question %+v", q)
	}
}

const smallBEAM = `[{"batch_number": 1, "turns": [[
	{"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "The dashboard answers in 900 ms. ->-> 1,1"},
	{"role": "assistant", "id": 1, "content": "Noted."}]]},
	{"batch_number": 2, "turns": [[{"role": "user", "id": 2, "time_anchor": "April-02-2024", "content": "After caching the dashboard answers in 250 ms. ->-> 2,1"}]]}]`

func TestLoadBEAM(t *testing.T) {
	ds := loaded(t, "beam-updates", map[string]string{
		"beam_100k/1/chat.json": smallBEAM, "beam_100k/10/chat.json": smallBEAM, "beam_100k/2/chat.json": smallBEAM,
		"beam_100k/1/probing_questions.json":  `{"abstention": [], "knowledge_update": [{"question": "How fast is the dashboard?", "source_chat_ids": {"original_info": [0], "updated_info": [2, 99]}}]}`,
		"beam_100k/2/probing_questions.json":  `{"knowledge_update": []}`,
		"beam_100k/10/probing_questions.json": `{}`,
	})
	if len(ds) != 3 || ds[1].ID != "2" || ds[2].ID != "10" {
		t.Fatalf("loaded %+v", ds)
	}
	d := ds[0]
	if d.Texts[0].Text != "The dashboard answers in 900 ms." || d.Texts[0].Role != memory.RoleUser || d.Texts[2].Session != 2 ||
		d.Texts[2].Date.Month() != time.April {
		t.Errorf("messages %+v", d.Texts)
	}
	if q := d.Questions[0]; !slices.Equal(q.Updated, []string{"2"}) || !slices.Equal(q.Original, []string{"0"}) || len(q.Evidence) != 2 {
		t.Errorf("question %+v", q)
	}
}

func TestLoadMADial(t *testing.T) {
	d := loaded(t, "madial-zh", map[string]string{
		madialMemories: `{"1": {"time": "2023-12-25", "scene": "活动类", "emotion": "开心", "event": "在晚会上跳舞。", "user-id": 1}}` + "\n\n" +
			`{"7": {"time": "2023-07-17", "scene": "喜好类", "emotion": "开心", "event": "看故事书。"}}` + "\n",
		madialAnswers: `{"id": 0, "relevant_id": [1], "top_20_ids": [7, 1], "dialog_history": "<BOD>\n<Bart>:\"晚会我要表演魔术！\"\n<Assistant>:\"真棒！\"\n<EOD>"}` + "\n",
	})[0]
	if len(d.Texts) != 2 || d.Texts[1].ID != "7" || d.Texts[0].Text != "2023-12-25 活动类 开心 在晚会上跳舞。" || d.Texts[0].Session != 0 {
		t.Errorf("memories %+v", d.Texts)
	}
	q := d.Questions[0]
	if q.Text != "Bart: 晚会我要表演魔术！\nAssistant: 真棒！" || !slices.Equal(q.Evidence, []string{"1"}) || !slices.Equal(q.Published, []string{"7", "1"}) {
		t.Errorf("question %+v", q)
	}
}

func TestLoadMemDaily(t *testing.T) {
	files := map[string]string{
		"memdaily/0_simple.json": `[{"tid": 3, "message_list": [
			{"mid": 0, "message": "我表弟叫李明。", "time": "2024年04月01日 周一 08:30", "place": "北京"},
			{"mid": 1, "message": "他在银行上班。", "time": "2024年04月02日 周二 09:00", "place": "北京"}],
			"question_list": [{"question": "我表弟在哪里上班？", "target_step_id": [1, 7]}]}]`,
		"bank.json": `{"王峰": {"name": "王峰", "history": {"2023-05-01": [{"query": "你好", "response": "你好，王峰"}]}}}`,
	}
	d := loaded(t, "memdaily-zh", files)[0]
	if len(d.Texts) != 2 || d.Texts[1].Session != 2 || d.Texts[0].Role != memory.RoleUser || d.Texts[0].Date.Hour() != 8 {
		t.Errorf("messages %+v", d.Texts)
	}
	if q := d.Questions[0]; !slices.Equal(q.Evidence, []string{"1"}) || q.Category != "0_simple" || q.ID != "0_simple-3/1" {
		t.Errorf("question %+v", q)
	}
	set, _ := Find("memdaily-zh")
	dir := write(t, files)
	ds, err := set.Load(dir, filepath.Join(dir, "bank.json"))
	if err != nil {
		t.Fatal(err)
	}
	if d := ds[0]; len(d.Texts) != 4 || d.Texts[1].Role != memory.RoleAssistant || d.Texts[2].Session != 2 || d.Texts[2].ID != "0" {
		t.Errorf("with noise %+v", d.Texts)
	}
}

func TestLoadPrefEval(t *testing.T) {
	d := loaded(t, "prefeval", map[string]string{
		"prefeval/travel.json": `[{"preference": "I hate flying.", "question": "How do I get to Rome?", "explanation": "train"}]`,
		"prefeval/food.json":   `[{"preference": "I am vegan.", "question": "What shall I cook?"}]`,
	})[0]
	if len(d.Texts) != 2 || d.Texts[1].Session != 2 || d.Texts[1].Text != "I hate flying." {
		t.Errorf("preferences %+v", d.Texts)
	}
	if q := d.Questions[1]; !slices.Equal(q.Evidence, []string{"travel-1"}) || q.Category != "travel" {
		t.Errorf("question %+v", q)
	}
}

// smallKV is one record of five pairs, and an ordering of three levels.
func smallKV(t *testing.T) map[string]string {
	t.Helper()
	pairs := [][2]string{
		{"1afcec1f-1acd-42e3-b833-e7882d5daada", "25f1a78d-a2f6-4c7d-8bd6-51226b263cbe"},
		{"94071d67-86df-455c-8ee9-691e492ff740", "0d7ba717-e034-410e-88ab-c13d37cc6499"},
		{"88b322bb-571c-4e55-9934-aa8df11b3349", "c54095cf-9931-460b-8a6b-e1f09afb2f72"},
		{"6aee99b3-6b8f-4f0e-9f3a-02f8f4be8e7f", "f4b2e5c1-1111-4c44-8c1b-9a0e5f0f0d11"},
		{"0c0de5c1-2222-4d55-9d2c-8b1f6a1a1e22", "a7d3f6e2-3333-4e66-8e3d-7c2a7b2b2f33"},
	}
	line, err := json.Marshal(map[string]any{"ordered_kv_records": pairs, "key": pairs[0][0], "value": pairs[0][1]})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(line); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"nested_kv/kv-retrieval-5_keys.jsonl.gz":                          b.String(),
		"nested_kv/random_orderings_100_samples_5_indices_1_levels.jsonl": "[4]\n",
		"nested_kv/random_orderings_100_samples_5_indices_2_levels.jsonl": "[3, 1]\n[0, 1]\n",
	}
}

func TestLoadNestedKV(t *testing.T) {
	ds := loaded(t, "nested-kv", smallKV(t))
	if len(ds) != 2 {
		t.Fatalf("%d stores, want one for each level, since there is one record", len(ds))
	}
	d := ds[1]
	if want := "6aee99b3-6b8f-4f0e-9f3a-02f8f4be8e7f: 94071d67-86df-455c-8ee9-691e492ff740"; d.Texts[3].Text != want {
		t.Errorf("chained pair %q, want %q", d.Texts[3].Text, want)
	}
	if q := d.Questions[0]; q.Answer != "0d7ba717-e034-410e-88ab-c13d37cc6499" || !slices.Equal(q.Evidence, []string{"3", "1"}) ||
		!strings.Contains(q.Text, "6aee99b3-6b8f-4f0e-9f3a-02f8f4be8e7f") {
		t.Errorf("question %+v", q)
	}
}

func TestNestedKeysAreFollowed(t *testing.T) {
	set, _ := Find("nested-kv")
	r, err := Run(t.Context(), set, loaded(t, "nested-kv", smallKV(t)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Overall[solved] != 1 || r.N != 2 || r.Overall["R@10"] != 1 {
		t.Errorf("%+v, want all chains followed to their end", r.Overall)
	}
}

func TestMissingAndDamagedDataAreToldApart(t *testing.T) {
	for _, set := range Sets {
		if _, err := set.Load(t.TempDir(), ""); !Missing(err) || !strings.Contains(err.Error(), set.Name) {
			t.Errorf("%s: no data: %v, want Missing", set.Name, err)
		}
	}
	set, _ := Find("locomo")
	if _, err := set.Load(write(t, map[string]string{"locomo.json": `[{"sample_id"`}), ""); err == nil || Missing(err) || !strings.Contains(err.Error(), "locomo.json") {
		t.Errorf("damaged data: %v, want an error that names the file", err)
	}
	if _, err := Find("lokomo"); err == nil || !strings.Contains(err.Error(), "locomo") {
		t.Errorf("unknown set: %v, want the names that there are", err)
	}
}

func TestRunMeasuresThroughTheRealStore(t *testing.T) {
	var said []string
	set, _ := Find("locomo")
	ds := loaded(t, "locomo", map[string]string{"locomo.json": smallLoCoMo})
	r, err := Run(t.Context(), set, ds, Options{Progress: func(s string) { said = append(said, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if r.N != 2 || r.Embedder != "none" || r.Overall["R@10"] != 1 || r.Overall["R@50"] != 1 || r.Overall[all10] != 1 || r.Tokens == 0 ||
		*r.Quiet < .95 || r.Categories["single-hop"]["R@10"] != 1 || r.Categories["multi-hop"]["n"] != 1 {
		t.Errorf("result %+v, want all evidence of both questions among the first ten", r)
	}
	if len(said) == 0 {
		t.Error("no progress")
	}
	var b strings.Builder
	if err := Print(&b, r); err != nil || !strings.Contains(b.String(), "R@10") || !strings.Contains(b.String(), "locomo") {
		t.Errorf("table %q, %v", b.String(), err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var fields struct {
		Overall    map[string]float64
		Categories map[string]map[string]float64
		N          int
		LatencyMs  *float64 `json:"latency_ms"`
		Tokens     *float64
	}
	if err := json.Unmarshal(raw, &fields); err != nil || fields.N != 2 || fields.LatencyMs == nil || fields.Tokens == nil || len(fields.Overall) != 6 {
		t.Errorf("JSON %s, %v", raw, err)
	}
}

func TestExplainShowsOneQuestion(t *testing.T) {
	set, _ := Find("locomo")
	ds := loaded(t, "locomo", map[string]string{"locomo.json": smallLoCoMo})
	r, err := Run(t.Context(), set, ds, Options{Only: "conv-1/1"})
	if err != nil || len(r.Asked) != 1 || r.N != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	var b strings.Builder
	if err := r.Asked[0].Explain(&b); err != nil || !strings.Contains(b.String(), "wanted D1:1, rank 1: I adopted a parrot") {
		t.Errorf("%s, %v", b.String(), err)
	}
	if _, err := Run(t.Context(), set, ds, Options{Only: "17"}); memory.CodeOf(err) != memory.ENOTFOUND || !strings.Contains(err.Error(), "conv-1/2") {
		t.Errorf("an unknown question: %v, want an example", err)
	}
}

func TestTheSameTwice(t *testing.T) {
	set, _ := Find("locomo")
	var before Scores
	for range 2 {
		r, err := Run(t.Context(), set, loaded(t, "locomo", map[string]string{"locomo.json": smallLoCoMo}), Options{Embedder: NewWorld(), Model: "world"})
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !maps.Equal(before, r.Overall) {
			t.Errorf("%v and then %v", before, r.Overall)
		}
		before = r.Overall
		if r.Embedder != "world" {
			t.Errorf("embedder %q", r.Embedder)
		}
	}
}

// A number says on which data and with which program it was measured.
func TestANumberNamesItsData(t *testing.T) {
	set, _ := Find("locomo")
	measured := func(file string) string {
		r, err := Run(t.Context(), set, loaded(t, "locomo", map[string]string{"locomo.json": file}), Options{Version: "9.9.9"})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Data) != 64 || r.Version != "9.9.9" {
			t.Errorf("data %q, version %q", r.Data, r.Version)
		}
		return r.Data
	}
	one := measured(smallLoCoMo)
	if again := measured(smallLoCoMo); again != one {
		t.Errorf("the same data is %s and %s", one, again)
	}
	if other := measured(strings.Replace(smallLoCoMo, "Kiwi", "Mango", 1)); other == one {
		t.Error("other data has the same digest")
	}
}

// brokenEmbedder fails always.
type brokenEmbedder struct{ World }

func (*brokenEmbedder) Embed(context.Context, engine.EmbedRequest) ([][]float32, error) {
	return nil, memory.Errorf(memory.EENGINE, "embed", "the engine went away")
}

func TestAnEngineThatIsGoneEndsTheEvaluation(t *testing.T) {
	set, _ := Find("locomo")
	ds := loaded(t, "locomo", map[string]string{"locomo.json": smallLoCoMo})
	if _, err := Run(t.Context(), set, ds, Options{Embedder: &brokenEmbedder{}, Model: "gone"}); err == nil || !strings.Contains(err.Error(), "went away") {
		t.Errorf("%v, want the engine's error", err)
	}
}

// receiptOf makes a receipt of candidates that are named like the set's texts; capital letters are taken.
func receiptOf(names string) (memory.Receipt, *world) {
	w := &world{ids: map[string]string{}, texts: map[string]string{}}
	rc := memory.Receipt{Tokens: 10 * len(names), Micros: 2000}
	for _, n := range names {
		name := strings.ToLower(string(n))
		id := "m" + name
		w.ids[id] = name
		rc.Candidates = append(rc.Candidates, memory.Candidate{ID: id, Taken: unicode.IsUpper(n)})
	}
	return rc, w
}

func TestMetrics(t *testing.T) {
	near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
	sum := newTally(Set{Name: "x"}, Options{})
	rc, w := receiptOf("AbCdefGhijklM")
	whole, _ := receiptOf("ABCDEFGHIJKLMNOP")
	sum.question(Question{Evidence: []string{"a", "b", "m"}, Category: "x"}, rc, whole, w)
	sum.question(Question{Evidence: []string{"z"}, Category: "y"}, memory.Receipt{}, memory.Receipt{}, w)
	r := sum.result()
	// Only what is taken counts, in its order: a, c, g, m.
	want := Scores{"R@1": 1. / 6, "R@5": 1. / 3, "R@10": 1. / 3, "All@10": 0, "R@25": .5, "R@50": .5}
	for name, v := range want {
		if !near(r.Overall[name], v) {
			t.Errorf("%s = %v, want %v", name, r.Overall[name], v)
		}
	}
	if !near(r.Silent, .5) || !near(r.Tokens, 65) || !near(r.Categories["x"]["R@10"], 2./3) || r.N != 2 {
		t.Errorf("%+v", r)
	}
	if ends := r.Interval["R@10"]; ends[0] > r.Overall["R@10"] || ends[1] < r.Overall["R@10"] || ends != sum.result().Interval["R@10"] {
		t.Errorf("interval %v", ends)
	}
}

// All questions right is 1, whatever their number.
func TestTheMeanOfOnesIsOne(t *testing.T) {
	for n := 1; n < 200; n++ {
		scores := make([]Scores, n)
		for i := range scores {
			scores[i] = Scores{"solved": 1}
		}
		if got, ends := mean(scores)["solved"], bootstrap(scores[:min(n, 20)])["solved"]; got != 1 || ends != [2]float64{1, 1} {
			t.Fatalf("the mean of %d ones is %v, %v", n, got, ends)
		}
	}
}

func TestUpdatesAreCountedAsDefined(t *testing.T) {
	for _, c := range []struct {
		candidates        string
		updated, original []string
		first, stale      float64
	}{
		{"AB", []string{"a"}, []string{"b"}, 1, 0},
		{"BA", []string{"a"}, []string{"b"}, 0, 0},
		{"A", []string{"a"}, []string{"b"}, 1, 0},
		{"B", []string{"a"}, []string{"b"}, 0, 1},
		{"aB", []string{"a"}, []string{"b"}, 0, 1}, // considered is not taken
		{"C", []string{"a"}, []string{"b"}, 0, 0},  // neither is a miss
		{"CA", []string{"a"}, []string{"a"}, 1, 0}, // one message says both
		{"CDEFGHIJKLAB", []string{"a"}, []string{"b"}, 0, 0},
		{"CBA", []string{"d", "a"}, []string{"b", "e"}, 0, 0},
		{"CABD", []string{"d", "a"}, []string{"b", "e"}, 1, 0},
	} {
		rc, w := receiptOf(c.candidates)
		sum := newTally(Set{}, Options{})
		sum.question(Question{Evidence: append(slices.Clone(c.updated), c.original...), Updated: c.updated, Original: c.original}, rc, rc, w)
		if r := sum.result(); r.Overall[currentFirst] != c.first || r.Overall[onlyStale] != c.stale {
			t.Errorf("%s: current first %v, only stale %v; want %v, %v", c.candidates, r.Overall[currentFirst], r.Overall[onlyStale], c.first, c.stale)
		}
	}
}

func TestVectorsAreKept(t *testing.T) {
	dir := t.TempDir()
	asked := &countingEmbedder{World: NewWorld()}
	texts := []string{"one thing", "another", "a third"}
	embed := func(texts ...string) [][]float32 {
		t.Helper()
		v, err := OpenVectors(dir, "sha256:0123456789abcdef0123", asked)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close() //nolint:errcheck // read again below
		vs, err := v.Embed(t.Context(), engine.EmbedRequest{Texts: texts})
		if err != nil {
			t.Fatal(err)
		}
		return vs
	}
	embed(texts[:2]...)
	file := filepath.Join(dir, "0123456789abcdef.vec")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(raw, raw[:40]...), 0o600); err != nil { // a run that was ended
		t.Fatal(err)
	}
	vs := embed(texts...)
	again := embed(texts...)
	if asked.texts != 3 {
		t.Errorf("%d texts were embedded, want each once", asked.texts)
	}
	for i, text := range texts {
		if want := asked.Vector(text); !slices.Equal(vs[i], want) || !slices.Equal(again[i], want) {
			t.Errorf("%q has another vector", text)
		}
	}
}

type countingEmbedder struct {
	*World
	texts int
}

func (c *countingEmbedder) Embed(ctx context.Context, r engine.EmbedRequest) ([][]float32, error) {
	c.texts += len(r.Texts)
	return c.World.Embed(ctx, r)
}

func TestBenchSearchSmall(t *testing.T) {
	figures, err := BenchSearch(t.Context(), BenchOptions{Messages: 400, Queries: 3})
	if err != nil {
		t.Fatal(err)
	}
	if f := figures[0]; f.Value <= 0 || !f.Higher || f.OK == nil {
		t.Errorf("figure %+v", f)
	}
	f := figures[1]
	if f.Value <= 0 || f.Rival <= 0 || f.OK == nil || f.Bar != searchBar {
		t.Errorf("figure %+v", f)
	}
}
