package fact

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"recollect/backend/when"
)

var (
	enMonths  = compile(`(?i)^(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?)(?:,? (\d{4}))?$`)
	zhDay     = compile(`^(?:(\d{4})年)?(\d{1,2}|[一二三四五六七八九十]{1,3})月(\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?$`)
	isoDay    = compile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	shortYear = compile(`^['’][3-9]\d$`)
	bareYear  = compile(`^(?:19|20)\d\d年?$`)
	clockTime = compile(`(?i)\b(\d{1,2})(?::(\d{2}))?\s*(a\.?m\.?|p\.?m\.?|o['’]clock)?(?:$|\W)|(上午|早上|中午|下午|晚上)?(\d{1,2}|[一二三四五六七八九十两]{1,3})点(半|(\d{1,2})分?)?`)
	monthName = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}
)

// birthday returns a day that comes every year as MM-DD, with the year in front where it was said; "" where s is none.
func birthday(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s, "on "), "in "))
	var year, month, day int
	switch {
	case enMonths.MatchString(s):
		m := enMonths.FindStringSubmatch(s)
		name, d := m[2], m[1]
		if name == "" {
			name, d = m[3], m[4]
		}
		month, day, year = monthName[strings.ToLower(name)], number(d), number(m[5])
	case zhDay.MatchString(s):
		m := zhDay.FindStringSubmatch(s)
		year, month, day = number(m[1]), hanNumber(m[2]), hanNumber(m[3])
	case isoDay.MatchString(s):
		m := isoDay.FindStringSubmatch(s)
		year, month, day = number(m[1]), number(m[2]), number(m[3])
	case shortYear.MatchString(s): // '84
		return "19" + s[len(s)-2:]
	case bareYear.MatchString(s):
		return strings.TrimSuffix(s, "年")
	default:
		return ""
	}
	leap := cmp.Or(year, 2000) // where none is said, one with a 29 February
	if d := time.Date(leap, time.Month(month), day, 0, 0, 0, 0, time.UTC); d.Month() != time.Month(month) || d.Day() != day {
		return ""
	}
	if year == 0 {
		return fmt.Sprintf("%02d-%02d", month, day)
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// day returns the date that s says, as exactly as it says it, seen from at: 2026-05-03, 2026-05-03 15:00, 2026-05, 2026.
// ok is false where s is no date or says more than one.
func day(s string, at time.Time) (date string, ok bool) {
	date, ok = dayAsSaid(s, at)
	if len(date) > len("2006-01-02") && smallHour.MatchString(date) && !earlyHour.MatchString(s) { // "at 3": in the afternoon?
		date = date[:len("2006-01-02")]
	}
	return date, ok
}

var (
	smallHour = compile(` 0[1-6]:00$`)
	earlyHour = compile(`(?i)\bam\b|a\.m|morning|night|凌晨|早上|清晨|上午|0\d:|\d:\d\d`)
)

func dayAsSaid(s string, at time.Time) (date string, ok bool) {
	spans := when.Parse(s, at, when.Ahead)
	if len(spans) == 0 {
		return dayOfMonth(s, at)
	}
	sp := spans[0]
	if !sp.Window() || sp.From.IsZero() || sp.Kind != when.Point {
		return "", false
	}
	rest := strings.TrimSpace(s[:sp.Start])
	if rest != "" && !leadsToDate.MatchString(rest) {
		return "", false
	}
	tail := strings.TrimSpace(s[sp.End:])
	switch sp.Precision {
	case when.Minute, when.Hour:
		if tail != "" && !afterDate.MatchString(tail) {
			return "", false
		}
		return sp.From.Format("2006-01-02 15:04"), true
	case when.Day, when.PartOfDay:
		date = sp.From.Format("2006-01-02")
		hours := tail
		if sp.Precision == when.PartOfDay {
			hours = s[sp.Start:]
		}
		if clock, ok := clockOf(hours); ok {
			return date + " " + clock, true
		}
		if tail != "" && !afterDate.MatchString(tail) {
			return "", false
		}
		return date, true
	case when.Month:
		if tail != "" && !afterDate.MatchString(tail) {
			return "", false
		}
		return sp.From.Format("2006-01"), true
	case when.Year:
		if tail != "" {
			return "", false
		}
		return sp.From.Format("2006"), true
	}
	return "", false
}

// dayOfMonth reads "the 9th at 6:40": the next day of that number.
func dayOfMonth(s string, at time.Time) (string, bool) {
	m := ordinalDay.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	n := number(m[1])
	for month := range time.Month(12) {
		d := time.Date(at.Year(), at.Month()+month, n, 0, 0, 0, 0, at.Location())
		if d.Day() != n || d.Before(at.Truncate(24*time.Hour)) {
			continue
		}
		date := d.Format("2006-01-02")
		if clock, ok := clockOf(m[2]); ok {
			date += " " + clock
		}
		return date, true
	}
	return "", false
}

var ordinalDay = compile(`(?i)^(?:on )?the (\d{1,2})(?:st|nd|rd|th)(?: at (.{1,20}))?$`)

var (
	leadsToDate = compile(`(?i)^(?:on|in|at|by|for|the|until|due|due on|scheduled for|set for|around|on the|at the|is|在|是|定在|于|安排在)$`)
	afterDate   = compile(`(?i)^(?:at .{1,24}|(?:from|to|in|with|at the) .{1,40}|[,.!]|this year|next year|举行|出发|开始|到期|截止|起飞|考|考试|左右|in the (?:morning|afternoon|evening))$`)
)

// clockOf returns the time of day that a text says, as 15:04.
func clockOf(s string) (string, bool) {
	m := clockTime.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	var hour, minute int
	switch {
	case m[1] != "":
		if m[2] == "" && m[3] == "" {
			return "", false
		}
		hour, minute = number(m[1]), number(m[2])
		half := strings.ToLower(m[3])
		if strings.HasPrefix(half, "p") && hour < 12 {
			hour += 12
		}
		if strings.HasPrefix(half, "a") && hour == 12 {
			hour = 0
		}
	default:
		hour = hanNumber(m[5])
		if (m[4] == "下午" || m[4] == "晚上") && hour < 12 {
			hour += 12
		}
		if m[6] == "半" {
			minute = 30
		} else if m[7] != "" {
			minute = number(m[7])
		}
	}
	if hour > 23 || minute > 59 {
		return "", false
	}
	return fmt.Sprintf("%02d:%02d", hour, minute), true
}

// since returns when something that a clause tells began, where it says so and that is past.
func since(clause string, at time.Time) time.Time {
	var first time.Time
	for _, sp := range when.Parse(clause, at, when.Past) {
		if !sp.Window() || sp.From.IsZero() || !sp.From.Before(at) || sp.Precision < when.Day {
			continue
		}
		if first.IsZero() {
			first = sp.From
		}
		if strings.ContainsAny(clause[sp.Start:sp.End], "0123456789") { // "recently … in May 2024"
			return sp.From
		}
	}
	return first
}

// lasted returns from when to when something that is over was, as far as a clause says it.
func lasted(clause string, at time.Time) (from, to time.Time) {
	for _, sp := range when.Parse(clause, at, when.Past) {
		if sp.Kind == when.Range && !sp.To.IsZero() && sp.To.Before(at) {
			return sp.From, sp.To.Add(-time.Millisecond) // To is the first moment after it
		}
	}
	return time.Time{}, time.Time{}
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

var hanDigits = map[rune]int{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

// hanNumber reads a number up to 99 in digits or in Chinese.
func hanNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	n, tens := 0, false
	for _, r := range s {
		if r == '十' {
			tens = true
			if n == 0 {
				n = 1
			}
			n *= 10
			continue
		}
		d, ok := hanDigits[r]
		if !ok {
			return 0
		}
		n += d
	}
	_ = tens
	return n
}

var enNumbers = func() map[string]int {
	m := map[string]int{}
	for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty") {
		m[w] = i
	}
	for i, tens := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		m[tens] = (i + 2) * 10
		for j, w := range strings.Fields("one two three four five six seven eight nine") {
			m[tens+"-"+w], m[tens+" "+w] = (i+2)*10+j+1, (i+2)*10+j+1
		}
	}
	return m
}()

const enNumber = `\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen`

// digits returns a number word or number as digits.
func digits(s string) string {
	if n, ok := enNumbers[strings.ToLower(s)]; ok {
		return strconv.Itoa(n)
	}
	if hasHan(s) {
		return strconv.Itoa(hanNumber(s))
	}
	return s
}
