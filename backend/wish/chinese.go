package wish

import (
	"regexp"
	"strings"
	"unicode"
)

const (
	zhVerbs = `牢牢记住|记住|记着|记好|记下来|记下|记一下|记录一下|记录下来|记上|牢记|谨记|铭记|备注一下|备注|` +
		`(?:记|存|保存|加|添加|写|放)(?:到|进|入|在)(?:你的?)?(?:长期|核心)?(?:记忆|脑子|备忘|备忘录)(?:库|块)?(?:里面|里|中)?|` +
		`千万别忘(?:记|了)?|别忘(?:记|了)?|不要忘(?:记|了)?|不能忘(?:记|了)?|不许忘(?:记|了)?|勿忘|记得`
	zhThis = `(?:了|哦|啊|呀|吧|哈|喔|噢|一下|好|这一点|这点|这个|这件事情?|这些|这句话|它|就好|就行|下来)*`
)

var (
	zhLead = regexp.MustCompile(`^[\s*•#-]*(?:(?:能不能|可不可以|能否|可否|可以|能|请你|请|麻烦你?|劳烦你?|拜托你?|帮我|帮忙|替我|给我|为我|你要|要|你得|你必须|你应该|你可以|你|您|一定要|一定|务必|千万要|千万|好的|好吧|好|嗯+|哦|噢|啊|对了|另外|还有|顺便说一下|顺便说一句|顺便一提|顺便|然后|那么|那|以后|今后|往后|从现在起|从今以后|现在|也|就|先|再|同时|而且|最后|首先|其次|喂|嘿|我要你|我想让你|我希望你|希望你|我想请你)[，,、：:\s]*)*`)

	zhRemember = regexp.MustCompile(`^(?:` + zhVerbs + `|记(?:个|一个|件|一件|条|一条)(?:事情?|东西|笔记|信息)?儿?)`)
	zhNoteDown = regexp.MustCompile(`^记[：:，,\s]+`) // "帮我记：…", after 帮我 only
	zhAfter    = regexp.MustCompile(`^(?:了|哦|啊|呀|吧|哈|喔|噢|一下|好)*(?:(?:以下|下面|下列)(?:的|这)?(?:内容|信息|事情|几点|几件事|话|事项)?|这一点|这点|这个|这件事情?|这些|几件事|几点|一件事情?|一点)?[\s，,：:、—–-]+`)
	zhParticle = regexp.MustCompile(`^(?:了|哦|啊|呀|一下)`)

	zhBa     = regexp.MustCompile(`^把(.+?)(?:给我|帮我|都|也|牢牢)*(?:记住|记下来|记下|记一下|记录一下|记录下来|记着|记好|记牢|(?:记|存|保存|加|添加|写|放)(?:到|进|入|在)(?:你的?)?(?:长期|核心)?(?:记忆|脑子|备忘|备忘录)(?:库|块)?(?:里面|里|中)?)` + zhThis + `$`)
	zhBaTail = regexp.MustCompile(`(?:这件事情?|这一点|这点|这个信息|这条信息|的事情?)$`)

	zhForget   = regexp.MustCompile(`^(?:忘掉|(?:别|不要|不用|不必|不需要)再记(?:得|着|住|了)?|别记(?:得|着|住)?了|不用记(?:得|着|住)?了|停止记住)[\s，,：:]*`)
	zhNoLonger = regexp.MustCompile(`^别记(?:得|着|住)(.+?)了吧?$`) // without 了 it is "do not remember", which is nothing to do
	zhForgetBe = regexp.MustCompile(`^(?:忘了|忘记)[\s，,：:]*`)   // after 请, 你可以 … only: alone it is "I forgot"
	zhBaForget = regexp.MustCompile(`^把(.+?)(?:给我|都|也)*(?:忘掉|忘了|忘记|(?:从(?:你的?)?(?:长期|核心)?记忆(?:库|块)?(?:里面|里|中)?)(?:删掉|删除|删了|移除|去掉|抹去|抹掉|清除)|(?:删掉|删除|清除|抹掉)的?记忆)(?:了|吧|啊)*$`)
	zhFromMem  = regexp.MustCompile(`^从(?:你的?)?(?:长期|核心)?记忆(?:库|块)?(?:里面|里|中)?(?:把)?(?:删掉|删除|删了|移除|去掉|抹去|抹掉|清除)(.+)$`)
	zhMemOf    = regexp.MustCompile(`^(?:删掉|删除|清除|抹掉|移除)(?:你)?(?:关于|有关|对于)?(.+?)的?(?:这条|那条|所有|全部)?(?:的)?记忆$`)
	zhAbout    = regexp.MustCompile(`^(?:关于|有关|对于|我说的|我说过的|我之前说的)+`)
	zhNoForget = regexp.MustCompile(`^(?:了|掉|吧|它|他|她|我|你|我们|这个|那个|这|那|这些|那些|这事|那事|这件事情?|那件事情?|这一切|一切|所有(?:的)?(?:事情?|内容|东西|记忆)?|全部|全都|刚才.*|刚刚.*|之前.*|以前.*|上面.*|前面.*|过去|烦恼|说.*|告诉.*|带.*|吃.*)(?:吧|了|啊)*$`)

	zhPolite    = regexp.MustCompile(`能不能|可不可以|能否|可否|可以|能`)
	zhPoliteBe  = regexp.MustCompile(`请|麻烦|你可以|拜托|劳烦|帮我`)
	zhTag       = regexp.MustCompile(`[，,\s]*(?:好吗|好不好|可以吗|可以不|行吗|行不行|知道吗|知道了吗|明白吗|懂吗|谢谢你?|多谢|拜托了?|拜托你了|哦|喔|哈|嘛|哟)$`)
	zhAskEnd    = regexp.MustCompile(`(?:吗|呢|没有|了没|没)$`)
	zhAskWord   = regexp.MustCompile(`什么|谁|哪|多少|怎么|怎样|为什么|为何|是否|有没有|是不是|能不能|会不会|要不要|如何|多大|多久|几岁|几点|几个|几号|几月`)
	zhStatement = regexp.MustCompile(`是|叫|姓|喜欢|讨厌|爱|恨|住|过敏|生日|工作|上班|有|没|不|用|吃|喝|养|最|想|在|对|会|名字|电话|密码|地址|偏好|习惯|属|学|做|要|去|来|：|:|=`)
	zhOwn       = regexp.MustCompile(`我|咱|俺`)
	zhNoted     = regexp.MustCompile(`^(?:记录|备注)`)
	zhLongAgo   = regexp.MustCompile(`^(?:当年|当初|当时|小时候|以前|从前|那年|那时|那次|那天|有一?次|有一年|有一天|上次|上回|曾经|去年|前年|昨天)`)
	zhTask      = regexp.MustCompile(`^(?:请|麻烦|帮我|帮忙|给我|替我|你|能不能|可不可以|可以)*(?:写|总结|翻译|生成|编写|编|设计|画|修改|改写|润色|列出|列|分析|整理|解释|检查|实现|优化|回答|做个|做一个|扮演|想象)`)
	zhNounOnly  = regexp.MustCompile(`^(?:的|与|和|这种|这样)`)
	zhTaskVerb  = regexp.MustCompile(`^(?:回答|回复|答复|检查|加上|列出|附上|写上|注明|标明|解释|说明)`)
	zhThenTask  = regexp.MustCompile(`[，,](?:并且?|然后|再|接着|顺便|请|帮我|给我|替我)+你?(?:写|讲|告诉我|推荐|列|回答|翻译|总结|说说|介绍|解释|画).*$`)
	zhThisOnly  = regexp.MustCompile(`^(?:这个|这些|它|这|那个|这句话|这段话|上面的?.*|刚才.*|以下内容|下面的?.*|我说的话?|我的话)$`)

	zhHypothetical = regexp.MustCompile(`^[\s*•-]*(?:如果|假如|要是|假设|假使|倘若|万一|比如|譬如|例如|设想|想象|每当|只要|当我)|翻译|造句|意思是`)
	zhReported     = regexp.MustCompile(`(?:说|讲|告诉|写道|提醒|教|问|唱|喊|嘱咐|叮嘱)[^，,]{0,4}$`)
	zhPointer      = regexp.MustCompile(`^(?:` + zhVerbs + `)` + zhThis + `$|^把(?:它|这个|这些|这一点|这点|这件事情?|这句话)(?:都|也|给我|帮我)*(?:记住|记下来|记下|记一下|记着|记好)` + zhThis + `$`)
)

