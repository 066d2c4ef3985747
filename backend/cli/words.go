package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"recollect/backend/api"
	"recollect/backend/doctor"
	"recollect/backend/experiment"
	"recollect/backend/ingest/library"
	"recollect/backend/instance"
	"recollect/backend/memory"
	"recollect/backend/monitor"
	"recollect/backend/selftest"
	"recollect/backend/trouble"
)

// words are the texts of the terminal in one language. Those with verbs are formats; a test holds both languages to the
// same verbs.
type words struct {
	intro     string
	noName    string // of the command without one
	outro     string
	usage     string // the command line, what it does
	flagsHere string
	byDefault string // value
	commands  map[string]helpWords
	flags     map[string]string // by name; the value is named in backquotes
	noCommand string            // name
	noOutput  string            // why
	noFlag    string            // name
	noValue   string            // name of the flag
	badValue  string            // name of the flag, what was given
	oneFile   string            // command
	noFiles   string
	documents map[string]string // by what came of a file: its name, the title, passages
	passages  map[bool]string   // whether it is one: how many; turns and calls too
	turns     map[bool]string
	calls     map[bool]string

	noQuestion string
	noDataYet  string // folder

	oneSet     string
	noMeasure  string // text, those that there are
	noData     string
	setMissing string // name

	mine          string // questions, marked, repeated
	mineTooLittle string // questions, needed

	cost       string // tokens a month, dollars a month, dollars a conversation
	costNeeds  string // the flags that are missing
	costNumber string // flag, least, most, what was given
	costWhole  string // the same
	costRatio  string // what was given

	newChat         string
	checkupHead     string // title, model, turns, tokens, tokens that are usable, percent
	nearlyFull      string
	largest         string // part
	needsCompaction string // strategy, percent
	noCompaction    string // the same
	systemCost      string // tokens, tokens in a month, seconds
	parts           map[memory.PartName]string
	strategies      map[memory.Strategy]string
	ticks           map[monitor.TickName]string
	tickMarks       map[bool]string
	tickRemedies    map[monitor.TickRemedy]string

	oneExperiment   string
	otherExperiment string // flag, the experiment that has it
	experimenting   string // mode or strategy, turn, percent
	withoutModel    string
	forgetHead      string // model, tokens of the window
	forgetTurn      string
	forgetCell      string // whether it is there, digits, tokens
	forgetFoot      string
	there           string
	notThere        string
	compareHead     string // turns, tokens, model, tokens of the window, how recall finds
	recallBy        string // embedder
	recallByWords   string
	compareRow      string // strategy, tokens, saved, the reference's, kept, the reference's, with recall, delay, calls, dollars, faster
	compareUsed     string // strategy
	compareFoot     string // tokens read and written a second, tokens of the answer
	modes           map[experiment.Mode]string

	noArgument string // command, argument
	noAgent    string // name
	noModel    string
	wentAway   string
	answerGone string
	leaves     string // address of the engine
	unanswered string // what OLLAMA_HOST names, address of the engine
	installing string
	you        string
	loading    string // seconds
	reading    string // tokens read, of how many
	waiting    string // messages
	noting     string
	trying     string // task, its number, of how many, seconds that it may take
	changed    string // label, what changed
	recalled   string // taken, considered, tokens
	justMade   string
	serving    string // link
	already    string // link
	noWindow   string // link
	inBrowser  string // link
	exposed    string
	backedUp   string // path, MB
	restored   string // path
	kept       string // path
	noBackups  string // folder
	putBack    string
	withDetail string // what an error is, its detail
	trouble    trouble.Words
	marks      map[doctor.Level]string
	checks     map[string]string // by id of the doctor's check
	tasks      map[string]string // by name of the selftest's task
	summaries  map[string]string // of a revision, where no text tells
	outcomes   map[selftest.Outcome]string
	problems   map[memory.Code]string // empty: the message says it
	remedies   map[memory.Remedy]string
}

