package selftest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"recollect/backend/agent"
	"recollect/backend/memory"
)

// What the block human holds in the task of judging, in both languages: what is to stay, and what may go.
var (
	judgedKeep = map[string][]string{
		"en": {"Name: Ada", "Is allergic to walnuts.", "Always answer in short sentences."},
		"zh": {"姓名：小雅", "对核桃过敏。", "回答要简短。"},
	}
	judgedGo = map[string][]string{
		"en": {"It rained this morning.", "Had a cheese sandwich for lunch.", "Was waiting for the bus for ten minutes.", "Watched two episodes of a show last night."},
		"zh": {"今天早上下雨了。", "午饭吃了三明治。", "刚才等公交等了十分钟。", "昨晚看了两集电视剧。"},
	}
)

// judge has the model score entries of core memory, as happens when it is full, and checks it as is done there.
func (b *bench) judge(ctx context.Context) (Outcome, string, error) {
	language := "en"
	if b.Language == "zh" {
		language = "zh"
	}
	keep := judgedKeep[language]
	blocks, err := b.store.Blocks(ctx, b.agent.ID)
	if err != nil {
		return "", "", err
	}
	i := slices.IndexFunc(blocks, func(block memory.Block) bool { return block.Label == "human" })
	if i < 0 {
		return "", "", fmt.Errorf("the agent has no block human")
	}
	value := strings.Join(slices.Concat(keep, judgedGo[language]), "\n")
	cause := memory.Cause{Actor: memory.ActorSystem, AgentID: b.agent.ID, Reason: "selftest"}
	if _, _, err := b.store.UpdateBlock(ctx, blocks[i].ID, memory.BlockChange{Value: &value}, cause); err != nil {
		return "", "", err
	}
	c, err := b.turns.CompactCore(ctx, b.agent.ID, agent.CoreRequest{BlockID: blocks[i].ID})
	if err != nil {
		return "", "", err
	}
	if err := b.turns.Rest(ctx); err != nil {
		return "", "", err
	}
	if c, err = b.store.Compaction(ctx, c.ID); err != nil {
		return "", "", err
	}
	left := 0
	for _, e := range c.Entries {
		if e.Action.Left() {
			left++
		}
	}
	after, err := b.store.Block(ctx, blocks[i].ID)
	if err != nil {
		return "", "", err
	}
	for _, line := range keep {
		if !strings.Contains(after.Value, line) {
			return Failed, b.say("it would take away what matters: ", "它会移走重要的内容：") + quote(line), nil
		}
	}
	detail := fmt.Sprintf(b.say("%d of %d unimportant entries leave core memory, what matters stays", "%d / %d 条不重要的内容移出核心记忆，重要的都留下"), left, len(judgedGo[language]))
	if c.Strategy != memory.StrategyJudge {
		return FallsBack, b.say("no usable scores: signals alone decide; ", "没有可用的评分：只按规则决定；") + detail, nil
	}
	return Works, detail, nil
}