// simplify turns the traditional forms of the characters in the rules into simplified ones; each is as long as the other.
var simplify = strings.NewReplacer("記", "记", "請", "请", "幫", "帮", "煩", "烦", "別", "别", "錄", "录", "憶", "忆", "給", "给", "為", "为",
	"這", "这", "個", "个", "裡", "里", "裏", "里", "刪", "删", "對", "对", "關", "关", "從", "从", "時", "时", "點", "点", "說", "说",
	"嗎", "吗", "沒", "没", "麼", "么", "務", "务", "備", "备", "腦", "脑", "進", "进", "寫", "写", "應", "应", "該", "该", "還", "还",
	"條", "条", "處", "处", "過", "过", "誰", "谁", "麻", "麻", "託", "托", "謹", "谨", "銘", "铭", "訴", "诉", "話", "话", "譯", "译",
	"設", "设", "萬", "万", "歡", "欢", "討", "讨", "厭", "厌", "愛", "爱", "養", "养", "電", "电", "習", "习", "學", "学", "後", "后", "現", "现",
	"們", "们", "貓", "猫", "歲", "岁", "來", "来", "車", "车", "媽", "妈", "爺", "爷", "兒", "儿", "職", "职", "業", "业", "師", "师", "醫", "医", "護", "护",
	"員", "员", "單", "单", "離", "离", "結", "结", "會", "会", "開", "开", "買", "买", "賣", "卖", "換", "换", "變", "变", "漲", "涨", "號", "号", "碼", "码",
	"臺", "台", "灣", "湾", "東", "东", "國", "国", "飯", "饭", "鄉", "乡", "親", "亲", "長", "长", "語", "语", "題", "题", "問", "问", "聽", "听", "讀", "读",
	"書", "书", "樂", "乐", "畫", "画", "彈", "弹", "練", "练", "體", "体", "種", "种", "鎮", "镇", "縣", "县", "區", "区", "級", "级", "隊", "队", "數", "数",
	"價", "价", "錢", "钱", "機", "机", "經", "经", "辭", "辞", "遷", "迁", "剛", "刚", "幾", "几", "兩", "两", "隻", "只", "張", "张", "間", "间", "輛", "辆",
	"與", "与", "貸", "贷", "資", "资", "雞", "鸡", "魚", "鱼", "蝦", "虾", "豬", "猪", "龍", "龙", "鳥", "鸟", "廣", "广", "門", "门", "慶", "庆", "蘇", "苏",
	"狀", "状", "態", "态", "許", "许", "願", "愿", "夢", "梦", "實", "实", "樣", "样", "歐", "欧", "韓", "韩", "運", "运", "動", "动", "網", "网", "費", "费")