var english = words{
	intro:     "Recollect: an assistant on your own machine that remembers, and shows you how.\n\nUsage: recollect [COMMAND] [FLAGS]\n\n",
	noName:    "(none)",
	outro:     "\n`recollect COMMAND --help` tells more. Flags may stand behind the rest too; after -- nothing is a flag. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no engine or model, 4 data in use.\n",
	usage:     "\nUsage: %s\n\n%s\n\nFlags:\n",
	flagsHere: "[FLAGS]",
	byDefault: " (default: %s)",
	commands: map[string]helpWords{
		"": {short: "Open the window.", long: "Where Recollect runs already, its window comes to the front; where it runs without one, its page is opened in the browser."},
		"serve": {
			short: "Serve the page to a browser on this machine, without a window.",
			long:  "Prints the link, which carries a token, and runs until it is interrupted.",
		},
		"chat": {
			args: "[QUESTION]", short: "Talk in the terminal, or ask one question.",
			long: "Shows what the answer changed in memory and which memories it drew on. Without QUESTION it reads lines until the end of input; /new begins a conversation, /quit ends. What follows -- belongs to the question, hyphens and all. The exit code tells of the last answer.",
		},
		"add": {
			args: "FILE...", short: "Read documents into the archive: PDF, DOCX, HTML, Markdown, text, CSV, JSON, source code, e-mail.",
			long: "The same file again is recognised, a changed one takes the place of what was read before. What cannot be read says why and leaves nothing; the other files are read all the same. Exit code 1 where one failed.",
		},
		"doctor": {
			short: "Look at engine, models, CPU, database and folders; name a remedy for what is wrong.",
			long:  "Exit code 1 where something does not work.",
		},
		"selftest": {
			short: "Try each task that needs a model on a model of yours.",
			long:  "For each task it says: works, repaired (after help from the app), falls back (done by rule instead), or failed. A task that takes longer than three to six minutes is given up and counts as one that the model cannot do. Exit code 1 where one failed.",
		},
		"bench": {
			short: "Measure the numbers that the README quotes, on this machine.",
			long:  "Builds its own data in a temporary folder. Takes most of an hour on two cores; nothing else should run meanwhile. Exit code 0 whenever it ran.",
		},
		"checkup": {
			short: "Look at what the window of a chat is used for, and whether it needs compaction.",
			long:  "Tells the tokens of each part of the next request, the largest of them, and three things that keep it small.",
		},
		"cost": {
			short: "Work out what a habit of talking costs by the month.",
			long:  "Prices are in dollars for 1,000 tokens. A month has 30 days. Needs neither your data nor an engine.",
		},
		"experiment": {
			args: "NAME", short: "Show what memory is good for, in a folder that is thrown away.",
			long: "NAME is forget: a ten-digit number is told, then comes talk with other such numbers, and it is asked for after 1, 5, 20, 50, 100, 1,000 and the last of --turns, with less and more memory. Or strategies: what each way of making room in the window saves, costs and keeps over a chat. The talk is a script; a model is only asked the questions. docs/context.md says what the numbers mean.",
		},
		"eval": {
			args: "NAME", short: "Measure how well recall finds the right memory, on published sets.",
			long: "NAME is locomo, beam-updates, madial-zh, memdaily-zh, realtalk, prefeval, nested-kv, or all for those that are there; mine compares the installed embedding models on questions of your own, in a copy of your data. What is measured is what the app does in a turn. docs/evaluation.md says what the numbers mean.",
		},
		"backup": {
			args: "[FILE]", short: "Write a verified copy of the database.",
			long: "Without FILE it goes into the folder of backups. Works while Recollect runs.",
		},
		"restore": {
			args: "[FILE]", short: "Put a backup back.",
			long: "Without FILE it only lists the backups, and changes nothing. The backup is verified first, and the present database is kept beside it. Refuses while Recollect runs.",
		},
		"version": {short: "Print the version."},
	},
	flags: map[string]string{
		"home":                 "folder `DIR` of the app's own data (default: the system's place for it)",
		"json":                 "print JSON",
		"minimised":            "open it minimised, as at login; does nothing where Recollect runs already",
		"addr":                 "`HOST:PORT` to listen on; port 0 takes a free one",
		"allow-remote":         "let --addr be reachable from other machines; whoever has the link can read and change everything",
		"conversation":         "`ID` of a conversation to go on with (default: a new one)",
		"agent":                "`NAME` or id of the agent (default: the first)",
		"model":                "`NAME` of the chat model to use from now on",
		"selftest model":       "`NAME` of an installed chat model (default: the one in use)",
		"only":                 "run only the measures whose name contains `TEXT`",
		"quick":                "a tenth of the data, to see that the measures work",
		"data":                 "`FOLDER` of the set, or the one around it",
		"embedder":             "`NAME` of an installed embedding model; none = by keywords alone (default: none; for mine, all that are installed)",
		"noise":                "memdaily-zh: a MemoryBank `FILE` whose utterances are added to each store",
		"explain":              "show what was considered for the question with this `ID`",
		"limit":                "use only the first `N` stores of a set (default: all)",
		"checkup conversation": "`ID` of the conversation (default: the one used last)",
		"daily":                "`NUMBER` of conversations a day",
		"tokens":               "`NUMBER` of tokens of a conversation, read and written",
		"input-price":          "`DOLLARS` for 1,000 tokens that are read",
		"output-price":         "`DOLLARS` for 1,000 tokens that are written",
		"turns":                "`NUMBER` of turns of forget, up to 5,000",
		"chat":                 "JSON `FILE` with the chat for strategies: messages with role and content, questions with ask and answer (default: a built-in one)",
		"experiment embedder":  "`NAME` of an installed embedding model with which recall finds in strategies, as in the app; none = by words",
		"experiment model":     "`NAME` of an installed chat model that the questions are asked of; none = only look at what it would be sent",
		"ratio":                "`READ:WRITTEN`, the parts of these tokens",
		"vectors":              "`FOLDER` in which vectors are kept for the next evaluation",
	},
	noOutput:  "the output could not be written: %v",
	noCommand: "there is no command %q.",
	noFlag:    "there is no flag %s",
	noValue:   "%s needs a value",
	badValue:  "%s does not take %s",
	oneFile:   "%s takes one file at most",
	noFiles:   "add needs the name of a file",
	documents: map[string]string{
		library.StatusAdded:   "%[1]s: added as “%[2]s”, %[3]s\n",
		library.StatusUpdated: "%[1]s: read anew as “%[2]s”, %[3]s\n",
		library.StatusKnown:   "%[1]s: in the archive already, as “%[2]s”\n",
	},
	passages: map[bool]string{true: "%d passage", false: "%d passages"},
	turns:    map[bool]string{true: "%d turn", false: "%d turns"},
	calls:    map[bool]string{true: "%d model call", false: "%d model calls"},

	noQuestion: "the question is empty",
	noDataYet:  "there is no data in %s yet: begin a chat first, or name the folder with --home",

	oneSet:     "eval takes the name of one set, all, or mine",
	noMeasure:  "no measure has %q in its name; there are: %s",
	noData:     "--data must name the folder of the set",
	setMissing: "%s: not there\n",

	mine:          "%d questions of yours: for %d you wanted the memory used always, for %d the answer repeats what it says. Nothing leaves this machine.\n\n",
	mineTooLittle: "There are %d questions of yours whose right memory is known; from %d on, embedders can be compared. Say “use always” to memories under your answers, or go on asking about what you told.\n",

	cost:       "%s tokens a month\n$%.2f a month\n$%.4f a conversation\n",
	costNeeds:  "cost needs %s",
	costNumber: "%s must be a number from %s to %s, not %q",
	costWhole:  "%s must be a whole number from %s to %s, not %q",
	costRatio:  "--ratio must be two numbers such as 3:1, not both 0, and not %q",

	newChat:         "(a new conversation)",
	checkupHead:     "%s\n%s, %s: %s of %s usable tokens (%.1f %%)\n",
	nearlyFull:      "The window is nearly full.",
	largest:         "\nThe most goes to: %s\n",
	needsCompaction: "It needs compaction: %s, since more than %.0f %% of the usable window is taken.\n",
	noCompaction:    "It needs no compaction. A chat of this length would get: %s, from %.0f %% of the usable window on.\n",
	systemCost:      "%s tokens in every request; %s in the last 30 days; %.2f s to read once.",
	parts: map[memory.PartName]string{
		memory.PartSystem: "system prompt", memory.PartTools: "tools", memory.PartCore: "core memory", memory.PartSummary: "summary",
		memory.PartRecalled: "recalled", memory.PartMessages: "messages",
	},
	strategies: map[memory.Strategy]string{
		memory.StrategySliding: "a sliding window", memory.StrategyPriority: "by priority", memory.StrategySummary: "a summary",
	},
	ticks: map[monitor.TickName]string{
		monitor.TickResults: "Results of tools do not pile up.", monitor.TickSystem: "The system prompt is short.", monitor.TickMonitor: "What answers take is measured.",
	},
	tickMarks: map[bool]string{true: "[x]", false: "[ ]"},
	tickRemedies: map[monitor.TickRemedy]string{
		monitor.StubResults: "Compact the chat: a line then stands for each full result.", monitor.ShortenSetup: "Switch off tools that you do not use: every request pays for them.",
		monitor.CheckEngine: "The engine told no numbers: update it, or choose another model.",
	},

	oneExperiment:   "experiment takes forget or strategies",
	otherExperiment: "--%s is a flag of experiment %s only",
	experimenting:   "%s: turn %d (%d %%)",
	withoutModel:    "No model is asked",
	forgetHead:      "A ten-digit number is told in turn 1 and asked for later. %s, window of %s tokens.\n\n",
	forgetTurn:      "turn",
	forgetCell:      "%s %2d/10  %6s",
	forgetFoot:      "\nThere: the digits stand in the prompt. Then how many of them, and the tokens of the prompt.",
	there:           "there",
	notThere:        "gone ",
	compareHead:     "%d turns, %s tokens in all. %s, window of %s tokens. %s.\n\n",
	recallBy:        "Recall with the embedder %s",
	recallByWords:   "Recall by words",
	compareRow:      "%s: a prompt of %s tokens, %.1f %% saved (reference %.0f–%.0f %%)\n  kept %.1f %% (reference %.0f %%), with recall %.1f %%\n  %.0f ms before a message, %s, $%.4f; the answer comes %.1f %% sooner\n",
	compareUsed:     "  no model could sum up: done %s\n",
	compareFoot:     "\nAnswers are worked out at %.0f tokens read and %.0f written a second, %d tokens each, nothing being cached.\n",
	modes: map[experiment.Mode]string{
		experiment.ModeOff: "no memory", experiment.ModeWindow: "sliding window", experiment.ModeSummary: "summary", experiment.ModeAll: "everything on",
	},

	noArgument: "%s takes no argument such as %q",
	noAgent:    "there is no agent %q",
	noModel:    "no chat model is installed",
	wentAway:   "the running instance went away; what came of the answer is kept",
	answerGone: "the answer is not in the conversation any more",
	unanswered: "Warning: nothing answers at %s, which OLLAMA_HOST names; until it does, the engine at %s is used, with its own models.\n",
	leaves:     "Warning: the engine is at %s; what you write leaves this machine.\n",
	trying:     "trying: %s (%d of %d, at most %d s)",
	noting:     "Noting what you said; Ctrl+C leaves it out.\n",
	installing: "Installing the starter models, once. The chat model is a toy that knows only English; pull a better one when you can.\n",
	you:        "you",
	loading:    "loading the model, %d s",
	reading:    "read %d of %d tokens",
	waiting:    " (%d waiting)",
	changed:    "  [memory] %s: %s\n",
	recalled:   "  [recalled %d of %d, %d tokens]\n",
	justMade:   " (it did not exist yet and was made now)",
	serving:    "Recollect is at %s\nStop it with Ctrl+C.\n",
	already:    "Recollect runs already. Open %s\n",
	noWindow:   "Recollect runs without a window here. Open %s\n",
	inBrowser:  "Recollect runs already, without a window; its page is opening in the browser. If it does not, open %s\n",
	exposed:    "Warning: other machines can reach this address. Whoever has the link can read and change everything; the connection is not encrypted.\n",
	backedUp:   "Backup written and verified: %s (%.1f MB)\n",
	restored:   "Restored %s.\n",
	kept:       "The database as it was is kept: %s\n",
	noBackups:  "There are no backups in %s yet. `recollect backup` makes one.\n",
	putBack:    "\nPut one back with `recollect restore FILE`.\n",
	withDetail: "%s (%s)",
	trouble: trouble.Words{
		Title: "Recollect cannot open its data", Again: "Try again", Quit: "Quit",
		Backups: "Backups", NoBackups: "There are no backups.", Restore: "Put back", Confirm: "Press again to put it back",
		Damage:   "The database is damaged. It was left as it is. A backup can be put in its place; what was written after it was made is missing then.",
		Restored: "The backup is back", Kept: "The damaged database is kept:", Start: "Start Recollect",
	},
	marks:  map[doctor.Level]string{doctor.LevelOK: "ok   ", doctor.LevelWarn: "look ", doctor.LevelError: "wrong"},
	checks: map[string]string{},
	tasks:  map[string]string{},
	summaries: map[string]string{
		memory.SummaryAttached: memory.SummaryAttached, memory.SummarySettings: memory.SummarySettings, memory.SummaryMoved: memory.SummaryMoved,
	},
	outcomes: map[selftest.Outcome]string{
		selftest.Works: "works", selftest.Repaired: "repaired", selftest.FallsBack: "falls back", selftest.Failed: "FAILED",
	},
	remedies: map[memory.Remedy]string{
		memory.RemedyStartEngine:   "Next: install Ollama or run `make engine`, then try again. `recollect doctor` tells what is missing.",
		memory.RemedyInstallEngine: "Next: install Ollama or run `make engine`, then try again. `recollect doctor` tells what is missing.",
		memory.RemedyPullModel:     "Next: pull or import a model in the window, or name an installed one with --model.",
		memory.RemedyChooseModel:   "Next: pull or import a model in the window, or name an installed one with --model.",
		memory.RemedyUpdateEngine:  "Next: install a newer Ollama and start it, or choose another model; Recollect uses an Ollama that runs before its own.",
		memory.RemedyCheckAddress:  "Next: check OLLAMA_HOST and the engine's address in the settings; without either, Recollect looks for an engine itself.",
		memory.RemedySmallerModel:  "Next: choose a smaller model; `recollect doctor` tells what fits this machine.",
		memory.RemedyUpdateApp:     "Next: start the newest version of Recollect that you have. The data was not touched.",
		memory.RemedyRestore:       "Next: `recollect restore` lists the backups, `recollect restore FILE` puts one back; the present file is kept beside it.",
		memory.RemedyChooseFolder:  "Next: give yourself the right to write there (chmod u+w), or name another folder with --home.",
		memory.RemedyFreeSpace:     "Next: free some space on the disk, then try again. Nothing was lost.",
	},
}

