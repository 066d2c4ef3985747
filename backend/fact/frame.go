package fact

import (
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/backend/wish"
)

// A message is its writer's own talk, or it holds something else: a text to work on, a letter, what others say, a story, a
// game. Facts are read from own talk alone; where it is not plain which of the two a sentence is, it is left alone.

// signs are ways to say that something is not one's own talk.
type signs []*pattern

func signsOf(patterns ...string) signs {
	out := make(signs, len(patterns))
	for i, p := range patterns {
		out[i] = compile(enTexts.Replace(p))
	}
	return out
}

// in reports whether a text shows one of them.
func (s signs) in(text string) bool {
	return slices.ContainsFunc(s, func(p *pattern) bool { return p.MatchString(text) })
}

// Words of what is written, in the patterns of signs.
var enTexts = strings.NewReplacer(
	"{please}", `(?:(?:please|pls|now|and|then|ok|okay|so|hey|hi|also|just|quick|(?:can|could|would|will) you(?: please| just| maybe)?|help me(?: to)?|i (?:want|need|['’]?d like|would like) you to|let['’]s),? )*`,
	"{请}", `(?:请|麻烦|帮我|帮忙|给我|替我|你|您|能不能|可不可以|可以|把|将|能|现在|来|再|那)*`,
	"{text}", `(?:texts?|sentences?|phrases?|paragraphs?|passages?|essays?|letters?|e-?mails?|drafts?|story|stories|novels?|poems?|verses?|lyrics|songs?|haikus?|limericks?|sonnets?|raps?|scripts?|dialogues?|monologues?|scenes?|chapters?|speech|captions?|bios?|profiles?|headlines?|slogans?|taglines?|ads?|posts?|tweets?|reviews?|blurbs?|summary|summaries|intros?|introductions?|cover letters?|cvs?|resumes?|résumés?|statements?|abstracts?|articles?|blogs?|transcripts?|subtitles?|messages?|notes?|answers?|repl(?:y|ies)|toasts?|vows?|jokes?|prompts?|exercises?|homework|translations?|wording|lines?)`,
	"{role}", `(?:pirate|doctor|wizard|teacher|character|king|queen|knight|detective|robot|dungeon|game|evil|famous|interviewer|recruiter|shopkeeper|therapist|captain|dragon|spaceship|vampire|bard|innkeeper|customs|bouncer|clerk|teller|hostage|kidnapper|vet|officer|grandma|grandmother|grandpa|grandfather|mother|father|mum|mom|dad|sister|brother|wife|husband|boss|waiter|waitress|customer|client|patient|nurse|landlord|tenant|judge|lawyer|policeman|cop|alien|ghost|witch|elf|dwarf|narrator|oracle|genie|butler|spy|agent|host|guest|tourist|guide|examiner|tutor|coach|salesman|bartender|barista|cashier|receptionist|pilot|passenger|professor|student|poet|novelist|reporter|journalist|parrot|cat|dog)`,
	"{tongue}", `(?:english|french|german|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|polish|czech|greek|turkish|arabic|hebrew|hindi|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|russian|ukrainian|welsh|irish|latin|esperanto|catalan|romanian|hungarian|indonesian|malay|swahili|morse(?: code)?|pirate|emojis?)`,
	"{语}", `(?:英语|英文|法语|法文|德语|德文|日语|日文|韩语|韩文|西班牙语|俄语|意大利语|葡萄牙语|泰语|粤语|文言文?|白话|普通话|中文|汉语|阿拉伯语|越南语)`,
)

