package when

import (
	"strings"
	"time"
)

var englishMatchers, englishPoints []matcher

// The tables refer to functions that read by the tables.
func init() {
	englishPoints = []matcher{
		numericDate, englishDate, englishYear, englishSeason, englishQuarter, englishDecade, englishDay, englishWeekday,
		englishUnit, englishAgo, englishHoliday, englishNth, englishPart, englishHalf, englishThen,
	}
	englishMatchers = []matcher{
		englishTimed, englishDayRange, englishRange, englishOpenRange, englishLast, englishRecent, englishOrder, englishRecurring,
	}
}

// numbered gives words their place in a list, counted from first.
func numbered(first int, words string) map[string]int {
	m := map[string]int{}
	for i, group := range strings.Fields(words) {
		for _, w := range strings.Split(group, "|") {
			m[w] = first + i
		}
	}
	return m
}

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	englishMonths = numbered(1, "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug "+
		"september|sep|sept october|oct november|nov december|dec")
	doubtfulMonths = setOf("may march mar jan feb apr jun jul aug sep sept oct nov dec") // also other words, or short
	weekdays       = numbered(0, "monday|mon tuesday|tue|tues wednesday|wed thursday|thu|thur|thurs friday|fri saturday|sat sunday|sun")
	shortWeekdays  = setOf("mon tue tues wed thu thur thurs fri sat sun")
	seasons        = numbered(0, "spring summer autumn|fall winter")
	units          = map[string]unit{
		"minute": minutes, "minutes": minutes, "min": minutes, "mins": minutes, "hour": hours, "hours": hours, "day": dayUnit, "days": dayUnit,
		"week": weekUnit, "weeks": weekUnit, "fortnight": weekUnit, "fortnights": weekUnit, "weekend": weekendUnit, "weekends": weekendUnit,
		"month": monthUnit, "months": monthUnit, "quarter": quarterUnit, "quarters": quarterUnit,
		"year": yearUnit, "years": yearUnit, "decade": decadeUnit, "decades": decadeUnit,
	}
	smallNumbers = numbered(1, "one|a|an two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	tens         = map[string]int{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
	ordinals     = numbered(1, "first second third fourth fifth sixth seventh eighth ninth tenth")

	// before are words that make the next one a time: "in may" and "on sat".
	before = setOf("in on last next this since until till by from of during early late mid between through every each past around about previous and to before after")
	// yearCues are words and signs after which a number of four digits is a year.
	yearCues = setOf("in since of from during until till by through before after year early late mid around and to spring summer autumn fall winter about circa")
	// approximately are words before a number of units that change nothing.
	approximately = setOf("about around over almost nearly roughly approximately some exactly just")
)

// count reads a number of units: 3, three, twenty-five, a couple of. few is set where it is no certain number.
func (p *parser) count(i int) (n, tokens int, few bool) {
	start := i
	switch p.word(i) {
	case "a":
		switch {
		case p.word(i+1) == "couple" && p.word(i+2) == "of":
			return 2, 3, false
		case p.word(i+1) == "couple":
			return 2, 2, false
		case p.word(i+1) == "few":
			return 3, 2, true
		}
	case "few", "several", "some":
		return 3, 1, true
	case "couple":
		if p.word(i+1) == "of" {
			return 2, 2, false
		}
	}
	if t := p.at(i); t.kind == number {
		if t.value < 0 || t.ordinal || t.digits > 6 {
			return 0, 0, false
		}
		return t.value, 1, false
	}
	if t, ok := tens[p.word(i)]; ok {
		i++
		if p.word(i) == "-" {
			i++
		}
		if n, ok := smallNumbers[p.word(i)]; ok && n < 10 && p.word(i) != "a" && p.word(i) != "an" {
			return t + n, i + 1 - start, false
		}
		return t, 1, false
	}
	if n, ok := smallNumbers[p.word(i)]; ok {
		return n, 1, false
	}
	return 0, 0, false
}

// amount reads "three weeks", "a few months", "half a year", "a year and a half".
func (p *parser) amount(i int) (n int, u unit, tokens int, few bool) {
	start := i
	for approximately[p.word(i)] && i-start < 2 || p.word(i) == "more" && p.word(i+1) == "than" {
		if p.word(i) == "more" {
			i++
		}
		i++
	}
	if p.word(i) == "half" && (p.word(i+1) == "a" || p.word(i+1) == "an") {
		switch units[p.word(i+2)] {
		case yearUnit:
			return 6, monthUnit, i + 3 - start, false
		case hours:
			return 30, minutes, i + 3 - start, false
		}
	}
	n, k, few := p.count(i)
	if k == 0 {
		return 0, 0, 0, false
	}
	i += k
	half := p.says(i, "and a half")
	i += half
	if p.word(i) == "long" || p.word(i) == "full" || p.word(i) == "whole" {
		i++
	}
	w := p.word(i)
	u, ok := units[w]
	if !ok {
		return 0, 0, 0, false
	}
	i++
	if strings.HasPrefix(w, "fortnight") {
		n *= 2
	}
	if half == 0 {
		half = p.says(i, "and a half")
		i += half
	}
	if half > 0 {
		switch u {
		case yearUnit:
			n, u = 12*n+6, monthUnit
		case decadeUnit:
			n, u = 10*n+5, yearUnit
		case hours:
			n, u = 60*n+30, minutes
		}
	}
	return n, u, i - start, few
}