// chinese finds the wishes of the present sentence that are made in Chinese.
func chinese(d *document) []found {
	s := d.current()
	text := simplify.Replace(d.sentence(s))
	if !hasHan(text) || zhHypothetical.MatchString(text) {
		return nil
	}
	if f := zhBackward(d, text); f != nil {
		return f
	}
	if f := zhWish(d, text, 0); f != nil {
		return f
	}
	for i, r := range text {
		if r != '，' && r != ',' {
			continue
		}
		if zhReported.MatchString(text[:i]) {
			break
		}
		next := i + len(string(r))
		clause := text[next:]
		if lead := zhLead.FindString(clause); zhRemember.MatchString(clause[len(lead):]) || zhForget.MatchString(clause[len(lead):]) {
			if f := zhWish(d, text, next); f != nil {
				return f
			}
		}
	}
	return nil
}

// zhWish reads a wish that begins at byte at of the (simplified) sentence text.
func zhWish(d *document, text string, at int) []found {
	s := d.current()
	question := s.question
	if tag := zhTag.FindString(text[at:]); tag != "" && tag != text[at:] {
		text = text[:len(text)-len(tag)]
		if strings.Contains(tag, "吗") || strings.Contains(tag, "不") {
			question = false
		}
	}
	clauseAt := at
	lead := zhLead.FindString(text[at:])
	polite := zhPolite.MatchString(lead)
	at += len(lead)
	rest := text[at:]
	asks := question || zhAskEnd.MatchString(rest)
	if asks && polite {
		rest = strings.TrimSuffix(rest, "吗")
	}
	span := func(kind Kind, a, b int) []found { return []found{{kind, s.start + at + a, s.start + at + b, "zh"}} }

	if a, b, ok := zhForgets(rest, lead); ok {
		if asks && !polite || zhAskWord.MatchString(rest[a:b]) {
			return nil
		}
		return span(Forget, a, b)
	}

	if m := zhBa.FindStringSubmatchIndex(rest); m != nil {
		x := rest[m[2]:m[3]]
		x = x[:len(x)-len(zhBaTail.FindString(x))]
		if zhThisOnly.MatchString(x) || !zhStatement.MatchString(x) || zhAskWord.MatchString(x) || asks && !polite {
			return nil
		}
		return span(Remember, m[2], m[2]+len(x))
	}

	verb := zhRemember.FindString(rest)
	if verb == "" {
		if !strings.Contains(lead, "我") {
			return nil
		}
		if verb = zhNoteDown.FindString(rest); verb == "" {
			return nil
		}
	}
	if verb == "记得" && (strings.HasSuffix(lead, "你") || strings.HasSuffix(lead, "您")) && !zhPoliteBe.MatchString(lead) && !strings.Contains(lead, "要") {
		return nil // "你记得我叫小明": a question or a remark
	}
	start := len(verb)
	if sep := zhAfter.FindString(rest[start:]); sep != "" {
		start += len(sep)
	} else {
		start += len(zhParticle.FindString(rest[start:]))
	}
	body := rest[start:]
	bare := start == len(verb) // nothing between the verb and what it is about
	switch {
	case verb == "记得" && lead == "" && zhLongAgo.MatchString(body): // "记得当年…" tells of old times
		return nil
	case bare && zhNoted.MatchString(verb) && !zhOwn.MatchString(body): // "记录一下这个函数的运行时间"
		return nil
	case bare && zhNounOnly.MatchString(body): // "要记住的东西太多了"
		return nil
	case strings.Contains(verb, "忘") && zhTaskVerb.MatchString(body): // "别忘了回答我的问题"
		return nil
	case !zhOwn.MatchString(body) && zhTask.MatchString(simplify.Replace(d.before(s.start+clauseAt))): // "写一个函数，记得处理错误"
		return nil
	}
	body = body[:len(body)-len(zhThenTask.FindString(body))]
	if body == "" {
		if strings.HasSuffix(rest, "：") || strings.HasSuffix(rest, ":") {
			return d.list(Remember, "zh")
		}
		return nil
	}
	if asks || zhAskWord.MatchString(body) {
		cut := strings.LastIndexAny(body, "，,")
		switch {
		case cut > 0 && !zhAskWord.MatchString(body[:cut]) && (zhAskWord.MatchString(body[cut:]) || zhAskEnd.MatchString(body[cut:])):
			body = body[:cut] // "记住我吃素，那晚饭吃什么？"
		case polite && !zhAskWord.MatchString(body) && zhStatement.MatchString(body) && !strings.HasSuffix(body, "的名字"):
		default:
			return nil
		}
	}
	return span(Remember, start, start+len(body))
}

