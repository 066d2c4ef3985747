package fact

import (
	"strings"

	"recollect/backend/memory"
)

// The keys that rules know. Any other attribute of a person or thing is a key of its own, as it was said.
const (
	keyName        = "name"
	keyNickname    = "nickname"
	keyAge         = "age"
	keyBirthday    = "birthday"
	keyBirthplace  = "birthplace"
	keyHometown    = "hometown"
	keyHome        = "home"
	keyAddress     = "address"
	keyPhone       = "phone"
	keyEmail       = "email"
	keyWork        = "work"
	keyEmployer    = "employer"
	keySchool      = "school"
	keyStudies     = "studies"
	keyNationality = "nationality"
	keyDiet        = "diet"
	keyHeight      = "height"
	keyWeight      = "weight"
	keyMarital     = "marital status"
	keyBlood       = "blood type"
	keyTimezone    = "timezone"
	keyDate        = "date"
	keyNumberOf    = "number of "
	keyFavourite   = "favourite "

	keyLikes      = "likes"
	keyDislikes   = "dislikes"
	keyAllergy    = "allergy"
	keyAvoids     = "avoids"
	keyCondition  = "condition"
	keyMedication = "medication"
	keySpeaks     = "speaks"
	keyLearning   = "learning"
	keyHobby      = "hobby"
	keyPet        = "pet"
	keyOwns       = "owns"
	keyFamily     = "family"
	keyUses       = "uses"
	keyReligion   = "religion"
	keyHandedness = "handedness"
	keyPayday     = "payday"
	keySalary     = "salary"
	keySavings    = "savings"
	keyBreed      = "breed"
)

// user is the subject of facts about the user.
const user = memory.SubjectUser

// others are people whom the user names, but whose facts are their own affair.
var others = set("client", "customer", "supplier", "competitor", "neighbour", "neighbor", "friend", "colleague", "coworker", "co-worker", "teacher", "professor", "student", "patient", "tenant", "guest", "supervisor", "客户", "顾客", "邻居", "朋友", "同事", "同学", "老师", "学生", "boss", "manager", "landlord", "landlady", "mayor", "mp", "president", "senator", "governor", "councillor", "hero", "idol", "老板", "领导", "房东", "组长", "导师", "班主任")

// Keys returns the keys that rules know, for a form to choose from.
func Keys() []string {
	return []string{
		keyName, keyNickname, keyAge, keyBirthday, keyBirthplace, keyHometown, keyHome, keyAddress, keyPhone, keyEmail, keyWork,
		keyEmployer, keySchool, keyStudies, keyNationality, keyDiet, keyHeight, keyWeight, keyMarital, keyBlood, keyTimezone, keyDate,
		keyLikes, keyDislikes, keyAllergy, keyAvoids, keyCondition, keyMedication, keySpeaks, keyLearning, keyHobby, keyPet, keyOwns,
		keyFamily, keyUses, keyBreed, keyReligion, keyHandedness, keyPayday, keySalary, keySavings,
	}
}

const (
	enPeople = `wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|spouse|mother|father|mom|mum|dad|mommy|daddy|stepmother|stepfather|stepmom|stepdad|stepson|stepdaughter|` +
		`twin brother|twin sister|brother|sister|sibling|son|daughter|child|kid|baby|toddler|twin|cousin|aunt|uncle|grandmother|grandfather|grandma|grandpa|granny|grandson|granddaughter|grandchild|` +
		`niece|nephew|mother-in-law|father-in-law|brother-in-law|sister-in-law|roommate|flatmate|housemate|boss|manager|best friend|godson|goddaughter|ex-wife|ex-husband`
	enPets = `dog|cat|puppy|kitten|parrot|rabbit|hamster|guinea pig|horse|pony|goldfish|fish|turtle|tortoise|canary|budgie|ferret|gecko|snake|iguana|chicken|hen|goat|` +
		`labrador|golden retriever|retriever|poodle|beagle|corgi|dachshund|german shepherd|border collie|bulldog|husky|greyhound|terrier|tabby|siamese`
	enThings = `car|bike|bicycle|motorbike|motorcycle|scooter|boat|sailboat|yacht|van|truck|camper|piano|guitar|violin|cello|drum kit|laptop|computer|phone|tablet|camera|drone|telescope|` +
		`house|flat|apartment|cottage|cabin|garden|farm|garage|3d printer|printer|e-bike|kayak|canoe|surfboard|sewing machine|espresso machine|coffee machine|coffee maker|dishwasher|washing machine|lawnmower|smartwatch|vespa|tesla|house plant|greenhouse|studio|caravan|motorhome|campervan|allotment|kiln|treadmill|record player|turntable|tent|tractor|trailer|moped|ukulele|banjo|harp|accordion|saxophone|trumpet|flute|keyboard|synthesizer|air fryer|hot tub|sauna|microscope|projector`

	zhPeople = `爸妈|父母|爷爷奶奶|外公外婆|公婆|岳父母|爱人|老伴|闺女|丫头|老爸|老妈|儿媳妇|儿媳|女婿|丈母娘|老丈人|嫂子|姐夫|妹夫|弟媳|继父|继母|干妈|外孙女|外孙|二女儿|二儿子|舍友|小姨|大姨|小姑|大姑|妈妈|母亲|爸爸|父亲|老婆|妻子|媳妇|太太|老公|丈夫|男朋友|女朋友|男友|女友|未婚妻|未婚夫|儿子|女儿|孩子|宝宝|大儿子|小儿子|大女儿|小女儿|` +
		`哥哥|弟弟|姐姐|妹妹|大哥|二哥|大姐|二姐|爷爷|奶奶|外公|外婆|姥姥|姥爷|岳父|岳母|公公|婆婆|叔叔|阿姨|舅舅|舅妈|姑姑|姨妈|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|侄子|侄女|外甥|外甥女|孙子|孙女|双胞胎妹妹|双胞胎姐姐|双胞胎哥哥|双胞胎弟弟|双胞胎|室友|` +
		`老板|领导|妈|爸|哥|姐|弟`
	zhPets   = `画眉鸟|画眉|八哥|鹩哥|百灵鸟|文鸟|鸽子|珍珠鸟|虎皮鹦鹉|玄凤鹦鹉|小鸟|蜥蜴|守宫|荷兰猪|豚鼠|刺猬|孔雀鱼|锦鲤|龙鱼|狗狗|小狗|狗|猫咪|小猫|猫|兔子|仓鼠|鹦鹉|乌龟|金鱼|柯基|金毛|拉布拉多|泰迪|哈士奇|边牧|柴犬|英短|美短|布偶猫|橘猫|布偶|龙猫`
	zhThings = `挖掘机|拖拉机|收割机|三轮车|农用车|缝纫机|烤箱|洗衣机|冰箱|投影仪|音响|游戏机|车|自行车|电动车|摩托车|单车|房子|公寓|钢琴|吉他|小提琴|古筝|相机|无人机|电脑|笔记本电脑|笔记本|手机|平板|船|房车|汽车|帐篷|望远镜|别墅|店|餐馆|咖啡馆|轿车|越野车|特斯拉`
)

