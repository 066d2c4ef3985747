package when

import (
	"strings"
	"time"
)

var chineseMatchers, chinesePoints []matcher

func init() {
	chinesePoints = []matcher{
		numericDate, chineseDate, chineseDay, chineseWeek, chineseMonth, chineseAgo, chineseSeason, chineseHoliday, chineseDecade, chineseQuarter, chineseEnd,
	}
	chineseMatchers = []matcher{chineseTimed, chineseModified, chineseRange, chineseLast, chineseRecent, chineseOrder, chineseRecurring}
}

var (
	chineseDigits = numbered(0, "零 一 二|两 三 四 五 六 七 八 九")
	chineseUnits  = map[string]int{"十": 10, "百": 100, "千": 1000}
	// chineseYears, chineseDays and so on are how far the years and days of these names are from this one.
	chineseYears  = []named{{"大前年", -3}, {"前年", -2}, {"去年", -1}, {"上一年", -1}, {"今年", 0}, {"本年", 0}, {"当年", 0}, {"明年", 1}, {"后年", 2}}
	chineseDays   = []named{{"大前天", -3}, {"前天", -2}, {"昨天", -1}, {"昨日", -1}, {"今天", 0}, {"今日", 0}, {"明天", 1}, {"明日", 1}, {"后天", 2}, {"大后天", 3}}
	chineseMonths = []named{{"上上个月", -2}, {"上个月", -1}, {"上一个月", -1}, {"上月", -1}, {"这个月", 0}, {"这月", 0}, {"本月", 0}, {"下个月", 1}, {"下月", 1}, {"下下个月", 2}}
	chineseWeeks  = func() []named {
		var all []named
		for _, w := range []string{"周", "星期", "礼拜", "个周", "个星期", "个礼拜", "一个周", "一个星期", "一个礼拜"} {
			all = append(all, named{"上上" + w, -2}, named{"上" + w, -1}, named{"这" + w, 0}, named{"本" + w, 0}, named{"下" + w, 1}, named{"下下" + w, 2})
		}
		return append(all, named{"这一周", 0}, named{"上一周", -1}, named{"下一周", 1})
	}()
	chineseSeasons  = numbered(0, "春 夏 秋 冬")
	chineseQuarters = []named{{"上上个季度", -2}, {"上个季度", -1}, {"上一个季度", -1}, {"上季度", -1}, {"这个季度", 0}, {"这季度", 0}, {"本季度", 0}, {"下个季度", 1}, {"下季度", 1}}
)

// named is a name for what is n units away.
type named struct {
	name string
	n    int
}

// nameAt returns the longest of the names that stands at i.
func (p *parser) nameAt(i int, names []named) (n, tokens int) {
	for _, c := range names {
		if k := p.says(i, c.name); k > tokens {
			n, tokens = c.n, k
		}
	}
	return n, tokens
}

// han tells whether one of the characters stands at i.
func (p *parser) han(i int, characters string) bool {
	t := p.at(i)
	return t.kind == han && strings.Contains(characters, t.text)
}

const longestNumber = 8 // characters of a number that is written in words

// numberAt reads 12, 十二, 二十三, 一百 or, digit by digit, 二零二三. digits is how many digits it has when read digit by
// digit, else 0.
func (p *parser) numberAt(i int) (n, tokens, digits int) {
	if t := p.at(i); t.kind == number {
		if t.value < 0 || t.digits > 6 {
			return 0, 0, 0
		}
		return t.value, 1, t.digits
	}
	total, last, place := 0, 0, false
	plain, count, k := 0, 0, i
	for ; k < i+longestNumber; k++ {
		if p.at(k).kind != han {
			break
		}
		if d, ok := chineseDigits[p.at(k).text]; ok {
			plain, last = plain*10+d, d
			count++
			continue
		}
		u, ok := chineseUnits[p.at(k).text]
		if !ok {
			break
		}
		if last == 0 {
			last = 1
		}
		total, last, place = total+last*u, 0, true
	}
	switch {
	case k == i:
		return 0, 0, 0
	case place:
		return total + last, k - i, 0
	}
	return plain, k - i, count
}

// yearAt reads 2023年, 二零二三年, 98年 and 去年.
func (p *parser) yearAt(i int) (year, tokens int) {
	if n, k := p.nameAt(i, chineseYears); k > 0 {
		return p.today.Year() + n, k
	}
	n, k, digits := p.numberAt(i)
	if k == 0 || !p.han(i+k, "年") || p.han(i+k+1, "代") {
		return 0, 0
	}
	switch {
	case digits == 4 && n >= 1000 && n < 3000:
		return n, k + 1
	case digits == 2 && p.yearGoesOn(i+k+1):
		if n >= 60 {
			return 1900 + n, k + 1
		}
		return 2000 + n, k + 1
	case digits == 2 && !p.han(i+k+1, "前后来内间的级") && (n >= 60 || n < 10 || p.han(i-1, "在从自到于")):
		if n >= 60 {
			return 1900 + n, k + 1
		}
		return 2000 + n, k + 1
	}
	return 0, 0
}

