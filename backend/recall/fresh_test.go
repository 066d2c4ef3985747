package recall

import (
	"slices"
	"testing"
	"time"

	"recollect/backend/memory"
)

// change is a thing that people tell twice, since it changed between, how they ask for it, and how for what it was.
type change struct{ old, now, ask, past string }

var changed = []change{
	{"My rent is 900 euros a month", "My rent has gone up, it is 980 euros a month now", "how much is my rent?", "what was my rent before it increased?"},
	{"I have 45 sources in my Zotero library", "I've added more, my Zotero library has 52 sources now", "how many sources are in my Zotero library?", "how many sources did my Zotero library have originally?"},
	{"The deadline of the thesis is 1 April", "The thesis deadline was moved to 15 April", "when is the deadline of my thesis?", "what was the old thesis deadline?"},
	{"My team has 8 members", "My team has grown to 11 members", "how many members does my team have?", "how many members did my team have before?"},
	{"I use Postgres for the shop project", "For the shop project I switched to SQLite, Postgres was too much", "which database do I use for the shop project?", "which database did I use previously for the shop project?"},
	{"The test coverage of the parser is 65%", "The parser's test coverage has improved to 78%", "what is the test coverage of the parser?", "what was the test coverage of the parser initially?"},
	{"My dentist appointment is on 3 May at 10:00", "The dentist appointment was rescheduled to 6 May at 14:30", "when is my dentist appointment?", "when was the dentist appointment originally?"},
	{"I drink 4 cups of coffee a day", "I reduced my coffee to 2 cups a day", "how many cups of coffee do I drink a day?", "how many cups of coffee did I drink before?"},
	{"The wedding budget is 8,000 dollars", "We increased the wedding budget to 9,500 dollars", "what is our wedding budget?", "what was the wedding budget originally?"},
	{"I run 20 kilometres a week", "I now run 35 kilometres a week", "how many kilometres do I run a week?", "how many kilometres did I use to run a week formerly?"},
	{"My bike is a red Gazelle", "I no longer have the red Gazelle bike, my bike is a blue Trek", "which bike do I have?", "which bike did I have before?"},
	{"I work at Deloitte", "I no longer work at Deloitte, I work at Fernly", "where do I work?", "where did I work before?"},
	{"The weekly call with Greta is on Monday", "The weekly call with Greta was moved to Thursday", "on which day is the weekly call with Greta?", "on which day was the weekly call with Greta before?"},
	{"The password hint of the router is sunflower", "I changed the password hint of the router, it is now marigold", "what is the password hint of the router?", "what was the password hint of the router previously?"},
	{"My savings goal is 5,000 euros", "I raised my savings goal to 7,500 euros", "what is my savings goal?", "what was my savings goal at first?"},
	{"The garden shed is 3 metres long", "After the rebuilding the garden shed is now 5 metres long", "how long is the garden shed?", "how long was the garden shed before?"},
	{"I take 20 mg of the blood pressure tablets", "The doctor reduced my blood pressure tablets to 10 mg", "how many mg of the blood pressure tablets do I take?", "how many mg of blood pressure tablets did I take before?"},
	{"My essay has 4,500 words", "My essay has reached 4,700 words", "how many words does my essay have?", "how many words did my essay have earlier?"},
	{"The API limit is 1,000 calls per day", "They updated the API limit, it is 1,200 calls per day", "what is the API limit per day?", "what was the API limit initially?"},
	{"The flight to Porto leaves at 06:40", "The flight to Porto was postponed, it leaves at 09:15", "when does the flight to Porto leave?", "when did the flight to Porto leave originally?"},
	{"我的房租是每月三千块", "我的房租涨到每月三千五百块了", "我的房租是多少？", "我的房租以前是多少？"},
	{"我们团队有9个人", "我们团队现在有11个人", "我们团队有几个人？", "我们团队原来有几个人？"},
	{"牙医预约在5月3号", "牙医预约改到5月6号了", "牙医预约是几号？", "牙医预约原来是几号？"},
	{"我每天喝四杯咖啡", "我现在每天只喝两杯咖啡", "我每天喝几杯咖啡？", "我以前每天喝几杯咖啡？"},
	{"商店项目用的是Postgres数据库", "商店项目的数据库换成SQLite了", "商店项目用什么数据库？", "商店项目以前用什么数据库？"},
	{"我每周跑20公里", "我每周增加到35公里了，跑得更多", "我每周跑多少公里？", "我原来每周跑多少公里？"},
	{"婚礼预算是五万", "婚礼预算提高到六万五了", "婚礼预算是多少？", "婚礼预算最初是多少？"},
	{"我在腾讯上班", "我不再在腾讯上班，去了云杉科技", "我在哪里上班？", "我以前在哪里上班？"},
	{"论文截止日期是4月1号", "论文截止日期推迟到4月15号", "论文的截止日期是哪天？", "论文的截止日期原来是哪天？"},
	{"书房的面积是12平米", "改造之后书房的面积现在是15平米", "书房的面积是多少？", "书房的面积之前是多少？"},
}