// numericDate reads 2023-05-07, 2023/5/7, 2023.5.7, 7.5.2023, 5/7/2023 and 2023-05.
func numericDate(p *parser, i int) (moment, int) {
	a, sep, b := p.at(i), p.word(i+1), p.at(i+2)
	if a.kind != number || b.kind != number || a.ordinal || b.ordinal || !p.signOf(i+1, "-/.") || p.at(i+1).spaced || b.spaced {
		return moment{}, 0
	}
	if p.signOf(i-1, "-/.") && !a.spaced && p.at(i-2).kind == number {
		return moment{}, 0
	}
	c := p.at(i + 4)
	full := p.word(i+3) == sep && c.kind == number && !p.at(i+3).spaced && !c.spaced
	switch {
	case full && a.digits == 4:
		if m, ok := p.day(a.value, b.value, c.value); ok {
			return m, 5
		}
	case full && c.digits == 4 && a.digits <= 2 && b.digits <= 2:
		day, month := a.value, b.value
		if sep == "/" && day <= 12 && (month > 12 || month <= 12) { // month first, unless it cannot be
			day, month = month, day
		}
		if month > 12 {
			day, month = month, day
		}
		if m, ok := p.day(c.value, month, day); ok {
			return m, 5
		}
	case full && sep == "/" && a.digits <= 2 && b.digits <= 2 && c.digits == 2 && p.word(i+5) != "/":
		day, month := b.value, a.value
		if month > 12 {
			day, month = month, day
		}
		if m, ok := p.day(century(c.value), month, day); ok {
			return m, 5
		}
	case !full && sep == "-" && a.digits == 4 && b.digits == 2 && b.value >= 1 && b.value <= 12 && a.value > 1800 && a.value < 2200:
		return p.month(a.value, b.value), 3
	}
	return moment{}, 0
}

// afterYear are words that go on after a year; after another one the number counts something.
const afterYear = "and or i we he she they when in to until till was is at with for because but so that as the a my our you did on by it " +
	"after before through"

// isYear tells whether a token is written as a year.
func isYear(t token) bool {
	return t.kind == number && t.digits == 4 && !t.ordinal && t.value >= 1800 && t.value < 2200
}

// yearAfter reads ", 2023", " 2023", "of 2023", "of '98" and "last year" after a month, a season or a holiday.
func (p *parser) yearAfter(i int) (year, tokens int) {
	k := i
	if w := p.word(k); w == "," || w == "of" || w == "in" {
		k++
	}
	if n, ok := map[string]int{"last": -1, "this": 0, "next": 1}[p.word(k)]; ok && p.word(k+1) == "year" {
		return p.today.Year() + n, k + 2 - i
	}
	if p.says(k, "the year before last") > 0 {
		return p.today.Year() - 2, k + 4 - i
	}
	if year, n := p.shortYear(k); n > 0 {
		return year, k + n - i
	}
	if p.word(k) == "'" {
		k++
	}
	if isYear(p.at(k)) && !(p.word(k+1) == ":" && p.at(k+2).kind == number) {
		return p.at(k).value, k + 1 - i
	}
	return 0, 0
}

// shortYear reads '98.
func (p *parser) shortYear(i int) (year, tokens int) {
	t := p.at(i + 1)
	if p.word(i) != "'" || t.kind != number || t.digits != 2 || t.spaced || t.ordinal || p.at(i+2).kind == word && !p.at(i+2).spaced {
		return 0, 0
	}
	return century(t.value), 2
}

// century returns the year that two digits stand for.
func century(n int) int {
	if n >= 30 {
		return 1900 + n
	}
	return 2000 + n
}

// monthAt reads the name of a month; sure is false for one that may be another word.
func (p *parser) monthAt(i int) (month int, sure bool) {
	w := p.word(i)
	m, ok := englishMonths[w]
	if !ok {
		return 0, false
	}
	return m, !doubtfulMonths[w]
}

// dayNumber reads 5, 5th or fifth.
func (p *parser) dayNumber(i int) (day int, ok bool) {
	t := p.at(i)
	if t.kind == number && t.digits <= 2 && t.value >= 1 && t.value <= 31 {
		return t.value, true
	}
	d, ok := ordinals[p.word(i)]
	return d, ok
}

