package when

import "time"

// The Chinese calendar, a number a year from firstLunar on: bits 0–12 are its months in order, set = 30 days; bits 13–16 the
// month that is followed by its leap month, 0 = none; the rest is the day of the year on which it begins, from 0.
const firstLunar = 1990

var lunarYears = [...]uint32{
	0x34be92, 0x5a0e92, 0x440d26, 0x2c6a56, 0x500a57, 0x3d14d6, 0x62035a, 0x4a06d5, 0x36b6c9, 0x5c0749,
	0x460693, 0x2e952b, 0x54052b, 0x3e0a5b, 0x2a555a, 0x4e056a, 0x38fb55, 0x600ba4, 0x4a0b49, 0x32ba93,
	0x580a95, 0x42052d, 0x2c8aad, 0x500ab5, 0x3d35aa, 0x6205d2, 0x4c0da5, 0x36dd4a, 0x5c0d4a, 0x460c95,
	0x30952e, 0x540556, 0x3e0ab5, 0x2a55b2, 0x5006d2, 0x38cea5, 0x5e0725, 0x48064b, 0x32ac97, 0x560cab,
	0x42055a, 0x2c6ad6, 0x520b69, 0x3d7752, 0x620b52, 0x4c0b25, 0x36da4b, 0x5a0a4b, 0x4404ab, 0x2ea55b,
	0x5405ad, 0x3e0b6a, 0x2a5b52, 0x500d92, 0x3afd25, 0x5e0d25, 0x480a55, 0x32b4ad, 0x5804b6, 0x4005b5,
	0x2c6daa, 0x520ec9, 0x3f1e92, 0x620e92, 0x4c0d26, 0x36ca56, 0x5a0a57, 0x440556, 0x2e86d5, 0x540755,
	0x400749,
}

// lunarDay returns the date of a day of the Chinese year that begins in year; ok is false outside the table.
func (p *parser) lunarDay(year, month, day int) (time.Time, bool) {
	if year < firstLunar || year >= firstLunar+len(lunarYears) {
		return time.Time{}, false
	}
	bits := lunarYears[year-firstLunar]
	position := month - 1
	if leap := int(bits >> 13 & 15); leap > 0 && month > leap {
		position++
	}
	length := func(i int) int { return 29 + int(bits>>i&1) }
	if day > length(position) {
		return time.Time{}, false
	}
	offset := int(bits>>17) + day - 1
	for i := range position {
		offset += length(i)
	}
	return p.date(year, 1, 1+offset), true
}

// lunar returns n days from a day of the Chinese year on, of a year that is not said; they may begin a little before.
func (p *parser) lunar(month, day, before, n int) moment {
	return p.yearly(Day, func(year int) (time.Time, time.Time, bool) {
		from, ok := p.lunarDay(year, month, day)
		from = addDays(from, -before)
		return from, addDays(from, n), ok
	})
}

// fixed returns n days of the year from a date on.
func (p *parser) fixed(month time.Month, day, n int) moment {
	return p.yearly(Day, func(year int) (time.Time, time.Time, bool) {
		from := p.date(year, month, day)
		return from, addDays(from, n), true
	})
}

// easter returns Easter from Good Friday to Monday.
func (p *parser) easter() moment {
	return p.yearly(Day, func(year int) (time.Time, time.Time, bool) {
		a, b, c := year%19, year/100, year%100
		d, e := b/4, b%4
		g := (8*b + 13) / 25
		h := (19*a + b - d - g + 15) % 30
		i, k := c/4, c%4
		l := (32 + 2*e + 2*i - h - k) % 7
		m := (a + 11*h + 22*l) / 451
		n := h + l - 7*m + 114
		sunday := p.date(year, time.Month(n/31), n%31+1)
		return addDays(sunday, -2), addDays(sunday, 2), true
	})
}

// onWeekday is the n-th day of that name of a month, 0 = its last.
func onWeekday(month, n, weekday int) func(p *parser) moment {
	return func(p *parser) moment {
		return p.yearly(Day, func(year int) (time.Time, time.Time, bool) {
			m := nth(p.month(year, month), n, n == 0, dayUnit, weekday)
			return m.from, m.to, true
		})
	}
}

// solarTerm is a day of the sun's year; c is where it lies in the month in this century.
func solarTerm(month time.Month, c float64) func(p *parser) moment {
	return func(p *parser) moment {
		return p.yearly(Day, func(year int) (time.Time, time.Time, bool) {
			y := year % 100
			leap := y / 4
			if month < time.March {
				leap = (y - 1) / 4
			}
			from := p.date(year, month, int(float64(y)*.2422+c)-leap)
			return from, addDays(from, 1), year >= 2000 && year < 2100
		})
	}
}

// holidays are those of schools.
func holidays(month time.Month, day int, until time.Month) func(p *parser) moment {
	return func(p *parser) moment {
		m := p.yearly(Season, func(year int) (time.Time, time.Time, bool) {
			return p.date(year, month, day), p.date(year, until, 1), true
		})
		return m
	}
}

// holiday is one by its name; of two names that fit the longer one is meant.
type holiday struct {
	name string
	at   func(p *parser) moment
}

func onDay(month time.Month, day int) func(p *parser) moment { return daysFrom(month, day, 1) }