// The signs, by how much of a message they take away. What a person says of the world in the same words is rare, and left alone too.
var (
	// The whole message: a game, a joke.
	ofAll = signsOf(
		// jokes
		`(?i)\b(?:just kidding|(?:level|kind|sort|type) of joke|kidding|jk|j/k|joking|just joke|pulling your leg|sarcas(?:m|tic)|not really|in my dreams|april fools?|knock,? knock|you killed my father|bond[,.] james bond|my name(?: is|['’]s) (?:inigo montoya|maximus decimus|forrest gump)|said no one ever|yeah,? right)\b|/s(?:\s|$)`,
		`开玩笑|逗你|骗你|说笑|瞎说|瞎编|才怪|做梦的?吧|愚人节|信不信由你`,
		// a talk between others
		`(?im)(?:^|[.!?。！？]\s*)(?:assistant|user|human|system|ai|bot|chatgpt|interviewer|customer|agent|speaker \w|person \w|q|a|用户|助手|客服|顾客|甲|乙|丙|问|答|[AB]|老师|学生|医生|病人|面试官|求职者|旁白)\s*[:：]`,
		`(?i)\bme: .*\byou: `,
		`(?m)^\s*(?:<[\w .-]{1,20}>|\[?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?\]?[ ,-]+[\p{L} .]{1,20}:) `,
		// games and stories
		`(?i)\b(?:role[- ]?play\w*|let['’]?s (?:play|pretend|imagine)|let['’]?s say (?:i|my|we|you)\b|pretend|act (?:as|like)|in (?:this|my|the) (?:story|novel|game|play|scene|campaign|script|book|dream|sim|simulation|quest|rpg|larp)|my (?:character|persona|fursona|sim|avatar|player|npc|protagonist|narrator|hero|heroine|oc)\b|my (?:d ?& ?d|dnd|rpg|ttrpg|wow|skyrim|minecraft|stardew|zelda|pok[eé]mon|sims|gta) |\bmy (?:cleric|paladin|wizard|warlock|druid|sorcerer|barbarian|tiefling)\b|monologue|i(?:['’]ll| will) play|i am (?:now )?playing|once upon a time|fictional|(?:this is|work of) fiction|hypoth?et\w+|thought experiment|for the sake of argument|mad libs?|dungeon master|game master|text adventure|DMing|in[- ]character|out of character)\b`,
		`(?i)\b(?:you(?:['’]re| are) (?:now )?(?:a|an|the|my) (?:\p{L}+ )?{role}|you(?:['’]ll)? (?:be|play) (?:the|a|an|my) \p{L}+|you ask,? i answer|(?:interview|conversation|speaking|dialogue|pitch|small talk) practi[cs]e|let['’]?s practi[cs]e|practi[cs]e (?:a|an) (?:conversation|dialogue|interview)|mock interview)\b`,
		`(?im)(?:^|[.!?] )(?:please |now |ok,? |just |you |i want you to |i['’]d like you to |let me |i['’]ll )*(?:be|play) (?:my|an?|the|your) (?:[\p{L}-]+ ){0,2}?{role}\b`,
		`(?i)\bimprov(?: (?:time|scene|game|prompt|exercise|sketch)\b|[:.!])`,
		`(?im)^(?:so |then |ok(?:ay)?,? )?i (?:(?:enter|burst into|stumble into|stride into) (?:the|your|an?)\b|(?:walk|step|burst|stride|stumble|come) (?:in|into [^.,]{2,30}|up to [^.,]{2,30}),? and (?:say|ask|order|announce)\b)|\bi (?:walk|step|come) in and say\b`,
		`(?i)\bi(?:['’]?m| am) (?:an?|the) (?:[\p{L}-]+ )?(?:pirate|knight|wizard|vampire|elf|dwarf|orc|werewolf|mermaid|goblin|hobbit|jedi|samurai|gladiator|superhero|warlock|sorcerer|sorceress|necromancer|genie|leprechaun)(?:$|[.,!;]| (?:and|called|named|with|who|from)\b)`,
		`(?i)\bi(?:['’]m| am) [^,.!?]{2,30}(?:,|;| and) (?:and )?you(?:['’]re| are) (?-i:\p{Lu})\p{Ll}+(?:$|[.,!])`,
		`我是(?:一[个名位]|个)?(?:海盗|骑士|吸血鬼|精灵|魔法师|巫师|女巫|剑客|侠客|刺客|忍者|狐妖|剑仙|魔王|勇者)(?:$|[，,。！!]|[叫名住有])`,
		`(?i)\b(?:in the (?:voice|style|manner|tone|character|role|persona) of|from the (?:perspective|point of view|viewpoint|pov|eyes) of|as (?:a|the|an) (?:\p{L}+ )?(?:pirate|knight|king|queen|wizard|elf|orc|narrator|ghost|vampire|robot|dragon|cat|dog|villain)\s*(?:[,:]|$)|as (?:sherlock|dracula|hamlet|yoda|gandalf|batman|shakespeare|napoleon|cleopatra)|written as)\b`,
		`(?im)\bin (?:stardew|animal crossing|the sims|sims \d|minecraft|skyrim|zelda|pok[eé]mon|gta|baldur|elden ring|fallout|the witcher|world of warcraft|wow|roblox|fortnite|civ(?:ilization)?|mass effect|red dead|genshin|valheim|terraria|runescape|ffxiv|final fantasy|second life|crusader kings)\b`,
		`(?m)^\s*\*\p{Ll}+s\b[^*\n]*\*`, // *sighs*
		`扮演|角色扮演|假装|你现在是|你是一(?:个|名|位)|剧本|小说[里中]|(?:帮我|给我|替我|请|你)[\p{Han}]{0,4}(?:写|编|续)[\p{Han}]{0,6}小说|写了?(?:一)?(?:本|部|篇|个)[\p{Han}]{0,4}小说|故事[里中]|游戏[里中]|梦里|我梦见|梦到|人设|台词|假想|(?:设定|剧情|情节)[是：:]|(?:人物|角色)(?:设定|卡)|我演|(?:以|用|从|站在)[\p{Han}]{0,12}(?:口吻|语气|视角|身份|角度)|第一人称|你(?:来)?(?:当|演|扮)[\p{Han}]{1,6}[，,、]?我(?:来)?(?:当|演|扮|是)|假设你|模拟(?:一下|面试|对话|场景)|(?:狼人杀|剧本杀|原神|王者荣耀|魔兽|我的世界|塞尔达|动森|跑团)(?:里|中|的?角色)`,
		// riddles, sums, tests
		`(?i)\b(?:(?:riddle|puzzle|brain ?teaser|(?:word|maths?) problem)\s*:|riddle(?: me| for)\b|(?:a|my) riddle\b|what am i\s*\?|who am i\s*\?|guess (?:who|what) i am|case study|user stor(?:y|ies)|acceptance criteria|test case|unit test|test data|dummy data|placeholder|lorem ipsum|sample (?:data|text|sentence|answer|profile|review)|model (?:answer|sentence)|example (?:sentence|dialogue|answer|text)|flash ?cards?|practice sentences?|fill in the (?:blanks?|gaps?)|persona(?:s)? for|buyer persona)\b`,
		`谜语[：:]|猜(?:个|一个|一下)谜语|脑筋急转弯|(?:应用|数学)题[：:]|打一[\p{Han}]{1,3}[，,。]|造句|例句|填空|改错|病句|测试(?:数据|一下|用例)|示例|样例`,
		// somebody else's question, a company's voice
		`(?i)\b(?:(?:asking|question|it['’]s|this is|calling|writing) (?:for|on behalf of) (?:a|my|our|the) (?:\p{L}+ )?(?:friend|colleague|neighbou?r|client|customer|boss|mate|flatmate)|on behalf of|friend of mine asks?)\b|\bfor a (?:friend|mate|colleague)[:,]`,
		`(?i)^as an? [^,]{2,30}, i (?:want|need|can|should|would like|must)\b.* so (?:that|i)\b`,
		`(?i)\bwe(?:['’]re| are) (?:a|an|the) (?:\p{L}+[ -]){0,4}(?:company|startup|start-up|business|agency|studio|firm|shop|store|charity|ngo|non-profit|nonprofit|brand|team|provider|manufacturer|clinic|practice|hotel|restaurant|platform|community)\b|\b(?:we(?:['’]re| are) hiring|our (?:mission|shareholders)|contact us|terms (?:and conditions|of (?:service|use)))\b`,
		// irony
		`(?i)(?:^|[.!?]\s+)(?:oh,? (?:sure|yeah,? right|of course)|sure,? (?:because|and)? ?i(?:['’]m| am)|obviously,? i(?:['’]m| am)|because obviously|oh joy|lucky me)\b`,
		`呵呵|可太(?:喜欢|爱|想)|真是(?:爱死|喜欢死|谢谢|感谢)|爱死(?:了)?(?:加班|堵车|早起|开会)|可真(?:是太|会)`,
	)
	// What follows in the message: a task with its text behind it.
	ofWhatFollows = signsOf(
		// a text to work on
		`(?i)^{please}(?:translate|put (?:this|that|it|the following|these) (?:into|in)|proofread|proof-read|correct|rephrase|paraphrase|rewrite|reword|polish|edit|shorten|lengthen|expand|condense|simplify|summari[sz]e|spell-?check|(?:fix|improve|check|clean up|tidy up|sharpen|tighten|look over|grade|mark|critique|review|revise) (?:this|that|these|it|the following|(?:the|my|our|any)(?: \p{L}+){0,2}? (?:{text}|{tongue}|grammar|spelling|punctuation|typos?|code|mistakes?|errors?))|(?:grammar|spelling|spell|punctuation) check|complete (?:the|this) (?:sentence|story|text|dialog)|continue (?:the|this|my|from)|role-?play|pretend|imagine|act as|play the|repeat|say|tell me a (?:story|joke)|turn (?:this|that|it|these|the following|into)|(?:convert|transform|format|extract|classify|parse|analy[sz]e) (?:this|that|it|these|the following|to (?:third|first|second) person|into)|change (?:this|that|it|the following|the tense|the voice)|use (?:this|these|it|the following) in|fill in (?:the )?(?:blanks?|gaps?|missing (?:words?|letters?))|transcribe|type (?:this|that) out|dictate|conjugate|diagram|find the (?:mistakes?|errors?)|spot the (?:mistakes?|errors?)|(?:how (?:do|would|can|should) (?:i|you|we|one) (?:say|write|put|spell|pronounce|translate|express))|make (?:this|that|it|the following|these|my \p{L}+|an?|me an?) (?:(?:\p{L}+ )?(?:sound|read|more|less|shorter|longer|better|rhyme|formal|polite|funny|funnier|nicer|{text})))\b`,
		`(?i)^{please}(?:write|draft|compose|generate|make up|invent)\b.*(?:[:：]|\b(?:first[- ]person|as if|as though|pretend\w*|in the (?:voice|style) of|from the (?:perspective|point of view)|story|poem|novel|monologue|dialogue|script|song|lyrics|rap|haiku|limerick|sonnet|verse|scene|character|persona|example|sample|saying|that (?:i|says)|who|starting with|begins? with)\b)`,
		`(?i)^{please}(?:create|give me|show me|tell me|send me|finish|start|begin|do|use) (?:an?|some|the|my|two|three|this|another) (?:\p{L}+ ){0,3}?(?:story|poem|novel|monologue|dialogue|script|song|lyrics|rap|haiku|limerick|sonnet|verse|scene|character|persona|examples?|samples?|bio|caption|speech|letter|e-?mail|joke|paragraph|sentences?)\b`,
		`(?i)\b(?:is|are|does|do|was) (?:this|that|it|these|the following|my|either)(?: \p{L}+){0,3} (?:grammatical(?:ly)?|idiomatic|natural|(?:sound|read)s? (?:ok|okay|right|natural|good|better|formal|well|polite|native)|(?:correct|good|proper) (?:{tongue}|grammar))\b`,
		`(?i)\b(?:is|are|was) (?:this|that|the|my) (?:\p{L}+ )?{text} (?:\p{L}+ )?(?:correct|right|ok|okay|good|fine)\b`,
		`(?i)\b(?:is|are) (?:this|these|the following)(?: \p{L}+)? (?:correct|right|ok)\s*[:：]`,
		`(?i)\b(?:which|what)(?: one| of these(?: two)?)? (?:sounds|reads|is (?:grammatical|more natural|the correct (?:sentence|form)))\b|\bwhich is (?:better|correct|right)\s*[,:]`,
		`(?i)\b(?:here(?:['’]s| is| are)|this is|below is|following is)(?: \p{L}+){0,2}? (?:the|my|a|an|our|this|her|his|their|some)(?: \p{L}+){0,4} {text}\b`,
		`(?i)\b(?:the|my|a|an|our|this|her|his|their|some)(?: \p{L}+){0,4} {text}\b[^.!?]*[:：]\s*$`,
		`(?i)\b(?:this|the|following|above|below|my) {text}\b[^.!?:]{0,40}:\s`,
		`(?i)^(?:an?|the|some|our|this|one|another|my) (?:\p{L}+ ){0,2}?(?:customer|client|user|reader|patient|guest|viewer|caller|tenant|applicant|candidate|member|visitor|shopper|fan|follower|student|parent|kid|son|daughter)s? (?:wrote|writes|e-?mailed|messaged|texted|complained|commented) ?(?:in|us|me|this|that|back|to (?:us|me))?[.:]?$`,
		`^(?:有个?|有?一[个位]|某个?|我的?|刚才?)*(?:客户|顾客|网友|读者|粉丝|用户|病人|患者|学生|家长|朋友|同学|同事)(?:给我)?(?:发来|来|写来|留|发|寄来)了?[\p{Han}]{0,4}(?:消息|信|邮件|留言|私信|短信|微信)$`,
		`^(?:我|刚刚?|今天)*(?:收到|接到)了?[一这那]?[封条个]?[\p{Han}]{0,6}(?:消息|来信|信|邮件|留言|私信|短信)$`,
		`(?i)\b(?:typed|dictated|wrote|writes|posted|sent (?:me|us)) this\b`,
		`(?i)^(?:i |we |just |so )*(?:got|received) (?:this|the following) (?:\p{L}+ ){0,2}?{text}\b[^.!?]{0,30}$`,
		`(?i)\b{text} (?:that |which )?(?:i['’]m |i am |we['’]re )?(?:working on|to (?:translate|correct|check|edit|proofread|improve)|needs? (?:translating|editing|correcting|work|polish))\b`,
		`(?i)\bi(?:['’]m| am) (?:writing|drafting|working on|finishing|stuck on|translating|editing) (?:a|an|my|the|this) (?:\p{L}+ ){0,3}(?:story|novel|poem|script|song|monologue|dialogue|speech|screenplay|sketch|chapter|scene|memoir|fanfic)\b`,
		`(?i)^(?:this|here['’]?s what|look what|guess what) (?:came|arrived|was (?:in|on|posted|written|sent)|i (?:got|received|found|read|saw)|(?:s?he|they|someone) (?:sent|wrote|posted))\b`,
		`(?im)^(?:from|to|subject|date|sent|cc|re|fwd?|von|an|betreff|发件人|收件人|主题|日期)\s*[:：]`,
		`(?i)^(?:\p{L}+ ){0,3}(?:transcript|verse|chorus|bridge|lyrics|script|poem|draft|essay|voicemail|homework|haiku|limerick)(?: \d+)?[.:]?$`,
		`(?i)\b{text} (?:opener|opening|hook|intro|headline|prompt|idea)s?\s*[?:–—-]`,
		`(?i)^picture this\b`,
		`(?i)^dear (?:\p{L}+)`,
		`^(?:尊敬的|亲爱的|敬爱的|此致|敬启者)`,
		`(?m)^#{1,6} \S`,
		`^[—–―]\s*\p{Lu}`, // a line of a dialogue in a novel
		`^{请}(?:翻译|润色|改写|修改|校对|纠正|改正|续写|仿写|扩写|缩写|造句|造个句|总结|概括|分析一下这|扮演|假装|角色扮演|重复|复述|朗读|讲一?个|检查一下?(?:这|语法|错别字|下面)|看看(?:这|下面|以下)(?:句|段|篇|封|个句子)|改(?:一下|改)?(?:这|下面|以下))|^(?:以下|下面)(?:是|这)|(?:这|下面|以下)(?:句话?|段话?|段文字|篇文章|封信|封邮件|篇作文|首诗|首歌|条朋友圈|条短信).{0,20}[:：]`,
		`(?:写|编|讲|拟|来|想)(?:一|两|几)?[个篇段首则封份条]?[\p{Han}]{0,6}(?:故事|童话|寓言|段子|笑话|剧本|台词|文案|作文|散文|相声|小品|歌词|藏头诗|朋友圈)[^。！？]{0,8}[：:]`,
		`^{请}(?:写|编|拟|起草|生成)一?[篇个段首封份条句]?.*(?:[:：]|第一人称|口吻|角度|语气写|假装|小说|故事|诗|散文|剧本|独白|对话|歌|日记|说我|开头|主角|自我介绍|台词|段子|文案|相声)`,
	)
	// What stands before, and what follows as well: a task with its text in front.
	ofWhatPrecedes = signsOf(
		`(?i)^{please}(?:translate|rephrase|rewrite|reword|paraphrase|proofread|polish) (?:that|this|it|these|them|the above|all (?:that|this|of (?:that|this|it))|everything above|what i (?:wrote|said)|the (?:text|sentences?|paragraph)|my (?:text|sentences?|writing)|(?:in)?to {tongue}|number \d|\d)\b`,
		`(?i)^{please}(?:correct|fix|improve|check) (?:that|this|it|my|the|any)(?: \p{L}+)? (?:grammar|{tongue}|spelling|tenses?|mistakes?|errors?|typos?|sentences?|wording|paragraph)\b`,
		`(?i)^{please}(?:put|turn|convert|make|change) (?:that|this|it|these|them|all that|all this|the above) (?:in|into|to|sound|rhyme|more|less|shorter|longer|politer|formal)\b(?: (?:an? |the )?(?:{tongue}|{text}|third person|first person|passive(?: voice)?|past(?: tense)?|formal|polite|natural|better|casual|professional|friendly|fluent|funny)|$)`,
		`(?i)^{please}(?:in|into|to) {tongue}(?:,? please)?$`,
		`(?i)\bhow (?:do|would|can|should) (?:i|you|we|one) (?:say|write|put|translate|express) (?:that|this|it|these|all that|all this|the above)\b`,
		`(?i)\bis (?:that|this|it) (?:\p{L}+ )?(?:correct|right|good|proper|ok|okay) (?:{tongue}|grammar)\b|\b(?:that|this|it|i) (?:sounds?|reads?) (?:natural|native|fluent)\b|\bany (?:grammar |spelling )?(?:mistakes|errors|typos)(?: in (?:that|this|there))?\s*\?*$`,
		`(?i)(?:->|→|=>)\s*{tongue}\b`,
		`^{请}(?:这(?:句|段|句话|段话|些|个)?|上面|以上|它|整段|全部)?(?:的)?(?:话|文字|内容|作文)?(?:都|给我|帮我)?(?:翻译|译|翻)(?:成|一下|为)`,
		`^(?:请问|这(?:句|段|话|句话)?|那|以上|上面)*(?:用{语})?(?:怎么|该怎么|如何|应该怎么)(?:用{语})(?:说|写|讲|表达|翻译)|^(?:请问|这(?:句|段|话|句话)?|那|以上|上面)*用?{语}(?:怎么|该怎么|如何|应该怎么)(?:说|写|讲|表达|翻译)`,
		`(?:这样|这么)(?:说|写|讲)(?:对|可以|通顺|行|有语病|自然|地道)|(?:改改?|润色|修改|检查)(?:一下)?(?:我的)?(?:这段|这句|这篇|作文|语法|错别字|病句)|有没有(?:语病|语法错误|错别字)|通顺吗`,
	)
	// The line: code, and what one is in a profile, on a stage, in one's head or for an exercise.
	ofALine = signsOf(
		`(?i)^(?:well|so|ok|okay|yes|and|but|haha|lol)?,? ?(?:on|in) (?:(?:my|the|this|that|our|an?) )?(?:[\p{L}\d-]+ ){0,2}?(?:tinder|hinge|bumble|grindr|badoo|okcupid|match|linkedin|facebook|insta(?:gram)?|tiktok|twitter|reddit|discord|twitch|steam|xbox|playstation|youtube|snapchat|tumblr|dating (?:app|site)s?|app|profile|bio|badge|name ?tag|form|census|guest list|website|photo|picture|pic|video|film|movie|play|show|sketch|stage|screen|paper|tv|television|air|game|monopoly|chess|head|mind|imagination|spirit|dreams?),? (?:i['’]?m|i['’]ve|i (?:am|live|have|work|own|go by|love|hate|speak|drive|come)|my name)\b`,
		`(?i)^for (?:the sake of [^,.]{3,30}?|(?:the|this|an?|our) (?:exercise|bit|example|demo|sketch|joke|gag|act|part|role|game|gig|skit|audition)|(?:demo|test|tax|demonstration|illustration|example|marketing)(?: purposes)?|testing|argument['’]s sake),? (?:i|i['’]m|my|we)\b`,
		`(?i)^(?:on|in|at) [^,.]{2,30},? (?:i['’]?m|i am) called\b`,
		`(?i), (?:let['’]?s say|for (?:example|instance)|hypothetically)[.!]?$`,
		`(?i)\bor so (?:it|i|they|we|my \p{L}+)\b`,
		`(?:探探|陌陌|微博|微信|抖音|快手|知乎|豆瓣|小红书|[Bb]站|贴吧|QQ|领英|脸书|推特|(?i:tinder|ins)|论坛|(?:交友|相亲|社交)(?:软件|网站?|平台|简历|资料|账号)|朋友圈|直播间?|照片|简历|名单|节目|舞台|戏)(?:上|里|中)[，,]?(?:写的?|填的?|写着|显示|登记)?(?:是)?我`,
		`(?i)</\p{L}+>|\bselect\b.+\bfrom\b.+\bwhere\b|\binsert into\b|\bconsole\.log|\bprint\(|\bdef \w+\(|\bfunction \w*\(|\b(?:const|let|var) \w+ ?=|#include|public static|^\s*(?://|/\*|<!--)`,
	)
	// A letter is one by its greeting and its end.
	enGreets = compile(`(?i)^(?:hi|hello|hey|good (?:morning|afternoon|evening)) (?:\p{L}+\.? ?){1,3}[,!.]?$`)
	enCloses = compile(`(?i)^(?:(?:with )?(?:(?:best|kind|kindest|warm|warmest|many|all the|all my)(?: (?:regards|wishes|thanks|best|love))?|regards|yours(?: (?:sincerely|faithfully|truly|ever))?|sincerely(?: yours)?|respectfully|cheers|love|thanks|thank you|xoxo|hugs|take care|此致|敬礼|祝好|谨上|敬上)(?: and (?:kind |best )?(?:regards|wishes))?[,.!]?)$`)

	// … but thanks, which have to be signed.
	enThanks = compile(`(?i)^(?:many |thanks|thank you|cheers|love)`)

	// What stands before a colon may say whose words follow, or what for. A name does, and so does any single word but these.
	enColon   = compile(`^([^:"\x01]{1,60}): +\S`)
	enDash    = compile(`^([^:"\x01–—-]{1,40}) [-–—] +(?:[Ii]|[Mm]y|[Ww]e)\b`)
	enSpeaker = compile(`^(?:\S+|\p{L}+ #?\d+|\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,2})$`)
	enOwnLead = compile(`(?i)^(?:ok|okay|so|and|but|hi|hello|hey|also|first|second|third|last|next|lastly|finally|updates?|news|corrections?|notes?|ps|p\.s\.?|pps|fyi|btw|nb|edit|reminder|info|information|context|background|details?|facts?|situation|intro|introduction|me|profile|data|stats|confession|admission|disclaimer|disclosure|warning|caveat|caution|heads[- ]up|questions?|problem|request|help|advice|truth|answer|reason|announcement|reality|summary|status|life|family|health|medical|diet|food|allerg(?:y|ies)|work|job|home|location|address|phone|number|e-?mail|name|contact|constraints?|requirements?|restrictions?|basics|thanks|sorry|anyway|results?|diagnosis|verdict|outcome|upshot|tl;?dr|pets?|kids|money|budget|hobb(?:y|ies)|age|important|remember|honestly|actually|remind me|fun fact|quick note)$`)
	// Who else may speak: "some podcast host: …", "overheard on the bus - …"; not "note to my doctor: …".
	enTellers = compile(`(?i)^(?:(?:an?|the|that|this|some|my|our|one|another|random|every) (?:[\p{L}-]+ ){0,3}?(?:guests?|hosts?|guy|man|woman|lady|girl|boy|kid|stranger|neighbou?r|customer|client|caller|reader|viewer|user|patient|dude|bloke|bartender|driver|teacher|boss|colleague|coworker|friend|grandma|grandpa|daughter|son|brother|sister|mum|mom|dad|mother|father|wife|husband|nephew|niece|commenter|redditor|narrator|presenter|contestant|candidate|applicant|politician|singer|comedian|influencer|youtuber)|(?:question|message|mail|e-?mail|note|letter|review|feedback|comment|quote|complaint|request|reply|answer)s? (?:from|by) .*|over ?heard(?: (?:on|in|at|from) .*)?|(?:just )?heard (?:on|in|at) .*)$`)
	enOfThem  = compile(`(?i)^: +(?:s?he|they|it)\b`) // "my kid: he is 7"
	// What is written or played, and who says it.
	enWritten = compile(enTexts.Replace(`(?i)\b(?:{text}(?:$| (?:for|to|of|about|in|on|from|by|is|are|was|goes|reads)(?: |$))|(?:opening|closing|first|last) (?:line|words?)|diary|sign|plaque|t-shirt|tattoo|status|subject|titles?|motto|scenarios?|ideas?|premise|plot|setup|theme|game|quest|options?|version|steps?|level|slide|stanza|card|quote|says?|said|reads|goes|wrote|replie[sd]|answer(?:s|ed)|told|sang|sings|claims?|translate|convert|turn|make|sound|use|persona|character|voice)\b`))
	zhColon   = compile(`^([^：:，,]{1,16})[：:]\s*\S`)
	zhOwnLead = compile(`(?:结果|情况|通知|更新|更正|补充|背景|说明|备注|提醒|问题|求助|请教|资料|症状|诊断|体检|现状|前提|条件|要求|需求|预算|忌口|饮食|过敏|健康|身体|家庭|工作|近况|重要|注意|另外|顺便|首先|一下|记住|记得|地址|电话|邮箱|名字|生日|总之|我|PS|ps|BTW|btw|FYI)$`)
)

