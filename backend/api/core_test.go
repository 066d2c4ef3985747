package api_test

import (
	"testing"
)

func TestCoreCompaction(t *testing.T) {
	runAll(t, []scenario{
		{Method: "POST", URL: "/api/agents/{agent}/core/compact", Body: `{}`, WantStatus: 202, WantContent: []string{`"state":"pending"`}, WantEvents: []string{"compaction.pending"}},
		{Method: "POST", URL: "/api/agents/{agent}/core/compact", Body: `{"trigger":"overflow"}`, WantStatus: 400, WantContent: []string{"user or forecast"}},
		{Method: "POST", URL: "/api/agents/{agent}/core/compact", Body: `{"blocks":[]}`, WantStatus: 400},
		{Method: "POST", URL: "/api/compactions/compaction-x/entries/2/restore", WantStatus: 404},
		{Method: "POST", URL: "/api/compactions/compaction-x/entries/two/restore", WantStatus: 400, WantContent: []string{"not the number"}},
		{Method: "GET", URL: "/api/agents/{agent}/core/weights", WantStatus: 200, WantContent: []string{`"kinds":{}`, `"lessons":[]`, `"max":3`, `"weather"`}},
		{Method: "GET", URL: "/api/agents/agent-none/core/weights", WantStatus: 404},
		{Method: "PUT", URL: "/api/agents/{agent}/core/weights", Body: `{"kind":"weather","value":1.5}`, WantStatus: 200, WantContent: []string{`"weather":1.5`, `"cause":"user"`}, WantEvents: []string{"weights.changed"}},
		{Method: "PUT", URL: "/api/agents/{agent}/core/weights", Body: `{"kind":"weather","value":9}`, WantStatus: 400, WantContent: []string{"from -3 to 3"}},
		{Method: "PUT", URL: "/api/agents/{agent}/core/weights", Body: `{"kind":"spells","value":1}`, WantStatus: 400, WantContent: []string{"no kind"}},
		{Method: "PUT", URL: "/api/agents/agent-none/core/weights", Body: `{"kind":"weather","value":1}`, WantStatus: 404},
		{Method: "DELETE", URL: "/api/agents/{agent}/core/weights", WantStatus: 204, WantEvents: []string{"weights.changed"}},
		{Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"room":{"core_at":0.7,"core_to":0.5,"core_keep":5,"core_judge":"off"}}`, WantStatus: 200, WantContent: []string{`"core_at":0.7`, `"core_judge":"off"`}, WantEvents: []string{"agent.changed"}},
		{Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"room":{"core_at":1.7}}`, WantStatus: 400, WantContent: []string{"core_at"}},
		{Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"room":{"core_keep":10}}`, WantStatus: 400, WantContent: []string{"core_keep"}},
		{Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"room":{"core_judge":"maybe"}}`, WantStatus: 400, WantContent: []string{"core_judge"}},
	})
}
