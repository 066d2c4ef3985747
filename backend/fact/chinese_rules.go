package fact

import (
	"strings"
	"unicode/utf8"
)

// saying is what a clause in Chinese says of its subject: the predicate without adverbs, times and negation in front and
// without what stands behind it, and what these told.
type saying struct {
	text   string
	whole  string // with the times in front
	past   bool   // 以前, 曾经; 住过
	not    bool   // 不
	over   bool   // 不再, 再也不
	done   bool   // 了, or how long it has been
	lasted bool   // for how long it has been
	often  bool   // 每天, 经常
	highly bool   // 很, 最
	soon   bool   // 明年, 下个月
}

var (
	zhAdverb = compile(`^(?:现在|目前|如今|今年|一直以来|一直|已经|早已|早就|也|都|就|还是|还|其实|最近这段时间|最近|刚刚|刚|终于|总算|又|平时|从小就|从小到大|从小|特意|本来就|暂时|主要|一般|通常|同时|确实|反正|大多|基本上?|算是|正在|正|始终|向来|一向|自己|自个儿|独自|一个人|一家人|一家[一二三四五六七八两]口|全家人?|我们俩|俩人|两个人|夫妻俩|一起|其中|长期|亲自|真|好不容易|直接|后来|之后|然后|随后|接着|因为工作|为了工作|由于工作|因为上学|为了孩子|为了上学|工作以后|工作后|毕业以后|毕业之?后|退休以后|退休之?后|结婚以后|婚后|产后|大学毕业后|出国后|回国后|来这边后|成家后|再次|重新|顺利|正式|果断|老早|完全|到现在|至今|到今天|目前为止|在家里?|这边|这里|家里|业余时间|业余|闲暇时|闲时|空闲时|有空|没事|没事儿|闲下来|下班后|放学后)`)
	zhDegree = compile(`^(?:特别|非常|很|最|超级|超|挺|真的|比较|尤其|蛮|格外|十分|更加|更|太|极其|极度|相当|有点儿?|有些|巨|贼|可|老|特|是真的?|打心底里?|从心底|实在|一点儿?都|一点儿?也|压根儿?|根本|绝对|尤为|颇|无比|超爱|好)`)
	zhOften  = compile(`^(?:每天|每日|天天|每周[一二三四五六日天]|每周末?|每个?周末|每个?星期|每个?月|每年|周末|周[一二三四五六日天]|平日|常常|经常|时常|总是|总|常|老|定期|坚持|一有空就?|有空就|早上|晚上|白天|傍晚|清晨|中午|下午|夜里|睡前|饭后|[早中晚]饭后|一?周[一二两三四五六七]次)(?:早上|晚上|下午|傍晚|都|也|会|要|就|去)*`)
	zhTime   = compile(`^(?:(?:下|这|上)?周[一二三四五六日天](?:起|开始)|(?:19|20)\d\d年(?:\d{1,2}月份?)?(?:底|初)?(?:开始|起|以来|以后)?|\d{2}年(?:开始|起)|[\d一二两三四五六七八九十几半]+(?:多)?(?:年|个月|个星期|周|天)(?:多)?(?:前|以前|之前|来|以来)|(?:去|前|今|大前)年(?:春天|夏天|秋天|冬天|年?底|年?初|暑假|寒假|[\d一二三四五六七八九十]+月(?:份)?)?|上上?个?(?:月|周|星期|礼拜|学期)(?:底|初|中旬|[一二三四五六日天末])?|这(?:个)?(?:月|周|星期|学期|几年|两年|几个月|段时间|些年)|昨天|前天|今天|今早|昨晚|前几天|前阵子|前些年|前几年|前不久|不久前|年底|年初|春天|夏天|秋天|冬天|春节后?|过完年|开春|[\d一二三四五六七八九十]+月份?(?:开始|起)?|从[\d一二三四五六七八九十零〇]+年(?:开始|起)|从去年(?:开始|起)|从(?:上|这)个?月(?:开始|起)|[\d一二两三四五六七八九十]+岁(?:就|开始|那年|起))`)
	zhOnce   = compile(`^(?:以前|曾经|曾|原来|过去|之前|原先|早年|早些年|小时候|从前|当年|那时候?|年轻时候?|年轻的时候|上学时|退休前|退休之前|结婚前|婚前|毕业前|早先|起初|一开始|最早|最初)`)
	zhSoon   = compile(`^(?:(?:今年|年底|年初)?[\d一二三四五六七八九十]{1,3}月份?(?:底|初|中旬)?(?:就要?|要|将要?|会)|明年|下个?月|下?下(?:周|个?星期|个?礼拜)[一二三四五六日天]?|下学期|后年|明天|后天|过几天|过两天|过阵子|过段时间|马上|很快|快|即将|将|将来|以后|未来|迟早|年后)`)
	zhBeside = compile(`^(?:跟|和|与|同|陪|带着?|瞒着|背着)(?:媳妇|家里|家人|父母|爸妈|爸爸|妈妈|老公|老婆|爱人|男朋友|女朋友|对象|孩子们?|室友|朋友们?|同学|同事|公婆|岳父母|儿子|女儿|爷爷奶奶|外婆|奶奶|爷爷|妻子|丈夫|老伴)(?:们)?(?:一起|一块儿?|还有孩子)?`)
	zhNoMore = compile(`^(?:不再|再也不|再不|不复)`)
	zhNever  = compile(`^(?:从来都?不|从不|向来不|一概不|绝不|决不|不怎么|不太|不大|不是很|没那么|不|没有|没|从没|甭|滴)`)
	zhUnable = compile(`^(?:能|可以|会|敢|宜|得|准|让|许)(?:再)?(吃|喝|碰|沾|用|抽)`)
	zhFor    = compile(`(?:了|已经|都|也|快|有|差不多|整整|将近|超过)*(?:好多|好几|很多|多|几|数|[\d一二两三四五六七八九十几半]+)(?:多|来)?(?:年|个月|个年头|载|个星期|周|辈子)(?:多|半|啦|有余)?$`)
	zhMonth  = compile(`^[\d一二三四五六七八九十]+月份?$`)
	zhOver   = compile(`了$`)
	// 过 behind a verb: it was so once
	zhEver = compile(`^(住|当|做|干|待|呆|在.{1,10}?(?:住|工作|上班|待|呆|干|做|生活))过`)
)