// enJobs are the last words of occupations.
var enJobs = set(strings.Fields(`accountant actor actress actuary administrator advisor analyst anaesthetist animator anthropologist arborist archaeologist architect archivist artist
	assistant astronaut astronomer attorney auditor author baker banker barber barista bartender beekeeper biologist blacksmith bookkeeper bookseller botanist brewer bricklayer
	broker builder butcher cameraman caregiver caretaker carpenter cartographer cashier chef chemist chiropractor choreographer civil-servant cleaner clerk climber coach
	cobbler comedian composer conductor construction-worker consultant contractor cook copywriter counsellor counselor courier curator dancer dentist dermatologist designer
	detective developer dietitian diplomat director diver doctor driver ecologist economist editor electrician engineer entrepreneur ecologist estate-agent farmer
	filmmaker firefighter fisherman florist freelancer gardener geologist geneticist geographer glazier goldsmith grocer guide hairdresser handyman historian housewife
	illustrator inspector instructor interpreter janitor jeweller jeweler joiner journalist judge kindergarten-teacher lawyer lecturer librarian lifeguard linguist locksmith
	lorry-driver machinist mason magician manager mathematician mechanic merchant meteorologist microbiologist midwife miller miner minister model musician nanny
	neurologist neuroscientist notary novelist nurse nutritionist oceanographer officer optician optometrist orthodontist painter paralegal paramedic pastor
	pathologist pediatrician paediatrician pharmacist philosopher photographer physicist physician physiotherapist pianist pilot plumber poet policeman policewoman
	politician porter postdoc postman potter priest principal printer producer professor programmer psychiatrist psychologist psychotherapist publisher
	radiologist ranger realtor receptionist recruiter referee reporter researcher retiree roofer sailor salesman salesperson saleswoman scientist screenwriter sculptor
	seamstress secretary secretary shepherd shopkeeper singer social-worker sociologist soldier solicitor specialist statistician stonemason strategist
	student surgeon surveyor tailor tattooist teacher technician therapist tiler toolmaker trader trainee trainer translator tutor undertaker underwriter upholsterer vet
	veterinarian violinist waiter waitress watchmaker weaver welder winemaker worker writer zookeeper zoologist apprentice intern nurse-practitioner
	au-pair gp drummer guitarist bassist cellist organist supervisor foreman plasterer phlebotomist radiographer carer childminder crofter blogger streamer dispatcher sommelier trucker landscaper operator
	planner buyer rep marketer copyeditor proofreader headmaster headteacher headmistress chaplain imam rabbi nun monk vicar deacon missionary bouncer stylist beautician masseur masseuse doula
	dietician sonographer orderly dean registrar conservator restorer jockey groom rancher forester logger lumberjack deckhand bosun steward stewardess attendant controller carrier chauffeur mover
	picker packer lineman linesman installer fitter rigger scaffolder decorator estimator tester prosecutor barrister magistrate bailiff constable sergeant lieutenant marine seaman cop sheriff
	guard warden umpire footballer wrestler songwriter clown puppeteer milliner glassblower cabinetmaker luthier dishwasher server distiller grower farmhand fishmonger greengrocer executive founder
	co-founder cofounder investor teller adjuster agent pensioner homemaker househusband stablehand teamleader signaller keeper croupier dealer rheumatologist oncologist cardiologist gynaecologist
	gynecologist anesthetist anesthesiologist urologist matron hygienist orthopaedist podiatrist audiologist embryologist immunologist virologist epidemiologist criminologist egyptologist
	volunteer-firefighter trainee-nurse lorry-driver hgv-driver technologist craftsman draughtsman stockbroker auctioneer barmaid barman landscaper greenkeeper groundskeeper zookeeper tanner thatcher
	dj youtuber paralegal stay-at-home-dad stay-at-home-mum dba sysadmin devops quant ceo cto cfo`)...)

