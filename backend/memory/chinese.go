package memory

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// chinese has the sentences of all errors in Chinese, by their English format, with the same verbs in the same order. What another
// program said stays as it said it.
var chinese = byEnglish(requests, [][2]string{
	// engine and models
	{"the engine is not running", "引擎没有运行"},
	{"the engine is not ready yet", "引擎还没有就绪"},
	{"the app is closing", "应用正在关闭"},
	{"no engine runs and none is installed", "没有引擎在运行，也没有安装引擎"},
	{"nothing answers at %s", "%s 没有响应"},
	{"nothing answers at %s, which OLLAMA_HOST names, no other engine runs and none is installed", "OLLAMA_HOST 指定的 %s 没有响应，没有别的引擎在运行，也没有安装引擎"},
	{"the engine at %s does not answer any more", "%s 的引擎不再响应"},
	{"the engine has ended; it is started again", "引擎退出了，正在重新启动"},
	{"the engine ended at once; its log says why", "引擎一启动就退出了，原因见它的日志"},
	{"the engine does not answer after %s", "引擎启动 %s 后仍没有响应"},
	{"the engine hangs: %v", "引擎没有反应：%v"},
	{"the engine broke off: %s", "引擎中断了：%s"},
	{"the engine is busy: %s", "引擎正忙：%s"},
	{"the engine refused the request: %s", "引擎拒绝了请求：%s"},
	{"the engine refuses requests from this address", "引擎拒绝来自这个地址的请求"},
	{"the engine ended in the middle of the answer; it is being started again", "回答到一半时引擎退出了，正在重新启动"},
	{"the engine ended in the middle of the answer", "回答到一半时引擎退出了"},
	{"the engine ended before it was done", "引擎还没做完就退出了"},
	{"the engine cannot be reached", "连不上引擎"},
	{"what the engine sent cannot be read", "引擎发来的内容无法读取"},
	{"the engine's model ended in the middle of its work", "引擎里的模型运行到一半就退出了"},
	{"the disk is full: %s", "磁盘已满：%s"},
	{"the disk is full: %w", "磁盘已满：%w"},
	{"the prompt does not fit into the model's window", "提示词放不进模型的窗口"},
	{"the model needs a newer Ollama: %s", "这个模型需要更新的 Ollama：%s"},
	{"%s needs Ollama %s or newer; the engine in use is %s", "%s 需要 Ollama %s 或更新的版本；正在使用的引擎是 %s"},
	{"the registry cannot be reached; is this machine online? %s", "连不上模型库，本机联网了吗？%s"},
	{"the registry does not have it: %s", "模型库里没有它：%s"},
	{"the file %s cannot be used: %w", "文件 %s 用不了：%w"},
	{"the engine does not have it: %s", "引擎里没有它：%s"},
	{"the model cannot do that: %s", "这个模型做不到：%s"},
	{"the engine cannot hold the model to that form: %s", "引擎无法让模型按这个格式回答：%s"},
	{"the model does not fit into memory: %s", "内存放不下这个模型：%s"},
	{"the model cannot be loaded: %s", "无法载入这个模型：%s"},
	{"the engine could not load the model, most often for want of memory: %s", "引擎无法载入这个模型，多半是内存不够：%s"},
	{"the model's tool call could not be read: %s", "无法读懂模型的工具调用：%s"},
	{"the model's tool call could not be read", "无法读懂模型的工具调用"},
	{"this model needs an account; Recollect uses local models only", "这个模型需要账户；Recollect 只使用本地模型"},
	{"the engine ended the answer without saying that it was done", "引擎没有说明已完成就结束了回答"},
	{"the model repeated itself, so the engine ended the answer", "模型一直重复，引擎结束了回答"},
	{"the engine sent a line of more than 8 MB", "引擎发来的一行超过 8 MB"},
	{"the model only thought and gave no answer", "模型只思考了，没有给出回答"},
	{"The model gave no answer in words, also when asked again. Answer again, or choose another model.", "模型再问一次也没有给出回答。请重新回答，或换一个模型。"},
	{"No chat model is installed. Pull one, or install the starter model.", "没有安装聊天模型。请下载一个，或安装入门模型。"},
	{"The model %s runs on other machines. Recollect uses only models that run on this one.", "模型 %s 在别的机器上运行。Recollect 只使用在本机运行的模型。"},
	{"no model is chosen", "没有选择模型"},
	{"model %q is not installed", "模型 %q 没有安装"},
	{"there is no model %q", "没有模型 %q"},
	{"%.80q is not the name of a model", "%.80q 不是模型的名称"},
	{"models are pulled from %s only, not from %s", "只从 %s 下载模型，不从 %s 下载"},
	{"%s runs on a server elsewhere; Recollect sends nothing away from this machine", "%s 在别处的服务器上运行；Recollect 不会把任何内容发出本机"},
	{"%s cannot chat", "%s 不能聊天"},
	{"%s makes no vectors", "%s 不能生成向量"},
	{"there is no file %s", "没有文件 %s"},
	{"the file cannot be read: %w", "无法读取文件：%w"},
	{"%s cannot be read: %w", "无法读取 %s：%w"},
	{"the file is no GGUF model", "这个文件不是 GGUF 模型"},
	{"this installation came without the starter models; pull a model instead", "这份安装不带入门模型；请下载一个模型"},
	{"the models need %d MB of the disk, and %d MB are free", "这些模型需要 %d MB 磁盘空间，现在只有 %d MB 空闲"},
	{"the engine is at work and may be using the model; stop the answer, or try again when it is done", "引擎正在工作，可能正在使用这个模型；请停止回答，或等它完成后重试"},
	// memory
	{"the change that this one goes on with has been undone, or is of something else", "这次改动所接续的那次改动已经撤销，或者不属于这里"},
	{"the conversation has gone on since", "这个对话后来又有了新的内容"},
	{"the answer is complete", "这个回答已经完整"},
	{"there is nothing to go on from; answer again instead", "没有可以接着写的内容；请重新回答"},
	{"the message does not wait any more; its answer can be stopped", "这条消息已不在等待；可以停止它的回答"},
	{"this is the only agent; make another one first", "这是唯一的智能体；请先新建一个"},
	{"the agent would have %d blocks; at most %d are possible", "智能体将有 %d 个记忆块；最多 %d 个"},
	{"the agent has a block %q already", "智能体已有名为 %q 的记忆块"},
	{"the archive holds this text already", "归档里已有这段文字"},
	{"the archive holds these texts again already", "归档里已重新有了这些文字"},
	{"it has been undone already", "已经撤销过了"},
	{"the conversation has only %d turns and takes %d %% of the usable window; there is no need for room", "这个会话只有 %d 轮，占可用窗口的 %d %%，不需要腾出空间"},
	{"the conversation takes %d %% of the usable window, which is below %d %%", "这个会话占可用窗口的 %d %%，低于 %d %%"},
	{"nothing can leave the window: the last turns stay, and so does what is pinned", "没有可以移出窗口的内容：最近几轮和已固定的内容会留下"},
	{"nothing has been said in this conversation that could leave its window", "这个会话里还没有可以移出窗口的内容"},
	{"nothing in core memory is unimportant enough to leave it", "核心记忆里没有次要到可以移出的内容"},
	{"room has been made again since; undo the later compactions first", "之后又腾出过空间；请先撤销后来的压缩"},
	{"that was made on another branch of the conversation; choose that branch first", "那是在会话的另一个分支上做的；请先切换到那个分支"},
	{"there is nothing that has not been summed up", "没有还未总结的内容"},
	{"a block that it was about is gone", "它涉及的一个记忆块已经不在了"},
	{"the model's judgement could not be used, so signals alone decided", "模型的评分无法使用，因此只按规则决定"},
	{"the model gave no sign of life, so signals alone decided", "模型没有反应，因此只按规则决定"},
	{"%d tokens would have to go, but all that is there is who you both are, pinned, read-only or shared; unpin or shorten something", "需要腾出 %d 个 token，但剩下的都是身份信息、已固定、只读或共享的内容；请取消固定或缩短一些内容"},
	{"the entry is in core memory", "这一条已在核心记忆里"},
	{"the compaction has not taken effect yet; wait until it has", "这次压缩还没有生效；请等它完成"},
	{"the compaction has taken effect", "这次压缩已经生效"},
	{"the compaction has been undone", "这次压缩已经撤销"},
	{"the compaction came to nothing", "这次压缩没有结果"},
	{"the compaction was only tried; adopt it first", "这次压缩只是试算；请先采用它"},
	{"the compaction looked at nothing that could be chosen in another way", "这次压缩没有可以另作选择的内容"},
	{"block %q has changed meanwhile", "记忆块 %q 同时被改动了"},
	{"%q has changed since; undo the later changes first", "%q 后来又改动过；请先撤销后来的改动"},
	{"the request is larger than %d bytes", "请求超过 %d 字节"},
	{"the app is about to quit", "应用即将退出"},
	{"the token is missing or wrong; open the link that the app printed", "缺少令牌或令牌有误；请打开应用打印的链接"},
	{"the link is not valid any more; open the one that the app printed last", "这个链接已失效；请打开应用最后打印的那个"},
	// the context window
	{
		"The system prompt takes %d tokens, tools %d and core memory %d: together %d, and a window of %d tokens has room for %d of them. Choose a larger window, shorten or compact core memory, or switch tools off.",
		"系统提示占 %d 个 token，工具占 %d 个，核心记忆占 %d 个，共 %d 个；而 %d 个 token 的窗口最多给它们留出 %d 个。请选择更大的窗口、缩短或压缩核心记忆，或关闭一些工具。",
	},
	{
		"The message takes %d tokens, and the window of %d tokens has room for %d. Shorten it, or store it in the archive as passages.",
		"这条消息占 %d 个 token，而 %d 个 token 的窗口只能容纳 %d 个。请缩短它，或把它作为段落存入归档。",
	},
	{
		"This turn with the results of its tools takes %d tokens, and the window of %d tokens has room for %d. Choose a larger window.",
		"这一轮连同工具的结果占 %d 个 token，而 %d 个 token 的窗口只能容纳 %d 个。请选择更大的窗口。",
	},
	// folders, backups, the window
	{"another instance of Recollect uses %s", "另一个 Recollect 正在使用 %s"},
	{"the running instance does not answer: %w", "正在运行的实例没有回应：%w"},
	{"the data folder %s cannot be written: %w", "数据文件夹 %s 无法写入：%w"},
	{"the folder cannot be written: %w", "文件夹无法写入：%w"},
	{"this user has no home folder; name one with --home", "这个用户没有主文件夹；请用 --home 指定一个"},
	{"the disk that holds %s is full: %w", "%s 所在的磁盘已满：%w"},
	{"the data folder %s cannot be read: %w", "数据文件夹 %s 无法读取：%w"},
	{"%s, which tells where the data is, cannot be read; put its path there again as {\"path\":\"…\",\"opened\":true}: %w", "无法读取说明数据位置的 %s；请重新写入路径，格式为 {\"path\":\"…\",\"opened\":true}：%w"},
	{"this binary has no window (it was built without the desktop tag); use `recollect serve` and open its link in a browser, or `recollect chat`", "这个程序没有窗口（构建时没有 desktop 标签）；请用 `recollect serve` 并在浏览器中打开它的链接，或用 `recollect chat`"},
	{"Recollect is running on %s; nothing was changed. Quit it first (close its window, or press Ctrl+C where `recollect serve` runs), then type this again", "Recollect 正在使用 %s，没有做任何改动。请先退出它（关闭窗口，或在运行 `recollect serve` 的地方按 Ctrl+C），再重新输入"},
	{"%s cannot be used as data folder: %w", "%s 不能用作数据文件夹：%w"},
	{"%s is not empty; choose a new folder or an empty one", "%s 不是空的；请选择新的或空的文件夹"},
	{"%s is the data folder or inside it; choose a folder outside of %s", "%s 就是数据文件夹或在它里面；请选择 %s 之外的文件夹"},
	{"%s cannot be used as a folder: %w", "%s 不能用作文件夹：%w"},
	{"%s is there already", "%s 已经存在"},
	{"%s is a folder; name a file in it", "%s 是文件夹；请指定其中的文件"},
	{"%s is no file", "%s 不是文件"},
	{"there is no set %q; there are %s, all for those that are there, and mine for questions of your own", "没有数据集 %q；有 %s，还有 all（所有现有的数据集）和 mine（你自己的问题）"},
	{"there is no folder %s", "没有文件夹 %s"},
	{"%s is in use, or was left by a crash; it is no backup", "%s 正被使用，或是崩溃后留下的；它不是备份"},
	{"there is no backup %q", "没有备份 %q"},
	{"--addr must be HOST:PORT, for example 127.0.0.1:8080: %w", "--addr 的格式是 主机:端口，例如 127.0.0.1:8080：%w"},
	{"%s can be reached from other machines; add --allow-remote if that is what you want, or use 127.0.0.1", "其他机器可以访问 %s；如果这正是你想要的，请加上 --allow-remote，否则请用 127.0.0.1"},
	{"%s cannot be listened on; port 0 takes a free one: %w", "无法监听 %s；端口 0 表示任选一个空闲的：%w"},
	{"there is no display here", "这里没有显示器"},
	{"no browser can be opened: %w", "无法打开浏览器：%w"},
	{"another dialog is open", "另一个对话框还开着"},
	{"%s cannot be written: %w", "%s 无法写入：%w"},
	{"this desktop shows no notifications: %w", "这个桌面不显示通知：%w"},
	{"room is made down to %.0f %% (%s), which has to be less than the %.0f %% from which on it is made (%s)", "腾出空间后的占比 %.0f %%（%s）必须小于开始腾空间时的占比 %.0f %%（%s）"},
	{"it does not exist", "它不存在"},
	{"the disk takes no more: a quota is used up, or it fails", "磁盘写不进去了：配额已用完，或磁盘出了故障"},
	{"the disk is full", "磁盘已满"},
	{"another program is using the database", "另一个程序正在使用数据库"},
	{"the database is damaged; it was left as it is, restore a backup", "数据库已损坏；它没有被改动，请恢复一份备份"},
	{"the data folder cannot be written", "数据文件夹无法写入"},
	{"the data was written by a newer version of Recollect (schema %d, this one knows %d); it was left as it is", "数据由较新版本的 Recollect 写入（格式 %d，这个版本只认识 %d）；没有改动它"},
	{"the starter models are not beside the program; `make models` fetches them, or pull another model", "程序旁边没有入门模型；`make models` 可以取来，或者下载别的模型"},
	{"an answer is being written, or a model is being fetched or imported; wait until that is done, or stop it", "正在写回答，或正在下载或导入模型；请等它完成，或停止它"},
	{"the data was moved to %s, which cannot be read now; connect the disk that it is on, or name another folder with --home", "数据已移到 %s，现在读不到；请接上它所在的磁盘，或用 --home 指定别的文件夹"},
	{"there is too little space at %s: %d MB are free, %d MB are needed", "%s 空间不够：空闲 %d MB，需要 %d MB"},
	{"there is no display here (DISPLAY and WAYLAND_DISPLAY are empty); use `recollect serve` and open its link in a browser, or `recollect chat` in this terminal", "这里没有显示器（DISPLAY 和 WAYLAND_DISPLAY 是空的）；请运行 `recollect serve` 并在浏览器里打开它的链接，或在这个终端里使用 `recollect chat`"},
	{"%s cannot be written; choose another folder", "%s 无法写入；请选择别的文件夹"},
	// documents
	{"the file holds no text", "文件里没有文字"},
	{"the file is protected by a password", "文件有密码保护"},
	{"the pages are pictures without text", "页面是没有文字的图片"},
	{"the file is no e-mail message", "这个文件不是电子邮件"},
	{"what reads PDFs did not start: %w", "读取 PDF 的部件没有启动：%w"},
	{"%s is no %s file", "%s 不是 %s 文件"},
	{"the file is damaged or cut off", "文件已损坏或不完整"},
	{"the JSON is damaged in line %d", "JSON 第 %d 行已损坏"},
	{"the JSON has no end", "JSON 没有结尾"},
	{"the document declares what no word processor writes", "文档里有文字处理软件不会写的声明"},
	{"a value of the file has no end", "文件里有一个值没有结尾"},
	{"the file has %d bytes; at most %d are read", "文件有 %d 字节；最多读 %d 字节"},
	{"the message has more than %d parts", "邮件超过 %d 个部分"},
	{"a page takes more than %d seconds", "有一页读了超过 %d 秒"},
	{"a part of the PDF is damaged, or takes more than %d MB to unfold", "PDF 的一部分已损坏，或展开后超过 %d MB"},
	{"the file has %d pages; at most %d are read", "文件有 %d 页；最多读 %d 页"},
	{"the file has more than %d bytes of text", "文件的文字超过 %d 字节"},
	{"page %d has more than %d bytes of text", "第 %d 页的文字超过 %d 字节"},
	{"RTF files are not read", "不能读取 RTF 文件"},
	{"%s is no document", "%s 不是文档"},
	{"e-books are not read; save it as PDF or HTML", "不能读取电子书；请另存为 PDF 或 HTML"},
	{"OpenDocument files are not read; save it as DOCX or PDF", "不能读取 OpenDocument 文件；请另存为 DOCX 或 PDF"},
	{"spreadsheets are not read; save the sheet as CSV", "不能读取电子表格；请把工作表另存为 CSV"},
	{"presentations are not read; save it as PDF", "不能读取演示文稿；请另存为 PDF"},
	{"%s is an archive of other files", "%s 是装着其他文件的压缩包"},
	{"this is an old Office file; save it as DOCX or PDF", "这是旧版 Office 文件；请另存为 DOCX 或 PDF"},
	{"%s holds binary data, not text", "%s 里是二进制数据，不是文字"},
	{"the values are nested in more than %d levels", "值的嵌套超过 %d 层"},
	{"a part of the document would become %d bytes large", "文档的一部分展开后有 %d 字节"},
	{"the document has more than %d bytes of text", "文档的文字超过 %d 字节"},
	{"its parts are nested in more than %d levels", "各部分的嵌套超过 %d 层"},
	{"a paragraph has more than %d bytes", "有一段超过 %d 字节"},
	{"a tag of the page has more than %d bytes", "网页有一个标签超过 %d 字节"},
	{"the tags are nested in more than %d levels", "标签的嵌套超过 %d 层"},
	{"a cell of a table has more than %d bytes", "表格有一格超过 %d 字节"},
	{"only the app's own window can do that", "只有应用自己的窗口能这样做"},
})