// zhSaying strips a predicate.
func zhSaying(text string) (p saying) {
	text = strings.TrimSpace(text)
	text = zhParticleSoft.ReplaceAllString(text, "")
	p.whole = strings.TrimSuffix(text, "了")
	for again := true; again; {
		again = false
		for _, s := range []struct {
			re   *pattern
			note *bool
		}{{zhOnce, &p.past}, {zhSoon, &p.soon}, {zhTime, nil}, {zhOften, &p.often}, {zhAdverb, nil}, {zhDegree, &p.highly}, {zhBeside, nil}, {zhNoMore, &p.over}} {
			m := s.re.FindString(text)
			if m == "" || len(m) == len(text) || zhKeep.MatchString(text) || s.re == zhBeside && zhParts.MatchString(text[len(m):]) {
				continue
			}
			text, again = text[len(m):], true
			if s.re == zhTime && zhMonth.MatchString(m) && !strings.HasSuffix(text, "了") { // 我六月结婚
				p.soon = true
			}
			if s.note != nil {
				*s.note = true
			}
		}
		if m := zhWithKin.FindStringSubmatch(text); m != nil {
			text, again = text[len(m[1]):], true
		}
		if m := zhNever.FindString(text); m != "" && !p.not && zhNegates.MatchString(text[len(m):]) {
			text, p.not, again = text[len(m):], true, true
			text = zhUnable.ReplaceAllString(text, "$1")
		}
		text = strings.TrimLeft(text, " \t，,")
	}
	p.done = zhOver.MatchString(text)
	text = strings.TrimSuffix(text, "了")
	if m := zhFor.FindStringIndex(text); m != nil && m[0] > 0 {
		text, p.done, p.lasted = text[:m[0]], true, true
	}
	if m := zhEver.FindStringSubmatchIndex(text); m != nil {
		text, p.past = text[:m[3]]+text[m[1]:], true
	}
	if p.not && p.done {
		p.over = true
	}
	p.text = text
	return p
}

var (
	zhParts   = compile(`^(?:离|分手|离婚|结婚|分开|领证|领了证|订婚|掰|已经|都已经|刚)`)
	zhWithKin = zh(`^((?:跟|和|与|同)(?:我的?)?(?:{people}|爱人|对象)[\p{Han}]{0,3}?(?:一起|一块儿?)?)(?:住|在|都|定居|搬)`)
	// words that begin as adverbs do
	zhKeep = compile(`^(?:还有|就读|就职|都市|正骨|刚果|好友|老家|老伴|真理|特斯拉|特产|总监|总经理|常住|常驻|可乐|可可|老师|老板|一般人|一起住的|早上好|好像|好几|太极|太太|正宗|最爱|自由|自学|自己的|以前的|将军|从小.{0,3}长大$|自己做的|也门|特种兵|一直到|老婆|老公)`)
	// what a negation in front is one of
	zhNegates = zh(`^(?:(?:太|怎么|再|大|很|那么|特别|能|可以|会|敢|宜|得|准|让|许)*(?:喜欢|爱|吃|喝|住|在|用|使用|对|碰|沾|抽|养|讨厌|反感|玩|打|弹|跑|练|踢|滑|骑|读|念|下棋|生酮|做|当|干|写|开|说|讲|学|服用|叫|是[\p{Han}]{2,6}人$|是[\p{Han}]{0,6}{jobs}了?$|喜|感兴趣))`)
)

// zhRule reads what a clause says. Its first group is the value.
type zhRule struct {
	key   string
	re    *pattern
	value func(v string) []string
	mood  mood
	of    int
	since bool
}

