package when_test

import (
	"strings"
	"testing"
	"time"

	"recollect/backend/when"
)

// now is a Wednesday.
var now = time.Date(2026, 3, 18, 15, 4, 5, 0, time.UTC)

// show writes spans as "text = from..to kind", days without their time where they begin at midnight.
func show(text string, spans []when.Span) string {
	var out []string
	for _, s := range spans {
		w := text[s.Start:s.End] + " = "
		switch {
		case !s.Window():
			w += string(s.Kind)
		default:
			w += stamp(s.From) + ".." + stamp(s.To)
			if s.Kind == when.Range {
				w += " range"
			}
		}
		out = append(out, w)
	}
	return strings.Join(out, " ; ")
}

func stamp(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Hour() == 0 && t.Minute() == 0:
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02T15:04")
}

type example struct{ text, want string }

var english = []example{
	// Days.
	{"what did I do yesterday", "yesterday = 2026-03-17..2026-03-18"},
	{"today's plan", "today = 2026-03-18..2026-03-19"},
	{"Tomorrow then", "Tomorrow = 2026-03-19..2026-03-20"},
	{"the day before yesterday", "the day before yesterday = 2026-03-16..2026-03-17"},
	{"the day after tomorrow", "the day after tomorrow = 2026-03-20..2026-03-21"},
	{"yesterday evening", "yesterday evening = 2026-03-17T17:00..2026-03-18"},
	{"last night", "last night = 2026-03-17T18:00..2026-03-18T06:00"},
	{"this morning", "this morning = 2026-03-18T05:00..2026-03-18T12:00"},
	{"tonight", "tonight = 2026-03-18T18:00..2026-03-19T06:00"},
	{"earlier today I said", "earlier today = 2026-03-18..2026-03-19"},
	{"the other day", "the other day = 2026-03-11..2026-03-19 range"},
	// Weekdays.
	{"last Tuesday", "last Tuesday = 2026-03-17..2026-03-18"},
	{"last Wednesday", "last Wednesday = 2026-03-11..2026-03-12"},
	{"last thursday", "last thursday = 2026-03-12..2026-03-13"},
	{"this Friday", "this Friday = 2026-03-20..2026-03-21"},
	{"next Monday", "next Monday = 2026-03-23..2026-03-24"},
	{"next Friday", "next Friday = 2026-03-27..2026-03-28"},
	{"on Tuesday", "Tuesday = 2026-03-17..2026-03-18"},
	{"on Wednesday", "Wednesday = 2026-03-11..2026-03-12"},
	{"on Thursday we met", "Thursday = 2026-03-12..2026-03-13"},
	{"the Tuesday before last", "the Tuesday before last = 2026-03-10..2026-03-11"},
	{"Tuesday last week", "Tuesday last week = 2026-03-10..2026-03-11"},
	{"last week Friday", "last week Friday = 2026-03-13..2026-03-14"},
	{"on sat I slept", "sat = 2026-03-14..2026-03-15"},
	{"he sat in the sun", ""},
	{"Friday night", "Friday night = 2026-03-13T18:00..2026-03-14T06:00"},
	// Units of the calendar.
	{"last week", "last week = 2026-03-09..2026-03-16"},
	{"this week", "this week = 2026-03-16..2026-03-23"},
	{"next week", "next week = 2026-03-23..2026-03-30"},
	{"the week before last", "the week before last = 2026-03-02..2026-03-09"},
	{"the week after next", "the week after next = 2026-03-30..2026-04-06"},
	{"last weekend", "last weekend = 2026-03-14..2026-03-16"},
	{"this weekend", "this weekend = 2026-03-21..2026-03-23"},
	{"over the weekend", "the weekend = 2026-03-14..2026-03-16"},
	{"last month", "last month = 2026-02-01..2026-03-01"},
	{"the month before last", "the month before last = 2026-01-01..2026-02-01"},
	{"this year", "this year = 2026-01-01..2027-01-01"},
	{"last year", "last year = 2025-01-01..2026-01-01"},
	{"the year before last", "the year before last = 2024-01-01..2025-01-01"},
	{"last quarter", "last quarter = 2025-10-01..2026-01-01"},
	{"earlier this month", "earlier this month = 2026-03-01..2026-03-19 range"},
	// Seasons.
	{"the summer of 2022", "the summer of 2022 = 2022-06-01..2022-09-01"},
	{"summer 2022", "summer 2022 = 2022-06-01..2022-09-01"},
	{"last winter", "last winter = 2025-12-01..2026-03-01"},
	{"last summer", "last summer = 2025-06-01..2025-09-01"},
	{"this summer", "this summer = 2026-06-01..2026-09-01"},
	{"last spring", "last spring = 2025-03-01..2025-06-01"},
	{"in the summer we swim", "the summer = 2025-06-01..2025-09-01"},
	{"in the fall of 2021", "the fall of 2021 = 2021-09-01..2021-12-01"},
	{"did you fall", ""},
	{"spring last year", "spring last year = 2025-03-01..2025-06-01"},
	// Months and dates.
	{"in May", "May = 2025-05-01..2025-06-01"},
	{"in march", "march = 2026-03-01..2026-04-01"},
	{"I may go", ""},
	{"they march on", ""},
	{"what about February", "February = 2026-02-01..2026-03-01"},
	{"May 2023", "May 2023 = 2023-05-01..2023-06-01"},
	{"in August of 2019", "August of 2019 = 2019-08-01..2019-09-01"},
	{"last May", "last May = 2025-05-01..2025-06-01"},
	{"next June", "next June = 2026-06-01..2026-07-01"},
	{"7 May", "7 May = 2025-05-07..2025-05-08"},
	{"on May 7th", "May 7th = 2025-05-07..2025-05-08"},
	{"the 7th of May, 2023", "the 7th of May, 2023 = 2023-05-07..2023-05-08"},
	{"May 7, 2023", "May 7, 2023 = 2023-05-07..2023-05-08"},
	{"the first of June", "the first of June = 2025-06-01..2025-06-02"},
	{"3 September 2024 was hot", "3 September 2024 = 2024-09-03..2024-09-04"},
	{"Dec 24", "Dec 24 = 2025-12-24..2025-12-25"},
	{"on the 5th", "the 5th = 2026-03-05..2026-03-06"},
	{"on the 25th we", "the 25th = 2026-02-25..2026-02-26"},
	{"on the 5th floor", ""},
	{"the 5th floor", ""},
	{"February 29", "February 29 = 2024-02-29..2024-03-01"},
	{"2023-05-07", "2023-05-07 = 2023-05-07..2023-05-08"},
	{"2023/5/7", "2023/5/7 = 2023-05-07..2023-05-08"},
	{"28.12.2023", "28.12.2023 = 2023-12-28..2023-12-29"},
	{"7.5.2023", "7.5.2023 = 2023-05-07..2023-05-08"},
	{"5/7/2023", "5/7/2023 = 2023-05-07..2023-05-08"},
	{"28/12/2023", "28/12/2023 = 2023-12-28..2023-12-29"},
	{"2023-05", "2023-05 = 2023-05-01..2023-06-01"},
	{"2023-13-45", ""},
	{"31 April", "April = 2025-04-01..2025-05-01"},
	{"early May", "early May = 2025-05-01..2025-05-11"},
	{"mid-2022", "mid-2022 = 2022-05-02..2022-09-02"},
	{"the end of last year", "the end of last year = 2025-10-02..2026-01-01"},
	{"the first week of May", "the first week of May = 2025-05-01..2025-05-08"},
	{"the last weekend in June 2023", "the last weekend in June 2023 = 2023-06-24..2023-06-26"},
	{"the second Monday of February", "the second Monday of February = 2026-02-09..2026-02-10"},
	{"the last day of February", "the last day of February = 2026-02-28..2026-03-01"},
	// Years.
	{"in 2019", "2019 = 2019-01-01..2020-01-01"},
	{"back in 2019 I", "2019 = 2019-01-01..2020-01-01"},
	{"2019 euros", ""},
	{"in 2019 pieces", ""},
	{"the 1990s", "the 1990s = 1990-01-01..2000-01-01"},
	{"in the 90s", "the 90s = 1990-01-01..2000-01-01"},
	{"Q1 2023", "Q1 2023 = 2023-01-01..2023-04-01"},
	{"the second quarter of 2024", "the second quarter of 2024 = 2024-04-01..2024-07-01"},
	// Ago and ahead.
	{"three weeks ago", "three weeks ago = 2026-02-23..2026-03-02"},
	{"3 days ago", "3 days ago = 2026-03-15..2026-03-16"},
	{"a month ago", "a month ago = 2026-02-01..2026-03-01"},
	{"about two years ago", "about two years ago = 2024-01-01..2025-01-01"},
	{"a couple of months ago", "a couple of months ago = 2026-01-01..2026-02-01"},
	{"half a year ago", "half a year ago = 2025-09-01..2025-10-01"},
	{"a year and a half ago", "a year and a half ago = 2024-09-01..2024-10-01"},
	{"twenty-five years ago", "twenty-five years ago = 2001-01-01..2002-01-01"},
	{"a few weeks ago", "a few weeks ago = 2026-02-02..2026-03-09 range"},
	{"an hour ago", "an hour ago = 2026-03-18T13:34..2026-03-18T14:34"},
	{"a decade ago", "a decade ago = 2016-01-01..2017-01-01"},
	{"300 million years ago", ""},
	{"9000 years ago", ""},
	{"in two days", "in two days = 2026-03-20..2026-03-21"},
	{"five days from now", "five days from now = 2026-03-23..2026-03-24"},
	{"in a week's time", "in a week's time = 2026-03-23..2026-03-30"},
	{"the last three weeks", "the last three weeks = 2026-02-25..2026-03-19 range"},
	{"over the past year", "over the past year = 2025-03-18..2026-03-19 range"},
	{"in the past few days", "in the past few days = 2026-03-15..2026-03-19 range"},
	{"recently", "recently = 2026-02-16..2026-03-19 range"},
	{"lately", "lately = 2026-02-16..2026-03-19 range"},
	// Ranges.
	{"between March and June", "between March and June = 2026-03-01..2026-07-01 range"},
	{"between November and February", "between November and February = 2025-11-01..2026-03-01 range"},
	{"from May to July 2022", "from May to July 2022 = 2022-05-01..2022-08-01 range"},
	{"from 2019 to 2021", "from 2019 to 2021 = 2019-01-01..2022-01-01 range"},
	{"2019-2021", "2019-2021 = 2019-01-01..2022-01-01 range"},
	{"April to June", "April to June = 2025-04-01..2025-07-01 range"},
	{"Monday to Wednesday", "Monday to Wednesday = 2026-03-16..2026-03-19 range"},
	{"between 7 May and 9 June 2023", "between 7 May and 9 June 2023 = 2023-05-07..2023-06-10 range"},
	{"3-7 May", "3-7 May = 2025-05-03..2025-05-08 range"},
	{"May 3 to 7, 2024", "May 3 to 7, 2024 = 2024-05-03..2024-05-08 range"},
	{"from the 3rd to the 7th of May", "from the 3rd to the 7th of May = 2025-05-03..2025-05-08 range"},
	{"since January", "since January = 2026-01-01..2026-03-19 range"},
	{"since 2019", "since 2019 = 2019-01-01..2026-03-19 range"},
	{"before 2020", "before 2020 = ..2020-01-01 range"},
	{"after last Tuesday", "after last Tuesday = 2026-03-18.. range"},
	// Holidays.
	{"at Christmas", "Christmas = 2025-12-25..2025-12-26"},
	{"last christmas eve", "last christmas eve = 2025-12-24..2025-12-25"},
	{"Easter 2024", "Easter 2024 = 2024-03-29..2024-04-02"},
	{"thanksgiving 2023", "thanksgiving 2023 = 2023-11-23..2023-11-24"},
	{"New Year’s Eve", "New Year’s Eve = 2025-12-31..2026-01-01"},
	{"Chinese New Year", "Chinese New Year = 2026-02-16..2026-02-24"},
	// Times of the day.
	{"on Thursday at 9:30", "Thursday at 9:30 = 2026-03-12T09:30..2026-03-12T09:31"},
	{"7 May at 06:40", "7 May at 06:40 = 2025-05-07T06:40..2025-05-07T06:41"},
	{"tomorrow 5pm", "tomorrow 5pm = 2026-03-19T17:00..2026-03-19T17:01"},
	{"at 5 pm tomorrow", "at 5 pm tomorrow = 2026-03-19T17:00..2026-03-19T17:01"},
	{"at 9:30", ""},
	// Orders and what recurs.
	{"the first time I skied", "the first time = first"},
	{"when did I first mention tea", "first = first"},
	{"my most recent job", "most recent = latest"},
	{"when did we last meet", "last = latest"},
	{"the last time", "the last time = latest"},
	{"the latest plan", "the latest = latest"},
	{"every Monday", "every Monday = recurring"},
	{"on Fridays", "Fridays = recurring"},
	{"twice a month", "twice a month = recurring"},
	{"my last name and first job", ""},
	// What leads from one to the other.
	{"two Fridays ago", "two Fridays ago = 2026-03-06..2026-03-07"},
	{"two summers ago", "two summers ago = 2024-06-01..2024-09-01"},
	{"the summer before last", "the summer before last = 2024-06-01..2024-09-01"},
	{"in the spring of last year", "the spring of last year = 2025-03-01..2025-06-01"},
	{"early 2020s", "early 2020s = 2020-01-01..2023-05-02"},
	{"mid-March", "mid-March = 2026-03-11..2026-03-22"},
	{"end of May", "end of May = 2025-05-25..2025-06-01"},
	{"beginning of June", "beginning of June = 2025-06-01..2025-06-08"},
	{"the first half of 2023", "the first half of 2023 = 2023-01-01..2023-07-01"},
	{"the second half of last year", "the second half of last year = 2025-07-01..2026-01-01"},
	{"Q3 last year", "Q3 last year = 2025-07-01..2025-10-01"},
	{"last quarter of 2022", "last quarter of 2022 = 2022-10-01..2023-01-01"},
	{"around Christmas last year", "Christmas last year = 2025-12-25..2025-12-26"},
	{"Memorial Day", "Memorial Day = 2025-05-26..2025-05-27"},
	{"Mother's Day", "Mother's Day = 2025-05-11..2025-05-12"},
	{"the night before last", "the night before last = 2026-03-16T18:00..2026-03-17T06:00"},
	{"three nights ago", "three nights ago = 2026-03-15T18:00..2026-03-16T06:00"},
	{"a week ago Tuesday", "a week ago Tuesday = 2026-03-10..2026-03-11"},
	{"a week ago today", "a week ago today = 2026-03-11..2026-03-12"},
	{"this time last year", "this time last year = 2025-03-03..2025-04-03 range"},
	{"on this day last year", "this day last year = 2025-03-18..2025-03-19"},
	{"a year ago today", "a year ago today = 2025-03-18..2025-03-19"},
	{"05/07/23", "05/07/23 = 2023-05-07..2023-05-08"},
	{"in '98", "'98 = 1998-01-01..1999-01-01"},
	{"summer of '69", "summer of '69 = 1969-06-01..1969-09-01"},
	{"the eighties", "the eighties = 1980-01-01..1990-01-01"},
	{"the late 90s", "the late 90s = 1996-09-01..2000-01-01"},
	{"2010s", "2010s = 2010-01-01..2020-01-01"},
	{"Jan-Mar", "Jan-Mar = 2026-01-01..2026-04-01 range"},
	{"the oldest message", "the oldest = first"},
	{"the spring in the mattress broke", ""},
	{"my two sons ago", ""},
	{"he is in his eighties", ""},
	{"rock 'n' roll '98s", ""},
	// Several, and none.
	{"Was it yesterday or in May 2023?", "yesterday = 2026-03-17..2026-03-18 ; May 2023 = 2023-05-01..2023-06-01"},
	{"version 2.0.2023", ""},
	{"call 0171 555 0132", ""},
	{"it costs 3.50", ""},
	{"I have 2 dogs", ""},
}

