package engine

import (
	"context"
	"net/http"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/machine"
	"recollect/backend/memory"
)

// Names of the models that come with the app.
const (
	StarterChat     = "recollect/smollm2-135m"
	StarterEmbedder = "recollect/multilingual-e5-small"
)

// DefaultWindow is the window that Model.NeedBytes is estimated for, in tokens, where the model was trained for as much.
const DefaultWindow = 8192

// fullName is how the engine lists a model: lower case is kept apart only by people, and the tag "latest" goes without
// saying.
func fullName(name string) string {
	if !strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		name += ":latest"
	}
	return strings.ToLower(name)
}

// SameModel reports whether two names mean the same model, as the engine sees it: "bge-m3" is "bge-m3:latest".
func SameModel(a, b string) bool { return fullName(a) == fullName(b) }

func isStarter(name string) bool {
	return slices.Contains([]string{fullName(StarterChat), fullName(StarterEmbedder)}, fullName(name))
}

// Models lists the installed models, those without tools too, by name.
func (e *Engine) Models(ctx context.Context) ([]Model, error) {
	defer e.Hold()()
	c, err := e.connection()
	if err != nil {
		return nil, err
	}
	list, err := e.tags(ctx, c)
	if err != nil {
		return nil, err
	}
	loaded := c.loadedNames(ctx, e.queue.idle())
	models := make([]Model, 0, len(list.Models))
	for _, m := range list.Models {
		p, err := e.profileOf(ctx, c, m)
		if err != nil {
			if ctx.Err() != nil {
				return nil, classify(ctx, "list models", err)
			}
			p = Profile{Model: modelOf(m)} // a broken one is listed all the same, so that it can be deleted
		}
		p.Loaded = slices.Contains(loaded, fullName(m.Name))
		models = append(models, p.Model)
	}
	slices.SortFunc(models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	e.mu.Lock()
	s := e.status
	same := e.conn == c
	e.mu.Unlock()
	if s.Models = len(models); same {
		e.setState(s, c)
	}
	return models, nil
}

// tags lists the models and notes their digests.
func (e *Engine) tags(ctx context.Context, c *conn) (api.ListResponse, error) {
	var list api.ListResponse
	if err := c.call(ctx, http.MethodGet, "/api/tags", nil, &list); err != nil {
		return list, classify(ctx, "list models", err)
	}
	now := e.o.Clock()
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.digests)
	for _, m := range list.Models {
		e.digests[fullName(m.Name)] = seen{m.Digest, now}
	}
	return list, nil
}

// loadedNames returns the models in memory. Asking the engine is known to crash it when a load is going on, so it is asked
// only while idle and rarely; otherwise the last answer serves.
func (c *conn) loadedNames(ctx context.Context, idle bool) []string {
	c.mu.Lock()
	names, fresh := c.ps, time.Since(c.psAt) < 3*time.Second
	if idle && !fresh {
		c.psAt = time.Now()
	}
	c.mu.Unlock()
	if !idle || fresh {
		return names
	}
	var list api.ProcessResponse
	if c.call(ctx, http.MethodGet, "/api/ps", nil, &list) != nil {
		return names
	}
	names = nil
	for _, m := range list.Models {
		names = append(names, fullName(m.Name))
	}
	c.mu.Lock()
	c.ps = names
	c.mu.Unlock()
	return names
}

// serves returns the window that a model in memory really has, 0 where the engine does not say. Ask only while the turn of the
// queue is held and nothing loads: see loadedNames.
func (c *conn) serves(ctx context.Context, full string) int {
	var list api.ProcessResponse
	if c.call(ctx, http.MethodGet, "/api/ps", nil, &list) != nil {
		return 0
	}
	for _, m := range list.Models {
		if fullName(m.Name) == full {
			return m.ContextLength
		}
	}
	return 0
}

// Profile returns what is known about a model: EMODEL with RemedyPullModel when it is not installed.
func (e *Engine) Profile(ctx context.Context, name string) (Profile, error) {
	defer e.Hold()()
	c, err := e.connection()
	if err != nil {
		return Profile{}, err
	}
	return e.profile(ctx, c, name)
}

