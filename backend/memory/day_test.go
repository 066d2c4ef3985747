package memory_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"recollect/backend/memory"
)

func TestADayBeginsWhenTheClocksSaySo(t *testing.T) {
	for _, c := range []struct {
		zone, want string
		year       int
		month      time.Month
		day        int
	}{
		{"Europe/Berlin", "2026-03-29T00:00:00+01:00", 2026, 3, 29},
		{"Europe/Berlin", "2026-03-30T00:00:00+02:00", 2026, 3, 30},
		{"Africa/Cairo", "2023-04-28T01:00:00+03:00", 2023, 4, 28},
		{"America/Sao_Paulo", "2018-11-04T01:00:00-02:00", 2018, 11, 4},
		{"America/Sao_Paulo", "2018-11-05T00:00:00-02:00", 2018, 11, 5},
		{"UTC", "2026-12-01T00:00:00Z", 2026, 11, 31},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := memory.DayStart(c.year, c.month, c.day, zone).Format(time.RFC3339); got != c.want {
			t.Errorf("%s: the day begins at %s, not %s", c.zone, got, c.want)
		}
	}
}