var chinese = []example{
	{"昨天我做了什么", "昨天 = 2026-03-17..2026-03-18"},
	{"前天", "前天 = 2026-03-16..2026-03-17"},
	{"大前天", "大前天 = 2026-03-15..2026-03-16"},
	{"后天", "后天 = 2026-03-20..2026-03-21"},
	{"昨天晚上", "昨天晚上 = 2026-03-17T18:00..2026-03-18T06:00"},
	{"昨晚", "昨晚 = 2026-03-17T18:00..2026-03-18T06:00"},
	{"今早", "今早 = 2026-03-18T05:00..2026-03-18T12:00"},
	{"刚才说的", "刚才 = 2026-03-18..2026-03-19"},
	{"前几天", "前几天 = 2026-03-11..2026-03-19 range"},
	{"上周", "上周 = 2026-03-09..2026-03-16"},
	{"上个星期", "上个星期 = 2026-03-09..2026-03-16"},
	{"上周二", "上周二 = 2026-03-10..2026-03-11"},
	{"上個禮拜三", "上個禮拜三 = 2026-03-11..2026-03-12"},
	{"上上周五", "上上周五 = 2026-03-06..2026-03-07"},
	{"这周五", "这周五 = 2026-03-20..2026-03-21"},
	{"下周一", "下周一 = 2026-03-23..2026-03-24"},
	{"下周日", "下周日 = 2026-03-29..2026-03-30"},
	{"周二", "周二 = 2026-03-17..2026-03-18"},
	{"星期三", "星期三 = 2026-03-11..2026-03-12"},
	{"星期三晚上", "星期三晚上 = 2026-03-11T18:00..2026-03-12T06:00"},
	{"周末", "周末 = 2026-03-14..2026-03-16"},
	{"上周末", "上周末 = 2026-03-14..2026-03-16"},
	{"一周三次", ""},
	{"周围没有人", ""},
	{"上个月", "上个月 = 2026-02-01..2026-03-01"},
	{"上個月", "上個月 = 2026-02-01..2026-03-01"},
	{"上上个月", "上上个月 = 2026-01-01..2026-02-01"},
	{"上个月5号", "上个月5号 = 2026-02-05..2026-02-06"},
	{"上个月底", "上个月底 = 2026-02-22..2026-03-01"},
	{"这个月", "这个月 = 2026-03-01..2026-04-01"},
	{"下个月", "下个月 = 2026-04-01..2026-05-01"},
	{"去年", "去年 = 2025-01-01..2026-01-01"},
	{"前年", "前年 = 2024-01-01..2025-01-01"},
	{"去年冬天", "去年冬天 = 2025-12-01..2026-03-01"},
	{"前年夏天", "前年夏天 = 2024-06-01..2024-09-01"},
	{"今年春天", "今年春天 = 2026-03-01..2026-06-01"},
	{"去年五月", "去年五月 = 2025-05-01..2025-06-01"},
	{"去年5月7日", "去年5月7日 = 2025-05-07..2025-05-08"},
	{"去年年底", "去年年底 = 2025-10-02..2026-01-01"},
	{"今年年初", "今年年初 = 2026-01-01..2026-04-02"},
	{"明年", "明年 = 2027-01-01..2028-01-01"},
	{"去年下半年", "去年下半年 = 2025-07-01..2026-01-01"},
	{"五月份", "五月份 = 2025-05-01..2025-06-01"},
	{"在三月", "三月 = 2026-03-01..2026-04-01"},
	{"5月7日", "5月7日 = 2025-05-07..2025-05-08"},
	{"５月７日", "５月７日 = 2025-05-07..2025-05-08"},
	{"5月7号", "5月7号 = 2025-05-07..2025-05-08"},
	{"十二月二十五日", "十二月二十五日 = 2025-12-25..2025-12-26"},
	{"三月底", "三月底 = 2025-03-25..2025-04-01"},
	{"五月中旬", "五月中旬 = 2025-05-11..2025-05-22"},
	{"2023年", "2023年 = 2023-01-01..2024-01-01"},
	{"二〇二三年", "二〇二三年 = 2023-01-01..2024-01-01"},
	{"二零二三年五月", "二零二三年五月 = 2023-05-01..2023-06-01"},
	{"2023年5月7日", "2023年5月7日 = 2023-05-07..2023-05-08"},
	{"2024年2月30日", "2024年2月30日 = 2024-02-01..2024-03-01"},
	{"2024年04月01日 周一", "2024年04月01日 = 2024-04-01..2024-04-02 ; 周一 = 2026-03-16..2026-03-17"},
	{"98年毕业", "98年 = 1998-01-01..1999-01-01"},
	{"九八年", "九八年 = 1998-01-01..1999-01-01"},
	{"三年", ""},
	{"5号", "5号 = 2026-03-05..2026-03-06"},
	{"5号线", ""},
	{"三个月", ""},
	{"九十年代", "九十年代 = 1990-01-01..2000-01-01"},
	{"上世纪八十年代", "上世纪八十年代 = 1980-01-01..1990-01-01"},
	{"2023年第一季度", "2023年第一季度 = 2023-01-01..2023-04-01"},
	{"三年前", "三年前 = 2023-01-01..2024-01-01"},
	{"3天前", "3天前 = 2026-03-15..2026-03-16"},
	{"两个月前", "两个月前 = 2026-01-01..2026-02-01"},
	{"兩個星期以前", "兩個星期以前 = 2026-03-02..2026-03-09"},
	{"半年前", "半年前 = 2025-09-01..2025-10-01"},
	{"一年半以前", "一年半以前 = 2024-09-01..2024-10-01"},
	{"十多年前", "十多年前 = 2016-01-01..2017-01-01"},
	{"几个月前", "几个月前 = 2025-09-01..2026-02-01 range"},
	{"半小时前", "半小时前 = 2026-03-18T14:34..2026-03-18T14:35"},
	{"三天后", "三天后 = 2026-03-21..2026-03-22"},
	{"最近三个月", "最近三个月 = 2025-12-18..2026-03-19 range"},
	{"过去一年", "过去一年 = 2025-03-18..2026-03-19 range"},
	{"这几天", "这几天 = 2026-03-11..2026-03-19 range"},
	{"最近", "最近 = 2026-02-16..2026-03-19 range"},
	{"近来", "近来 = 2026-02-16..2026-03-19 range"},
	{"第一次", "第一次 = first"},
	{"最近一次", "最近一次 = latest"},
	{"最近的一次", "最近的一次 = latest"},
	{"上次", "上次 = latest"},
	{"最早", "最早 = first"},
	{"每周三", "每周三 = recurring"},
	{"每天早上", "每天早上 = recurring"},
	{"每个月5号", "每个月5号 = recurring"},
	{"从三月到六月", "从三月到六月 = 2026-03-01..2026-07-01 range"},
	{"五月到七月", "五月到七月 = 2025-05-01..2025-08-01 range"},
	{"去年三月到六月", "去年三月到六月 = 2025-03-01..2025-07-01 range"},
	{"从5月3日到7日", "从5月3日到7日 = 2025-05-03..2025-05-08 range"},
	{"3到6月", "3到6月 = 2026-03-01..2026-07-01 range"},
	{"2019年到2021年", "2019年到2021年 = 2019-01-01..2022-01-01 range"},
	{"2019年至今", "2019年至今 = 2019-01-01..2026-03-19 range"},
	{"五月和七月之间", "五月和七月之间 = 2025-05-01..2025-08-01 range"},
	{"今年一月以来", "今年一月以来 = 2026-01-01..2026-03-19 range"},
	{"2020年以前", "2020年以前 = ..2020-01-01 range"},
	{"今年春节前后", "今年春节前后 = 2026-02-12..2026-02-28 range"},
	{"春节", "春节 = 2026-02-16..2026-02-24"},
	{"去年中秋", "去年中秋 = 2025-10-06..2025-10-07"},
	{"端午节", "端午节 = 2025-05-31..2025-06-01"},
	{"国庆", "国庆 = 2025-10-01..2025-10-08"},
	{"五一假期", "五一 = 2025-05-01..2025-05-06"},
	{"除夕", "除夕 = 2026-02-16..2026-02-17"},
	{"农历八月十五", "农历八月十五 = 2025-10-06..2025-10-07"},
	{"农历正月初一", "农历正月初一 = 2026-02-17..2026-02-18"},
	{"圣诞节", "圣诞节 = 2025-12-25..2025-12-26"},
	{"这个夏天", "这个夏天 = 2026-06-01..2026-09-01"},
	{"我喜欢夏天", ""},
	{"周四下午三点", "周四下午三点 = 2026-03-12T15:00..2026-03-12T15:01"},
	{"5月7日早上六点四十", "5月7日早上六点四十 = 2025-05-07T06:40..2025-05-07T06:41"},
	{"明天上午10:30", "明天上午10:30 = 2026-03-19T10:30..2026-03-19T10:31"},
	{"后天晚上八点半", "后天晚上八点半 = 2026-03-20T20:30..2026-03-20T20:31"},
	{"上上周我去了哪里", "上上周 = 2026-03-02..2026-03-09"},
	{"前年春节前后", "前年春节前后 = 2024-02-05..2024-02-21 range"},
	{"去年暑假", "去年暑假 = 2025-07-01..2025-09-01"},
	{"去年寒假", "去年寒假 = 2025-01-15..2025-03-01"},
	{"上个季度", "上个季度 = 2025-10-01..2026-01-01"},
	{"上个周末", "上个周末 = 2026-03-14..2026-03-16"},
	{"上上个周末", "上上个周末 = 2026-03-07..2026-03-09"},
	{"月初", "月初 = 2026-03-01..2026-03-08"},
	{"月底", "月底 = 2026-02-22..2026-03-01"},
	{"年底", "年底 = 2025-10-02..2026-01-01"},
	{"三周前的周五", "三周前的周五 = 2026-02-27..2026-02-28"},
	{"前两天", "前两天 = 2026-03-15..2026-03-19 range"},
	{"上世纪九十年代末", "上世纪九十年代末 = 1996-09-01..2000-01-01"},
	{"自从2020年", "自从2020年 = 2020-01-01..2026-03-19 range"},
	{"母亲节", "母亲节 = 2025-05-11..2025-05-12"},
	{"双十一", "双十一 = 2025-11-11..2025-11-12"},
	{"周一到周三", "周一到周三 = 2026-03-16..2026-03-19 range"},
	{"23年5月", "23年5月 = 2023-05-01..2023-06-01"},
	{"二三年五月", "二三年五月 = 2023-05-01..2023-06-01"},
	{"五月初七", "五月初七 = 2025-06-02..2025-06-03"},
	{"立春", "立春 = 2026-02-04..2026-02-05"},
	{"冬至那天", "冬至 = 2025-12-21..2025-12-22"},
	{"夏至", "夏至 = 2025-06-21..2025-06-22"},
	{"一开始", "一开始 = first"},
	{"前一次", "前一次 = latest"},
	{"最近那次", "最近那次 = latest"},
	{"八月的第一个星期一", "八月的第一个星期一 = 2025-08-04..2025-08-05"},
	{"五月的最后一天", "五月的最后一天 = 2025-05-31..2025-06-01"},
	{"五月第二个周末", "五月第二个周末 = 2025-05-10..2025-05-12"},
	{"三四月份", "三四月份 = 2026-03-01..2026-05-01"},
	{"七八月", "七八月 = 2025-07-01..2025-09-01"},
	{"三五天前", "三五天前 = 2026-03-13..2026-03-16 range"},
	{"上一个月", "上一个月 = 2026-02-01..2026-03-01"},
	{"去年这个时候", "去年这个时候 = 2025-03-03..2025-04-03 range"},
	{"去年今天", "去年今天 = 2025-03-18..2025-03-19"},
	{"去年的今天", "去年的今天 = 2025-03-18..2025-03-19"},
	{"一年前的今天", "一年前的今天 = 2025-03-18..2025-03-19"},
	{"两年前的夏天", "两年前的夏天 = 2024-06-01..2024-09-01"},
	{"十五六岁", ""},
	{"三年初中", ""},
	{"23年工龄", ""},
	{"两个月底薪", ""},
	{"前三天免费", ""},
	{"我有三天没睡", ""},
	{"十一个人", ""},
	{"我去年冬天和今年三月都去过last week", "去年冬天 = 2025-12-01..2026-03-01 ; 今年三月 = 2026-03-01..2026-04-01 ; last week = 2026-03-09..2026-03-16"},
}

