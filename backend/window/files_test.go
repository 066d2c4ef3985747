package window_test

import (
	"strings"
	"testing"

	"recollect/backend/memory"
)

func TestFilesOfAMessageAreSent(t *testing.T) {
	c := newChat(t, 4096)
	c.add(memory.Message{Role: memory.RoleUser, Content: "What is in these?", Files: []memory.MessageFile{
		{Name: `a "b".txt`, Type: "text/plain", Content: []byte("Line one\nLine two")},
		{Name: "photo.png", Type: "image/png", Content: []byte("pixels")},
	}})
	c.in.Sees = true
	r := c.send()
	last := r.Messages[len(r.Messages)-1]
	if want := "What is in these?\n\n<file name=\"a 'b'.txt\">\nLine one\nLine two\n</file>"; !strings.HasSuffix(last.Content, want) {
		t.Errorf("sent %q, want it to end in %q", last.Content, want)
	}
	if len(last.Images) != 1 || string(last.Images[0]) != "pixels" {
		t.Errorf("the images are %q", last.Images)
	}
	seeing := r.Plan.Prompt
	c.in.Sees = false
	r = c.send()
	last = r.Messages[len(r.Messages)-1]
	if len(last.Images) != 0 || !strings.HasSuffix(last.Content, `<image name="photo.png" not shown/>`) {
		t.Errorf("a model that does not see gets %q with %d images", last.Content, len(last.Images))
	}
	if seeing < r.Plan.Prompt+500 {
		t.Errorf("with the image %d tokens are counted, without %d", seeing, r.Plan.Prompt)
	}
}