// yearGoesOn tells whether a month, a season, a quarter or a holiday follows, so that 23年 is no number of years.
func (p *parser) yearGoesOn(i int) bool {
	_, month := p.monthNumber(i)
	_, quarter := p.quarterAt(i)
	_, holiday := p.holidayAt(i, chineseHolidays)
	_, season := chineseSeasons[p.at(i).text]
	return month+quarter+holiday > 0 || season && p.han(i+1, "天季") || p.says(i, "上半年")+p.says(i, "下半年") > 0
}

// monthNumber reads 5月, 五月份 and 正月 up to its unit.
func (p *parser) monthNumber(i int) (month, tokens int) {
	n, k, _ := p.numberAt(i)
	if k == 0 || n < 1 || n > 12 || !p.han(i+k, "月") || p.numberBefore(i) {
		return 0, 0
	}
	if p.han(i+k+1, "份") {
		return n, k + 2
	}
	return n, k + 1
}

// dayOf reads 7日, 七号 and, after a month, 7.
func (p *parser) dayOf(i int, bare bool) (day, tokens int) {
	n, k, _ := p.numberAt(i)
	if k == 0 || n < 1 || n > 31 || p.numberBefore(i) {
		return 0, 0
	}
	switch {
	case p.han(i+k, "日号"):
		if p.han(i+k, "号") && p.han(i+k+1, "线楼房门店码院厅球选车位台桌机馆") || p.han(i+k, "日") && p.han(i+k+1, "内游元") {
			return 0, 0
		}
		return n, k + 1
	case bare && !p.han(i+k, "个天周年月点时分岁万千百元块"):
		return n, k
	}
	return 0, 0
}

// rest reads what may follow a year: month, day, season, holiday, quarter, beginning or end.
func (p *parser) rest(i, year int) (moment, int) {
	base := p.date(year, 1, 1)
	k := i
	if p.han(k, "的") {
		k++
	}
	switch then := p.today.Year() - year; {
	case then <= 0 || then > 200:
	case p.says(k, "今天") > 0, p.says(k, "今日") > 0:
		return p.sameDay(then, yearUnit), k + 2 - i
	case p.says(k, "这个时候") > 0:
		return p.aroundThen(then, yearUnit), k + 4 - i
	case p.says(k, "这时候") > 0, p.says(k, "此时") > 0:
		return p.aroundThen(then, yearUnit), k + 2 + p.says(k, "这时候")/3 - i
	}
	if month, n := p.monthNumber(k); n > 0 {
		if m, d := p.lunarAt(k, year); d > 0 {
			return m, k + d - i
		}
		m, d := p.monthRest(k+n, year, month)
		return m, k + n + d - i
	}
	if s, ok := chineseSeasons[p.at(k).text]; ok && p.han(k+1, "天季") {
		return p.season(year, s), k + 2 - i
	}
	if h, n := p.holidayAt(k, chineseHolidays); n > 0 {
		if m, ok := ofYear(h, base); ok {
			return m, k + n - i
		}
	}
	if q, n := p.quarterAt(k); n > 0 {
		return p.quarter(year, q), k + n - i
	}
	whole := p.year(year)
	if p.han(k, "年") && p.han(k+1, "初中底末") { // 去年年底
		k++
	}
	switch {
	case p.han(k, "初"):
		return part(whole, partBeginning), k + 1 - i
	case p.han(k, "中") && !p.han(k+1, "国文学秋"):
		return part(whole, partMiddle), k + 1 - i
	case p.han(k, "底末"):
		return part(whole, partEnd), k + 1 - i
	case p.says(k, "上半年") > 0:
		return p.half(year, 1), k + 3 - i
	case p.says(k, "下半年") > 0:
		return p.half(year, 2), k + 3 - i
	}
	return whole, 0
}

// monthRest reads what may follow a month: a day, a week, beginning or end.
func (p *parser) monthRest(i, year, month int) (moment, int) {
	whole := p.month(year, month)
	k := i
	if p.han(k, "的") {
		k++
	}
	if d, n := p.dayOf(k, true); n > 0 {
		if m, ok := p.day(year, month, d); ok {
			return m, k + n - i
		}
		return whole, k + n - i
	}
	if m, n := p.nthOf(whole, k); n > 0 {
		return m, k + n - i
	}
	switch {
	case p.says(k, "上旬") > 0:
		return part(whole, partEarly), k + 2 - i
	case p.says(k, "中旬") > 0:
		return part(whole, partMiddle), k + 2 - i
	case p.says(k, "下旬") > 0:
		return part(whole, partLate), k + 2 - i
	case p.han(k, "初"):
		return part(whole, partBeginning), k + 1 - i
	case p.han(k, "底末"):
		return part(whole, partEnd), k + 1 - i
	}
	return whole, 0
}

