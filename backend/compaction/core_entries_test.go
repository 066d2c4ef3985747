package compaction

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/backend/memory"
)

func TestEntries(t *testing.T) {
	for name, c := range map[string]struct {
		value string
		want  []string
	}{
		"one fact a line":  {"Lives in Bern.\nLikes tea.", []string{"Lives in Bern.\n", "Likes tea."}},
		"keys and values":  {"Name: Ada\nHome: Leipzig\n", []string{"Name: Ada\n", "Home: Leipzig\n"}},
		"bullets":          {"- one\n- two\n  goes on\n- three", []string{"- one\n", "- two\n  goes on\n", "- three"}},
		"nested bullets":   {"- boats\n  - Marigold\n  - Comet\n- bikes", []string{"- boats\n  - Marigold\n  - Comet\n", "- bikes"}},
		"numbers":          {"1. first\n2. second\n一、第三\n", []string{"1. first\n", "2. second\n", "一、第三\n"}},
		"paragraphs":       {"One.\n\nTwo.\n\n\nThree.", []string{"One.\n\n", "Two.\n\n\n", "Three."}},
		"headings":         {"# Food\n- tea\n\nPlaces:\n- Bern\n", []string{"# Food\n", "- tea\n\n", "Places:\n", "- Bern\n"}},
		"a wrapped line":   {"She keeps the key of the boat house in the blue tin that stands\nbehind the door.\nNext.", []string{"She keeps the key of the boat house in the blue tin that stands\nbehind the door.\n", "Next."}},
		"code":             {"Runs:\n```\nmake run\n\nmake test\n```\nDone.", []string{"Runs:\n", "```\nmake run\n\nmake test\n```\n", "Done."}},
		"a table":          {"|a|b|\n|-|-|\n|1|2|\nEnd", []string{"|a|b|\n|-|-|\n|1|2|\n", "End"}},
		"Chinese lines":    {"姓名：小明\n住在成都。\n- 喜欢骑车\n", []string{"姓名：小明\n", "住在成都。\n", "- 喜欢骑车\n"}},
		"blank at the top": {"\n\nName: Ada", []string{"\n\n", "Name: Ada"}},
		"line ends of DOS": {"a\r\nb\r\n\r\nc", []string{"a\r\n", "b\r\n\r\n", "c"}},
		"nothing":          {"", nil},
	} {
		var got []string
		for _, e := range Split(c.value) {
			got = append(got, e.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

func TestSentencesOfLongParagraphs(t *testing.T) {
	english := strings.Repeat("She works at the harbour and mends boats. ", 10)
	chinese := strings.Repeat("她在港口上班，修理小船。", 20)
	for text, one := range map[string]string{english: "She works at the harbour and mends boats. ", chinese: "她在港口上班，修理小船。"} {
		entries := Split(text)
		if len(entries) < 10 || entries[1].Text != one {
			t.Errorf("%d entries, the second %q", len(entries), entries[1].Text)
		}
	}
	if n := len(Split("She works at the harbour. She mends boats.")); n != 1 {
		t.Errorf("a short paragraph is %d entries", n)
	}
}

func TestAnEntryKnowsItsHeadingAndPlace(t *testing.T) {
	entries := Split("# 咖啡\n- 两块糖\n## Tea\n- none\n")
	if entries[1].Heading != "咖啡" || entries[3].Heading != "Tea" || !entries[0].Structure || entries[1].Start != 5 {
		t.Errorf("%+v", entries)
	}
}

// Whatever a block holds, its entries are the value byte for byte, and each fits into a passage.
func checkEntries(t *testing.T, value string) {
	t.Helper()
	entries := Split(value)
	var joined strings.Builder
	at := 0
	for _, e := range entries {
		joined.WriteString(e.Text)
		n := utf8.RuneCountInString(e.Text)
		if e.Text == "" || e.Start != at || n > memory.MaxPassageChars {
			t.Fatalf("entry %.40q of %d characters at %d, not %d", e.Text, n, e.Start, at)
		}
		at += n
	}
	if joined.String() != value {
		t.Fatalf("the entries of %.80q are not the value", value)
	}
	if len(entries) > 2*maxEntries {
		t.Fatalf("%d entries", len(entries))
	}
}

func TestHugeBlocks(t *testing.T) {
	for _, value := range []string{
		strings.Repeat("word ", 20_000),
		strings.Repeat("x", 100_000),
		strings.Repeat("汉", 100_000),
		strings.Repeat("她在港口上班。", 14_000),
		strings.Repeat("a\n", 50_000),
		strings.Repeat("\n", 100_000),
		strings.Repeat("a\u0301", 50_000),
		strings.Repeat("👩\u200d👩\u200d👧", 10_000),
		strings.Repeat("- a\n  - b\n", 10_000),
		"```" + strings.Repeat("code ", 19_000),
		strings.Repeat("a.", 50_000),
		strings.Repeat("\u0301", 100_000),
	} {
		checkEntries(t, value)
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"- a\n  b\n\nc: d\n", "# x\ny", "```\n", "\xff\xfe", "1. a\n\n 2、b", strings.Repeat("长", 1200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if utf8.RuneCountInString(value) <= memory.MaxBlockLimit {
			checkEntries(t, memory.CleanText(value))
		}
	})
}

func ExampleSplit() {
	for _, e := range Split("Name: Ada\n- likes tea\n  without sugar\n") {
		fmt.Printf("%q\n", e.Text)
	}
	// Output:
	// "Name: Ada\n"
	// "- likes tea\n  without sugar\n"
}
