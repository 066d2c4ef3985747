package memory

import "time"

// DayStart returns the first moment of a day in a zone. Where clocks are put forward at midnight, that is not 0:00.
func DayStart(year int, month time.Month, day int, zone *time.Location) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, zone)
	if noon := time.Date(year, month, day, 12, 0, 0, 0, zone); t.Day() != noon.Day() {
		_, t = t.ZoneBounds() // it is the moment before the clocks change
	}
	return t
}
