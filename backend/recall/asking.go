package recall

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// A question that the user asked once looks more like the one they ask now than its answer does, and says nothing. So where
// it states nothing besides, it comes behind what answers it.
const (
	askedCounts   = .5 // what the score of such a question counts, so that it does not raise the floor either
	addressLength = 4  // words, or Chinese characters, up to which a clause without a question is but an address: "by the way"
)

var (
	clauseEnds = regexp.MustCompile(`[,;:!?\n，。；：！？…]+|\.(?:\s|$)`)
	// clauseAsks are beginnings and words that make a clause a question.
	clauseAsks = regexp.MustCompile(`(?i)^\W*(?:so |and |but |or )?(?:do|does|did|is|are|am|was|were|has|have|had|can|could|will|would|shall|should|may|might)(?:n['’]?t)?\b|` +
		`\b(?:who|whom|whose|what|where|when|which|why|how)(?:['’]?s)?\b|[哪谁誰吗嗎呢]|什[么麼]|几[个点时号月次岁]|多[少大久长高重远]|怎|[为何為]何|是否|有没有|能不能|可不可以|是不是|会不会`)
	// stating is how people say something of themselves within a question: "how do I sort them, as I have 45 sources".
	stating = regexp.MustCompile(`(?i)\b(?:i['’]ve|i['’]m|i am|i have|i had|i was|i just|i only|i already|i recently|i now|we have|we['’]ve|we['’]re|my \w+(?: \w+)? (?:is|are|has|have|was|were|reached))\b`)
	// asking before that makes it what is asked: "do you know where my passport is".
	asking  = regexp.MustCompile(`(?i)(?:\b(?:who|whom|whose|what|where|when|which|why|how)(?: \w+){0,2}|\b(?:know|tell me|remember|recall|wonder|sure) (?:if|whether)) *$`)
	address = regexp.MustCompile(`^(?:请问|你好|您好|帮我|告诉我|你知道|谢谢|对了)`)
	// asksOfTalk asks for what was talked about, of which questions are a part.
	asksOfTalk = regexp.MustCompile(`(?i)\b(?:ask(?:ed|ing)?|questions?|talk(?:ed|ing)?|discuss\w*|conversations?|chat(?:ted)?|wonder(?:ed|ing)?)\b|问|聊|讨论|谈|討論|談|問`)
)

// onlyAsks tells whether a text asks and says nothing besides.
func onlyAsks(text string) bool {
	if !isQuestion(text) {
		return false
	}
	for _, clause := range clauseEnds.Split(text, -1) {
		clause = strings.TrimSpace(clause)
		if slices.ContainsFunc(stating.FindAllStringIndex(clause, -1), func(at []int) bool { return !asking.MatchString(clause[:at[0]]) }) {
			return false
		}
		if clauseAsks.MatchString(clause) || address.MatchString(clause) {
			continue
		}
		if hasHan(clause) && utf8.RuneCountInString(clause) > addressLength || len(strings.Fields(clause)) > addressLength {
			return false
		}
	}
	return true
}

// setBack puts the questions that the user asked behind what may answer them, unless a message asks what was talked about.
func setBack(all []*candidate, text string) {
	if asksOfTalk.MatchString(text) {
		return
	}
	for _, c := range all {
		if c.ofUser() && c.onlyAsks() {
			c.parts.scale(askedCounts)
			c.score = c.parts.sum()
			c.base = c.score
		}
	}
}

// ofUser tells whether the user said it to the assistant.
func (c *candidate) ofUser() bool {
	return c.Kind == store.KindMessage && c.Role == memory.RoleUser && c.Speaker == ""
}

// onlyAsks tells whether a candidate asks and says nothing besides.
func (c *candidate) onlyAsks() bool { return c.question && onlyAsks(c.Text) }