func TestExpressionsAreRead(t *testing.T) {
	for _, examples := range [][]example{english, chinese} {
		for _, e := range examples {
			if got := show(e.text, when.Parse(e.text, now, when.Past)); got != e.want {
				t.Errorf("%q\n got %s\nwant %s", e.text, got, e.want)
			}
		}
	}
}

// What has no year of its own is another one for plans and for reports.
func TestWhatRecursIsSoughtTowardOneSide(t *testing.T) {
	for _, e := range []struct {
		text                 string
		past, nearest, ahead string
	}{
		{"in May", "2025-05-01", "2026-05-01", "2026-05-01"},
		{"on 7 May", "2025-05-07", "2026-05-07", "2026-05-07"},
		{"in December", "2025-12-01", "2025-12-01", "2026-12-01"},
		{"on Thursday", "2026-03-12", "2026-03-19", "2026-03-19"},
		{"on Tuesday", "2026-03-17", "2026-03-17", "2026-03-24"},
		{"on the 20th", "2026-02-20", "2026-03-20", "2026-03-20"},
		{"at Christmas", "2025-12-25", "2025-12-25", "2026-12-25"},
		{"五月", "2025-05-01", "2026-05-01", "2026-05-01"},
		{"周四", "2026-03-12", "2026-03-19", "2026-03-19"},
		{"3月20日", "2025-03-20", "2026-03-20", "2026-03-20"},
		{"中秋", "2025-10-06", "2025-10-06", "2026-09-25"},
		{"in May 2023", "2023-05-01", "2023-05-01", "2023-05-01"},
	} {
		for toward, want := range map[when.Toward]string{when.Past: e.past, when.Nearest: e.nearest, when.Ahead: e.ahead} {
			spans := when.Parse(e.text, now, toward)
			if len(spans) != 1 || stamp(spans[0].From) != want {
				t.Errorf("%q toward %d: %s, want %s", e.text, toward, show(e.text, spans), want)
			}
		}
	}
}

