package selftest

import (
	"context"
	"fmt"
	"strings"

	"recollect/backend/agent"
	"recollect/backend/memory"
)

// What the task of summaries is about: a talk with a goal, a decision, facts with numbers, and a preference.
var (
	toSumUp = []string{
		"I want to go to Porto by train in June.|Good, June is warm there.", "My sister Ada lives there, in the Rua das Flores 12.|That is in the old town.",
		"The ticket costs 89 euros.|That is a fair price.", "We decided to leave on 14 June at 9:40.|I have noted the 14th.",
		"I prefer a seat by the window.|Then ask for one when you book.", "I still have to book a hotel for 3 nights.|There are some near the river.",
		"It should cost at most 120 euros a night.|That is possible.", "I am allergic to walnuts, so no walnut cake for me.|Understood.",
	}
	toSumUpChinese = []string{
		"我想六月坐火车去波尔图。|六月那里很暖和。", "我姐姐安娜住在那里，鲜花街 12 号。|那是老城区。", "车票 89 欧元。|价格合理。", "我们决定 6 月 14 日 9:40 出发。|记下了。",
		"我喜欢靠窗的座位。|订票时可以选。", "还要订三晚的酒店。|河边有几家。", "每晚最多 120 欧元。|可以找到。", "我对核桃过敏，不吃核桃蛋糕。|明白。",
	}
)

// summary has the model sum up a talk that leaves the window, as happens in long chats, and checks it as is done there.
func (b *bench) summary(ctx context.Context) (Outcome, string, error) {
	talk := toSumUp
	if b.Language == "zh" {
		talk = toSumUpChinese
	}
	c, err := b.store.CreateConversation(ctx, memory.Conversation{AgentID: b.agent.ID})
	if err != nil {
		return "", "", err
	}
	parent := ""
	for range 2 { // what is said first is to be summed up, the last turns stay
		for _, turn := range talk {
			said, answer, _ := strings.Cut(turn, "|")
			for _, m := range []memory.Message{{Role: memory.RoleUser, Content: said}, {Role: memory.RoleAssistant, Content: answer}} {
				m.ConversationID, m.ParentID = c.ID, parent
				if m, err = b.store.AddMessage(ctx, m); err != nil {
					return "", "", err
				}
				parent = m.ID
			}
		}
	}
	if _, err := b.turns.Send(ctx, agent.SendRequest{ConversationID: c.ID, Content: b.say("Thank you.", "谢谢。")}); err != nil {
		return "", "", err
	}
	if err := b.turns.Wait(ctx, c.ID); err != nil {
		return "", "", err
	}
	made, err := b.turns.Compact(ctx, c.ID, agent.CompactRequest{Strategy: memory.StrategySummary, DryRun: true})
	if err != nil {
		return "", "", err
	}
	if err := b.turns.Rest(ctx); err != nil {
		return "", "", err
	}
	if made, err = b.store.Compaction(ctx, made.ID); err != nil {
		return "", "", err
	}
	switch {
	case made.State != memory.CompactionTried:
		return FallsBack, b.say("no usable summary: what matters stays in the window word for word, the rest can be searched", "没有可用的摘要：重要的原话留在窗口里，其余的可以搜索"), nil
	case made.Attempts > made.Summed:
		return Repaired, b.say("at the second try: ", "第二次才成功：") + quote(made.Now.Summary), nil
	}
	return Works, fmt.Sprintf(b.say("%d names and numbers are missing from it: %s", "缺少 %d 个名字和数字：%s"), len(made.Lost), quote(made.Now.Summary)), nil
}
