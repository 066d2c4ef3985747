package bench

// Names are the names of the measures, which Options.Only chooses from.
func Names() []string {
	var names []string
	for _, m := range measures() {
		names = append(names, m.name)
	}
	return names
}

// measures returns all experiments in the order of the table.
func measures() []measure {
	h := &house{}
	return []measure{
		{"own time of a turn", h.ownTime},
		{"exact vector search", h.vectors},
		{"hybrid search", hybrid},
		{"usage", usage},
		{"room for messages", room},
		{"prompt cache", reuse},
		{"stages", stages},
		{"side task", sideTask},
		{"summary beside the chat", beside},
		{"serve", h.serving},
		{"window", h.window},
		{"streaming to disk", streaming},
		{"initial script", initialScript},
		{"streamed answer", streamedAnswer},
	}
}