// changedElse are more of them, written by somebody who had not seen the rules; some say the change without a word of changing.
var changedElse = []change{
	{"I pay 8 % commission to the agency.", "The commission was increased to 10 %.", "What commission do I pay?", "What commission did I pay before?"},
	{"My hourly rate is $50.", "Since this week my hourly rate is $60.", "What is my hourly rate?", "What was my old hourly rate?"},
	{"The meeting with the landlord is at 3 pm.", "The landlord just wrote, our meeting got pushed to 5 pm.", "When do I meet the landlord?", "When was the meeting with the landlord originally?"},
	{"Our wifi password is bluebird42.", "We had to change the wifi password, now it's redfox77.", "What's the wifi password?", "What was our wifi password before?"},
	{"I drive a Skoda Octavia.", "Sold the Octavia, I'm driving a Volvo V60 these days.", "What car do I drive?", "What car did I drive before?"},
	{"My German course is on Tuesdays.", "They moved the German course to Thursdays.", "Which day is my German course?", "Which day was the German course on previously?"},
	{"The novel I'm writing has 30,000 words.", "The novel is at 42,000 words now.", "How many words does my novel have?", "How many words did my novel have earlier?"},
	{"My landlady is Mrs Vogel.", "We have a new landlady, Mrs Steiner.", "Who is my landlady?", "Who was my landlady before?"},
	{"The thermostat in the nursery is set to 19 degrees.", "I turned the nursery thermostat up to 21 degrees.", "What is the nursery thermostat set to?", "What was the nursery thermostat set to before?"},
	{"I take the number 14 tram to the office.", "The 14 was discontinued, I take the 21 tram to the office instead.", "Which tram do I take to the office?", "Which tram did I take to the office before?"},
	{"Our dog sitter charges 15 euros an hour.", "Our dog sitter raised her price, it's 18 euros an hour.", "How much does the dog sitter charge?", "How much did the dog sitter charge before?"},
	{"The keys are in the drawer of the hall.", "I put the keys somewhere safer, they're in the kitchen cabinet now.", "Where are the keys?", "Where were the keys before?"},
	{"The server runs Debian 11.", "Upgraded the server to Debian 12 yesterday.", "Which Debian does the server run?", "Which Debian did the server run before?"},
	{"My emergency contact is my brother Paul.", "Please use my neighbour Ida as emergency contact from now on, not Paul.", "Who is my emergency contact?", "Who was my emergency contact before?"},
	{"I'm reading Dune at the moment.", "Finished Dune, started Hyperion.", "What am I reading?", "What was I reading before?"},
	{"健身房的会员费是每月两百。", "健身房涨价了，会员费每月两百六。", "健身房会员费多少钱？", "健身房会员费以前多少钱？"},
	{"我开的是一辆丰田卡罗拉。", "卡罗拉卖掉了，现在开比亚迪。", "我开什么车？", "我以前开什么车？"},
	{"瑜伽课在周二晚上。", "瑜伽课从这周起调到周四晚上。", "瑜伽课是哪天？", "瑜伽课原来是哪天？"},
	{"家里的WiFi密码是bluebird42。", "我把家里的WiFi密码换了，现在是redfox77。", "家里的WiFi密码是什么？", "家里的WiFi密码以前是什么？"},
	{"钥匙放在门口的抽屉里。", "钥匙我挪到厨房柜子里了。", "钥匙放在哪里？", "钥匙以前放在哪里？"},
	{"我正在读《三体》。", "《三体》读完了，现在在读《沙丘》。", "我在读什么书？", "我之前在读什么书？"},
	{"房东是王阿姨。", "房东换人了，现在是李叔叔。", "我的房东是谁？", "以前的房东是谁？"},
	{"代理佣金是8%。", "佣金提高到10%了。", "代理佣金是多少？", "代理佣金原来是多少？"},
	{"孩子的钢琴老师一节课收三百。", "钢琴老师一节课改收三百五了。", "钢琴课一节多少钱？", "钢琴课以前一节多少钱？"},
}

