package app

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// The engine is killed in mid-answer: what came is kept with the cause and the next step; when it is back, the next
// question is answered without a restart.
func TestEngineKilledInMidAnswer(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{ChunkDelay: 20 * time.Millisecond})
	p := serve(t, t.TempDir(), env)
	c := p.conversation()
	user := p.send(c, "[[long 200]]")
	p.begun(user)
	f.Stop()
	answer := p.answer(user)
	if answer.Content == "" || answer.Status != memory.StatusPartial && answer.Status != memory.StatusFailed {
		t.Errorf("what came is kept as partial, not %s with %q", answer.Status, answer.Content)
	}
	if answer.Problem == nil || answer.Problem.Code != memory.EENGINE && answer.Problem.Code != memory.EINCOMPLETE || answer.Problem.Remedy == "" {
		t.Errorf("the problem: %+v", answer.Problem)
	}

	// While it is away, a question is kept and told why it is not answered.
	p.engineState(engine.StateMissing, engine.StateFailed)
	asked, failed := p.ask(c, "Are you there?")
	if failed.Problem == nil || failed.Problem.Code != memory.EENGINE || failed.Problem.Remedy == "" {
		t.Errorf("without an engine: %+v", failed)
	}
	if m := p.messages(c); m[len(m)-2].ID != asked.ID || m[len(m)-2].Content != "Are you there?" {
		t.Errorf("the question is not kept: %+v", m)
	}

	must(t, f.Restart())
	p.engineState(engine.StateReady)
	if _, answer := p.ask(c, "[[say Here again.]]"); answer.Status != memory.StatusComplete || answer.Content != "Here again." {
		t.Errorf("after the engine is back: %+v", answer)
	}
	// The failed answer can be had once more, beside the failed one.
	var again api.MessageResult
	p.post("/api/messages/"+failed.ID+"/regenerate", nil, &again)
	if answer := p.answer(asked); answer.Status != memory.StatusComplete || len(answer.Siblings) < 2 {
		t.Errorf("answered anew: %+v", answer)
	}
}

// The app may be started first; an engine that comes later is found without a restart, and so are its models.
func TestEngineStartsAfterTheApp(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	p := serve(t, t.TempDir(), "OLLAMA_HOST="+address)
	s := p.engineState(engine.StateMissing, engine.StateFailed)
	if s.Message == "" || s.Remedy == "" {
		t.Errorf("it says neither what is wrong nor what to do: %+v", s)
	}
	f, err := enginetest.Start(address, enginetest.Options{})
	must(t, err)
	defer f.Stop()
	p.engineState(engine.StateReady)
	var list api.Models
	p.get("/api/models", &list)
	if len(list.Models) == 0 {
		t.Error("no models")
	}
	if _, answer := p.ask(p.conversation(), "Hello"); answer.Status != memory.StatusComplete {
		t.Errorf("%+v", answer)
	}
}

// An engine that OLLAMA_HOST names and that starts after ours took its place is moved to between two answers, with a notice;
// ours ends, and the conversation goes on.
func TestNamedEngineStartsAfterOurs(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	p := serve(t, t.TempDir(), "OLLAMA_HOST="+address, "PATH="+enginetest.Installed(t))
	ours := p.engineState(engine.StateReady)
	if ours.Kind != engine.KindFound || ours.Unanswered != address {
		t.Fatalf("%+v", ours)
	}
	must(t, p.call("PATCH", "/api/settings", map[string]any{"model": enginetest.Chat}, nil))
	c := p.conversation()
	p.ask(c, "[[say From ours.]]")

	var now api.Snapshot
	p.get("/api/snapshot", &now)
	slow := p.send(c, "[[slow 20]] [[long 20]]")
	p.begun(slow)
	f, err := enginetest.Start(address, enginetest.Options{})
	must(t, err)
	defer f.Stop()
	f.OnChat(enginetest.Directives)
	if answer := p.answer(slow); answer.Status != memory.StatusComplete || !strings.Contains(answer.Content, "20. A line") {
		t.Errorf("the answer in between: %+v", answer)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var moved, told bool
	for ev, err := range p.Events(ctx, fmt.Sprintf("%s-%d", now.Epoch, now.Seq)) {
		must(t, err)
		switch ev.Type {
		case "engine.state":
			if ev.Data["state"] != string(engine.StateReady) {
				t.Errorf("without an engine meanwhile: %+v", ev.Data)
			}
			moved = moved || ev.Data["address"] == f.URL() && ev.Data["unanswered"] == nil
		case "notice":
			told = told || ev.Data["code"] == "engine_moved" && strings.Contains(ev.Data["text"].(string), f.URL())
		}
		if moved && told {
			break
		}
	}
	if _, answer := p.ask(c, "[[say From the named one.]]"); answer.Content != "From the named one." || len(f.Chats()) == 0 {
		t.Errorf("%+v, %d requests there", answer, len(f.Chats()))
	}
	eventually(t, "the end of our engine", func() bool {
		conn, err := net.Dial("tcp", strings.TrimPrefix(ours.Address, "http://"))
		if err == nil {
			must(t, conn.Close())
		}
		return err != nil
	})
}

// A model deleted while it answers, and one deleted between two questions: the problem names the model and offers another.
func TestModelDeletedWhileInUse(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{ChunkDelay: 10 * time.Millisecond})
	p := serve(t, t.TempDir(), env)
	must(t, p.call("PATCH", "/api/settings", map[string]any{"model": enginetest.Chat}, nil))
	c := p.conversation()
	user := p.send(c, "[[long 20]]")
	p.begun(user)
	f.RemoveModel(enginetest.Chat)
	if answer := p.answer(user); answer.Content == "" {
		t.Errorf("what came before is gone: %+v", answer)
	}
	_, answer := p.ask(c, "And now?")
	if answer.Problem == nil || answer.Problem.Code != memory.EMODEL || answer.Problem.Remedy == "" || !strings.Contains(answer.Problem.Message, "smollm2") {
		t.Fatalf("without its model: %+v %+v", answer, answer.Problem)
	}
	must(t, p.call("PATCH", "/api/settings", map[string]any{"model": enginetest.Tools}, nil))
	if _, answer := p.ask(c, "[[say With another.]]"); answer.Content != "With another." {
		t.Errorf("with another model: %+v", answer)
	}
}