// The order matters: the first rule that reads a value wins.
var zhRules = []zhRule{
	// home and origin
	{key: keyHome, re: zh(`^租的(?:房子?|公寓)(?:就)?在(.+)$`), value: zhKnownPlace, since: true},
	{key: keyAddress, re: zh(`^(?:住在|住)([\p{Han}A-Za-z]{0,12}\d{1,5}(?:号|弄|栋|室|单元|幢).{0,12})$`), value: zhStreet, of: ofUser},
	{key: keyHome, re: zh(`^(?:租房)?(?:住在|住到|住进|住回|定居在|定居于|定居到|定居|居住在|居住于|常住在?|常驻在?|长住|现居|生活在|租住在|租房在|租屋在|落户在?|安家在?|安家于|落脚在?|扎根在?|扎根于|蜗居在?|旅居|客居)了?(.+)$`), value: zhPlace, since: true},
	{key: keyHome, re: zh(`^(?:租房)?(?:住|租在|人在|人住在?|留在|待在|呆在|漂在|窝在|坐标|坐标在|base在?|Base在?)了?(.+)$`), value: zhKnownPlace, since: true},
	{key: keyWork, re: zh(`^(教(?:语文|数学|英语|物理|化学|生物|历史|地理|政治|体育|音乐|美术|小学|初中|高中|幼儿园|钢琴|舞蹈|画画|游泳|书法))(?:的|了)?$`), value: zhWhole, since: true},
	{key: keyUses, re: compile(`^(?:在|主要|平时|一直)*写(Java|Rust|Go|Python|C\+\+|C#|C|JavaScript|JS|TypeScript|TS|PHP|Ruby|Kotlin|Swift|Scala|Lua|R|SQL|MATLAB)(?:的|代码)?$`), value: zhWhole, of: ofUser},
	{key: keyHome, re: zh(`^家住(.+)$`), value: zhKnownPlace, since: true},
	{key: keyHome, re: zh(`^家(?:就)?(?:住)?在(.+)$`), value: zhKnownPlace, since: true},
	{key: keyHome, re: zh(`^住([^在到进回得不了着过几单双别老平大小高低好坏满宿校院酒宾民旅我你他这那同隔对楼上下里外一二三四五六七八九十多和跟与地帐][\p{Han}]{1,3})$`), value: zhPlace, since: true},
	{key: keyHome, re: zh(`^在(.+?)(?:定居|生活|居住|安家|安了个?家|租房子?|租了(?:个|套|间)?房子?|租的房子?|买房|买了(?:套)?房子?|落户|落脚|扎根|住|养老|带娃|带孙子|租房住)(?:了|的|下来|着)?$`), value: zhPlace, since: true},
	{key: keyHome, re: zh(`^在(.+?)(?:待|呆|漂|混|打拼|打工|闯荡|谋生|讨生活)(?:了|着)?$`), value: zhKnownPlace, since: true},
	{key: keyHome, re: zh(`^(?:.{0,8}?从.{1,8}?)?(?:搬家|搬|迁居|迁|移居|移民)(?:到|去|来|回|至|进)了?(.+)$`), value: zhPlace, mood: change, since: true},
	{key: keyHome, re: zh(`^(?:回|回到)了?(?:老家)?(.+?)(?:定居|发展|工作|生活)?$`), value: zhKnownPlace, mood: settled, since: true},
	{key: keyHome, re: zh(`^(?:移民|嫁到|外派到|派到|调到)(?:到|去)?了?(.+)$`), value: zhKnownPlace, mood: change, since: true},
	{key: keyHome, re: zh(`^把家(?:安|搬|迁)(?:在|到|去|来|回)了?(.+)$`), value: zhPlace, mood: change, since: true},
	{key: keyHome, re: zh(`^(?:离开|搬离|搬出|告别|撤离|逃离)了?(.+)$`), value: zhKnownPlace, mood: ending},
	{key: keyBirthday, re: zh(`^(?:出生于|生于|出生在|是)(\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?)(?:出生的|生的|出生|生人)?$`), value: zhBirthday, mood: always},
	{key: keyBirthday, re: zh(`^(?:是)?(\d{4}年(?:\d{1,2}月\d{1,2}[日号])?)(?:出生|生)(?:的)?$`), value: zhBirthday, mood: always},
	{key: keyBirthday, re: zh(`^(?:是)?(?:在)?((?:\d{4}年)?[\d一二三四五六七八九十]{1,3}月[\d一二三四五六七八九十]{1,3}[日号]?)(?:过生日|的生日|出生的|生的|出生|生日)$`), value: zhBirthday, mood: always},
	{key: keyBirthday, re: zh(`^(?:是)?((?:19|20)?[\d零〇一二三四五六七八九]{2}年)(?:的|生|生的|出生|出生的|生人)$`), value: zhYear, mood: always},
	{key: keyBirthplace, re: zh(`^(?:是)?(?:出生在|出生于|生在|生于)(.+)$`), value: zhBirthplace, mood: always},
	{key: keyBirthplace, re: zh(`^(?:是)?在(.+?)出生(?:的)?$`), value: zhBirthplace, mood: always},
	{key: keyHometown, re: zh(`^(?:从小)?(?:是)?在(.+?)长大(?:的)?$`), value: zhPlace, mood: always},
	{key: keyHometown, re: zh(`^(?:长在|成长在|成长于)(.+)$`), value: zhPlace, mood: always},
	{key: keyNationality, re: zh(`^是({countries})人$`), value: zhWhole},
	{key: keyNationality, re: zh(`^(?:是|入了|拿的是|持)({countries})(?:国籍|籍|公民|护照)$`), value: zhWhole},
	{key: keyHometown, re: zh(`^是(?:土生土长的|地道的|地地道道的|正宗的?|一个|个)?([\p{Han}]{2,8}?)人(?:氏)?$`), value: zhFrom},
	{key: keyHometown, re: zh(`^是([\p{Han}]{2,8}?)的$`), value: zhFrom},
	{key: keyHometown, re: zh(`^(?:土生土长的|地道的)([\p{Han}]{2,6}?)人$`), value: zhFrom},
	{key: keyHometown, re: zh(`^(?:来自|老家是|老家在|老家就在|老家|祖籍是?|籍贯是?)(.+?)(?:的)?$`), value: zhPlace},
	{key: "民族", re: zh(`^(?:是)?((?:汉|满|回|藏|蒙古|维吾尔|苗|彝|壮|布依|朝鲜|侗|瑶|白|土家|哈尼|哈萨克|傣|黎|傈僳|佤|畲|高山|拉祜|水|东乡|纳西|景颇|羌|土)族)(?:人|的)?$`), value: zhWhole},
	{key: "属相", re: zh(`^(?:是)?属([鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的)?$`), value: zhWhole},
	{key: "星座", re: zh(`^(?:是)?((?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座)(?:的)?$`), value: zhWhole},
	{key: keyBlood, re: zh(`^(?:是)?((?:A|B|O|AB)型)血?(?:的)?$`), value: zhWhole},

	// names
	{key: keyNickname, re: zh(`^(?:的)?(?:小名|乳名|外号|昵称|绰号)(?:叫|是)?(.+)$`), value: zhNames},
	{key: keyName, re: zh(`^(?:(?:的)?(?:大名|全名|名字|本名|真名|名)?(?:正式|改)?(?:叫做|叫作|名叫|改名叫|改名为|叫|名字是)|大名|全名|本名)(.+)$`), value: zhNames},

	// age, body, family status
	{key: keyAge, re: zh(`^(?:是|满|年满|刚满|刚过|虚岁|周岁)?({num})(?:周)?岁(?:半|多)?(?:的人|不是.{1,4})?$`), value: zhAge, mood: always},
	{key: keyAge, re: zh(`^(?:年满|满|虚岁|周岁)({num})$`), value: zhAge, mood: always},
	{key: keyAge, re: zh(`^([二三四五六七八九]?十[一二三四五六七八九]?)$`), value: zhAge, mood: always},
	{key: keyAge, re: zh(`^(?:快|都)?([1-9]\d)$`), value: zhAge, mood: settled},
	{key: keyHeight, re: zh(`^(?:的)?(?:身高)?(?:是|有|大概|大约|高|：|:)*(\d[\d.]*\s?(?:cm|厘米|公分|米\d*)|一米[一二三四五六七八九\d]+)(?:高|左右|的个子)*$`), value: zhWhole},
	{key: keyHeight, re: zh(`^(?:的)?身高(?:是|有|：|:)*(\d{3})$`), value: zhWhole},
	{key: keyWeight, re: zh(`^(?:的)?(?:体重)?(?:是|有|大概|大约|重|：|:)*([\d一二两三四五六七八九十百][\d.一二两三四五六七八九十百]*\s?(?:kg|公斤|斤|千克))(?:左右|重)*$`), value: zhWhole},
	{key: "鞋码", re: zh(`^(?:平时)?穿(\d{2}(?:\.5)?)码?(?:的)?鞋子?$`), value: zhWhole, of: ofUser},
	{key: keyMarital, re: zh(`^(?:是)?(?:个|一个|一只|一枚)?(已婚|未婚|离异|单身|离婚|丧偶)(?:的|状态|人士|狗|汉|贵族|女青年|男青年)*(?:一只|一枚)?$`), value: zhWhole, since: true},
	{key: keyMarital, re: zh(`^(?:(?:跟|和|与)我?(?:前夫|前妻|老公|老婆|丈夫|妻子|先生|太太|女朋友|男朋友|对象))?(结婚|离婚|离|订婚|领证|领了证)$`), value: zhWed, mood: change, since: true},

	// work and study
	{key: "年级", re: zh(`^(?:在.{1,12}?)?(?:上|读|念)(?:的是)?((?:小学|初中|高中)?[一二三四五六七八九]年级|初[一二三]|高[一二三]|大[一二三四]|幼儿园?[大中小]班|[大中小]班)$`), value: zhWhole, of: ofPeople},
	{key: keySchool, re: zh(`^(?:在|就读于|考上|考进|考取|考入|毕业于|是|上|读)了?((?:北大|清华|复旦|浙大|武大|上海交大|西安交大|中大|南大|人大|中科大|哈工大|华科|同济)|[\p{Han}A-Za-z]{1,12}?(?:大学|学院|中学|小学|高中|初中|[一二三四五六七八九十]中|附中|职校|技校|卫校|职高))(?:的)?(?:(?:读|上|念|学)?(?:大|研|高|初|博)[一二三四]|读研究?生?|读博士?|读本科|读书|上学|念书|就读|上|读|求学|[一二三四五六]年级|的)*(?:学生|研究生|本科生|博士生|新生|硕士生)?$`), value: zhSchool, mood: always},
	{key: keyWork, re: zh(`^(?:在.{1,12}?)?(?:是|当上?|做|干|担任|任|成为|成|转行做|转行当|改行做|改行当|转岗做|从事|考上|升任|升为|升|升职为|升到|晋升为|提拔为|提拔成|升成|转正成)(?:了|着|的是)?(?:一[名个位]|[名个位])?([\p{Han}A-Za-z]{0,8}?{jobs})(?:的)?$`), value: zhJob, since: true},
	{key: keyWork, re: compile(`^(?:在.{1,12}?)?(?:是|当|做)(?:一[名个位]|[名个位])?([A-Za-z][A-Za-z -]{2,30})(?:的)?$`), value: zhJob, since: true},
	{key: keyWork, re: zh(`^(?:是)?(?:做|搞|干|从事|跑)([\p{Han}A-Za-z]{2,8}?)(?:的|工作|行业|方面的工作|这行|这一行|生意)$`), value: zhField, since: true},
	{key: keyWork, re: zh(`^(?:在.{1,12}?)(?:做|搞|干)([\p{Han}A-Za-z]{2,8})$`), value: zhField, since: true},
	{key: keyWork, re: zh(`^(?:是)?(?:个|一个|名)?((?:种|养|放|打|捕|教|开|摆|跑|送|写|画|唱|修|卖|看|扛|拍|带|理|搬|做|干|当|收|编|剪|酿|配|杀|弹)[\p{Han}]{1,5})(?:的|为生|谋生)$`), value: zhTrade, of: ofUser, since: true},
	{key: keyWork, re: zh(`^从事([\p{Han}A-Za-z]{2,8}?)(?:工作|行业)?$`), value: zhLine, since: true},
	{key: keyWork, re: zh(`^是(开[\p{Han}]{0,3}(?:店|馆|民宿|饭店|餐厅|超市|诊所|网吧|酒吧|客栈|农家乐|工厂|公司|茶楼|书店|药店|幼儿园))的$`), value: zhWhole, since: true},
	{key: keyWork, re: zh(`^是(?:做|搞|干)([\p{Han}A-Za-z]{2,6})的$`), value: zhLine, since: true},
	{key: keyWork, re: zh(`^(?:在.{1,8}?)?(开塔吊|开挖机|开挖掘机|开叉车|开出租车?|开网约车|跑滴滴|摆摊|跑船|养猪|养蜂|放羊|打鱼|当保安|卖保险|卖房|卖菜|搬砖|跑网约车|送外卖|送快递|开货车|跑运输|开大车|开公交车?|开大货车|跑长途|跑外卖|种地|教书)$`), value: zhWhole, of: ofUser, since: true},
	{key: keyWork, re: zh(`^(退休)(?:在家)?$`), value: zhWhole, mood: change, since: true},
	{key: keyWork, re: zh(`^(?:是|做)?(自由职业|待业|失业|全职带娃|全职在家带娃)(?:在家|中|的)?$`), value: zhWhole, since: true},
	{key: keyEmployer, re: zh(`^在(?:一家|家|一个|一所)叫(.{1,12}?)的(?:\p{Han}{0,6}?)(?:公司|工作室|企业|机构|学校|医院|餐厅|店)(?:工作|上班)?$`), value: zhCompany, since: true},
	{key: keyEmployer, re: zh(`^(?:在|于)(.+?)(?:工作|上班|任职|就职|打工|兼职|实习|供职|任教|教书|教[语数英物化生历地政体音美]\p{Han}|跑业务|搞技术|坐诊|当班|坐班|干活|干|[做当搞](?:了|一名|一个|个|名)?[\p{Han}]{0,6}?{jobs}|担任[\p{Han}]{2,8}|[做搞干]{fields}|[做当](?:个)?[A-Za-z][A-Za-z ]{2,24})(?:了|呢|的|着)?$`), value: zhCompany, since: true},
	{key: keyEmployer, re: zh(`^(?:从.{1,10}?)?(?:跳槽|换工作|转岗|调动|调|转|应聘|跳)(?:到|去|进)了?(.+?)(?:工作|上班|任职)?$`), value: zhCompany, mood: change, since: true},
	{key: keyEmployer, re: zh(`^(?:入职|就职于|任职于|供职于|受雇于|加盟|加入|考进|考入)了?(.+?)(?:工作|上班)?$`), value: zhCompany, mood: change, since: true},
	{key: keyEmployer, re: zh(`^从(.+?)(?:离职|辞职|退休|跳槽出来|退下来|裸辞|跳槽|出来)$`), value: zhCompany, mood: ending},
	{key: keyEmployer, re: zh(`^(?:辞掉|辞去|辞)了?(?:在)?(.+?)的(?:工作|职位|职务)$`), value: zhCompany, mood: ending},
	{key: keyEmployer, re: zh(`^被(.+?)(?:裁员|裁|辞退|开除|炒鱿鱼|炒|优化|劝退)(?:掉|了)*$`), value: zhCompany, mood: ending},
	{key: keyEmployer, re: zh(`^离开了?(.+(?:公司|集团|科技|银行|医院|学校|厂|院|所|局|社))$`), value: zhCompany, mood: ending},
	{key: keyStudies, re: zh(`^(?:大学|本科|研究生|博士|硕士)?(?:读的是|学的是|念的是|主修的?是?|在读|攻读|读|学|念)([\p{Han}A-Za-z]{2,10}?)(?:专业|系|硕士|博士)(?:的)?$`), value: zhMajorSaid},
	{key: keyStudies, re: zh(`^(?:大学|本科|研究生|博士)?(?:读的是|学的是|念的是|主修的是|主修)([\p{Han}A-Za-z]{2,10})$`), value: zhMajorSaid},
	{key: keyStudies, re: zh(`^(?:是)?(?:学|读|念)([\p{Han}A-Za-z]{2,8})的$`), value: zhMajorSaid},
	{key: keyStudies, re: zh(`^(?:在[\p{Han}A-Za-z]{1,12}?(?:大学|学院|[\p{Han}]大))?(?:(?:大学|本科|研究生|硕士|博士)?(?:读|学|念|修|主修)的?|(?:大学|本科|研究生|硕士|博士)(?:读的)?是)({zhsubjects})$`), value: zhMajor},
	{key: keySchool, re: zh(`^在([\p{Han}]{1,3}[大美音师理交财农医外体艺戏影传])(?:念|读)[\p{Han}]{2,8}$`), value: zhWhole, mood: always},
	{key: keyStudies, re: zh(`^在[\p{Han}]{1,3}[大美音师理交财农医外体艺戏影传](?:念|读)([\p{Han}]{2,8})$`), value: zhMajor},
	{key: keySchool, re: zh(`^在([\p{Han}A-Za-z]{1,12}?(?:大学|学院))(?:读|学|念|上|修|主修)[\p{Han}A-Za-z]{1,10}$`), value: zhSchool, mood: always},

	// health and food
	{key: keyAllergy, re: zh(`^对(.+?)(?:也|都|已经|现在|早就|早已|其实|并|从来|一直|根本|完全|一点都)*(?:不|没|没有)(?:再|会|怎么|太|大|算|是很|是特别)*过敏$`), value: zhItems, mood: ending},
	{key: keyAllergy, re: zh(`^对([^对]+?)(?:严重|重度|有点|也|都|很|轻微|会|特别|极度|比较|挺|非常)*过敏(?:的|得厉害|很严重)?$`), value: zhAllergens},
	{key: keyAllergy, re: zh(`^有([\p{Han}]{1,5})过敏(?:症|史)?$`), value: zhItems},
	{key: keyAllergy, re: zh(`^(?:是)?([\p{Han}]{1,6}?)(?:严重|重度|轻微)?过敏(?:的|者|患者|星人|体质)?$`), value: zhAllergen},
	{key: keyAllergy, re: zh(`^一?(?:吃|喝|碰|闻|接触|沾|见)(?:到|了|点)?(.+?)(?:就|会|都|便|要)+(?:会)?(?:严重)?过敏$`), value: zhItems},
	{key: keyDiet, re: zh(`^(?:是(?:一个|一名|个|名|位)?)?(?:严格的?)?(纯?素食主义者|纯?素食者|纯素食者|纯素主义者|蛋奶素|吃素|纯素|吃全素|吃纯素|吃蛋奶素|吃清真|吃斋|生酮饮食|低碳饮食)(?:的|者)?$`), value: zhWhole, since: true},
	{key: keyDiet, re: zh(`^(?:改成|改吃|换成|转成|变成|开始)(?:了)?(素食|素|蛋奶素|纯素|全素|清真|生酮|低碳|吃素)(?:饮食)?$`), value: zhWhole, mood: change, since: true},
	{key: keyDiet, re: zh(`^(?:只|都)?吃(清真|素|全素|蛋奶素|低碳|生酮)(?:的|食品|餐|饭|食)?$`), value: zhWhole, since: true},
	{key: keyDiet, re: zh(`^(?:在)?(生酮|轻断食|低碳)(?:饮食)?$`), value: zhWhole, since: true},
	{key: keyDiet, re: zh(`^(?:改)?(吃素)了?.{0,6}$`), value: zhWhole, since: true},
	{key: keyAvoids, re: zh(`^抽(烟)$`), value: zhWhole, mood: denied, since: true},
	{key: keyHandedness, re: zh(`^(?:是)?(?:个)?(左撇子|右撇子)$`), value: zhWhole, of: ofUser},
	{key: keyPayday, re: zh(`^(?:每个?月)?(\d{1,2}[号日])(?:发工资|发薪水?|开工资)$`), value: zhWhole, of: ofUser},
	{key: keyBreed, re: zh(`^是(?:一)?(?:只|条)?(?:纯种)?({breeds})$`), value: zhWhole, of: ofPeople},
	{key: keyHome, re: zh(`^在(.{2,6}?)(?:念|读|学)(?:{zhsubjects})$`), value: zhKnownPlace},
	{key: keyStudies, re: zh(`^在[\p{Han}]{2,6}?(?:念|读|学)({zhsubjects})$`), value: zhMajor},
	{key: keyAvoids, re: zh(`^(?:吃|喝|碰|沾)(.+?)(?:的)?$`), value: zhFood, mood: denied, since: true},
	{key: keyAvoids, re: zh(`^(?:吃|喝|碰|沾)不(?:了|得)(.+?)$`), value: zhFood},
	{key: keyAvoids, re: zh(`^([\p{Han}]{1,4})(?:从来|一直|都|也|就|基本)*不(?:吃|喝|碰|沾)$`), value: zhFood, mood: always},
	{key: keyAvoids, re: zh(`^一点儿?(.{1,3})(?:都|也)(?:吃|喝|碰|沾)不(?:了|得)$`), value: zhFood, mood: always},
	{key: keyAvoids, re: zh(`^([\p{Han}]{1,5})(?:碰|沾|吃|喝)(?:都|也)不(?:能|敢|可以)(?:碰|沾|吃|喝)$`), value: zhFood, mood: always},
	{key: keyCondition, re: zh(`^({illness})(?:患者|了?\d{2,4}度)?$`), value: zhWhole},
	{key: "信仰", re: zh(`^(?:是)?(?:信仰?|皈依)(?:了)?(佛教?|基督教?|天主教|伊斯兰教|道教|耶稣)(?:的|徒)?$`), value: zhWhole, of: ofUser},
	{key: "信仰", re: zh(`^是(?:个|一名|一个|虔诚的)*(佛教徒|基督徒|天主教徒|穆斯林|道教徒|居士)$`), value: zhWhole, of: ofUser},
	{key: keyAvoids, re: zh(`^(?:戒|戒掉|忌|忌口)了?(酒|糖|咖啡|奶茶|甜食|甜品|碳水|辣|荤|肉|烟|可乐|饮料|牛奶|海鲜|咖啡因)$`), value: zhWhole, mood: change},
	{key: keyAvoids, re: zh(`^(酒)不沾$`), value: zhWhole, mood: always},
	{key: keyCondition, re: zh(`^(?:有|患有|患了|得了|患|得|查出|查出来|检查出|确诊|被(?:医生)?诊断(?:为|出)|诊断为|被(?:医生)?确诊|被查出|是)(?:为|了|有|患有|得了|是|患了)*(?:点儿?|轻度的?|中度的?|严重的?|重度的?|轻微的?|慢性|先天性|一点|一身)*([\p{Han}\d]{2,10}?)(?:患者|病人)?$`), value: zhIllness, since: true},
	{key: keyCondition, re: zh(`^(?:是)?(?:个)?(?:天生)?((?:高度|重度|轻度|中度)?(?:乳糖不耐受?|色盲|色弱|红绿色盲|近视|远视|散光|夜盲症?))(?:的|眼)?$`), value: zhWhole},
	{key: keyCondition, re: zh(`^((?:血压|血糖|血脂|尿酸|胆固醇)(?:有点|一直|偏|很|比较)*(?:高|低))$`), value: zhWhole},
	{key: keyMedication, re: zh(`^(?:在|要|得|需要|都)*(?:吃|服用|服|打|注射|用)(?:着)?(.+)$`), value: zhDrug},

	// skills and pastimes
	{key: keySpeaks, re: zh(`^(?:会|能|能够|可以)(?:说|讲)?(?:一点儿?|一些|流利的?|一口流利的|几句)*(.+)$`), value: zhTongues},
	{key: keySpeaks, re: zh(`^({languages})(?:说得|讲得)?(?:还行|还可以|流利|不错|很好|挺好|[四六八]级|专[四八]|N[1-5](?:水平)?|[ABC][12](?:水平)?|是母语)$`), value: zhTongues},
	{key: keySpeaks, re: zh(`^(?:说|讲)((?:{languages})(?:(?:和|、|跟)(?:{languages}))*)$`), value: zhTongues},
	{key: keySpeaks, re: zh(`^(?:的)?(?:母语|第一语言)是(.+)$`), value: zhTongues},
	{key: keyLearning, re: zh(`^(?:在|开始|报班|报名|跟.{1,6}|上班之余)*(?:自学|学习|学起|学)(?:着|了)?(.+)$`), value: zhLearned},
	{key: keyHobby, re: zh(`^((?:弹|拉|吹|打|练|画|写|唱|跳|下|踢)[\p{Han}]{1,4}?)(?:弹|拉|吹|打|练|画|写|唱|跳|下|踢)(?:了)?$`), value: zhWhole, mood: settled},
	{key: keyStudies, re: zh(`^改(?:学|读|念)({zhsubjects})$`), value: zhMajor, mood: change},
	{key: keyLearning, re: zh(`^改学({languages})$`), value: zhWhole, mood: change, of: ofUser},
	{key: keyHobby, re: zh(`^改((?:骑|打|学|练|跑|玩|踢|弹|跳)[\p{Han}]{1,4})$`), value: zhWhole, mood: change},
	{key: keyHobby, re: zh(`^(?:打|踢|弹|练|跑|滑|下|跳|拉|吹|画|玩)([\p{Han}]{1,5})$`), value: zhWhole, mood: lacking},
	{key: keyHobby, re: zh(`^在.{0,8}(?:乐队|乐团|合唱团|剧团|球队|社团|民乐队)(?:里)?((?:弹|拉|吹|打|唱|踢|演)[\p{Han}]{1,4})$`), value: zhWhole},
	{key: keyHobby, re: zh(`^(?:会|爱上|迷上|坚持|去|要|喜欢上|入坑|沉迷)*(?:了)?({pastime})(?:$|的$|一次|两次|三次|半小时|一小时|.{0,3}公里|的习惯)`), value: zhWhole},
	{key: keyHobby, re: zh(`^(?:的)?(?:爱好|兴趣爱好|业余爱好|兴趣)(?:是|有|就是|包括)(.+)$`), value: zhTastes},
	{key: keyHobby, re: zh(`^(?:喜欢|爱)?(?:收集|收藏|集)(.{2,10})$`), value: func(v string) []string {
		return each(zhItems(v), func(s string) string { return "收集" + s })
	}},

	// tastes
	{key: keyLikes, re: zh(`^(?:喜欢上|喜欢|热爱|喜爱|偏爱|爱上|最爱|爱|迷上|钟爱|酷爱|痴迷于?|沉迷于?|迷恋|偏好|钟情于)了?(.+)$`), value: zhTastes, mood: taste},
	{key: keyLikes, re: zh(`^迷([\p{Han}A-Za-z·]{2,8})$`), value: zhFan},
	{key: keyLikes, re: zh(`^(?:比起.{1,8}?更)(?:喜欢|爱|偏爱)(.+)$`), value: zhTastes},
	{key: keyLikes, re: zh(`^喜欢的[\p{Han}]{1,6}?(?:是|有|包括)(.+)$`), value: zhTastes},
	{key: keyLikes, re: zh(`^无(.{1,2})不欢$`), value: zhWhole},
	{key: keyLikes, re: zh(`^对(.+?)(?:越来越|很|非常|特别|比较|挺|超|最|一直|也|蛮|都|开始)*(?:感兴趣|有兴趣|情有独钟|着迷|上瘾)$`), value: zhTastes},
	{key: keyLikes, re: zh(`^是(?:一?个|一名|名)?(?:资深|忠实|铁杆|超级|骨灰级|老|十年)*([\p{Han}A-Za-z·]{2,10}?)的?(?:粉丝|铁粉|老粉|球迷|歌迷|影迷|书迷|迷|控|爱好者|发烧友|忠粉)$`), value: zhFan},
	{key: keyDislikes, re: zh(`^(?:烦透了|烦死了|讨厌|痛恨|恨|反感|厌恶|受不了|受不住|忍不了|接受不了|看不惯|听不惯|闻不了|闻不得|吃不惯|喝不惯|嫌弃|抵触|烦)(.+)$`), value: zhTastes},
	{key: keyDislikes, re: zh(`^对(.+?)(?:完全|一点都|实在|真的)*(?:无感|没兴趣|没什么兴趣|不感兴趣|反感|提不起兴趣)$`), value: zhTastes},
	{key: keyDislikes, re: zh(`^怕(辣|冷|热|吵|油|甜|酸|腥)$`), value: zhWhole},

	{key: "起床时间", re: zh(`^(?:都|准时|雷打不动)?([\d一二两三四五六七八九十]{1,3}点(?:半|一刻|[\d一二三四五十]{1,3}分?)?)(?:准时)?(?:起床|起|爬起来)$`), value: zhWhole, of: ofUser},

	// possessions
	{key: keyPet, re: zh(`^(?:养|有)(?:着|的)?(?:一?[只条])?({pets}|鱼|鸟|鸡|鸭)$`), value: zhWhole, mood: lacking},
	{key: keyUses, re: zh(`^[\p{Han}]{0,4}(?:软件|输入法|浏览器|编辑器|系统|音乐|地图|云盘|网盘|笔记|记账|日历|邮箱|播放器)从.{1,12}?(?:换成|换到|换为|改成|换用|改用)了?(.+)$`), value: zhTool, mood: change, of: ofUser},
	{key: keyOwns, re: zh(`^[\p{Han}]{0,4}(?:手机|电脑|笔记本|平板|车|相机|耳机|手表|电视|自行车)从.{1,12}?(?:换成|换到|换为|换)了?(.+)$`), value: zhModel, mood: change, of: ofUser},
	{key: keyOwns, re: zh(`^[\p{Han}]{0,4}(?:手机|电脑|笔记本|平板|车|相机|耳机|手表|电视|自行车)从(.{1,12}?)(?:换成|换到|换为|换)`), value: zhModel, mood: ending, of: ofUser},
	{key: keyOwns, re: zh(`^(?:把)(?:我的|我那[辆台部]|那[辆台部]|旧|老)?(.+?)(?:给)?(?:卖了|卖掉了?|卖|送人了?|处理掉了?|转手了?|报废了?|扔了?)$`), value: zhOwned, mood: ending, of: ofUser},
	{key: keyOwns, re: zh(`^(?:卖了|卖掉了?|卖出了?|卖)(?:我的|那[辆台部]|我那[辆台部])?(.+)$`), value: zhOwned, mood: ending, of: ofUser},
	{key: keyOwns, re: zh(`^(?:(?:新买|入手|拥有)(?:了|下)?|(?:买|提|换|添|配|整)(?:了|下))(?:一|了一)?(?:辆|台|部|套|架|艘|把|栋)(.+)$`), value: zhOwned, of: ofUser},
	{key: keyOwns, re: zh(`^(?:新买|刚买|买|入手|换)了((?:比亚迪|丰田|本田|大众|宝马|奔驰|奥迪|特斯拉|蔚来|理想|小鹏|华为|小米|苹果|联想|戴尔|佳能|尼康|索尼|富士|大疆|雅马哈|捷安特).{0,10})$`), value: zhOwned, of: ofUser},
	{key: keyOwns, re: zh(`^(?:开|骑)(?:着|的(?:车)?是)?(?:一?[辆台部])?((?:(?:19|20)\d\d款的?)?(?:二手|老|旧|白色|黑色|红色)?(?:的)?(?:特斯拉|比亚迪|丰田|本田|大众|宝马|奔驰|奥迪|吉利|日产|福特|蔚来|理想|小鹏|五菱|哈弗|沃尔沃|马自达|别克|雪佛兰|长安|奇瑞|捷达|桑塔纳|朗逸|轩逸|卡罗拉|思域|飞度|雅迪|爱玛|小牛|凤凰|永久|捷安特|美利达).{0,12})$`), value: zhOwned, of: ofUser},
	{key: keyOwns, re: zh(`^(?:开|骑)(?:着|的(?:车)?是)?(?:一)?(?:辆|台|部)(.+)$`), value: zhOwned, of: ofUser},
	{key: keyOwns, re: zh(`^(?:在.{1,8}?)?(?:开|经营|创办|盘下|承包|办)(?:了|着)?(?:一)?(?:家|间|个|所|片)([\p{Han}]{0,6}(?:店|馆|餐厅|公司|工作室|民宿|酒店|客栈|诊所|超市|农场|厂|酒吧|小卖部|果园|鱼塘|养殖场|铺子|农家乐|画室|培训班|书屋))$`), value: zhOwnedSurely, of: ofUser},
	{key: keyHome, re: zh(`^在(.+)$`), value: zhKnownPlace, mood: lacking},
	{key: keyEmployer, re: zh(`^在(.+)$`), value: zhCompany, mood: lacking, of: ofUser},
	{key: keyUses, re: zh(`^(?:卸载|卸|弃用|注销|停用|抛弃)(?:了|掉)*(.+?)(?:账号)?$`), value: zhTool, mood: ending, of: ofUser},
	{key: keyUses, re: zh(`^(?:从.{1,12}?(?:换成|换到|转到|切换到|迁移到|转投|改成|换用|改用)|改用|换用|切换到|转用|迁移到|转投)了?(.+)$`), value: zhTool, mood: change, of: ofUser},
	{key: keyUses, re: zh(`^把.{1,10}?(?:换成|换为|改成|切换到|切到)了?([A-Za-z][A-Za-z0-9 .+#-]{1,20})$`), value: zhTool, mood: change, of: ofUser},
	{key: keyUses, re: zh(`^(?:换成|换到|换|改成|转向)了?([A-Za-z][A-Za-z0-9 .+#-]{1,20}|安卓|苹果|华为|小米|微信|钉钉|飞书)$`), value: zhTool, mood: change, of: ofUser},
	{key: keyUses, re: zh(`^(?:在)?(?:使)?用(?:着|的是)?([A-Za-z][A-Za-z0-9 .+#-]{1,20}?)(?:写代码|办公|开发|剪片子|剪视频|画图|记笔记|记账|上网|编程|做[\p{Han}]{1,4}|写[\p{Han}]{1,4}|打[\p{Han}]{1,4}|听歌)?$`), value: zhTool, of: ofUser},
	{key: keyUses, re: zh(`^(?:平时|一般)?(?:记账|听歌|导航|剪辑|剪视频|剪片子|修图|办公|记笔记|写代码|看书|健身|背单词|买菜|打车|聊天|画画|做饭|炒股|存照片|写作|写论文|做表|做PPT)(?:都|一般|一直|就|主要)*用(?:的是)?([\p{Han}A-Za-z0-9]{2,10})$`), value: zhTool, of: ofUser},
	{key: keyUses, re: zh(`^(?:在)?(?:使)?用(?:的是|着)?((?:华为|小米|苹果|荣耀|红米|OPPO|vivo|三星|iPhone|Pixel) ?[A-Za-z0-9+ ]{1,12})(?:手机)?$`), value: zhWhole, of: ofUser},
	{key: keyUses, re: zh(`^(?:在)?(?:使)?用(微信|支付宝|淘宝|抖音|微博|小红书|QQ|百度网盘|钉钉|飞书|WPS|安卓|华为|苹果|小米)(?:手机)?$`), value: zhWhole, of: ofUser},
	{key: keyUses, re: zh(`^(?:[\p{Han}]{1,6})?用的(?:一直)?是(.+)$`), value: zhTool, of: ofUser},
	{key: keyFamily, re: zh(`^(?:跟|和|与)(男朋友|女朋友|男友|女友|对象|老公|老婆|丈夫|妻子|未婚夫|未婚妻)(?:分手|离婚|分开|掰)$`), value: zhWhole, mood: ending, of: ofUser},
}

