package api_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// used is an app whose seed has an answer that was measured.
func used(t *testing.T) *app {
	t.Helper()
	a := newApp(t)
	q, err := a.store.AddMessage(t.Context(), memory.Message{ConversationID: a.ids["{conversation}"], Role: memory.RoleUser, Content: "How long?"})
	must(t, err)
	_, err = a.store.AddMessage(t.Context(), memory.Message{
		ConversationID: a.ids["{conversation}"], ParentID: q.ID, TurnID: q.ID, Role: memory.RoleAssistant, Content: "Very", Model: "=small",
		Usage: &memory.Usage{PromptTokens: 1000, CachedTokens: 800, OutputTokens: 50, OutputMs: 1000, PromptMs: 200, FirstTokenMs: 90},
	})
	must(t, err)
	must(t, a.store.AddUsage(t.Context(), memory.ModelCall{
		At: noon, Kind: memory.CallJudge, AgentID: a.ids["{agent}"], Model: "=small", PromptTokens: 300, CachedTokens: -1, OutputTokens: 20, OutputMs: 400,
	}))
	return a
}

func TestUsage(t *testing.T) {
	a := used(t)
	a.runAll(t, []scenario{
		{Method: "GET", URL: "/api/usage", WantStatus: 200, WantContent: []string{`"requests":{"count":1,"mean":1000,"p50":1000`, `"reuse":0.8`, `"tokens_per_second":50`, `"model":"=small"`, `"bucket":"hour"`}},
		{Method: "GET", URL: "/api/usage?agent_id={agent}&bucket=week", WantStatus: 200, WantContent: []string{`"calls":1`}},
		{Method: "GET", URL: "/api/usage?before=2020-01-01", WantStatus: 200, WantContent: []string{`"calls":0`, `"series":[]`, `"models":[]`}},
		{Method: "GET", URL: "/api/usage?agent_id=agent-nobody", WantStatus: 404},
		{Method: "GET", URL: "/api/usage?bucket=minute", WantStatus: 400, WantContent: []string{"hour, day or week"}},
		{Method: "GET", URL: "/api/usage?after=2026-12-01&before=2026-11-01", WantStatus: 400},
		{Method: "GET", URL: "/api/usage/turns?conversation_id={conversation}", WantStatus: 200, WantContent: []string{`"prompt_tokens":1000`, `"step":1`, `"next":""`}},
		{Method: "GET", URL: "/api/usage/turns?cursor=x", WantStatus: 400},
		{Method: "GET", URL: "/api/usage", WantStatus: 200, WantContent: []string{`"kinds":[{"kind":"answer","total":{"calls":1`, `{"kind":"judge","total":{"calls":1,"turns":0,"prompt_tokens":300`}},
		{Method: "GET", URL: "/api/usage/turns?kind=judge", WantStatus: 200, WantContent: []string{`"prompt_tokens":300`, `!"prompt_tokens":1000`}},
		{Method: "GET", URL: "/api/usage/turns?kind=answer", WantStatus: 200, WantContent: []string{`"prompt_tokens":1000`, `!"prompt_tokens":300`}},
		{Method: "GET", URL: "/api/usage/turns?kind=dream", WantStatus: 400, WantContent: []string{"judge"}},
		{Method: "GET", URL: "/api/usage/export?format=json&kind=judge", WantStatus: 200, WantContent: []string{`"kind":"judge"`, `!"kind":"answer"`}},
		{Method: "GET", URL: "/api/usage/export?format=json", WantStatus: 200, WantContent: []string{`"model":"=small"`}},
		{Method: "GET", URL: "/api/usage/export?format=xls", WantStatus: 400, WantContent: []string{"csv or json"}},
		{Method: "GET", URL: "/api/agents/{agent}/checkup?conversation_id={conversation}", WantStatus: 200, WantContent: []string{`"name":"tool_results","ok":true`, `"prompt_tokens":1000`, `"strategy":"sliding_window"`, `"threshold":0.8`}},
		{Method: "GET", URL: "/api/agents/{agent}/checkup", WantStatus: 200, WantContent: []string{`"turns":0`, `"last":null`}},
		{Method: "GET", URL: "/api/agents/{other}/checkup?conversation_id={conversation}", WantStatus: 400},
	})
	got := call(t, a, "GET", "/api/usage/export?format=csv", "")
	rows, err := csv.NewReader(strings.NewReader(got.body)).ReadAll()
	must(t, err)
	if len(rows) != 3 || !strings.Contains(got.body, ",'=small,") || got.Header.Get("Content-Disposition") != `attachment; filename="recollect-usage-2026-11-29.csv"` {
		t.Errorf("%s %v", got.body, got.Header)
	}
}