const zhJobs = `住院医|主治医|规培生|规培医生|主任医师|主治医师|医师|专员|个体户|辅导员|宿管|督导|导购|理货员|搬运工|装卸工|电焊工|泥瓦工|钢筋工|缝纫工|纺织工|收银|前台|网管|运维|客户经理|大堂经理|柜员|信贷员|评估师|公证员|书记员|法务|康复师|针灸师|推拿师|检验师|化验员|保育员|班主任|教研员|印刷工|快递小哥|骑手|飞手|水手|轮机长|渔民|牧民|果农|菜农|花农|茶农|养蜂人|护林员|饲养员|训犬师|宠物美容师|场记|剪辑师|动画师|特效师|原画师|游戏策划|电竞选手|解说|主持人|司仪|花匠|甜品师|烘焙师|品酒师|茶艺师|侍酒师|厨师长|面点师|服务员|领班|保洁员|保洁|管家|调解员|网格员|村医|村支书|支书|辅警|狱警|民警|交警|特警|武警|海员|空管|机长|副驾驶|调度员|养路工|巡线员|矿工|炼钢工|车工|铣工|数控操作员|质检|线长|拉长|厂长|车间主任|仓库管理员|库管|叉车工|老师|教师|教授|讲师|医生|护士|律师|工程师|程序员|设计师|会计|会计师|厨师|司机|警察|消防员|记者|编辑|作家|画家|音乐家|演员|导演|摄影师|翻译|导游|销售|经理|项目经理|产品经理|公务员|军人|农民|工人|` +
	`学生|大学生|研究生|博士生|高中生|初中生|自由职业者|自由撰稿人|全职妈妈|全职太太|家庭主妇|退休教师|退休工人|药剂师|牙医|兽医|心理咨询师|咨询师|咨询顾问|顾问|建筑师|电工|木匠|理发师|美容师|健身教练|教练|瑜伽教练|` +
	`快递员|外卖员|飞行员|空姐|空乘|保安|店员|收银员|图书管理员|科学家|研究员|分析师|数据分析师|架构师|运营|行政|人事|测试工程师|前端工程师|后端工程师|算法工程师|插画师|主播|博主|裁缝|面包师|咖啡师|调酒师|花艺师|园艺师|` +
	`主管|总监|组长|店长|校长|院长|主任|护士长|站长|部长|处长|科长|总经理|护工|保姆|月嫂|清洁工|修理工|技术员|检察官|法官|外交官|钢琴老师|英语老师|数学老师|语文老师|小学老师|中学老师|幼儿园老师|幼师|社工|个体户|创业者|产品设计师|平面设计师|室内设计师|理财师|精算师|审计师|审计|采购|编剧|歌手|舞蹈老师|家教|实习生|麻醉师|麻醉医生|儿科医生|外科医生|内科医生|中医|程序猿|码农|校对|客服|出纳|文员|秘书|助理|裁判|船员|船长|列车员|乘务员|主编|美编|策划|质检员|仓管|焊工|钳工|瓦工|油漆工|水管工|育婴师|按摩师|美甲师|配音演员|漫画家|书法家|博士后|讲解员|教官|档案员|校医|法医|营养师|药师|技师|护理员|验光师|调音师|录音师|灯光师|化妆师|造型师|作曲家`

