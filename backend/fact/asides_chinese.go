package fact

import (
	"strings"
	"unicode/utf8"
)

const (
	// What may follow a name that stands beside a noun without a mark between them.
	zhAfterName = `(?:$|[，,。！!？?、；;：:\s]|(?:今天|今晚|今年|明天|昨天|昨晚|上周|上个月|下周|下个月|这周|最近|现在|以后|刚|刚刚|已经|又|也|都|就|还|要|会|能|想|在|去|来|住|上|下|不|没|把|被|给|对|跟|和|从|比|让|是|说|喜欢|讨厌|爱|有|做|当|养|过|带|陪|教|帮|送|生|病|走|分手|结婚|离婚|同居|嫌|抱怨|劝|催|约|请|叫|问|考|毕业|办|搬|开|收|换|学|常|总|老|每|才|只|一直|马上|终于|怀孕|得了|查出|\d|属|姓))`
	zhCallName  = `(?:阿[\p{Han}]|小[\p{Han}]|老[\p{Han}]|[\p{Han}](?:姨|叔|伯|婶|哥|姐)|[\p{Han}]{2,3}?)`
	zhKin       = `(?:{people}|{pets}|爱人|对象|前男友|前女友|前夫|前妻|房东|组长|导师|班主任|主治医生|家庭医生|教练|同桌|闺蜜)`
	zhMoneyed   = `\d[\d -]{5,18}\d`
)

