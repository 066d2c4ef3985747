package fact

import (
	"testing"
	"time"
)

// What is said by the day is reckoned in the zone of the user: at the ends of months and years, on leap days, across weeks, which
// begin on Monday, and over the night in which clocks change.
func TestDaysAtTheirEdges(t *testing.T) {
	for _, c := range []struct{ at, zone, said, want string }{
		{"2026-08-31T12:00:00Z", "Europe/Berlin", "From next month I work at Bosch.", "Bosch from 2026-09-01"},
		{"2026-08-31T12:00:00Z", "Europe/Berlin", "I moved to Lyon six months ago.", "Lyon from 2026-02-01"},
		{"2028-02-29T12:00:00Z", "Europe/Berlin", "I moved to Lyon a year ago.", "Lyon from 2027-01-01"},
		{"2027-03-01T12:00:00Z", "Europe/Berlin", "我的生日是2月29日。", "02-29"},
		{"2026-12-31T23:30:00Z", "Asia/Shanghai", "My exam is tomorrow.", "2027-01-02"},
		{"2026-12-31T23:30:00Z", "America/New_York", "My exam is tomorrow.", "2027-01-01"},
		{"2026-12-31T23:30:00Z", "Asia/Shanghai", "我昨天搬到上海了。", "上海 from 2026-12-31"},
		{"2026-12-31T23:30:00Z", "Asia/Shanghai", "From next month I work at Bosch.", "Bosch from 2027-02-01"},
		{"2026-12-31T23:30:00Z", "America/New_York", "From next year I work at Bosch.", "Bosch from 2027-01-01"},
		{"2026-11-29T12:00:00Z", "Europe/Berlin", "我下周三考试。", "2026-12-02"}, // on a Sunday
		{"2026-11-30T12:00:00Z", "Europe/Berlin", "我下周三考试。", "2026-12-09"}, // on a Monday
		{"2026-11-29T12:00:00Z", "Europe/Berlin", "My exam is next Wednesday.", "2026-12-02"},
		{"2026-11-30T12:00:00Z", "Europe/Berlin", "My exam is next Friday.", "2026-12-11"},
		{"2026-03-28T12:00:00Z", "Europe/Berlin", "From tomorrow I live in Lyon.", "Lyon from 2026-03-29"},
		{"2026-10-24T23:30:00Z", "Europe/Berlin", "I moved to Lyon yesterday.", "Lyon from 2026-10-24"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range Read(Message{Text: c.said, At: at.In(zone)}) {
			got += f.Value
			if from := f.ValidFrom; !from.IsZero() {
				got += " from " + from.In(zone).Format(time.DateOnly)
				if h, m, s := from.In(zone).Clock(); h+m+s != 0 {
					t.Errorf("%s: begins at %s", c.said, from)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s, %s: %q states %q, want %q", c.at, c.zone, c.said, got, c.want)
		}
	}
}
