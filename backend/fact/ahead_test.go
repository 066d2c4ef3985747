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
		"I am moving to Lyon in January.":             "home=Lyon 2027-01-01..",
		"We're moving to Lyon next month.":            "home=Lyon 2026-12-01..",
		"I start at Bosch on 1 February.":             "employer=Bosch 2027-02-01..",
		"My rent goes up to 900 euros in January.":    "rent=900 euros 2027-01-01..",
		"My rent is going up to 950 on 1 March.":      "rent=950 2027-03-01..",
		"我下个月搬到上海。":                                   "home=上海 2026-12-01..",
		"我一月份要搬到杭州。":                                  "home=杭州 2027-01-01..",
		"房租从一月起涨到3000元。":                              "房租=3000元 2027-01-01..",
		"房租下个月涨到3000元。":                               "房租=3000元 2026-12-01..",
		"I might move to Lyon in January.":            "",
		"Maybe I'm moving to Lyon in January.":        "",
		"If I get the job, I'm moving to Lyon in May": "",
		"My sister is moving to Lyon in January.":     "",
		"我可能下个月搬到上海。":                                 "",
		"我下个月搬到上海吗？":                                  "",
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
			if f.Start < 0 || f.End > len([]rune(said)) || f.Start >= f.End {
				t.Errorf("%q: from %d to %d", said, f.Start, f.End)
			}
			if f.EndedAt.After(at) {
				got += f.EndedAt.Format(time.DateOnly)
			}
		}
		if got != want {
			t.Errorf("%q states %q, want %q", said, got, want)
		}
	}
}
