package wish

import "testing"

func TestTidies(t *testing.T) {
	for message, want := range map[string]Tidying{
		"Tidy your memory":                          {Language: "en", Alone: true},
		"tidy up your memory, please":               {Language: "en", Alone: true},
		"Can you please clean up your core memory?": {Language: "en", Alone: true},
		"I'd like you to compact your memory now.":  {Language: "en", Alone: true},
		"Please make some room in your memory":      {Language: "en", Alone: true},
		"Organize your memories.":                   {Language: "en", Alone: true},
		"Thanks, that is all. Tidy your memory.":    {Language: "en"},
		"Tidy the human block.":                     {Language: "en", Alone: true, Block: "human"},
		"Please compact the block projects":         {Language: "en", Alone: true, Block: "projects"},
		"整理一下记忆":                                    {Language: "zh", Alone: true},
		"请你整理一下你的记忆吧。":                              {Language: "zh", Alone: true},
		"能不能把核心记忆精简一下？":                             {Language: "zh", Alone: true},
		"清理记忆":                                      {Language: "zh", Alone: true},
		"麻烦给记忆腾点地方":                                 {Language: "zh", Alone: true},
		"整理一下记忆块 human":                             {Language: "zh", Alone: true, Block: "human"},
		"請整理一下記憶":                                   {Language: "zh", Alone: true},
		"今天就聊到这里。整理一下记忆。":                           {Language: "zh"},
	} {
		if got, ok := Tidies(message); !ok || got != want {
			t.Errorf("%q: %+v, %v", message, got, ok)
		}
	}
	for _, message := range []string{
		"Don't tidy your memory.", "Do you tidy your memory?", "How do I tidy up my room?", "Yesterday I had to tidy up my desk.", "Tidy your room!", "I tidied my memory palace.",
		"He said: tidy your memory", "\"Tidy your memory\" is a funny phrase.", "What happens if you compact your memory?", "Clear your memory", "My memory is bad.", "Write a story in which a robot must tidy its memory.",
		"不要整理记忆", "你会整理记忆吗？", "怎么整理记忆？", "我在整理房间", "整理一下照片", "整理记忆有什么用？", "别清理记忆", "他说：整理一下记忆", "记忆整理好了吗", "",
	} {
		if got, ok := Tidies(message); ok {
			t.Errorf("%q: %+v", message, got)
		}
	}
}