// nthOf reads 第一个星期一, 第二个周末, 第三周, 最后一天 of a month.
func (p *parser) nthOf(month moment, i int) (moment, int) {
	var k, n int
	last := false
	switch {
	case p.says(i, "最后一") > 0:
		k, last = i+3, true
	case p.han(i, "第"):
		count, d, _ := p.numberAt(i + 1)
		if d == 0 || count < 1 {
			return moment{}, 0
		}
		k, n = i+1+d, count
	default:
		return moment{}, 0
	}
	if p.han(k, "天") && n <= daysIn(month.from.Year(), int(month.from.Month())) {
		return nth(month, n, last, dayUnit, -1), k + 1 - i
	}
	if p.han(k, "个") {
		k++
	}
	for _, name := range []string{"周", "星期", "礼拜"} {
		d := p.says(k, name)
		if d == 0 || n > 5 {
			continue
		}
		k += d
		day, length := p.weekdayName(k)
		switch length {
		case 0:
			return nth(month, n, last, weekUnit, -1), k - i
		case 2:
			return nth(month, n, last, weekendUnit, -1), k + 1 - i
		}
		return nth(month, n, last, dayUnit, day), k + 1 - i
	}
	return moment{}, 0
}

// pairAt reads two numbers that are said in one breath: 三五天, 七八月.
func (p *parser) pairAt(i int) (a, b int, ok bool) {
	a, first := chineseDigits[p.at(i).text]
	b, second := chineseDigits[p.at(i+1).text]
	_, more := chineseDigits[p.at(i+2).text]
	_, lead := chineseDigits[p.at(i-1).text]
	return a, b, first && second && !more && !lead && p.at(i).kind == han && a > 0 && (b == a+1 || a == 3 && b == 5)
}

// chineseDate reads 2023年5月7日, 二零二三年, 去年冬天, 今年春节, 5月7日, 五月份, 七八月, 5号.
func chineseDate(p *parser, i int) (moment, int) {
	start := i
	if p.han(i, "农阴") && p.han(i+1, "历") {
		return p.lunarDate(i)
	}
	if year, n := p.yearAt(i); n > 0 {
		m, k := p.rest(i+n, year)
		if k == 0 && p.han(i+n, "级度") {
			return moment{}, 0
		}
		return m, n + k
	}
	if a, b, ok := p.pairAt(i); ok && p.han(i+2, "月") && b <= 12 {
		n := 3
		if p.han(i+3, "份") {
			n++
		}
		return p.settle(p.yearly(Month, func(year int) (time.Time, time.Time, bool) {
			return p.month(year, a).from, p.month(year, b).to, true
		})), n
	}
	if month, n := p.monthNumber(i); n > 0 {
		if m, d := p.lunarAt(i, 0); d > 0 {
			return m, d
		}
		i += n
		if d, k := p.dayOf(i, true); k > 0 {
			if d > daysIn(2024, month) {
				return moment{}, 0
			}
			return p.settle(p.monthDay(month, d)), i + k - start
		}
		m, k := p.monthRest(i, p.today.Year(), month)
		if k > 0 {
			return p.settle(p.yearly(m.precision, func(year int) (time.Time, time.Time, bool) {
				m, _ := p.monthRest(i, year, month)
				return m.from, m.to, true
			})), i + k - start
		}
		return p.settle(p.aMonth(month)), i - start
	}
	if d, n := p.dayOf(i, false); n > 0 && !p.han(i-1, "第") {
		return p.settle(p.dayOfMonth(d)), n
	}
	return moment{}, 0
}

// lunarDate reads 农历八月十五, 阴历正月初一.
func (p *parser) lunarDate(i int) (moment, int) {
	year, n := p.yearAt(i + 2)
	month, k := p.lunarMonth(i + 2 + n)
	if k == 0 {
		return moment{}, 0
	}
	k += i + 2 + n
	if p.han(k, "初") {
		k++
	}
	day, d := p.dayOf(k, true)
	if d == 0 {
		return moment{}, 0
	}
	return p.lunarOf(month, day, year), k + d - i
}

func (p *parser) lunarMonth(i int) (month, tokens int) {
	switch {
	case p.says(i, "正月") > 0:
		return 1, 2
	case p.says(i, "腊月") > 0:
		return 12, 2
	}
	return p.monthNumber(i)
}

// lunarAt reads 五月初七 and 正月初一, which only the Chinese calendar has; year 0 = it is not said.
func (p *parser) lunarAt(i, year int) (moment, int) {
	month, n := p.lunarMonth(i)
	if n == 0 || !p.han(i+n, "初") || p.at(i+n+1).kind != han {
		return moment{}, 0
	}
	day, d, _ := p.numberAt(i + n + 1)
	if d != 1 || day < 1 || day > 10 {
		return moment{}, 0
	}
	return p.lunarOf(month, day, year), n + 1 + d
}

