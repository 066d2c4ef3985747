package memory

import (
	"slices"
	"strings"
)

// People and pets go by several words, in one language and across two: who tells of their mum asks for their mother, or 妈妈.

// kinship holds them, one relation a line: groups of words that mean the same, the first of which is the word for all where
// there are several. A line that begins with = is somebody of whom one has one at a time.
const kinship = `
= mother mum mom mummy mommy mama 妈妈 母亲 妈 老妈 妈咪
= father dad daddy papa 爸爸 父亲 爸 老爸 爹
= partner spouse 配偶 伴侣 爱人 / wife 妻子 老婆 太太 媳妇 / husband 丈夫 老公 / girlfriend 女朋友 女友 / boyfriend 男朋友 男友 / fiancée fiancee 未婚妻 / fiancé fiance 未婚夫
= mother-in-law / 岳母 丈母娘 / 婆婆
= father-in-law / 岳父 丈人 老丈人 / 公公
grandmother grandma granny nana gran / 奶奶 祖母 / 外婆 姥姥 外祖母
grandfather grandpa granddad grandad / 爷爷 祖父 / 外公 姥爷 外祖父
brother 兄弟 / 哥哥 大哥 哥 / 弟弟 弟
sister 姐妹 / 姐姐 大姐 姐 / 妹妹 妹
child kid 孩子 小孩 宝宝 / son 儿子 / daughter 女儿
aunt auntie 阿姨 / 姑姑 姑妈 / 姨妈 姨 / 舅妈 / 婶婶
uncle / 叔叔 / 舅舅 / 伯伯 / 姑父 / 姨父
cousin / 表哥 / 表弟 / 表姐 / 表妹 / 堂哥 / 堂弟 / 堂姐 / 堂妹
nephew / 侄子 / 外甥
niece / 侄女 / 外甥女
grandson / 孙子 / 外孙
granddaughter / 孙女 / 外孙女
dog doggy 狗 狗狗 / puppy pup 小狗
cat 猫 猫咪 / kitten 小猫 猫仔
roommate flatmate housemate 室友`

// relation is what a word of kinship means.
type relation struct {
	of, group int
	one       bool
}

var (
	relations = map[string]relation{}
	kin       [][][]string // the words of each group of each relation
)

func init() {
	for line := range strings.Lines(strings.TrimSpace(kinship)) {
		line, one := strings.CutPrefix(strings.TrimSpace(line), "= ")
		var groups [][]string
		for group := range strings.SplitSeq(line, " / ") {
			words := strings.Fields(group)
			for _, w := range words {
				relations[w] = relation{len(kin), len(groups), one}
			}
			groups = append(groups, words)
		}
		kin = append(kin, groups)
	}
}

// Kin returns the words in groups of those that mean the same: mum and mother, wife and 老婆.
func Kin() [][]string { return slices.Concat(kin...) }

// SameSubject returns a word for a subject that is the same however it is called: wife and partner, mum and 妈妈.
func SameSubject(subject string) string {
	subject = strings.ToLower(subject)
	r, known := relations[subject]
	switch {
	case !known:
		return subject
	case r.one:
		return kin[r.of][0][0]
	}
	return kin[r.of][r.group][0]
}

// Means reports whether a word for somebody may mean a subject: "mother" mum, "wife" partner and the other way round, but not
// "wife" husband.
func Means(word, subject string) bool {
	a, known := relations[strings.ToLower(word)]
	b, also := relations[strings.ToLower(subject)]
	return known && also && a.of == b.of && (a.group == b.group || a.group == 0 || b.group == 0)
}