const (
	enLanguages = `English|French|German|Spanish|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Arabic|` +
		`Hebrew|Persian|Farsi|Urdu|Hindi|Bengali|Tamil|Telugu|Punjabi|Mandarin(?: Chinese)?|Cantonese|Chinese|Japanese|Korean|Vietnamese|Thai|Indonesian|Malay|Tagalog|Swahili|Amharic|Zulu|` +
		`Afrikaans|Russian|Ukrainian|Serbian|Croatian|Slovenian|Albanian|Catalan|Basque|Galician|Welsh|Irish|Gaelic|Latin|Esperanto|Estonian|Latvian|Lithuanian|Georgian|Armenian|Yoruba|` +
		`Hausa|Igbo|Somali|Nepali|Sinhala|Khmer|Lao|Burmese|Mongolian|Kazakh|Uzbek|Luxembourgish|Maltese|Maori|Hawaiian|American Sign Language|British Sign Language|sign language|ASL|BSL|Brazilian Portuguese`
	zhLanguages = `英语|法语|德语|西班牙语|意大利语|葡萄牙语|荷兰语|俄语|日语|韩语|阿拉伯语|泰语|越南语|粤语|普通话|中文|汉语|闽南语|上海话|四川话|客家话|希伯来语|土耳其语|瑞典语|挪威语|丹麦语|芬兰语|波兰语|维吾尔语|蒙古语|朝鲜语|壮语|彝语|乌克兰语|捷克语|匈牙利语|罗马尼亚语|马来语|印尼语|缅甸语|老挝语|波斯语|孟加拉语|世界语|温州话|潮汕话|东北话|湖南话|河南话|山东话|陕西话|天津话|长沙话|武汉话|重庆话|南京话|杭州话|苏州话|宁波话|福州话|拉丁语|手语|印地语|希腊语|藏语|英文|日文|韩文|法文|德文`
	enNations   = `American|British|English|Scottish|Welsh|Irish|Canadian|Australian|French|German|Spanish|Italian|Portuguese|Dutch|Belgian|Swiss|Austrian|Swedish|Norwegian|Danish|` +
		`Finnish|Icelandic|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Russian|Ukrainian|Serbian|Croatian|Slovenian|Albanian|Israeli|Lebanese|Egyptian|Moroccan|Algerian|` +
		`Tunisian|Nigerian|Ghanaian|Kenyan|Ethiopian|South African|Indian|Pakistani|Bangladeshi|Sri Lankan|Nepali|Chinese|Taiwanese|Japanese|Korean|South Korean|Vietnamese|Thai|Filipino|` +
		`Indonesian|Malaysian|Singaporean|Mexican|Brazilian|Argentinian|Argentine|Chilean|Peruvian|Colombian|Venezuelan|Cuban|Iranian|Iraqi|Syrian|Jordanian|Saudi|Estonian|Latvian|Lithuanian|Georgian|Armenian|New Zealander`
	zhCountries = `中国|美国|英国|法国|德国|日本|韩国|加拿大|澳大利亚|意大利|西班牙|俄罗斯|印度|新加坡|马来西亚|泰国|越南|巴西|墨西哥|瑞士|瑞典|挪威|荷兰|比利时|奥地利|波兰|葡萄牙|新西兰|爱尔兰|土耳其|埃及|印尼|菲律宾`
	enIllnesses = `(?:type (?:1|2|one|two) )?diabetes|asthma|hay fever|migraines?|epilepsy|arthritis|rheumatoid arthritis|celiac disease|coeliac disease|crohn['’]?s(?: disease)?|ADHD|autism|dyslexia|high blood pressure|` +
		`hypertension|low blood pressure|a heart condition|anxiety|depression|insomnia|eczema|psoriasis|a bad back|chronic back pain|sleep apn(?:o)?ea|tinnitus|glaucoma|hypothyroidism|an underactive thyroid|` +
		`endometriosis|lupus|multiple sclerosis|parkinson['’]?s(?: disease)?|anemia|anaemia|IBS|irritable bowel syndrome|lactose intolerance|gluten intolerance|a pacemaker|osteoporosis|scoliosis|gout|vertigo|colour blindness|reflux|acid reflux|dementia|alzheimer['’]?s(?: disease)?|(?:breast |lung |bowel |prostate |skin )?cancer|leukaemia|leukemia|bipolar(?: disorder)?|OCD|PTSD|narcolepsy|sciatica|rosacea|ulcerative colitis|colitis|fibromyalgia|chronic fatigue(?: syndrome)?|long covid|PCOS|graves['’]? disease|hashimoto['’]?s|angina|arrhythmia|atrial fibrillation|hepatitis(?: [ABC])?|HIV|kidney disease|cystic fibrosis|sickle cell(?: disease)?|haemophilia|hemophilia|cataracts|hearing loss|carpal tunnel(?: syndrome)?|plantar fasciitis|tendonitis|a slipped disc|a herniated disc|flat feet|a heart murmur|high cholesterol|iron deficiency|neuropathy|restless legs(?: syndrome)?|tourette['’]?s|dyspraxia|dyscalculia|aphantasia|synaesthesia|misophonia|schizophrenia|an eating disorder|sinusitis|bronchitis|COPD|emphysema|diverticulitis|hemochromatosis|raynaud['’]?s`
	zhIllnesses = `哮喘|糖尿病|高血压|低血压|偏头痛|过敏性鼻炎|鼻炎|胃病|胃炎|慢性胃炎|心脏病|关节炎|癫痫|抑郁症|焦虑症|失眠症?|湿疹|甲亢|甲减|痛风|颈椎病|腰椎间盘突出|椎间盘突出|贫血|近视|色盲|乳糖不耐受?|脂肪肝|高血脂|冠心病|荨麻疹|干眼症|多动症|自闭症`
	enSports    = `tennis|football|soccer|basketball|volleyball|badminton|table tennis|ping-pong|squash|golf|rugby|cricket|hockey|ice hockey|field hockey|baseball|softball|handball|chess|poker|bridge|go|` +
		`(?:the )?(?:guitar|bass guitar|bass|piano|violin|viola|cello|drums|flute|clarinet|saxophone|trumpet|trombone|harp|ukulele|banjo|accordion|organ|oboe|mandolin|harmonica|bagpipes|keyboard)|` +
		`darts|billiards|pool|snooker|padel|pickleball|lacrosse|water polo|video games|board games|frisbee|ultimate frisbee`
	enDoing    = `yoga|pilates|judo|karate|taekwondo|aikido|jiu-jitsu|ballet|gymnastics|athletics|pottery|ceramics|crossfit|parkour|archery|fencing|tai chi|boxing|kickboxing|martial arts|calligraphy|origami|crossword puzzles|weightlifting`
	enGoing    = `running|jogging|swimming|climbing|rock climbing|bouldering|hiking|cycling|mountain biking|fishing|skiing|snowboarding|surfing|sailing|rowing|dancing|salsa dancing|horse riding|birdwatching|kayaking|camping|diving|scuba diving|skating|ice skating|bowling|geocaching|foraging|to the gym`
	enSubjects = `sports science|hospitality|tourism|animation|game design|cybersecurity|software engineering|information technology|biomedical science|midwifery|paramedic science|physiotherapy|radiography|zoology|ecology|oceanography|criminology|translation|creative writing|photography|fine art|sculpture|music production|drama|acting|divinity|classics|aerospace engineering|chemical engineering|industrial design|interior design|urban planning|landscape architecture|agronomy|veterinary science|animal science|food science|nutrition|optometry|speech therapy|actuarial science|astrophysics|marine biology|genetics|microbiology|materials science|philology|musicology|medicine|law|physics|chemistry|biology|mathematics|maths|math|history|philosophy|economics|psychology|sociology|architecture|engineering|computer science|linguistics|literature|art|music|` +
		`politics|political science|geography|geology|business|finance|accounting|marketing|nursing|education|design|graphic design|law|journalism|theology|anthropology|archaeology|astronomy|biochemistry|statistics|dentistry|` +
		`veterinary medicine|pharmacy|agriculture|fashion design|film|theatre|international relations|data science|mechanical engineering|electrical engineering|civil engineering|environmental science|english literature|art history|media studies|social work|public health|neuroscience|forestry`
	// given names that are no words and no places
	enGiven = `lena|anna|hannah|emma|sophie|sofia|laura|julia|lisa|sarah|sara|nina|maria|elena|katie|kate|megan|chloe|zoe|amelia|olivia|isla|eva|ella|lucy|emily|jessica|rachel|rebecca|becky|nicole|natalie|priya|aisha|fatima|yuki|ingrid|astrid|freya|marta|ania|kasia|agnieszka|olga|irina|natasha|` +
		`tom|tim|ben|dan|sam|josh|jake|luke|liam|noah|ethan|oliver|henry|george|james|john|david|daniel|michael|mike|chris|matt|alex|andrew|andy|paul|peter|simon|steve|kevin|brian|ryan|sean|connor|jonas|lukas|felix|leon|finn|piotr|pawel|tomasz|marek|ivan|dmitri|sergei|ahmed|mohammed|ali|omar|raj|arjun|ravi|kenji|diego|carlos|juan|miguel|pedro|luca|marco|matteo`
	enDiets  = `vegetarian|vegan|pescatarian|pescetarian|flexitarian|fruitarian|halal|kosher|keto|ketogenic|paleo|low-carb|gluten[- ]free|dairy[- ]free|lactose[- ]free|mediterranean|plant-based|low-fodmap|low-salt|low-sodium`
	zhCities = `北京|上海|广州|深圳|杭州|南京|苏州|成都|重庆|武汉|西安|天津|长沙|青岛|大连|厦门|宁波|无锡|郑州|合肥|济南|福州|昆明|南昌|贵阳|南宁|哈尔滨|长春|沈阳|石家庄|太原|兰州|西宁|拉萨|银川|乌鲁木齐|海口|三亚|珠海|佛山|东莞|香港|澳门|台北|台湾|东京|大阪|京都|首尔|新加坡|纽约|伦敦|巴黎|柏林|悉尼|墨尔本|多伦多|温哥华|旧金山|洛杉矶|西雅图|曼谷|吉隆坡|` +
		`国外|老家|外地|家里|家|这里|那里|这边|那边|海外|国企|外企|体制内|美国|英国|日本|德国|法国|加拿大|澳大利亚|中国`
	enBreeds = `labrador|golden retriever|retriever|beagle|poodle|dachshund|border collie|collie|corgi|german shepherd|husky|pug|bulldog|french bulldog|boxer|rottweiler|dalmatian|chihuahua|shih tzu|spaniel|cocker spaniel|terrier|jack russell|yorkie|greyhound|whippet|samoyed|akita|shiba inu|doberman|great dane|cockapoo|labradoodle|schnauzer|maltese|pomeranian|maine coon|siamese|persian|bengal|ragdoll|british shorthair|tabby|sphynx|norwegian forest cat|tortoiseshell|mutt|mongrel`
	zhBreeds = `柯基|金毛|拉布拉多|泰迪|哈士奇|边牧|边境牧羊犬|柴犬|贵宾|比熊|博美|德牧|萨摩耶|阿拉斯加|法斗|吉娃娃|雪纳瑞|田园犬|英短|美短|布偶|布偶猫|橘猫|狸花|狸花猫|缅因|暹罗|暹罗猫|蓝猫|三花|奶牛猫|波斯猫|加菲|中华田园猫`
	enTrades = `sales|marketing|IT|finance|banking|insurance|advertising|publishing|construction|logistics|retail|hospitality|catering|education|healthcare|real estate|property|HR|human resources|accounting|engineering|tech|software|cybersecurity|consulting|law enforcement|customer service|customer support|public relations|PR|procurement|manufacturing|forestry|farming|fashion|film|television|TV|journalism|the civil service|social care|childcare|aviation|shipping|telecoms|pharma|biotech`
	// what somebody does, by the field: 做外贸的
	zhFields   = `水电|家政|代驾|种植|直播带货|微商|电商运营|后端开发|前端开发|后端|游戏策划|土木|造价|施工|监理|编程|算法|UI设计|UI|新媒体|新媒体运营|短视频|产品|品控|质检|外贸销售|技术支持|硬件|嵌入式|嵌入式开发|芯片|客服|仓储|保洁|木工|瓦工|油漆|焊接|渔业|畜牧|林业|纺织|印刷|化妆|婚庆|月子|幼教|早教|托管|典当|古玩|二手车|汽修|钢材|建材|家装|服装批发|批发|零售|销售|外贸|贸易|教育|金融|IT|互联网|软件|软件开发|开发|前端|后端|测试|运维|设计|平面设计|室内设计|装修|餐饮|物流|快递|会计|财务|审计|人力资源|行政|医疗|医药|科研|研究|建筑|工程|房地产|保险|广告|市场|市场营销|营销|电商|直播|自媒体|媒体|新闻|出版|翻译|法律|咨询|投资|服装|美容|美发|农业|养殖|旅游|酒店管理|人工智能|数据分析|游戏开发|机械|电子|化工|新能源|游戏|动画|影视|摄影|音乐|艺术|公益|幼教|护理|健身`
	zhSubjects = `金融|哲学|法律|法学|医学|临床医学|护理|护理学|药学|中医学?|口腔医学|会计|会计学|经济|经济学|管理|工商管理|市场营销|人力资源|计算机|计算机科学|软件工程|人工智能|数据科学|电子|电子信息|通信|通信工程|自动化|机械|机械工程|土木|土木工程|建筑|建筑学|城市规划|数学|统计|统计学|物理|物理学|化学|生物|生物学|地理|地质|天文|历史|历史学|中文|汉语言文学|新闻|新闻学|传播学|英语|日语|德语|法语|俄语|西班牙语|翻译|心理|心理学|社会学|人类学|政治学|国际关系|教育|教育学|学前教育|音乐|美术|设计|视觉传达|服装设计|动画|电影|戏剧|舞蹈|体育|农学|园艺|林学|草业科学|动物医学|动物科学|食品科学|环境工程|环境科学|材料学?|材料科学|化工|能源|航空航天|海洋科学|水利|测绘|交通运输|物流|旅游管理|图书馆学|档案学|考古|考古学|宗教学|逻辑学|文学|语言学|公共卫生|影像|针灸|推拿`
	// the cities and provinces of China, and cities abroad that many have moved to
	zhTowns = `屏东|花莲|台东|宜兰|基隆|桃园|苗栗|彰化|云林|嘉义|南投|新北|澎湖|石家庄|唐山|秦皇岛|邯郸|邢台|保定|张家口|承德|沧州|廊坊|衡水|太原|大同|阳泉|长治|晋城|朔州|晋中|运城|忻州|临汾|吕梁|呼和浩特|包头|乌海|赤峰|通辽|鄂尔多斯|呼伦贝尔|沈阳|大连|鞍山|抚顺|本溪|丹东|锦州|营口|阜新|辽阳|盘锦|铁岭|葫芦岛|长春|四平|辽源|通化|白山|松原|白城|延边|哈尔滨|齐齐哈尔|鸡西|鹤岗|双鸭山|大庆|伊春|佳木斯|七台河|牡丹江|黑河|绥化|南京|无锡|徐州|常州|苏州|南通|连云港|淮安|盐城|扬州|镇江|泰州|宿迁|昆山|江阴|张家港|常熟|杭州|宁波|温州|嘉兴|湖州|绍兴|金华|衢州|舟山|台州|丽水|义乌|合肥|芜湖|蚌埠|淮南|马鞍山|淮北|铜陵|安庆|黄山|滁州|阜阳|宿州|六安|亳州|池州|宣城|福州|厦门|莆田|三明|泉州|漳州|南平|龙岩|宁德|南昌|景德镇|萍乡|九江|新余|鹰潭|赣州|吉安|宜春|抚州|上饶|济南|青岛|淄博|枣庄|东营|烟台|潍坊|济宁|泰安|威海|日照|临沂|德州|聊城|滨州|菏泽|郑州|开封|洛阳|平顶山|安阳|鹤壁|新乡|焦作|濮阳|许昌|漯河|三门峡|南阳|商丘|信阳|周口|驻马店|武汉|黄石|十堰|宜昌|襄阳|鄂州|荆门|孝感|荆州|黄冈|咸宁|随州|恩施|长沙|株洲|湘潭|衡阳|邵阳|岳阳|常德|张家界|益阳|郴州|永州|怀化|娄底|湘西|广州|韶关|深圳|珠海|汕头|佛山|江门|湛江|茂名|肇庆|惠州|梅州|汕尾|河源|阳江|清远|东莞|中山|潮州|揭阳|云浮|南宁|柳州|桂林|梧州|北海|防城港|钦州|贵港|玉林|百色|贺州|河池|来宾|崇左|海口|三亚|儋州|成都|自贡|攀枝花|泸州|德阳|绵阳|广元|遂宁|内江|乐山|南充|眉山|宜宾|广安|达州|雅安|巴中|资阳|阿坝|甘孜|凉山|西昌|贵阳|六盘水|遵义|安顺|毕节|铜仁|黔东南|黔南|凯里|昆明|曲靖|玉溪|保山|昭通|丽江|普洱|临沧|楚雄|红河|文山|西双版纳|大理|德宏|怒江|迪庆|拉萨|日喀则|林芝|西安|铜川|宝鸡|咸阳|渭南|延安|汉中|榆林|安康|商洛|兰州|嘉峪关|金昌|白银|天水|武威|张掖|平凉|酒泉|庆阳|定西|陇南|西宁|海东|银川|石嘴山|吴忠|固原|中卫|乌鲁木齐|克拉玛依|吐鲁番|哈密|喀什|伊犁|阿克苏|石河子|望京|浦东|海淀|徐汇|新竹|高雄|台中|台南|九龙|东北|内蒙古|新疆|西藏|宁夏|广西|青海|甘肃|陕西|云南|贵州|四川|海南|广东|湖南|湖北|河南|山东|江西|福建|安徽|浙江|江苏|黑龙江|吉林|辽宁|山西|河北|鹿特丹|慕尼黑|汉堡|法兰克福|马德里|巴塞罗那|罗马|米兰|维也纳|布拉格|布达佩斯|华沙|莫斯科|圣彼得堡|苏黎世|日内瓦|布鲁塞尔|阿姆斯特丹|哥本哈根|斯德哥尔摩|奥斯陆|赫尔辛基|都柏林|爱丁堡|曼彻斯特|里斯本|雅典|伊斯坦布尔|迪拜|孟买|新德里|河内|胡志明市|雅加达|马尼拉|名古屋|横滨|神户|福冈|札幌|釜山|墨西哥城|圣保罗|波士顿|芝加哥|休斯顿|达拉斯|亚特兰大|费城|圣地亚哥|波特兰|蒙特利尔|渥太华|卡尔加里|奥克兰|惠灵顿|布里斯班|珀斯|开罗|内罗毕`
)

