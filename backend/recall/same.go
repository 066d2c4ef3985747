package recall

import (
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// same holds groups of words of which people use one when they tell and another when they ask: spellings, forms that no
// stemmer knows, and everyday names of one thing. Chinese words of two characters are pairs of the index. People and pets have their
// own table (memory.Kin), which facts share.
var same = sameWords(`
	favourite favorite / colour color / flavour flavor / neighbour neighbor / grey gray / theatre theater / centre center
	children kids / movie film / flat apartment / email mail / job profession occupation / bike bicycle / photo picture
	eat ate eaten / buy bought / go went gone / drive drove driven / speak spoke spoken / write wrote written
	grow grew grown / meet met / teach taught / bring brought / lose lost / find found / sell sold / win won / begin began begun
	break broke broken / choose chose chosen / forget forgot forgotten / give gave given / leave left / make made
	ride rode ridden / run ran / sing sang sung / swim swam / wear wore worn / sleep slept / spend spent / build built
	feel felt / fall fell fallen / see saw seen / say said / get got gotten / keep kept / know knew known / come came / become became
	hear heard / hold held / catch caught / draw drew drawn / fly flew flown / send sent / throw threw thrown / pay paid / stand stood
	understand understood / trip travel vacation journey / gift present / happy glad / advice tip suggestion
	hobby interest / career work / family relatives / car vehicle / town city / start begin / purchase buy / help support
	take took taken / tell told / think thought / read reading / marry married wedding / hurt injured
	手机 电话 / 邮箱 邮件
	工作 上班 职业 / 自行 单车 / 医生 大夫 / 讨厌 不爱 / 旅行 旅游 / 电影 影片 / 姓名 名字 / 地址 住址
	火车 列车 / 汽车 轿车 / 飞机 航班 / 早上 早晨 清晨 / 饭店 餐馆 餐厅 / 商店 店铺 / 食物 食品 / 衣服 衣裳 / 房租 租金 / 家乡 老家
	老师 教师 / 公司 单位 / 照片 相片 / 礼物 礼品 / 锻炼 健身 运动 / 爱好 兴趣 / 价格 价钱 / 密码 口令 / 牙医 牙科
	结婚 婚礼 / 吃药 服药 / 生病 得病 / 截止 期限 / 假期 休假 / 比赛 竞赛 / 会议 开会 / 帮助 帮忙`)

func sameWords(groups string) map[string][]string {
	m := map[string][]string{}
	add := func(words []string) {
		for _, w := range words {
			for _, o := range words {
				if w != o && !slices.Contains(m[segment.Stem(w)], o) {
					m[segment.Stem(w)] = append(m[segment.Stem(w)], o)
				}
			}
		}
	}
	for _, group := range strings.FieldsFunc(groups, func(r rune) bool { return r == '/' || r == '\n' }) {
		add(strings.Fields(group))
	}
	var han []string
	for _, group := range memory.Kin() {
		group = slices.DeleteFunc(slices.Clone(group), func(w string) bool { return !inIndex(w) })
		add(group)
		for _, w := range group {
			if hasHan(w) {
				han = append(han, w)
			}
		}
	}
	// Chinese has a word for each child and each aunt, and asks by the one for all: 孩子 of a 女儿.
	for _, w := range han {
		for _, o := range han {
			if memory.Means(w, o) {
				add([]string{w, o})
			}
		}
	}
	return m
}

// inIndex tells whether a word is one of the index: Chinese ones are pairs of characters.
func inIndex(w string) bool {
	return !strings.Contains(w, "-") && (!hasHan(w) || utf8.RuneCountInString(w) == 2)
}

// topic is a thing that everybody tells about themselves: how it is asked for, and how it is told. The two seldom share
// a telling word: "how old am I" and "I was born in 1987".
type topic struct{ ask, tell []string }

// topics are compared with texts as the index has them: "what's" is "what s".
var topics = []topic{
	{
		ask:  list("my name / who am i / 我叫什么 / 我叫啥 / 我的名字 / 我是谁 / 称呼我 / 我姓什么"),
		tell: list("my name is / my name s / i m called / i am called / call me / 我叫 / 我的名字是 / 我的名字叫 / 我名叫 / 叫我 / 我姓"),
	},
	{
		ask:  list("do i live / i live now / my address / is my home / my home town / my city / 我住 / 我家在 / 我的地址"),
		tell: list("i live / i m living / we live / i moved to / my address / 我住 / 我家在 / 我搬到 / 我的地址"),
	},
	{
		ask:  list("my birthday / was i born / how old / my age / 我的生日 / 我生日 / 我多大 / 我今年多大 / 我几岁 / 我的年龄 / 我哪年出生 / 我什么时候出生"),
		tell: list("my birthday / i was born / years old / i turned / 我的生日 / 我生日 / 我出生 / 我今年 / 我的年龄"),
	},
	{
		ask:  list("my job / my profession / my occupation / do i work / i do for a living / my employer / 我的职业 / 我的工作 / 我在哪里工作 / 我在哪工作 / 我在哪上班 / 我做什么工作 / 我是做什么的 / 我干什么工作"),
		tell: list("i work / my job / my profession / i m a / i m an / i am a / i am an / 上班 / 我的工作 / 我的职业 / 我是一名 / 我是一个 / 我是个 / 我是做 / 我当"),
	},
	{
		ask:  list("i eat / my diet / allergic / 我不能吃 / 我能吃 / 我过敏"),
		tell: list("i m vegetarian / i am vegetarian / i m vegan / i am vegan / i m a vegetarian / allergic to / i don t eat / i can t eat / 我吃素 / 我不吃 / 我不能吃 / 过敏"),
	},
	{
		ask:  list("my wife / my husband / my partner / am i married / 我妻子 / 我老婆 / 我太太 / 我丈夫 / 我老公 / 我结婚"),
		tell: list("my wife / my husband / my partner / i m married / i married / 我妻子 / 我老婆 / 我太太 / 我丈夫 / 我老公"),
	},
	{
		ask:  list("my children / my kids / do i have children / do i have kids / 我的孩子 / 我孩子 / 我有几个孩子"),
		tell: list("my children / my kids / kids / my son / my daughter / 我的孩子 / 我孩子 / 我儿子 / 我女儿"),
	},
	{
		ask:  list("i hate / i dislike / i not like / i don t like / 我讨厌 / 我不喜欢"),
		tell: list("i hate / i dislike / i can t stand / i don t like / 讨厌 / 不喜欢"),
	},
}

func list(s string) []string {
	var out []string
	for _, p := range strings.Split(s, "/") {
		out = append(out, strings.TrimSpace(p))
	}
	return out
}

// vague are continuations after which "I am a" tells nothing about a person.
var vague = list("i m a bit / i m a little / i am a bit / i am a little")

// toldAs returns how the things that a message asks about oneself are told.
func toldAs(text string) []string {
	var phrases []string
	index := " " + segment.Index(text) + " "
	for _, t := range topics {
		if slices.ContainsFunc(t.ask, func(p string) bool { return says(text, index, p) }) {
			phrases = append(phrases, t.tell...)
		}
	}
	return phrases
}

// says tells whether a text, given also as the index has it between blanks, has a phrase.
func says(text, index, phrase string) bool {
	if hasHan(phrase) {
		return strings.Contains(text, phrase)
	}
	return strings.Contains(index, " "+phrase+" ")
}

// tells tells whether a memory is a statement in one of the phrases, made by the user.
func (c *candidate) tells(phrases []string) bool {
	if len(phrases) == 0 || c.Role == memory.RoleAssistant || c.question {
		return false
	}
	index := " " + segment.Index(c.Text) + " "
	has := func(p string) bool { return says(c.Text, index, p) }
	return slices.ContainsFunc(phrases, has) && !slices.ContainsFunc(vague, has)
}

// phraseTerm returns a phrase as a term of a search.
func phraseTerm(phrase string) string {
	if !hasHan(phrase) {
		return `"` + phrase + `"`
	}
	runes := []rune(phrase)
	pairs := make([]string, 0, len(runes))
	for i := range len(runes) - 1 {
		pairs = append(pairs, string(runes[i:i+2]))
	}
	return `"` + strings.Join(pairs, " ") + `"`
}