func (p *parser) lunarOf(month, day, year int) moment {
	m := p.lunar(month, day, 0, 1)
	if year > 0 {
		m, _ = ofYear(m, p.date(year, 1, 1))
		return m
	}
	return p.settle(m)
}

// partNames are the parts of a day, longer names first.
var partNames = []string{"凌晨", "早上", "早晨", "清晨", "上午", "中午", "下午", "傍晚", "晚上", "夜里", "半夜", "早", "晚"}

// partAt returns the part of the day at i.
func (p *parser) partAt(i int) (name string, tokens int) {
	for _, name := range partNames {
		if n := p.says(i, name); n > 0 && !(n == 1 && p.han(i+1, "点期饭餐会安")) {
			return name, n
		}
	}
	return "", 0
}

// chineseDay reads 前天, 昨天晚上, 今早.
func chineseDay(p *parser, i int) (moment, int) {
	n, k := p.nameAt(i, chineseDays)
	if k == 0 {
		ahead, ok := map[string]int{"昨": -1, "今": 0, "明": 1, "当": 0}[p.at(i).text]
		name, d := p.partAt(i + 1)
		if !ok || d == 0 || p.at(i).text == "当" {
			return moment{}, 0
		}
		return within(days(addDays(p.today, ahead), 1, Day), partsOfDay[name]), d + 1
	}
	m := days(addDays(p.today, n), 1, Day)
	at := i + k
	if p.han(at, "的") {
		at++
	}
	if name, d := p.partAt(at); d > 0 {
		return within(m, partsOfDay[name]), at + d - i
	}
	return m, k
}

// weekdayName reads the 二 of 周二; 5 is also the weekend, which has two days.
func (p *parser) weekdayName(i int) (index, days int) {
	switch {
	case p.han(i, "日天") && !p.han(i+1, "期"):
		return 6, 1
	case p.han(i, "末"):
		return 5, 2
	case p.han(i, "一二三四五六"):
		return chineseDigits[p.at(i).text] - 1, 1
	case p.at(i).kind == number && p.at(i).value >= 1 && p.at(i).value <= 6 && p.at(i).digits == 1 && !p.at(i).spaced && !p.han(i+1, "个天点月年次"):
		return p.at(i).value - 1, 1
	}
	return 0, 0
}

// chineseWeek reads 上周, 上周二, 下个星期天, 周末, 星期三晚上.
func chineseWeek(p *parser, i int) (moment, int) {
	n, k := p.nameAt(i, chineseWeeks)
	if k > 0 {
		d, length := p.weekdayName(i + k)
		if length == 0 {
			return p.week(n), k
		}
		return p.chinesePart(days(addDays(p.monday(), 7*n+d), length, Day), i, k+1)
	}
	for _, name := range []string{"周", "星期", "礼拜"} {
		k := p.says(i, name)
		if k == 0 {
			continue
		}
		if _, before := chineseDigits[p.at(i-1).text]; before || p.han(i-1, "个每十几半") || p.at(i-1).kind == number {
			return moment{}, 0
		}
		d, length := p.weekdayName(i + k)
		switch length {
		case 0:
			return moment{}, 0
		case 2:
			return p.chinesePart(p.settle(p.aWeekend()), i, k+1)
		}
		return p.chinesePart(p.settle(p.aWeekday(d)), i, k+1)
	}
	return moment{}, 0
}

// chinesePart reads the part of a day after one of n tokens.
func (p *parser) chinesePart(m moment, i, n int) (moment, int) {
	k := i + n
	if p.han(k, "的") {
		k++
	}
	if name, d := p.partAt(k); d > 0 && m.single() {
		return within(m, partsOfDay[name]), k + d - i
	}
	return m, n
}

// chineseMonth reads 上个月, 这个月底, 下个月5号.
func chineseMonth(p *parser, i int) (moment, int) {
	n, k := p.nameAt(i, chineseMonths)
	if k == 0 {
		return moment{}, 0
	}
	m := p.away(n, monthUnit)
	rest, d := p.monthRest(i+k, m.from.Year(), int(m.from.Month()))
	return rest, k + d
}

// chineseUnit reads 天, 个星期, 周, 个月, 年, 小时.
func (p *parser) chineseUnit(i int) (u unit, tokens int) {
	start := i
	if p.han(i, "个") {
		i++
	}
	switch {
	case p.han(i, "天日") && i == start:
		u = dayUnit
	case p.han(i, "周"):
		u = weekUnit
	case p.says(i, "星期") > 0 || p.says(i, "礼拜") > 0:
		u, i = weekUnit, i+1
	case p.han(i, "月") && i > start:
		u = monthUnit
	case p.says(i, "季度") > 0:
		u, i = quarterUnit, i+1
	case p.han(i, "年") && i == start:
		u = yearUnit
	case p.says(i, "小时") > 0 || p.says(i, "钟头") > 0:
		u, i = hours, i+1
	case p.says(i, "分钟") > 0:
		u, i = minutes, i+1
	default:
		return 0, 0
	}
	return u, i + 1 - start
}