// zhEndsByNot are the keys of what somebody denies, with 不 alone.
var zhEndsByPast = set(keyHobby, keyHome, keyEmployer, keyWork, keyDiet, keyUses, keyAllergy)

// tells reports whether a clause states what a rule of this mood reads, and whether as over.
func (m mood) tells(p saying) (over, ok bool) {
	switch m {
	case change:
		return false, !p.not && !p.over && !p.past && !p.soon
	case settled:
		return false, p.done && !p.not && !p.over && !p.past && !p.soon
	case ending:
		return true, !p.not && !p.over && !p.soon
	case lacking:
		return true, p.over && !p.past
	case denied:
		return false, (p.not || p.over) && !p.past
	case taste:
		return p.over || p.past, !p.past || !p.not
	case always:
		return false, !p.not && !p.over && !p.soon
	}
	return p.over || p.not || p.past, true
}

var (
	zhKnownRe = zh(`^(?:{countries}.{0,10}|{cities}.{0,12}|{towns}.{0,10}|(?:北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门|东北|望京|浦东|朝阳|海淀|天河|福田|南山|徐汇|长春|佛山|廊坊|赣州|珠海|东莞|惠州|中山|绍兴|嘉兴|温州|台州|金华|泉州|漳州|洛阳|开封|保定|唐山|秦皇岛|烟台|威海|潍坊|临沂|济宁|徐州|扬州|镇江|常州|南通|盐城|芜湖|九江|宜昌|襄阳|岳阳|衡阳|株洲|桂林|柳州|北海|绵阳|德阳|乐山|宜宾|遵义|大理|丽江|咸阳|宝鸡|延安|包头|大同|临汾|鞍山|吉林|大庆).{0,10}|[\p{Han}]{1,8}(?:市|省|县|区|镇|乡|村|州|岛|街道|屯|湾|城|路|街|巷|小区|花园|新村|公寓))$`)
	zhNoCity  = zh(`国外|外地|家里|^家$|这里|那里|这边|那边|海外|国企|外企|体制内|老家$`)
)