// zhAsides are what a sentence in Chinese states besides. A name beside a noun is one only where it looks like one.
var zhAsides = []aside{
	// names
	{re: zh(`(?:我|我们|咱)(?:家|的)?(?P<s>` + zhKin + `)(?P<v>` + zhCallName + `?)(?P<gone>(?:[\p{Han}]{0,3}?)(?:去世|走了|离世|没了|死了|离开我们|分手)了?)?` + zhAfterName), key: keyName, value: zhApposed, asked: true},
	{re: zh(`(?:我|我们|咱)(?:跟|和|与|同)(?:我)?(?:的)?(?P<s>` + zhKin + `)(?P<v>` + zhCallName + `?)(?P<gone>(?:已经|刚|上周|昨天)?(?:分手|离婚|分开)了?)?` + zhAfterName), key: keyName, value: zhApposed, asked: true},
	{re: zh(`(?:^|[，,是由跟和])(?P<s>妈妈|爸爸|爷爷|奶奶|外公|外婆|姥姥|姥爷)(?P<v>` + zhCallName + `?)(?:把我|带我|教我|从小|给我|陪我)`), key: keyName, value: zhApposed},
	{re: zh(`我(?:家|的)?(?P<s>` + zhKin + `)的?(?:名字|大名|全名|姓名)(?:是|叫)?[:：]?(?P<v>[\p{Han}]{2,4})(?:$|[，,。！!])`), key: keyName, value: zhNames},
	{re: zh(`我(?:们)?(?:家|的)?(?P<s>` + zhKin + `)[，,](?:他|她|它)?(?:就?叫|名叫|名字是|就是)(?P<v>[\p{Han}]{2,4})(?:$|[，,。！!])`), key: keyName, value: zhNames},
	{re: zh(`^(?:我(?:家)?(?:的)?)?(?P<s>房东|室友|同桌)[\p{Han}]{0,6}[，,]就是(?P<v>[\p{Han}]{2,3})(?:$|[，,。！!])`), key: keyName, value: zhApposed},
	{re: zh(`^(?P<v>[\p{Han}]{2,3}(?:(?:和|跟|、)[\p{Han}]{2,3})*)是我(?:们)?(?:家)?(?:养的?|的)(?:那|这)?(?:{num})?{measure}?(?P<s>{pets})`), key: keyName, value: zhNameList, asked: true},
	{re: zh(`(?:^|[，,。！!～~\s])我姓(?P<v>[\p{Han}]{1,2}[，,](?:单名(?:一个|个)?|名)(?:\x01{3,15}|[\p{Han}]{1,2}))字?(?:$|[，,。！!])`), subject: user, key: keyName, value: zhSurnamed},
	{re: zh(`^我是(?P<v>[\p{Han}]{2,3})(?:$|[，,。！!])`), subject: user, key: keyName, value: zhFullName},
	{re: zh(`我(?:们)?给(?P<s>` + zhKin + `)(?:取名|起名|取了?名字?|起了?名字?)(?:叫|为)?(?P<v>[\p{Han}]{2,4})(?:$|[，,。！!])`), key: keyName, value: zhNames},
	{re: zh(`我(?:和|跟|与)(?P<v>` + zhCallName + `)(?:已经|刚|上周|昨天)?(?:分手|离婚|分开)了`), subject: "伴侣", key: keyName, value: zhApposed, over: true},

	// how to reach the user
	{re: zh(`(?P<v>` + zhMoneyed + `)[^，,。]{0,6}[，,]?(?:这|那)?是我的?(?:座机|电话|手机|号码|手机号|新号)`), subject: user, key: keyPhone, value: zhWhole},
	{re: zh(`(?:打|拨|联系)我(?:的)?(?:电话|手机|座机)?(?:：|:|\s)*(?P<v>` + zhMoneyed + `)`), subject: user, key: keyPhone, value: zhWhole},
	{re: zh(`(?:发|寄|投)(?:到|给)?我(?:的)?邮箱(?:：|:|\s)*(?P<v>` + enMailAddress + `)`), subject: user, key: keyEmail, value: zhWhole},
	{re: zh(`(?:医生|大夫)?给我开(?:了|的)(?:是)?(?P<v>[\p{Han}A-Za-z]{2,8})(?:$|[，,。])`), subject: user, key: keyMedication, value: zhDrug},
	{re: zh(`(?P<v>` + enMailAddress + `)[^，,。]{0,6}[，,]?(?:这|那)?是我的?(?:邮箱|新邮箱|$|。)`), subject: user, key: keyEmail, value: zhWhole},
	{re: zh(`(?:我|邮箱).*新(?:的|邮箱)(?:是|：|:)\s*(?P<v>` + enMailAddress + `)`), subject: user, key: keyEmail, value: zhWhole},
	{re: zh(`(?:我|号码?|电话|手机).*新(?:的|号码?|手机号)(?:是|：|:)\s*(?P<v>` + zhMoneyed + `)`), subject: user, key: keyPhone, value: zhWhole},

	// home and work
	{re: zh(`^{adv}(?:落脚|安家|扎根)在(?P<v>[\p{Han}]{2,8})(?:$|[，,。！!])`), subject: user, key: keyHome, value: zhPlace},
	{re: zh(`^我现在是(?P<v>[\p{Han}]{2,4})人了`), subject: user, key: keyHome, value: zhPlace},
	{re: zh(`(?:^|[，,])我?现在是(?P<v>[\p{Han}]{2,4})人了`), subject: user, key: keyHome, value: zhPlace},
	{re: zh(`^作为(?:一个|一名|一位|个|名)?(?P<v>[\p{Han}]{0,4}?{jobs})[，,]?我`), subject: user, key: keyWork, value: zhJob, asked: true},
	{re: zh(`从[\p{Han}]{0,4}?{jobs}(?:变成|升为|升到|升成|升任|做到|干到)了?(?P<v>[\p{Han}]{0,4}?{jobs})(?:$|[，,。！!了])`), subject: user, key: keyWork, value: zhJob},
	{re: zh(`(?P<v>[\p{Han}]{2,8}?)那边我(?:已经|刚)?(?:办完|办好|办了)(?:退休|离职)`), subject: user, key: keyEmployer, value: zhCompany, over: true},

	// body and food
	{re: zh(`(?:^|[，,])(?P<v>[\p{Han}]{1,5}?)过敏的我`), subject: user, key: keyAllergy, value: zhItems, asked: true},
	{re: zh(`(?:^|[，,])(?P<v>[\p{Han}]{1,6}?)我(?:用不了|吃不了|碰不得|不能吃|不能用|不能碰)[，,](?:会)?过敏`), subject: user, key: keyAllergy, value: zhItems},
	{re: zh(`我(?:已经)?不(?:再|会再)?对(?P<v>[\p{Han}]{1,6}?)过敏了`), subject: user, key: keyAllergy, value: zhItems, over: true},
	{re: zh(`我(?:现在|一直|都)?只吃(?P<v>清真|素|全素|蛋奶素|低碳|生酮)(?:的|食品|餐)?(?:$|[，,。！!])`), subject: user, key: keyDiet, value: zhWhole},
	{re: zh(`^{adv}(?:我)?{adv}(?:刚)?过(?:完|了)(?P<v>{num})岁生日`), subject: user, key: keyAge, value: zhAge},
	{re: zh(`^我(?:的)?生日(?:是|在)?(?P<v>(?:农历|阴历|阳历)[\p{Han}\d]{3,8})(?:$|[，,。！!])`), subject: user, key: keyBirthday, value: zhWhole},

	// what is spoken of first
	{re: zh(`^(?P<v>[\p{Han}A-Za-z]{1,8}?)(?:这东西|那东西|这玩意儿?|那味儿?|的味道)?(?:啊|呢|嘛|呀)?[，,]?我(?:是|真的?|实在|一向|从来|向来|一点儿?都?|完全|最|特别|就)*(?:受不了|不喜欢|吃不惯|吃不来|讨厌|不爱|喝不惯|喝不来)(?:看|吃|听|喝|玩)?(?:$|[，,。！!])`), subject: user, key: keyDislikes, value: zhTopic},
	{re: zh(`^(?P<v>[\p{Han}A-Za-z]{1,8}?)(?:这东西|那东西|这玩意儿?|那味儿?|的味道)?(?:啊|呢|嘛|呀)?[，,]?我(?:是|真的?|实在|一向|从来|向来|最|特别|超级|就)*(?:喜欢|爱)(?:看|吃|听|喝|玩)?(?:得不得了|得很|极了|死了|了)?(?:$|[，,。！!])`), subject: user, key: keyLikes, value: zhTopic},
	{re: zh(`^(?P<v>[\p{Han}A-Za-z]{1,8}?)(?:啊|呢|嘛|呀)?[，,]?我(?:早就|已经|现在)+(?:不喜欢|不爱)(?:看|吃|听|喝|玩)?了(?:$|[，,。！!])`), subject: user, key: keyLikes, value: zhTopic, over: true},

	{re: zh(`我(?:业余时间|业余|闲暇时|空闲时|空余时间|没事儿?(?:的时候)?|工作之余|下班后)(?:就|都|会|常|爱|喜欢|经常|喜欢去)*(?P<v>(?:写|画|唱|弹|打|做|练|拍|读|看|跳|骑|钓|种)[\p{Han}]{1,5})(?:$|[，,。！!])`), subject: user, key: keyHobby, value: zhWhole},
	{re: zh(`^我(?:每个?月|一个月)(?:要|得|固定)?(?:还|交|付)(?P<k>房贷|房租|月供|车贷|物业费|学费|保费)(?P<v>[\d一二两三四五六七八九][\d.,一二三四五六七八九十百千万]*(?:块|元)?)(?:$|[，,。！!])`), subject: user, value: zhWhole},

	// things
	{re: zh(`^(?:那|这)(?:一)?{measure}(?P<v>[\p{Han}]{0,4}?{things})我(?:已经|早就|刚|前几天)?(?:给)?(?:卖|送人|扔|处理|转让|转手)(?:掉)?了`), subject: user, key: keyOwns, value: zhOwned, over: true},
	{re: zh(`^我(?:的|家的?|那{measure})(?P<v>[\p{Han}]{0,3}?{things})(?:已经|刚|昨天|上周)?(?:被偷|被盗|报废|卖掉?|送人|丢)了`), subject: user, key: keyOwns, value: zhOwned, over: true},
	{re: zh(`^(?:我)?(?:手上|手里|手头|家里)有(?:一)?(?:台|辆|部|架|把|套)(?P<v>[\p{Han}A-Za-z0-9]{2,10})(?:$|[，,。！!])`), subject: user, key: keyOwns, value: zhOwnedSurely},
	{re: zh(`^我{adv}开(?:的(?:车)?是|着)?(?:一辆|辆)(?P<v>[\p{Han}A-Za-z0-9]{2,10})(?:$|[，,。！!])`), subject: user, key: keyOwns, value: zhOwnedSurely},
	{re: zh(`^(?:我|我们){adv}(?:开|经营|创办)(?:了|着)?(?:一)?(?:家|间|个|所)(?P<v>[\p{Han}]{0,6}(?:店|馆|餐厅|公司|工作室|民宿|酒店|客栈|诊所|超市|农场|厂|酒吧))(?:$|[，,。！!])`), subject: user, key: keyOwns, value: zhOwnedSurely},
}

