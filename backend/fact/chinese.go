package fact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// Pieces of the patterns: they stand for themselves between braces.
var zhPieces = strings.NewReplacer(
	"{adv}", `(?:现在|目前|如今|今年|一直|已经|也|都|就|还|其实|最近|刚刚|刚|终于|又|平时|从小就|从小|特别|非常|很|最|超级|超|挺|真的|真|比较|尤其|蛮|格外|一向|向来|始终|本来|原本|正在|正|暂时|主要|一般|通常|经常|总是|常常|常|有点|有些|太|极其|十分|更|去年|前年|上个月|上周|上个星期|今天|昨天|前天|这个月|这周|\d{4}年|\d+年前|[一二两三四五六七八九十几半]+年前|毕业后|毕业以后|婚后|同时|确实|反正|每天|每周|周末|每个周末|业余时间|有空就?|跟家人|和家人|跟父母|和父母|跟老公|和老公|跟老婆|和老婆|和男朋友|和女朋友|一家人|全家|一起|一个人|独自|自己|自个儿|周[一二三四五六日天]起|长期|其中|年初|年底|春天|夏天|秋天|冬天|月初|月底|[一二两三四五六七八九十\d]+月份?)*`,
	"{people}", `(?:`+zhPeople+`)`, "{pets}", `(?:`+zhPets+`)`, "{stock}", `(?:奶牛|水牛|黄牛|牛|山羊|绵羊|羊|猪|母鸡|鸡|鸭|鹅|马|驴|骡子|骆驼|蜜蜂|蜂箱|果树)`, "{things}", `(?:`+zhThings+`)`, "{jobs}", `(?:`+zhJobs+`)`,
	"{languages}", `(?:`+zhLanguages+`)`, "{countries}", `(?:`+zhCountries+`)`, "{illness}", `(?:`+zhIllnesses+`)`,
	"{attributes}", `(?:`+zhAttributes+`)`, "{cities}", `(?:`+zhCities+`)`, "{towns}", `(?:`+zhTowns+`)`, "{fields}", `(?:`+zhFields+`)`, "{zhsubjects}", `(?:`+zhSubjects+`)`,
	"{breeds}", `(?:`+zhBreeds+`)`,
	"{num}", `(?:\d{1,3}|[一二两三四五六七八九十]{1,3})`, "{measure}", `(?:个|只|条|匹|辆|台|套|部|把|间|位|名|头|艘|架|家|栋|双|对|支|块|张|盆|架)`,
	"{changed}", `(?:涨|降|升|提高|增加|减少|下调|上调|改期|改|调整|调|推迟|提前|延期|延后|延|换|变|跌|提|缩短|加|减|更新|续|扩大)(?:到|成|为|至)(?:了)?`,
	"{pastime}", `(?:打|踢|弹|练|跑|滑|拉|吹|爬|骑|画|下|跳|玩|学|写|唱|做|搓)?(?:羽毛球|篮球|足球|乒乓球|网球|排球|高尔夫|台球|太极拳?|八段锦|广场舞|钢琴|吉他|小提琴|古筝|二胡|笛子|架子鼓|瑜伽|书法|毛笔字|国画|油画|水彩|跑步|步|夜跑|晨跑|游泳|爬山|登山|徒步|骑行|骑车|攀岩|滑雪|滑板|围棋|象棋|国际象棋|跳舞|街舞|芭蕾|摄影|钓鱼|露营|健身|撸铁|冲浪|潜水|插花|烘焙|剑道|柔道|跆拳道|拳击|马拉松|飞盘|匹克球|桌游|剧本杀|手账|刺绣|十字绣|木工|陶艺|养花|种花|观鸟|航拍|普拉提|麻将|掼蛋|桥牌)`,
	"{event}", `[\p{Han}A-Za-z0-9]{0,8}(?:复查|复诊|化验|拔牙|打疫苗|拆线|出院|考试|面试|婚礼|手术|航班|飞机|火车|高铁|会议|体检|答辩|比赛|演出|旅行|毕业典礼|预约|复诊|开学|演唱会|马拉松|生日派对|聚会|年会|家长会|搬家|截止日期|笔试|期末考|高考|雅思|托福|驾照考试|路考|讲座|培训|约会|产检|预产期|婚期|签证|护照|驾照|驾驶证|身份证|车险|保险|年检|信用卡|健身卡|居住证|年卡|月卡|会员卡|通行证|行驶证|合同|会员|租约|发布会|汇报|开题|驾考|科目[一二三四]|体测|面签|订婚宴|满月酒|入职日期|毕业)`,
)

func zh(pattern string) *pattern { return compile(zhPieces.Replace(pattern)) }

var (
	zhLead     = zh(`^(?:(?:喔对|哦对|噢对|先谢谢你|对了|另外|还有|顺便(?:说一下|说一句|一提|提一下|告诉你)?|嗯+|哦|啊|唉|哎|好的?|其实|说实话|老实说|坦白说|你好呀?|您好|大家好|嗨|嘿|哈喽|更正一下|更正|纠正一下|更新一下|补充一下|补充|介绍一下自己|介绍一下|自我介绍一下|先自我介绍一下|跟你说(?:一下|个事儿?|件事)?|和你说(?:一下|个事儿?|件事)?|告诉你(?:一下|个事儿?|件事|一件事|个好消息)?|请?(?:帮我)?(?:记住|记一下|记着|别忘了|记得|记下来?)|因为|由于|所以|而且|并且|但是?|不过|可是|然后|现在|目前|最近|今年|去年|前年|上个月|上周|昨天|今天|这周|这个月|从[\d一二两三四五六七八九十]+年(?:开始|起)?|自从|后来|如今|平时|一直以来|不好意思|抱歉|对不起|不对|不是|是的|没错|对|事实上|实际上|总之|首先|其次|最后|第一|第二|那个|顺便|好消息|坏消息|报告|提醒一下|提醒你|你知道吗|如你所知|就像我说的|之前说过|我说过|前面说过|反正|毕竟|话说|刚才说错了|说错了|我说错了|我记错了|记错了|准确地说|准确来说|确切地说|当然|本来|原来|以前|曾经|小时候|过去|之前)[，,：:、！!~～\s]+|(?:对了|其实|因为|由于|所以|而且|并且|但是|但|不过|可是|然后|另外|还有|顺便说一下|说实话|请记住|记住|别忘了|现在|目前|最近|今年|去年|前年|上个月|上周|昨天|今天|如今|平时|后来|自从|反正|毕竟|话说|补充一下|更正一下|跟你说|告诉你|事实上|实际上|从[\d一二两三四五六七八九十]+年(?:开始|起)))*`)
	zhUser     = zh(`^(?:我们一家(?:人|子|[三四五六]口)?|我们家|我们俩|我们|我家里?|咱们家|咱们|咱家|咱|俺|本人|我自己|我)(?:和[^，。]{1,6}?一起)?(?:家|的?(?:项目|网站|应用|系统))?`)
	zhPerson   = zh(`^(?:我们家|我们|我家|家里的?|家中的?|咱家|咱|俺家|俺|我)(?:家|的|那个|家里)?((?:大|小|老|二)?{people}|{pets})`)
	zhDoctor   = compile(`医生(?:说|告诉我|确认)[，,：:]?`)
	zhDuring   = compile(`我[^，,；;]{0,12}(?:的时候|那会儿|那时候)|(?:的时候|那会儿|那时候).{0,4}我`)
	zhSaidAll  = compile(`[，,](?:[他她它]们?|[\p{Han}]{1,4})(?:说|讲|告诉我)(?:的|道|过)?[。！!.]*$|^(?:听说|据说|传说|歌词|台词|翻译(?:一下|成|这|下面|下列|以下|：|:)|怎么翻译|帮我翻译|请翻译|怎么说|名言|谚语|口号|文案|老话)|(?:歌词|台词|这句|那句|(?:[这那]|[下上]面|以下).{0,3}句子|句子[：:是]|意思是|翻译(?:一下|成|这|下面|下列|以下|：|:)|怎么翻译|帮我翻译|请翻译|用英文|用英语|文案|口号)|(?:说|问|写道|写着|喊|念|讲)[：:]|^[\p{Han}]{0,6}(?:说|告诉我)[，,]`)
	zhIsItSo   = compile(`^(?:对吧|对不对|是吗|是吧|是不是|没错吧|对吗|你说呢|记得吗|你记得|还记得|知道吗|你知道|是这样吧)[呀啊]?[？?。]*$`)
	zhLaughs   = compile(`哈哈|嘿嘿|😂|🤣|😜|😝|😉|🙃|🐶|狗头`)
	zhAnyTime  = compile(`^[^我，,]{2,10}的时候(?:记得|注意|别忘了?|小心)?[，,]`) // no time of theirs
	zhUnreal   = zh(`在(?:戏|剧|话剧|电影|电视剧|舞台|节目|游戏)(?:里|中|上)(?:是|当|做|演)|打个?比方|比方说|如果|假如|要是|假设|假使|假定|倘若|万一|比如|例如|譬如|举个例子|设想|想象|每当|的话[，,]|只要我|要不是|若是|即使|就算|哪怕|除非|下辈子|上辈子|来生|测试一下|随便写|做梦|不是真的|是(?:假|骗人|编)的|[片影]里我|小说里我`)
	zhIfBegins = compile(`^(?:那|但是?|可是?|不过)?(?:要是|如果|假如|万一|假设|倘若)`)
	zhMayDo    = compile(`^我们?[当做戒]|搬|换|买|卖|辞|转|改|嫁|娶|跳槽|离|结婚|领养|养[一两]?[只条]|入职|加入|考|学`)
	zhPlanned  = zh(`打算|计划|准备|希望|可能|也许|大概要|或许|将来|以后要|以后想|要去|考虑|恨不得|好像|似乎|估计|说不定|差点|以为|觉得|猜|怀疑|想(?:要|去|搬|换|买|学|当|做|住|养|在|找|试|吃|喝|成为|变|把|问|知道|请|让)|会(?:搬|去|住|换|买|成为|变成|调|跳)|快要|即将|将要|正要|应该(?:会|要)|不知道|不确定|不太确定|梦想|梦见|幻想|假装|本来想|宁愿|愿意|最好|不想|懒得|没准|是不是|有没有|能不能|要不要|该不该|差不多要|要(?:搬|换|买|养|跳槽|入职|结婚|离婚|退休|辞职|学)|想$`)
	zhFuture   = zh(`明年|下个月|下周|下个星期|后年|明天|后天|过几天|过两天|月底前`)
	zhOthers   = zh(`听说|据说|传说|[他她它]们?(?:说|讲|问|告诉|觉得|认为)|(?:人|妈|爸|师|友|事|生|板|哥|姐|弟|妹|婆|公|王|李|张|里|上|客|者|员)(?:总|常|就|都|还|又)?(?:说|告诉|写道|问|唱|讲|吹牛|开玩笑)|(?:说|写道|写着|唱道|问|喊|念|讲|道)[：:]|歌词|台词|(?:书|小说|电影|电视剧|剧|故事|歌)(?:里|中|名)|这句|那句|这首|句子|意思是|翻译(?:一下|成|这|下面|下列|以下|：|:)|怎么翻译|帮我翻译|请翻译|怎么说|用英文|用英语|拼音|名言|谚语|谁说|都说|老话|口号|文案`)
	zhAskWord  = zh(`什么|谁|哪|多少(?:钱|个|岁|度)?|怎么|怎样|为什么|为何|是否|有没有|是不是|能不能|会不会|要不要|如何|多大|多久|几点|几个人|几号|几月|好不好|行不行|可以吗|对吧|对不对|吗$|呢$|没有$|记得吗`)
	zhStillSo  = compile(`((?:还|正|在|着|可|才|没|都)[^，,]{0,16}?)呢$`) // 我还单身呢 asks nothing
	zhIronic   = zh(`呵呵|一大享受|可真是太感谢|秦始皇|皇上|武则天|玉皇|观音|上帝|如来|唐僧|猪八戒|钢铁侠|蝙蝠侠|美国队长|哈利波特|诸葛亮|李白转世|马云|马斯克|首富|火星|外星|月球|月亮上|地球|太空|皇帝|国王|女王|超人|孙悟空|奥特曼|亿万富翁|总统|一百二十岁|神仙|吸血鬼|霸道总裁|宇宙|在天上|梦里`)
	zhNotMine  = zh(`^(?:你|您|他|她|它|这|那|大家|别人|人家|谁|什么|请|帮|给|让|为|为了|他们|她们|咱|听|有人|所以你|能|可以|怎么|如何|哪)`)
	zhClause   = compile(`[，,；;]\s*|\s{2,}`)
	zhOwnColon = compile(`^[^，,：:]{1,16}[：:]\s*我`)
	zhQuotes   = compile(`听到|听见|看到|刷到|收到|[说问写念唱喊道答背读]|作业|课文|听写|默写|练习|告诉|留言|来信|句|词|文案|标题|模板|例|比如|口吻|开头|语气|翻译|发言|评论|签名|介绍|简历|人设|角色|旁白|字幕|弹幕|短信|消息|公告|海报|日记|作文|题目|选项|版|段子|歌|诗|客户|读者|网友|朋友|同学|同事|他|她`)
	zhIntro    = compile(`^[^，,我]{0,10}(?:加上|写上|填|备注|注意|提醒|记一下|记下|补充|更新|更正|情况|介绍|说明|先说|背景|落款|前提|已知)[\p{Han}]{0,3}[：:]\s*`)
	zhParticle = compile(`(?:了|啦|呢|哦|噢|啊|呀|吧|哈|喔|嘛|哟|而已|来着|的说|就是了|这样|[~～！!。.…\s])+$`)
)