// Deleted over the app itself, while it is loaded: it is unloaded, gone from the list, and named as missing.
func TestModelDeletedInTheApp(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	p := serve(t, t.TempDir(), env)
	must(t, p.call("PATCH", "/api/settings", map[string]any{"model": enginetest.Chat}, nil))
	p.ask(p.conversation(), "Hello")
	if _, loaded := f.Loaded()[enginetest.Chat]; !loaded {
		t.Fatal("the model is not loaded")
	}
	must(t, p.call("DELETE", "/api/models/"+enginetest.Chat, nil, nil))
	if _, loaded := f.Loaded()[enginetest.Chat]; loaded {
		t.Error("it is still in memory")
	}
	_, answer := p.ask(p.conversation(), "Hello")
	if answer.Problem == nil || answer.Problem.Code != memory.EMODEL {
		t.Errorf("%+v", answer)
	}
}

// Proxy variables that lead nowhere keep neither the app from its engine nor a subcommand from the app.
func TestDeadProxyDoesNotMatter(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	dead := "http://" + freeAddress(t)
	all := []string{env, "HTTP_PROXY=" + dead, "http_proxy=" + dead, "HTTPS_PROXY=" + dead, "ALL_PROXY=" + dead}
	p := serve(t, home, all...)
	if _, answer := p.ask(p.conversation(), "[[say No proxy.]]"); answer.Content != "No proxy." {
		t.Errorf("%+v", answer)
	}
	out, errs, code := run(t, home, all, "chat", "[[say Nor here.]]")
	if code != 0 || !strings.Contains(out, "Nor here.") {
		t.Errorf("chat ended with %d: %s%s", code, out, errs)
	}
}

// An engine on another machine is used when the user says so, and a warning tells that texts leave this machine.
func TestEngineOnAnotherMachineWarns(t *testing.T) {
	t.Parallel()
	address := ""
	addrs, err := net.InterfaceAddrs()
	must(t, err)
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			address = ip.IP.String()
		}
	}
	if address == "" { // no network: an address that nobody has is marked as well
		p := serve(t, t.TempDir(), "OLLAMA_HOST=192.0.2.1:9")
		p.engineState(engine.StateMissing, engine.StateFailed)
		return
	}
	f, err := enginetest.Start(address+":0", enginetest.Options{})
	must(t, err)
	defer f.Stop()
	home := t.TempDir()
	p := serve(t, home, "OLLAMA_HOST="+f.Addr())
	if s := p.engineState(engine.StateReady); s.Loopback {
		t.Errorf("the page is not told: %+v", s)
	}
	out, _, code := run(t, home, nil, "doctor")
	if code != 0 || !strings.Contains(out, "leaves this machine") {
		t.Errorf("doctor (%d) does not warn:\n%s", code, out)
	}
	out, errs, code := run(t, home, nil, "chat", "Hello")
	if code != 0 || !strings.Contains(errs, "leaves this machine") {
		t.Errorf("chat (%d) does not warn:\n%s%s", code, out, errs)
	}
}

// A model that runs on other machines is listed as such and refused, and the user's text is not sent.
func TestRemoteModelsAreRefused(t *testing.T) {
	t.Parallel()
	models := append(enginetest.DefaultModels(), enginetest.Model{Name: "cloudy:latest", RemoteHost: "https://example.com"})
	f, env := fake(t, enginetest.Options{Models: models})
	p := serve(t, t.TempDir(), env)
	must(t, p.call("PATCH", "/api/settings", map[string]any{"model": "cloudy:latest"}, nil))
	_, answer := p.ask(p.conversation(), "My secret is 1234")
	if answer.Problem == nil || answer.Problem.Code != memory.EMODEL || answer.Problem.Remedy == "" {
		t.Errorf("%+v %+v", answer, answer.Problem)
	}
	if n := len(f.Chats()); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// The address in the settings is followed at once, and what is no address is refused.
func TestEngineHostSetting(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	other, err := enginetest.Start("127.0.0.1:0", enginetest.Options{Models: []enginetest.Model{{Name: "other:latest"}}})
	must(t, err)
	defer other.Stop()
	p := serve(t, t.TempDir(), env)
	p.engineState(engine.StateReady)
	_ = wantCode(t, p.call("PATCH", "/api/settings", map[string]any{"engine_host": "not an address"}, nil), memory.EINVALID, "")
	must(t, p.call("PATCH", "/api/settings", map[string]any{"engine_host": other.URL()}, nil))
	eventually(t, "the other engine", func() bool {
		var s engine.Status
		p.get("/api/engine", &s)
		return s.State == engine.StateReady && strings.Contains(s.Address, other.Addr())
	})
	if _, answer := p.ask(p.conversation(), "Hello"); answer.Model != "other:latest" {
		t.Errorf("%+v", answer)
	}
}