// zhSurnames are those that names are told by.
const zhSurnames = `王李张刘陈杨黄赵吴周徐孙胡朱林何郭罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴汪田任姜范姚谭廖邹熊陆郝孔崔邱秦史顾侯邵孟龙段钱汤尹黎武乔贺赖龚庞樊兰殷施陶翟倪严牛温芦季俞章鲁葛韦毕聂焦向柳邢骆岳齐雷詹欧佟冉卞费尚裴冷祝翁游阮蓝卓覃辛管闵岑舒`

var (
	// words that begin as names do
	zhNoSurname = compile(`^(?:周[末一二三四五六日天围年边期到岁]|黄[昏金瓜色]|任[何务性职]|温[柔暖和度]|严[重格厉肃]|冷[静漠冻]|尚[未且]|齐[全心]|管[理我着教得不]|向[来我往他她]|祝[我你福愿]|游[泳戏玩客览]|钱[包不都多]|段[时位]|龙[虾舟]|余[额下生]|何[时必况处以尝]|林[子业]|宋朝|唐[朝诗]|于[是今]|曾[经]|程[序度]|许[多愿可久诺]|苏[醒打]|丁点|叶子|杜绝|戴[上着眼口了帽]|汪汪|田[里径地]|熊孩|陆[续地军]|孔雀|崔促|秦朝|史上|顾[客着不家忌]|汤[圆面]|武[术汉器]|乔[迁装]|贺卡|赖[床在着账]|兰花|殷勤|施工|陶[瓷醉]|牛[奶肉逼]|季[节度]|鲁莽|毕[业竟]|焦[虑急点]|柳树|骆驼|岳[父母]|雷[人达雨]|欧洲|费[用劲力心时]|蓝[色天牙]|辛[苦勤]|舒[服适心]|李子|刘海|陈[旧述列]|杨[树梅]|徐徐|孙[子女辈]|胡[说闹子萝同乱]|朱红|罗列|郑重|谢[谢绝]|韩[国语剧]|董事|萧条|姜[汤茶]|范[围文]|王[子者牌国]|张[嘴开口望罗扬贴]|小[名号姐妹弟哥费心时学区声睡气孩朋]|阿姨)`)
	zhNotCalled = zh(`^(?:的|也|都|就|还|又|在|是|有|要|会|能|想|不|没|今|昨|明|上|下|最|现|刚|已|和|跟|给|把|被|让|说|喜|讨|爱|住|去|来|从|对|很|太|真|这|那|每|经|常|一|二|两|三|四|五|六|七|八|九|十|小时|小学|小区|小心|老是|老家|老师|老板|老了|阿姨|生日|今年|高中|大学|身体|工作|电话|手机|名字|叫|她|他|它|你|我|做|当|带|教|帮|送|病|走|吃|喝|睡|学|打|开|过|比|因|所|但|如|快|已经|总|老|特|小名|大名|全名|外号|昵称)|(?:的|了|着|过|在|说|是|也|都|就|们|岁|时|天|月|年)$`)
	zhBareName  = compile(`^[` + zhSurnames + `][\p{Han}]{1,2}$`)
	zhPetName   = compile(`^(?:阿|小)[\p{Han}]$|^[\p{Han}]姨$|^[\p{Han}]叔$`)
	zhNotAlone  = compile(`[人生师者员家工手长控族友粉座痴盲党迷星众民兵妈爸子的了]$|新手|小白|一个|这里|本地|外地|左撇|独生`)
	zhNotTopic  = compile(`^(?:嗯+|对+[呀啊]?|是|好|哦|啊|喜欢|真的|当然|可以|有|也许|不|超级|你|您|他|她|它|这|那|我|我们|大家|什么|谁|但|所以|因为|如果|虽然|其实|说实话|现在|以前|周末|平时|没事|今天|昨天|从小|一直|最近|当然|不过|第|上面|前面|后面|下面)|(?:方案|颜色|版本|答案|建议|想法|回答|结果|标题|格式|风格|例子|说法)$`)
)