// ownTalk returns those sentences of a message that its writer says of themselves, as far as the frame tells.
func ownTalk(text string) []wish.Spoken {
	if ofAll.in(text) {
		return nil
	}
	sentences := wish.Spoke(hideQuoted(text))
	if letter(sentences) {
		return nil
	}
	var own []wish.Spoken
	about := -1 // the line of a heading such as "About me:"; the list below it is the user's own
	theirs, task := -1, false
	for i, s := range sentences {
		said := strings.TrimSpace(s.Masked)
		if s.Question {
			said += "?"
		}
		if aboutMe.MatchString(said) {
			about = s.Line
			continue
		}
		if ofWhatPrecedes.in(said) && !sincere(sentences[i+1:]) {
			return nil
		}
		if ofWhatFollows.in(said) && !toMe.MatchString(said) {
			task = true
		} else if besidesTask.MatchString(said) { // which is no text to work on
			task = false
		}
		if foreign(s.Masked) || ofALine.in(s.Masked) {
			theirs = s.Line
		}
		if task || s.Line == theirs || s.Quoted && (about < 0 || s.Line > about+12) {
			continue
		}
		own = append(own, s)
	}
	return own
}

// sincere reports whether sentences state something: then a task in front of them is about those.
func sincere(list []wish.Spoken) bool {
	return slices.ContainsFunc(list, func(s wish.Spoken) bool { return !s.Question && ofMine.MatchString(s.Masked) })
}

