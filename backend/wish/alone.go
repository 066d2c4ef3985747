package wish

import (
	"regexp"
	"strings"
	"unicode"
)

// courtesies are the words that may stand around a wish without asking for anything else.
var courtesies = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`please pls plz kindly can could would will should must may you u i d ll s t m ve like want need have has to me my mine for
		that this these the those it its is a an fact facts thing things point points detail details one more hey hi hello ok okay oh so also and but now well
		yes yeah sure right great perfect thanks thank lot very much by way btw ps p just always additionally finally lastly first second next then
		remember memorize memorise do don not never ever forget forgetting keep in mind memory memories bear make take yourself note notes mental quick
		down jot write save store add put commit record log long term your core future reference later time again from now on recollect try be
		good nice lovely helpful great love appreciate if important of out into about everything anything all any anymore longer no stop remembering
		delete remove erase drop clear wipe cut entry entries alright deal got following told mentioned said what as too maybe`) {
		m[w] = true
	}
	return m
}()

var zhCourtesies = regexp.MustCompile(`^(?:` + zhVerbs + `|把|请|能不能|可不可以|能否|可否|可以|能|麻烦|劳烦|拜托|帮我|帮忙|替我|给我|为我|要|得|必须|应该|你|您|我|一定|务必|千万|` +
	`好的|好吧|好吗|好|嗯|哦|噢|啊|呀|吧|哈|喔|嘛|哟|吗|行吗|对了|另外|还有|顺便说一下|顺便说一句|顺便一提|顺便|然后|那么|那|以后|今后|往后|从现在起|从今以后|现在|也|就|先|再|同时|而且|最后|首先|其次|喂|嘿|` +
	`想|让|希望|谢谢|多谢|知道|明白|了|一下|下来|下面|以下|下列|的|这|内容|信息|事情|件|事|几点|点|条|一|个|都|牢牢|记得|记牢|记|忘掉|忘了|忘记|别再|别|不要|不用|停止|` +
	`从|长期|核心|记忆|库|块|里面|里|中|删掉|删除|删了|移除|去掉|抹去|抹掉|清除|关于|有关|所有|全部)*$`)

// Alone reports whether a message is nothing but the wishes that Find found in it, and courtesy: nothing else is asked.
func Alone(message string, wishes []Wish) bool {
	if len(wishes) == 0 {
		return false
	}
	r := []rune(message)
	var rest strings.Builder
	at := 0
	for _, w := range wishes {
		if w.Start < at || w.End > len(r) || strings.ContainsAny(w.Text, "?？") {
			return false
		}
		rest.WriteString(string(r[at:w.Start]))
		rest.WriteByte(' ')
		at = w.End
	}
	rest.WriteString(string(r[at:]))
	var han strings.Builder
	for _, word := range strings.FieldsFunc(simplify.Replace(strings.ToLower(rest.String())), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		var latin strings.Builder
		for _, r := range word {
			if unicode.Is(unicode.Han, r) {
				han.WriteRune(r)
			} else {
				latin.WriteRune(r)
			}
		}
		if s := latin.String(); s != "" && !courtesies[s] {
			return false
		}
	}
	return zhCourtesies.MatchString(han.String())
}