// changedAgain are more, by somebody else who had not seen the rules; most have hardly a word in common. At first sight the current
// one came first in 9, the replaced one was marked in 5, and the old one came first for the past in 19.
var changedAgain = []change{
	{"I live in Sheffield, near the botanical gardens.", "We got the keys to the place in York on Saturday and have been sleeping between boxes since.", "Which city do I live in?", "Where did I live before York?"},
	{"I drink about four coffees a day.", "Haven't touched coffee since the doctor's visit, it's green tea for me these days.", "What do I drink during the day?", "What did I drink before the doctor's visit?"},
	{"My gym is PureGym on Station Road.", "I cancelled PureGym and signed up at the climbing hall instead.", "Where do I train now?", "Which gym was I with before?"},
	{"I'm doing a 10k training plan, three runs a week.", "My plan has been bumped up: half marathon, five runs a week.", "How many runs a week are in my plan?", "How many runs a week did I do at first?"},
	{"My manager is called Fiona.", "Fiona left on Friday, so I report to Marcus.", "Who is my manager?", "Who was my manager before Marcus?"},
	{"The project runs on MySQL 5.7.", "We finally migrated the project over to PostgreSQL last night.", "Which database does the project use?", "Which database did the project use originally?"},
	{"our electricity is with British Gas", "switched us to octopus for the electricity, much cheaper", "Who is our electricity supplier?", "Who supplied our electricity earlier?"},
	{"The dinner with my in-laws is on Saturday at seven.", "My mother-in-law rang: Sunday lunch suits them better, so dinner on Saturday is off.", "When are we eating with my in-laws?", "When was the meal with my in-laws first planned?"},
	{"I'm reading Middlemarch at the moment.", "Finished Middlemarch at last. Started on The Leopard last night.", "What am I reading?", "What did I read before The Leopard?"},
	{"I keep my savings at Barclays at 2.1 percent.", "My savings account has changed: it's with Chase now, at 4 percent.", "Where are my savings?", "Which bank held my savings before?"},
	{"Max is in Mrs Doyle's class.", "As of this week Max has Mr Byrne as his teacher.", "Who is Max's teacher?", "Who taught Max before Mr Byrne?"},
	{"My car is a 2012 Fiesta.", "The Fiesta failed its MOT for good; a used Yaris is standing in the drive now.", "What car do I have?", "What car did I drive before?"},
	{"I pay 38 euros a month for my phone contract.", "My phone contract went down to 22 euros a month after I threatened to leave.", "What do I pay for my phone contract?", "What did my phone contract cost before?"},
	{"I have long hair, down to my waist.", "Donated my hair yesterday, it only reaches my chin.", "How long is my hair?", "How long was my hair in the past?"},
	{"I want to be called Jonathan, please.", "Please just call me Jon from now on.", "What should you call me?", "What did I want to be called at first?"},
	{"我在望京租了个一居室。", "上周末刚把东西搬完，新家在通州，阳台特别大。", "我现在住在哪儿？", "我搬家之前住在哪里？"},
	{"我每天坐地铁上班。", "买了电动车以后就再没挤过地铁，骑车二十分钟到公司。", "我现在怎么上班？", "我以前怎么上班？"},
	{"我的健身教练是小刘。", "小刘回老家了，这周起带我练的是阿凯。", "现在谁是我的健身教练？", "之前带我健身的是谁？"},
	{"我儿子在学钢琴。", "孩子死活不肯再碰钢琴，给他报了架子鼓，倒是天天练。", "我儿子在学什么乐器？", "我儿子最早学的是什么乐器？"},
	{"会议定在周四上午十点。", "会议改到周五下午三点了。", "会议什么时候开？", "会议原来定的是什么时间？"},
	{"我们公司用钉钉打卡。", "我们公司从这个月起换成飞书打卡了。", "公司现在用什么打卡？", "公司以前用什么打卡？"},
	{"我的车位租金是每月400。", "物业贴了通知，车位租金从这个月起涨到550。", "我的车位租金是多少？", "车位租金涨之前是多少？"},
	{"我晚上一般十二点多才睡。", "坚持早睡一个月了，十点半准时关灯。", "我现在几点睡觉？", "我早睡之前一般几点睡？"},
	{"我最近在追《繁花》。", "《繁花》看完了，昨晚开始看《漫长的季节》。", "我现在在看什么剧？", "我之前追的是哪部剧？"},
	{"我家宽带是电信的，200兆。", "电信的宽带退了，师傅今天来装了联通的千兆。", "我家现在用哪家的宽带？", "我家以前是哪家的宽带？"},
	{"我的毕业论文题目是城市养老。", "导师说城市养老太大了，题目最后定成社区食堂研究。", "我的论文题目是什么？", "我论文原来的题目是什么？"},
	{"我早饭都是豆浆油条。", "医生说血脂高，油条戒了，早上改吃燕麦加鸡蛋。", "我现在早饭吃什么？", "我以前早饭吃什么？"},
	{"我们打算国庆去云南玩。", "云南的票太贵，国庆定了去贵州。", "我们国庆去哪儿玩？", "国庆一开始打算去哪儿？"},
	{"我的主治医生是陈主任。", "陈主任退休了，我的病现在由徐医生接着看。", "我现在的主治医生是谁？", "以前给我看病的是哪位医生？"},
	{"我头像是一只橘猫。", "看腻了橘猫，头像换了张海边的日落。", "我的头像是什么？", "我之前的头像是什么？"},
}