// englishDate reads 7 May, the 7th of May 2023, May 7th, May 2023, May, the 5th.
func englishDate(p *parser, i int) (moment, int) {
	start := i
	the := p.word(i) == "the"
	if the {
		i++
	}
	if d, ok := p.dayNumber(i); ok && !p.numberBefore(i) {
		k := i + 1
		if p.word(k) == "of" {
			k++
		}
		if m, sure := p.monthAt(k); m > 0 && (sure || p.at(i).kind == number || k > i+1) {
			k++
			if p.word(k) == "." && !p.at(k).spaced && p.at(k+1).kind == number {
				k++
			}
			return p.dated(m, d, start, k)
		}
		if p.at(i).ordinal && the && daysCue[p.word(start-1)] && p.word(i+1) != "of" && p.at(i+1).kind != word || p.at(i).ordinal && daysCue[p.word(start-1)] && endsDay(p, i+1) {
			return p.settle(p.dayOfMonth(d)), i + 1 - start
		}
		return moment{}, 0
	}
	m, sure := p.monthAt(i)
	if m == 0 || the {
		return moment{}, 0
	}
	k := i + 1
	if p.word(k) == "." && !p.at(k).spaced && p.at(k+1).kind == number {
		k++
	}
	if p.word(k) == "the" && p.at(k+1).ordinal {
		k++
	}
	if d, ok := p.dayNumber(k); ok && !p.decimal(k) && units[p.word(k+1)] == 0 {
		return p.dated(m, d, start, k+1)
	}
	if year, n := p.yearAfter(i + 1); n > 0 {
		return p.month(year, m), i + 1 + n - start
	}
	w := p.word(i - 1)
	if w == "-" { // mid-March
		w = p.word(i - 2)
	}
	if sure || before[w] && (w != "and" && w != "to" && w != "before" && w != "after" || p.at(i).capital) {
		return p.settle(p.aMonth(m)), 1
	}
	return moment{}, 0
}

// daysCue are words after which "the 5th" is a day.
var daysCue = setOf("on since until till by from before after between and to for")

// endsDay tells whether what stands at i does not go on as the noun of an ordinal: "on the 5th floor".
func endsDay(p *parser, i int) bool {
	t := p.at(i)
	return t.kind != word || p.anyOf(i, "at and or to until till i we he she they was is when in if because but so with for from my our")
}

// numberBefore tells whether the number at i is the tail of a longer one: 3.5, 2-3.
func (p *parser) numberBefore(i int) bool {
	return p.at(i).kind == number && !p.at(i).spaced && p.signOf(i-1, ".,:/-") && p.at(i-2).kind == number
}

// decimal tells whether the number at i goes on as 3.5 or 3:30 or 3 %.
func (p *parser) decimal(i int) bool {
	w := p.word(i + 1)
	return (w == "." || w == ":" || w == ",") && !p.at(i+1).spaced && p.at(i+2).kind == number && !p.at(i+2).spaced && !isYear(p.at(i+2)) || w == "%"
}

// dated returns a day of a month with or without a year behind it.
func (p *parser) dated(month, day, start, k int) (moment, int) {
	if year, n := p.yearAfter(k); n > 0 {
		if m, ok := p.day(year, month, day); ok {
			return m, k + n - start
		}
		return moment{}, 0
	}
	if day > daysIn(2024, month) {
		return moment{}, 0
	}
	return p.settle(p.monthDay(month, day)), k - start
}

// englishYear reads 2019 where it can be nothing but a year.
func englishYear(p *parser, i int) (moment, int) {
	if p.word(i) == "year" && isYear(p.at(i+1)) {
		return p.year(p.at(i + 1).value), 2
	}
	if year, n := p.shortYear(i); n > 0 && yearCues[p.word(i-1)] {
		return p.year(year), n
	}
	if !isYear(p.at(i)) || !yearCues[p.word(i-1)] || p.decimal(i) || p.numberBefore(i) {
		return moment{}, 0
	}
	if next := p.at(i + 1); next.kind == word && !p.anyOf(i+1, afterYear) {
		return moment{}, 0
	}
	if w := p.word(i - 1); (w == "to" || w == "and" || w == "of" || w == "about" || w == "around") && !p.yearish(i-2) && w != "of" {
		return moment{}, 0
	}
	return p.year(p.at(i).value), 1
}

// yearish tells whether a year or a month stands at i, so that "to 2021" goes on with it.
func (p *parser) yearish(i int) bool {
	m, _ := p.monthAt(i)
	return isYear(p.at(i)) || m > 0
}

// englishSeason reads the summer of 2022, winter 2021, in summer.
func englishSeason(p *parser, i int) (moment, int) {
	start := i
	if p.word(i) == "the" {
		i++
	}
	s, ok := seasons[p.word(i)]
	if !ok {
		return moment{}, 0
	}
	if year, n := p.yearAfter(i + 1); n > 0 {
		return p.season(year, s), i + 1 + n - start
	}
	if (p.word(i) == "fall" || p.word(i) == "spring") && i == start && p.word(i-1) != "in" && p.word(i-1) != "during" {
		return moment{}, 0
	}
	if p.anyOf(start-1, "in during since until by over early late mid from and between before after to of") {
		return p.settle(p.aSeason(s)), i + 1 - start
	}
	return moment{}, 0
}

