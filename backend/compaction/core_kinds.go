package compaction

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is a kind of content that the rules recognise, with what it adds to the importance of an entry.
type kind struct {
	name   string
	weight float64
	re     *phrases
	but    *phrases // where this is found too, it is not of the kind
}

// phrases are patterns of both languages; a text without Chinese is not searched for those that begin in Chinese.
type phrases struct{ all, latin *regexp.Regexp }

func rule(patterns ...string) *phrases {
	var latin []string
	for _, p := range patterns {
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(p, "^(?:["))
		if !isHan(first) || strings.Contains(p, `\b`) {
			latin = append(latin, p)
		}
	}
	compile := func(list []string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + strings.Join(list, "|")) }
	r := &phrases{all: compile(patterns)}
	if len(latin) > 0 {
		r.latin = compile(latin)
	}
	return r
}

// MatchString reports whether one of the phrases is in a text.
func (p *phrases) MatchString(s string) bool {
	if strings.ContainsFunc(s, isHan) {
		return p.all.MatchString(s)
	}
	return p.latin != nil && p.latin.MatchString(s)
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// Who speaks or is spoken of, in front of a verb.
const (
	enWho = `^(?:the )?(?:user|assistant|bot|human|person|he|she|they|i|we|you|it|[a-z]+)?\s*(?:(?:just|had|has|have|also|once|briefly|almost|accidentally|already|finally|quickly|jokingly|politely|then|only|recently|later|again|both|sometimes|even|really)\s+)*`
	zhWho = `^(?:用户|使用者|主人|对方|他们?|她们?|我们?|大家|你|TA|助手)?(?:今天|今早|昨天|昨晚|刚才|刚刚|刚|方才|后来|又|还|也|就|顺便|随口|突然|一直|曾|曾经|之前|上次|前几天|那天|下午|上午|中午|晚上|早上)*`
)

// lasting are the kinds that matter for long. Only the weightiest of an entry counts, and a little of the next.
var lasting = []kind{
	{
		name: "identity", weight: 4,
		re: rule(
			`^(?:\w+ )?(?:full |first |last |family |given |nick|preferred |legal |middle |maiden )*names?\s*[:：=]`, `\bname(?:'s| is| was)\b`, `\b(?:called|named|nicknamed)\b`, `\bgoes by\b`, `\bcall (?:me|him|her|them|the user|you)\b`,
			`\bpronouns?\b`, `\bborn (?:in|on|at)\b`, `\bbirth(?:day|date|place)?\b`, `\bnationality\b|\bcitizen(?:ship)?\b|\bpassport\b`, `\baged? \d+|\b\d+[ -]years?[ -]old\b`, `^(?:you are|you're|i am|i'm) (?:(?-i:\p{Lu}\p{Ll})|an? )`,
			`^role\s*[:=]`, `\bsurname\b`, `\bgender\b`, `\bpersona\b`,
			`姓名|名字|昵称|全名|英文名|小名|外号|笔名`, `^(?:用户|我|你|他|她|助手)?(?:叫|名叫|姓|本名)`, `叫(?:我|他|她|你|用户)|称呼`, `生日|出生|生于|生肖|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]`, `国籍|籍贯|护照|身份证|户口`, `今年?\d+岁|\d+岁`, `^(?:你|我|助手)是`,
			`性别|角色[:：]|身份[:：]`,
		),
	},
	{
		name: "health", weight: 4,
		re: rule(
			`allerg|anaphyla|epi-?pen|intoleran|c(?:o)?eliac|diabet|asthma|inhaler|epilep|seizure|hypertension|\bblood (?:type|pressure|thinner|sugar|group)|medicat|medicine|prescri|\b\d+ ?m[gl]\b|insulin|pregnan|disab|wheelchair|autis|\badhd\b|dyslexi|depressi|anxiety|\bptsd\b|migraine|chronic|diagnos|surger|therap|psychiat|counsel|\bvegan\b|vegetarian|\bhalal\b|\bkosher\b|gluten|lactose|\bdeaf\b|hearing aid|colou?r-?blind|\bblind\b|pacemaker|\bheart\b (?:condition|disease|attack|problem|failure)|cancer|\bsober\b|recovering|fractur|injur|vaccin|\bemergency\b|\bcannot eat\b|\bcan't eat\b|does(?:n't| not) eat|\bno (?:nuts|dairy|pork|alcohol|meat|shellfish|sugar)\b|phobia|afraid of|panic|trauma|arthritis|thyroid|kidney|\bback pain\b|screen reader|low vision|dietary|\bstroke\b|immun|transplant|\bsuicid|self-harm|poison|toxic to|dangerous|hazard`,
			`过敏|不耐受|糖尿病|哮喘|癫痫|高血压|低血压|血型|血糖|血压|服药|用药|吃药|药物|的药|药[:：]|毫克|胰岛素|怀孕|孕期|残疾|轮椅|自闭|多动症|抑郁|焦虑症|恐惧症|恐高|偏头痛|慢性|确诊|手术|心脏|癌|素食|吃素|清真|忌口|不能吃|不吃|不能喝|禁食|听障|失聪|助听器|色盲|色弱|失明|低视力|读屏|戒酒|戒烟|主治|医嘱|腰椎|颈椎|痛风|甲状腺|肾|骨折|受过伤|疫苗|紧急|急救|中毒|危险|心理咨询`,
		),
	},
	{
		name: "rule", weight: 4,
		re: rule(
			`\balways\b|\bnever\b|\bmust(?:n't| not)?\b|\bdo not\b|\bdon't\b|\bavoid\b|\bforbid|\bforbidden\b|\bnot allowed\b|\bunder no circumstances\b|\bwithout (?:asking|permission|approval|consent)\b|\bask(?:s|ing)? (?:me |him |her |them |the user |for permission |first )?(?:before|first)\b|\bask before\b|\bconfirm (?:before|with)\b|\bbefore (?:deleting|sending|sharing|buying|running|changing|editing|booking|posting|calling|deploying|merging|paying)\b`,
			`\b(?:answer|reply|respond|write|speak|explain|address|greet|talk|use|keep|refer|stick)(?:s|ing)? (?:to )?(?:me |him |her |them |the user |it |answers |replies |code |everything |messages |responses |explanations |with |in |only |briefly|short|plain|formal|informal|metric|simpl)`,
			`\b(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?|summar(?:y|ies)|code|examples?|units?|dates?|times?|prices?) (?:should|must|in|are to|have to|need to|stay|are always|as)\b`,
			`\bprefer(?:s|red)? (?:\w+ ){0,4}(?:answers?|repl(?:y|ies)|explanations?|examples?|bullet|lists?|code|responses?|prose|tables?|to be|being|metric|that|not)`, `\b(?:wants?|likes?|expects?|needs?|asks?|asked|requires?) (?:answers|replies|responses|to be (?:called|addressed|asked|told|reminded|warned|contacted)|(?:me|you|the assistant) (?:to|never|always|not)|to (?:always|never))\b`,
			`\bonly (?:when|if|after|answer|use|speak|reply|call|contact)\b`, `\b(?:no|skip|less|fewer|more) (?:emojis?|spoilers?|small talk|jargon|flattery|apologies|preamble|disclaimers?|exclamation|slang|sarcasm|filler|code comments)\b`, `\bfrom now on\b|\bgoing forward\b|\bstanding (?:order|instruction|rule)|\bground rule|\bhouse rule`,
			`\bshould(?:n't| not)? (?:be (?:called|addressed|short|brief|formal|kept|told|asked)|always|never|only|not|ask|answer|reply|use|keep|avoid)`, `\bmax(?:imum)?\b[^.]{0,30}\d|\bat most\b|\bno more than\b|\bnot more than\b|\blimit(?:ed)? (?:to|is|of)\b|\bhard (?:limit|cap|rule|stop)\b|\bno (?:calls?|meetings?|notifications?|messages?|deploys?|releases?|work)\b (?:before|after|on|during|between)`,
			`\bconfidential\b|\bsecret\b|\bprivate\b|\boff limits\b|\btaboo\b|\bdo(?:es)? not want\b|\bdoesn't want\b|\bhates? being\b|\btone\b|\bstyle guide\b|\bhonest\b|\bpatient\b|\bsecond person\b|\bfirst person\b|\bwhen (?:asked|unsure|in doubt|he|she|they|the user|someone|something)\b`, `\bif (?:asked|unsure|in doubt|the user|he|she|they|anything|something|someone)\b`,
			`总是|始终|永远|从不|绝不|绝对不|务必|必须|一律|不得|不许|禁止|严禁|请勿|切勿|千万|不可以|不可|不准|不要|别(?:再|跟|给|用|在|把|问|提|说|让|叫|加|写|超|太|动|催|发|打|碰|主动|随便|直接|替)|先(?:问|征求|确认|告诉|说)|(?:之前|前)(?:要|先|必须|请|得)|同意(?:后|才|之前)|以后都|今后|往后|从现在起|一概|凡是|只(?:用|要|能|准|在|说|回答|给|讲)|最多|至多|不(?:能|可)?超过|上限|限额|底线|原则|规矩|规则|忌讳|保密|隐私|不想让|不愿意?让|不外传`,
			`(?:回答|回复|答复|解释|说话|讲解|语气|称呼|写作|输出|格式|代码|例子|建议)(?:要|时|得|请|应|尽量|用|里|中|必须|的时候|保持|风格|长度|语言)`, `用(?:中文|英文|英语|普通话|粤语|简体|繁体|敬语|公制|口语|白话)`, `(?:希望|要求|喜欢|想要|偏好|习惯)(?:你|我|助手|对方|回答|回复|答案|收到|被|先|别人|直接|简短)`, `如果.{1,20}(?:就|请|要|先|则)|(?:遇到|当).{1,20}时`, `简(?:短|洁|练)|直接给|分点|列表|少说|不绕弯|不说教|不寒暄|不评判|温和|耐心|诚实|幽默`,
		),
		but: rule(`\bnever mind\b|\bdon't (?:know|mind|care|remember|think)\b|\bdo not (?:know|mind|care|remember)\b|不要紧|不要钱`),
	},
	{
		name: "contact", weight: 4,
		re: rule(
			`[\w.+-]+@[\w-]+\.\w`, `(?:\+?\d[\d ()/.-]{6,}\d)`, `\b(?:phone|mobile|tel|fax|e-?mail|address|post ?code|zip|iban|bic|account|licen[cs]e|plate|serial|policy|insurance|membership|customer|order|tax|social security)(?: (?:number|no\.?|id|code))?\s*(?:[:=#]|is\b)`,
			`\b(?:pin|password|passcode|passphrase|door code|gate code|wi-?fi|combination|code|key)\b[^.]{0,24}(?:\d{3,}|[:=]|\bis\b)`, `\blives? at \d|\b\d+ [A-Z]\w+ (?:street|road|avenue|lane|st|rd|ave|way|platz|square)\b|\w+(?:stra(?:ß|ss)e|gasse|weg) \d`, `\bemergency contact\b|\bnext of kin\b|\bin an emergency\b`, `\b(?:spare )?keys? (?:is|are|hangs?|lies?|under|behind|with)\b|\bkept in the (?:safe|drawer|blue|red|tin)`, `\bpower of attorney\b|\bwill is\b|\btestament\b|\binsurance\b`,
			`电话|手机号|号码|邮箱|地址|住址|邮编|账号|帐号|卡号|密码|口令|门禁|暗号|车牌|保单|保险|驾照|证件|社保|医保|税号|紧急联系|联系人|微信|钥匙|遗嘱`,
		),
		but: rule(`\b(?:forgot|lost|looked for|searched)\b|忘了|找(?:了|不到)`),
	},
	{
		name: "date", weight: 3,
		re: rule(
			`\b(?:deadline|due (?:on|by|in)|expires?|renew(?:al|s)?|anniversary|wedding|appointment|surgery|exam|interview|flight|due date|retire[sd]?)\b[^.]{0,40}(?:\d{4}|next (?:year|month|week|spring|summer|autumn|fall|winter))`,
			`纪念日|忌日|预产期|到期日?[:：是]|续费|续约`,
		),
	},
	{
		name: "people", weight: 2.5,
		re: rule(
			`\b(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|spouse|mother|father|mom|mum|dad|parents?|step\w+|twins?|brothers?|sisters?|siblings?|sons?|daughters?|child(?:ren)?|kids?|baby|toddler|cousins?|aunts?|uncles?|grand\w+|niece|nephew|\w+-in-law|ex-(?:wife|husband)|widow(?:er|ed)?|guardian|carer|best friend|godson|goddaughter|family|married|divorced|engaged to|funeral|custody|adopt(?:ed|ion))\b`,
			`\b(?:dog|cat|puppy|kitten|parrot|rabbit|hamster|horse|pony|tortoise|turtle)s?\b(?: (?:named|called|is|has|needs|takes)|,|\b)`,
			`妻子|老婆|太太|丈夫|老公|爱人|伴侣|男朋友|女朋友|男友|女友|未婚[夫妻]|儿子|女儿|孩子|宝宝|双胞胎|妈妈|母亲|爸爸|父亲|父母|爷爷|奶奶|外公|外婆|姥[姥爷]|岳父|岳母|公公|婆婆|哥哥|弟弟|姐姐|妹妹|[表堂][哥弟姐妹]|叔叔|阿姨|舅舅|姑姑|侄|外甥|孙|老伴|家人|结婚|离婚|丧偶|去世|过世|监护|(?:猫|狗|兔子|仓鼠|鹦鹉|乌龟)(?:叫|名|是|今年|怕|对|要)`,
		),
	},
	{
		name: "home", weight: 2.5,
		re: rule(
			`\b(?:lives?|living|resides?|based) (?:in|at|near|with|alone|on)\b|\bmoved (?:to|from|in)\b|\bhome ?town\b|\bhome\s*[:=]|\bgrew up\b|\bcomes? from\b|\bfrom [A-Z]\w+ originally|\boriginally from\b|\bnative of\b|\bowns? (?:a|the|an) \w*\s?(?:house|flat|apartment|farm|shop|bakery|caf[ée]|restaurant|business|company|boat)`,
			`\bworks? (?:as|at|for|in|from|night|part|full|remotely|with)\b|\bworking (?:as|at|for)\b|\bjob\b|\bemploy|\bprofession|\boccupation|\bcareer\b|\bself-employed|\bfreelanc|\bretired\b|\b(?:engineer|teacher|nurse|doctor|lawyer|accountant|programmer|developer|designer|architect|carpenter|electrician|plumber|chef|baker|farmer|driver|pilot|student|professor|researcher|scientist|translator|writer|journalist|librarian|pharmacist|dentist|midwife|mechanic|manager|director|founder|consultant|technician|apprentice|intern|postdoc|phd)\b`,
			`\bstud(?:y|ies|ying) \w+ (?:at|in)\b|\bstudies\b|\bdegree\b|\bmajor(?:s|ed)? in\b|\bgraduat|\buniversity\b|\bschool\b|\bsemester\b|\bthesis\b|\btime ?zone\b|\butc[+-]|\bsalary\b|\bincome\b|\bmortgage\b|\bboss\b|\bteam (?:lead|of)\b|\bshifts?\b`,
			`住在|住址|居住|搬到|搬家|老家|家在|家住|定居|租住|上班|工作|职业|职务|岗位|公司|单位|就职|任职|自由职业|退休|工程师|老师|教师|护士|医生|律师|会计|程序员|设计师|厨师|司机|学生|教授|研究员|翻译|作家|记者|店主|老板|经理|创始人|实习|博士|硕士|本科|大学|专业|学校|学院|高三|高考|毕业|时区|工资|收入|房贷|值班|夜班|轮班`,
		),
	},
	{
		name: "language", weight: 2.5,
		re: rule(
			`\b(?:native|mother) (?:tongue|language|speaker)|\bnative\b|\bfluent|\bspeaks? (?-i:[A-Z])|\bbilingual|\blanguages?\s*[:=]|\blearning (?:to speak )?(?:(?-i:[A-Z]\w+)|english|german|french|spanish|chinese|japanese)|\b[ABC][12]\b`,
			`母语|会说|会讲|流利|双语|在学(?:英|日|法|德|西|韩|俄)语|语言[:：]|方言`,
		),
	},
	{
		name: "goal", weight: 2.5,
		re: rule(
			`\bgoals?\b|\baims? to\b|\bdreams? of\b|\bwants? to (?:become|learn|run|write|start|move|retire|finish|lose|quit|build|buy|open|pass|publish|change|study|stop|save|sell|be)\b|\bsaving (?:up )?for\b|\btraining for\b|\bpreparing for\b|\bworking toward|\bdeadline\b|\bis due\b|\bplans? to\b|\bplanning to\b|\bpromised?\b|\bcommit(?:ted|ment)\b|\bresolution\b|\bmission\b|\bvow|\bowes?\b|\bloan\b|\bdebt\b|\bbudget\b|\blearning\b|\bquit(?:ting)? smoking\b`,
			`目标|打算|计划|梦想|备考|准备(?:考|买|结婚|开|换|写|搬)|截止|攒钱|存钱|还款|贷款|欠|婚礼|预算|想(?:学|考|当|成为|开一?家|写一?本|换工作|戒|减|跑)|正在(?:学|备|写|戒|减肥)|答应|承诺|立志|戒`,
		),
	},
	{
		name: "decision", weight: 2.5,
		re: rule(
			`\bdecid(?:ed|es|e)\b|\bdecision\b|\bchose\b|\bchosen\b|\bagreed (?:on|to|that|with)\b|\bstack\b|\bbuilt (?:with|on|in)\b|\bwritten in\b|\buses? (?:the )?(?:python|go|rust|java|typescript|postgres|sqlite|react|svelte|linux|windows|mac|arch|vim|emacs|metric)\b|\brepo(?:sitory)?\b|\bbranch(?:es)?\b|\bdeploy|\bproduction\b|\bstaging\b|\bdatabase\b|\bschema\b|\barchitecture\b|\bapi\b|\blicen[cs]ed? (?:under|is)|\bcontract\b|\bclient\b|\bcustomer\b|\bmilestone|\brequirement|\bcompliance\b|\bgdpr\b|\bconvention|\bnaming\b|\bbackup|\bencrypt|\bsupports? (?:only )?|\btarget(?:s|ing)?\b|\bruns on\b|\bhosted\b|\bserver\b|\bmust support\b|\bfocus(?:es)? on\b|\bstakeholder`,
			`决定|选定|确定用|敲定|约定|技术栈|架构|数据库|部署|生产环境|仓库|分支|接口|上线|需求|里程碑|客户|合同|合规|许可证|规范|命名|备份|加密|服务器|支持(?:的|到)|采用|基于|负责人|项目(?:名|代号|目标|组)`,
		),
	},
	{
		name: "habit", weight: 1.5,
		re: rule(
			`\bevery (?:single )?(?:day|morning|evening|night|week|month|year|spring|summer|autumn|winter|other|second|mon|tues|wednes|thurs|fri|satur|sun|weekend|weekday|lunch|january|december|time)|\beach (?:day|morning|week|month|year)|\b(?:daily|weekly|monthly|yearly|annually)\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\busually\b|\broutine\b|\bregularly\b|\bhabit|\bsince (?:19|20)\d\d\b|\bsince (?:childhood|he was|she was|they were|school)\b|\bfor (?:\d+|many|several|two|three|four|five|six|seven|eight|nine|ten|twenty) (?:years|decades)\b|\bon weekends\b|\btwice a\b|\bonce a (?:day|week|month|year)\b|\btimes a (?:day|week|month|year)\b|\blifelong\b`,
			`每天|每日|每周|每个?月|每年|每逢|每次|每个?(?:星期|周末|早上|晚上|季度|工作日)|平时|平日|通常|一般(?:在|都|会)|习惯|向来|从小|多年|(?:周|星期)[一二三四五六日天末](?:上午|下午|晚上|早上)?(?:都|要|有|固定|例会)|自?(?:19|20)\d\d年(?:起|以来|开始)|\d+年了`,
		),
	},
	{
		name: "likes", weight: .5,
		re: rule(
			`\blikes?\b|\bloves?\b|\benjoys?\b|\bfan of\b|\bfavou?rite\b|\bhobb|\bplays? (?:the )?\w+|\bprefers?\b|\bdislikes?\b|\bhates?\b|\bcan't stand\b|\bcollects?\b|\binto\b|\binterested in\b`,
			`喜欢|爱好|最爱|热爱|讨厌|擅长|感兴趣|收藏|偏爱|爱(?:吃|喝|看|听|玩|读)`,
		),
	},
}

// passing are the kinds that matter for a moment. All of an entry count.
var passing = []kind{
	{
		name: "moment", weight: 2,
		re: rule(
			`\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|noon|weekend|time)|last (?:night|time|weekend|mon|tues|wednes|thurs|fri|satur|sun)\w*|just now|right now|at the moment|for now|(?:a )?(?:moment|minute|few minutes|while|bit|few days|couple of days|couple days) ago|an hour ago|\d+ (?:seconds?|minutes?|hours?|days?) ago|the other day|the day before|earlier(?: on)?|currently (?:waiting|sitting|eating|having|in a|on the|stuck|watching|feeling)|for a (?:moment|minute|while|bit)|momentarily|briefly|half an hour|(?:ten|five|twenty|\d+) minutes)\b`,
			`\b(?:on|one) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bat (?:around |about )?\d{1,2}(?::\d\d| ?[ap]m)`, `^\[?\d{1,2}:\d\d\b`, `\bonce\b`,
			`今天|今早|今晚|今晨|今儿|昨天|昨晚|昨夜|昨儿|前天|明天|后天|刚才|刚刚|方才|刚(?:吃|喝|到|起|看|买|洗|下班|回|醒|发|把)|正在(?:等|吃|喝|看|坐|洗|排|堵)|这会儿|此刻|眼下|待会儿?|一会儿|等会儿?|半小时|几分钟|\d+分钟|上午|中午|下午|傍晚|半夜|凌晨|早上|晚上|前几天|那天|上周|周末(?:去|看|和)|一度|一时|暂时|眼看`,
		),
		but: rule(`\bfrom today\b|\bas of today\b|\buntil today\b|\bevery\b|\bonce (?:a|per|every)\b|\bat once\b|每|平时|通常|今天起|周[一二三四五六日末]都`),
	},
	{
		name: "talk", weight: 2.5,
		re: rule(
			enWho+`(?:said|says|say|told|asked|asks|wondered|mentioned|mentions|remarked|commented|thanked|thanks|greeted|laughed|chuckled|joked|giggled|complained|apologi[sz]ed|replied|responded|typed|wrote|sent|pasted|chatted|talked|discussed|exclaimed|sighed|agreed|confirmed|nodded|waved|grumbled|teased|reacted|responded|repeated|guessed|admitted|noted|corrected|pointed out|requested|hinted|shouted|gossiped)\b`,
			`\b(?:small talk|said (?:hi|hello|thanks?|bye|good|that)|thank(?:s|ed)|lol|lmao|haha+|hehe+|jokes?|joking|puns?|test(?:ing)? (?:message|123|one)|typos?|smiley|thumbs up|good (?:morning|night|evening|afternoon)|hello|goodbye|knock-knock|chit-?chat|banter|emoji (?:was|of|for)|wished (?:me|him|her|the))\b`, `\b(?:conversation|session|chat|talk|call|turn) (?:started|ended|began|was|about|lasted|went|stopped)\b`, `\b(?:in|during) (?:this|that|the last|the previous) (?:chat|conversation|session|message|talk|call)\b`,
			`^(?:hi|hey|hello|ok|okay|thanks|thx|yo|hmm+|uh|sure|cool|nice|great|bye|test|asdf\w*|good|yes|no|wow)\W*$`,
			zhWho+`(?:说了|说[:：“「是着起自]|说完|说到|问了|问过|问起|问[:：“「我你]|询问|提到|提起|提了|聊了|聊到|聊起|谈到|谈了|谈起|道了?谢|感谢|谢了|谢谢|打了?个?招呼|问好|问候|寒暄|开了?个?玩笑|笑了|大笑|笑着|吐槽|抱怨|感叹|感慨|回复了|发了|发来|发过|贴了|粘贴|道歉|道别|说再见|告别|夸了?|调侃|附和|点头|让我(?:讲|说|写|猜|算|查|翻)|要我(?:讲|说|写|猜|算|查|翻)|随口|顺口)`,
			`哈哈|嘿嘿|呵呵|测试(?:一下|消息|123)|打错了?字|错别字|闲聊|客套|(?:对话|会话|聊天|通话)(?:开始|结束|到此|里|中)|^(?:嗯|好的?|谢谢|你好|您好|早上好|晚安|早安|再见|拜拜|测试|收到|知道了|明白)[\pP\s]*$|讲了?个笑话|冷笑话|谐音|表情包`,
		),
		but: rule(`\b(?:asked|told|requested|wants?|agreed|promised) (?:\w+ )?(?:to be|not to|never|always|to always|to never|that (?:i|we|you) (?:never|always|not))\b`),
	},
	{
		name: "weather", weight: 3,
		re: rule(
			`\bweather\b|\brain(?:ed|ing|y|s)?\b|\bsnow(?:ed|ing|y|s)?\b|\bsunny\b|\bcloudy\b|\bwindy\b|\bfog(?:gy)?\b|\bstorm(?:y|ed)?\b|\bdrizzl|\bhumid\b|\bdegrees\b|\d ?°|\b(?:hot|cold|warm|chilly|freezing|grey|gray|muggy|icy|mild) (?:outside|out|today|morning|day|evening|night)\b|\bforecast\b|\bsunset\b|\bthunder|\bhail\b|\bsleet\b|\bheat ?wave\b|\bbreez`,
			`下雨|下雪|雨(?:很|停|大|小|下|天)|天气|晴|阴天|阴沉|刮风|大风|多云|有雾|大雾|雾霾|气温|降温|升温|太阳|闷热|打雷|雷阵雨|毛毛雨|小雨|大雨|冰雹|晚霞|彩虹|(?:好|很|真)(?:热|冷|闷)|\d+度`,
		),
		but: rule(`headache|migraine|asthma|allerg|every|always|snow(?:board|shoe)|rain ?coat|哮喘|过敏|头痛|每`),
	},
	{
		name: "meal", weight: 2.5,
		re: rule(
			`\b(?:had|ate|eating|drank|drinking|having|cooked|made|ordered|grabbed|snacked|snacking|skipped|baked|finished|burn(?:ed|t)|microwaved|reheated|sipp\w+|poured|tried|brewed|got|bought)\b[^.]{0,40}\b(?:breakfast|lunch|dinner|supper|brunch|sandwich(?:es)?|pizza|soup|salad|coffee|tea|ramen|noodles|burger|leftovers|toast|pasta|snacks?|cake|beer|wine|curry|rice|take-?away|take-?out|bagel|croissant|donut|doughnut|cookies?|biscuits?|eggs?|omelett?e|pancakes?|sushi|dumplings|tacos?|burrito|fries|chips|crisps|chocolate|ice cream|smoothie|juice|yogh?urt|cereal|porridge|oatmeal|apple|banana|orange|muffin|latte|espresso|cappuccino|pretzel|kebab|stew|lasagn[ae]|spaghetti|risotto|waffles?|popcorn|cocoa)\b`,
			`\b(?:for|at|over) (?:breakfast|lunch|dinner|supper|brunch)\b|\b(?:breakfast|lunch|dinner|supper|snack)\s*[:=]|\b(?:coffee|tea|soup|lunch|dinner|breakfast|pizza|toast|sandwich) (?:was|got|is|went|tasted)\b|\bhungry\b|\bthirsty\b|\bcraving\b|\bsecond (?:cup|coffee|helping)\b`,
			`(?:吃了|喝了|点了|叫了|煮了|做了|尝了|啃了|泡了|买了|煎了|蒸了|烤了|炒了|喝着|吃着|在吃|在喝|吃的是?|喝的是?|想吃|想喝|吃完|喝完|嚼).{0,14}`, `(?:早饭|午饭|晚饭|早餐|午餐|晚餐|早点|夜宵|外卖|奶茶|咖啡|火锅|泡面|盒饭|下午茶)(?:吃|喝|是|点|叫|没|买|做|有|太|凉|：|:)|没吃(?:早|午|晚)|凉了|太咸|太辣|太甜|肚子饿|好饿`,
		),
		but: rule(`allerg|intoleran|never|always|every|vegan|vegetarian|每|过敏|不能|药|从不|做了(?:手术|决定|父|妈|爸)`),
	},
	{
		name: "mood", weight: 2.5,
		re: rule(
			`\b(?:was|is|were|are|am|feels?|felt|feeling|seemed|seems|sounded|looked|got|a bit|a little|little|so|very|pretty|kind of|somewhat|quite|rather|slightly|too) (?:a bit |a little |very |so |quite |rather |pretty |really |somewhat |slightly )*(?:tired|sleepy|bored|hungry|thirsty|grumpy|annoyed|exhausted|cheerful|happy|sad|stressed|cold|hot|restless|distracted|groggy|excited|nervous|relaxed|lazy|moody|cranky|amused|confused|frustrated|surprised|relieved|dizzy|sweaty|stiff|irritated|impatient|curious|pleased|glad|upset|down|jet-?lagged|full|busy)\b`,
			`\bin a (?:good|bad|great|silly|foul|hurry) mood\b|\byawn|\bslept\b|\boverslept\b|\bwoke up\b|\bnap(?:ped)?\b|\bhung ?over\b|\bstretch(?:ed)?\b|\bsneez|\bheadache\b|\bsore throat\b|\bsniffl|\bhiccup|\bcouldn't sleep\b|\bmood\b`,
			`(?:有点|有些|很|好|挺|特别|太|真|非常|觉得|感觉|感到|说)(?:累|困|饿|渴|冷|热|烦|晕|无聊|开心|高兴|难过|紧张|兴奋|疲|郁闷|无奈|着急|烦躁|撑)|心情|没睡好|睡得|睡过头|失眠了|打哈欠|哈欠|打喷嚏|起晚|起得|赖床|午睡|小睡|懒洋洋|犯困|没精神|没胃口|头疼了?一|嗓子(?:疼|哑)|打嗝|伸了?个?懒腰|鼻塞`,
		),
		but: rule(`chronic|migraine|every|always|depress|disorder|慢性|偏头痛|每|总是|抑郁|症`),
	},
	{
		name: "errand", weight: 2.5,
		re: rule(
			`\b(?:waiting (?:for|at|in)|waited|stuck in|on (?:the|a|his|her|their) (?:bus|train|tram|metro|subway|plane|sofa|couch|phone|balcony|bench|way)|missed the|traffic|queue[sd]?|in line|running late|late (?:for|to)|parked|parking (?:spot|ticket|space)|elevator|lift was|on hold|stepped out|brb|be right back|popped (?:out|in|to)|rush hour|delayed|detour)\b`,
			`\b(?:loading|reboot(?:ed)?|restart(?:ed)?|battery|charger|charg(?:ed|ing)|wi-?fi (?:was|is|dropped|went)|internet (?:was|is|dropped|went)|lag(?:ged|gy)?|froze|frozen screen|crashed|jammed|beeped|printer|microphone|mic|headphones|earbuds|notification|browser tab|tabs|screenshot|volume|cursor|keyboard was|mouse was|bluetooth|autocorrect|pop-?up|update (?:finished|installed|took))\b`,
			`\b(?:spill(?:ed|t)|knocked over|tripped|stubbed|dropped (?:a|the|his|her|their)|scratched|paper ?cut|doorbell|rang|package|parcel|delivery|courier|laundry|dishes|dishwasher|groceries|shopping list|trash|bin (?:day|was)|vacuum|hoover|dust(?:ed|ing)|swept|mop|socks?|umbrella|light ?bulb|haircut|shower|shaved|manicure|nail|sticker|receipt|coupon|discount|sale|lottery|vending machine|pen|post-it|stapler|plant(?:s)? (?:was|were|got)|watered)\b`,
			`\b(?:bought|buy|picked up|grabbed|needs?|out of|ran out of|get) (?:\w+ ){0,3}(?:milk|bread|eggs|batteries|bananas|apples|onions|butter|cheese|toilet paper|paper towels|soap|detergent|toothpaste|shampoo|stamps|napkins|tissues|flowers|groceries|snacks)\b`, `\b(?:cat|dog|kitten|puppy|bird|pigeon|squirrel|fly|mosquito|spider|bee|wasp|seagull|neighbou?r's \w+) (?:sat|slept|walked|jumped|barked|knocked|scratched|was|got|landed|flew|meowed|ran|stole|chewed|buzzed|is (?:sleeping|barking|sitting))\b`,
			`\bwent (?:to (?:the (?:shop|store|gym|bank|post office|supermarket|park|toilet|bakery|market|beach|cinema|library|kitchen)|bed|sleep)|for a (?:walk|run|swim|drive|ride|coffee)|out for|home|shopping|upstairs|downstairs)\b`, `\b(?:was|were|is|went) (?:broken|down|out of order|offline|closed|stuck|noisy|blocked|flickering|leaking)\b`, `\btook (?:a|the) (?:walk|nap|shower|bath|bus|train|taxi|photo|picture|break|selfie|tram)\b|\bgot (?:home|back|up|in|off|on)\b`,
			`等(?:公交|车|地铁|电梯|外卖|快递|人|朋友|红灯|了)|等.{1,8}(?:结果|回复|通知|加载|下载|编译)|在(?:地铁|公交|火车|高铁|飞机|车|路|沙发|床)上|信号|坏了|停电|停水|堵车|堵在|排队|排了|迟到|晚点|误点|误了|没赶上|赶(?:车|地铁|公交)|错过了?(?:公交|地铁|车|一?班)|停车|快递|取件|外卖|电量|没电|充电|充上电|网(?:络|速)?(?:卡|慢|断|不好|很)|卡顿|卡了|死机|重启|闪退|打印机|卡纸|麦克风|耳机|截图|弹窗|音量|洒了|打翻|碰倒|掉了|掉在|摔了|绊了|洗(?:碗|衣服|澡|车|头)|晾|扫地|拖地|倒垃圾|收拾|丢了(?:一|把|支)|雨伞|袜子|灯泡|剪了?(?:头发|指甲)|理发|去(?:趟|了趟|了一趟|楼下|超市|便利店|菜市场|取|逛)|散步|散了|遛弯|门铃|敲门|蚊子|苍蝇|蜘蛛|鸽子|(?:猫|狗)(?:趴|睡|跳|打|叫|跑|踩|咬|抓|把)|优惠券|打折|小票|抽奖|红包|拍了(?:张|一张)|自拍|浇了?花|红绿灯|电梯`,
		),
		but: rule(`always|never|every|on weekdays|每|总是|从不|不要|必须`),
	},
	{
		name: "media", weight: 2.5,
		re: rule(
			`\b(?:watched|saw|binged|listened to|scrolled|skimmed|played|streamed|rewatched|heard|read|started|finished|browsed|watching)\b[^.]{0,60}\b(?:episodes?|movies?|films?|videos?|clips?|shows?|match|games?|songs?|podcasts?|memes?|news|articles?|headlines?|youtube|tiktok|netflix|series|documentary|trailers?|rounds?|concert|reels?|posts?|radio|chapter|page|magazine|comics?|album|playlist)\b`, `\b(?:song|tune|jingle|melody) (?:was )?stuck in|\bscore was\b|\bwon \d|\blost \d|\b\d+[:–-]\d+ (?:win|loss|defeat)`,
			`看了.{0,14}(?:集|部|场|剧|电影|视频|综艺|球赛|比赛|直播|新闻|动画|番|纪录片|帖子|文章)|刷(?:了|着|会儿|到).{0,8}(?:视频|抖音|手机|微博|朋友圈|短剧|帖子|剧)|听了.{0,10}(?:歌|播客|曲|广播|专辑)|打了.{0,8}(?:游戏|局|把|盘)|玩了.{0,8}(?:游戏|局|把|盘|会儿)|追剧|比分|赢了|输了|单曲循环|热搜`,
		),
	},
	{
		name: "task", weight: 2.5,
		re: rule(
			`\b(?:convert(?:ed|ing)?|translate[d]?|translating|translation of|spell(?:ing|ed)?|synonyms?|antonyms?|capital (?:of|city)|how many|how (?:tall|far|old|long|much)|what (?:time|day|does|is the|year)|calculat(?:ed|ing|e|ion)|rhym(?:e|es|ed|ing)|recipe (?:for|of)|look(?:ed|ing|s)? up|googled|define[d]?|definition of|meaning of|summari[sz](?:ed|ing) (?:an|the|this|that|a)|summary of (?:an|the|this|that|a)|proofread|rename[d]?|regex|regular expression|crossword|trivia|riddle|haiku|limerick|poem|random number|coin (?:flip|toss)|dice|palindrome|anagram|sum of|square root|percent of|exchange rate|stopwatch|timer|set an alarm|reminder (?:was|for|to)|unit conversion|formatted|reformatted|debugg(?:ed|ing)|sorted a|wrote a (?:short|quick|small|funny)|drafted|generated|plus \d|times \d|\d+ (?:\+|\*|x|×|/) \d+|stack trace|error message|one-off)\b`,
			`翻译(?:了|过|一[下段句])|译成|换算|算(?:了|过)?一下|计算(?:了|过)?|算了|查(?:了|过)|搜(?:了|索了|过)|几点|怎么(?:写|读|拼|念|翻|做)|什么意思|同义词|反义词|押韵|首都|写了?(?:一|首|个|段)|编了|笑话|谜语|脑筋急转弯|改(?:了)?(?:个|一个|几个)?(?:错|病句|标点|文件名)|多少(?:度|钱|公里|人|米|克)|掷骰子|随机数|抛硬币|正则|报错|定(?:了)?(?:个)?闹钟|计时|倒计时|润色(?:了|过)|总结(?:了|过)|概括(?:了|过)|起了?个?(?:名|标题)|接龙`,
		),
		but: rule(`always|never|every|must|总是|每次|必须|一律`),
	},
	{
		name: "done", weight: 2,
		re: rule(
			`\balready (?:\w+ )?(?:done|fixed|paid|sent|returned|bought|solved|resolved|finished|cancelled|replied|handled|delivered|submitted|merged|closed|installed|booked|picked)\b|\b(?:is|are|was|were|has been|have been|got|been|now) (?:now |already |all )?(?:done|over|finished|closed|resolved|fixed|sorted|solved|settled|cancelled|canceled|returned|repaired|delivered|paid|submitted|merged|completed|shipped|archived|replaced|removed|deleted|postponed|rescheduled|refunded|unsubscribed)\b|\bno longer\b|\bexpired\b|\bobsolete\b|\boutdated\b|\b(?:old|former|previous) (?:plan|version|draft|list|note|password|address|phone|laptop|job|flat)\b|\btemporar|\bplaceholder\b|\bscratch\b|\bused to\b|\bformerly\b|\b(?:fixed|resolved|finished|completed|cancelled|canceled|returned|repaired|delivered|submitted|merged|solved)\b|^(?:\[x\]|✓|✔|✅|done\b)|\bworked out fine\b|\bwent (?:well|fine|ok|smoothly)\b|\bdeprecated\b|\bfalse alarm\b|\bturned out\b|\bfound (?:it|them) (?:again|in|under|behind)\b|\bclosed (?:the )?(?:issue|ticket)`,
			`已(?:经)?(?:完成|解决|取消|过期|还|付|寄|退|修好|修复|结束|处理|搞定|交|提交|发|发货|合并|关闭|送|买|办好|办完|作废|弃用|归还|订|缴|撤|换|删)|不再|作废|过期|临时|草稿|占位|搞定|用不上|完成了|结束了|修好了|解决了|取消了|办好了|寄出|归还|旧(?:的|版|方案|计划|手机|密码|地址)|以前|曾经|原来(?:的|是|用)|改期|虚惊|原来落|找到了|找回|顺利(?:结束|完成|通过)|^(?:☑|✓|✔|✅)`,
		),
	},
}

// doing is what somebody once did, or was seen to: one event without a word that says that it lasts.
var doing = kind{
	name: "event", weight: 1.5,
	re: rule(
		enWho+`(?:bought|lost|left|tried|picked|grabbed|forgot|missed|saw|went|took|got|walked|ran|woke|slept|spent|used|opened|closed|clicked|copied|downloaded|uploaded|printed|cleaned|fixed|washed|watered|checked|called|texted|emailed|met|visited|stopped|started|sat|stood|spotted|noticed|found|heard|dropped|spilled|broke|cut|burned|paid|ordered|returned|borrowed|waited|played|watched|read|listened|made|cooked|baked|ate|drank|had|tested|searched|looked|gave|put|turned|changed|switched|finished|ran|passed|won|came|drove|flew|rode|tripped|fell|hurt|felt|was|were|booked|sold|sent|showed|learned|learnt|wore|painted|planted|repaired|cancelled|canceled|installed|updated|tidied|packed|unpacked|hung|moved|wanted|needed|thought|liked|kept|did|didn't|couldn't|wasn't)\b`,
		`[^除为得到极忘]了(?:一|两|几|三|四|五|半|个|趟|次|下|会儿|点|些|杯|碗|份|张|把|件|条|只|块|$|。|，|,|！|；|\s|[\p{Han}])`,
	),
	but: rule(`\b(?:has|have) (?:a|an|two|three|been|never|always)\b|结婚了|退休了|毕业了|怀孕了|去世了`),
}

// happens names what has a date and is over after it.
var happens = rule(
	`\b(?:appointment|meeting|flight|trip|exam|concert|reservation|interview|deadline|due|party|visit|visits|visiting|call|conference|workshop|wedding|holiday|vacation|delivery|reminder|event|dinner|lunch|train|hotel|booking|booked|booking|check-?up|dentist|doctor|hearing|session|webinar|course|class|game|match|race|festival|fair|sale|offer|coupon|voucher|pick(?:ed|s)? up|arriv(?:e|es|ed|ing)|leav(?:e|es|ing)|starts?|ends?|expires?|release|sprint|demo|review|launch|hike|tour|ticket|renewal|inspection|repair|viewing|moving)\b`,
	`会议|航班|预约|截止|考试|面试|演唱会|预订|预定|旅行|出差|聚会|聚餐|婚礼|讲座|体检|复诊|看牙|活动|演出|展览|比赛|开会|车票|机票|酒店|入住|到期|报名|培训|课程|交付|上线|发布|演示|评审|答辩|快递|送达|优惠|团建|约了|约好|拜访|搬家|取票|假期|年会`,
)

// identityLine is what may never leave core memory: who the agent is, and what the user is called.
var identityLine = rule(
	`^(?:my|your|his|her|their|the user's|user's|preferred|full|first|last|family|legal|given|nick)?\s*(?:full |first |last |preferred |legal |nick)?name(?:\s+is|'s|\s*[:：=])`, `^(?:you are|you're) \p{L}|^(?:i am|i'm) (?:(?-i:\p{Lu}\p{Ll})|an? |the )`, `^(?:the )?(?:user|person|human) is (?:called|named)\b`, `^(?:is|are) (?:called|named)\b`, `\b(?:wants|prefers|likes|asked) to be called\b|^call (?:me|him|her|them)\b`, `^(?:pronouns?|role|identity)\s*[:：=]`, `^pronouns?\b`,
	`^(?:姓名|名字|昵称|称呼|全名|本名|英文名|角色|身份|人称)\s*[:：是叫]`, `^(?:用户|我|你|他|她|主人|助手|使用者|本人)(?:的)?(?:名字|姓名|昵称)?(?:叫|名叫|姓)`, `^(?:你|我|助手)是`, `^(?:请)?(?:叫|称呼)(?:我|他|她|用户|对方)`, `^(?:用户|对方)?希望(?:被)?(?:叫|称呼)`,
)

// pinMark is how a line of a block says that it is pinned.
var pinMark = rule(`📌|\[pin(?:ned)?\]|【置顶】|\[置顶\]`)