func daysFrom(month time.Month, day, n int) func(p *parser) moment {
	return func(p *parser) moment { return p.fixed(month, day, n) }
}

func onLunar(month, day int) func(p *parser) moment {
	return func(p *parser) moment { return p.lunar(month, day, 0, 1) }
}

func springFestival(p *parser) moment { return p.lunar(1, 1, 1, 8) } // from its eve on

var englishHolidays = []holiday{
	{"christmas", onDay(12, 25)},
	{"christmas day", onDay(12, 25)},
	{"christmas eve", onDay(12, 24)},
	{"boxing day", onDay(12, 26)},
	{"new year's", onDay(1, 1)},
	{"new year's day", onDay(1, 1)},
	{"new year's eve", onDay(12, 31)},
	{"new years eve", onDay(12, 31)},
	{"halloween", onDay(10, 31)},
	{"valentine's day", onDay(2, 14)},
	{"valentines day", onDay(2, 14)},
	{"easter", (*parser).easter},
	{"thanksgiving", onWeekday(11, 4, 3)},
	{"mother's day", onWeekday(5, 2, 6)},
	{"father's day", onWeekday(6, 3, 6)},
	{"memorial day", onWeekday(5, 0, 0)},
	{"labor day", onWeekday(9, 1, 0)},
	{"independence day", onDay(7, 4)},
	{"chinese new year", springFestival},
	{"lunar new year", springFestival},
	{"spring festival", springFestival},
	{"mid-autumn festival", onLunar(8, 15)},
	{"dragon boat festival", onLunar(5, 5)},
}

var chineseHolidays = []holiday{
	{"元旦", onDay(1, 1)},
	{"情人节", onDay(2, 14)},
	{"妇女节", onDay(3, 8)},
	{"愚人节", onDay(4, 1)},
	{"劳动节", onDay(5, 1)},
	{"五一节", onDay(5, 1)},
	{"五一", daysFrom(5, 1, 5)},
	{"青年节", onDay(5, 4)},
	{"儿童节", onDay(6, 1)},
	{"六一儿童节", onDay(6, 1)},
	{"教师节", onDay(9, 10)},
	{"国庆", daysFrom(10, 1, 7)},
	{"国庆节", daysFrom(10, 1, 7)},
	{"十一", daysFrom(10, 1, 7)},
	{"万圣节", onDay(10, 31)},
	{"平安夜", onDay(12, 24)},
	{"圣诞", onDay(12, 25)},
	{"圣诞节", onDay(12, 25)},
	{"跨年", onDay(12, 31)},
	{"清明", solarTerm(time.April, 4.81)},
	{"清明节", solarTerm(time.April, 4.81)},
	{"立春", solarTerm(time.February, 3.87)},
	{"立夏", solarTerm(time.May, 5.52)},
	{"夏至", solarTerm(time.June, 21.37)},
	{"立秋", solarTerm(time.August, 7.5)},
	{"立冬", solarTerm(time.November, 7.438)},
	{"冬至", solarTerm(time.December, 21.94)},
	{"母亲节", onWeekday(5, 2, 6)},
	{"父亲节", onWeekday(6, 3, 6)},
	{"双十一", onDay(11, 11)},
	{"双11", onDay(11, 11)},
	{"暑假", holidays(time.July, 1, time.September)},
	{"寒假", holidays(time.January, 15, time.March)},
	{"春节", springFestival},
	{"过年", springFestival},
	{"大年初一", onLunar(1, 1)},
	{"除夕", func(p *parser) moment { return p.lunar(1, 1, 1, 1) }},
	{"大年三十", func(p *parser) moment { return p.lunar(1, 1, 1, 1) }},
	{"元宵", onLunar(1, 15)},
	{"元宵节", onLunar(1, 15)},
	{"端午", onLunar(5, 5)},
	{"端午节", onLunar(5, 5)},
	{"七夕", onLunar(7, 7)},
	{"中秋", onLunar(8, 15)},
	{"中秋节", onLunar(8, 15)},
	{"重阳", onLunar(9, 9)},
	{"重阳节", onLunar(9, 9)},
	{"腊八", onLunar(12, 8)},
}

// holidayAt returns the holiday that is named at i.
func (p *parser) holidayAt(i int, holidays []holiday) (m moment, tokens int) {
	for _, h := range holidays {
		if n := p.says(i, h.name); n > tokens {
			m, tokens = h.at(p), n
		}
	}
	return m, tokens
}

// ofYear returns the one of a year, if it has one.
func ofYear(m moment, base time.Time) (moment, bool) {
	from, to, ok := m.other(base, 0)
	m.from, m.to, m.other = from, to, nil
	return m, ok
}

// englishHoliday reads Christmas, last Easter, Halloween 2022.
func englishHoliday(p *parser, i int) (moment, int) {
	start := i
	step, relative := map[string]int{"last": -1, "this": 0, "next": 1}[p.word(i)]
	if relative {
		i++
	}
	m, n := p.holidayAt(i, englishHolidays)
	if n == 0 {
		return moment{}, 0
	}
	i += n
	if relative {
		return p.relative(m, step), i - start
	}
	if year, k := p.yearAfter(i); k > 0 {
		m, _ = ofYear(m, p.date(year, 1, 1))
		return m, i + k - start
	}
	return p.settle(m), i - start
}