// zhKnownPlace returns a place that is known, or called one.
func zhKnownPlace(v string) []string {
	p := zhPlace(v)
	if p == nil || !zhKnownRe.MatchString(p[0]) || zhNoCity.MatchString(p[0]) {
		return nil
	}
	return p
}

// zhYear returns the year in 八七年, 1995年.
func zhYear(v string) []string {
	v = strings.TrimSuffix(v, "年")
	if len(v) == 4 && v[0] < '3' {
		return []string{v}
	}
	n := 0
	for _, r := range v {
		d, ok := hanDigits[r]
		if !ok {
			if r < '0' || r > '9' {
				return nil
			}
			d = int(r - '0')
		}
		n = n*10 + d
	}
	switch {
	case n >= 30 && n < 100:
		n += 1900
	case n < 20:
		n += 2000
	default:
		return nil
	}
	return []string{digitsOf(n)}
}

func zhWed(v string) []string {
	switch v {
	case "结婚", "领证", "领了证":
		return []string{"已婚"}
	case "离":
		return []string{"离婚"}
	}
	return []string{v}
}

func zhSchool(v string) []string {
	for _, w := range []string{"一所", "所", "一家", "一个"} {
		v = strings.TrimPrefix(v, w)
	}
	if utf8.RuneCountInString(v) <= 2 && !zhShortSchool.MatchString(v) || zhAnySchool.MatchString(v) {
		return nil
	}
	return []string{v}
}