// letter reports whether a message has a letter's greeting and end, each on a line of its own.
func letter(list []wish.Spoken) bool {
	greets := -1
	for i, s := range list {
		text := strings.TrimSpace(s.Masked)
		if greets < 0 && enGreets.MatchString(text) && i+1 < len(list) && list[i+1].Line > s.Line {
			greets = i
		}
		signed := i+1 < len(list) && list[i+1].Line > s.Line && wordCount(list[i+1].Text) <= 3
		if greets >= 0 && i > greets && enCloses.MatchString(text) && i >= len(list)-3 && (signed || !enThanks.MatchString(text)) {
			return true
		}
	}
	return false
}

// foreign reports whether a sentence begins with whose words it is, or what they are for: "Bob: I live in Rome".
func foreign(text string) bool {
	text = strings.TrimLeft(text, " \t-*•·")
	if hasHan(text) {
		m := zhColon.FindStringSubmatch(text)
		return m != nil && !zhOwnLead.MatchString(m[1]) && (utf8.RuneCountInString(m[1]) < 4 || zhQuotes.MatchString(m[1]) && !zhIntro.MatchString(text))
	}
	if m := enDash.FindStringSubmatch(text); m != nil && (enWritten.MatchString(m[1]) || enTellers.MatchString(m[1])) { // "tweet idea - I live in …"
		return true
	}
	m := enColon.FindStringSubmatch(text)
	return m != nil && !enOwnLead.MatchString(m[1]) && (enSpeaker.MatchString(m[1]) || enWritten.MatchString(m[1]) || enTellers.MatchString(m[1]) && !enOfThem.MatchString(text[len(m[1]):]))
}

