package when

import "time"

// moment is what an expression means. One that recurs also knows its other times, so that a range can choose the one that
// fits its other end.
type moment struct {
	from, to  time.Time
	precision Precision
	kind      Kind
	other     cycle // nil = it has no others
	any       cycle // of them and those that the expression alone would not mean; nil = there are none
	reach     int   // how many cycles away the nearest real one may be: 31 May has none in June
}

// cycle returns the k-th recurrence before or after the one around base; ok is false where there is none.
type cycle func(base time.Time, k int) (from, to time.Time, ok bool)

// valid tells whether a moment can be written as a date.
func (m moment) valid() bool {
	if m.kind == "" {
		return false
	}
	for _, t := range []time.Time{m.from, m.to} {
		if !t.IsZero() && (t.Year() < 1 || t.Year() > 9999) {
			return false
		}
	}
	return m.to.IsZero() || !m.to.Before(m.from)
}

func midnight(t time.Time) time.Time { return addDays(t, 0) }

// addDays returns the beginning of the day that is n days later.
func addDays(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	return startOf(y, m, d+n, t.Location())
}

// startOf returns the first moment of a date, which is one o'clock where the clock is put forward at midnight.
func startOf(year int, month time.Month, day int, zone *time.Location) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, zone)
	if t.Hour() > 12 { // the hour is missing, and was taken from the day before
		t = t.Add(time.Hour)
	}
	return t
}

// days returns the point of n days from one on, by the calendar: a day of a changing clock has 23 or 25 hours.
func days(from time.Time, n int, precision Precision) moment {
	return moment{from: from, to: addDays(from, n), precision: precision, kind: Point}
}

func (p *parser) date(year int, month time.Month, day int) time.Time {
	return startOf(year, month, day, p.now.Location())
}

// day returns a date as a moment; ok is false for one that the calendar does not have.
func (p *parser) day(year int, month, day int) (moment, bool) {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return moment{}, false
	}
	return days(p.date(year, time.Month(month), day), 1, Day), true
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func (p *parser) year(year int) moment {
	return moment{from: p.date(year, 1, 1), to: p.date(year+1, 1, 1), precision: Year, kind: Point}
}

func (p *parser) month(year int, month int) moment {
	return moment{from: p.date(year, time.Month(month), 1), to: p.date(year, time.Month(month)+1, 1), precision: Month, kind: Point}
}

func (p *parser) week(n int) moment { return days(addDays(p.monday(), 7*n), 7, Week) }

// monday returns the beginning of this week.
func (p *parser) monday() time.Time { return addDays(p.today, -weekdayIndex(p.today.Weekday())) }

// weekdayIndex counts from Monday = 0.
func weekdayIndex(d time.Weekday) int { return (int(d) + 6) % 7 }

func (p *parser) weekend(n int) moment { return days(addDays(p.monday(), 7*n+5), 2, Day) }

// season returns one of the year that it begins in: 0 = spring … 3 = winter.
func (p *parser) season(year, season int) moment {
	return moment{
		from: p.date(year, time.Month(3+3*season), 1), to: p.date(year, time.Month(6+3*season), 1),
		precision: Season, kind: Point,
	}
}

func (p *parser) quarter(year, quarter int) moment {
	return moment{
		from: p.date(year, time.Month(3*quarter-2), 1), to: p.date(year, time.Month(3*quarter+1), 1),
		precision: Season, kind: Point,
	}
}

// unit is a unit of the calendar that people count in.
type unit int

const (
	minutes unit = iota + 1
	hours
	dayUnit
	weekendUnit
	weekUnit
	monthUnit
	quarterUnit
	seasonUnit
	yearUnit
	decadeUnit
)

// shift returns a time n units later. Months and years keep the day where the month has it, else take its last.
func (p *parser) shift(t time.Time, n int, u unit) time.Time {
	switch u {
	case minutes:
		return t.Add(time.Duration(n) * time.Minute)
	case hours:
		return t.Add(time.Duration(n) * time.Hour)
	case weekUnit, weekendUnit:
		return addDays(t, 7*n)
	case monthUnit:
		return addMonths(t, n)
	case quarterUnit, seasonUnit:
		return addMonths(t, 3*n)
	case yearUnit:
		return addMonths(t, 12*n)
	case decadeUnit:
		return addMonths(t, 120*n)
	default:
		return addDays(t, n)
	}
}