var (
	zhShortSchool = compile(`北大|清华|复旦|浙大|武大|中大|南大|人大|华科|同济|[一二三四五六七八九十]中|附中`)
	zhAnySchool   = compile(`(?:读|上|念)(?:大学|高中|初中|小学|中学)$|^(?:大学|中学|小学|高中|初中|学院|职高|技校|读?大学|上大学|这所.*|那所.*|某.*|其[中]|家[中]|手[中]|集[中]|心[中]|[一二三四五六七八九十]*[之]?中)$`)
)

// zhMajorSaid returns a field of study that is called one.
func zhMajorSaid(v string) []string {
	if strings.ContainsAny(v, "你我他她它这那") {
		return nil
	}
	return zhWhole(v)
}

// zhMajor returns a field of study; a language is learnt.
func zhMajor(v string) []string {
	if zhNoMajor.MatchString(v) || zhTongueRe.MatchString(v) {
		return nil
	}
	return []string{v}
}

var zhNoMajor = compile(`^(?:研|博|硕|本科|大[一二三四]|书$|小说|预科)`)

// zhStreet returns an address; the number of a building alone is none.
func zhStreet(v string) []string {
	if zhBuilding.MatchString(v) {
		return nil
	}
	return zhWhole(v)
}

var zhBuilding = compile(`^\d+(?:号楼?|栋|单元|室|幢|弄)$`)