// chineseAmount reads 三天, 两个月, 半年, 一年半, 十多年, 几个月; few is set where it is no certain number.
func (p *parser) chineseAmount(i int) (n int, u unit, tokens int, few bool) {
	start := i
	if p.han(i, "大") && p.han(i+1, "约概") {
		i += 2
	} else if p.han(i, "约近") {
		i++
	}
	if p.han(i, "半") {
		u, k := p.chineseUnit(i + 1)
		switch {
		case k == 0:
			return 0, 0, 0, false
		case u == yearUnit:
			return 6, monthUnit, i + 1 + k - start, false
		case u == monthUnit:
			return 15, dayUnit, i + 1 + k - start, false
		case u == hours:
			return 30, minutes, i + 1 + k - start, false
		}
		return 0, 0, 0, false
	}
	var k int
	switch {
	case p.han(i, "几好"):
		few = true
		n, k = 3, 1
		if p.han(i, "好") {
			if !p.han(i+1, "几") {
				return 0, 0, 0, false
			}
			k = 2
		}
	default:
		n, k, _ = p.numberAt(i)
	}
	if k == 0 {
		return 0, 0, 0, false
	}
	i += k
	if p.han(i, "多来几") {
		i++
	}
	half := p.says(i, "个半") > 0 && (p.han(i+2, "月") || p.says(i+2, "小时") > 0 || p.says(i+2, "星期") > 0)
	if half {
		i += 2
		switch {
		case p.han(i, "月"):
			return 30*n + 15, dayUnit, i + 1 - start, false
		case p.says(i, "小时") > 0:
			return 60*n + 30, minutes, i + 2 - start, false
		}
		return 0, 0, 0, false
	}
	u, k = p.chineseUnit(i)
	if k == 0 {
		return 0, 0, 0, false
	}
	i += k
	if u == yearUnit {
		switch {
		case p.han(i, "半"):
			n, u, i = 12*n+6, monthUnit, i+1
		case p.han(i, "多"):
			i++
		}
	} else if p.han(i, "多") {
		i++
	}
	return n, u, i - start, few
}

// chineseAgo reads 三天前, 两年以前, 半个月后.
func chineseAgo(p *parser, i int) (moment, int) {
	least, most, pair := p.pairAt(i)
	lead := 0
	if pair { // 三五天前 is said as 五天前 is
		lead = 1
	}
	n, u, k, few := p.chineseAmount(i + lead)
	if k == 0 || u == yearUnit && n >= 1000 { // 2020年以前
		return moment{}, 0
	}
	start := i
	i += lead + k
	var sign int
	switch {
	case p.says(i, "以前") > 0 || p.says(i, "之前") > 0:
		sign, i = -1, i+2
	case p.says(i, "以后") > 0 || p.says(i, "之后") > 0:
		sign, i = 1, i+2
	case p.han(i, "前"):
		sign, i = -1, i+1
	case p.han(i, "后"):
		sign, i = 1, i+1
	default:
		return moment{}, 0
	}
	if few {
		least, most, pair = 2, 6, true
	}
	if pair {
		a, b := p.ago(-sign*most, u), p.ago(-sign*least, u)
		return stretch(minTime(a.from, b.from), maxTime(a.to, b.to), a.precision), i - start
	}
	at := i
	if p.han(at, "的") {
		at++
	}
	switch u {
	case weekUnit: // 三周前的周五
		for _, name := range []string{"周", "星期", "礼拜"} {
			if d := p.says(at, name); d > 0 {
				if day, length := p.weekdayName(at + d); length > 0 {
					return p.chinesePart(days(addDays(p.monday(), 7*sign*n+day), length, Day), start, at+d+1-start)
				}
			}
		}
	case yearUnit: // 两年前的夏天, 一年前的今天
		if m, d := p.rest(i, p.today.Year()+sign*n); d > 0 {
			return m, i + d - start
		}
	}
	return p.ago(-sign*n, u), i - start
}

// chineseSeason reads 夏天 after a word that makes it a time: 在夏天, 这个夏天.
func chineseSeason(p *parser, i int) (moment, int) {
	start := i
	step, relative := p.nameAt(i, []named{{"上个", -1}, {"这个", 0}, {"今", 0}, {"去", -1}, {"下个", 1}})
	k := relative
	s, ok := chineseSeasons[p.at(i+k).text]
	if !ok {
		return moment{}, 0
	}
	short := relative == 1 && k == 1 // 今夏, 去冬
	if !p.han(i+k+1, "天季") && !short {
		return moment{}, 0
	}
	tokens := k + 2
	if short && !p.han(i+k+1, "天季") {
		tokens = k + 1
	}
	switch {
	case short:
		return p.season(p.today.Year()+step, s), tokens
	case relative > 0:
		return p.relative(p.aSeason(s), step), tokens
	case p.han(start-1, "在从到自"):
		return p.settle(p.aSeason(s)), tokens
	}
	return moment{}, 0
}

