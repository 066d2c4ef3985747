package bench

// measures returns all experiments in the order of the table.
func measures() []measure {
	return []measure{
		{"initial script", initialScript},
	}
}