// englishQuarter reads Q1 2023 and the first quarter of 2023.
func englishQuarter(p *parser, i int) (moment, int) {
	start := i
	if p.word(i) == "the" {
		i++
	}
	q := 0
	switch {
	case p.says(i, "last quarter of") > 0:
		if year, n := p.yearAfter(i + 2); n > 0 {
			return p.quarter(year, 4), i + 2 + n - start
		}
		return moment{}, 0
	case p.word(i) == "q" && p.at(i+1).kind == number && !p.at(i+1).spaced:
		q = p.at(i + 1).value
		i += 2
	case p.word(i+1) == "quarter":
		q = ordinals[p.word(i)]
		if p.at(i).ordinal {
			q = p.at(i).value
		}
		i += 2
	}
	if q < 1 || q > 4 {
		return moment{}, 0
	}
	if year, n := p.yearAfter(i); n > 0 {
		return p.quarter(year, q), i + n - start
	}
	return p.settle(p.yearly(Season, func(year int) (time.Time, time.Time, bool) {
		m := p.quarter(year, q)
		return m.from, m.to, true
	})), i - start
}

// englishHalf reads H1 2023 and the second half of last year.
func englishHalf(p *parser, i int) (moment, int) {
	start := i
	if p.word(i) == "the" {
		i++
	}
	n := 0
	switch {
	case p.word(i) == "h" && p.at(i+1).kind == number && !p.at(i+1).spaced:
		n = p.at(i + 1).value
	case p.says(i+1, "half of") > 0:
		n = ordinals[p.word(i)]
	}
	if n < 1 || n > 2 {
		return moment{}, 0
	}
	year, k := p.yearAfter(i + 2)
	if k == 0 {
		return moment{}, 0
	}
	return p.half(year, n), i + 2 + k - start
}