// zhForgets reads a wish to forget; it returns the range of what is to be forgotten.
func zhForgets(rest, lead string) (start, end int, ok bool) {
	whole := false
	if m := zhBaForget.FindStringSubmatchIndex(rest); m != nil {
		start, end, whole = m[2], m[3], true
	} else if m := zhFromMem.FindStringSubmatchIndex(rest); m != nil {
		start, end, whole = m[2], m[3], true
	} else if m := zhMemOf.FindStringSubmatchIndex(rest); m != nil {
		start, end, whole = m[2], m[3], true
	} else if m := zhNoLonger.FindStringSubmatchIndex(rest); m != nil {
		start, end, whole = m[2], m[3], true
	} else if m := zhForget.FindString(rest); m != "" {
		start, end = len(m), len(rest)
	} else if m := zhForgetBe.FindString(rest); m != "" && zhPoliteBe.MatchString(lead) {
		start, end = len(m), len(rest)
	} else {
		return 0, 0, false
	}
	if !whole {
		if cut := strings.IndexAny(rest[start:], "，,"); cut > 0 {
			end = start + cut
		}
	}
	start += len(zhAbout.FindString(rest[start:end]))
	for _, tail := range []string{"这件事情", "这件事", "的事情", "的事", "了吧", "吧", "了"} {
		if t := strings.TrimSuffix(rest[start:end], tail); len(t) < end-start {
			end = start + len(t)
			break
		}
	}
	if start >= end || zhNoForget.MatchString(rest[start:end]) {
		return 0, 0, false
	}
	return start, end, true
}

// zhBackward reads "…，请记住。" and "…。帮我记一下。": the wish is what stands before.
func zhBackward(d *document, text string) []found {
	s := d.current()
	statement := func(x string) bool {
		return zhStatement.MatchString(x) && !zhAskWord.MatchString(x) && !zhAskEnd.MatchString(x) && !zhHypothetical.MatchString(x) &&
			!zhReported.MatchString(x)
	}
	bare := text
	for {
		tag := zhTag.FindString(bare)
		if tag == "" || tag == bare {
			break
		}
		bare = bare[:len(bare)-len(tag)]
	}
	clause, before := bare, ""
	if cut := strings.LastIndexAny(bare, "，,"); cut >= 0 {
		before = bare[:cut]
		clause = strings.TrimLeft(bare[cut:], "，, ")
	}
	lead := zhLead.FindString(clause)
	if !zhPointer.MatchString(clause[len(lead):]) {
		if whole := zhLead.FindString(bare); before == "" || !zhPointer.MatchString(bare[len(whole):]) {
			return nil
		}
		before = ""
	}
	if s.question && bare == text && !zhPolite.MatchString(lead) {
		return nil // "…，记住了吗？"
	}
	if left := before[len(zhLead.FindString(before)):]; before != "" && left != "" {
		if zhRemember.MatchString(left) || !statement(before) {
			return nil
		}
		return []found{{Remember, s.start, s.start + len(before), "zh"}}
	}
	p, ok := d.previous()
	if !ok || p.question || p.used || p.quoted {
		return nil
	}
	if previous := simplify.Replace(d.sentence(*p)); !statement(previous) {
		return nil
	}
	p.used = true
	return []found{{Remember, p.start, p.end, "zh"}}
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
