// Package doctor looks at what Recollect needs (folders, disk, database, CPU, memory, engine, models) and names a remedy
// for each thing that is not as it should be.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"

	"recollect/backend/engine"
	"recollect/backend/machine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Level says how much a finding matters.
type Level string

// The levels.
const (
	LevelOK    Level = "ok"
	LevelWarn  Level = "warn"  // works, but worse than it could
	LevelError Level = "error" // something the user wants does not work
)

// Check is one finding. Detail and Remedy are sentences in the language of the patient; errors of others are English.
type Check struct {
	ID     string `json:"id"` // folder, disk, database, cpu, memory, engine, chat_model, embedder
	Level  Level  `json:"level"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// Patient is what is looked at. Database or Engine is nil where it could not be opened; the error says why.
type Patient struct {
	Home             string
	Database         Database
	DatabaseErr      error
	Engine           Engine
	Model            string // chat model in use, "" = none chosen
	Embedder         string
	ArchiveEmbedders []string // those that archives name
	Language         string   // of the findings: "zh", else English
}

// speaker says the findings in a language.
type speaker struct{ chinese bool }

// say formats the text of the language; both have the same verbs in the same order.
func (s speaker) say(en, zh string, args ...any) string {
	if s.chinese {
		en = zh
	}
	return fmt.Sprintf(en, args...)
}

// problem says what an error says, without what was being done.
func (s speaker) problem(err error) string {
	p := memory.ProblemOf(err)
	return s.of(p.Message, p.Chinese)
}

// of returns the Chinese where it is wanted and known, else the English.
func (s speaker) of(en, zh string) string {
	if s.chinese && zh != "" {
		return zh
	}
	return en
}

// Database is what the doctor asks of the store.
type Database interface {
	QuickCheck(ctx context.Context) error
	Stats(ctx context.Context) (store.Stats, error)
}

// Engine is what the doctor asks of the engine.
type Engine interface {
	Status() engine.Status
	Models(ctx context.Context) ([]engine.Model, error)
}

// minFreeBytes is the free space under which a warning is given: room for a backup of a grown database and a small model.
const minFreeBytes = 2 << 30

// Examine looks at everything and returns one Check for each thing, in a fixed order. It never fails.
func Examine(ctx context.Context, p Patient) []Check {
	s := speaker{p.Language == "zh"}
	checks := []Check{s.folder(p.Home, p.DatabaseErr), s.disk(p.Home), s.database(ctx, p), s.processor(), s.ram()}
	if p.Engine == nil {
		return append(checks, s.unseen([]string{"engine", "chat_model", "embedder"}, s.say("Mend what is above first, then look again.", "请先解决上面的问题，再检查一次。"))...)
	}
	return append(checks, s.engines(ctx, p)...)
}

// unseen returns a check for each thing that could not be looked at.
func (s speaker) unseen(ids []string, remedy string) []Check {
	var checks []Check
	for _, id := range ids {
		checks = append(checks, Check{ID: id, Level: LevelWarn, Detail: s.say("Not looked at.", "未检查。"), Remedy: remedy})
	}
	return checks
}

func (s speaker) folder(home string, opening error) Check {
	c := Check{ID: "folder", Level: LevelOK, Detail: home}
	if absent(home) {
		c.Detail = s.say("%s does not exist yet; the first start makes it.", "%s 还不存在，首次启动时会创建。", home)
		if opening != nil {
			c.Level, c.Detail = LevelError, s.say("%s does not exist and cannot be made.", "%s 不存在，也无法创建。", home)
			c.Remedy = s.say("Give yourself the right to write into the folder above it (chmod u+w), or name another folder with --home.", "请为自己加上上级文件夹的写权限（chmod u+w），或用 --home 指定别的文件夹。")
		}
		return c
	}
	if info, err := os.Stat(home); err == nil && !info.IsDir() {
		c.Level, c.Detail = LevelError, s.say("%s is a file, not a folder.", "%s 是文件，不是文件夹。", home)
		c.Remedy = s.say("Name another place with --home.", "请用 --home 指定别的位置。")
		return c
	}
	f, err := os.CreateTemp(home, ".doctor-*")
	if err != nil {
		c.Level, c.Detail = LevelError, s.say("%s cannot be written: %v", "%s 无法写入：%v", home, err)
		c.Remedy = s.say("Give yourself the right to write there (chmod u+w), or name another folder with --home.", "请为自己加上该处的写权限（chmod u+w），或用 --home 指定别的文件夹。")
		return c
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	info, err := os.Stat(home)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		c.Level, c.Detail = LevelWarn, s.say("%s can be read by other users of this machine.", "本机的其他用户可以读取 %s。", home)
		c.Remedy = fmt.Sprintf("chmod 700 %q", home)
	}
	return c
}

// absent reports whether there is nothing of that name, in a folder that can be looked into.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func (s speaker) disk(home string) Check {
	for absent(home) && filepath.Dir(home) != home {
		home = filepath.Dir(home) // where it will be made
	}
	free, err := machine.FreeDisk(home)
	if err != nil {
		return Check{
			ID: "disk", Level: LevelWarn, Detail: s.say("The free space is unknown: %v", "无法得知剩余空间：%v", err),
			Remedy: s.say("See to it yourself that there are 2 GB free: backups and models need room.", "请自行确认至少有 2 GB 空闲：备份和模型都需要空间。"),
		}
	}
	c := Check{ID: "disk", Level: LevelOK, Detail: s.say("%s free", "剩余 %s", gigabytes(free))}
	if free < minFreeBytes {
		c.Level, c.Remedy = LevelWarn, s.say("Free some space: backups and models need room.", "请腾出一些空间：备份和模型都需要。")
	}
	return c
}

func (s speaker) database(ctx context.Context, p Patient) Check {
	c := Check{ID: "database", Level: LevelOK}
	switch {
	case p.DatabaseErr != nil:
		c.Level, c.Detail = LevelError, s.problem(p.DatabaseErr)
		c.Remedy = s.databaseRemedy(p.DatabaseErr)
		return c
	case p.Database == nil:
		c.Detail = s.say("Not made yet: %s", "尚未创建：%s", filepath.Join(p.Home, "recollect.db"))
		return c
	}
	if err := p.Database.QuickCheck(ctx); err != nil {
		c.Level, c.Detail, c.Remedy = LevelError, s.problem(err), s.databaseRemedy(err)
		return c
	}
	stats, err := p.Database.Stats(ctx)
	if err != nil {
		c.Level, c.Detail, c.Remedy = LevelError, s.problem(err), s.databaseRemedy(err)
		return c
	}
	c.Detail = s.say("Sound. Schema %d, %s, %d messages, %d passages, %d blocks.", "完好。结构版本 %d，%s，%d 条消息，%d 条归档，%d 个记忆块。",
		stats.Schema, gigabytes(stats.Bytes), stats.Messages, stats.Passages, stats.Blocks)
	return c
}

func (s speaker) databaseRemedy(err error) string {
	switch memory.CodeOf(err) {
	case memory.ENEWER:
		return s.say("Install the newer Recollect that wrote it, or restore a backup of this version's.", "请安装写入它的较新版本的 Recollect，或恢复本版本的备份。")
	case memory.ECORRUPT:
		return "recollect restore"
	case memory.EREADONLY:
		return s.say("Give yourself the right to write there (chmod u+w), or name another folder with --home.", "请为自己加上该处的写权限（chmod u+w），或用 --home 指定别的文件夹。")
	case memory.EDISKFULL:
		return s.say("Free some space on the disk.", "请在磁盘上腾出一些空间。")
	default:
		return s.say("See the error; `recollect restore` lists the backups, `recollect restore FILE` puts one back and keeps the present file beside it.", "请看错误内容；`recollect restore` 会列出备份，`recollect restore 文件` 会恢复其中一个，并把现在的文件留在旁边。")
	}
}

func (s speaker) processor() Check {
	c := Check{ID: "cpu", Level: LevelOK, Detail: s.say("%d cores", "%d 核", runtime.NumCPU())}
	if runtime.GOARCH != "amd64" {
		return c
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		c.Detail += s.say(", AVX2 and FMA", "，支持 AVX2 和 FMA")
		return c
	}
	c.Level = LevelWarn
	c.Detail += s.say(", without AVX2: a model runs about ten times slower", "，不支持 AVX2：模型大约要慢十倍")
	c.Remedy = s.say("Choose the smallest model that serves you, or point Recollect to an Ollama on a faster machine of yours.", "请选用够用的最小模型，或让 Recollect 使用你另一台较快机器上的 Ollama。")
	return c
}

func (s speaker) ram() Check {
	total, err := machine.Memory()
	if err != nil {
		return Check{
			ID: "memory", Level: LevelWarn, Detail: s.say("The size of the memory is unknown: %v", "无法得知内存大小：%v", err),
			Remedy: s.say("Choose a model that is at most half as large as this machine's memory.", "请选用不超过本机内存一半大小的模型。"),
		}
	}
	c := Check{ID: "memory", Level: LevelOK, Detail: gigabytes(total)}
	if total < 4<<30 {
		c.Level = LevelWarn
		c.Remedy = s.say("Use a model of at most 1 GB and a small window.", "请使用不超过 1 GB 的模型和较小的窗口。")
	}
	return c
}

// chatModelRemedy tells where to get a chat model: `ollama pull` reaches only an engine that is not ours, which keeps its models
// elsewhere.
func (s speaker) chatModelRemedy(kind engine.Kind) string {
	if kind == engine.KindExternal {
		return s.say("Use the starter model or pull a better one: open the window, or `ollama pull NAME`.", "请使用入门模型，或下载更好的：打开窗口，或运行 `ollama pull 名称`。")
	}
	return s.say("Use the starter model or pull a better one: open the window, Settings, Models.", "请使用入门模型，或下载更好的：打开窗口，见“设置”中的“模型”。")
}

func (s speaker) engines(ctx context.Context, p Patient) []Check {
	st := p.Engine.Status()
	c := Check{ID: "engine", Level: LevelOK, Detail: s.say("Ollama %s, %s, at %s", "Ollama %s，%s，地址 %s", st.Version, s.kind(st.Kind), st.Address)}
	if st.State != engine.StateReady {
		c.Level, c.Detail = LevelError, s.say("%s: %s", "%s：%s", s.state(st.State), s.of(st.Message, st.Chinese))
		switch st.Remedy {
		case memory.RemedyCheckAddress:
			c.Remedy = s.say("Start Ollama there, or empty the engine address in the settings.", "请在那里启动 Ollama，或在设置中清空引擎地址。")
		case memory.RemedyStartEngine:
			c.Remedy = s.say("Start the engine again; engine.log in the data folder tells why it ended.", "请重新启动引擎；数据文件夹中的 engine.log 记有它退出的原因。")
		default:
			c.Remedy = s.say("Install Ollama, or run `make engine`, then start Recollect again.", "请安装 Ollama 或运行 `make engine`，然后重新启动 Recollect。")
		}
		return append([]Check{c}, s.modelsUnseen()...)
	}
	if st.Unanswered != "" {
		c.Level = LevelWarn
		c.Detail += s.say("; nothing answers at %s, which OLLAMA_HOST names", "；OLLAMA_HOST 指定的 %s 没有响应", st.Unanswered)
		c.Remedy = s.say("Start Ollama there: Recollect then uses it by itself. Or unset OLLAMA_HOST. The engine in use has models of its own.", "请在那里启动 Ollama，Recollect 随后会自动改用它；或取消 OLLAMA_HOST。正在使用的引擎有它自己的模型。")
	}
	if !st.Loopback {
		c.Level, c.Remedy = LevelWarn, s.say("What you write leaves this machine for %s. Empty the engine address in the settings to stay local.", "你写的内容会离开本机，发往 %s。要留在本机，请在设置中清空引擎地址。", st.Address)
	}
	models, err := p.Engine.Models(ctx)
	if err != nil {
		c.Level, c.Detail, c.Remedy = LevelError, s.problem(err), s.say("Start the engine again.", "请重新启动引擎。")
		return append([]Check{c}, s.modelsUnseen()...)
	}
	return []Check{
		c,
		s.model("chat_model", p.Model, models, func(m engine.Model) bool { return m.Chat }, LevelError,
			s.chatModelRemedy(st.Kind)),
		s.embedders(p, models),
	}
}

// embedders checks the app's embedder and those that archives name, as one thing.
func (s speaker) embedders(p Patient, models []engine.Model) Check {
	embeds := func(m engine.Model) bool { return m.Embedding }
	c := s.model("embedder", p.Embedder, models, embeds, LevelWarn,
		s.say("Recall works by words alone until an embedding model is there: use the starter one.", "没有嵌入模型时只能按字词召回：请使用入门的嵌入模型。"))
	for _, name := range p.ArchiveEmbedders {
		if p.Embedder != "" && engine.SameModel(name, p.Embedder) {
			continue
		}
		own := s.model("embedder", name, models, embeds, LevelWarn,
			s.say("Pull it, or choose another embedder for the archive that names it.", "请下载它，或为指定它的归档另选嵌入模型。"))
		c.Detail += s.say("; of an archive: %s", "；归档所用：%s", own.Detail)
		if own.Level != LevelOK && !strings.Contains(c.Remedy, own.Remedy) {
			c.Level, c.Remedy = LevelWarn, strings.TrimSpace(c.Remedy+" "+own.Remedy)
		}
	}
	return c
}

// modelsUnseen are the checks of the models where the engine cannot be asked.
func (s speaker) modelsUnseen() []Check {
	return s.unseen([]string{"chat_model", "embedder"}, s.say("The engine has to run first: see above.", "要先让引擎运行起来：见上。"))
}

func (s speaker) model(id, chosen string, models []engine.Model, fits func(engine.Model) bool, missing Level, remedy string) Check {
	some := 0
	for _, m := range models {
		if fits(m) {
			some++
		}
		if chosen != "" && engine.SameModel(m.Name, chosen) {
			c := Check{ID: id, Level: LevelOK, Detail: fmt.Sprintf("%s, %s", m.Name, gigabytes(m.Bytes))}
			if m.Fits == "no" {
				c.Level, c.Remedy = LevelWarn, s.say("It needs about %s of memory: choose a smaller one.", "它大约需要 %s 内存：请换一个小一些的。", gigabytes(m.NeedBytes))
			}
			return c
		}
	}
	if chosen != "" {
		return Check{ID: id, Level: missing, Detail: s.say("%s is not installed (any more).", "%s 没有安装（或已被删除）。", chosen), Remedy: remedy}
	}
	if some > 0 {
		return Check{ID: id, Level: LevelWarn, Detail: s.say("None chosen, %d installed.", "未选择，已安装 %d 个。", some), Remedy: s.say("Choose one in the settings.", "请在设置中选择一个。")}
	}
	return Check{ID: id, Level: missing, Detail: s.say("None installed.", "没有安装。"), Remedy: remedy}
}

// kind names whose engine it is.
func (s speaker) kind(k engine.Kind) string {
	chinese := map[engine.Kind]string{engine.KindExternal: "外部", engine.KindFound: "本机安装的", engine.KindBundled: "自带的"}
	return s.say(string(k), chinese[k])
}

// state names what the engine does.
func (s speaker) state(state engine.State) string {
	chinese := map[engine.State]string{
		engine.StateSearching: "正在寻找", engine.StateStarting: "正在启动", engine.StateReady: "就绪", engine.StateMissing: "缺失",
		engine.StateFailed: "出错", engine.StateStopped: "已停止",
	}
	return s.say(string(state), chinese[state])
}

func gigabytes(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
}