// mandarin returns a text in simplified characters, and words of Cantonese as Mandarin has them, byte for byte as long.
func mandarin(text string) string { return cantonese.Replace(segment.Simplify(text)) }

var cantonese = strings.NewReplacer("锺意", "喜欢", "钟意", "喜欢", "而家", "现在", "依家", "现在", "家下", "现在", "屋企", "家里", "返工", "上班", "返学", "上学", "唔系", "不是", "我系", "我是",
	"佢系", "他是", "识讲", "会说", "唔食", "不吃", "唔饮", "不喝", "我食", "我吃", "我个仔", "我儿子", "我个囡", "我女儿", "我个女", "我女儿", "细佬", "弟弟", "家姐", "姐姐", "大佬", "哥哥", "老豆", "爸爸", "阿妈", "妈妈", "阿爸", "爸爸", "住喺", "住在", "寻日", "昨天",
	"喺", "在", "嘅", "的", "咗", "了", "唔", "不", "冇", "没", "哋", "们", "佢", "他", "嚟", "来")

// chinese reads a sentence in Chinese.
func (s source) chinese() {
	text := mandarin(s.sentence.Masked)
	// The clauses, as bytes.
	var clauses [][2]int
	at := 0
	for _, m := range zhClause.FindAllStringIndex(text, -1) {
		clauses = append(clauses, [2]int{at, m[0]})
		at = m[1]
	}
	clauses = append(clauses, [2]int{at, len(text)})
	if m := zhOwnColon.FindString(text); m != "" { // 皮试结果：我对青霉素过敏
		clauses[0][0] = len(m) - len("我")
	} else if m := zhIntro.FindString(text); m != "" { // 落款加上：我的电话是 …
		clauses[0][0] = len(m)
	}
	tail := text[clauses[len(clauses)-1][0]:]
	text = zhDoctor.ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat(" ", len(m)) })
	if zhIronic.MatchString(text) {
		return
	}
	asks := s.sentence.Question || zhAsks(tail)
	if i := slices.IndexFunc(clauses, func(c [2]int) bool { return zhIfBegins.MatchString(text[c[0]:c[1]]) }); i > 0 && asks { // "我住在厦门，要是搬到福州呢？"
		clauses, text, asks = clauses[:i], text[:clauses[i-1][1]], false
		if zhMayDo.MatchString(text) && !strings.Contains(text, "了") { // "我搬到上海，如果年薪三十万，值得吗？"
			return
		}
	}
	if zhUnreal.MatchString(text) {
		return
	}
	if told := zhOthers.FindStringIndex(text); told != nil { // what somebody else says ends what the user does
		if zhSaidAll.MatchString(text) {
			return
		}
		for i, c := range clauses {
			if c[1] > told[0] {
				clauses = clauses[:i]
				break
			}
		}
		if len(clauses) == 0 {
			return
		}
	} else {
		defer s.asides(zhAsides, text, s.sentence.Question)
		if asks && (len(clauses) == 1 || zhIsItSo.MatchString(tail)) {
			return
		}
		if asks {
			clauses = clauses[:len(clauses)-1] // "我吃素，晚饭吃什么？"
		}
	}
	if zhDuring.MatchString(text) && !zhAnyTime.MatchString(text) {
		return
	}
	inherits := ""
	for _, c := range clauses {
		inherits = s.zhOne(text, c[0], c[1], inherits)
	}
}

// zhOne reads the clause [from, end) of a simplified sentence, and returns the subject that a clause without one goes on with.
func (s source) zhOne(text string, from, end int, inherits string) string {
	clause := text[from:end]
	opens := s.zhOpens(text[:from])
	trimmed := strings.TrimLeft(clause, " \t")
	from += len(clause) - len(trimmed)
	clause = trimmed
	lead := len(zhLead.FindString(clause))
	for from+lead < end && lead > 0 && lead < len(clause) && !utf8.RuneStart(clause[lead]) {
		lead--
	}
	if strings.HasSuffix(clause[:lead], "今年") && !zhUser.MatchString(clause[lead:]) { // 今年七十二
		lead -= len("今年")
	}
	past := zhPastLead.MatchString(clause[:lead])
	whole := clause
	from, clause = from+lead, clause[lead:]
	if clause == "" {
		return inherits
	}
	if strings.ContainsAny(clause, "他她你您") && inherits != "" && !zhShe.MatchString(clause) && !strings.Contains(clause, "其他") || zhTheyKnow.MatchString(clause) {
		return "" // of others as well
	}
	if zhPlanned.MatchString(clause) && !zhHasDate.MatchString(clause) || zhAsks(clause) || zhTheirs.MatchString(clause) || zhLaughs.MatchString(clause) {
		return ""
	}
	if m := zhFronted.FindStringSubmatchIndex(clause); m != nil && !zhNotTopic.MatchString(clause[m[2]:m[3]]) { // 百度网盘我不用了
		if s.zhPredicate(user, ofUser, whole, clause[m[4]:m[5]]+clause[m[2]:m[3]]+clause[m[5]:], from, end) {
			return user
		}
	}
	if at, once := zhBeforeI(clause); at > 0 { // 周末没事我就爱钓鱼
		past = past || once
		from, clause = from+at, clause[at:]
	}
	if s.zhGaveUp(clause) {
		return inherits
	}
	if m := zhGivenName.FindStringSubmatch(clause); m != nil && inherits == user && s.reader.surname != "" && strings.HasPrefix(m[1], s.reader.surname) { // 我姓李，叫李想
		if names := zhNames(m[1]); names != nil {
			s.add(memory.FactStatement{Subject: user, Key: keyName, Value: s.same(names[0], from, end)}, from, end)
			return user
		}
	}
	s.reader.surname = ""
	if m := zhSurname.FindStringSubmatch(clause); m != nil {
		s.reader.surname = m[1]
	}
	if s.zhRenewed(clause, from, end) {
		return user
	}
	if m := zhMyself.FindStringSubmatch(clause); m != nil && zhFullName(m[1]) != nil {
		s.add(memory.FactStatement{Subject: user, Key: keyName, Value: s.same(m[1], from, end)}, from, end)
		return user
	}
	if each := zhEachCalled.FindAllStringSubmatch(zhAnother.ReplaceAllString(clause, "$1，$2"), -1); each != nil {
		named := false
		for _, m := range each {
			if names := zhNames(m[1]); names != nil && s.oneOf(s.same(names[0], from, end), from, end) {
				named = true
			}
		}
		if named {
			return inherits
		}
	}
	if m := zhIAm.FindStringSubmatch(clause); m != nil && (s.reader.greeted || zhHi.MatchString(s.sentence.Masked)) && !zhJobRe.MatchString(m[1]) && !zhNoIAm.MatchString(m[1]) {
		if names := zhNames(m[1]); names != nil {
			s.add(memory.FactStatement{Subject: user, Key: keyName, Value: s.same(names[0], from, end)}, from, end)
			return user
		}
	}
	if s.zhCorrection(clause, from, end) || s.zhNamed(clause, from, end) {
		return inherits
	}
	if past {
		clause2 := zhUser.FindString(clause)
		if clause2 != "" {
			s.zhPredicate(user, ofUser, whole, "以前"+clause[len(clause2):], from, end)
			return user // who goes on: "现在改成 …"
		}
		return ""
	}
	if m := zhItsName.FindStringSubmatch(clause); m != nil && inherits != "" {
		if names := zhNameList(zhParticle.ReplaceAllString(m[1], "")); len(names) == 1 && len(s.reader.found) > 0 {
			if s.reader.found[len(s.reader.found)-1].Key != keyName && s.name(s.same(names[0], from, end), from, end) {
				return inherits
			}
		}
	}
	if m := zhIsBreed.FindStringSubmatch(clause); m != nil && len(s.reader.found) > 0 { // 养了一只猫，叫糯米，是布偶
		if last := s.reader.found[len(s.reader.found)-1]; zhIsPet.MatchString(last.Subject) {
			s.add(memory.FactStatement{Subject: last.Subject, Key: keyBreed, Value: s.same(m[1], from, end)}, from, end)
			return inherits
		}
	}
	if subject, ok := s.zhThing(clause, from, end); ok {
		return subject
	}
	if m := zhPerson.FindStringSubmatchIndex(clause); m != nil {
		subject := clause[m[2]:m[3]]
		rest := clause[m[1]:]
		named := false
		if a := zhNameBefore.FindStringSubmatch(rest); a != nil && zhApposed(a[1]) != nil { // 我表妹林小满住在武汉
			named = true
			rest = rest[len(a[1]):]
		}
		if s.zhSubjectThing(subject, rest, from+m[1], from, end) || s.zhPredicate(subject, ofPeople, whole, rest, from, end) {
			return subject
		}
		if zhNotCall.MatchString(rest) { // 不叫大勇，叫大永
			return subject
		}
		if m := zhIsNamed.FindStringSubmatch(rest); m != nil && zhApposed(m[1]) != nil && !zhLaughs.MatchString(text) { // 我儿子是本本
			s.add(memory.FactStatement{Subject: s.same(subject, from, end), Key: keyName, Value: s.same(m[1], from, end)}, from, end)
			return subject
		}
		if zhStays.MatchString(rest) || named && zhGone.MatchString(rest) {
			return subject
		}
		if zhGone.MatchString(rest) {
			key := keyFamily
			if zhIsPet.MatchString(subject) {
				key = keyPet
			}
			s.add(memory.FactStatement{Subject: user, Key: key, Value: s.same(subject, from, end), Over: true}, from, end)
			return subject
		}
		if !zhGoesOn.MatchString(rest) {
			return ""
		}
	}
	if (zhTelegram.MatchString(clause) || zhTelegraphs.MatchString(zhSaying(whole).text)) && inherits == "" && opens && (s.zhHas(clause, from, end) || s.zhPredicate(user, ofUser, whole, clause, from, end)) {
		return user
	}
	if m := zhUser.FindString(clause); m != "" {
		rest := clause[len(m):]
		if strings.HasSuffix(m, "家") || strings.HasSuffix(m, "家里") {
			if h := zhHomeIs.FindStringSubmatch(rest); h != nil {
				for _, v := range zhPlace(h[1]) {
					s.add(memory.FactStatement{Subject: user, Key: keyHome, Value: s.same(v, from, end)}, from, end)
					return user
				}
			}
		}
		if s.zhPredicate(user, ofUser, whole, rest, from, end) {
			return user
		}
		return user // whom the next clause may go on about
	}
	if zhHates.MatchString(clause) && inherits == "" && from == lead {
		if s.zhPredicate(user, ofUser, whole, clause, from, end) {
			return user
		}
	}
	if inherits != "" && inherits != user {
		if she := zhShe.FindString(clause); she != "" {
			rest := clause[len(she):]
			if s.zhSubjectThing(inherits, rest, 0, from, end) || s.zhPredicate(inherits, ofPeople, whole, rest, from, end) {
				return inherits
			}
		}
	}
	if inherits != "" && inherits != user {
		if m := zhKinFirst.FindStringSubmatchIndex(clause); m != nil && s.zhPredicate(clause[m[2]:m[3]], ofPeople, whole, clause[m[3]:], from, end) {
			return clause[m[2]:m[3]] // 我儿子叫陈一诺，女儿叫陈一言
		}
	}
	if inherits == user {
		if m := zhKinFirst.FindStringSubmatchIndex(clause); m != nil && s.zhPredicate(clause[m[2]:m[3]], ofPeople, whole, clause[m[3]:], from, end) {
			return user // 我结婚了，老公叫张伟
		}
		if m := zhAtNow.FindStringSubmatch(clause); m != nil && slices.ContainsFunc(s.reader.found, func(f memory.FactStatement) bool { return f.Key == keyHome && f.Over }) {
			for _, v := range zhKnownPlace(m[1]) {
				s.add(memory.FactStatement{Subject: user, Key: keyHome, Value: s.same(v, from, end)}, from, end)
				return user
			}
		}
		if m := zhAtNow.FindStringSubmatch(clause); m != nil && !zhAsWhat.MatchString(m[1]) && slices.ContainsFunc(s.reader.found, func(f memory.FactStatement) bool { return f.Key == keyEmployer && f.Over }) {
			for _, v := range zhCompany(m[1]) {
				s.add(memory.FactStatement{Subject: user, Key: keyEmployer, Value: s.same(v, from, end)}, from, end)
				return user
			}
		}
		if s.zhSubjectThing(user, clause, 0, from, end) {
			return user
		}
	}
	if inherits == "" || zhNotMine.MatchString(zhSaying(clause).text) {
		return ""
	}
	of := ofPeople
	if inherits == user {
		of = ofUser
		if s.zhHas(clause, from, end) {
			return inherits
		}
	}
	s.zhPredicate(inherits, of, whole, clause, from, end)
	return inherits
}