// chineseHoliday reads 春节, 中秋节; 五一 and 十一 only where they cannot be numbers.
func chineseHoliday(p *parser, i int) (moment, int) {
	m, n := p.holidayAt(i, chineseHolidays)
	if n == 0 || (p.says(i, "五一") > 0 || p.says(i, "十一") > 0) && n == 2 && !p.han(i+2, "假期长黄放") {
		return moment{}, 0
	}
	return p.settle(m), n
}

// chineseDecade reads 九十年代, 90年代, 2010年代.
func chineseDecade(p *parser, i int) (moment, int) {
	start := i
	century := 0
	switch {
	case p.says(i, "上世纪") > 0:
		century, i = 1900, i+3
	case p.says(i, "本世纪") > 0:
		century, i = 2000, i+3
	}
	n, k, _ := p.numberAt(i)
	if k == 0 || p.says(i+k, "年代") == 0 || n%10 != 0 {
		return moment{}, 0
	}
	switch {
	case n >= 1800 && n < 2200 && century == 0:
	case n < 100 && century > 0:
		n += century
	case n >= 30 && n < 100:
		n += 1900
	case n >= 10 && n < 30:
		n += 2000
	default:
		return moment{}, 0
	}
	m := moment{from: p.date(n, 1, 1), to: p.date(n+10, 1, 1), precision: Decade, kind: Point}
	i += k + 2
	if which := map[string]int{"初": partEarly, "中": partMiddle, "末": partLate}[p.at(i).text]; which > 0 && !p.han(i+1, "国学文") {
		return part(m, which), i + 1 - start
	}
	return m, i - start
}

// chineseEnd reads 月初, 月底, 年初 and 年底 of no certain month or year.
func chineseEnd(p *parser, i int) (moment, int) {
	which := map[string]int{"初": partBeginning, "底": partEnd, "末": partEnd}[p.at(i+1).text]
	if which == 0 || p.han(i-1, "一二两三四五六七八九十几半多个每当数全近同毕") || p.at(i-1).kind == number {
		return moment{}, 0
	}
	switch {
	case p.han(i, "月"):
		return p.settle(part(moment{from: p.date(2024, 1, 1), to: p.date(2024, 2, 1), precision: Month, kind: Point, reach: 2, other: func(base time.Time, k int) (time.Time, time.Time, bool) {
			from := p.date(base.Year(), base.Month()+time.Month(k), 1)
			return from, p.date(from.Year(), from.Month()+1, 1), true
		}}, which)), 2
	case p.han(i, "年"):
		m := p.yearly(Year, func(year int) (time.Time, time.Time, bool) { return p.date(year, 1, 1), p.date(year+1, 1, 1), true })
		m.from, m.to = p.date(2024, 1, 1), p.date(2025, 1, 1)
		return p.settle(part(m, which)), 2
	}
	return moment{}, 0
}

// quarterAt reads 第一季度, 三季度.
func (p *parser) quarterAt(i int) (quarter, tokens int) {
	start := i
	if p.han(i, "第") {
		i++
	}
	n, k, _ := p.numberAt(i)
	if k == 0 || n < 1 || n > 4 || p.says(i+k, "季度") == 0 {
		return 0, 0
	}
	return n, i + k + 2 - start
}

func chineseQuarter(p *parser, i int) (moment, int) {
	if step, k := p.nameAt(i, chineseQuarters); k > 0 {
		return p.away(step, quarterUnit), k
	}
	q, n := p.quarterAt(i)
	if n == 0 {
		return moment{}, 0
	}
	return p.settle(p.yearly(Season, func(year int) (time.Time, time.Time, bool) {
		m := p.quarter(year, q)
		return m.from, m.to, true
	})), n
}