// profile looks a model's digest up (at most once a minute) and its profile (once a digest).
func (e *Engine) profile(ctx context.Context, c *conn, name string) (Profile, error) {
	if strings.TrimSpace(name) == "" {
		err := memory.Errorf(memory.EMODEL, "model", "no model is chosen")
		err.Remedy = memory.RemedyChooseModel
		return Profile{}, err
	}
	full := fullName(name)
	e.mu.Lock()
	d, known := e.digests[full]
	p, cached := e.profiles[full+" "+d.digest]
	e.mu.Unlock()
	if known && cached && e.o.Clock().Sub(d.at).Abs() < time.Minute {
		return p, nil
	}
	list, err := e.tags(ctx, c)
	if err != nil {
		return Profile{}, err
	}
	for _, m := range list.Models {
		if fullName(m.Name) == full {
			return e.profileOf(ctx, c, m)
		}
	}
	missing := memory.Errorf(memory.EMODEL, "model", "model %q is not installed", name)
	missing.Remedy = memory.RemedyPullModel
	return Profile{}, missing
}

// profileOf returns the profile of a listed model, from the cache or from the engine.
func (e *Engine) profileOf(ctx context.Context, c *conn, m api.ListModelResponse) (Profile, error) {
	key := fullName(m.Name) + " " + m.Digest
	e.mu.Lock()
	p, ok := e.profiles[key]
	e.mu.Unlock()
	if ok {
		return p, nil
	}
	if m.RemoteHost != "" {
		return Profile{Model: modelOf(m)}, nil
	}
	var show api.ShowResponse
	if err := c.call(ctx, http.MethodPost, "/api/show", api.ShowRequest{Model: m.Name}, &show); err != nil {
		return Profile{}, classify(ctx, "read the model's profile", err)
	}
	p = newProfile(m, show)
	if isLoopback(c.base) {
		p.Fits = Fits(p.NeedBytes, e.memory())
	}
	e.mu.Lock()
	e.profiles[key] = p
	e.mu.Unlock()
	return p, nil
}

// Vocabulary returns the part of a model's GGUF that counting tokens needs, as the engine gives it over HTTP: keys such as
// "tokenizer.ggml.tokens". It is large; callers keep what they make of it.
func (e *Engine) Vocabulary(ctx context.Context, name string) (map[string]any, error) {
	defer e.Hold()()
	c, err := e.connection()
	if err != nil {
		return nil, err
	}
	var show api.ShowResponse
	if err := c.call(ctx, http.MethodPost, "/api/show", api.ShowRequest{Model: name, Verbose: true}, &show); err != nil {
		return nil, classify(ctx, "read the model's vocabulary", err)
	}
	return show.ModelInfo, nil
}

// modelOf is what the list of models says about one.
func modelOf(m api.ListModelResponse) Model {
	return Model{
		Name: m.Name, Digest: m.Digest, Family: m.Details.Family, Parameters: m.Details.ParameterSize,
		Quantization: m.Details.QuantizationLevel, Bytes: m.Size, Capabilities: []string{}, Remote: m.RemoteHost != "",
		Starter: isStarter(m.Name),
	}
}

// memory returns the bytes of memory of this machine, 0 where that is unknown.
func (e *Engine) memory() int64 {
	if e.o.Memory > 0 {
		return e.o.Memory
	}
	total, err := machine.Memory()
	if err != nil {
		return 0
	}
	return total
}

// Fits says whether something that needs so many bytes runs well beside other programs in a memory of total bytes: "yes",
// "tight" (slowly) or "no"; "" where the memory is unknown.
func Fits(need, total int64) string {
	switch {
	case total <= 0:
		return ""
	case need <= total*6/10:
		return "yes"
	case need <= total*85/100:
		return "tight"
	}
	return "no"
}

// Need returns the memory that a model takes with a window of so many tokens in each of its prompt caches, estimated.
func (m Model) Need(window, caches int) int64 {
	if m.Context > 0 {
		window = min(window, m.Context)
	}
	return m.BaseBytes + m.KVBytesPerToken*int64(window)*int64(max(caches, 1))
}