// zhAsks reports whether a clause asks something.
func zhAsks(clause string) bool {
	return zhAskWord.MatchString(zhStillSo.ReplaceAllString(clause, "$1"))
}

// zhOpens reports whether a clause may be about the user without saying so: nobody else was spoken of in front of it.
func (s source) zhOpens(before string) bool {
	before = strings.TrimRight(before, "，,；; ")
	if zhSpeaksOf.MatchString(before) {
		return false
	}
	return utf8.RuneCountInString(before) <= 4 || strings.Contains(before, "我") || zhLead.FindString(before+"，") == before+"，" ||
		slices.ContainsFunc(s.reader.found, func(f memory.FactStatement) bool { return f.Subject == user && f.Start >= s.sentence.Rune })
}

var zhSpeaksOf = compile(`邻居|朋友|同事|同学|老师|客户|学生|病人|网友|哥们|师傅|老乡|室友|公司|单位|学校|[他她它]`)

// zhGaveUp reads that what was just told is over: 我吃素五年，去年放弃了.
func (s source) zhGaveUp(clause string) bool {
	n := len(s.reader.found) - 1
	if n < 0 || s.reader.found[n].Over || s.reader.found[n].Start < s.sentence.Rune || s.reader.found[n].Subject != user || !zhGivesUp.MatchString(clause) {
		return false
	}
	s.reader.found[n].Over = true
	return true
}

var (
	zhGivesUp    = compile(`^(?:但是?|不过|可是?|后来|去年|前年|今年|上个月|上周|最近|现在|已经|早就|就|又|也|我|终于|还是)*(?:放弃|戒|停|不干|不养|不吃|不喝|不做|不练|不学|不打|不用|不去|破戒|作罢|分手|分开|离)(?:掉)?了$`)
	zhSurname    = compile(`^我姓([\p{Han}]{1,2})$`)
	zhGivenName  = compile(`^(?:名叫|全名叫|叫|名字叫|名字是|全名是)([\p{Han}]{2,4})$`)
	zhIAm        = compile(`^我是((?:阿|小|老)?[\p{Han}]{1,3}|[A-Z][a-z]+)$`)
	zhHi         = compile(`^(?:你好|您好|大家好|嗨|嘿|哈喽|hi|Hi|hello|Hello)`)
	zhNoIAm      = compile(`[人生师者员的家手工长迷控族友粉]$|新手|小白|大一|大二|大三|大四|研一|研二|第一次|来自|新来|学生`)
	zhHates      = zh(`^(?:最|特别|超级|超|真的很|真的)(?:讨厌|受不了|不喜欢)`)
	zhShe        = compile(`^[她他它](?:的)?`)
	zhTelegram   = zh(`^(?:家里)?(?:刚刚?|终于|昨天|上周|上个月|最近|新|现在|已经|今年|去年)*(?:迷上了|爱上了|改吃|改用|戒了|住在|定居|辞职了|退休了|对.{1,6}过敏|领养了|收养了|养了|搬到了?|搬来了?|搬回了?|入职了?|跳槽到|换了|买了(?:一|辆|台|部)|坐标|祖籍|籍贯|老家(?:是|在))`)
	zhTelegraphs = compile(`^(?:瞒着[\p{Han}]{1,4})?(?:买|入手|提)了(?:一)?[辆台部套架]|^(?:土生土长|地道)的|^(?:从.{1,8}?)?(?:搬家?|迁|移居|跳槽)(?:到|去|来|回)|^(?:入职|就职于|住在|定居)`)
	zhTheyKnow   = compile(`^我[^，,]{0,6}(?:知道|听说|看到|发现|记得|相信|认识|告诉|问|带|陪|帮|让|请|替|教|叫)[他她它你您]`)
	zhMyself     = compile(`^(?:我是|我叫|本人|我就是)([\p{Han}]{2,3})$`)
	zhEachCalled = compile(`(?:一|另一|另外一|还有一)[只条个匹头](?:名字)?叫([\p{Han}A-Za-z]{1,8}?)(?:$|[，,])`)
	zhAnother    = compile(`([\p{Han}])[和、]?(另?一[只条个匹头]叫)`)
	zhIsNamed    = compile(`^(?:是|就是)([\p{Han}]{2,3})$`)
	zhGone       = compile(`^[上去前昨今刚已经年月周天底初个前两几春夏秋冬早晚就也都不久\d一二三四五六]{0,8}(?:送人|送走|走丢|跑丢|去世|过世|走|没|死|离世|病逝)了$`)
	// what is said of somebody whom the next clause goes on about
	zhStays = compile(`^(?:姓|(?:今年|现在|刚|在)*(?:上[小中大高初幼托职技研学一二三四五六七八九]|读|念)[\p{Han}\d]{0,6}$)`)
	// others whom the user names
	zhTheirs     = compile(`^(?:我们?|咱们?|俺)(?:的|家|公司|单位|班|学校|小区|村|楼上|楼下|隔壁|那个|有个|一个|有一个|好|老|大学|高中|初中|小学|以前的?|前|几个|有些|一位)*(?:邻居|朋友|同事|同学|老师|客户|学生|学员|病人|患者|粉丝|网友|好友|哥们儿?|兄弟们|师傅|师兄|师姐|师弟|师妹|老乡|房客|租客|队友|上司|下属|徒弟|亲戚)(?:们)?[^是叫，]`)
	zhItsName    = compile(`^(?:(?:取名|起名)(?:叫|为)?|(?:它的?|他|她)?(?:名字|名)?(?:叫做|叫作|叫|是)|我们?给(?:它|他|她)(?:取名|起名|取了?个?名字?|起了?个?名字?)(?:叫|为)?)(.+)$`)
	zhPastLead   = compile(`(?:以前|曾经|小时候|过去|之前)[，,、\s]*$`)
	zhNameBefore = zh(`^(` + zhCallName + `)` + zhAfterName)
	zhKinFirst   = zh(`^((?:大|小|老|二)?{people})(?:还|都|也|现在)*(?:叫|名叫|今年|是|在|住|对)`)
	zhAtNow      = compile(`^(?:在|去了?|到了?|换到了?|转到了?|来了?)([\p{Han}A-Za-z0-9]{2,10})(?:了|这边|那边)?$`)
	zhIsBreed    = zh(`^是(?:一)?(?:只|条)?(?:纯种)?({breeds})$`)
	zhAsWhat     = compile(`[当做]|上班|工作|担任`)
	zhNotCall    = compile(`^(?:的名字)?不(?:叫|是)`)
	zhGoesOn     = compile(`^(?:和|跟|与|、)`)
	zhHomeIs     = zh(`^{adv}(?:就)?(?:住)?在(.+)$`)
	zhNot        = compile(`^(?:没|不|别)`)
)

