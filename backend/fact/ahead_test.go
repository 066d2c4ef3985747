package fact

import (
	"testing"
	"time"
)

func TestWhatBeginsOrEndsOnADayToCome(t *testing.T) {
	at := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	for said, want := range map[string]string{
		"From January I work at Bosch.":               "employer=Bosch 2027-01-01..",
		"From January on, I'll be working at Bosch.":  "employer=Bosch 2027-01-01..",
		"Starting next month I work at Bosch.":        "employer=Bosch 2026-12-01..",
		"As of 1 January I live in Lyon.":             "home=Lyon 2027-01-01..",
		"I will live in Lyon from January on.":        "home=Lyon 2027-01-01..",
		"I live in Rome from 1 May.":                  "home=Rome 2027-05-01..",
		"From Monday I am vegetarian.":                "diet=vegetarian 2026-11-23..",
		"As of 1 November I live in Lyon.":            "home=Lyon ..", // which was this month
		"I work at Siemens until June.":               "employer=Siemens ..2027-06-01",
		"I live in Lyon and work at Bosch until May.": "home=Lyon .. employer=Bosch ..2027-05-01",
		"一月起我在博世工作。":                                  "employer=博世 2027-01-01..",
		"从下个月开始我住在杭州。":                                "home=杭州 2026-12-01..",
		"从明年三月起，我在华为上班。":                              "employer=华为 2027-03-01..",
		"我在华为工作到六月。":                                  "employer=华为 ..2027-06-01",
		"I am moving to Lyon in January.":             "", // a plan without a day from which it holds
		"Maybe I work at Bosch from January.":         "",
		"I work at Siemens.":                          "employer=Siemens ..",
	} {
		got := ""
		for i, f := range Read(Message{Text: said, At: at}) {
			if i > 0 {
				got += " "
			}
			got += f.Key + "=" + f.Value + " "
			if f.ValidFrom.After(at) {
				got += f.ValidFrom.Format(time.DateOnly)
			}
			got += ".."
			if f.EndedAt.After(at) {
				got += f.EndedAt.Format(time.DateOnly)
			}
		}
		if got != want {
			t.Errorf("%q states %q, want %q", said, got, want)
		}
	}
}
