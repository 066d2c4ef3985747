package compaction

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"recollect/backend/memory"
)

// chat makes a path of lines "u: text", "a: text", "c: text" (a tool call) and "t: text" (its result); the last one is the
// newest user message.
func chat(lines ...string) Chat {
	var c Chat
	for i, l := range lines {
		role, text, _ := strings.Cut(l, ": ")
		m := memory.Message{ID: fmt.Sprintf("msg-%05d", i), Content: text}
		switch role {
		case "u":
			m.Role = memory.RoleUser
		case "a":
			m.Role = memory.RoleAssistant
		case "c":
			m.Role, m.ToolCalls = memory.RoleAssistant, []memory.ToolCall{{ID: fmt.Sprint("call-", i)}}
		case "t":
			m.Role, m.ToolCallID = memory.RoleTool, fmt.Sprint("call-", i-1)
		}
		c.Path = append(c.Path, m)
	}
	c.Newest = len(lines) - 1
	c.Cost = func(i int) int { return len(c.Path[i].Content)/4 + 4 }
	c.Room = 1 << 20
	return c
}

// filler are turns about nothing.
func filler(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, "u: What do people say of the weather there?", fmt.Sprintf("a: They say that it changes, as it has done %s.", strings.Repeat("so often ", i%3)))
	}
	return lines
}

func kept(c Chat, keep []bool) []string {
	var out []string
	for i, k := range keep {
		if k {
			out = append(out, c.Path[i].Content)
		}
	}
	return out
}

func TestTheLengthDecidesWhich(t *testing.T) {
	for _, c := range []struct {
		turns int
		over  bool
		want  memory.Strategy
	}{
		{5, false, ""},
		{500, false, ""},
		{5, true, memory.StrategySliding},
		{20, true, memory.StrategySliding},
		{100, true, memory.StrategySliding},
		{101, true, memory.StrategyPriority},
	} {
		if got := Auto(c.turns, c.over); got != c.want {
			t.Errorf("%d turns, over %v: %q", c.turns, c.over, got)
		}
	}
	if Summarises(100) || !Summarises(101) {
		t.Error("a summary follows above 100 turns only")
	}
}

func TestSlidingKeepsTheLastMessages(t *testing.T) {
	c := chat(append(filler(50), "u: And now?")...)
	keep := Choose(memory.StrategySliding, c)
	n := 0
	for _, k := range keep {
		if k {
			n++
		}
	}
	if n != DefaultMessages-2 || !keep[99] || !keep[82] || keep[81] { // 20 with the newest would begin with an answer
		t.Errorf("%d messages stay", n)
	}
	c.Messages = 85
	if keep = Choose(memory.StrategySliding, c); !keep[16] || keep[15] {
		t.Error("another number of messages")
	}
	c.Messages, c.Room = 0, 130 // less room than twenty take
	n = len(kept(c, Choose(memory.StrategySliding, c)))
	if n < 4 || n >= 18 {
		t.Errorf("%d messages stay in little room", n)
	}
	c.Room = 0
	if got := kept(c, Choose(memory.StrategySliding, c)); len(got) != 2*keptTurns {
		t.Errorf("without any room %q stay", got)
	}
}

func TestShortChineseTurnsAreNotTakenForLongOnes(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("u: 第%d天天气怎么样？", i), "a: 很好。")
	}
	c := chat(append(lines, "u: 今天呢？")...)
	c.Messages = 60
	if got := len(kept(c, Choose(memory.StrategySliding, c))); got < 56 {
		t.Errorf("%d of 60 messages stay", got)
	}
}