// zhFronted is a clause that begins with its object: 电动车我卖了.
var zhFronted = compile(`^([\p{Han}A-Za-z]{1,8})我((?:已经|早就|都|就|现在|也)*(?:不|没|再也不)?(?:用|学|吃|喝|卖|养|玩|打|读|碰|看|练))(?:掉)?了$`)

// zhBeforeI returns where 我 stands behind words of time or place, and whether these say that it was so once; 0, where
// something else stands in front of it.
func zhBeforeI(clause string) (at int, once bool) {
	at = strings.Index(clause, "我")
	if at <= 0 || at > 36 {
		return 0, false
	}
	head := clause[:at]
	for again := true; again && head != ""; {
		again = false
		for _, re := range []*pattern{zhOnce, zhOften, zhTime, zhAdverb, zhScope, zhDegree} {
			if m := re.FindString(head); m != "" {
				head, again = head[len(m):], true
				once = once || re == zhOnce
			}
		}
	}
	if strings.Trim(head, " ，,呢啊嘛") != "" && !(zhShortTopic.MatchString(head) && zhPlainly.MatchString(clause[at:])) {
		return 0, false
	}
	return at, once
}

var (
	zhShortTopic = compile(`^[^你您他她它这那谁说问看听让叫给帮]{1,18}$`) // 剪片子我从PR换成达芬奇了
	zhPlainly    = compile(`^我(?:从.{1,10}(?:换|改)|(?:一般|平时|一直|都|现在|主要)*用|的爱好)`)
)

var zhScope = compile(`^(?:[\p{Han}]{1,6}(?:以后|之后)|在[\p{Han}]{1,5}(?:里|中|上|面前)|所有[\p{Han}]{1,4}[里中]|(?:比起|相比|相较于|跟|和)[\p{Han}A-Za-z]{1,6}(?:相比|比)?(?:来说)?|在?(?:家里?|外面|单位|公司|学校)|关于[\p{Han}]{1,6}|论[\p{Han}]{1,4})`)

// zhRenewed reads "我的车牌换了，新的是粤B12345", a clause after the other.
func (s source) zhRenewed(clause string, from, end int) bool {
	if m := zhRenews.FindStringSubmatch(clause); m != nil {
		s.reader.topic = m[1]
		return false
	}
	topic := s.reader.topic
	s.reader.topic = ""
	m := zhNewOne.FindStringSubmatch(clause)
	return topic != "" && m != nil && s.zhPut(user, topic, m[1], from, end)
}

var (
	zhRenews = zh(`^(?:我的?|我们的?)?({attributes})(?:已经|刚刚?|又|最近|昨天|今天)*(?:变|换|改|更新|变更)(?:动|掉)?了$`)
	zhNewOne = compile(`^(?:新的|新号码?|新地址|新邮箱|新家|现在|改成|换成|变成)(?:现在)?(?:是|为|：|:)?(.+)$`)
)

// oneOf gives a name to one of several pets, people or things that were just counted.
func (s source) oneOf(name string, from, end int) bool {
	for i := len(s.reader.found) - 1; i >= 0; i-- {
		if f := s.reader.found[i]; strings.HasPrefix(f.Key, keyNumberOf) {
			s.add(memory.FactStatement{Subject: strings.TrimPrefix(f.Key, keyNumberOf), Key: keyName, Value: name}, from, end)
			return true
		}
	}
	return false
}

// same returns the value as the message has it: what was simplified is put back.
func (s source) same(v string, from, end int) string {
	simplified := mandarin(s.sentence.Text[from:end])
	if i := strings.LastIndex(simplified, v); i >= 0 {
		return s.sentence.Text[from+i : from+i+len(v)]
	}
	return v
}

// zhPredicate reads what is said of a subject.
func (s source) zhPredicate(subject string, of int, clause, predicate string, from, end int) bool {
	p := zhSaying(predicate)
	if p.text == "" {
		return false
	}
	at := s.reader.message.At
	if m := zhThisYear.FindStringSubmatch(strings.TrimSpace(predicate)); m != nil {
		for _, v := range zhAge(m[1]) {
			s.add(memory.FactStatement{Subject: subject, Key: keyAge, Value: v}, from, end)
			return true
		}
	}
	if of&ofUser != 0 && (p.over && zhThatFirm.MatchString(p.text) || p.done && !p.not && !p.soon && zhQuits.MatchString(p.text)) { // 辞职了: whatever the work was
		f := memory.FactStatement{Subject: subject, Key: keyEmployer, Value: "工作", Over: true, Any: true}
		s.add(f, from, end)
		f.Key = keyWork
		s.add(f, from, end)
		return true
	}
	if m := zhTakes.FindStringSubmatch(p.text); m != nil && p.often && !p.not && !p.past && zhMedical.MatchString(s.reader.message.Text) && !zhEdible.MatchString(m[1]) {
		s.add(memory.FactStatement{Subject: subject, Key: keyMedication, Value: s.same(m[1], from, end)}, from, end)
		return true
	}
	done := ""
	mine := strings.HasPrefix(strings.TrimSpace(clause), "我") || zhUser.MatchString(clause) || strings.Contains(clause, "我")
	for _, r := range zhRules {
		if r.key == keyName && of&ofUser != 0 && !mine && !zhNameNoun.MatchString(p.text) && !strings.Contains(s.sentence.Masked, "改名") || r.key == keyHobby && r.mood != lacking && p.done && !p.often && !p.lasted && !zhTakesUp.MatchString(p.text) {
			continue // 学了一道菜，叫做 …; 昨天去爬山了
		}
		if r.of != 0 && r.of&of == 0 || done != "" && zhBesides[done] != r.key {
			continue
		}
		said := p
		said.soon = p.soon && r.key != keyBirthday // which comes every year
		over, ok := r.mood.tells(said)
		if !ok || over && r.mood == state && !p.over && !p.not && !zhEndsByPast[r.key] {
			continue
		}
		text := p.text
		if r.key == keyBirthday {
			text = p.whole // the time in front is what is told
		}
		m := r.re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		values := r.value(m[1])
		if len(values) == 0 {
			continue
		}
		if (r.key == keyAvoids || r.key == keyDiet) && zhMeal.MatchString(clause) {
			return false
		}
		if !over && (p.soon || zhFuture.MatchString(clause)) && zhChanging[r.key] {
			return false
		}
		key := r.key
		if key == keyAvoids && p.over && zhMedical.MatchString(s.reader.message.Text) && !zhEdible.MatchString(values[0]) {
			key, over = keyMedication, true // 我不再吃络活喜了
		}
		switch {
		case key == keyUses && r.mood == change && zhPills.MatchString(clause):
			key = keyMedication
		case r.mood == taste && p.not && !p.over:
			key = keyDislikes
		case key == keyDislikes && p.done && zhLosesInterest.MatchString(p.text): // 我对足球没兴趣了
			key, over = keyLikes, true
		case key == keyHometown && p.done: // 我现在是绍兴人了
			key = keyHome
		}
		f := memory.FactStatement{Subject: subject, Key: key, Over: over}
		switch {
		case over:
			f.ValidFrom, f.EndedAt = lasted(clause, at)
		case r.since:
			f.ValidFrom = since(clause, at)
		}
		for _, v := range values {
			f.Value = s.same(v, from, end)
			s.add(f, from, end)
		}
		if r.key == keyUses && !over && r.mood == change {
			s.switched(values[0], from, end)
		}
		if r.key == keyUses && !over {
			if a := zhFromA.FindStringSubmatch(p.text); a != nil {
				for _, v := range zhTool(a[1]) {
					s.add(memory.FactStatement{Subject: subject, Key: key, Value: s.same(v, from, end), Over: true}, from, end)
				}
			}
		}
		done = r.key
	}
	return done != ""
}

var (
	zhMeal          = compile(`(?:^|[^从])(?:今天|今晚|今早|今儿|明天|昨天|昨晚|这顿|这餐|中午|这两天|这几天|上火|拉肚子|感冒|这会儿)`)
	zhNameNoun      = compile(`^(?:大名|全名|本名|真名|名字|名叫)`)
	zhTakesUp       = compile(`^(?:爱上|迷上|喜欢上|坚持|入坑|沉迷|会|改|收集|收藏)`)
	zhThisYear      = zh(`^(?:今年|现在|刚满|年满|虚岁|刚过|已经)(?:都|已经|刚|刚满|满|也)*({num})(?:周?岁)?(?:半)?(?:了|啦)?$`)
	zhLosesInterest = compile(`^对.+(?:没|无|不)(?:什么)?(?:兴趣|感兴趣|感)$`)
	zhTakes         = compile(`^(?:都|要|得|空腹|饭后|饭前)*(?:吃|服用|服|打)(?:[一二两半\d]+[片粒颗次])?([\p{Han}A-Za-z]{2,6})$`)
	zhPills         = compile(`[降吃开][\p{Han}]{0,2}药|药[片物我]|胰岛素`)
	zhMedical       = compile(`药|医生|医院|说明书|处方|副作用|剂量|复查|化验|停了|血压|血糖|甲减|甲亢|空腹|饭前|饭后|症状|病`)
	zhEdible        = compile(`肉|鱼|虾|蛋|奶|菜|面|米|饭|豆|果|瓜|茶|酒|糖|油|辣|麦|海鲜|花生|咖啡|芒|蒜|葱|姜|菇|零食|饮料|甜|素|荤|饼|糕|包|粉|汤`)
	zhThatFirm      = compile(`^在(?:那家|这家|原来的?|之前的?|那个)(?:公司|单位)(?:干|做|上班)?$`)
	zhQuits         = compile(`^(?:换工作|换了工作|换了份工作|换公司|换单位|跳槽|辞职|离职|裸辞|被裁|被裁员|被公司裁员?|被辞退|被公司辞退|被公司优化|被优化|失业|辞工|被开除|辞掉工作|把工作辞|丢工作|丢了工作|下岗)(?:了|掉)*$`)
	zhBesides       = map[string]string{keyWork: keyEmployer, keyEmployer: keyWork, keyStudies: keySchool, keySchool: keyStudies, keyOwns: keyOwns, keyBirthplace: keyHometown, keyHome: keyStudies, "年级": keySchool}
	zhChanging      = set(keyHome, keyEmployer, keyWork, keyMarital, keyOwns, keySchool)
)

var (
	zhFromA        = compile(`从(.{1,12}?)(?:换成|改用|换用|换到|切换到|转到|转用|迁移到)`)
	zhParticleSoft = compile(`(?:啦|呢|哦|噢|啊|呀|吧|哈|喔|嘛|哟|而已|来着|[~～！!。.…\s])+$`)
)

// zhNamed reads names that others use: 叫我小李.
func (s source) zhNamed(clause string, from, end int) bool {
	m := zhCallMe.FindStringSubmatch(clause)
	if m == nil {
		return false
	}
	names := zhNames(zhEnough.ReplaceAllString(m[1], ""))
	if len(names) != 1 {
		return false
	}
	s.add(memory.FactStatement{Subject: user, Key: keyNickname, Value: s.same(names[0], from, end)}, from, end)
	return true
}

