package segment

import (
	"strings"
	"testing"
)

func TestChunksKeepStructure(t *testing.T) {
	words := func(n int, w string) string { return strings.TrimSpace(strings.Repeat(w+" ", n)) }
	code := "```go\nfunc a() {\n\treturn\n}\n\nfunc b() {}\n```\n"
	table := "| a | b |\n|---|---|\n| 1 | 2 |\n"
	text := "# Boat\n\n" + words(40, "sail") + ". " + words(10, "mast") + ".\n\n## Engine\n\n" + words(30, "pump") + ".\n\n" + code + "\n" + table + "\n## Crew\n\n" + words(120, "cook") + ".\n"
	chunks := Chunks(text, 60, 12)
	covered := 0
	for i, c := range chunks {
		piece := text[c.Start:c.End]
		if n := Tokens(piece); n > 60+12 {
			t.Errorf("chunk %d has %d tokens", i, n)
		}
		if c.Start > covered && strings.TrimSpace(text[covered:c.Start]) != "" {
			t.Errorf("%q is in no chunk", text[covered:c.Start])
		}
		covered = max(covered, c.End)
		if strings.Contains(piece, "func a") != strings.Contains(piece, "func b") {
			t.Errorf("code is cut: %q", piece)
		}
		if strings.Contains(piece, "pump") && c.Heading != "Boat › Engine" || strings.Contains(piece, "cook") && c.Heading != "Boat › Crew" {
			t.Errorf("%q stands under %q", piece, c.Heading)
		}
	}
	if strings.TrimSpace(text[covered:]) != "" || len(chunks) < 5 {
		t.Errorf("%d chunks up to %d of %d", len(chunks), covered, len(text))
	}
}

func TestChunksOverlapBySentences(t *testing.T) {
	var b strings.Builder
	for range 30 {
		b.WriteString("The ship sails at noon. 我们明天去北京看朋友。")
	}
	text := b.String()
	chunks := Chunks(text, 80, 15)
	for i, c := range chunks[1:] {
		if before := chunks[i]; c.Start >= before.End || c.Start <= before.Start {
			t.Errorf("chunk %d begins at %d, the one before ends at %d", i+1, c.Start, before.End)
		}
		if piece := text[c.Start:c.End]; !strings.HasPrefix(strings.TrimSpace(piece), "The ship") && !strings.HasPrefix(piece, "我们") {
			t.Errorf("chunk %d begins inside a sentence: %.40q", i+1, piece)
		}
	}
	if len(chunks) < 4 {
		t.Errorf("%d chunks", len(chunks))
	}
}

func FuzzChunks(f *testing.F) {
	f.Add("# a\n\nb. c\n\n```\nd\n", 5)
	f.Add(strings.Repeat("x", 3000), 40)
	f.Add("| a |\n\n|b|\n# \n~~~", 1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = 1 + (size%400+400)%400
		covered := 0
		for _, c := range Chunks(text, size, size/6) {
			if c.Start < 0 || c.End > len(text) || c.Start >= c.End || c.End < covered {
				t.Fatalf("chunk %+v after %d of %d", c, covered, len(text))
			}
			if c.Start > covered && strings.TrimSpace(text[covered:c.Start]) != "" {
				t.Fatalf("%q is in no chunk", text[covered:c.Start])
			}
			covered = c.End
		}
		if strings.TrimSpace(text[covered:]) != "" {
			t.Fatalf("%q is in no chunk", text[covered:])
		}
	})
}