// American spellings of words that keys are made of, and how keys have them.
var american = compile(`(?i)\b(col|fav)or(s|ites?)?\b`)

// spelt returns a text with those words as keys have them, so that "favorite color" is the "favourite colour".
func spelt(s string) string { return american.ReplaceAllString(s, "${1}our$2") }

// attributes are the last words of attributes whose value may be any word: "my doctor", "my favourite team".
const (
	enAttributes = `minor|pronouns|name|number|size|colou?r|hint|rent|salary|income|budget|rate|fee|mortgage|deadline|address|birthday|anniversary|limit|balance|plate|team|major|handle|username|nickname|surname|maiden name|middle name|first name|last name|` +
		`star sign|zodiac sign|blood type|blood group|time ?zone|shoe size|shirt size|height|weight|age|score|record|quota|target|salary|pension|premium|deposit|loan|password hint|locker|seat|room|flight number|` +
		`membership number|customer number|insurance number|employee id|student id|id|extension|licen[cs]e plate|postcode|zip code|doctor|dentist|gp|therapist|accountant|lawyer|landlord|landlady|native language|mother tongue|first language|` +
		`job title|position|role|title|department|native city|home town|hometown|religion|profession|occupation|employer|degree|goal|bedtime|curfew|commute|dosage|dose|resting heart rate|blood pressure|subscription|plan|version|provider|bank|supplier|capacity|price|cost|length|duration|frequency|speed|percentage|share|interest|rating|gpa|grade|response time|word count|step count|average|streak|quota|allowance|wifi name|network|domain|model|brand|breed|species|` + enTech
	zhAttributes = `退休金|养老金|戒指号|帽围|店租|铺租|摊位费|零花钱|年终奖|腰围|胸围|臀围|视力|步数|水电费|水费|电费|话费|网费|会费|奖金|提成|时薪|日薪|伙食费|生活费|停车费|车位费|服务费|中介费|护照号|社保号|医保号|驾照号|准考证号|桌号|床号|柜号|楼层|户型|面积|排量|内存|硬盘|显卡|浏览器|搜索引擎|名字|全名|姓名|英文名|小名|网名|昵称|外号|生日|年龄|电话|电话号码|手机号|手机号码|号码|邮箱|邮箱地址|地址|家庭住址|住址|微信号|微信名|网名|笔名|艺名|微信|QQ号|QQ|车牌号|车牌|血型|星座|属相|生肖|身高|体重|鞋码|鞋号|尺码|工资|月薪|年薪|薪水|房租|房贷|月供|利率|年利率|贷款|预算|` +
		`额度|余额|截止日期|截止时间|交稿日期|纪念日|结婚纪念日|车位号|工位|门牌号|学籍号|银行卡号|卡号|快递柜|缴费|职业|工作|职位|岗位|部门|专业|母语|民族|宗教信仰|信仰|国籍|籍贯|老家|家乡|学校|班级|学号|工号|座位|座位号|房间号|会员号|航班号|航班|时区|偶像|主治医生|家庭医生|医生|牙医|班主任|导师|房东|老板|领导|` +
		`目标|学费|押金|价格|数量|上限|密码提示|成绩|分数|绩点|剂量|版本|型号|品牌|品种|发货日期|作息|起床时间|上班时间|下班时间|血压|通勤时间|婚期|预产期|爱好|兴趣|颜色|大小|主题|容量|网速|供应商|开户行|车型|` + zhTech
	// what a project is made with: of one's own project, whoever is said to have it
	enTech = `database|db|framework|programming language|tech stack|stack|editor|ide|operating system|hosting provider|cloud provider|package manager|bundler|test runner`
	zhTech = `数据库|框架|编程语言|开发语言|技术栈|编辑器|操作系统|云服务商?|包管理器`
)