var decades = map[string]int{"twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990}

// englishDecade reads the 1990s, 2010s, the 90s, the late eighties.
func englishDecade(p *parser, i int) (moment, int) {
	start := i
	the := p.word(i) == "the"
	if the {
		i++
	}
	if which, n := p.partName(i); n > 0 && the {
		m, k := p.decade(i+n, the)
		if k == 0 {
			return moment{}, 0
		}
		return part(m, which), i + n + k - start
	}
	m, k := p.decade(i, the)
	if k == 0 {
		return moment{}, 0
	}
	return m, i + k - start
}

// partName reads early, late and mid-.
func (p *parser) partName(i int) (which, tokens int) {
	which = map[string]int{"early": partEarly, "mid": partMiddle, "late": partLate}[p.word(i)]
	switch {
	case which == 0:
		return 0, 0
	case p.word(i+1) == "-":
		return which, 2
	}
	return which, 1
}

// decade reads 1990s, 90s and eighties; the says that "the" stands before it, without which only the first can be nothing else.
func (p *parser) decade(i int, the bool) (moment, int) {
	start := i
	if year, ok := decades[p.word(i)]; ok && the {
		return moment{from: p.date(year, 1, 1), to: p.date(year+10, 1, 1), precision: Decade, kind: Point}, 1
	}
	if p.word(i) == "'" {
		i++
	}
	t, s := p.at(i), i+1
	if p.word(s) == "'" {
		s++
	}
	if t.kind != number || p.word(s) != "s" || p.at(s).spaced || t.value%10 != 0 {
		return moment{}, 0
	}
	year := t.value
	switch {
	case t.digits == 2 && the:
		year = century(year)
	case !isYear(t):
		return moment{}, 0
	}
	return moment{from: p.date(year, 1, 1), to: p.date(year+10, 1, 1), precision: Decade, kind: Point}, s + 1 - start
}

// relativeDays are phrases for a day and how far it is from today.
var relativeDays = []struct {
	phrase string
	days   int
}{
	{"the day before yesterday", -2},
	{"day before yesterday", -2},
	{"the day after tomorrow", 2},
	{"day after tomorrow", 2},
	{"yesterday", -1},
	{"tomorrow", 1},
	{"today", 0},
}

// englishDay reads yesterday, last night, this morning, yesterday evening.
func englishDay(p *parser, i int) (moment, int) {
	for _, r := range relativeDays {
		if n := p.says(i, r.phrase); n > 0 {
			return p.partOfDay(days(addDays(p.today, r.days), 1, Day), i, n)
		}
	}
	switch {
	case p.word(i) == "tonight":
		return within(days(p.today, 1, Day), partsOfDay["night"]), 1
	case p.says(i, "the night before last") > 0:
		return within(days(addDays(p.today, -2), 1, Day), partsOfDay["night"]), 4
	case p.says(i, "last night") > 0:
		return within(days(addDays(p.today, -1), 1, Day), partsOfDay["night"]), 2
	case p.word(i) == "this" && partsOfDay[p.word(i+1)] != [2]int{}:
		return within(days(p.today, 1, Day), partsOfDay[p.word(i+1)]), 2
	case p.says(i, "earlier today") > 0:
		return days(p.today, 1, Day), 2
	}
	return moment{}, 0
}

// partOfDay reads "morning", "in the morning" or "night" after a day of n tokens.
func (p *parser) partOfDay(m moment, i, n int) (moment, int) {
	k := i + n
	if skip := p.says(k, "in the"); skip > 0 {
		k += skip
	}
	if hours, ok := partsOfDay[p.word(k)]; ok && p.at(k).kind == word {
		return within(m, hours), k + 1 - i
	}
	return m, n
}

// weekdayAt reads a day of the week; a short form needs a word before it that makes it one.
func (p *parser) weekdayAt(i int) (index int, ok bool) {
	w := p.word(i)
	index, ok = weekdays[w]
	if ok && shortWeekdays[w] && !before[p.word(i-1)] {
		return 0, false
	}
	return index, ok
}

// englishWeekday reads Tuesday, last Tuesday, this Friday, next Monday, the Tuesday before last, with a part of the day.
func englishWeekday(p *parser, i int) (moment, int) {
	start := i
	if p.word(i) == "the" {
		i++
	}
	which := p.word(i)
	switch which {
	case "last", "this", "next", "coming", "past", "previous":
		i++
		if p.word(i) == "week" && which != "coming" { // last week Tuesday
			if p.word(i+1) == "on" {
				i++
			}
			if d, ok := p.weekdayAt(i + 1); ok {
				return p.partOfDay(p.weekdayOf(map[string]int{"last": -1, "past": -1, "previous": -1, "next": 1}[which], d), start, i+2-start)
			}
			return moment{}, 0
		}
	default:
		which = ""
	}
	d, ok := p.weekdayAt(i)
	if !ok {
		return moment{}, 0
	}
	n := i + 1 - start
	if which == "" {
		switch {
		case p.says(i+1, "before last") > 0:
			m := p.latest(d)
			return days(addDays(m.from, -7), 1, Day), n + 2
		case p.says(i+1, "after next") > 0:
			return p.weekdayOf(2, d), n + 2
		case p.says(i+1, "last week") > 0 || p.says(i+1, "of last week") > 0:
			return p.weekdayOf(-1, d), n + 2 + p.says(i+1, "of")
		case p.says(i+1, "next week") > 0:
			return p.weekdayOf(1, d), n + 2
		}
		return p.partOfDay(p.settle(p.aWeekday(d)), start, n)
	}
	m := p.latest(d)
	switch which {
	case "this":
		m = p.weekdayOf(0, d)
	case "next":
		m = p.weekdayOf(1, d)
	case "coming":
		m = days(addDays(m.from, 7), 1, Day)
		if !m.from.After(p.today) {
			m = days(addDays(m.from, 7), 1, Day)
		}
	}
	return p.partOfDay(m, start, n)
}

// latest returns the most recent day of that name before today.
func (p *parser) latest(index int) moment {
	back := weekdayIndex(p.today.Weekday()) - index
	if back <= 0 {
		back += 7
	}
	return days(addDays(p.today, -back), 1, Day)
}

// weekdayOf returns a day of the n-th week from this one.
func (p *parser) weekdayOf(n, index int) moment {
	return days(addDays(p.monday(), 7*n+index), 1, Day)
}

// englishUnit reads last week, this month, next year, the week before last, last summer, last May.
func englishUnit(p *parser, i int) (moment, int) {
	start := i
	if p.word(i) == "the" {
		i++
		if u := units[p.word(i)]; u >= dayUnit && u != dayUnit {
			switch {
			case p.says(i+1, "before last") > 0:
				return p.away(-2, u), 4
			case p.says(i+1, "after next") > 0:
				return p.away(2, u), 4
			case u == weekendUnit && p.anyOf(start-1, "at over on during"):
				return p.settle(p.aWeekend()), 2
			}
			return moment{}, 0
		}
		if s, ok := seasons[p.word(i)]; ok && p.says(i+1, "before last") > 0 {
			return p.relative(p.aSeason(s), -2), 4
		}
	}
	step, ok := map[string]int{"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}[p.word(i)]
	if !ok {
		return moment{}, 0
	}
	which := p.word(i)
	i++
	n := i + 1 - start
	if u := units[p.word(i)]; u > dayUnit && !strings.HasSuffix(p.word(i), "s") {
		if start != i-1 && which == "past" || which == "past" && p.word(start-1) != "this" { // the past week is no calendar week
			return moment{}, 0
		}
		return p.away(step, u), n
	}
	if s, ok := seasons[p.word(i)]; ok {
		return p.relative(p.aSeason(s), step), n
	}
	if m, _ := p.monthAt(i); m > 0 {
		return p.relative(p.aMonth(m), step), n
	}
	return moment{}, 0
}

// relative chooses the last, this or next one of what recurs each year.
func (p *parser) relative(m moment, step int) moment {
	var ok bool
	switch {
	case step < 0:
		m, ok = m.lastOver(p.today)
		for ; ok && step < -1; step++ {
			m, ok = m.lastOver(m.from)
		}
	case step > 0:
		m, ok = m.firstAfter(addDays(p.today, 1))
	default:
		m, ok = p.nearest(m)
	}
	if !ok {
		return moment{}
	}
	m.other = nil
	return m
}

// englishAgo reads three weeks ago, in two days, five days from now.
func englishAgo(p *parser, i int) (moment, int) {
	start := i
	in := p.word(i) == "in"
	if in {
		i++
	}
	n, u, k, few := p.amount(i)
	if k == 0 && !in {
		return p.namedAgo(i)
	}
	if k == 0 {
		return moment{}, 0
	}
	i += k
	var sign int
	switch {
	case !in && (p.word(i) == "ago" || p.word(i) == "back"):
		sign, i = -1, i+1
	case !in && p.says(i, "from now") > 0:
		sign, i = 1, i+2
	case in && !p.anyOf(i, "of ago after before"):
		sign = 1
		i += p.says(i, "' s time")
	default:
		return moment{}, 0
	}
	switch {
	case few:
		a, b := p.ago(-sign*6, u), p.ago(-sign*2, u)
		return stretch(minTime(a.from, b.from), maxTime(a.to, b.to), a.precision), i - start
	case p.word(i) == "today" && u >= weekUnit && u != weekendUnit:
		return p.sameDay(-sign*n, u), i + 1 - start
	case u == weekUnit: // a week ago Tuesday, two weeks ago on Friday
		k := i
		if p.word(k) == "on" {
			k++
		}
		if d, ok := p.weekdayAt(k); ok {
			return p.partOfDay(p.weekdayOf(sign*n, d), start, k+1-start)
		}
	}
	return p.ago(-sign*n, u), i - start
}

// namedAgo reads two Fridays ago, three summers ago, two nights ago.
func (p *parser) namedAgo(i int) (moment, int) {
	n, k, few := p.count(i)
	if k == 0 || few || p.word(i+k+1) != "ago" || n > 50 {
		return moment{}, 0
	}
	name := strings.TrimSuffix(p.word(i+k), "s")
	tokens := k + 2
	if d, ok := weekdays[name]; ok && !shortWeekdays[name] {
		return days(addDays(p.latest(d).from, -7*(n-1)), 1, Day), tokens
	}
	if s, ok := seasons[name]; ok {
		m, ok := p.aSeason(s).lastOver(p.today)
		if !ok {
			return moment{}, 0
		}
		return p.season(m.from.Year()-n+1, s), tokens
	}
	if hours, ok := partsOfDay[name]; ok {
		return within(days(addDays(p.today, -n), 1, Day), hours), tokens
	}
	return moment{}, 0
}

// englishThen reads this time last year, on this day last year.
func englishThen(p *parser, i int) (moment, int) {
	if p.word(i) != "this" || p.word(i+2) != "last" {
		return moment{}, 0
	}
	u := units[p.word(i+3)]
	switch {
	case u < weekUnit || u > yearUnit || u == quarterUnit:
	case p.word(i+1) == "time":
		return p.aroundThen(1, u), 4
	case p.word(i+1) == "day":
		return p.sameDay(1, u), 4
	}
	return moment{}, 0
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func maxTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// englishNth reads the first week of May, the last weekend in June 2023, the second Monday of March.
func englishNth(p *parser, i int) (moment, int) {
	start := i
	if p.word(i) == "the" {
		i++
	}
	n := ordinals[p.word(i)]
	if p.at(i).ordinal {
		n = p.at(i).value
	}
	last := p.word(i) == "last"
	if n < 1 && !last || n > 5 {
		return moment{}, 0
	}
	i++
	u := units[p.word(i)]
	weekday, named := weekdays[p.word(i)]
	if u != weekUnit && u != weekendUnit && u != dayUnit && !named || p.word(i+1) != "of" && p.word(i+1) != "in" {
		return moment{}, 0
	}
	m, k := p.longest(i+2, []matcher{englishDate, englishUnit})
	if k == 0 || m.precision != Month || m.kind != Point {
		return moment{}, 0
	}
	if !named {
		weekday = -1
	}
	return nth(m, n, last, u, weekday), i + 2 + k - start
}

// englishPart reads early May, mid-2022, the beginning of last year, at the end of the month.
func englishPart(p *parser, i int) (moment, int) {
	start := i
	which, n := p.partName(i)
	if n > 0 {
		i += n
		if p.word(i) == "in" {
			i++
		}
	} else {
		if p.word(i) == "the" {
			i++
		}
		which = map[string]int{"beginning": partBeginning, "start": partBeginning, "middle": partMiddle, "end": partEnd}[p.word(i)]
		if which == 0 || p.word(i+1) != "of" {
			return moment{}, 0
		}
		i += 2
	}
	m, k := p.longest(i, []matcher{englishDate, englishYear, englishSeason, englishUnit, englishDecade})
	if k == 0 && isYear(p.at(i)) {
		m, k = p.year(p.at(i).value), 1
	}
	if k == 0 && p.word(i) == "the" && units[p.word(i+1)] > dayUnit {
		m, k = p.away(0, units[p.word(i+1)]), 2
	}
	if k == 0 {
		return moment{}, 0
	}
	if m = part(m, which); m.kind == "" {
		return moment{}, 0
	}
	return m, i + k - start
}

// englishClock reads 9:30, 17:40, 9 am, 9:30 pm and, after "at", 9.
func (p *parser) englishClock(i int) (hour, minute, tokens int) {
	start := i
	at := p.word(i) == "at"
	if at {
		i++
	}
	t := p.at(i)
	if t.kind != number || t.digits > 2 || t.value > 24 || t.value < 0 || t.ordinal {
		return 0, 0, 0
	}
	hour = t.value
	i++
	exact := false
	if m := p.at(i + 1); (p.word(i) == ":" || p.word(i) == "." && at) && m.kind == number && m.digits == 2 && m.value < 60 && !m.spaced {
		minute, exact = m.value, true
		i += 2
	}
	half := p.word(i)
	if half == "a" || half == "p" { // a.m.
		if p.word(i+1) == "." && p.word(i+2) == "m" {
			half += "m"
			i += 2
		}
	}
	switch {
	case (half == "am" || half == "pm") && hour >= 1 && hour <= 12:
		hour %= 12
		if half == "pm" {
			hour += 12
		}
		i++
	case !exact && !at, hour == 24:
		return 0, 0, 0
	case !exact && p.at(i).kind == word && units[p.word(i)] > 0:
		return 0, 0, 0
	}
	return hour, minute, i - start
}

// englishTimed reads a point, with a time of the day before or behind it.
func englishTimed(p *parser, i int) (moment, int) {
	if hour, minute, n := p.englishClock(i); n > 0 {
		k := i + n
		if p.word(k) == "on" || p.word(k) == "," {
			k++
		}
		if m, d := p.point(k); d > 0 && m.kind == Point && m.precision == Day && m.single() {
			return atTime(m, hour, minute), k + d - i
		}
	}
	m, n := p.point(i)
	if n == 0 {
		return moment{}, 0
	}
	if m.kind == Point && (m.precision == Day || m.precision == PartOfDay) && m.single() {
		k := i + n
		if p.word(k) == "," {
			k++
		}
		if hour, minute, d := p.englishClock(k); d > 0 {
			return atTime(m, hour, minute), k + d - i
		}
	}
	return m, n
}

// single tells whether a moment is no longer than a day, so that a time of the day fits in it.
func (m moment) single() bool { return m.to.Sub(m.from) <= 26*time.Hour }

// englishRange reads between March and June, from May to July 2022, Monday to Friday, 2019-2021.
func englishRange(p *parser, i int) (moment, int) {
	start := i
	opening := p.word(i)
	if opening == "between" || opening == "from" {
		i++
	}
	a, n := p.point(i)
	if n == 0 && opening == "from" || n == 0 && opening == "between" {
		if isYear(p.at(i)) {
			a, n = p.year(p.at(i).value), 1
		}
	}
	if n == 0 && isYear(p.at(i)) && !p.numberBefore(i) && isYear(p.at(i+2)) && p.anyOf(i+1, "- – — ~") && !p.decimal(i+2) {
		a, n = p.year(p.at(i).value), 1
	}
	months := false // Jan-Mar, which alone would be other words
	if first, _ := p.monthAt(i); n == 0 && first > 0 && p.anyOf(i+1, "- – — ~") {
		second, _ := p.monthAt(i + 2)
		a, n, months = p.settle(p.aMonth(first)), 1, second > 0
		if !months {
			return moment{}, 0
		}
	}
	if n == 0 || a.kind != Point {
		return moment{}, 0
	}
	i += n
	switch {
	case opening == "between" && p.word(i) == "and":
	case opening != "between" && p.anyOf(i, "to until till through thru - – — ~"):
	default:
		return moment{}, 0
	}
	i++
	b, n := p.point(i)
	if n == 0 && isYear(p.at(i)) {
		b, n = p.year(p.at(i).value), 1
	}
	if month, _ := p.monthAt(i); n == 0 && months {
		b, n = p.settle(p.aMonth(month)), 1
	}
	if n == 0 {
		if p.word(i) == "now" || p.word(i) == "today" {
			return p.since(a), i + 1 - start
		}
		return moment{}, 0
	}
	m, ok := p.between(a, b)
	if !ok {
		return moment{}, 0
	}
	return m, i + n - start
}

// englishOpenRange reads since March, before 2020, after last Tuesday, until May.
func englishOpenRange(p *parser, i int) (moment, int) {
	open := map[string]func(moment) moment{"since": p.since, "before": p.before, "after": p.after, "until": p.before, "till": p.before}[p.word(i)]
	if open == nil {
		return moment{}, 0
	}
	m, n := p.point(i + 1)
	if n == 0 || m.kind != Point {
		return moment{}, 0
	}
	return open(m), n + 1
}

// englishDayRange reads 3-7 May, from the 3rd to the 7th of May, May 3-7, 2023.
func englishDayRange(p *parser, i int) (moment, int) {
	start := i
	closing := "to"
	if w := p.word(i); w == "from" || w == "between" {
		i++
		if w == "between" {
			closing = "and"
		}
	}
	dayAt := func(i int) (int, int) {
		skip := 0
		if p.word(i) == "the" {
			skip = 1
		}
		if t := p.at(i + skip); t.kind == number && t.digits <= 2 && t.value >= 1 && t.value <= 31 {
			return t.value, skip + 1
		}
		return 0, 0
	}
	joined := func(i int) bool {
		w := p.word(i)
		return w == closing || w == "-" || w == "–" || w == "—" || closing == "to" && (w == "until" || w == "till" || w == "through")
	}
	month, _ := p.monthAt(i)
	if month > 0 {
		i++
	}
	a, n := dayAt(i)
	if n == 0 || !joined(i+n) {
		return moment{}, 0
	}
	i += n + 1
	b, n := dayAt(i)
	if n == 0 || b < a {
		return moment{}, 0
	}
	i += n
	if month == 0 {
		if p.word(i) == "of" {
			i++
		}
		if month, _ = p.monthAt(i); month == 0 {
			return moment{}, 0
		}
		i++
	}
	first, k := p.dated(month, a, i, i)
	if first.kind == "" {
		return moment{}, 0
	}
	m, ok := p.day(first.from.Year(), month, b)
	if !ok {
		return moment{}, 0
	}
	return moment{from: first.from, to: m.to, precision: Day, kind: Range}, i + k - start
}

// englishLast reads the last three weeks, over the past year, in the next few days.
func englishLast(p *parser, i int) (moment, int) {
	start := i
	for p.anyOf(i, "in over during within the these") && i-start < 2 {
		i++
	}
	which := p.word(i)
	if which != "last" && which != "past" && which != "previous" && which != "next" && which != "coming" {
		return moment{}, 0
	}
	i++
	n, u, k, _ := p.amount(i)
	if k == 0 {
		if u = units[p.word(i)]; u < dayUnit || which != "past" && !(i-1 > start && which == "last" && p.word(start) != "the") {
			return moment{}, 0
		}
		n, k = 1, 1
	}
	if which == "next" || which == "coming" {
		n = -n
	}
	return p.past(n, u), i + k - start
}

const recentDays, otherDays = 30, 7 // of "recently" and "the other day"

// englishRecent reads recently, lately, these days, the other day, earlier this week.
func englishRecent(p *parser, i int) (moment, int) {
	switch {
	case p.word(i) == "recently" && p.word(i-1) != "most", p.word(i) == "lately":
		return p.past(recentDays, dayUnit), 1
	case p.says(i, "these days") > 0:
		return p.past(recentDays, dayUnit), 2
	case p.says(i, "the other day") > 0:
		return p.past(otherDays, dayUnit), 3
	case p.says(i, "earlier this") > 0 && units[p.word(i+2)] > dayUnit:
		m := p.away(0, units[p.word(i+2)])
		return stretch(m.from, addDays(p.today, 1), Day), 3
	}
	return moment{}, 0
}

var englishOrders = []struct {
	phrase string
	kind   Kind
}{
	{"the very first time", First},
	{"the first time", First},
	{"first time", First},
	{"first ever", First},
	{"the very first", First},
	{"the earliest", First},
	{"the oldest", First},
	{"earliest", First},
	{"the most recent", Latest},
	{"most recent", Latest},
	{"most recently", Latest},
	{"the last time", Latest},
	{"last time", Latest},
	{"the latest", Latest},
	{"latest", Latest},
	{"the newest", Latest},
	{"newest", Latest},
}

// englishOrder reads the first time, most recent, and the adverbs of "when did I first go" and "when did I last go".
func englishOrder(p *parser, i int) (moment, int) {
	for _, o := range englishOrders {
		if n := p.says(i, o.phrase); n > 0 && !(n == 1 && p.word(i-1) == "at") {
			return moment{kind: o.kind}, n
		}
	}
	if p.word(i) != "first" && p.word(i) != "last" || !p.anyOf(i-2, "did have has had") && !p.anyOf(i-3, "did have has had") || p.at(i+1).kind != word {
		return moment{}, 0
	}
	if p.word(i-1) == "the" || p.word(i-1) == "my" || p.word(i-1) == "our" || units[p.word(i+1)] > 0 || p.word(i+1) == "night" {
		return moment{}, 0
	}
	if _, n := p.point(i); n > 1 {
		return moment{}, 0
	}
	return moment{kind: map[string]Kind{"first": First, "last": Latest}[p.word(i)]}, 1
}

var pluralWeekdays = setOf("mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays evenings mornings nights")

// englishRecurring reads every Monday, each year, on Fridays, weekly, twice a month.
func englishRecurring(p *parser, i int) (moment, int) {
	recurring := moment{kind: Recurring}
	switch w := p.word(i); {
	case w == "every" || w == "each":
		k := i + 1
		for p.anyOf(k, "other second third two three four few single") && k < i+3 {
			k++
		}
		_, isDay := weekdays[p.word(k)]
		_, isSeason := seasons[p.word(k)]
		_, isMonth := englishMonths[p.word(k)]
		_, isPart := partsOfDay[p.word(k)]
		if units[p.word(k)] > 0 || isDay || isSeason || isMonth || isPart || p.word(k) == "weekday" {
			return recurring, k + 1 - i
		}
	case pluralWeekdays[w] && (p.word(i-1) == "on" || strings.HasSuffix(w, "days")):
		return recurring, 1
	case p.anyOf(i, "daily weekly fortnightly monthly yearly annually"):
		return recurring, 1
	case p.anyOf(i, "once twice times") && p.anyOf(i+1, "a per each every") && units[p.word(i+2)] > 0:
		return recurring, 3
	}
	return moment{}, 0
}