func TestPriorityKeepsWhatMatters(t *testing.T) {
	lines := []string{
		"u: I'm allergic to peanuts, remember that.", "a: I will.",
		"u: We decided to meet on 3 March at 14:30 in Lyon.", "a: Noted.",
		"u: 我最喜欢的茶是龙井，我不喝咖啡。", "a: 好的。",
		"u: I like the colour blue.", "a: Nice.",
		"u: I live in Rome now.", "a: Ah.",
	}
	lines = append(lines, filler(120)...)
	lines = append(lines, "u: What may I eat?")
	c := chat(lines...)
	c.Room = 500
	c.Marks = map[string]Signal{"msg-00008": {Replaced: true}, "msg-00021": {Pinned: true}}
	keep := Choose(memory.StrategyPriority, c)
	for i, want := range map[int]bool{0: true, 2: true, 4: true, 6: true, 8: false, 21: true, len(keep) - 1: true, len(keep) - 10: true} {
		if keep[i] != want {
			t.Errorf("message %d %q stays: %v", i, c.Path[i].Content, keep[i])
		}
	}
	used := 0
	for i, k := range keep {
		if k {
			used += c.Cost(i)
		}
	}
	if used > c.Room || used < c.Room*8/10 {
		t.Errorf("%d tokens of %d are used", used, c.Room)
	}
	if !slices.Equal(keep, Choose(memory.StrategyPriority, c)) {
		t.Error("the same chat is decided otherwise")
	}
}

// A fact that the app has learned from a message keeps it, whatever its words.
func TestALearnedFactStays(t *testing.T) {
	c := chat(append(append([]string{"u: The kitchen one is 4711.", "a: ok"}, filler(130)...), "u: Which?")...)
	c.Room = 200
	c.Marks = map[string]Signal{"msg-00000": {Fact: true}}
	if keep := Choose(memory.StrategyPriority, c); !keep[0] || keep[1] {
		t.Errorf("%v", keep[:2])
	}
}

// Whatever the chat: calls keep their results, the last turns and pins stay, and nothing but those goes over the room.
func TestChoicesOverManyChats(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var lines []string
		for range random.IntN(60) {
			lines = append(lines, "u: "+strings.Repeat("I like tea 茶 ", random.IntN(40)))
			for range random.IntN(3) {
				lines = append(lines, "c: ", "t: "+strings.Repeat("found ", random.IntN(200)))
			}
			if random.IntN(8) > 0 {
				lines = append(lines, "a: "+strings.Repeat("yes ", random.IntN(60)))
			}
		}
		c := chat(append(lines, "u: now")...)
		c.Room = random.IntN(3000)
		c.Marks = map[string]Signal{}
		for range random.IntN(4) {
			c.Marks[fmt.Sprintf("msg-%05d", random.IntN(len(lines)+1))] = Signal{Pinned: true}
		}
		must := Chat{Path: c.Path, Newest: c.Newest, Cost: c.Cost, Marks: c.Marks}
		forced := Choose(memory.StrategySliding, must)
		for _, s := range []memory.Strategy{memory.StrategySliding, memory.StrategyPriority, memory.StrategySummary} {
			keep := Choose(s, c)
			used, least, turns := 0, 0, 0
			for i := c.Newest - 1; i >= 0; i-- {
				if keep[i] {
					used += c.Cost(i)
				}
				if forced[i] {
					least += c.Cost(i)
				}
				if turns < keptTurns && !keep[i] {
					t.Fatalf("%s: message %d of the last turns goes", s, i)
				}
				if c.Path[i].Role == memory.RoleUser {
					turns++
				}
				if forced[i] && !keep[i] {
					t.Fatalf("%s: message %d must stay", s, i)
				}
				if c.Path[i].Role == memory.RoleTool && keep[i] != keep[i-1] {
					t.Fatalf("%s: a result without its call", s)
				}
			}
			if used > max(c.Room, least) {
				t.Fatalf("%s: %d tokens in a room of %d, at least %d", s, used, c.Room, least)
			}
		}
	}
}

// BenchmarkChoose chooses among 10,000 messages; the bar is 50 ms.
func BenchmarkChoose(b *testing.B) {
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("u: On day %d I like to go to the market with Ada and 我喜欢茶, what would you say about %s?", i, strings.Repeat("the weather ", i%20)),
			"a: "+strings.Repeat("It was better than last year. ", i%15))
	}
	c := chat(append(lines, "u: now")...)
	c.Room = 20_000
	for _, s := range []memory.Strategy{memory.StrategySliding, memory.StrategyPriority} {
		b.Run(string(s), func(b *testing.B) {
			for b.Loop() {
				Choose(s, c)
			}
		})
	}
}