// A window that was changed is the one that is looked at, at once and at its full size.
func TestCheckupFollowsTheWindow(t *testing.T) {
	a := used(t)
	for _, size := range []string{"4096", "8192", "16384"} {
		scenario{Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"window":` + size + `}`, WantStatus: 200, WantEvents: []string{"agent.changed"}}.run(t, a)
		scenario{Method: "GET", URL: "/api/agents/{agent}/checkup?conversation_id={conversation}", WantStatus: 200, WantContent: []string{`"window":` + size + `,"usable"`}}.run(t, a)
	}
}

// An engine is blamed for missing numbers only where a model answered.
func TestCheckupBlamesNoEngineForRules(t *testing.T) {
	a := used(t)
	agentID := a.ids["{agent}"]
	for _, c := range []struct {
		answer memory.Message
		want   string
	}{
		{memory.Message{End: memory.EndRule}, `"name":"monitor","ok":true`},
		{memory.Message{Model: enginetest.Tools}, `"name":"monitor","ok":false`},
	} {
		talk, err := a.store.CreateConversation(t.Context(), memory.Conversation{AgentID: agentID})
		must(t, err)
		q, err := a.store.AddMessage(t.Context(), memory.Message{ConversationID: talk.ID, Role: memory.RoleUser, Content: "Remember that I like tea"})
		must(t, err)
		c.answer.ConversationID, c.answer.ParentID, c.answer.TurnID = talk.ID, q.ID, q.ID
		c.answer.Role, c.answer.Status, c.answer.Content = memory.RoleAssistant, memory.StatusComplete, "Noted."
		_, err = a.store.AddMessage(t.Context(), c.answer)
		must(t, err)
		if got := call(t, a, "GET", "/api/agents/"+agentID+"/checkup?conversation_id="+talk.ID, ""); !strings.Contains(got.body, c.want) {
			t.Errorf("want %s in %s", c.want, got.body)
		}
	}
}

func TestCost(t *testing.T) {
	a := used(t)
	changed := []string{"settings.changed"}
	const own = `{"prices":[{"model":"Mine","window":4000,"usable":3000,"chinese":2000,"input":1,"output":2,"as_of":"2026-11-01"}],"own":{"watts":10,"kwh_price":0.3}}`
	a.runAll(t, []scenario{
		{Method: "GET", URL: "/api/cost", WantStatus: 200, WantContent: []string{`"edited":false`, `"monthly_tokens":15000000,"monthly_cost":225,"per_conversation":0.075`, `"read_tokens":1300`, `"measured":true`, `"last":0.0151`}},
		{Method: "GET", URL: "/api/cost?daily=0", WantStatus: 400},
		{Method: "GET", URL: "/api/cost?tokens=NaN", WantStatus: 400},
		{Method: "GET", URL: "/api/cost?input=NaN", WantStatus: 400},
		{Method: "PUT", URL: "/api/cost", Body: own, WantStatus: 200, WantEvents: changed},
		{Method: "GET", URL: "/api/cost?daily=1&tokens=1000&input=1&output=1", WantStatus: 200, WantContent: []string{`"edited":true`, `"per_conversation":1.5`, "!GPT-4"}},
		{Method: "PUT", URL: "/api/cost", Body: strings.Replace(own, `"input":1`, `"input":-1`, 1), WantStatus: 400, WantContent: []string{"Mine: input"}},
		{Method: "DELETE", URL: "/api/cost", WantStatus: 204, WantEvents: changed},
		{Method: "GET", URL: "/api/cost", WantStatus: 200, WantContent: []string{`"edited":false`, "GPT-4-turbo"}},
	})
}

func TestTokensAreMeasured(t *testing.T) {
	a := newApp(t)
	a.runAll(t, []scenario{
		{Method: "POST", URL: "/api/tokens", Body: `{"text":"hello world"}`, WantStatus: 200, WantContent: []string{`{"name":"cl100k","tokens":2,"exact":true,"pieces":[{"text":"hello","tokens":1},{"text":" world","tokens":1}],"cut":false}`, `"rule":{"low":3,"high":3}`}},
		{Method: "POST", URL: "/api/tokens", Body: `{"text":"你好","model":"helper"}`, WantStatus: 200, WantContent: []string{`"model":"helper"`, `"name":"model"`, `"rule":{"low":3,"high":4}`}},
		{Name: "a model that nobody knows counts nothing", Method: "POST", URL: "/api/tokens", Body: `{"text":"你好","model":"nobody"}`, WantStatus: 200, WantContent: []string{`"model":""`, `!"name":"model"`, `"name":"cl100k"`}},
		{Method: "POST", URL: "/api/tokens", Body: `{"words":1}`, WantStatus: 400},
	})
	if got := call(t, a, "POST", "/api/tokens", `{"text":"`+strings.Repeat("we talk ", 1<<17)+`"}`); got.StatusCode != http.StatusOK || !strings.Contains(got.body, `"cut":true`) || len(got.body) > 1<<20 {
		t.Errorf("a megabyte: %d, %d bytes", got.StatusCode, len(got.body))
	}
}

func TestExperiments(t *testing.T) {
	a := newApp(t)
	a.runAll(t, []scenario{
		{Method: "POST", URL: "/api/experiments/forget", Body: `{"turns":2}`, WantStatus: 200, WantContent: []string{
			`{"model":"none","window":8192,"rows":[{"mode":"off","turn":1,"available":true,"digits_kept":10,`, `{"mode":"all","turn":2,"available":true,"digits_kept":10,`,
		}},
		{Method: "POST", URL: "/api/experiments/forget", Body: `{"turns":-1}`, WantStatus: 400},
		{Method: "POST", URL: "/api/experiments/forget", Body: `{"model":"nobody"}`, WantStatus: 501},
		{Method: "POST", URL: "/api/experiments/strategies", Body: `{"chat":{"messages":[],"questions":[]}}`, WantStatus: 400, WantContent: []string{"at least 4 turns"}},
		{Name: "no engine to embed with", Method: "POST", URL: "/api/experiments/strategies", Body: `{"embedder":"embedder"}`, WantStatus: 501},
	})
}