// zhTrade returns what somebody does for a living, as they say it: 种地, 教书.
func zhTrade(v string) []string {
	if !zhTrades.MatchString(v) {
		return nil
	}
	return []string{v}
}

var zhTrades = compile(`^(?:种(?:地|田|菜|果树|苹果|茶|花|粮食|大棚|葡萄|橙子|水稻|棉花)|养(?:猪|鱼|蜂|鸡|鸭|牛|羊|虾|殖)|放(?:羊|牛|马)|打(?:鱼|零工|工|铁)|捕鱼|教(?:书|语文|数学|英语|物理|化学|生物|历史|地理|政治|体育|音乐|美术|钢琴|舞蹈|画画|跳舞|游泳|高中|初中|小学|大学)|开(?:店|出租车?|网约车|大?货车|卡车|公交车?|挖机|挖掘机|塔吊|叉车|火车|高铁|地铁|饭店|饭馆|超市|淘宝店|网店|诊所|飞机)|摆(?:摊|地摊)|跑(?:船|长途|外卖|滴滴|运输|业务|销售|龙套|网约车)|送(?:外卖|快递|货|水)|写(?:代码|小说|稿子?|程序|剧本|公众号)|画(?:画|插画|漫画|图)|唱(?:戏|歌)|修(?:车|电脑|手机|家电|空调|水管|表|鞋|自行车)|卖(?:菜|水果|保险|房|车|衣服|早餐|早点|烧烤|奶茶|鱼|肉|猪肉|手机)|看(?:大门|仓库|店|门)|拍(?:电影|视频|短视频|照)|带(?:货|团|娃|班)|理发|搬(?:砖|运)|做(?:生意|买卖|饭|木工|衣服|直播|自媒体|外贸|电商|微商|家政|保洁|美甲|美容|设计|烧烤|早餐|工程|装修|销售|IT)|干(?:工地|装修|工程|销售|保洁|家政|水电|木工)|当(?:兵|保安|老师)|收(?:废品|破烂)|编程|剪(?:片子|视频)|酿酒|配送|弹琴)$`)