var (
	zhCallMe = compile(`^(?:(?:请|你|您|大伙儿?|街坊们?|邻居们?|学生们?|同学们?|队友们?|圈里人?|厂里|村里人?|都|可以|就|都|大家|朋友们?|同事们?|家人|身边的人|别人|平时|以后|直接)*)(?:(?:叫|喊|称呼)我(?:为|做)?|管我叫)(.+)$`)
	zhEnough = compile(`(?:就行了?|就好了?|吧|就可以了?|即可|好了|都行)+$`)
)

// zhHas reads what somebody has: people, pets and things, by number or by name.
func (s source) zhHas(rest string, from, end int) bool {
	m := zhHave.FindStringSubmatch(rest)
	if m == nil || strings.HasPrefix(m[1], "过") {
		return false
	}
	found := false
	for i, item := range zhAnd.Split(zhCounts.ReplaceAllString(m[1], "$1、$2"), -1) {
		h := zhHeld.FindStringSubmatch(item)
		if h == nil {
			h = zhHeldStock.FindStringSubmatch(item)
		}
		if h == nil {
			if i == 0 {
				return false
			}
			break
		}
		count, before, adjective, noun, after := hanNumber(h[1]), h[2], h[3], h[4], h[5]
		if zhNoHave.MatchString(adjective) || zhIsStock.MatchString(noun) && hanNumber(h[1]) < 2 {
			break
		}
		if h[1] == "" {
			count = 1
		}
		name := before
		if a := zhIsCalled.FindStringSubmatch(after); a != nil {
			name = a[1]
		} else if after != "" && !zhHeldTail.MatchString(after) {
			break
		}
		key := keyOwns
		switch {
		case zhIsPerson.MatchString(noun):
			key = keyFamily
		case zhIsPet.MatchString(noun):
			key = keyPet
		}
		whole := adjective + noun
		names := zhNameList(name)
		switch {
		case len(names) > 0:
			for _, n := range names {
				s.add(memory.FactStatement{Subject: noun, Key: keyName, Value: s.same(n, from, end)}, from, end)
			}
		case count > 1:
			s.add(memory.FactStatement{Subject: user, Key: keyNumberOf + s.same(whole, from, end), Value: digits(h[1])}, from, end)
		default:
			s.add(memory.FactStatement{Subject: user, Key: key, Value: s.same(whole, from, end)}, from, end)
		}
		found = true
	}
	return found
}

var (
	zhHave      = zh(`^(?:家里?)?{adv}(?:里)?(?:还)?(?:有|养了|养着|养|领养了|收养了|捡了|收留了|领了|买了|新买了|刚买了|拥有|生了|带着)(.+?)(?:了)?$`)
	zhCounts    = compile(`([姐妹哥弟子女儿狗猫车])([一二两三四五六七八九十\d]+[个只条辆])`) // 两个姐姐一个弟弟
	zhAnd       = compile(`(?:、|和|跟|以及|还有|，)`)
	zhHeld      = zh(`^(?:了)?({num})?(?:{measure})?(?:(?:名字)?叫([\p{Han}A-Za-z]{1,8}?)的)?([\p{Han}A-Za-z]{0,5}?)({people}|{pets}|{things})(.*)$`)
	zhHeldStock = zh(`^(?:了)?({num})?(?:{measure})?()([\p{Han}A-Za-z]{0,3}?)({stock})(.*)$`)
	zhHeldTail  = compile(`^(?:在|住在|比我|今年|都在|都是|也在|正在)`)
	zhIsCalled  = compile(`^[，,]?(?:它的?|名字|名)?(?:分别)?叫(.+)$`)
	zhIsStock   = zh(`^{stock}$`) // of which only the number tells something
	zhIsPerson  = zh(`^{people}$`)
	zhIsPet     = zh(`^{pets}$`)
	zhNoHave    = compile(`的$|问题|会议|没|不|朋友|同学|同事|客户|想|梦|租|坏|借`)
)

func zhNameList(v string) []string {
	if v == "" {
		return nil
	}
	var out []string
	for _, p := range zhAnd.Split(v, -1) {
		n := zhNames(p)
		if len(n) == 0 {
			return nil
		}
		out = append(out, n...)
	}
	return out
}

// zhThing reads a clause about something of the user's, or an attribute of theirs.
func (s source) zhThing(clause string, from, end int) (subject string, ok bool) {
	if m := zhFavourite.FindStringSubmatch(clause); m != nil {
		return user, s.zhPut(user, m[1], m[2], from, end)
	}
	if m := zhUser.FindString(clause); m != "" && s.zhHas(clause[len(m):], from, end) {
		return user, true
	}
	if m := zhBackwards.FindStringSubmatch(clause); m != nil && !zhNotMine.MatchString(m[1]) {
		return user, s.zhPut(user, m[2], m[1], from, end)
	}
	if m := zhHasDate.FindStringSubmatch(clause); m != nil && !zhNoStart.MatchString(m[2]) {
		if d, ok := day(m[1], s.reader.message.At); ok {
			s.add(memory.FactStatement{Subject: s.same(m[2], from, end), Key: keyDate, Value: d}, from, end)
			return user, true
		}
	}
	if m := zhOnDate.FindStringSubmatch(clause); m != nil && !zhNoStart.MatchString(m[2]) && !strings.ContainsAny(m[2], "了做买坐看去的") {
		if d, ok := day(m[1], s.reader.message.At); ok {
			s.add(memory.FactStatement{Subject: s.same(m[2], from, end), Key: keyDate, Value: d}, from, end)
			return user, true
		}
	}
	if m := zhDateIs.FindStringSubmatch(clause); m != nil {
		if b := birthday(m[1]); b != "" {
			return user, s.zhPut(user, m[2], m[1], from, end)
		}
	}
	for _, re := range zhChanges {
		m := re.FindStringSubmatch(clause)
		if m == nil {
			continue
		}
		subject, key := user, m[2]
		if zhKinAhead.MatchString(key) {
			continue // 我妈生日 is hers
		}
		m[1] = zhEveryDay.ReplaceAllString(m[1], "")
		if zhDoing.MatchString(m[1]) && zhMeasured.MatchString(tidy(zhParticle.ReplaceAllString(m[3], ""))) { // 我买菜的预算
			key = m[1] + key
		}
		if m[1] != "" && !zhDoing.MatchString(m[1]) && !(zhTechRe.MatchString(key) && zhProject.MatchString(m[1])) { // 我读研的导师 is mine
			subject = m[1]
		}
		if zhDayOf.MatchString(key) && subject != user && subject != "" { // 我拔牙的日子改成4月2号
			if d, ok := day(zhDatePlace.ReplaceAllString(tidy(zhParticle.ReplaceAllString(m[3], "")), ""), s.reader.message.At); ok {
				s.add(memory.FactStatement{Subject: s.same(subject, from, end), Key: keyDate, Value: d}, from, end)
				return user, true
			}
		}
		if zhPapers.MatchString(subject) {
			subject = user // 我身份证上的名字
		}
		if s.zhPut(subject, key, m[3], from, end) {
			return user, true
		}
	}
	if m := zhCalled.FindStringSubmatch(clause); m != nil {
		names := zhNameList(zhParticle.ReplaceAllString(m[3], ""))
		m[1] = strings.TrimSuffix(zhCounter.ReplaceAllString(m[1], ""), "分别")
		key := keyName
		if m[2] == "小名" || m[2] == "昵称" || m[2] == "外号" {
			key = keyNickname
		}
		if len(names) > 0 && !zhNoName.MatchString(m[1]) {
			for _, n := range names {
				s.add(memory.FactStatement{Subject: s.same(m[1], from, end), Key: key, Value: s.same(n, from, end)}, from, end)
			}
			subject := ""
			if zhIsPerson.MatchString(m[1]) || zhIsPet.MatchString(m[1]) {
				subject = m[1]
			}
			return subject, true
		}
	}
	if m := zhMembers.FindStringSubmatch(clause); m != nil {
		s.add(memory.FactStatement{Subject: s.same(m[1], from, end), Key: keyNumberOf + m[3], Value: digits(m[2])}, from, end)
		return user, true
	}
	return "", false
}

// zhSubjectThing reads an attribute of a person or pet.
func (s source) zhSubjectThing(subject, rest string, _, from, end int) bool {
	if m := zhBirthdayOf.FindStringSubmatch(rest); m != nil && (birthday(m[1]) != "" || zhLunar.MatchString(m[1])) {
		return s.zhPut(subject, "生日", m[1], from, end)
	}
	m := zhOwnAttr.FindStringSubmatch(rest)
	return m != nil && s.zhPut(subject, m[1], m[2]+m[3], from, end)
}

