package compaction

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readBytes is how far into a message its worth is looked for: who tells something of themselves does so early, and a long
// paste is not read for its every number.
const readBytes = 2000

// cues is what a text shows at first sight.
type cues struct {
	telling   int // words and phrases with which people tell of themselves or ask to remember
	deciding  int // … settle something, or say what they want
	numbers   int
	names     int // capitalised words within sentences
	question  bool
	truncated bool // there is more than was read
	length    int
}

// tells reports whether the text tells a preference or a fact: it says so, is not only a question, and not a long paste.
func (c cues) tells() bool { return c.telling > 0 && !c.truncated && (!c.question || c.telling > 1) }

// value is what the text is worth in the window, about 0 to 5. What says much in few words is worth more.
func (c cues) value() float64 {
	v := float64(min(c.telling, 2)) + float64(min(c.deciding, 2)) + .5*float64(min(c.numbers, 3)) + .3*float64(min(c.names, 3))
	if c.question {
		v -= .5
	}
	switch {
	case c.truncated:
		v--
	case c.length < 12: // "ok", "thanks"
		v--
	}
	return v
}

// Words with which something is told or settled, in lower case; a phrase of two words has a blank. Chinese ones are found
// wherever they stand.
var (
	tellingWords = []string{
		"i like", "i love", "i hate", "i prefer", "i enjoy", "i live", "i moved", "i work", "i study", "i speak", "i own", "i drink", "i eat",
		"i dislike", "i'm allergic", "am allergic", "i use", "i play", "call me", "remember", "note that", "my name", "my wife", "my husband", "my partner",
		"my son", "my daughter", "my mother", "my father", "my sister", "my brother", "my cat", "my dog", "my birthday", "my favourite", "my favorite",
		"my address", "my phone", "my number", "my email", "my job", "my doctor", "my car", "my password", "my key", "allergic", "vegetarian", "vegan",
		"i'm a", "i'm an", "am a", "am an", "i always", "i never", "please always", "please never", "don't forget", "my home",
	}
	decidingWords = []string{
		"decided", "agreed", "deadline", "due", "goal", "we'll", "let's go", "i want", "i need", "we need", "must", "plan is", "the plan", "i plan",
		"settled", "final", "choose", "chose", "booked", "ordered", "paid", "appointment", "important", "todo",
	}
	tellingHan = []string{
		"我喜欢", "我爱", "我讨厌", "我不喜欢", "我不吃", "我不喝", "过敏", "记住", "记得", "记下", "别忘", "我叫", "我是", "我住", "我搬", "我在", "生日", "我的",
		"我家", "我们家", "偏好", "最喜欢", "我习惯", "我从来", "我总是", "我女儿", "我儿子", "我妻子", "我丈夫", "我老婆", "我老公", "我妈", "我爸", "素食", "请叫我", "以后请",
	}
	decidingHan = []string{"决定", "就定", "确定", "同意", "截止", "目标", "打算", "计划", "想要", "必须", "预约", "预订", "订了", "说好", "约好", "重要", "需要"}
)

// What a word is to the phrases above.
const (
	tells = 1 << iota
	decides
	opens // the first word of a phrase
)

// meaning has what every word and phrase is, in one table: texts are looked over word by word.
var meaning = func() map[string]uint8 {
	m := map[string]uint8{}
	add := func(list []string, what uint8) {
		for _, w := range list {
			m[w] |= what
			if first, _, two := strings.Cut(w, " "); two {
				m[first] |= opens
			}
		}
	}
	add(tellingWords, tells)
	add(decidingWords, decides)
	return m
}()

// han are the Chinese cues by their first character.
var han = func() map[rune][]hanCue {
	m := map[rune][]hanCue{}
	add := func(list []string, telling bool) {
		for _, s := range list {
			r, _ := utf8.DecodeRuneInString(s)
			m[r] = append(m[r], hanCue{s, telling})
		}
	}
	add(tellingHan, true)
	add(decidingHan, false)
	return m
}()

type hanCue struct {
	text    string
	telling bool
}

// read looks over a text, once.
func read(text string) cues {
	c := cues{length: utf8.RuneCountInString(text[:min(len(text), readBytes)])}
	if len(text) > readBytes {
		n := readBytes
		for !utf8.RuneStart(text[n]) {
			n--
		}
		text, c.truncated = text[:n], true
	}
	var buf [64]byte // the last word and the one before it, in lower case
	previous, word := 0, 0
	begins := true // a sentence
	capital, digits := false, false
	var opened uint8 // the word before may begin a phrase
	flush := func() {
		if word > previous {
			if digits {
				c.numbers++
			}
			if capital && !begins {
				c.names++
			}
			begins = false
			what := meaning[string(buf[previous:word])]
			next := what & opens
			if opened != 0 && previous > 0 {
				what |= meaning[string(buf[:word])]
			}
			opened = next
			switch {
			case what&tells != 0:
				c.telling++
			case what&decides != 0:
				c.deciding++
			}
			n := copy(buf[:], buf[previous:word]) // it is now the one before
			if n < len(buf) {
				buf[n] = ' '
				n++
			}
			previous, word = n, n
		}
		capital, digits = false, false
	}
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			i++
			switch {
			case 'a' <= b && b <= 'z' || b == '\'':
			case 'A' <= b && b <= 'Z':
				capital = capital || word == previous
				b += 'a' - 'A'
			case '0' <= b && b <= '9':
				digits = true
			default:
				flush()
				switch b {
				case '.', '!', '\n':
					begins, previous, word = true, 0, 0
				case '?':
					c.question, begins, previous, word = true, true, 0, 0
				}
				continue
			}
			if word < len(buf) {
				buf[word] = b
				word++
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '’':
			if word < len(buf) {
				buf[word] = '\''
				word++
			}
		case r == '？':
			flush()
			c.question = true
		case unicode.Is(unicode.Han, r):
			flush()
			for _, cue := range han[r] {
				if len(text)-i >= len(cue.text) && text[i:i+len(cue.text)] == cue.text {
					if cue.telling {
						c.telling++
					} else {
						c.deciding++
					}
					break
				}
			}
		default:
			flush()
		}
		i += size
	}
	flush()
	return c
}
