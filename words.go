//go:build desktop

package main

import (
	"strings"

	"recollect/backend/app"
)

// shellWords are the texts of the window's own dialogs; the page has its own dictionary. No % may be in them: GTK takes
// them for formats.
type shellWords struct {
	chooseModel, chooseDatabase, chooseFolder, chooseDocuments, save string
	modelFiles, databaseFiles                                        string
	blank                                                            string // the window cannot draw the page

	closeAnswers, closeModels, closeMove, closeEmbedding string // what still runs
	closeAnyway                                          string
}

var words = map[string]shellWords{ // a constant
	"en": {
		chooseModel: "Choose a model file", chooseDatabase: "Choose a backup", chooseFolder: "Choose a folder", chooseDocuments: "Add documents", save: "Save as",
		modelFiles: "Models (*.gguf)", databaseFiles: "Databases (*.db)",
		blank:          "The window cannot draw the page on this machine. Open it in your browser? It stays on this machine.",
		closeAnswers:   "An answer is being written. What came so far is kept; you can continue it next time.",
		closeModels:    "A model is being fetched or imported. A download goes on from where it stopped when you start it again.",
		closeMove:      "The data folder is being moved. It stays where it is.",
		closeEmbedding: "Memory is being indexed for search by meaning. This goes on at the next start.",
		closeAnyway:    "Close Recollect?",
	},
	"zh": {
		chooseModel: "选择模型文件", chooseDatabase: "选择备份", chooseFolder: "选择文件夹", chooseDocuments: "添加文档", save: "另存为",
		modelFiles: "模型 (*.gguf)", databaseFiles: "数据库 (*.db)",
		blank:          "窗口在这台电脑上无法显示页面。要在浏览器中打开吗？数据仍只在本机。",
		closeAnswers:   "回答还没写完。已写出的部分会保留，下次可以继续。",
		closeModels:    "正在下载或导入模型。下载可以从中断处继续，再次开始即可。",
		closeMove:      "正在移动数据文件夹。现在关闭，数据仍留在原处。",
		closeEmbedding: "正在为语义搜索建立索引，下次启动时会接着做。",
		closeAnyway:    "要关闭 Recollect 吗？",
	},
}

// running tells what closing the app would interrupt and what becomes of it, and asks; "" = nothing.
func (w shellWords) running(work app.Work) string {
	var parts []string
	for _, p := range []struct {
		runs bool
		text string
	}{
		{work.Answers > 0, w.closeAnswers}, {work.Models > 0, w.closeModels}, {work.Moving, w.closeMove}, {work.Embedding > 0, w.closeEmbedding},
	} {
		if p.runs {
			parts = append(parts, p.text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(append(parts, w.closeAnyway), "\n\n")
}