// LargestWindow returns the largest window, in steps of 1,024 tokens, that does well in a memory of total bytes; 0 where not
// even the smallest does, or the memory is unknown.
func (m Model) LargestWindow(total int64, caches int) int {
	const step = 1024
	largest := m.Context / step * step
	if largest == 0 {
		return 0
	}
	n := sort.Search(largest/step, func(i int) bool { return Fits(m.Need((i+1)*step, caches), total) != "yes" })
	return n * step
}

// unload frees a model's memory.
func (e *Engine) unload(ctx context.Context, c *conn, name string) error {
	now := &api.Duration{}
	err := c.call(ctx, http.MethodPost, "/api/generate", api.GenerateRequest{Model: name, KeepAlive: now}, nil)
	c.forget(name)
	if err != nil {
		return classify(ctx, "unload the model", err)
	}
	return nil
}

// deleteWithin is how long the deletion of a model waits for what the engine is doing.
const deleteWithin = 3 * time.Second

// Delete removes a model and frees its memory. EBUSY where the engine is at work and does not end soon: what it does may
// be with this model.
func (e *Engine) Delete(ctx context.Context, name string) error {
	defer e.Hold()()
	const op = "delete the model"
	c, err := e.connection()
	if err != nil {
		return err
	}
	wait, stop := context.WithTimeout(ctx, deleteWithin)
	defer stop()
	if err := e.queue.acquire(wait, PriorityChat); err != nil {
		if ctx.Err() != nil {
			return classify(ctx, op, err)
		}
		busy := memory.Errorf(memory.EBUSY, op, "the engine is at work and may be using the model; stop the answer, or try again when it is done")
		busy.Remedy = memory.RemedyStop
		return busy
	}
	defer e.queue.release()
	if err := e.unload(ctx, c, name); err != nil && memory.CodeOf(err) == memory.EMODEL {
		return err
	} // one that cannot be unloaded can be deleted all the same
	if err := c.call(ctx, http.MethodDelete, "/api/delete", api.DeleteRequest{Model: name}, nil); err != nil {
		return classify(ctx, op, err)
	}
	e.modelsChanged(ctx, c)
	return nil
}

// forget notes that a model is not in memory.
func (c *conn) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.resident, fullName(name))
	c.psAt = time.Time{}
}

// pullHosts are the registries that models may be pulled from, besides one on this machine.
var pullHosts = []string{"registry.ollama.ai", "hf.co", "huggingface.co"}

// checkName parses a model name and refuses what is none.
func checkName(op, name string) (model.Name, error) {
	name = strings.TrimSpace(name)
	n := model.ParseName(name)
	if len(name) > 300 || !n.IsFullyQualified() {
		err := memory.Errorf(memory.EINVALID, op, "%.80q is not the name of a model", name)
		err.Remedy = memory.RemedyCheckModelName
		return n, err
	}
	return n, nil
}

// checkPullName refuses names whose model would come from a host that is not on the list. It says whether plain HTTP is
// allowed, which it is on this machine only.
func checkPullName(op, name string) (insecure bool, err error) {
	n, err := checkName(op, name)
	if err != nil {
		return false, err
	}
	if u, err := parseAddress(n.Host); err == nil && isLoopback(u) {
		return true, nil
	}
	if slices.Contains(pullHosts, strings.ToLower(n.Host)) && n.ProtocolScheme == "https" {
		return false, nil
	}
	refused := memory.Errorf(memory.EFORBIDDEN, op, "models are pulled from %s only, not from %s", strings.Join(pullHosts, ", "), n.Host)
	refused.Remedy = memory.RemedyCheckModelName
	return false, refused
}

// refuseRemote is the error for a model that would send prompts elsewhere.
func refuseRemote(op string, p Profile) error {
	if !p.Remote {
		return nil
	}
	err := memory.Errorf(memory.EMODEL, op, "%s runs on a server elsewhere; Recollect sends nothing away from this machine", p.Name)
	err.Remedy = memory.RemedyChooseModel
	return err
}