func TestTheCurrentStatementComesFirst(t *testing.T) {
	for _, set := range []struct {
		name                string
		changes             []change
		first, marked, past int // at least
	}{{"usual", changed, 29, 24, 29}, {"else", changedElse, 22, 15, 21}, {"again", changedAgain, 18, 14, 20}} {
		t.Run(set.name, func(t *testing.T) { currentFirst(t, set.changes, set.first, set.marked, set.past) })
	}
}

func currentFirst(t *testing.T, changed []change, leastFirst, leastMarked, leastPast int) {
	t.Helper()
	h := newHouse(t)
	for _, c := range changed {
		h.say(c.old)
	}
	h.say(noise(200)...)
	h.now = h.now.AddDate(0, 1, 0)
	for _, c := range changed {
		h.say(c.now)
	}
	h.say(noise(100)...)
	first, marked, past := 0, 0, 0
	for _, c := range changed {
		rc := h.ask(h.recall(), c.ask)
		texts := takenTexts(rc)
		now, old := slices.Index(texts, c.now), slices.Index(texts, c.old)
		if now >= 0 && (old < 0 || now < old) {
			first++
		} else {
			t.Logf("%q: current at %d, replaced at %d of %q", c.ask, now, old, texts)
		}
		if got := replacedBy(rc, c.old); got != nil {
			if !got.Date.After(h.now.AddDate(0, -1, 0).Add(-24 * time.Hour)) {
				t.Errorf("%q is replaced on %v", c.old, got.Date)
			}
			marked++
		} else if old >= 0 {
			t.Logf("%q is not marked", c.old)
		}
		texts = takenTexts(h.ask(h.recall(), c.past))
		now, old = slices.Index(texts, c.now), slices.Index(texts, c.old)
		if old >= 0 && (now < 0 || old < now) {
			past++
		} else {
			t.Logf("%q: current at %d, replaced at %d of %q", c.past, now, old, texts)
		}
	}
	t.Logf("of %d: current first %d, replaced marked %d, old first for the past %d", len(changed), first, marked, past)
	if first < leastFirst || marked < leastMarked || past < leastPast {
		t.Errorf("of %d: current first %d, replaced marked %d, old first for the past %d", len(changed), first, marked, past)
	}
}

// replacedBy returns what a receipt says took the place of a text.
func replacedBy(rc memory.Receipt, text string) *memory.Successor {
	for _, c := range rc.Candidates {
		if c.Text == text {
			return c.Replaced
		}
	}
	return nil
}

// told is a pair of statements, a month apart, and a question about the first.
type told struct{ first, second, ask string }