var (
	zhFavourite = zh(`^(?:我|我们)(?:现在|一直)?(最(?:喜欢|爱)(?:吃|喝|看|听|玩|去)?的[\p{Han}A-Za-z]{1,8}?)(?:一直|现在|还|就|目前|依然|永远)*(?:是|叫)(.+)$`)
	zhBackwards = zh(`^(.{1,16}?)(?:一直|就)?是我(最(?:喜欢|爱)的[\p{Han}]{1,8})$`)
	zhHasDate   = zh(`^(?:我|我们)?(.{1,20}?)(?:我们?)?(?:要去考|要考|考|(?:要)?(?:去|到)(?:医院|学校|公司|[\p{Han}]{2,4}医院)|要去|要|有|我|的|去)(?:一?个|一?场|一?次|一?趟)?(?:参加)?({event})$`)
	zhOnDate    = zh(`^(?:我|我们)(.{1,14}?(?:日|号|点|半|分|周[一二三四五六日天]|天))({event})$`)
	zhDateIs    = zh(`^(.{3,14}?)是我(?:(?:和|跟)[^的]{1,6}的|们的?|的)?([\p{Han}]{0,4}(?:纪念日|生日))$`)
	zhCalled    = zh(`^(?:我们家的|我们的|我家的|我们家|我们|我家|我的|我)([\p{Han}A-Za-z]{1,8}?)(?:的)?(小名|昵称|外号|大名|全名|英文名|名字)?(?:现在|新|已经)?(?:改名)?(?:叫做|叫作|叫|取名为?|命名为|改名为)(.+)$`)
	zhNoName    = compile(`^(?:人物|角色|主角|主人公|变量|函数|文件|文件夹|类|账号|大名|全名|本名|真名|小名|乳名|外号|绰号)$|^(?:改名|更名|改|有|养|买|领|把|从|朋友|同学|同事|邻居|领导|老师|们|不|没|想|会|能|也|就|都|要|可以|喜欢|听|让|请|被|把|在|给|今天|昨天|刚|刚才|刚刚|经常|一直|现在|平时)|[不没想会要听让请被把给]$|(?:有|养|买|领养|捡|开|办|创办|建|写|做|看|听|读)(?:了|过|着)?[一两几]?[只条个家匹辆本部首]|^(?:以前|曾经|之前|原来|原先|从前|过去|小时候|后来|将来|以后)$`)
	zhCounter   = compile(`^(?:这|那)?[一两二三四五六]?[只条个匹]`)
	zhMembers   = zh(`^(?:我们|我)的?(团队|部门|公司|班|班级|小组|项目组|家|乐队|球队)(?:里|现在|目前|一共|总共|共)*(?:有|是)?({num}|\d+)(?:个|名|位|口)?(人|成员|同事|学生|员工)$`)
	zhOwnAttr   = zh(`^的?({attributes}|名字|最(?:喜欢|爱)的[\p{Han}]{1,8}?)(?:现在|目前|已经|一直|都|就|大概|大约)*(?:(?:是|为|：|:|叫做?|在|改成了?|变成了?|换成了?)(.+)|([¥$€]?\d[\d.,]*\D{0,6}))$`)
	// Whose (first group, may be empty), which attribute, what it is now.
	zhChanges = []*pattern{
		zh(`^(?:我们?|房东|银行|公司|老板|他们|学校|医生|教练|老师)?(?:已经|刚刚|刚|又|最近|今天|昨天)*把(?:我们?的?)?(?:([\p{Han}A-Za-z]{1,8}?)的)?([\p{Han}A-Za-z]{2,10}?)(?:从.{1,12}?)?(?:给|又)?{changed}(.+)$`),
		zh(`^(?:我们?|我家)(?:的)?(?:([\p{Han}A-Za-z]{1,8}?)的)?([\p{Han}A-Za-z]{2,10}?)(?:已经|刚刚|刚|又|现在|最近|今年|这个月|上个月|从.{1,12}?)*{changed}(.+)$`),
		zh(`^()([\p{Han}]{2,8}?)我(?:们)?(?:已经|刚刚|刚|又|给)*{changed}(.+)$`),
		zh(`^()((?:婚礼|面试|手术|考试|答辩|会议|开会|体检|复诊|搬家)(?:的?时间|的?日期)?)(?:已经|刚刚|刚|又|现在|最后|从.{1,12}?)*(?:定在|定到|改到|改成|改在|推迟到|提前到|延期到|安排在|约在)(?:了)?(.+)$`),
		zh(`^()((?:我家|我们家)?(?:(?:买菜|装修|旅游|旅行|婚礼|伙食|生活|每月|聚会|购物)?预算|房租|月供|房贷|工资|月薪|年薪|会员费|学费|物业费|健身房会费|数据库|框架|技术栈|编辑器|操作系统))(?:已经|刚刚|刚|又|现在|最近|今年|这个月|上个月|从.{1,12}?)*{changed}(.+)$`),
		zh(`^(?:我们?|我家)(?:的)?(?:([\p{Han}A-Za-z]{1,8}?)的)?({attributes})(?:现在|目前|已经|一直|都|就|每个?月|一个月|每年|大概|大约|其实|还)*(?:是|为|：|:|叫做?|在|等于|有)(.+)$`),
		zh(`^(?:我们?)(?:和|跟|与)[^的，,]{1,6}的()({attributes})(?:就)?(?:是|在|为)(.+)$`),
		zh(`^(?:我们?|我家)(?:的)?()([\p{Han}A-Za-z]{1,6}?{attributes})(?:现在|目前|已经|一直|都|就|每个?月|一个月|每年|大概|大约|其实|还)*(?:是|为|：|:)(.+)$`),
		zh(`^(?:我们?|我家)(?:的)?()({things})(?:现在|是|还)*是(?:一[辆台部]|[辆台部])?((?:\p{Han}{0,3})(?:比亚迪|丰田|本田|大众|宝马|奔驰|奥迪|吉利|日产|福特|特斯拉|蔚来|理想|小鹏|五菱|联想|华为|小米|苹果|戴尔|华硕|惠普|佳能|尼康|索尼|富士|大疆|雅马哈|捷安特|海尔|美的|格力|西门子|松下|方太|海信|创维|荣耀|长虹|小天鹅|戴森|[A-Za-z]).{0,10}?)(?:的|牌)?$`),
		zh(`^(?:我们?|我家)(?:的)?(?:新)?()({attributes})(?:现在|目前|已经|每个?月|一个月|每年|大概|大约)*([\d一二两三四五六七八九][\d.,]*.{0,8})$`),
		zh(`^(?:我们?|我家)的(?:([\p{Han}A-Za-z]{1,8}?)的)?([\p{Han}A-Za-z]{2,10}?)(?:现在|目前|已经|一直|每个?月|一个月|每年|大概|大约|其实)*(?:是|为)((?:[¥$€]?\d).{0,12})$`),
		zh(`^(?:我们?|我家)(?:的)?(?:([\p{Han}A-Za-z]{1,8}?)的)?({event})(?:的?(?:日期|时间))?(?:定|安排|改|推迟|提前|约|到期)*(?:到|在|是|于|为)(?:了)?(.+)$`),
		zh(`^(?:我们?|我家)(?:的)?(?:([\p{Han}A-Za-z]{1,8}?)的)?({event})((?:下|这|本|明|后|\d|[一二三四五六七八九十]).{1,12})$`),
	}
	zhKinAhead   = zh(`^(?:{people}|妈妈?|爸爸?|老婆|老公|儿子|女儿|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|外婆|外公|媳妇|爱人|{pets})(?:{attributes})`)
	zhBirthdayOf = compile(`^的?生日(?:是|在)?(.+?)$`)
	zhDayOf      = compile(`^(?:日子|时间|日期)$`)
	zhEveryDay   = compile(`^(?:每天|每日|每个?月|每周|每年|平时|现在|目前|今年|这个月)`)
	zhPapers     = compile(`(?:身份证|护照|户口本|证件|病历|档案|驾照|学籍|简历|银行卡|户口)(?:上|里|本上)?$`)
	zhTechRe     = zh(`^(?:` + zhTech + `)$`)
	zhProject    = compile(`(?:项目|公司|团队|网站|应用|系统|产品|服务)$`)
	zhDoing      = compile(`^(?:读|上|考|买|住|用|开|学|做|去|在|写|看|租|坐)`)
	zhAdverbs    = compile(`(?:还是|终于|已经|现在|其实|也|都|就|还|又|总算|居然|刚刚?|最近)+$`)
	zhNoStart    = zh(`^(?:把|从|有|在|给|被|想|会|要|没|不|让|请|两|三|几|一|今天|明天|昨天|也|都|就|们|和|跟)`)
	zhNoAttr     = zh(`问题|意思|观点|想法|建议|答案|作业|代码|文章|题目|结果|心情|感觉|意见|疑问|理解|回答|程序|脚本|(?:^|[这那的句])话|重点|方法|逻辑|思路|看法|需求|要求|任务|梦|(?:[^重]要|想|会|能|可能|应该)$`)
	zhEventRe    = zh(`^{event}$`)
	zhMeasured   = zh(`^(?:每个?月|每年|一个月|每周)?[¥$€￥]?\d[\d.,:：]*\s?(?:%|％|万|千|亿|k|K)?[\p{Han}A-Za-z/]{0,6}$|^百分之[\p{Han}\d.]{1,6}$|^[一二两三四五六七八九十百千万]+(?:块|元|点|个|岁|公斤|斤|年|天|人|次|级|楼|层|米|小时|分钟)?[\p{Han}]{0,2}$`)
	zhAttrRe     = zh(`^(?:[\p{Han}A-Za-z]{0,4}?)?{attributes}$`)
	zhMoody      = zh(`^(?:限$|有限|充足|紧张|星辰|很|太|挺|非常|真|有点|不|没|这|那|什么|怎么|你|他|她|它|一个问题|秘密|个秘密|对的|错的|假的|真的|关于|因为|为了|如何|多少|上面|下面|以下|最|好|坏|跟|和|在|要|想|应该|正确|为|被|由)|不好|不行|坏了|丢了|忘了|没了|满了|高了|低了|问题`)
	zhPhoneRe    = compile(`^\+?\d[\d -]{5,18}$`)
	zhUnlike     = compile(`[，,、]?(?:而)?不是.*$`)
	zhPrefixIs   = compile(`^(?:了|成|到|大概|大约|现在|是)+`)
	zhDatePlace  = compile(`^(?:定在|改到|改成|推迟到|提前到|安排在|约在|在|是|于|到)+`)
)

// zhPut stores the value of an attribute, false where the text is no value that could be kept.
func (s source) zhPut(subject, key, raw string, from, end int) bool {
	at := s.reader.message.At
	v := tidy(zhParticle.ReplaceAllString(zhUnlike.ReplaceAllString(raw, ""), ""))
	v = zhPrefixIs.ReplaceAllString(v, "")
	key = strings.TrimPrefix(strings.TrimPrefix(key, "的"), "新")
	key = zhAdverbs.ReplaceAllString(strings.TrimPrefix(key, "我的"), "")
	if strings.HasSuffix(raw, "到期") && !zhEventRe.MatchString(key) {
		return false // 房租7月到期
	}
	if v == "" || key == "" || zhNoStart.MatchString(key) || zhNoStart.MatchString(subject) || zhNoAttr.MatchString(key) || zhNoAttr.MatchString(subject) || zhAskWord.MatchString(v) || utf8.RuneCountInString(v) > 24 {
		return false
	}
	if zhIsPerson.MatchString(key) && subject == user { // 我老板叫钱国富
		if names := zhNames(v); len(names) == 1 && (zhBareName.MatchString(names[0]) || !zhNotAName.MatchString(names[0]) && strings.Contains(clauseOf(s, from, end), "叫")) {
			s.add(memory.FactStatement{Subject: s.same(key, from, end), Key: keyName, Value: s.same(names[0], from, end)}, from, end)
			return true
		}
		return false
	}
	if event := zhEventAt.ReplaceAllString(key, ""); event != key && zhEventRe.MatchString(event) {
		key = event // 复查时间
	}
	k := zhKey(key)
	put := func(key, value string) bool {
		s.add(memory.FactStatement{Subject: s.same(subject, from, end), Key: key, Value: value}, from, end)
		return true
	}
	switch k {
	case keyBirthday:
		b := birthday(v)
		if b == "" && zhLunar.MatchString(v) {
			b = s.same(v, from, end)
		}
		return b != "" && put(k, b)
	case keyPhone:
		if key == "手机" && !zhMoody.MatchString(v) && strings.ContainsFunc(v, unicode.IsLetter) && zhThingRe.MatchString(v) { // 华为Mate60: no number
			return put(key, s.same(v, from, end))
		}
		return zhPhoneRe.MatchString(v) && put(k, v)
	case keyEmail:
		return strings.Contains(v, "@") && put(k, v)
	case keyHometown, keyHome:
		p := zhPlace(v)
		return p != nil && put(k, s.same(p[0], from, end))
	case keyName, keyNickname:
		p := zhNames(v)
		return len(p) == 1 && put(k, s.same(p[0], from, end))
	case keySpeaks:
		p := zhTongues(v)
		for _, t := range p {
			put(k, s.same(t, from, end))
		}
		return p != nil
	case keyWork:
		p := zhJob(strings.TrimPrefix(strings.TrimPrefix(v, "一名"), "一个"))
		if p == nil || !zhJobRe.MatchString(p[0]) {
			return false
		}
		return put(k, s.same(p[0], from, end))
	case keyHobby:
		p := zhTastes(v)
		for _, t := range p {
			put(k, s.same(t, from, end))
		}
		return p != nil
	}
	if strings.HasSuffix(key, "纪念日") {
		b := birthday(v)
		return b != "" && put(s.same(key, from, end), b)
	}
	if d, ok := day(zhDatePlace.ReplaceAllString(v, ""), at); ok && !strings.HasSuffix(key, "号") {
		switch {
		case zhEventRe.MatchString(key) && !strings.HasSuffix(key, "日期"):
			s.add(memory.FactStatement{Subject: s.same(key, from, end), Key: keyDate, Value: d}, from, end)
			return true
		case zhAttrRe.MatchString(key) || strings.HasSuffix(key, "日期") || strings.HasSuffix(key, "时间"):
			return put(s.same(key, from, end), d)
		}
		if !zhMeasured.MatchString(v) {
			return false
		}
	}
	if zhEventRe.MatchString(key) && !strings.HasSuffix(key, "日期") {
		return false
	}
	if k != key { // height and its like
		return zhMeasured.MatchString(v) && put(k, s.same(v, from, end)) || !zhMoody.MatchString(v) && (k == keyBlood || k == keyNationality || k == keyStudies || k == keyTimezone || k == keySchool && zhSchoolish.MatchString(v) || k == keyAddress) && put(k, s.same(v, from, end))
	}
	if zhMeasured.MatchString(v) || (zhAttrRe.MatchString(key) || zhThingOnly.MatchString(key) || strings.HasPrefix(key, "最")) && !zhMoody.MatchString(v) && utf8.RuneCountInString(v) <= 16 {
		return put(s.same(key, from, end), s.same(v, from, end))
	}
	return false
}