var chinese = words{
	intro:     "Recollect：在你自己的机器上运行、会记住事情、并让你看得见记忆的助手。\n\n用法：recollect [命令] [选项]\n\n",
	noName:    "（无）",
	outro:     "\n`recollect 命令 --help` 有更详细的说明。选项也可以写在其余部分之后；-- 之后的都不当作选项。退出码：0 完成，1 失败，2 用法有误，3 没有引擎或模型，4 数据正被使用。\n",
	usage:     "\n用法：%s\n\n%s\n\n选项：\n",
	flagsHere: "[选项]",
	byDefault: "（默认：%s）",
	commands: map[string]helpWords{
		"": {short: "打开窗口。", long: "如果 Recollect 已在运行，就把它的窗口带到最前；如果它没有窗口，就在浏览器中打开它的页面。"},
		"serve": {
			short: "不开窗口，在本机为浏览器提供页面。",
			long:  "打印带有令牌的链接，一直运行到被中断。",
		},
		"chat": {
			args: "[问题]", short: "在终端里聊天，或只问一个问题。",
			long: "会显示回答改动了哪些记忆、用到了哪些记忆。不给出问题时逐行读取输入，直到输入结束；/new 开始新对话，/quit 退出。-- 之后的内容都属于问题，连字符开头的也是。退出码说明最后一个回答的结果。",
		},
		"add": {
			args: "文件...", short: "把文档读入归档：PDF、DOCX、HTML、Markdown、文本、CSV、JSON、源代码、电子邮件。",
			long: "同一个文件会被认出来，改动过的文件会替换之前读入的内容。无法读取的文件会说明原因，不留下任何内容，其余文件照常读取。有失败时退出码为 1。",
		},
		"doctor": {
			short: "检查引擎、模型、处理器、数据库和文件夹，并为每个问题给出解决办法。",
			long:  "有不能用的东西时退出码为 1。",
		},
		"selftest": {
			short: "用你的模型逐一尝试需要模型的任务。",
			long:  "每项任务会给出结果：可用、修正后可用（由应用帮了忙）、改用规则（由规则代替模型完成）或失败。超过三到六分钟的任务会中止，算作模型做不到。有失败时退出码为 1。",
		},
		"bench": {
			short: "在本机测量 README 中的各项数字。",
			long:  "会在临时文件夹里生成自己的数据。在两核机器上需要大半个小时，期间不要运行别的程序。只要跑完，退出码就是 0。",
		},
		"checkup": {
			short: "看看一个对话的窗口用在了哪里，是否需要压缩。",
			long:  "给出下一次请求各部分的 token 数、其中最大的部分，以及让它保持精简的三件事。",
		},
		"cost": {
			short: "算一算这样使用每个月要花多少钱。",
			long:  "价格按每 1,000 个 token 的美元计，每月按 30 天算。既不需要你的数据，也不需要引擎。",
		},
		"experiment": {
			args: "名称", short: "用数字看看记忆有什么用，全程在一个用完就删的文件夹里。",
			long: "名称可以是 forget：先告诉一个十位数，再聊别的（其中也有这样的数），在第 1、5、20、50、100、1,000 轮以及 --turns 的最后一轮之后，用从少到多的记忆来问它。也可以是 strategies：比较各种腾出窗口的办法在一段对话上省多少、花多少、留住多少。对话是写好的脚本，模型只回答问题。各项数字的含义见 docs/context.md。",
		},
		"eval": {
			args: "名称", short: "用公开的数据集测量能否找到正确的记忆。",
			long: "名称可以是 locomo、beam-updates、madial-zh、memdaily-zh、realtalk、prefeval、nested-kv，或者 all（所有现有的数据集）；mine 用你自己的问题比较已安装的嵌入模型，只在数据的副本上进行。测的就是应用每一轮对话所做的事。各项数字的含义见 docs/evaluation.md。",
		},
		"backup": {
			args: "[文件]", short: "写出一份经过校验的数据库副本。",
			long: "不给出文件时放进备份文件夹。Recollect 运行时也可以用。",
		},
		"restore": {
			args: "[文件]", short: "恢复一个备份。",
			long: "不给出文件时只列出已有的备份，不做任何改动。会先校验备份，现在的数据库会留在旁边。Recollect 运行时不会执行。",
		},
		"version": {short: "打印版本。"},
	},
	flags: map[string]string{
		"home":                 "应用数据所在的`文件夹`（默认：系统规定的位置）",
		"json":                 "输出 JSON",
		"minimised":            "像登录时那样最小化打开；Recollect 已在运行时什么也不做",
		"addr":                 "监听的`主机:端口`；端口 0 表示任选一个空闲的",
		"allow-remote":         "允许其他机器访问 --addr；拿到链接的人能读取和修改一切",
		"conversation":         "要继续的对话的`编号`（默认：新对话）",
		"agent":                "智能体的`名称`或编号（默认：第一个）",
		"model":                "从现在起使用的聊天模型的`名称`",
		"selftest model":       "已安装的聊天模型的`名称`（默认：正在使用的）",
		"only":                 "只运行名称中含有该`文字`的项目",
		"quick":                "只用十分之一的数据，看看能否跑通",
		"data":                 "数据集的 `文件夹`，或包含它的文件夹",
		"embedder":             "已安装的嵌入模型的`名称`；none 表示只用关键词（默认：none；mine 则为所有已安装的模型）",
		"noise":                "memdaily-zh：把这个 MemoryBank `文件` 里的对话加进每个库",
		"explain":              "显示这个 `编号` 的问题考虑过哪些记忆",
		"limit":                "只用数据集的前 `N` 个库（默认：全部）",
		"checkup conversation": "对话的`编号`（默认：最近用过的那个）",
		"daily":                "每天对话的`次数`",
		"tokens":               "一次对话读写的 token `数`",
		"input-price":          "读入 1,000 个 token 的`美元`价格",
		"output-price":         "写出 1,000 个 token 的`美元`价格",
		"turns":                "forget 的`轮数`，最多 5,000",
		"chat":                 "strategies 用的对话，JSON `文件`：messages 里有 role 和 content，questions 里有 ask 和 answer（默认：内置的一段）",
		"experiment embedder":  "strategies 里召回所用的嵌入模型`名称`（须已安装），与应用中一样；none = 只按词语",
		"experiment model":     "回答问题的聊天模型`名称`（须已安装）；none = 只看会发给它什么",
		"ratio":                "读入与写出的`比例`",
		"vectors":              "保存向量供下次使用的 `文件夹`",
	},
	noOutput:  "无法写出结果：%v",
	noCommand: "没有 %q 这个命令。",
	noFlag:    "没有 %s 这个选项",
	noValue:   "%s 需要一个值",
	badValue:  "%s 不接受 %s",
	oneFile:   "%s 最多接受一个文件",
	noFiles:   "add 需要文件名",
	documents: map[string]string{
		library.StatusAdded:   "%[1]s：已加入归档，题为《%[2]s》，共 %[3]s\n",
		library.StatusUpdated: "%[1]s：已重新读取，题为《%[2]s》，共 %[3]s\n",
		library.StatusKnown:   "%[1]s：归档中已有，题为《%[2]s》\n",
	},
	passages: map[bool]string{true: "%d 段", false: "%d 段"},
	turns:    map[bool]string{true: "%d 轮", false: "%d 轮"},
	calls:    map[bool]string{true: "模型调用 %d 次", false: "模型调用 %d 次"},

	noQuestion: "问题是空的",
	noDataYet:  "%s 里还没有数据：请先开始一个对话，或用 --home 指明文件夹",

	oneSet:     "eval 需要一个数据集的名称，或 all、mine",
	noMeasure:  "没有名称中含有 %q 的项目；有：%s",
	noData:     "--data 要指明数据集所在的文件夹",
	setMissing: "%s：没有找到\n",

	mine:          "你自己的 %d 个问题：其中 %d 个你要求总是使用那条记忆，%d 个的回答复述了那条记忆。一切都留在本机。\n\n",
	mineTooLittle: "目前只有 %d 个问题知道哪条记忆是对的；有 %d 个以后才能比较嵌入模型。可以在回答下方把有用的记忆设为“总是使用”，或者继续问你说过的事。\n",

	cost:       "每月 %s 个 token\n每月 $%.2f\n每次对话 $%.4f\n",
	costNeeds:  "cost 需要 %s",
	costNumber: "%s 应当是 %s 到 %s 之间的数，而不是 %q",
	costWhole:  "%s 应当是 %s 到 %s 之间的整数，而不是 %q",
	costRatio:  "--ratio 应当是两个数，例如 3:1，不能都为 0，也不能是 %q",

	newChat:         "（新对话）",
	checkupHead:     "%s\n%s，%s：已占 %s / %s 个可用 token（%.1f %%）\n",
	nearlyFull:      "窗口快满了。",
	largest:         "\n占用最多的是：%s\n",
	needsCompaction: "需要压缩：%s，因为已占可用窗口的 %.0f %% 以上。\n",
	noCompaction:    "不需要压缩。这样长度的对话会用：%s，从占满可用窗口的 %.0f %% 起。\n",
	systemCost:      "每次请求 %s 个 token；最近 30 天共 %s 个；读一遍需要 %.2f 秒。",
	parts: map[memory.PartName]string{
		memory.PartSystem: "系统提示", memory.PartTools: "工具", memory.PartCore: "核心记忆", memory.PartSummary: "摘要",
		memory.PartRecalled: "想起的内容", memory.PartMessages: "消息",
	},
	strategies: map[memory.Strategy]string{
		memory.StrategySliding: "滑动窗口", memory.StrategyPriority: "按优先级", memory.StrategySummary: "摘要",
	},
	ticks: map[monitor.TickName]string{
		monitor.TickResults: "工具的结果没有堆积。", monitor.TickSystem: "系统提示够短。", monitor.TickMonitor: "回答的用量有测量。",
	},
	tickMarks: map[bool]string{true: "[x]", false: "[ ]"},
	tickRemedies: map[monitor.TickRemedy]string{
		monitor.StubResults: "压缩这个对话：每个完整结果会换成一行说明。", monitor.ShortenSetup: "关掉用不到的工具：每次请求都要带上它们。",
		monitor.CheckEngine: "引擎没有给出数字：请更新引擎，或换一个模型。",
	},

	oneExperiment:   "experiment 后面要写 forget 或 strategies",
	otherExperiment: "--%s 只用于 experiment %s",
	experimenting:   "%s：第 %d 轮（%d %%）",
	withoutModel:    "不用模型",
	forgetHead:      "第 1 轮告诉一个十位数，之后再问。%s，窗口 %s 个 token。\n\n",
	forgetTurn:      "轮次",
	forgetCell:      "%s %2d/10  %6s",
	forgetFoot:      "\n“还在”：这些数字就在提示里。随后是还有几位，以及提示的 token 数。",
	there:           "还在",
	notThere:        "没了",
	compareHead:     "%d 轮，共 %s 个 token。%s，窗口 %s 个 token。%s。\n\n",
	recallBy:        "用嵌入模型 %s 召回",
	recallByWords:   "按字词召回",
	compareRow:      "%s：提示 %s 个 token，省下 %.1f %%（参考值 %.0f–%.0f %%）\n  保留 %.1f %%（参考值 %.0f %%），加上召回 %.1f %%\n  消息发出前 %.0f 毫秒，%s，$%.4f；回答快 %.1f %%\n",
	compareUsed:     "  没有模型能做摘要，改用：%s\n",
	compareFoot:     "\n回答时间按每秒读 %.0f 个、写 %.0f 个 token、每次 %d 个 token 计算，没有缓存。\n",
	modes: map[experiment.Mode]string{
		experiment.ModeOff: "没有记忆", experiment.ModeWindow: "滑动窗口", experiment.ModeSummary: "摘要", experiment.ModeAll: "全部打开",
	},

	noArgument: "%s 不接受参数，例如 %q",
	noAgent:    "没有名为 %q 的智能体",
	noModel:    "没有安装聊天模型",
	wentAway:   "正在运行的实例退出了；已收到的回答会保留",
	answerGone: "这条回答已不在对话中",
	unanswered: "注意：OLLAMA_HOST 指定的 %s 没有响应；在它响应之前，用 %s 的引擎和它自己的模型。\n",
	leaves:     "注意：引擎在 %s，你写的内容会离开本机。\n",
	trying:     "正在试：%s（第 %d 项，共 %d 项，最多 %d 秒）",
	noting:     "正在记下你说的内容；按 Ctrl+C 可跳过。\n",
	installing: "正在安装入门模型，仅此一次。其中的聊天模型只会英文，只供试用；请尽早下载更好的模型。\n",
	you:        "你",
	loading:    "正在载入模型，%d 秒",
	reading:    "已读 %d / %d token",
	waiting:    "（%d 条在等待）",
	changed:    "  [记忆] %s：%s\n",
	recalled:   "  [召回 %d / %d，%d token]\n",
	justMade:   "（原先不存在，刚刚创建）",
	serving:    "Recollect 的地址：%s\n按 Ctrl+C 停止。\n",
	already:    "Recollect 已在运行。请打开 %s\n",
	noWindow:   "Recollect 正在运行，但没有窗口。请打开 %s\n",
	inBrowser:  "Recollect 已在运行，但没有窗口，正在浏览器中打开它的页面。如果没有打开，请访问 %s\n",
	exposed:    "注意：其他机器可以访问这个地址。拿到链接的人能读取和修改一切，而且连接没有加密。\n",
	backedUp:   "备份已写入并校验：%s（%.1f MB）\n",
	restored:   "已恢复 %s。\n",
	kept:       "原来的数据库保留在：%s\n",
	noBackups:  "%s 里还没有备份。可用 `recollect backup` 创建。\n",
	putBack:    "\n用 `recollect restore 文件` 恢复其中一个。\n",
	withDetail: "%s（%s）",
	trouble: trouble.Words{
		Title: "Recollect 无法打开数据", Again: "再试一次", Quit: "退出",
		Backups: "备份", NoBackups: "没有备份。", Restore: "恢复", Confirm: "再按一次确认恢复",
		Damage:   "数据库已损坏，没有做任何改动。可以用一个备份代替它，但备份之后写下的内容就没有了。",
		Restored: "备份已恢复", Kept: "损坏的数据库保留在：", Start: "启动 Recollect",
	},
	marks: map[doctor.Level]string{doctor.LevelOK: "正常", doctor.LevelWarn: "留意", doctor.LevelError: "有误"},
	checks: map[string]string{
		"folder": "文件夹", "disk": "磁盘", "database": "数据库", "cpu": "处理器", "memory": "内存", "engine": "引擎",
		"chat_model": "聊天模型", "embedder": "嵌入模型",
	},
	tasks: map[string]string{
		"answer": "回答", "chinese": "中文", "remember": "记住", selftest.TaskNote: "笔记", "recall": "召回", "summary": "摘要", "judge": "评分", "json": "JSON", "embedding": "嵌入",
	},
	summaries: map[string]string{
		memory.SummaryAttached: "改变了挂载", memory.SummarySettings: "设置已更改", memory.SummaryMoved: "调整了行的顺序",
	},
	outcomes: map[selftest.Outcome]string{
		selftest.Works: "可用", selftest.Repaired: "修正后可用", selftest.FallsBack: "改用规则", selftest.Failed: "失败",
	},
	problems: map[memory.Code]string{
		memory.EINVALID: "输入有误", memory.ENOTFOUND: "找不到", memory.ECONFLICT: "有冲突", memory.ELIMIT: "超出限制",
		memory.EREADONLY: "无法写入", memory.EOVERFLOW: "窗口放不下", memory.EENGINE: "引擎没有响应", memory.EMODEL: "模型无法使用",
		memory.EBUSY: "正忙", memory.EINCOMPLETE: "引擎没有说明已完成就结束了回答", memory.EMALFORMED: "模型的工具调用无法使用",
		memory.EUNSUPPORTED: "不支持", memory.EDISKFULL: "磁盘已满", memory.ENEWER: "数据由较新的版本写入", memory.ECORRUPT: "数据已损坏",
		memory.EFORBIDDEN: "没有权限", memory.ECANCELLED: "已停止", memory.EINTERNAL: "应用出错",
	},
	remedies: map[memory.Remedy]string{
		memory.RemedyStartEngine:   "下一步：安装 Ollama 或运行 `make engine`，然后重试。`recollect doctor` 会说明缺什么。",
		memory.RemedyInstallEngine: "下一步：安装 Ollama 或运行 `make engine`，然后重试。`recollect doctor` 会说明缺什么。",
		memory.RemedyPullModel:     "下一步：在窗口中下载或导入模型，或用 --model 指定已安装的模型。",
		memory.RemedyChooseModel:   "下一步：在窗口中下载或导入模型，或用 --model 指定已安装的模型。",
		memory.RemedyUpdateEngine:  "下一步：安装较新的 Ollama 并启动它，或换一个模型；Recollect 会优先使用正在运行的 Ollama。",
		memory.RemedyCheckAddress:  "下一步：检查 OLLAMA_HOST 和设置中的引擎地址；两者都没有时，Recollect 会自己寻找引擎。",
		memory.RemedySmallerModel:  "下一步：换一个小一些的模型；`recollect doctor` 会说明本机能用多大的。",
		memory.RemedyUpdateApp:     "下一步：启动你手头最新版本的 Recollect。数据没有被改动。",
		memory.RemedyRestore:       "下一步：`recollect restore` 会列出备份，`recollect restore 文件` 会恢复其中一个；现在的文件会留在旁边。",
		memory.RemedyChooseFolder:  "下一步：为自己加上该处的写权限（chmod u+w），或用 --home 指定别的文件夹。",
		memory.RemedyFreeSpace:     "下一步：在磁盘上腾出一些空间，然后重试。没有丢失任何内容。",
	},
}