// chineseClock reads 下午三点半, 9点, 10:30, 九点一刻. name is the part of the day that was said before it.
func (p *parser) chineseClock(i int, name string) (hour, minute, tokens int) {
	start := i
	if p.han(i, "的") {
		i++
	}
	if part, n := p.partAt(i); n > 0 {
		name = part
		i += n
	}
	n, k, _ := p.numberAt(i)
	if k == 0 || n > 24 {
		return 0, 0, 0
	}
	i += k
	switch {
	case p.word(i) == ":" && p.at(i+1).kind == number && p.at(i+1).digits == 2 && p.at(i+1).value < 60:
		minute, i = p.at(i+1).value, i+2
	case p.han(i, "点时") && !p.han(i+1, "间候"):
		i++
		if p.han(i, "钟整") {
			i++
		}
		if p.han(i, "半") {
			minute, i = 30, i+1
		} else if p.says(i, "一刻") > 0 {
			minute, i = 15, i+2
		} else if v, k, _ := p.numberAt(i); k > 0 && v < 60 {
			minute, i = v, i+k
			if p.han(i, "分") {
				i++
			}
		}
	default:
		return 0, 0, 0
	}
	switch name {
	case "下午", "晚上", "傍晚", "晚", "夜里":
		if n < 12 {
			n += 12
		}
	case "中午":
		if n < 4 {
			n += 12
		}
	}
	if n == 24 {
		return 0, 0, 0
	}
	return n, minute, i - start
}

// chineseTimed reads a point with a time of the day behind it.
func chineseTimed(p *parser, i int) (moment, int) {
	m, n := p.longest(i, chinesePoints)
	if n == 0 {
		return moment{}, 0
	}
	if m.kind != Point || !m.single() || m.precision != Day && m.precision != PartOfDay {
		return m, n
	}
	name := ""
	if m.precision == PartOfDay { // 周四下午 三点
		for k := 1; k <= 2 && name == ""; k++ {
			if part, d := p.partAt(i + n - k); d == k {
				name = part
			}
		}
	}
	if hour, minute, k := p.chineseClock(i+n, name); k > 0 {
		return atTime(m, hour, minute), n + k
	}
	return p.chinesePart(m, i, n)
}

// chineseModified reads 春节前后, 三月以来, 2020年之前, 去年五月左右.
func chineseModified(p *parser, i int) (moment, int) {
	start := i
	if p.han(i, "自从") {
		i++
		if p.han(i, "从") {
			i++
		}
	}
	m, n := p.longest(i, chinesePoints)
	if n == 0 || m.kind != Point {
		return moment{}, 0
	}
	i += n
	switch {
	case p.says(i, "前后") > 0, p.says(i, "左右") > 0:
		return around(m), i + 2 - start
	case p.says(i, "以来") > 0, p.says(i, "至今") > 0, p.says(i, "开始") > 0 && p.han(start, "自从"), p.says(i, "到现在") > 0:
		return p.since(m), i + len([]rune("以来")) + p.extra(i) - start
	case p.han(i, "起") && p.han(start, "自从"):
		return p.since(m), i + 1 - start
	case p.says(i, "之前") > 0, p.says(i, "以前") > 0:
		return p.before(m), i + 2 - start
	case p.says(i, "之后") > 0, p.says(i, "以后") > 0:
		return p.after(m), i + 2 - start
	case p.says(start, "自从") > 0:
		return p.since(m), i - start
	}
	return moment{}, 0
}

// extra is 1 where 到现在, which has a character more than the others, stands at i.
func (p *parser) extra(i int) int {
	if p.says(i, "到现在") > 0 {
		return 1
	}
	return 0
}

// around widens a point by half of it, and by three days at least, on both sides.
func around(m moment) moment {
	by := max(3, int(m.to.Sub(m.from).Hours()/48))
	return stretch(addDays(m.from, -by), addDays(m.to, by), m.precision)
}

// chineseRange reads 从三月到六月, 5月3日至7日, 2019到2021年, 周一和周三之间.
func chineseRange(p *parser, i int) (moment, int) {
	start := i
	if p.han(i, "从自在") {
		i++
	}
	a, n := p.longest(i, chinesePoints)
	if n == 0 && isYear(p.at(i)) {
		a, n = p.year(p.at(i).value), 1
	}
	unsaid := false // 3到6月
	if n == 0 {
		v, k, _ := p.numberAt(i)
		if k == 0 || v < 1 || v > 31 {
			return moment{}, 0
		}
		n, unsaid = k, true
	}
	first, k := i, i+n
	between := p.han(k, "和与")
	if !between && !p.han(k, "到至") && !p.anyOf(k, "- – — ~") {
		return moment{}, 0
	}
	k++
	if p.anyOf(k, "- – — ~") {
		k++
	}
	b, n := p.longest(k, chinesePoints)
	if n == 0 || b.kind != Point {
		if !unsaid && (p.says(k, "现在") > 0 || p.says(k, "今天") > 0) && !between {
			return p.since(a), k + 2 - start
		}
		return moment{}, 0
	}
	if unsaid {
		v, _, _ := p.numberAt(first)
		switch {
		case b.precision == Month && v <= 12 && b.other != nil:
			a = p.settle(p.aMonth(v))
		case b.precision == Month && v <= 12:
			a = p.month(b.from.Year(), v)
		case b.precision == Day:
			d, ok := p.day(b.from.Year(), int(b.from.Month()), v)
			if !ok {
				return moment{}, 0
			}
			a = d
		default:
			return moment{}, 0
		}
	}
	k += n
	if between {
		if p.says(k, "之间") == 0 {
			return moment{}, 0
		}
		k += 2
	}
	if a.kind != Point {
		return moment{}, 0
	}
	m, ok := p.between(a, b)
	if !ok {
		return moment{}, 0
	}
	return m, k - start
}

