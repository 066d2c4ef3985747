package api_test

import (
	"strings"
	"testing"

	"recollect/backend/api"
)

func TestTheSampleLife(t *testing.T) {
	a := newApp(t)
	before := a.deps.Bus.Seq()
	scenario{Method: "GET", URL: "/api/sample", WantStatus: 200, WantContent: []string{`"sample":null`}}.run(t, a)
	scenario{Name: "no such language", Method: "POST", URL: "/api/sample", Body: `{"language":"de"}`, WantStatus: 400}.run(t, a)
	got := call(t, a, "POST", "/api/sample", `{"language":"zh"}`)
	var loaded api.SampleState
	if got.json(t, &loaded); got.StatusCode != 201 || loaded.Sample == nil {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	for _, url := range []string{"/api/snapshot", "/api/agents"} {
		if got := call(t, a, "GET", url, ""); !strings.Contains(got.body, `"sample":"`+loaded.Sample.AgentID+`"`) {
			t.Errorf("%s does not say which agent is the sample", url)
		}
	}
	events := a.eventsSince(t, before)
	if events[0] != "agent.changed" || len(events) < 8 || events[len(events)-1] != "conversation.changed" {
		t.Errorf("the page is told %v", events)
	}
	scenario{Method: "DELETE", URL: "/api/sample", WantStatus: 204, WantEvents: events}.run(t, a)
	scenario{Name: "there is nothing to remove", Method: "DELETE", URL: "/api/sample", WantStatus: 204}.run(t, a)
	scenario{Method: "GET", URL: "/api/agents", WantStatus: 200, WantContent: []string{`"sample":""`, `!示例`}}.run(t, a)
}