// zhLine returns the line of work in 我是做殡葬的.
func zhLine(v string) []string {
	if zhNoLine.MatchString(v) {
		return nil
	}
	return []string{v}
}

var zhNoLine = compile(`[你我他她它]|饭|给|好|了|出来|完|这|那|错|不|什么|对|梦|早|晚|手|朋友|作业|题`)

// zhAllergen returns what an allergy is to, where the word stands in front: 海鲜过敏.
func zhAllergen(v string) []string {
	if zhNoAllergen.MatchString(v) {
		return nil
	}
	return zhItems(v)
}

// zhAllergens returns what somebody is allergic to, if it is none of what one says in jest.
func zhAllergens(v string) []string {
	if zhJests.MatchString(v) {
		return nil
	}
	return zhItems(v)
}

var zhJests = compile(`手机|甲方|噪音|社交|社死|拍照|空气|消息|聚会|相亲|催婚|应酬|酒局|PPT|ppt|周报|早八|地铁|早高峰|堵车|排队|谈恋爱|钱|前任|数学|考试|学校|婚姻|爱情|恋爱|傻|蠢|笨|你|渣|智商|穷|人多|早起|上班|加班|工作|周一|开会|学习|运动|做饭|家务|老板|领导|人类|男人|女人`)

var zhNoAllergen = compile(`对|^(?:很|有点|会|不|皮肤|容易|经常|换季|春天|最近|有|没|也|又|就|严重|轻微|脸|身上|全身|过|食物|季节性|药物|什么|吃|喝|用)|会$|就$|不$|容易$`)

func zhFan(v string) []string {
	if zhNoFan.MatchString(v) {
		return nil
	}
	return zhItems(v)
}

var zhNoFan = compile(`^(?:路|信|茫|恋|糊|失|惑|上|你|他|她|这|那|谁|他们|什么|脑残|路人|老|新|一名|某)|的$`)

// zhModel returns which of a kind of thing somebody has: 小米13.
func zhModel(v string) []string {
	if v = tidy(v); v == "" || utf8.RuneCountInString(v) > 14 || zhMoody.MatchString(v) {
		return nil
	}
	return []string{v}
}

func digitsOf(n int) string {
	s := ""
	for ; n > 0; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	return s
}