// Days begin and end by the calendar of the zone, also where the clock is changed that day, at midnight even.
func TestDaysFollowTheClockOfTheirZone(t *testing.T) {
	for _, e := range []struct {
		zone, now, text, from, to string
	}{
		{"Europe/Berlin", "2026-03-30T09:00:00+02:00", "yesterday", "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"},
		{"Europe/Berlin", "2026-10-26T09:00:00+01:00", "昨天", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"},
		{"America/Sao_Paulo", "2018-11-05T09:00:00-02:00", "yesterday", "2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"},
		{"America/Sao_Paulo", "2018-11-05T09:00:00-02:00", "the day before yesterday", "2018-11-03T00:00:00-03:00", "2018-11-04T01:00:00-02:00"},
		{"Asia/Shanghai", "2026-01-01T00:30:00+08:00", "昨天", "2025-12-31T00:00:00+08:00", "2026-01-01T00:00:00+08:00"},
		{"Pacific/Apia", "2011-12-31T09:00:00+14:00", "last week", "2011-12-19T00:00:00-10:00", "2011-12-26T00:00:00-10:00"},
	} {
		zone, err := time.LoadLocation(e.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, e.now)
		if err != nil {
			t.Fatal(err)
		}
		spans := when.Parse(e.text, at.In(zone), when.Past)
		if len(spans) != 1 || spans[0].From.Format(time.RFC3339) != e.from || spans[0].To.Format(time.RFC3339) != e.to {
			t.Errorf("%s, %q: %v, want %s..%s", e.zone, e.text, spans, e.from, e.to)
		}
	}
}

// The bytes of a span are those of the expression in the text, whatever stands before it.
func TestSpansAreBytesOfTheText(t *testing.T) {
	text := "Ｗas ärgerlich 😀 am ５月７日、and last week\xff!"
	if got, want := show(text, when.Parse(text, now, when.Past)), "５月７日 = 2025-05-07..2025-05-08 ; last week = 2026-03-09..2026-03-16"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func check(t *testing.T, text string, at time.Time, towards ...when.Toward) {
	t.Helper()
	for _, toward := range towards {
		end := 0
		for _, s := range when.Parse(text, at, toward) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("%q: span %d..%d of %d after %d", text, s.Start, s.End, len(text), end)
			}
			end = s.End
			if s.Window() != (!s.From.IsZero() || !s.To.IsZero()) {
				t.Fatalf("%q: %v", text, s)
			}
			if !s.To.IsZero() && s.To.Before(s.From) {
				t.Fatalf("%q: ends before it begins: %v", text, s)
			}
			if s.Window() && s.Precision == 0 {
				t.Fatalf("%q: no precision: %v", text, s)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, e := range english {
		f.Add(e.text, now.Unix())
	}
	for _, e := range chinese {
		f.Add(e.text, now.Unix())
	}
	f.Add("29 February", int64(951782400))
	f.Add("Chinese New Year 2090 and 农历十三月四十", int64(-1))
	f.Fuzz(func(t *testing.T, text string, at int64) {
		check(t, text, time.Unix(at%250_000_000_000, 0).UTC(), when.Past, when.Nearest, when.Ahead)
	})
}

// A text of any length takes steps in proportion to it: none of these makes a matcher read to the end each time.
func TestLongTextsAreRead(t *testing.T) {
	for _, piece := range []string{"一", "from ", "about ", "1", "1 ", "the ", "every other ", "二零", "a", "last ", "几", "May 3 to ", "in over the "} {
		check(t, strings.Repeat(piece, 100_000/len(piece)), now, when.Nearest)
	}
	text := strings.Repeat("yesterday ", 10_000)
	if n := len(when.Parse(text, now, when.Past)); n != 10_000 {
		t.Errorf("%d of 10000 found", n)
	}
}