// sayBoth says the first of each pair, other things, and a month later the second.
func (h *house) sayBoth(pairs []told) {
	for _, p := range pairs {
		h.say(p.first)
	}
	h.say(noise(100)...)
	h.now = h.now.AddDate(0, 1, 0)
	for _, p := range pairs {
		h.say(p.second)
	}
}

// both are pairs of which the later does not replace the earlier, though it is similar.
var both = []told{
	{"My sister's rent is 700 euros", "My own rent is 980 euros now", "how much is my sister's rent?"},
	{"My car insurance costs 400 euros", "The house insurance has increased to 300 euros", "what does my car insurance cost?"},
	{"The test coverage of the parser is 65%", "The printer module's coverage has improved to 78%", "what is the test coverage of the parser?"},
	{"My dentist appointment is on 3 May", "The eye doctor moved my visit to 6 May", "when is my dentist appointment?"},
	{"I have 2 cats", "We now have 5 chickens", "how many cats do I have?"},
	{"My shoe size is 42", "My hat size is now 58", "what is my shoe size?"},
	{"I weigh 82 kg", "The suitcase now weighs 23 kg", "how many kg do I weigh?"},
	{"My favourite tea is oolong", "My new favourite film is Alien", "what is my favourite tea?"},
	{"I run 20 kilometres a week", "I recently cycled 80 kilometres in the Alps", "how many kilometres do I run a week?"},
	{"The kitchen is 12 square metres", "The bathroom was extended to 9 square metres", "how many square metres is the kitchen?"},
	{"我姐姐的房租是两千块", "我的车位涨到五百块了", "我姐姐的房租是多少？"},
	{"我养了两只猫", "我们现在养了五只鸡", "我养了几只猫？"},
	{"牙医预约在5月3号", "眼科复查改到5月6号了", "牙医预约是几号？"},
	{"我的鞋码是42", "我的帽子现在是58码", "我的鞋码是多少？"},
	{"我每周跑20公里", "上周骑车增加到80公里", "我每周跑多少公里？"},
	{"厨房有12平米", "浴室扩大到9平米了", "厨房有多大？"},
	{"The keys of the shed are in the drawer", "The car keys are on the table now", "where are the keys of the shed?"},
	{"My dentist is Dr Weber", "We have a new vet, Dr Haller", "who is my dentist?"},
	{"Our wifi password is bluebird42", "The code of the alarm is now 5519", "what is our wifi password?"},
	{"I take the 14 tram to the office", "These days I take the bike to the gym", "which tram do I take to the office?"},
	{"The commission of the agency is 8%", "The discount was increased to 10%", "what is the commission of the agency?"},
	{"我的牙医是王医生", "我们换了新的兽医，现在是李医生", "我的牙医是谁？"},
	{"车库的钥匙在抽屉里", "汽车钥匙现在放在桌上", "车库的钥匙在哪里？"},
}

// goesOn are pairs of which the later has a word of the earlier, and something that ended, but not that.
var goesOn = []told{
	{"I'm reading Middlemarch at the moment", "I sold my old bookcase and put Middlemarch on the new shelf", "What am I reading?"},
	{"My manager is called Fiona", "Fiona and I finished the quarterly report, now we start on the budget", "What is my manager called?"},
	{"My gym is PureGym on Station Road", "I stopped by PureGym and started a new programme", "Which gym do I go to?"},
	{"I live in Sheffield near the gardens", "I left my umbrella in Sheffield, so I bought a new one", "Where do I live?"},
	{"我最近在追《繁花》", "今天把作业写完了，晚上接着看《繁花》", "我最近在追什么剧？"},
	{"I'm learning Portuguese this year", "I haven't quit Portuguese, but I started Greek as well", "What am I learning?"},
	{"我正在读《三体》", "还没读完《三体》，今天又翻了几页", "我正在读哪本书？"},
	{"我的健身教练是小刘", "小刘夸我深蹲有进步，现在加到八十公斤了", "我的健身教练是谁？"},
}

func TestWhatDidNotEndIsNotReplaced(t *testing.T) {
	h := newHouse(t)
	h.sayBoth(goesOn)
	for _, b := range goesOn {
		rc := h.ask(h.recall(), b.ask)
		if by := replacedBy(rc, b.first); by != nil {
			t.Errorf("%q is replaced by %q", b.first, by.Text)
		}
		if texts := takenTexts(rc); len(texts) == 0 || texts[0] != b.first {
			t.Errorf("%q does not recall %q first but %q", b.ask, b.first, texts)
		}
	}
}

