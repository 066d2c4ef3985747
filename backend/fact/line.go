package fact

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// What lines of core memory begin with, and how the user would have said it.
var spokenAs = []struct {
	re *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`(?i)^(?:the )?user(?:['’]s) `), "My "},
	{regexp.MustCompile(`(?i)^(?:the )?user `), "I "},
	{regexp.MustCompile(`(?i)^(?:their|his|her) `), "My "},
	{regexp.MustCompile(`(?i)^(?:they|he|she) (?:are|is) `), "I am "},
	{regexp.MustCompile(`(?i)^(?:they|he|she) `), "I "},
	{regexp.MustCompile(`(?i)^((?:lives?|living|works?|working|likes?|loves?|hates?|enjoys?|prefers?|dislikes?|speaks?|plays?|drives?|owns?|has|have|moved|was born|grew up|comes? from|studies|is|allergic|does(?:n['’]t| not)) )`), "I $1"},
	{regexp.MustCompile(`(?i)^I (?:living|working) `), "I am living "},
	{regexp.MustCompile(`(?i)^I allergic`), "I am allergic"},
	{regexp.MustCompile(`^用户的`), "我的"},
	{regexp.MustCompile(`^用户`), "我"},
	{regexp.MustCompile(`^(住在|住|在|叫|喜欢|讨厌|不喜欢|对|会说|会|养|有|来自|是|今年|吃素|不吃)`), "我$1"},
	{regexp.MustCompile(`(?i)^(name|home|employer|address|phone|e-?mail|birthday|job)\s*[:：=]\s*`), "My $1 is "},
	{regexp.MustCompile(`^(姓名|名字|生日|职业|老家|电话|邮箱|地址)\s*[:：=]\s*`), "我的${1}是"},
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

// LineContradicts reports whether a line of core memory, written at a time, says otherwise than a statement.
func LineContradicts(line string, at time.Time, st memory.FactStatement) bool {
	return slices.ContainsFunc(OfLine(line, at), func(o memory.FactStatement) bool { return Contradicts(st, o) })
}

// Contradicts reports whether two statements about the same single-valued thing cannot both be true, or one likes what the
// other dislikes.
func Contradicts(a, b memory.FactStatement) bool {
	if memory.SameSubject(a.Subject) != memory.SameSubject(b.Subject) {
		return false
	}
	same := strings.EqualFold(tidy(a.Value), tidy(b.Value))
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
