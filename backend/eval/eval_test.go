package eval

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	{"question": "Where does Bob start to work and where did he sail?", "evidence": ["D:2:01; D1:2", "D9:9"], "category": 1},
	{"question": "What about nothing?", "evidence": [], "category": 5}]}]`

func TestLoadLoCoMo(t *testing.T) {
	ds, err := LoadLoCoMo(write(t, map[string]string{"locomo/locomo_small.json": smallLoCoMo}))
	if err != nil {
		t.Fatal(err)
	}
	if len(ds) != 1 || len(ds[0].Texts) != 4 || len(ds[0].Questions) != 2 {
		t.Fatalf("loaded %+v", ds)
	}
	boat := ds[0].Texts[1]
	if boat.ID != "D1:2" || boat.Session != 1 || boat.Speaker != "Bob" || !strings.Contains(boat.Text, "[a photo of a sailing boat]") ||
		!boat.Date.Equal(time.Date(2023, 5, 8, 13, 56, 30, 0, time.UTC)) {
		t.Errorf("second turn %+v", boat)
	}
	if q := ds[0].Questions[1]; !slices.Equal(q.Evidence, []string{"D2:1", "D1:2"}) || q.Category != "multi-hop" {
		t.Errorf("second question %+v, want its ids repaired and the unknown one left out", q)
	}
}

func TestLoadMADial(t *testing.T) {
	dir := write(t, map[string]string{
		"MADial-Bench-zh-memory.json": `{"1": {"time": "2023-12-25", "scene": "活动类", "emotion": "开心", "event": "在晚会上跳舞。", "user-id": 1}}` + "\n\n" +
			`{"7": {"time": "2023-07-17", "scene": "喜好类", "emotion": "开心", "event": "看故事书。"}}` + "\n",
		"BGE_M3_dense_zh_top_20_ids.json": `{"id": 0, "relevant_id": [1], "dialog_history": "<BOD>\n<Bart>:\"晚会我要表演魔术！\"\n"}` + "\n",
	})
	ds, err := LoadMADial(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := ds[0]
	if len(d.Texts) != 2 || d.Texts[1].ID != "7" || d.Texts[0].Text != "2023-12-25 活动类 开心 在晚会上跳舞。" || d.Texts[0].Session != 0 {
		t.Errorf("memories %+v", d.Texts)
	}
	if len(d.Questions) != 1 || d.Questions[0].Text != "\"晚会我要表演魔术！\"\n" || !slices.Equal(d.Questions[0].Evidence, []string{"1"}) {
		t.Errorf("questions %+v", d.Questions)
	}
}

func TestMissingAndDamagedDataAreToldApart(t *testing.T) {
	if _, err := LoCoMo(t.Context(), t.TempDir(), Options{}); !Missing(err) {
		t.Errorf("no data: %v, want Missing", err)
	}
	if _, err := MADial(t.Context(), t.TempDir(), Options{}); !Missing(err) {
		t.Errorf("no data: %v, want Missing", err)
	}
	if _, err := LoadLoCoMo(write(t, map[string]string{"locomo.json": `[{"sample_id"`})); err == nil || Missing(err) || !strings.Contains(err.Error(), "locomo.json") {
		t.Errorf("damaged data: %v, want an error that names the file", err)
	}
}

func TestRunMeasuresThroughTheRealStore(t *testing.T) {
	var said []string
	r, err := LoCoMo(t.Context(), write(t, map[string]string{"locomo.json": smallLoCoMo}), Options{Progress: func(s string) { said = append(said, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if r.N != 2 || r.Embedder != "none" || r.Recall[10] != 1 || r.All10 != 1 || r.Taken == 0 || r.Quiet < .95 || r.Categories["single-hop"] != 1 {
		t.Errorf("result %+v, want all evidence of both questions among the first ten", r)
	}
	if len(said) == 0 {
		t.Error("no progress")
	}
	var b strings.Builder
	if err := Print(&b, r); err != nil || !strings.Contains(b.String(), "R@10") || !strings.Contains(b.String(), "locomo") {
		t.Errorf("table %q, %v", b.String(), err)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestTally(t *testing.T) {
	sum := tally{result: Result{Recall: map[int]float64{}, Categories: map[string]float64{}}, perCategory: map[string]int{}}
	ids := map[string]string{}
	rc := memory.Receipt{Tokens: 30, Micros: 2000}
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		ids["m"+id] = id
		rc.Candidates = append(rc.Candidates, memory.Candidate{ID: "m" + id, Taken: id == "a"})
	}
	sum.question(Question{Evidence: []string{"a", "f", "z"}, Category: "x"}, rc, ids)
	sum.question(Question{Evidence: []string{"z"}, Category: "x"}, memory.Receipt{}, ids)
	r := sum.mean()
	near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
	if !near(r.Recall[1], 1./6) || !near(r.Recall[5], 1./6) || !near(r.Recall[10], 1./3) || !near(r.Taken, 1./6) || !near(r.Silent, .5) ||
		r.All10 != 0 || !near(r.Tokens, 15) || !near(r.Categories["x"], 1./3) {
		t.Errorf("%+v", r)
	}
}

func TestBenchSearchSmall(t *testing.T) {
	figures, err := BenchSearch(t.Context(), BenchOptions{Messages: 400, Queries: 3})
	if err != nil {
		t.Fatal(err)
	}
	f := figures[0]
	if f.Value <= 0 || f.Rival <= 0 || f.OK == nil || f.Bar != searchBar {
		t.Errorf("figure %+v", f)
	}
}
