package wish

import (
	"regexp"
	"strings"
)

// Statement is something that the user tells of themselves, word for word, and where it stands in the message.
type Statement struct {
	Text     string
	Start    int // first character (rune) of Text in the message
	End      int // one past its last character
	Language string
}

// Least shares of words by which a text is taken for a statement said again.
const (
	saidAgain   = .75 // of the text's words that the statement has
	muchOfIt    = .3  // of the statement's words that the text has
	fewestWords = 3   // of a statement in English
	fewestHan   = 4   // characters of one in Chinese
)

var (
	enOwn    = regexp.MustCompile(`(?i)\b(?:i|i['’]?(?:m|ve|d|ll)|my|mine|we|we['’]?(?:re|ve)|our)\b`)
	enIdle   = regexp.MustCompile(`(?i)^(?:(?:hey|hi|hello|ok|okay|oh|so|and|but|well|yes|no|thanks|sorry|please),?\s+)*(?:(?:i|we) (?:(?:just|also|really|still) )?(?:have|had|['’]?ve got) (?:a|an|another|some|one more|few) (?:quick )?questions?|(?:i|we) (?:just |really |still )?(?:mean|guess|see|think|wonder|wondered|hope|suppose|agree|understand|know|believe|said|asked|meant)\b|(?:i|we) (?:do not|don['’]?t|did not|didn['’]?t|cannot|can['’]?t) (?:know|understand|get|see|think|remember|agree|find)\b|i['’]?m (?:sorry|sure|not sure|afraid|asking|wondering|looking for|trying)|(?:i['’]?d|i would|we would) (?:like|love) (?:to (?:know|hear|ask|see)|you)|i (?:want|need) (?:you|to (?:know|ask|understand)|help|a |an |some )|(?:tell|give|show|help|let|send|teach|remind|thank|excuse|explain)\b)`)
	zhIdle   = regexp.MustCompile(`^(?:那|那么|嗯|哦|好|好的|对|不过|但是|请|麻烦)*[，,]?(?:我(?:们)?(?:还|就|也|只)?(?:想问|想知道|想请|想让|想了解|问|不知道|不明白|不懂|不清楚|觉得|认为|猜|希望你|要你|明白|知道了?|懂了|同意|是说|是想|的意思|说的|有(?:一?个|几个)?(?:问题|疑问))|帮我|给我|告诉我|替我|教我|让我|跟我|陪我)`)
	enAsksIn = regexp.MustCompile(`(?i)^(?:(?:so|and|now|then|but|also|ok|okay|please),? )*(?:what|how|where|when|why|who|whose|which|can|could|is|are|do|does|did|will|would|should|have|has|am|any)\b`)
)

// Statements returns what the user tells of themselves in a message: plain statements in the first person. Questions,
// requests, hypotheticals, reported speech, quotations, code and what belongs to a wish are left out. Most messages have none.
func Statements(message string) []Statement {
	_, d := read(message)
	var out []Statement
	for i := range d.sentences {
		d.at = i
		s := &d.sentences[i]
		if s.used || s.quoted || !d.searched(s) {
			continue
		}
		end, language := enStatement(d.sentence(*s), s.question), "en"
		if end == 0 {
			end, language = zhTells(simplify.Replace(d.sentence(*s)), s.question), "zh"
		}
		if end == 0 {
			continue
		}
		if w, ok := d.wish(found{Remember, s.start, s.start + end, language}); ok {
			out = append(out, Statement{w.Text, w.Start, w.End, language})
		}
	}
	return out
}

// enStatement returns where the statement that an English sentence begins with ends, 0 where it is none.
func enStatement(text string, question bool) int {
	if question {
		cut := strings.LastIndexAny(text, ",;")
		if cut < 0 || !enAsksIn.MatchString(strings.TrimSpace(text[cut+1:])) {
			return 0
		}
		text = text[:cut] // "I'm vegan, what can I eat?"
	}
	if !enOwn.MatchString(text) || !enVerb.MatchString(text) || len(strings.Fields(text)) < fewestWords {
		return 0
	}
	if enIdle.MatchString(text) || enAsks.MatchString(text) || enHypothetical.MatchString(text) || enReported.MatchString(text) || enTask.MatchString(text) || enPolite.MatchString(text) {
		return 0
	}
	return len(text)
}

// zhTells is enStatement for Chinese, in simplified characters.
func zhTells(text string, question bool) int {
	if question || zhAskEnd.MatchString(text) {
		cut := strings.LastIndexAny(text, "，,")
		if cut < 0 || !zhAskWord.MatchString(text[cut:]) && !zhAskEnd.MatchString(text[cut:]) {
			return 0
		}
		text = text[:cut]
	}
	han := 0
	for _, r := range text {
		if r >= 0x2e80 {
			han++
		}
	}
	if han < fewestHan || !zhOwn.MatchString(text) || !zhStatement.MatchString(text) {
		return 0
	}
	if zhAskWord.MatchString(text) || zhIdle.MatchString(text) || zhHypothetical.MatchString(text) || zhReported.MatchString(text) || zhTask.MatchString(text) {
		return 0
	}
	return len(text)
}

// SaidIn returns the statement that text says again, whatever its words: what a program or a model says of the user can
// thus be traced to the user's own words. ok is false where it says anything else.
func SaidIn(statements []Statement, text string) (s Statement, ok bool) {
	best := 0.0
	for _, c := range statements {
		if n := Covers(c.Text, text); n >= saidAgain && n > best && Covers(text, c.Text) >= muchOfIt {
			best, s = n, c
		}
	}
	return s, best > 0
}