var (
	aboutMe = compile(`(?i)^#* ?(?:(?:here(?:'s| is| are) )?(?:some (?:facts|things) |a bit |a little |something |more )?about (?:me|myself)|my (?:details|profile|data)|关于我|我的(?:基本)?(?:情况|信息|资料)|自我介绍(?:一下)?)\s*(?:[:：]|$)`)
	// besidesTask begins what is said besides the task.
	besidesTask = compile(`(?i)^(?:by the way|btw|p\.?s\.?|anyway|unrelated|on another note|one more thing|also,? just so you know|顺便|对了|另外|还有件事|说个题外话)\b|^(?:顺便|对了|另外|还有件事|题外话)`)
	toMe        = compile(`(?i)^(?:please )?(?:write|say) (?:to me|hello to me) (?:at|on|under) |^dear (?:ai|assistant|computer|machine|robot|bot|recollect|chatgpt|gpt|claude|friend|helper)\b`)
)

// hideQuoted blanks what stands between straight single quotation marks, which are apostrophes else; byte for byte as long.
func hideQuoted(s string) string {
	return singleQuoted.ReplaceAllStringFunc(s, func(m string) string {
		open := strings.IndexByte(m, '\'')
		end := strings.LastIndexByte(m, '\'')
		return m[:open] + strings.Repeat("\x01", end+1-open) + m[end+1:]
	})
}

var singleQuoted = compile(`(?:^|[\s(:,–—])'[^'\s](?:[^'\n]|\p{L}'\p{L})*'(?:$|[\s.,;:!?)])`)
