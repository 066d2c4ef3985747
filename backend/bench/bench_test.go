package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"recollect/backend/store"
)

func TestPercentile(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(100 - i)
	}
	for p, want := range map[float64]float64{0: 1, 50: 51, 95: 96, 100: 100} {
		if got := percentile(values, p); got != want {
			t.Errorf("percentile %v of 1 to 100 = %v, want %v", p, got, want)
		}
	}
	if percentile(nil, 50) != 0 {
		t.Error("the percentile of nothing is not 0")
	}
}

func TestResults(t *testing.T) {
	fast, slow := lower("a", 10, "ms", 15).against(40), lower("a", 16, "ms", 15)
	if !*fast.OK || *fast.Rival != 40 || *fast.Ratio != 0.25 {
		t.Errorf("10 ms of 15 against 40: %+v", fast)
	}
	if *slow.OK || slow.Rival != nil || slow.Ratio != nil {
		t.Errorf("16 ms of 15 without a rival: %+v", slow)
	}
	if much := share("b", 97, 95); !*much.OK || much.Better != Higher {
		t.Errorf("97 %% of 95: %+v", much)
	}
	if r := lower("c", 1, "s", 2).against(0); r.Ratio != nil {
		t.Errorf("a ratio to a rival of 0: %v", *r.Ratio)
	}
}

