package enginetest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine/enginetest"
)

func post(t *testing.T, url string, v any) (int, string) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(url, "application/json", bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestFakeStreamsScriptedAnswerAndRecordsRequest(t *testing.T) {
	f := enginetest.New(t, enginetest.Options{})
	f.OnChat(func(r api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: "Hello " + enginetest.LastUser(r)}
	})
	status, body := post(t, f.URL()+"/api/chat", map[string]any{
		"model": enginetest.Chat, "messages": []map[string]string{{"role": "user", "content": "Ann"}}, "options": map[string]any{"num_predict": 50},
	})
	if status != 200 || !strings.Contains(body, `"content":" Ann"`) || !strings.Contains(body, `"done":true`) {
		t.Fatalf("got %d %s", status, body)
	}
	if len(f.Chats()) != 1 {
		t.Fatalf("recorded %d chats, want 1", len(f.Chats()))
	}
}

func TestFakeVectorsReflectSharedWords(t *testing.T) {
	dot := func(a, b string) (sum float32) {
		x, y := enginetest.Vector(a, 384), enginetest.Vector(b, 384)
		for i := range x {
			sum += x[i] * y[i]
		}
		return sum
	}
	if near, far := dot("query: my bicycle", "passage: the bicycle is called Comet"), dot("query: my bicycle", "passage: rain fell all day"); near <= far {
		t.Errorf("shared word %f, none %f", near, far)
	}
	if near, far := dot("我的猫叫什么", "我的猫叫年糕"), dot("我的猫叫什么", "今天下雨"); near <= far {
		t.Errorf("shared characters %f, none %f", near, far)
	}
}

func TestDirectives(t *testing.T) {
	got := enginetest.Directives(api.ChatRequest{Messages: []api.Message{{Role: "user", Content: `[[think hm]] [[tool core_memory_append {"label":"human"}]]`}}})
	if got.Thinking != "hm" || len(got.Calls) != 1 || got.Calls[0].Name != "core_memory_append" || got.Calls[0].Arguments != `{"label":"human"}` {
		t.Errorf("got %+v", got)
	}
}

func TestDirectivesGoOn(t *testing.T) {
	ask := api.Message{Role: "user", Content: "[[length 7]] [[say one two three]]"}
	first := enginetest.Directives(api.ChatRequest{Messages: []api.Message{ask}})
	if first.Content != "one two" || first.End != "length" {
		t.Errorf("got %+v", first)
	}
	begun := []api.Message{ask, {Role: "assistant", Content: first.Content}}
	for _, messages := range [][]api.Message{begun, append(begun, api.Message{Role: "user", Content: "[Go on exactly where you stopped.]"})} {
		if rest := enginetest.Directives(api.ChatRequest{Messages: messages}); rest.Content != " three" || rest.End != "" {
			t.Errorf("got %+v", rest)
		}
	}
}
