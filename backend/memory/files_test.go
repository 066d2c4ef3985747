package memory_test

import (
	"strings"
	"testing"

	"recollect/backend/memory"
)

func TestFilesOfAMessage(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n...."
	for _, at := range []struct {
		name, content, kind string
		code                memory.Code
	}{
		{"notes.txt", "words, 字", "text/plain", ""},
		{"photo.txt", png, "image/png", ""}, // the content counts, not the name
		{"photo.jpg", "\xff\xd8\xff\xe0", "image/jpeg", ""},
		{"photo.webp", "RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp", ""},
		{"nul.txt", "a\x00b", "", memory.EINVALID},
		{"latin.txt", "caf\xe9", "", memory.EINVALID},
		{"empty.txt", "", "", memory.EINVALID},
		{" ", "words", "", memory.EINVALID},
		{"long.txt", strings.Repeat("字", memory.MaxMessageChars), "", memory.ELIMIT},
		{"large.png", png + strings.Repeat(" ", memory.MaxImageBytes), "", memory.ELIMIT},
	} {
		m, err := memory.ValidateMessage(memory.Message{
			Role: memory.RoleUser, Content: "see", Files: []memory.MessageFile{{Name: at.name, Content: []byte(at.content)}},
		})
		if memory.CodeOf(err) != at.code {
			t.Errorf("%s: %v, want %q", at.name, err, at.code)
		}
		if err == nil && (m.Files[0].Type != at.kind || m.Files[0].Bytes != len(at.content)) {
			t.Errorf("%s became %v", at.name, m.Files[0])
		}
	}
}