// fixed replaces the measures of a run.
func fixed(t *testing.T, only string, ms ...measure) []Result {
	t.Helper()
	results, err := run(t.Context(), Options{Only: only, Log: io.Discard}, ms)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestRun(t *testing.T) {
	good := measure{"one good", func(context.Context, Options) ([]Result, error) { return []Result{lower("one good", 1, "ms", 2)}, nil }}
	absent := measure{"no desktop", func(context.Context, Options) ([]Result, error) { return nil, missing{"a display"} }}
	broken := measure{"broken", func(context.Context, Options) ([]Result, error) {
		return []Result{lower("half", 1, "ms", 2)}, errors.New("the disk is full")
	}}
	results := fixed(t, "", good, absent, broken)
	if len(results) != 4 {
		t.Fatalf("results: %+v", results)
	}
	if r := results[0]; r.OK == nil || !*r.OK {
		t.Errorf("the good one: %+v", r)
	}
	if r := results[1]; r.OK != nil || r.Reason != "a display" || r.Name != "no desktop" {
		t.Errorf("what cannot be measured here: %+v", r)
	}
	if r := results[3]; r.OK == nil || *r.OK || r.Reason != "the disk is full" {
		t.Errorf("what failed: %+v", r)
	}
	if results := fixed(t, "good", good, absent, broken); len(results) != 1 || results[0].Name != "one good" {
		t.Errorf("only the good one: %+v", results)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(ended, Options{Log: io.Discard}, []measure{good}); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was interrupted: %v", err)
	}
}

// Without an engine, a browser, a page and a display every measure that needs one says so, and none fails.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", "")
	for _, only := range []string{"prompt cache", "stages", "side task", "window", "initial script", "streamed answer"} {
		results, err := Run(t.Context(), Options{Dir: t.TempDir(), Env: func(string) string { return "" }, Only: only, Log: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		if len(results) != 1 || results[0].OK != nil || results[0].Value != nil || results[0].Reason == "" {
			t.Errorf("%s: %+v", only, results)
		}
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := PrintJSON(&out, []Result{lower("a", 10, "ms", 15).against(40), {Name: "b", Reason: "a display"}}); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, r := range got {
		for _, key := range []string{"name", "value", "unit", "bar", "ok", "rival", "ratio"} {
			if _, ok := r[key]; !ok {
				t.Errorf("%v has no %s", r, key)
			}
		}
	}
	if got[0]["bar"] != 15.0 || got[0]["ok"] != true || got[1]["ok"] != nil || got[1]["reason"] != "a display" {
		t.Errorf("%v", got)
	}
	if _, ok := got[0]["reason"]; ok {
		t.Error("what was measured has a reason")
	}
	out.Reset()
	if err := PrintJSON(&out, nil); err != nil || strings.TrimSpace(out.String()) != "[]" {
		t.Errorf("no results: %s, %v", out.String(), err)
	}
}

func TestPrint(t *testing.T) {
	var out bytes.Buffer
	if err := Print(&out, []Result{lower("quick thing", 10, "ms", 15), share("large thing", 1, 95), {Name: "window", Reason: "a display"}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"quick thing", "≤ 15", "yes", "≥ 95", "NO", "– (a display)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}

// Only what the page loads before anything is clicked counts, and each script once.
func TestInitialScript(t *testing.T) {
	noise := func(n int) []byte {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		return append(append([]byte(`"`), b...), '"')
	}
	page := fstest.MapFS{
		"index.html":         {Data: []byte(`<script type="module" src="/assets/index.js"></script><link rel="modulepreload" href="/assets/shared.js">`)},
		"assets/index.js":    {Data: append([]byte(`import{a}from"./shared.js";import("./settings.js");`), noise(30_000)...)},
		"assets/shared.js":   {Data: noise(10_000)},
		"assets/settings.js": {Data: noise(1_000_000)},
	}
	results, err := initialScript(t.Context(), Options{Page: page})
	if err != nil {
		t.Fatal(err)
	}
	if kb := *results[0].Value; kb < 20 || kb > 40 { // 40,000 random letters, of which gzip leaves about 60 %
		t.Errorf("%.1f KB, want the two initial scripts and not the settings", kb)
	}
	delete(page, "assets/shared.js")
	if _, err := initialScript(t.Context(), Options{Page: page}); err == nil {
		t.Error("a script that is named but absent goes unnoticed")
	}
}

// The rival's plain scan finds what sorting finds.
func TestScan(t *testing.T) {
	s := newScan(500, 8)
	query := s.vectors[8*123:][:8]
	products := make([]near, 500)
	for row := range products {
		products[row].row = row
		for i, q := range query {
			products[row].product += q * s.vectors[row*8+i]
		}
	}
	slices.SortFunc(products, func(a, b near) int {
		if a.product > b.product {
			return -1
		}
		return 1
	})
	for i, n := range s.nearest(query, 10) {
		if n.row != products[i].row {
			t.Errorf("place %d: row %d, want %d", i+1, n.row, products[i].row)
		}
	}
}

func TestSame(t *testing.T) {
	hits := func(cosines ...float64) []store.VecHit {
		var out []store.VecHit
		for _, c := range cosines {
			out = append(out, store.VecHit{Cosine: c})
		}
		return out
	}
	if err := same(hits(0.9, 0.8), hits(0.9, 0.80001)); err != nil {
		t.Error(err)
	}
	if same(hits(0.9, 0.8), hits(0.9, 0.7)) == nil || same(hits(0.9), hits()) == nil {
		t.Error("different results pass for the same")
	}
}

// The player streams its text in order and says done, and what it sent when is known.
func TestPlayer(t *testing.T) {
	home := t.TempDir()
	st, err := openStore(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	a, err := defaultAgent(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	app, err := startApp(t.Context(), Options{}, home)
	if err != nil {
		t.Fatal(err)
	}
	defer app.close()
	text := prose(2_000)
	app.player.say(text, 5_000)
	events := app.Subscribe(t.Context())
	var c struct{ ID string }
	if err := app.client.Do(t.Context(), "POST", "/api/conversations", map[string]string{"agent_id": a.ID}, &c); err != nil {
		t.Fatal(err)
	}
	if err := app.client.Do(t.Context(), "POST", "/api/conversations/"+c.ID+"/messages", map[string]string{"content": "A story, please."}, nil); err != nil {
		t.Fatal(err)
	}
	id, err := await(t.Context(), events, "turn.done", "message_id")
	if err != nil {
		t.Fatal(err)
	}
	m, err := app.Store.Message(t.Context(), id)
	if err != nil || strings.TrimSpace(m.Content) != strings.TrimSpace(text) {
		t.Errorf("the answer has %d bytes of %d, %v", len(m.Content), len(text), err)
	}
	if _, ok := app.player.since(len(text) - 1); !ok {
		t.Error("the last byte was never sent")
	}
	if _, ok := app.player.since(len(text)); ok {
		t.Error("more was sent than there is")
	}
}