// 新 is a part of many words that tell of nothing new.
func TestNewOnesInChinese(t *testing.T) {
	for text, is := range map[string]bool{
		"我的新号码是138": true, "新的密码在抽屉里": true, "我换了新房东": true, "新同事叫小王": true,
		"我每天看新闻": false, "重新装修书房": false, "新年去外婆家": false, "我去过新加坡": false, "重新的开始": false, "最新消息": false, "我在新疆长大": false,
	} {
		if got := hints.MatchString(text); got != is {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestSimilarThingsDoNotReplaceEachOther(t *testing.T) {
	h := newHouse(t)
	h.sayBoth(both)
	for _, b := range both {
		rc := h.ask(h.recall(), b.ask)
		if by := replacedBy(rc, b.first); by != nil {
			t.Errorf("%q is replaced by %q", b.first, by.Text)
		}
		if texts := takenTexts(rc); !slices.Contains(texts, b.first) {
			t.Errorf("%q does not recall %q but %q", b.ask, b.first, texts)
		}
	}
}

// Who shows a dialogue asks for nothing in particular: of what it recalls, "now" and 「现在」 put nothing before the rest.
func TestADialogueDoesNotAskForTheCurrent(t *testing.T) {
	h := newHouse(t)
	const old, now = "The roses and tomatoes of Ida stand in the garden behind the house", "The roses and tomatoes of Ida stand behind the fence these days"
	h.say(old)
	h.say(noise(60)...)
	h.now = h.now.AddDate(0, 1, 0)
	h.say(now)
	for ask, first := range map[string]string{
		"Where do the roses and tomatoes of Ida stand, in the garden or where?":                              now,
		"Ann: Where do they stand?\nBob: What?\nAnn: The roses and tomatoes of Ida, in the garden or where?": old,
	} {
		texts := takenTexts(h.ask(h.recall(), ask))
		if len(texts) < 2 || texts[0] != first {
			t.Errorf("%q recalls %q", ask, texts)
		}
	}
}

// What a fact knows to be replaced needs no words in common with what replaced it, and brings it in.
func TestAFactKnowsWhatReplacedIt(t *testing.T) {
	h := newHouse(t)
	state := func(text, key, value string, over bool) string {
		id := h.say(text)[0]
		s := memory.FactStatement{Subject: memory.SubjectUser, Key: key, Value: value, Over: over, SaidAt: h.now, Origin: id, Confidence: 1}
		if _, err := h.SaveFacts(t.Context(), h.agent.ID, []memory.FactStatement{s}, memory.Cause{Actor: memory.ActorUser, MessageID: id}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	state("I live in a flat in Leipzig", "home", "Leipzig", false)
	state("I work at the city library", "employer", "city library", false)
	h.say(noise(60)...)
	h.now = h.now.AddDate(0, 2, 0)
	state("Boxes everywhere, Lyon has us since Monday", "home", "Lyon", false)
	state("That chapter is closed for me", "employer", "city library", true)

	rc := h.ask(h.recall(), "where do I live, in which flat?")
	texts := takenTexts(rc)
	now, old := slices.Index(texts, "Boxes everywhere, Lyon has us since Monday"), slices.Index(texts, "I live in a flat in Leipzig")
	if now < 0 || old < 0 || now > old {
		t.Errorf("current at %d, replaced at %d of %q", now, old, texts)
	}
	if s := replacedBy(rc, "I live in a flat in Leipzig"); s == nil || s.Text != "home = Lyon" {
		t.Errorf("replaced by %+v", s)
	}
	texts = takenTexts(h.ask(h.recall(), "in which flat did I live before?"))
	now, old = slices.Index(texts, "Boxes everywhere, Lyon has us since Monday"), slices.Index(texts, "I live in a flat in Leipzig")
	if texts[0] != "home = Leipzig" || old < 0 || now >= 0 && now < old {
		t.Errorf("the past is not first: %q", texts)
	}
	if s := replacedBy(h.ask(h.recall(), "do I work at the library?"), "I work at the city library"); s == nil || s.Text != "" {
		t.Errorf("what is over is replaced by %+v", s)
	}
}