// wordsOf returns the texts in a language: Chinese for "zh", else English.
func wordsOf(language string) *words {
	if language == "zh" {
		return &chinese
	}
	return &english
}

// language is the code of the words' language.
func (w *words) language() string {
	if w == &chinese {
		return "zh"
	}
	return "en"
}

// failure says what went wrong. Where an error has no sentence in Chinese its code has one, and its detail is English.
func (w *words) failure(code memory.Code, err error) string {
	var known *memory.Error
	if w == &chinese && errors.As(err, &known) && known.Chinese != "" {
		return known.Chinese
	}
	what := w.problems[code]
	if _, usage := err.(usageError); what == "" || usage { //nolint:errorlint // our own, never wrapped
		return err.Error()
	}
	return fmt.Sprintf(w.withDetail, what, err)
}

// check names a check of the doctor's.
func (w *words) check(id string) string {
	if name := w.checks[id]; name != "" {
		return name
	}
	return id
}

// systemLanguage is the language that the environment names, "" when it names none.
func systemLanguage(getenv func(string) string) string {
	for _, key := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(key); v != "" {
			if strings.HasPrefix(v, "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return ""
}

// speakAs lets this invocation speak the language that the user chose in the settings, where they chose one.
func (in *invocation) speakAs(ctx context.Context, client *instance.Client) {
	var s api.Settings
	if client.Do(ctx, "GET", "/api/settings", nil, &s) == nil && s.Language != "" {
		in.words = wordsOf(s.Language)
	}
}