func addMonths(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	first := time.Date(y, m+time.Month(n), 1, 0, 0, 0, 0, t.Location())
	last := daysIn(first.Year(), int(first.Month()))
	return time.Date(first.Year(), first.Month(), min(d, last), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
}

// farthest is how many units away an expression may be; what is farther is no date.
const farthest = 100_000

// away returns the unit of the calendar that is n units from now, n < 0 in the past.
func (p *parser) away(n int, u unit) moment {
	if n < -farthest || n > farthest {
		return moment{}
	}
	switch u {
	case minutes:
		from := p.shift(p.now, n, u).Truncate(time.Minute)
		return moment{from: from, to: from.Add(time.Minute), precision: Minute, kind: Point}
	case hours:
		from := p.shift(p.now, n, u).Add(-30 * time.Minute)
		return moment{from: from, to: from.Add(time.Hour), precision: Hour, kind: Point}
	case weekUnit:
		return p.week(n)
	case weekendUnit:
		return p.weekend(n)
	case monthUnit:
		t := p.date(p.today.Year(), p.today.Month()+time.Month(n), 1)
		return p.month(t.Year(), int(t.Month()))
	case quarterUnit:
		t := p.date(p.today.Year(), p.today.Month()+time.Month(3*n), 1)
		return p.quarter(t.Year(), (int(t.Month())+2)/3)
	case seasonUnit:
		t := p.date(p.today.Year(), p.today.Month()+time.Month(3*n), 1)
		return p.seasonOf(t)
	case yearUnit:
		return p.year(p.today.Year() + n)
	case decadeUnit:
		first := (p.today.Year()/10 + n) * 10
		return moment{from: p.date(first, 1, 1), to: p.date(first+10, 1, 1), precision: Decade, kind: Point}
	default:
		return days(addDays(p.today, n), 1, Day)
	}
}

// seasonOf returns the season that a time is in.
func (p *parser) seasonOf(t time.Time) moment {
	months := (t.Year()*12 + int(t.Month()) - 3)
	return p.season(months/12, months%12/3)
}

// ago returns what "n units ago" means: a count of decades is exact to a year.
func (p *parser) ago(n int, u unit) moment {
	if u == decadeUnit {
		return p.away(-10*n, yearUnit)
	}
	return p.away(-n, u)
}

// past returns the last n units up to today, n < 0 the next ones.
func (p *parser) past(n int, u unit) moment {
	if n < -farthest || n > farthest {
		return moment{}
	}
	if u == minutes || u == hours {
		from := p.shift(p.now, -n, u)
		return stretch(from, p.now, Hour)
	}
	tomorrow := addDays(p.today, 1)
	from := p.shift(p.today, -n, u)
	return stretch(from, tomorrow, Day)
}

// stretch returns a range; its ends may come in either order.
func stretch(from, to time.Time, precision Precision) moment {
	if to.Before(from) {
		from, to = to, from
	}
	return moment{from: from, to: to, precision: precision, kind: Range}
}

// pick chooses one of the recurrences around base.
func (m moment) pick(base time.Time, good func(from, to time.Time) bool, before bool) (moment, bool) {
	step, k := 1, -m.reach
	if before {
		step, k = -1, m.reach
	}
	for range 2*m.reach + 1 {
		if from, to, ok := m.other(base, k); ok && good(from, to) {
			m.from, m.to = from, to
			return m, true
		}
		k += step
	}
	return moment{}, false
}

// lastBegun returns the latest recurrence that begins at t or before, firstAfter the earliest that begins at t or later.
func (m moment) lastBegun(t time.Time) (moment, bool) {
	return m.pick(t, func(from, _ time.Time) bool { return !from.After(t) }, true)
}

func (m moment) firstAfter(t time.Time) (moment, bool) {
	return m.pick(t, func(from, _ time.Time) bool { return !from.Before(t) }, false)
}

// lastOver returns the latest recurrence that is over at t.
func (m moment) lastOver(t time.Time) (moment, bool) {
	return m.pick(t, func(_, to time.Time) bool { return !to.After(t) }, true)
}

// settle chooses the recurrence that is meant, seen from today.
func (p *parser) settle(m moment) moment {
	var chosen moment
	var ok bool
	switch p.toward {
	case Ahead:
		chosen, ok = m.pick(p.today, func(_, to time.Time) bool { return to.After(p.today) }, false)
	case Nearest:
		chosen, ok = p.nearest(m)
	default:
		chosen, ok = m.lastBegun(p.today)
	}
	if !ok {
		return moment{}
	}
	return chosen
}

// nearest chooses the recurrence whose window is nearest to today; of two the later.
func (p *parser) nearest(m moment) (moment, bool) {
	var best moment
	var least time.Duration
	found := false
	for k := -m.reach; k <= m.reach; k++ {
		from, to, ok := m.other(p.today, k)
		if !ok {
			continue
		}
		if d := distance(p.today, from, to); !found || d <= least {
			best, least, found = m, d, true
			best.from, best.to = from, to
		}
	}
	return best, found
}

// distance returns how far a time is from a window, 0 within it.
func distance(t, from, to time.Time) time.Duration {
	switch {
	case t.Before(from):
		return from.Sub(t)
	case t.Before(to):
		return 0
	}
	return t.Sub(to)
}

const yearsReach = 8 // between two leap years there may be eight

// yearly returns what recurs each year; at says when in a year, ok false for never.
func (p *parser) yearly(precision Precision, at func(year int) (from, to time.Time, ok bool)) moment {
	return moment{precision: precision, kind: Point, reach: yearsReach, other: func(base time.Time, k int) (time.Time, time.Time, bool) {
		return at(base.Year() + k)
	}}
}

// monthDay returns a day of a year that is not said.
func (p *parser) monthDay(month, day int) moment {
	return p.yearly(Day, func(year int) (time.Time, time.Time, bool) {
		m, ok := p.day(year, month, day)
		return m.from, m.to, ok
	})
}

// aMonth returns a month of a year that is not said.
func (p *parser) aMonth(month int) moment {
	return p.yearly(Month, func(year int) (time.Time, time.Time, bool) {
		m := p.month(year, month)
		return m.from, m.to, true
	})
}

func (p *parser) aSeason(season int) moment {
	return p.yearly(Season, func(year int) (time.Time, time.Time, bool) {
		m := p.season(year, season)
		return m.from, m.to, true
	})
}

// dayOfMonth returns a day of a month that is not said.
func (p *parser) dayOfMonth(day int) moment {
	return moment{precision: Day, kind: Point, reach: 2, other: func(base time.Time, k int) (time.Time, time.Time, bool) {
		first := p.date(base.Year(), base.Month()+time.Month(k), 1)
		m, ok := p.day(first.Year(), int(first.Month()), day)
		return m.from, m.to, ok
	}}
}

// aWeekday returns a day of a week that is not said, which is never today.
func (p *parser) aWeekday(index int) moment {
	every := func(base time.Time, k int) (time.Time, time.Time, bool) {
		from := midnight(base)
		from = addDays(from, index-weekdayIndex(from.Weekday())+7*k)
		return from, addDays(from, 1), true
	}
	return moment{precision: Day, kind: Point, reach: 2, any: every, other: func(base time.Time, k int) (time.Time, time.Time, bool) {
		from, to, ok := every(base, k)
		return from, to, ok && !from.Equal(p.today)
	}}
}

func (p *parser) aWeekend() moment {
	return moment{precision: Day, kind: Point, reach: 2, other: func(base time.Time, k int) (time.Time, time.Time, bool) {
		from := midnight(base)
		from = addDays(from, 5-weekdayIndex(from.Weekday())+7*k)
		return from, addDays(from, 2), true
	}}
}

// between returns the range from one point to another. Where one of them recurs it is the one that fits the other.
func (p *parser) between(a, b moment) (moment, bool) {
	ok := true
	switch {
	case a.other != nil && b.other == nil:
		a, ok = a.lastBegun(b.from)
	case b.other != nil:
		if b.any != nil { // the day at the end of a range may be today
			b.other = b.any
		}
		b, ok = b.firstAfter(a.from)
	}
	if !ok || a.kind != Point || b.kind != Point || b.from.Before(a.from) {
		return moment{}, false
	}
	return moment{from: a.from, to: b.to, precision: max(a.precision, b.precision), kind: Range}, true
}

// since returns the time from a point until now, after that which follows it, until that which comes before its end.
func (p *parser) since(m moment) moment {
	tomorrow := addDays(p.today, 1)
	if m.from.After(p.today) {
		return moment{from: m.from, precision: m.precision, kind: Range}
	}
	return moment{from: m.from, to: tomorrow, precision: m.precision, kind: Range}
}

func (p *parser) after(m moment) moment {
	return moment{from: m.to, precision: m.precision, kind: Range}
}

func (p *parser) before(m moment) moment {
	return moment{to: m.from, precision: m.precision, kind: Range}
}

// nth returns the n-th day, week, weekend or day of that name of a month, its last one where last is set; weekday is -1 where a
// unit is meant.
func nth(m moment, n int, last bool, u unit, weekday int) moment {
	switch {
	case weekday >= 0 || u == weekendUnit:
		length := 1
		if weekday < 0 {
			weekday, length = 5, 2
		}
		first := addDays(m.from, (weekday-weekdayIndex(m.from.Weekday())+7)%7)
		if last {
			n = (daysIn(m.from.Year(), int(m.from.Month()))-first.Day())/7 + 1
		}
		return days(addDays(first, 7*(n-1)), length, Day)
	case u == dayUnit && last:
		return days(addDays(m.to, -1), 1, Day)
	case u == dayUnit:
		return days(addDays(m.from, n-1), 1, Day)
	case last:
		return days(addDays(m.to, -7), 7, Week)
	}
	return days(addDays(m.from, 7*(n-1)), 7, Week)
}

// sameDay returns the day that was n units before today, and aroundThen the time around it: "this time last year".
func (p *parser) sameDay(n int, u unit) moment { return days(p.shift(p.today, -n, u), 1, Day) }

func (p *parser) aroundThen(n int, u unit) moment {
	day, by := p.sameDay(n, u), 3
	switch u {
	case monthUnit:
		by = 5
	case yearUnit:
		by = 15
	}
	return stretch(addDays(day.from, -by), addDays(day.to, by), Day)
}

// half returns the first or the second half of a year.
func (p *parser) half(year, n int) moment {
	return moment{from: p.date(year, time.Month(6*n-5), 1), to: p.date(year, time.Month(6*n+1), 1), precision: Season, kind: Point}
}

// Parts of a point.
const (
	partEarly     = iota + 1 // the first third: early May
	partMiddle               // the second
	partLate                 // the last
	partBeginning            // the first quarter: the beginning of May
	partEnd                  // the last quarter
)

// part returns a part of a point, in whole days.
func part(m moment, which int) moment {
	whole := int(m.to.Sub(m.from).Hours()/24 + .5)
	third, quarter := whole/3, whole/4
	if m.kind != Point || quarter < 1 {
		return moment{}
	}
	apply := func(from, to time.Time) (time.Time, time.Time) {
		switch which {
		case partEarly:
			return from, addDays(from, third)
		case partMiddle:
			return addDays(from, third), addDays(to, -third)
		case partBeginning:
			return from, addDays(from, quarter)
		case partEnd:
			return addDays(to, -quarter), to
		default:
			return addDays(to, -third), to
		}
	}
	if inner := m.other; inner != nil {
		m.other = func(base time.Time, k int) (time.Time, time.Time, bool) {
			from, to, ok := inner(base, k)
			from, to = apply(from, to)
			return from, to, ok
		}
	}
	m.from, m.to = apply(m.from, m.to)
	m.precision = finer(m.precision)
	return m
}

// finer returns the precision of a part.
func finer(of Precision) Precision {
	switch of {
	case Week:
		return Day
	case Month:
		return Week
	case Season:
		return Month
	case Year:
		return Season
	default:
		return max(Day, of-1)
	}
}

// Hours of the parts of a day.
var partsOfDay = map[string][2]int{
	"morning": {5, 12}, "noon": {11, 14}, "afternoon": {12, 18}, "evening": {17, 24}, "night": {18, 30},
	"凌晨": {0, 6}, "早上": {5, 12}, "早晨": {5, 12}, "清晨": {5, 9}, "上午": {6, 12}, "中午": {11, 14}, "下午": {12, 18}, "傍晚": {16, 20},
	"晚上": {18, 30}, "夜里": {20, 30}, "半夜": {22, 30}, "早": {5, 12}, "晚": {18, 30},
}

// within returns the given hours of a day; 30 is 6 o'clock of the next morning.
func within(m moment, hours [2]int) moment {
	return m.inside(PartOfDay, func(from time.Time) (time.Time, time.Time) {
		return clock(from, hours[0], 0), clock(from, hours[1], 0)
	})
}

// atTime returns a minute of a day.
func atTime(m moment, hour, minute int) moment {
	return m.inside(Minute, func(from time.Time) (time.Time, time.Time) {
		t := clock(from, hour, minute)
		return t, t.Add(time.Minute)
	})
}

// inside replaces a day by a part of it.
func (m moment) inside(precision Precision, within func(from time.Time) (time.Time, time.Time)) moment {
	m.any = nil
	if inner := m.other; inner != nil {
		m.other = func(base time.Time, k int) (time.Time, time.Time, bool) {
			from, _, ok := inner(base, k)
			from, to := within(from)
			return from, to, ok
		}
	}
	m.from, m.to = within(m.from)
	m.precision = precision
	return m
}

func clock(day time.Time, hour, minute int) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, hour, minute, 0, 0, day.Location())
}