// zhApposed returns the name that stands beside a noun: with a surname, a pet name, or a syllable said twice.
func zhApposed(v string) []string {
	if zhNotCalled.MatchString(v) && !zhBareName.MatchString(v) && !zhPetName.MatchString(v) || zhNotAName.MatchString(v) || zhNoSurname.MatchString(v) {
		return nil
	}
	r := []rune(v)
	twice := len(r) == 2 && r[0] == r[1]
	if !twice && !zhBareName.MatchString(v) && !zhPetName.MatchString(v) && !(len(r) == 2 && strings.ContainsRune("大福毛豆旺财来咪球宝", r[0])) {
		return nil
	}
	return []string{v}
}

// zhFullName returns a name that stands where an occupation or a quality could: "我是冉青".
func zhFullName(v string) []string {
	if !zhBareName.MatchString(v) && !zhPetName.MatchString(v) || zhNotAlone.MatchString(v) || zhNoSurname.MatchString(v) || zhJobRe.MatchString(v) || zhNotAName.MatchString(v) {
		return nil
	}
	return []string{v}
}

// zhSurnamed puts surname and given name together: "我姓欧阳，单名一个筱字".
func zhSurnamed(v string) []string {
	surname, given, ok := strings.Cut(strings.ReplaceAll(v, "，", ","), ",")
	if !ok {
		return nil
	}
	for _, w := range []string{"单名", "名", "一个", "个"} {
		given = strings.TrimPrefix(given, w)
	}
	given = strings.TrimSuffix(tidy(given), "字")
	if given == "" {
		return nil
	}
	return []string{surname + given}
}

// zhTopic returns what is spoken of first, and liked or not.
func zhTopic(v string) []string {
	if zhNotTopic.MatchString(v) || zhNotItem.MatchString(v) || utf8.RuneCountInString(v) > 8 {
		return nil
	}
	return []string{v}
}

// zhOwnedSurely returns a possession whose kind the sentence makes plain.
func zhOwnedSurely(v string) []string {
	if v = tidy(zhParticle.ReplaceAllString(v, "")); v == "" || zhNotOwned.MatchString(v) && !strings.HasSuffix(v, "店") || zhNotItem.MatchString(v) {
		return nil
	}
	return []string{v}
}