// chineseLast reads 最近三个月, 过去一年, 这几天, 前几天.
func chineseLast(p *parser, i int) (moment, int) {
	for _, lead := range []string{"在过去", "过去", "最近", "近", "这", "前", "未来", "接下来"} {
		k := p.says(i, lead)
		if k == 0 {
			continue
		}
		if p.han(i+k, "的") {
			k++
		}
		n, u, d, few := p.chineseAmount(i + k)
		if d == 0 || few && p.han(i+k+d, "前后") {
			continue
		}
		switch {
		case lead == "前" && !few && n == 2: // a couple
			return p.past(n+1, u), k + d
		case lead == "前" && !few:
			return moment{}, 0
		case lead == "前" && u == dayUnit:
			return p.past(otherDays, dayUnit), k + d
		case lead == "前":
			a, b := p.ago(6, u), p.ago(1, u)
			return stretch(a.from, b.to, a.precision), k + d
		case lead == "未来", lead == "接下来":
			n = -n
		}
		if few && u == dayUnit {
			n = n / 3 * otherDays
		}
		return p.past(n, u), k + d
	}
	return moment{}, 0
}

var chineseRecently = []named{
	{"最近", recentDays},
	{"近来", recentDays},
	{"近期", recentDays},
	{"近日", recentDays},
	{"这阵子", recentDays},
	{"这段时间", recentDays},
	{"前阵子", 3 * recentDays},
	{"前段时间", 3 * recentDays},
	{"前一阵子", 3 * recentDays},
	{"前些天", 2 * otherDays},
	{"前些日子", 2 * recentDays},
	{"刚才", 1},
	{"刚刚", 1},
}

// chineseRecent reads 最近, 近来, 前阵子, 刚才.
func chineseRecent(p *parser, i int) (moment, int) {
	n, k := p.nameAt(i, chineseRecently)
	if k == 0 || p.says(i, "最近的") > 0 {
		return moment{}, 0
	}
	if n == 1 {
		return days(p.today, 1, Day), k
	}
	return p.past(n, dayUnit), k
}

var chineseOrders = []struct {
	phrase string
	kind   Kind
}{
	{"第一次", First},
	{"首次", First},
	{"头一次", First},
	{"第一回", First},
	{"头一回", First},
	{"初次", First},
	{"最早", First},
	{"最初", First},
	{"一开始", First},
	{"最近一次", Latest},
	{"最近那次", Latest},
	{"最近这次", Latest},
	{"前一次", Latest},
	{"最近的一次", Latest},
	{"最近一回", Latest},
	{"上一次", Latest},
	{"上次", Latest},
	{"上一回", Latest},
	{"上回", Latest},
	{"最后一次", Latest},
	{"最新", Latest},
}

func chineseOrder(p *parser, i int) (moment, int) {
	for _, o := range chineseOrders {
		if n := p.says(i, o.phrase); n > 0 {
			return moment{kind: o.kind}, n
		}
	}
	return moment{}, 0
}

// chineseRecurring reads 每天, 每周三, 每个月5号, 每年, 天天, 每隔两天.
func chineseRecurring(p *parser, i int) (moment, int) {
	recurring := moment{kind: Recurring}
	for _, twice := range []string{"天天", "年年", "月月", "周周", "夜夜"} {
		if n := p.says(i, twice); n > 0 {
			return recurring, n
		}
	}
	if !p.han(i, "每") {
		return moment{}, 0
	}
	k := i + 1
	if p.han(k, "隔") {
		k++
	}
	if _, _, d, _ := p.chineseAmount(k); d > 0 {
		return recurring, k + d - i
	}
	u, d := p.chineseUnit(k)
	if d == 0 && p.han(k, "月") {
		u, d = monthUnit, 1
	}
	if d == 0 {
		if p.han(k, "个") {
			k++
		}
		if _, n := p.partAt(k); n > 0 {
			return recurring, k + n - i
		}
		if p.says(k, "周末") > 0 {
			return recurring, k + 2 - i
		}
		return moment{}, 0
	}
	k += d
	switch u {
	case weekUnit:
		if _, length := p.weekdayName(k); length > 0 {
			k++
		}
	case monthUnit:
		if _, n := p.dayOf(k, false); n > 0 {
			k += n
		}
	case yearUnit:
		if _, n := p.monthNumber(k); n > 0 {
			k += n
			if _, n := p.dayOf(k, false); n > 0 {
				k += n
			}
		}
	}
	if _, n := p.partAt(k); n > 0 {
		k += n
	}
	return recurring, k - i
}
