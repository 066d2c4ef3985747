package memory

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestValidateBlock(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Block
		code Code
	}{
		{"plain", Block{Label: "human"}, ""},
		{"letters of any script", Block{Label: "人物 Käse_हिन्दी-2"}, ""},
		{"exactly the limit", Block{Label: "a", Limit: 3, Value: "字字字"}, ""},
		{"one over", Block{Label: "a", Limit: 3, Value: "字字字字"}, ELIMIT},
		{"the default limit", Block{Label: "a", Value: strings.Repeat("x", DefaultBlockLimit+1)}, ELIMIT},
		{"limit too large", Block{Label: "a", Limit: MaxBlockLimit + 1}, ELIMIT},
		{"limit negative", Block{Label: "a", Limit: -1}, EINVALID},
		{"no label", Block{Label: " \t"}, EINVALID},
		{"label with a sign", Block{Label: "a<b>"}, EINVALID},
		{"label too long", Block{Label: strings.Repeat("字", MaxLabelChars+1)}, ELIMIT},
		{"description too long", Block{Label: "a", Description: strings.Repeat("x", maxDescriptionChars+1)}, ELIMIT},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ValidateBlock(c.in)
			if CodeOf(err) != c.code {
				t.Errorf("error is %v, want code %q", err, c.code)
			}
		})
	}
}

func TestLimitErrorSaysByHowMuch(t *testing.T) {
	_, err := ValidateBlock(Block{Label: "notes", Limit: 10, Value: strings.Repeat("字", 12)})
	var e *Error
	if !errors.As(err, &e) || e.Limit != 10 || e.Actual != 12 || !strings.Contains(e.Message, `"notes"`) {
		t.Errorf("error is %+v", e)
	}
}

func TestApply(t *testing.T) {
	text, on := "new", true
	b := Block{Label: "notes", Value: "old", Limit: 10, Version: 4, ReadOnly: true}
	if _, err := (BlockChange{Value: &text}).Apply(b, ActorModel); CodeOf(err) != EREADONLY {
		t.Errorf("the model changes a read-only block: %v", err)
	}
	got, err := BlockChange{Value: &text, Pinned: &on, IfVersion: 4}.Apply(b, ActorUser)
	if err != nil || got.Value != "new" || !got.Pinned || got.Label != "notes" {
		t.Errorf("block is %+v, %v", got, err)
	}
	if _, err := (BlockChange{Value: &text, IfVersion: 3}).Apply(b, ActorUser); CodeOf(err) != ECONFLICT {
		t.Errorf("an outdated change: %v", err)
	}
}

func TestValidateTags(t *testing.T) {
	got, err := ValidateTags([]string{" a ", "a", "", "b\n c", "\x00"})
	if err != nil || !slices.Equal(got, []string{"a", "b c"}) {
		t.Errorf("tags are %q, %v", got, err)
	}
	if got, err := ValidateTags(nil); err != nil || got == nil {
		t.Errorf("no tags are %v, %v; want an empty list", got, err)
	}
}

// What shows nothing is empty, whatever characters it is made of; beside something to see they are kept.
func TestWhatShowsNothingIsEmpty(t *testing.T) {
	for _, s := range []string{"", " \n\u3000", "\u202e\u200b", "\ufeff", "\u00ad", "\u2800", "\u3164\u115f", "\ufe0f", "\x00", "\x07", "\U000e0041"} {
		_, message := ValidateMessage(Message{Role: RoleUser, Content: s})
		_, passage := ValidatePassage(Passage{Text: s})
		_, name := ValidateName(s)
		_, fact := ValidateFact(Fact{Subject: "user", Key: "name", Value: s})
		for _, err := range []error{message, passage, name, fact} {
			if CodeOf(err) != EINVALID || !strings.HasSuffix(err.Error(), "empty") {
				t.Errorf("%q: %v", s, err)
			}
		}
		if tags, err := ValidateTags([]string{s}); err != nil || len(tags) > 0 {
			t.Errorf("%q is a tag: %q, %v", s, tags, err)
		}
	}
	if m, err := ValidateMessage(Message{Role: RoleUser, Content: "a\x00b"}); err != nil || m.Content != "ab" { // as docs/api.md says
		t.Errorf("%q, %v", m.Content, err)
	}
	for _, s := range []string{"a", "。", "\u202eabc", "👩‍👩‍👧", "❤\ufe0f", "�"} {
		if m, err := ValidateMessage(Message{Role: RoleUser, Content: s}); err != nil || m.Content != s {
			t.Errorf("%q: %q, %v", s, m.Content, err)
		}
	}
}

func TestValidateMessageOffersTheArchive(t *testing.T) {
	_, err := ValidateMessage(Message{Role: RoleUser, Content: strings.Repeat("x", MaxMessageChars+1)})
	var e *Error
	if !errors.As(err, &e) || e.Code != ELIMIT || e.Remedy != RemedyStoreInArchive {
		t.Errorf("error is %+v", e)
	}
}

func FuzzCleanText(f *testing.F) {
	for _, s := range []string{"plain", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "👩‍👩‍👧"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := CleanText(s)
		if !utf8.ValidString(c) || strings.Contains(c, "\x00") {
			t.Fatalf("CleanText(%q) = %q", s, c)
		}
		if CleanText(c) != c {
			t.Fatalf("CleanText(%q) is not at rest", s)
		}
		if utf8.ValidString(s) && !strings.Contains(s, "\x00") && c != s {
			t.Fatalf("CleanText changed %q", s)
		}
	})
}
