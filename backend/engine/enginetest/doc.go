// Package enginetest stands in for Ollama in tests.
//
// A [Fake] is a server in this process that speaks Ollama's native API on a loopback port. Its answers are scripted and it
// can misbehave in each way that the real one is known to:
//
//	f := enginetest.New(t, enginetest.Options{})            // two starter models and one with tools
//	f.OnChat(func(r api.ChatRequest) enginetest.Reply {     // called for each real chat request
//		if enginetest.LastUser(r) == "hello" {
//			return enginetest.Reply{Content: "Hello there."}
//		}
//		return enginetest.Reply{Calls: []enginetest.Call{{Name: "core_memory_append", Arguments: `{"label":"human"}`}}}
//	})
//	e := engine.New(engine.Options{Host: f.URL()})
//	…
//	f.Chats()  // the requests that OnChat saw; f.Requests() has all of them, stages and embeddings too
//
// Vectors reflect which words (and CJK bigrams) texts share, so that search by meaning can be tested. Prompts are cached
// by prefix in slots as in Ollama, and cost time when Options.PromptSpeed says so. [Real] starts a real engine where there
// is one, [Registry] is a model registry on loopback, and fakeollama is the Fake as a program for browser tests.
package enginetest
