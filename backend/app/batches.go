package app

import (
	"encoding/json"

	"recollect/backend/memory"
)

// Batches parts events into runs of at most limit bytes of JSON each, in their order; one event larger than that travels
// alone. Web views leak what large events carry (wailsapp/wails#4587), so the window sends small ones.
func Batches(events []memory.Event, limit int) [][]memory.Event {
	var out [][]memory.Event
	begin, size := 0, 0
	for i, ev := range events {
		raw, err := json.Marshal(ev)
		if err != nil {
			raw = nil // the bus accepts only what can be marshalled
		}
		if i > begin && size+len(raw) > limit {
			out = append(out, events[begin:i])
			begin, size = i, 0
		}
		size += len(raw) + 1
	}
	if begin < len(events) {
		out = append(out, events[begin:])
	}
	return out
}
