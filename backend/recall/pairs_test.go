package recall

import "fmt"

// pair is something that was said once and what is asked later.
type pair struct{ said, asked string }

var pairs = []pair{
	{"remember that my bicycle is called Comet", "what is my bicycle called"},
	{"My name is Ottoline", "what's my name?"},
	{"My dog's name is Biscuit.", "What's the name of my dog?"},
	{"I am allergic to peanuts", "Am I allergic to anything?"},
	{"My sister Hannah lives in Toronto", "Where does my sister live?"},
	{"Please remember my wifi password is hunter-42-blue", "what was my wifi password again"},
	{"My car is parked on level 3 of the garage at Elm Street", "Where did I park my car?"},
	{"I work as a marine biologist", "which profession do I have as a biologist?"},
	{"My wedding anniversary is on the 14th of June", "When is my wedding anniversary?"},
	{"I prefer oat milk in my coffee", "how do I take my coffee"},
	{"The dentist appointment is next Tuesday at 9:30", "when is my dentist appointment?"},
	{"My blood type is AB negative", "what blood type do I have"},
	{"My grandmother used to make apricot dumplings", "What did my grandmother make?"},
	{"Our boiler's serial number is QX-88213-B", "serial number of the boiler"},
	{"I quit smoking in March 2021", "when did I stop smoking?"},
	{"My favorite composer is Dvořák", "who is my favourite composer"},
	{"I'm training for a marathon in Lisbon", "what marathon am I training for?"},
	{"The gate code is 7391", "gate code?"},
	{"My passport expires in October 2027", "When does my passport expire?"},
	{"I left the spare keys with Mrs Okafor", "who has my spare keys?"},
	{"My daughter plays the cello", "Which instrument does my daughter play?"},
	{"记住我的猫叫年糕", "我的猫叫什么"},
	{"我家的小狗名叫豆包", "我家狗的名字是什么？"},
	{"我对花生过敏", "我对什么过敏？"},
	{"我妹妹住在成都", "我妹妹住在哪里？"},
	{"我的生日是五月十二号", "我的生日是哪天"},
	{"我在一家海洋馆当兽医", "我在海洋馆做什么工作？"},
	{"请记住：家里的无线密码是 blue-fish-77", "家里的无线密码是多少？"},
	{"我的车停在地下三层B区", "我的车停在哪儿了"},
	{"我下个月要去冰岛旅行", "我什么时候去冰岛？"},
	{"我女儿在学大提琴", "我女儿在学什么乐器"},
	{"我喜欢喝燕麦拿铁", "我喜欢喝什么拿铁"},
	{"牙医约在星期二上午九点半", "我的牙医是什么时候？"},
	{"我奶奶做的杏子饺子最好吃", "奶奶做的什么饺子好吃？"},
	{"护照二〇二七年十月到期", "我的护照什么时候到期？"},
	{"备用钥匙放在王阿姨那里", "备用钥匙在谁那里"},
	{"我最喜欢的作曲家是德沃夏克", "我最喜欢哪位作曲家？"},
	{"我的自行车叫彗星", "我的自行车叫什么名字？"},
	{"我的血型是AB型", "我是什么血型"},
	{"大门的密码是七三九一", "大门密码是什么"},
	{"我三年前戒烟了", "我什么时候戒烟的？"},
}

// offTopic are messages to which nothing of pairs or noise has an answer.
var offTopic = []string{
	"QQQQ", "asdf qwer zxcv", "xyzzy plugh", "hello", "hi there!", "how are you today?", "thanks, that was helpful",
	"good morning", "tell me a joke", "ok", "haha", "what's the capital of Mongolia?", "write a haiku about the ocean",
	"explain photosynthesis", "continue", "make it shorter", "what time is it?", "what do you think about the meaning of life?",
	"你好", "早上好", "谢谢你", "再见", "讲个笑话", "蒙古的首都是哪里？", "写一首关于海洋的诗", "哈哈哈", "好的", "请解释光合作用",
	"继续", "再短一点", "呜呜呜嘎嘎嘎", "你觉得人生的意义是什么？", "?!?!", "🙂🙂🙂", "the of and", "的了吗", " ", "\x00",
}

// noise returns n other things that people say, half of them English, half Chinese.
func noise(n int) []string {
	who := []string{"My neighbour", "Our manager", "A colleague", "The plumber", "My cousin", "A tourist", "The teacher", "Her uncle", "The landlord", "A stranger"}
	did := []string{
		"repaired the fence", "talked about the election", "baked a lemon cake", "lost a suitcase", "watched a documentary on volcanoes",
		"bought a second-hand sofa", "complained about the noise", "planted tomatoes", "missed the last bus", "painted a mural", "broke a window", "found an old coin",
	}
	when := []string{"yesterday", "last week", "on Friday", "in the rain", "before lunch", "during the holidays", "at the station"}
	谁 := []string{"邻居", "经理", "同事", "水管工", "表哥", "游客", "老师", "叔叔", "房东", "店员"}
	做 := []string{"修好了篱笆", "谈论了选举", "烤了一个柠檬蛋糕", "丢了行李箱", "看了一部火山纪录片", "买了一张旧沙发", "抱怨太吵", "种了西红柿", "错过了末班车", "画了一幅壁画", "打破了窗户", "找到一枚古币"}
	时 := []string{"昨天", "上星期", "周五", "下雨的时候", "午饭前", "放假期间", "在车站"}
	out := make([]string, n)
	for i := range out {
		j := i / 2
		if i%2 == 0 {
			out[i] = fmt.Sprintf("%s %s %s, %d.", who[j%10], did[j%12], when[j%7], j)
		} else {
			out[i] = fmt.Sprintf("%s%s%s，%d。", 时[j%7], 谁[j%10], 做[j%12], j)
		}
	}
	return out
}
