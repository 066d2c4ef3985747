package wish

import (
	"regexp"
	"strings"
)

// Tidying is the wish that the assistant make room in its core memory.
type Tidying struct {
	Block    string // that is named, "" = all
	Language string // "en" or "zh": the language it was wished in
	Alone    bool   // the message asks for nothing else
}

var (
	enTidy = regexp.MustCompile(`(?i)^(?:(?:please|pls|ok|okay|hey|hi|hello|now|so|and|then|also|great|thanks|recollect|(?:can|could|would|will|would you mind) you(?: please| kindly)?|i(?:['’]d| would) like you to|i (?:want|need) you to|you (?:should|can|may|could)|let['’]?s|go ahead and|it['’]?s time to|time to)[, ]+)*` +
		`(?:(?:tidy|clean)(?: up| out)?|compact|declutter|organi[sz]e|reorgani[sz]e|sort(?: out| through)?|make (?:some |more |a bit of )?room in|free(?: up)? (?:some |more )?(?:space|room) in|condense|trim|slim(?: down)?|consolidate|prune) ` +
		`(?:up |out )?(?:(?:your|the|my|this|that|all(?: of)?(?: your)?) )?(?:(?:whole|entire|core|long-term) )*(?:memory|memories|memory blocks?|block ["'“]?([\p{L}\p{N}_-]+)["'”]?|["'“]?([\p{L}\p{N}_-]+)["'”]? block)` +
		`(?:[, ]+(?:up|out|a bit|a little|please|now|for me|again|will you|would you|first|thanks|thank you|when you can|when you have time))*[\s.!?]*$`)
	zhTidy = regexp.MustCompile(`^(?:请|麻烦|劳烦|拜托|帮我|帮忙|替我|给我|你|您|能不能|可不可以|能否|可以|能|现在|那|好的?|嗯|来|再|也|顺便|该|是时候|去|先|，|,|、|\s)*` +
		`(?:(?:整理|清理|压缩|精简|归纳|收拾|梳理|瘦身)(?:一下|一遍|一次|下|整理)?(?:你|您|自己|我|核心|长期|全部|所有|这些|那些|一下|的)*(?:记忆(?:库|块)?|(?:记忆块|块)\s*[“"「]?([\p{L}\p{N}_-]+)[”"」]?|[“"「]?([A-Za-z0-9_-]+)[”"」]?(?:这个|的)?记?忆?块)` +
		`|把(?:你|您|自己|我|核心|长期|全部|所有|的)*记忆(?:库|块)?(?:再|都|好好|全部)*(?:整理|清理|压缩|精简|归纳|收拾|梳理)(?:一下|一遍|一次|下|干净)?` +
		`|(?:给|为|帮)?(?:你|您|自己|的|核心)*记忆(?:里|库)?(?:腾|空|清)(?:一?点|一些|出|出来|一下)*(?:地方|空间|位置))` +
		`(?:吧|了|吗|好吗|好不好|可以吗|行吗|行不行|啊|呀|嘛|哦|喔|谢谢|多谢|，|,|\s)*$`)
)

// Tidies finds the wish that core memory be tidied: "tidy your memory", 「整理一下记忆」. Only an imperative, or a polite
// question, that is a sentence of its own counts.
func Tidies(message string) (Tidying, bool) {
	spoken := Spoke(message)
	for _, s := range spoken {
		if s.Quoted {
			continue
		}
		text := strings.TrimSpace(strings.ReplaceAll(s.Masked, "\x01", ""))
		t := Tidying{Language: "en", Alone: len(spoken) == 1}
		m := enTidy.FindStringSubmatch(text)
		if m == nil {
			t.Language = "zh"
			m = zhTidy.FindStringSubmatch(Simplified(text))
		}
		if m == nil {
			continue
		}
		for _, block := range m[1:] {
			if block != "" && !strings.EqualFold(block, "memory") {
				t.Block = block
			}
		}
		return t, true
	}
	return Tidying{}, false
}
