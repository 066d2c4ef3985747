package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"recollect/backend/api"
	"recollect/backend/memory"
)

func TestRoomInTheWindow(t *testing.T) {
	a := newApp(t)
	parent := a.ids["{answer}"]
	for i := range 60 {
		m, err := a.store.AddMessage(t.Context(), memory.Message{
			ConversationID: a.ids["{conversation}"], ParentID: parent, Role: []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2], Content: fmt.Sprintf("Talk number %d.", i),
		})
		must(t, err)
		parent = m.ID
	}
	for _, c := range []scenario{
		{Method: "POST", URL: "/api/conversations/{empty}/compact", Body: `{}`, WantStatus: 409, WantContent: []string{"ECONFLICT"}},
		{Method: "POST", URL: "/api/conversations/{conversation}/compact", Body: `{"strategy":"everything"}`, WantStatus: 400, WantContent: []string{"EINVALID"}},
		{Method: "POST", URL: "/api/conversations/{conversation}/compact", Body: `{"target":2}`, WantStatus: 400},
		{Method: "POST", URL: "/api/conversations/nobody/compact", Body: `{}`, WantStatus: 404},
		{Method: "GET", URL: "/api/conversations/{empty}/window", WantStatus: 200, WantContent: []string{`"marker":null`, `"turns":-1`, `"leaves":[]`}},
		{Method: "GET", URL: "/api/compactions?kind=all", WantStatus: 400},
		{Method: "GET", URL: "/api/compactions/nobody", WantStatus: 404},
		{Method: "POST", URL: "/api/compactions/nobody/undo", WantStatus: 404},
		{Method: "POST", URL: "/api/conversations/{conversation}/pages", Body: `{"kind":"block","id":"{human}"}`, WantStatus: 400},
		{Method: "POST", URL: "/api/conversations/{conversation}/pages", Body: `{"kind":"passage","id":"gone"}`, WantStatus: 404},
		{
			Method: "POST", URL: "/api/conversations/{conversation}/pages", Body: `{"kind":"passage","id":"{passage}","pinned":true}`,
			WantStatus: 200, WantContent: []string{`"pinned":true`}, WantEvents: []string{"window.paged"},
		},
	} {
		c.run(t, a)
	}
	if got := call(t, a, "POST", a.fill("/api/conversations/{conversation}/messages"), `{"content":"And now?"}`); got.StatusCode != 202 {
		t.Fatal(got.body)
	}
	must(t, a.turns.Wait(t.Context(), a.ids["{conversation}"]))

	var tried, done memory.Compaction
	call(t, a, "POST", a.fill("/api/conversations/{conversation}/compact"), `{"dry_run":true,"strategy":"priority","target":0.3}`).json(t, &tried)
	call(t, a, "POST", a.fill("/api/conversations/{conversation}/compact"), `{}`).json(t, &done)
	if tried.State != memory.CompactionTried || done.State != memory.CompactionDone || done.Strategy != memory.StrategySliding || len(done.Evicted) == 0 {
		t.Fatalf("%+v\n%+v", tried, done)
	}
	a.ids["{done}"], a.ids["{tried}"] = done.ID, tried.ID
	var w memory.ContextWindow
	call(t, a, "GET", a.fill("/api/conversations/{conversation}/window"), "").json(t, &w)
	pinned := slices.ContainsFunc(w.Items, func(i memory.WindowItem) bool {
		return i.ID == a.ids["{passage}"] && i.Reason == memory.InPinned && i.Pinned
	})
	if w.Marker == nil || w.Marker.Messages != done.Now.Left || w.Marker.Tool != "conversation_search" || !pinned || w.Forecast.Turns < 0 || w.Plan.Pins == 0 {
		t.Errorf("%+v, pinned %v, %d left, marker %+v", w, pinned, len(done.Evicted), w.Marker)
	}
	var list api.Compactions
	call(t, a, "GET", a.fill("/api/compactions?conversation_id={conversation}&kind=transcript&limit=1"), "").json(t, &list)
	if len(list.Compactions) != 1 || list.Next == "" || list.Compactions[0].ID != done.ID {
		t.Errorf("%+v", list)
	}
	for _, step := range []struct {
		url, body string
		status    int
		want      string
	}{
		{"/api/compactions/{done}/undo", "", 200, `"state":"undone"`},
		{"/api/compactions/{done}/undo", "", 409, "ECONFLICT"},
		{"/api/compactions/{done}/redo", "", 200, `"state":"done"`},
		{"/api/compactions/{done}/replay", `{"strategy":"priority"}`, 200, `"replays":"{done}"`},
		{"/api/compactions/{tried}/adopt", "", 200, `"state":"done"`},
		{"/api/compactions/{tried}/adopt", "", 409, "ECONFLICT"},
	} {
		got := call(t, a, "POST", a.fill(step.url), step.body)
		if got.StatusCode != step.status || !strings.Contains(got.body, a.fill(step.want)) {
			t.Errorf("%s: %d %.300s", step.url, got.StatusCode, got.body)
		}
	}
	if got := call(t, a, "DELETE", a.fill("/api/conversations/{conversation}/pages/passage/{passage}"), ""); got.StatusCode != 204 {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	must(t, a.turns.Rest(t.Context()))
	a.eventsSince(t, 0) // their data is what the types say
}