func byEnglish(lists ...[][2]string) map[string]string {
	m := map[string]string{}
	for _, p := range slices.Concat(lists...) {
		if _, twice := m[p[0]]; twice {
			panic("two translations of " + p[0])
		}
		m[p[0]] = p[1]
	}
	return m
}

var verb = regexp.MustCompile(`%[-+.0-9]*[a-z]`)

// quoted are the verbs that quote, which Chinese does with other marks.
var quoted = regexp.MustCompile(`%[-+.0-9]*q`)

// curl puts the quotes of Chinese in the place of those of %q.
func curl(s string) string {
	if inner, ok := strings.CutPrefix(s, `"`); ok {
		return "“" + strings.TrimSuffix(inner, `"`) + "”"
	}
	return s
}

// inChinese returns what a format says in Chinese, "" where that is not known.
func inChinese(format string, args []any) string {
	zh := chinese[format]
	if zh == "" {
		return ""
	}
	args = slices.Clone(args)
	for i, v := range verb.FindAllString(format, -1) {
		switch {
		case i >= len(args):
		case v == "%s":
			if noun := nouns[fmt.Sprint(args[i])]; noun != "" {
				args[i] = noun
			}
		case strings.HasSuffix(v, "q"):
			args[i] = curl(fmt.Sprintf(v, args[i]))
		}
	}
	zh = quoted.ReplaceAllString(zh, "%s")
	return fmt.Errorf(zh, args...).Error()
}
