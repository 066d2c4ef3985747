package recall

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"recollect/backend/segment"
)

// weakWords carry little evidence: small talk and the verbs of questions. They are searched for like all others, but
// a memory that shares nothing else with the message is not injected. Stop words never get here.
var weakWords = stems(`hello hi hey bye goodbye thank thanks welcome sorry please ok okay yes yeah yep nope sure fine
	good great nice cool awesome wonderful amazing interesting funny helpful haha lol wow oh well
	morning afternoon evening night today tomorrow yesterday tonight now day time week weekend weather
	tell know think like love want need mean meaning life get got go going come make made do did thing things stuff way kind type sort
	really much many lot bit maybe still even also again always never ever often long short shorter longer
	see say said give help let use using try new old people someone something anything everything feel talk chat
	write explain describe summarise summarize translate list sentence sentences word words question answer example
	called call look find show keep take put one two three first last next other another different same
	would could should can may might joke story poem haiku song recipe code function python program continue stop start
	remember forget remind recall idea ideas best better right wrong true big small
	mind understand sound sounds wait second minute problem later care luck sing bullet point points table paragraph grammar simple simpler
	version draft format tone pick number guess fix define spell flip coin bless cheers congratulations exactly indeed perfect`)

// weakRunes are characters of Chinese function words; a bigram with one of them says little.
const weakRunes = "的了是我你您他她它们在有和就不都也很这那吗呢吧啊呀哦嗯哈呵嘿么什怎哪谁几为把被让跟与及而但或还再又才只更最太真一说要会看好讲多少个"

// weakBigrams are bigrams of Chinese small talk.
var weakBigrams = stems(`今天 明天 昨天 天气 早上 晚上 下午 中午 晚安 早安 谢谢 你好 再见 继续 笑话 故事 知道 觉得 时候 现在 时间 告诉
	没关 关系 重新 开始 真的 的吗 周末 愉快 世界 世上 上最 怎么 工作 作的 快速 速排 写一 一个 没事 当然 不错 加油 辛苦 明白 清楚 抱歉 不用 客气
	帮忙 帮我 翻译 解释 意思 问题 回答 人生 意义 开心 喜欢 应该 朋友 感觉 事情 东西 记住 记得 排序 函数 食谱 诗歌`)

// Shares of its evidence that a word keeps.
const (
	weakFactor      = .3  // a weak word
	weakHanFactor   = .15 // a pair with a function character
	myVerbFactor    = .6  // 我 and what it does: 我开, 我穿
	charFactor      = .5  // a single character, which is part of many words
	unmatchedFactor = .4  // an unmatched pair that shares a character with a matched one: most likely halves of two words
)

// term is one word (or bigram) of a query.
type term struct {
	text   string   // as the index has it, quoted
	df     int      // texts that have it
	share  float64  // of all texts, 0–1
	stem   string   // for comparing in memory; ends in "*" for a prefix
	same   []string // stems that stand for the same
	han    bool     // a pair or a single character of a script without spaces
	weight float64  // evidence of finding it, 1 = a word that occurs once in the store
}

// telling tells whether a term is about something, rather than small talk.
func (t term) telling() bool {
	return !weakWords[t.stem] && !weakBigrams[t.stem] && !segment.Stop(t.stem) && !(t.han && strings.ContainsAny(t.stem, weakRunes))
}

const (
	fewestCounted = 50 // candidates that tell whether much of the store is the same
	sameShare     = .5 // of them that must say what others say
)

// countOnce counts what was said again and again as said once, judging by the candidates: a word is not common because one
// text with it stands in the store ten thousand times.
func (f *found) countOnce(all []*candidate) {
	texts := map[string]int{}
	for _, c := range all {
		texts[c.Text]++
	}
	if len(all) < fewestCounted || float64(len(texts)) > (1-sameShare)*float64(len(all)) {
		return
	}
	stems := make(map[string]map[string]bool, len(texts))
	for text := range texts {
		stems[text] = stemsOf(text)
	}
	again := 0
	for i := range f.terms {
		t := &f.terms[i]
		has, different := 0, 0
		for text, n := range texts {
			if t.matched(stems[text]) {
				has, different = has+n, different+1
			}
		}
		if has > 0 {
			once := max(1, t.df*different/has)
			again = max(again, t.df-once)
			t.df = once
		}
	}
	f.total = max(1, f.total-again)
	for _, t := range f.terms {
		f.total = max(f.total, t.df) // other terms were counted once of other texts
	}
	for i := range f.terms {
		t := &f.terms[i]
		t.share, t.weight = float64(t.df)/float64(f.total), weigh(t.stem, t.df, f.total)
	}
}

// stems returns the set of the stems of the words in s.
func stems(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[segment.Stem(w)] = true
	}
	return set
}

// stemAll returns the stems of words.
func stemAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = segment.Stem(w)
	}
	return out
}

// stemsOf returns the stems of all words of a text, stop words among them.
func stemsOf(text string) map[string]bool { return stems(segment.Index(text)) }

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

// pretended is how many texts without any of the words every store is taken to have besides its own: in a store of
// three messages a word in two of them is still rare in the language.
const pretended = 1000

// weigh returns the evidence that finding a token gives, from how many of total texts have it.
func weigh(stem string, df, total int) float64 {
	all := float64(total + pretended)
	w := max(0, math.Log(all/float64(df+1))/math.Log(all))
	switch {
	case strings.HasSuffix(stem, "*"):
		w *= charFactor
	case isMyVerb(stem):
		w *= myVerbFactor
	case hasHan(stem) && strings.ContainsAny(stem, weakRunes):
		w *= weakHanFactor
	case weakWords[stem] || weakBigrams[stem] || segment.Stop(stem):
		w *= weakFactor
	}
	return w
}

// isMyVerb tells whether a pair is 我 and something that I do, other than thinking and wanting.
func isMyVerb(pair string) bool {
	verb, ok := strings.CutPrefix(pair, "我")
	return ok && verb != "" && !strings.ContainsAny(verb, weakRunes+"觉想知需希认感记问现今能没最喜明昨家妈爸爱怕们得")
}

// matched returns whether a text with these stems has the term.
func (t term) matched(stems map[string]bool) bool {
	prefix, ok := strings.CutSuffix(t.stem, "*")
	if !ok {
		return stems[t.stem] || slices.ContainsFunc(t.same, func(s string) bool { return stems[s] })
	}
	for s := range stems {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// compare returns the weight of the terms that a text has, of those that only its neighbours have, and of all. In a
// run of characters the pairs overlap: once a pair is matched, those beside it count little.
func compare(terms []term, own map[string]bool, near []map[string]bool) (matched, nearby, total float64) {
	var covered strings.Builder // characters of matched pairs
	missing := make([]term, 0, len(terms))
	for _, t := range terms {
		char := strings.HasSuffix(t.stem, "*")
		if char && strings.Contains(covered.String(), strings.TrimSuffix(t.stem, "*")) {
			continue // counted with its pair
		}
		switch {
		case t.matched(own):
			matched += t.weight
		case slices.ContainsFunc(near, t.matched):
			nearby += t.weight
		case char:
			continue // its pairs are missing already
		default:
			missing = append(missing, t)
			continue
		}
		total += t.weight
		if t.han {
			covered.WriteString(strings.TrimSuffix(t.stem, "*"))
		}
	}
	for _, t := range missing {
		if t.han && strings.ContainsAny(t.stem, covered.String()) {
			total += t.weight * unmatchedFactor
		} else {
			total += t.weight
		}
	}
	return matched, nearby, total
}