// clauseOf returns bytes [from, end) of the sentence as rules read it.
func clauseOf(s source, from, end int) string { return mandarin(s.sentence.Masked[from:end]) }

var zhSchoolish = compile(`(?:大学|学院|学校|中|小学|高中|初中|校|大|清华|复旦|同济)$`)

// zhLunar is a day of the lunar calendar, which stays as it is.
var zhLunar = compile(`^(?:农历|阴历)?(?:正|冬|腊|[一二三四五六七八九十]{1,2})月(?:初[一二三四五六七八九十]|十[一二三四五六七八九]|二?十|廿[一二三四五六七八九]|三十)$|^(?:农历|阴历)`)

var zhEventAt = compile(`的?时间$`)

var zhJobRe = zh(`{jobs}$`)

// zhKey returns the known key of an attribute, or the attribute itself.
func zhKey(attribute string) string {
	switch attribute {
	case "名字", "全名", "姓名", "大名":
		return keyName
	case "小名", "昵称", "外号":
		return keyNickname
	case "生日":
		return keyBirthday
	case "年龄":
		return keyAge
	case "电话", "电话号码", "手机号", "手机号码", "手机":
		return keyPhone
	case "邮箱", "邮箱地址":
		return keyEmail
	case "地址", "家庭住址", "住址", "收货地址", "家庭地址":
		return keyAddress
	case "职业", "工作", "职位":
		return keyWork
	case "老家", "家乡", "籍贯":
		return keyHometown
	case "国籍":
		return keyNationality
	case "专业":
		return keyStudies
	case "学校":
		return keySchool
	case "身高":
		return keyHeight
	case "体重":
		return keyWeight
	case "血型":
		return keyBlood
	case "时区":
		return keyTimezone
	case "母语":
		return keySpeaks
	case "爱好", "兴趣":
		return keyHobby
	}
	return attribute
}

// zhCorrection reads a correction of what was stated last: 其实是10%, 不对，应该是周二.
func (s source) zhCorrection(clause string, from, end int) bool {
	last := s.reader.last
	if last == nil || last.Many {
		return false
	}
	m := zhItIs.FindStringSubmatch(clause)
	if m == nil {
		return false
	}
	before := mandarin(s.sentence.Masked[:end])
	if !zhCue.MatchString(before) && !zhItChanged.MatchString(clause) {
		return false
	}
	v := tidy(zhParticle.ReplaceAllString(zhUnlike.ReplaceAllString(m[1], ""), ""))
	if d, ok := day(v, s.reader.message.At); ok && kindOf(last.Value) == 1 {
		v = d
	} else if b := birthday(v); b != "" && last.Key == keyBirthday {
		v = b
	} else if zhMoody.MatchString(v) || zhAskWord.MatchString(v) || utf8.RuneCountInString(v) > 16 {
		return false
	}
	if v == "" || kindOf(v) != kindOf(last.Value) || v == last.Value || hasHan(v) != hasHan(last.Value) && kindOf(v) > 2 {
		return false
	}
	if kindOf(v) > 2 && last.Key != keyHome && last.Key != keyName && last.Key != keyHometown && last.Key != keyEmployer && last.Key != keyWork && !strings.HasPrefix(last.Key, "最") {
		return false
	}
	s.add(memory.FactStatement{Subject: last.Subject, Key: last.Key, Value: s.same(v, from, end), Confidence: corrected}, from, end)
	return true
}

var (
	zhItIs      = zh(`^(?:它|这个|那个)?(?:现在|已经|又|后来|其实|应该|准确地说)*(?:是|{changed}|应该是)(.+)$`)
	zhItChanged = zh(`^(?:它|这个|那个)?(?:现在|已经|又|后来)*{changed}`)
	zhCue       = compile(`其实|不对|更正|说错|记错|应该是|不好意思|抱歉|准确|纠正|搞错|弄错|打错|不是`)
)

var (
	zhNotPlace = zh(`工位|客厅|卧室|书房|阳台|沙发|厨房|办公室|会议室|教室|座位|\d{3}$|[直截]到|^(?:一|这|那|哪|自己|父母|朋友|爸妈|他|她|你|我|学校|宿舍|公司|家|别|同|隔壁|对面|楼|酒店|宾馆|医院|农村$|乡下$|城里$|国外$|外地$|里面|外面|上面|附近|租|新家|新房|大房|小区|市中心|郊区|市区|老家$|男朋友|女朋友|水|火|幸福|痛苦|恐惧|压力|现在|过去|梦|幻想|网上|线上)|附近$|楼上|楼下|隔壁|一起|里$|[家手心梦途其水空课会]中$|家$|里[\p{Han}]{2}$|图书馆|办公室|朋友家|装修|搬家|做饭|吃饭|收拾|打扫|过年|翻新|什么|时候|时间|水深火热|^[\p{Han}\d]{1,3}(?:楼|层|环|号楼)$`)
	zhTailOf   = compile(`(?:这边|那边|这里|那里|定居|生活|工作|上班|居住|住|了|来|发展|上学|读书|[\d一二两三四五六七八九十几]+年多?了?|已经.*|快.*年了?)+$`)
	zhPlaceIs  = zh(`^[\p{Han}A-Za-z·]{2,14}$`)
)

// zhPlace returns a place.
func zhPlace(v string) []string {
	v = tidy(zhParticle.ReplaceAllString(v, ""))
	for {
		t := zhTailOf.ReplaceAllString(v, "")
		if t == v || t == "" {
			break
		}
		v = t
	}
	v = strings.TrimPrefix(v, "了")
	if rest, is := strings.CutPrefix(v, "老家"); is && rest != "" {
		v = rest
	}
	if !zhPlaceIs.MatchString(v) || zhNotPlace.MatchString(v) || strings.ContainsAny(v, "的") {
		return nil
	}
	return []string{v}
}

func zhBirthplace(v string) []string {
	if strings.ContainsFunc(v, unicode.IsDigit) {
		return nil
	}
	return zhPlace(v)
}

var zhFromRe = zh(`^(?:北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门|东北|{cities}|{towns})[\p{Han}]{0,4}$|[市县省区镇村州]$`)

// zhNowhere is where many are from, and which says nothing of where.
var zhNowhere = compile(`^(?:外地|外省|外乡|农村|乡下|城里|山里|小地方|小县城|大城市)$`)

// zhFrom returns where somebody is from: 四川人.
func zhFrom(v string) []string {
	if zhFromRe.MatchString(v) && !zhNowhere.MatchString(v) {
		return []string{v}
	}
	return nil
}

var (
	zhNameRe   = compile(`^(?:[\p{Han}]{1,2}[A-Za-z]{1,8}|[\p{Han}]{1,4}(?:·[\p{Han}]{1,6})?|[A-Za-z][A-Za-z'’.-]*(?: [A-Za-z][A-Za-z'’.-]*){0,2}|\x01+)$`)
	zhNotAName = zh(`^(?:张三|李四|王五|赵六|某某|外卖|滴滴|快递|救护车|出租车|车|了|他|她|它|你|人|醒|不|什么|一(?:个|声|下|次|起|样|直|般|些|点|句|辆|台|只)|得|起来|个不停|好|大家|朋友|早餐|午餐|晚餐|早饭|午饭|晚饭|奶茶|咖啡|苦|停|板|价|座|号|牌|做|我|这|那|爸爸|妈妈|救命|加油|(?:孩子|儿子|女儿|老公|老婆|老师|同学|妹妹|弟弟|哥哥|姐姐).*|天天|唤|喊|嚷|屈|绝|真|过|着|两|三|唤声|声|上|来|去|秘密)|[了过着的]$|什么|哪|谁`)
)

// zhNames returns the name that a text is.
func zhNames(v string) []string {
	v = tidy(zhUnlike.ReplaceAllString(zhParticle.ReplaceAllString(v, ""), ""))
	if !zhNameRe.MatchString(v) || zhNotAName.MatchString(v) || len([]rune(v)) == 1 && hasHan(v) {
		return nil
	}
	return []string{v}
}

func zhAge(v string) []string {
	n := hanNumber(v)
	if n < 1 || n > 120 {
		return nil
	}
	return []string{digits(v)}
}

func zhBirthday(v string) []string {
	v = strings.TrimSuffix(strings.TrimSuffix(v, "出生"), "生")
	if b := birthday(v); b != "" {
		return []string{b}
	}
	return nil
}

func zhWhole(v string) []string {
	if v = tidy(v); v == "" {
		return nil
	}
	return []string{v}
}

var zhNoJob = zh(`^(?:打工人$|老司机$|社畜$|牛马$|干饭人$|好|坏|差|优秀|合格|普通|一般|你|他|她|我|这|那|什么|不是|没)|的`)

func zhJob(v string) []string {
	v = tidy(v)
	if words := strings.Fields(v); !hasHan(v) && len(words) > 0 { // 做 data analyst
		return enJob("a " + v)
	}
	for _, w := range []string{"一名", "一个", "一位", "名", "个", "位"} {
		v = strings.TrimPrefix(v, w)
	}
	if i := strings.LastIndex(v, "的"); i > 0 && zhJobRe.MatchString(v) { // 字节的产品经理
		v = v[i+len("的"):]
	}
	if v == "体户" {
		v = "个体户"
	}
	if v == "" || zhNoJob.MatchString(v) {
		return nil
	}
	return []string{v}
}

var zhFieldRe = zh(`^{fields}(?:工作|行业|方面)?$`)

func zhField(v string) []string {
	v = tidy(v)
	if !zhFieldRe.MatchString(v) {
		return nil
	}
	return []string{v}
}

