package cli

import (
	"context"
	"fmt"
	"strings"

	"recollect/backend/api"
	"recollect/backend/doctor"
	"recollect/backend/instance"
	"recollect/backend/memory"
	"recollect/backend/selftest"
)

// words are the texts of the terminal in one language. Those with verbs are formats; a test holds both languages to the
// same verbs.
type words struct {
	noArgument string // command, argument
	noAgent    string // name
	noModel    string
	wentAway   string
	answerGone string
	leaves     string // address of the engine
	installing string
	you        string
	loading    string // seconds
	reading    string // tokens read, of how many
	waiting    string // messages
	noting     string
	changed    string // label, what changed
	recalled   string // taken, considered, tokens
	justMade   string
	serving    string // link
	already    string // link
	noWindow   string // link
	exposed    string
	backedUp   string // path, MB
	restored   string // path
	kept       string // path
	noBackups  string // folder
	putBack    string
	withDetail string // what an error is, its detail
	marks      map[doctor.Level]string
	checks     map[string]string // by id of the doctor's check
	outcomes   map[selftest.Outcome]string
	problems   map[memory.Code]string // empty: the message says it
	remedies   map[memory.Remedy]string
}

var english = words{
	noArgument: "%s takes no argument such as %q",
	noAgent:    "there is no agent %q",
	noModel:    "no chat model is installed",
	wentAway:   "the running instance went away; what came of the answer is kept",
	answerGone: "the answer is not in the conversation any more",
	leaves:     "Warning: the engine is at %s; what you write leaves this machine.\n",
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
	exposed:    "Warning: other machines can reach this address. Whoever has the link can read and change everything; the connection is not encrypted.\n",
	backedUp:   "Backup written and verified: %s (%.1f MB)\n",
	restored:   "Restored %s.\n",
	kept:       "The database as it was is kept: %s\n",
	noBackups:  "There are no backups in %s yet. `recollect backup` makes one.\n",
	putBack:    "\nPut one back with `recollect restore FILE`.\n",
	withDetail: "%s (%s)",
	marks:      map[doctor.Level]string{doctor.LevelOK: "ok   ", doctor.LevelWarn: "look ", doctor.LevelError: "wrong"},
	checks:     map[string]string{},
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
		memory.RemedyRestore:       "Next: `recollect restore` lists the backups and puts one back; the present file is kept beside it.",
		memory.RemedyChooseFolder:  "Next: give yourself the right to write there (chmod u+w), or name another folder with --home.",
		memory.RemedyFreeSpace:     "Next: free some space on the disk, then try again. Nothing was lost.",
	},
}

var chinese = words{
	noArgument: "%s 不接受参数，例如 %q",
	noAgent:    "没有名为 %q 的智能体",
	noModel:    "没有安装聊天模型",
	wentAway:   "正在运行的实例退出了；已收到的回答会保留",
	answerGone: "这条回答已不在对话中",
	leaves:     "注意：引擎在 %s，你写的内容会离开本机。\n",
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
	exposed:    "注意：其他机器可以访问这个地址。拿到链接的人能读取和修改一切，而且连接没有加密。\n",
	backedUp:   "备份已写入并校验：%s（%.1f MB）\n",
	restored:   "已恢复 %s。\n",
	kept:       "原来的数据库保留在：%s\n",
	noBackups:  "%s 里还没有备份。可用 `recollect backup` 创建。\n",
	putBack:    "\n用 `recollect restore 文件` 恢复其中一个。\n",
	withDetail: "%s（%s）",
	marks:      map[doctor.Level]string{doctor.LevelOK: "正常", doctor.LevelWarn: "留意", doctor.LevelError: "有误"},
	checks: map[string]string{
		"folder": "文件夹", "disk": "磁盘", "database": "数据库", "cpu": "处理器", "memory": "内存", "engine": "引擎",
		"chat_model": "聊天模型", "embedder": "嵌入模型",
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
		memory.RemedyRestore:       "下一步：`recollect restore` 会列出备份并恢复其中一个；现在的文件会留在旁边。",
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

// failure says what went wrong. The detail of an error is English.
func (w *words) failure(code memory.Code, err error) string {
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
