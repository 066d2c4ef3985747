package fact

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/backend/memory"
)

// What lines of core memory begin with, and how the user would have said it.
var spokenAs = []struct {
	re *pattern
	as string
}{
	{compile(`(?i)^(?:the )?user(?:['’]s) `), "My "},
	{compile(`(?i)^(?:the )?user `), "I "},
	{compile(`(?i)^(?:their|his|her) `), "My "},
	{compile(`(?i)^(?:they|he|she) (?:are|is) `), "I am "},
	{compile(`(?i)^(?:they|he|she) `), "I "},
	{compile(`(?i)^((?:lives?|living|works?|working|likes?|loves?|hates?|enjoys?|prefers?|dislikes?|speaks?|plays?|drives?|owns?|has|have|moved|was born|grew up|comes? from|studies|is|does(?:n['’]t| not)) )`), "I $1"},
	{compile(`(?i)^I (?:living|working) `), "I am living "},
	{compile(`(?i)^I allergic`), "I am allergic"},
	{compile(`^用户的`), "我的"},
	{compile(`^用户`), "我"},
	{compile(`^(住在|住|在|叫|喜欢|讨厌|不喜欢|对|会说|会|养|有|来自|是|今年|吃素|不吃)`), "我$1"},
	{compile(`(?i)^(name|home|employer|address|phone|e-?mail|birthday|job|diet|age|nationality|profession|occupation)\s*[:：=]\s*`), "My $1 is "},
	{compile(`^(姓名|名字|生日|职业|老家|电话|邮箱|地址)\s*[:：=]\s*`), "我的${1}是"},
}

// OfLine returns what a line of core memory says of the user: "Lives in Lyon" and "name: Ada" as well as "I live in Lyon".
func OfLine(line string, at time.Time) []memory.FactStatement {
	line = strings.TrimLeft(strings.TrimSpace(line), "-*•· \t")
	if line == "" || len(line) > 500 {
		return nil
	}
	for _, s := range spokenAs {
		if s.re.MatchString(line) {
			line = s.re.ReplaceAllString(line, s.as)
			break
		}
	}
	return Read(Message{Text: line, At: at})
}

// Contradicts reports whether two statements about the same single-valued thing cannot both be true, or one likes what the
// other dislikes.
func Contradicts(a, b memory.FactStatement) bool {
	if memory.SameSubject(a.Subject) != memory.SameSubject(b.Subject) {
		return false
	}
	same := a.Any && a.Over || strings.EqualFold(tidy(a.Value), tidy(b.Value))
	ka, kb := strings.ToLower(a.Key), strings.ToLower(b.Key)
	switch {
	case ka == kb && a.Many:
		return same && a.Over != b.Over
	case ka == kb && a.Over != b.Over:
		return same
	case ka == kb:
		return !a.Over && !same
	case ka == keyLikes && kb == keyDislikes || ka == keyDislikes && kb == keyLikes:
		return same && !a.Over && !b.Over
	}
	return false
}

// Lines are the rules on lines of core memory, as the store wants them.
type Lines struct{}

// Read is OfLine.
func (Lines) Read(line string, at time.Time) []memory.FactStatement { return OfLine(line, at) }

// Contradict is Contradicts.
func (Lines) Contradict(a, b memory.FactStatement) bool { return Contradicts(a, b) }

// Renew returns a line of core memory, written at a time, as it is to be where a statement is true that contradicts it. Another
// value takes the place of the one that the line has; a line that says nothing else becomes what the user said, in their own words;
// and where neither can be, or what is stated begins later, the line is marked.
func (Lines) Renew(line string, at time.Time, st memory.FactStatement, words string) string {
	line = marked.ReplaceAllString(line, "")
	said := OfLine(line, at)
	wrong := slices.IndexFunc(said, func(o memory.FactStatement) bool { return Contradicts(st, o) })
	if wrong < 0 {
		return line
	}
	coming := st.ValidFrom.After(st.SaidAt)
	if old := said[wrong]; !st.Over && !coming && strings.Count(line, old.Value) == 1 {
		renewed := strings.Replace(line, old.Value, st.Value, 1)
		if reads := OfLine(renewed, at); sameButFor(said, reads, wrong) && sameKey(reads[wrong], st) && strings.EqualFold(reads[wrong].Value, tidy(st.Value)) {
			return renewed
		}
	}
	body := strings.TrimLeft(line, "-*•· \t")
	if len(said) == 1 && !coming && words != "" && utf8.RuneCountInString(body) <= said[0].End-said[0].Start+lineSlack {
		return line[:len(line)-len(body)] + words
	}
	return line + mark(st, hasHan(line))
}

// lineSlack is how many characters a line may have beside what it states, "Home: Lyon." or "The user lives in Lyon".
const lineSlack = 6

// marked is a mark that was set before.
var marked = compile(` \((?:no longer, said on|since|from) \d{4}-\d{2}-\d{2}[^()]*\)$|（\d{4}-\d{2}-\d{2} (?:起|说已不再如此)[^（）]*）$`)

// mark returns what stands behind a line that is not true any more, or not for ever.
func mark(st memory.FactStatement, chinese bool) string {
	day := func(t time.Time) string { return cmp.Or(t, st.SaidAt).Format(time.DateOnly) }
	value := strings.NewReplacer("(", "", ")", "", "（", "", "）", "").Replace(st.Value)
	switch {
	case st.Over && chinese:
		return "（" + day(st.SaidAt) + " 说已不再如此）"
	case st.Over:
		return " (no longer, said on " + day(st.SaidAt) + ")"
	case chinese:
		return "（" + day(st.ValidFrom) + " 起：" + value + "）"
	case st.ValidFrom.After(st.SaidAt):
		return " (from " + day(st.ValidFrom) + ": " + value + ")"
	}
	return " (since " + day(st.ValidFrom) + ": " + value + ")"
}

// sameButFor reports whether two readings of a line say the same but for the value of one statement.
func sameButFor(a, b []memory.FactStatement, at int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameKey(a[i], b[i]) || i != at && a[i].Value != b[i].Value || !a[i].ValidFrom.IsZero() && i == at {
			return false
		}
	}
	return true
}

func sameKey(a, b memory.FactStatement) bool {
	return a.Over == b.Over && strings.EqualFold(a.Key, b.Key) && memory.SameSubject(a.Subject) == memory.SameSubject(b.Subject)
}
