// Package when finds expressions of time in English and Chinese text and says which days they mean: "last Tuesday",
// "in May", "three weeks ago", 「上个月」, 「去年冬天」, 「从三月到六月」. It goes by rules alone.
//
// Where people mean different things by the same words it chooses, always the same:
//   - Weeks begin on Monday; "last week" is the calendar week before this one, "last month" the calendar month.
//   - "last Tuesday" is the most recent one before today, "next Tuesday" the one of the next calendar week; 上周二 and
//     下周二 are those of the calendar weeks. A bare "Tuesday" is never today.
//   - "three weeks ago" is the calendar week of that day, "two months ago" that calendar month, "a year ago" that year.
//   - Seasons are northern: spring is March to May; the winter of 2022 begins in December 2022. "last summer" is the
//     latest one that is over.
//   - "recently" and 最近 are the last 30 days, "the other day" and 前几天 the last seven.
//   - 5/7/2023 is month first, 5.7.2023 day first; where one of the two cannot be a month it decides.
//   - What has no year, month or week of its own ("in May", "on the 5th", 周二) is found as Toward says.
package when

import (
	"strings"
	"time"
)

// Kind says what an expression of time means.
type Kind string

// The kinds of expressions.
const (
	Point     Kind = "point"     // one unit of the calendar: an hour, a day, a month, a season
	Range     Kind = "range"     // a stretch of time: between two points, since one, the last three weeks, recently
	First     Kind = "first"     // no time but an order: the earliest
	Latest    Kind = "latest"    // the same: the most recent
	Recurring Kind = "recurring" // again and again: every Monday
)

// Precision is the unit that an expression is exact to. Larger is coarser.
type Precision int

// Precisions, from fine to coarse.
const (
	Minute Precision = iota + 1
	Hour
	PartOfDay
	Day
	Week
	Month
	Season // three months
	Year
	Decade
)

// Toward says which one is meant by an expression that recurs, such as a month without a year.
type Toward int

// The sides that are looked to.
const (
	Past    Toward = iota // the latest that has begun: for questions about what was
	Nearest               // the nearest to now in either direction: for reports
	Ahead                 // the next that is not over: for plans
)

// Span is one expression of time in a text.
type Span struct {
	Start, End int       // bytes of the text: text[Start:End] is the expression
	From, To   time.Time // the window, [From, To) in the zone of now; zero = open on this side, or no window at all
	Precision  Precision // 0 where there is no window
	Kind       Kind
}

// Window tells whether the expression means certain days, rather than an order or something recurring.
func (s Span) Window() bool { return s.Kind == Point || s.Kind == Range }

// Contains tells whether a time is in the window.
func (s Span) Contains(t time.Time) bool {
	return s.Window() && !t.Before(s.From) && (s.To.IsZero() || t.Before(s.To))
}

// Parse returns the expressions of time in a text, in their order, as they are meant at the time now, in whose zone days
// begin and end. They do not overlap. It takes time proportional to the length of the text.
func Parse(text string, now time.Time, toward Toward) []Span {
	p := parser{text: text, tokens: tokenise(text), now: now, today: midnight(now), toward: toward}
	var spans []Span
	for i := 0; i < len(p.tokens); {
		m, n := p.match(i)
		if n == 0 {
			i++
			continue
		}
		if m.valid() {
			spans = append(spans, Span{
				Start: p.tokens[i].start, End: p.tokens[i+n-1].end,
				From: m.from, To: m.to, Precision: m.precision, Kind: m.kind,
			})
		}
		i += n
	}
	return spans
}

// parser is the state of one Parse.
type parser struct {
	text       string
	tokens     []token
	now, today time.Time
	toward     Toward
}

// matcher reads an expression that begins at token i; n is how many tokens it has, 0 = there is none.
type matcher func(p *parser, i int) (m moment, n int)

// longest returns the longest of what the matchers read at i, the first of several.
func (p *parser) longest(i int, matchers []matcher) (best moment, most int) {
	if i < 0 || i >= len(p.tokens) {
		return moment{}, 0
	}
	for _, f := range matchers {
		if m, n := f(p, i); n > most {
			best, most = m, n
		}
	}
	return best, most
}

// beginnings are the characters that an expression may begin with; a text is mostly others.
const beginnings = "今昨前明后大上下这本当去周星礼农阴零一二两三四五六七八九十百千几好半约近第春夏秋冬元情妇愚劳青儿教国万圣平跨清过除端中重腊最首头初刚每天年月夜自从在未接母父双立暑寒"

// match returns the longest expression at i.
func (p *parser) match(i int) (moment, int) {
	if p.tokens[i].kind == han && !strings.Contains(beginnings, p.tokens[i].text) {
		return moment{}, 0
	}
	if p.tokens[i].kind == han || p.tokens[i].kind == number {
		if m, n := p.longest(i, chineseMatchers); n > 0 {
			return m, n
		}
	}
	if p.tokens[i].kind != han {
		return p.longest(i, englishMatchers)
	}
	return moment{}, 0
}

// point returns the longest single point at i, in either language.
func (p *parser) point(i int) (moment, int) {
	if i >= len(p.tokens) {
		return moment{}, 0
	}
	if p.tokens[i].kind == han || p.tokens[i].kind == number {
		if m, n := p.longest(i, chinesePoints); n > 0 {
			return m, n
		}
	}
	if p.tokens[i].kind == han {
		return moment{}, 0
	}
	return p.longest(i, englishPoints)
}