var (
	zhCityOnly   = zh(`^{cities}(?:市)?$`)
	zhNotFirm    = zh(`^(?:找|做|忙|干|家|这|那|哪|当前|现在|目前|外面|自己|里|线上|网上|办公室|室内|户外|晚上|白天|周末|早上|夜里|疫情|业余|国内|什么|努力|认真|同一|不同|一起|他|她|你|我|大学|学校)$|^(?:找|当前|这家|那家|原来|之前|以前|新公司$|新单位$|新的)|时$|时候|的时候|期间|里面|这里|那里|[找换谈](?:到|了)|(?:份|个|的)新?$|新$`)
	zhFirmCalled = compile(`^(?:一家|一个|一所|家)?叫(.{1,12}?)的`)
	zhFirmFront  = compile(`^(?:一家|一所|一个|一间|家|所|某|一)`)
)

// zhCompany returns an employer; a city is none.
func zhCompany(v string) []string {
	v = tidy(v)
	if m := zhFirmCalled.FindStringSubmatch(v); m != nil {
		return []string{m[1]}
	}
	v = zhFirmFront.ReplaceAllString(v, "")
	if i := strings.Index(v, "的"); i >= 0 { // 北京的一家银行
		v = zhFirmFront.ReplaceAllString(strings.TrimPrefix(v[i:], "的"), "")
	}
	if v == "" || zhCityOnly.MatchString(v) || zhNotFirm.MatchString(v) || utf8.RuneCountInString(v) > 16 || strings.ContainsAny(v, "，,。和与") {
		return nil
	}
	return []string{v}
}

var (
	zhNotItem = zh(`^(?:今天的|现在的|此刻|当前的|最近的|爱$|第|一个版本|上一个|里面|所有|恼|躁|闷|心$|死|透|人$|你|您|他|她|它|这|那|的|上|自己|问|看你|听你|跟你|和你|什么|怎么|我|一个人$|了|过|不|没|被你|你的|大家|谁|东西|人家|有人|别人|玩笑|您的|的是|得|到|着|吗|您|被人|说话|开玩笑|是)|你|这种|这样|那种|那样|这个|那个|吗$`)
	zhListSep = compile(`(?:、|以及|还有|，|,|\s/\s)`)
	zhEtc     = compile(`等(?:等|[\p{Han}]{2,6})?$`)
	zhOneHead = compile(`^[\p{Han}]{2}(?:、|和)[\p{Han}]{2}的[\p{Han}]{1,4}$`)
	zhVague   = compile(`^(?:在|一种|一下|一些$|各种$)|东西|(?:时|的时候|附近)$`)
	zhOnly    = compile(`(?:这类|之类|等等|等|什么的|这些|这种|的东西|了|啦|呢|哦|啊|呀|吧|哈|喔|嘛)+$`)
)

// zhItems returns the things that a text lists: 花生和虾.
func zhItems(v string) []string {
	v = zhEtc.ReplaceAllString(tidy(zhOnly.ReplaceAllString(tidy(v), "")), "")
	if v == "" || zhNotItem.MatchString(v) || zhVague.MatchString(v) {
		return nil
	}
	if zhOneHead.MatchString(v) { // 晴朗、温暖的天气
		return []string{v}
	}
	var out []string
	for _, p := range zhListSep.Split(v, -1) {
		for _, q := range zhWith(p) {
			q = strings.TrimPrefix(tidy(zhOnly.ReplaceAllString(q, "")), "一些")
			if q == "" || zhVague.MatchString(q) || zhNotItem.MatchString(q) || utf8.RuneCountInString(q) > 12 {
				if len(out) == 0 {
					return nil
				}
				return out
			}
			out = append(out, q)
		}
	}
	return out
}

var zhConnects = compile(`(?:和|跟|与|及)`)

// zhWith splits at 和 and its like, but not where they belong to a word or mean "together with".
func zhWith(s string) []string {
	m := zhConnects.FindStringIndex(s)
	if m == nil || m[0] == 0 || m[1] == len(s) {
		return []string{s}
	}
	next, _ := utf8.DecodeRuneInString(s[m[1]:])
	if strings.ContainsRune("平服谐弦尚牛歌朋家孩同他她你爱女男父", next) {
		return []string{s}
	}
	return append([]string{s[:m[0]]}, zhWith(s[m[1]:])...)
}

var zhRather = compile(`(?:胜过|多于|超过|，?而不是|，?不喜欢|，?不是|，?但).*$`)

// zhEquates is a sentence of its own: 吃的菜是鱼香肉丝.
var zhEquates = compile(`的[\p{Han}]{1,4}是`)

var zhFlavour = compile(`[味色款型甜辣酸咸]$`)

var zhActs = compile(`^(?:吃|做|踢|跑|看|听|玩|打|画|喝|学|唱|跳|去|骑|爬|写|读)`)

func zhTastes(v string) []string {
	if zhEquates.MatchString(v) {
		return nil
	}
	v = zhRather.ReplaceAllString(v, "")
	if rest, is := strings.CutSuffix(v, "的"); is && zhActs.MatchString(rest) && !zhFlavour.MatchString(rest) { // 超级喜欢吃冰淇淋的
		v = rest
	}
	if utf8.RuneCountInString(v) > 24 {
		return nil
	}
	return zhItems(v)
}

var zhNoFood = zh(`^(?:药$|饭|早饭|午饭|晚饭|早餐|午餐|晚餐|东西|了|亏|醋|苦|惯|下|起|得|饱|到|太多|多|外卖|这|那|什么|力$|香$|过|完|水$|太)`)

func zhFood(v string) []string {
	v = zhParticle.ReplaceAllString(v, "")
	if zhNoFood.MatchString(v) {
		return nil
	}
	return zhItems(v)
}

// zhNoTongue follows a language in what is none: 中文编程.
var zhNoTongue = compile(`^(?:编程|老师|课|电影|歌|小说|书|翻译|考试|专业|菜|字)`)

var zhTongueRe = zh(`^(?:一点儿?|一些|流利的?|基础的?)?({languages})`)

func zhTongues(v string) []string {
	var out []string
	for _, p := range zhListSep.Split(tidy(v), -1) {
		for _, q := range zhWith(p) {
			m := zhTongueRe.FindStringSubmatch(q)
			if m == nil || zhNoTongue.MatchString(q[len(m[0]):]) {
				return out
			}
			out = append(out, m[1])
		}
	}
	return out
}

var zhNoLesson = zh(`^(?:做$|着|会|到|过|校|期|生|习$|了|得|不|好|乖|聪明|着|的|完|费|历|位|分|业|术|校|长|姐|你|他|她|专业|坏|以致用)|专业$|的是|什么`)

var zhYearsOf = compile(`^(?:好几|几|[\d一二两三四五六七八九十]+)(?:多)?(?:年|个月)(?:的)?`)

var zhNewLesson = compile(`^(?:放下|放松|接受|拒绝|珍惜|长大|独立|坚强|忍|爱|做人|相处)|一首|一招|一个|一句|一课|新的|新技能|新技术|一道|一门|概念|很多|不少|怎么|如何`)

func zhLearned(v string) []string {
	v = zhParticle.ReplaceAllString(v, "")
	v = zhYearsOf.ReplaceAllString(strings.TrimPrefix(v, "习"), "")
	if zhNoLesson.MatchString(v) || zhNewLesson.MatchString(v) || utf8.RuneCountInString(v) > 10 {
		return nil
	}
	if t := zhTongues(v); t != nil {
		return t
	}
	return zhItems(v)
}

var zhDrugRe = compile(`^(?:优甲乐|立普妥|拜新同|络活喜|倍他乐克|格华止|拜唐苹|波立维|可定|代文|雷替斯|氯吡格雷|安眠药)$|^[\p{Han}A-Za-z]{2,10}?(?:片|胶囊|药|素|平|汀|林|宁|胍|唑|康|酸|丸|颗粒|冲剂|坦|洛尔|褪黑素|益生菌)$`)

var zhDose = compile(`^(?:[一二两三四半\d]+(?:次|片|粒|颗|盒|毫克|mg|ml)(?:的)?)+`)

func zhDrug(v string) []string {
	v = zhDose.ReplaceAllString(tidy(zhParticle.ReplaceAllString(v, "")), "")
	if v == "药" || strings.ContainsAny(v, "你我他她的了") || !zhDrugRe.MatchString(v) || strings.HasSuffix(v, "麦片") || strings.HasSuffix(v, "薯片") || strings.HasSuffix(v, "火药") {
		return nil
	}
	return []string{v}
}

var zhIllRe = zh(`(?:抑郁|焦虑|失眠|强迫|耳鸣|病|症|炎|癌|瘤|高|障碍|过敏|哮喘|糖尿病|痛风|贫血|结节|螺杆菌|息肉|囊肿|肌瘤|结石|增生|突出|劳损|狭窄|反流|{illness})$`)

// zhNoIllness is called an illness in jest.
var zhNoIllness = compile(`选择困难|选择恐惧|拖延|懒癌|公主病|少爷病|直男癌|尴尬癌|密集恐惧`)

func zhIllness(v string) []string {
	v = tidy(zhParticle.ReplaceAllString(v, ""))
	if !zhIllRe.MatchString(v) || zhNoIllness.MatchString(v) {
		return nil
	}
	return []string{v}
}

var (
	zhThingRe   = zh(`{things}|比亚迪|丰田|本田|大众|宝马|奔驰|奥迪|吉利|日产|福特|特斯拉|蔚来|理想|小鹏|五菱|哈弗|长城|沃尔沃|马自达|别克|雪佛兰|现代|起亚|联想|华为|小米|苹果|戴尔|华硕|惠普|佳能|尼康|索尼|富士|大疆|雅马哈|捷安特|美利达|雅迪|爱玛|凤凰|永久|捷达|桑塔纳|朗逸|轩逸|卡罗拉|思域|飞度|长安|奇瑞|红旗|领克|极氪|问界|路虎|捷豹|保时捷|斯柯达|铃木|三菱|雅阁|凯美瑞|帕萨特|高尔夫|小牛`)
	zhThingOnly = zh(`^{things}$`)
	zhNotOwned  = compile(`票|饭|菜|咖啡|奶茶|衣服|鞋|裤|书$|玩具$|零食|水果|礼物|股票|基金|彩票`)
)

func zhOwned(v string) []string {
	v = tidy(zhParticle.ReplaceAllString(v, ""))
	v = strings.TrimPrefix(strings.TrimPrefix(v, "新"), "的")
	if v == "" || utf8.RuneCountInString(v) > 12 || zhNotOwned.MatchString(v) || zhNotItem.MatchString(v) || strings.ContainsAny(v, "给但") {
		return nil
	}
	if !zhThingRe.MatchString(v) && !strings.ContainsFunc(v, func(r rune) bool { return r < 128 && unicode.IsLetter(r) }) {
		return nil
	}
	return []string{v}
}

var zhToolRe = compile(`^(?:[A-Za-z][\w .+#-]{1,24}|[\p{Han}]{2,6})$`)

func zhTool(v string) []string {
	v = tidy(zhParticle.ReplaceAllString(v, ""))
	if !zhToolRe.MatchString(v) || zhNotItem.MatchString(v) || zhNot.MatchString(v) {
		return nil
	}
	return []string{v}
}