// secrets are attributes whose value is not stored: it lies in the transcript, and a list of facts is no place for it.
var secrets = compile(`(?i)\b(?:password|passcode|passphrase|pin|pin code|cvv|cvc|secret|api key|private key|access code|security code)s?$|密码$|口令$|验证码$`)

// enProductNames are programs and services that people move to, as they move to places.
const enProductNames = `Todoist|Obsidian|Notion|Evernote|OneNote|Trello|Asana|Jira|Linear|Slack|Discord|Teams|Zoom|Spotify|Tidal|Deezer|Apple Music|YouTube Music|Gmail|Outlook|Proton(?: ?Mail)?|Fastmail|Thunderbird|Chrome|Firefox|Safari|Brave|Edge|Opera|Vivaldi|` +
	`Windows(?: \d+)?|macOS|Linux(?: Mint)?|Ubuntu|Debian|Fedora|Arch(?: Linux)?|Android|iOS|iPhone|VS ?Code|Vim|Neovim|Emacs|IntelliJ|PyCharm|Cursor|Zed|GitHub|GitLab|Bitbucket|Postgres(?:QL)?|MySQL|MariaDB|SQLite|MongoDB|Redis|AWS|Azure|GCP|Google Cloud|` +
	`Docker|Podman|Kubernetes|React|Vue|Angular|Svelte|Django|Flask|Rails|Laravel|Python|Java|Kotlin|Rust|Go|Golang|TypeScript|JavaScript|Swift|WhatsApp|Signal|Telegram|Messenger|Mastodon|Bluesky|Twitter|Facebook|Instagram|TikTok|Reddit|LinkedIn|Figma|Sketch|Photoshop|Lightroom|` +
	`GIMP|Affinity|Blender|Excel|Google (?:Docs|Sheets|Drive|Photos|Calendar)|LibreOffice|Dropbox|OneDrive|Nextcloud|iCloud|Bitwarden|1Password|LastPass|KeePass|Anki|Duolingo|Strava|Garmin|Fitbit|Lightspeed|Logseq|Bear|Things|TickTick|Joplin|Kindle|Kobo|Netflix|Disney\+|PayPal|Revolut|Monzo|N26|Wise|ChatGPT|Claude|Gemini|Copilot|Ollama|QuickBooks|Xero|WordPress|Ghost|Substack|Steam|Xbox|PlayStation`

// kinds of what people use, of which they mostly use one: who has switched to one of a kind no longer uses the others.
var kinds = func() [][]string {
	var out [][]string
	for kind := range strings.SplitSeq(`PostgreSQL Postgres MySQL MariaDB SQLite MongoDB Oracle|Windows macOS Linux Ubuntu Debian Fedora Arch Mint|Android iPhone iOS 安卓 苹果 华为 小米|Chrome Firefox Safari Edge Brave Opera|
		vim Vim Neovim Emacs VSCode Cursor Zed|npm yarn pnpm bun|React Vue Angular Svelte|Django Flask FastAPI Rails Laravel|Spotify Tidal Deezer 网易云音乐 QQ音乐|WhatsApp Signal Telegram|Gmail Outlook Proton|
		Notion Obsidian Evernote OneNote|AWS Azure GCP|bash zsh fish|微信 钉钉 飞书|微信支付 支付宝`, "|") {
		out = append(out, strings.Fields(kind))
	}
	return out
}()

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
