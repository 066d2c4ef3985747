package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"recollect/backend/memory"
)

const (
	pageChars      = 3000 // of a page that one call returns
	documentsShown = 10
)

var readDocument = &tool{
	name: "read_document",
	params: []param{
		{name: "document", aliases: []string{"title", "name", "file", "document_id", "id"}},
		{name: "page", kind: integer, aliases: []string{"part", "page_number"}},
		{name: "from", kind: integer, aliases: []string{"offset", "start"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		name := strings.Trim(strings.TrimSpace(c.text("document")), `"'“”《》`)
		found, err := c.Memory.DocumentsNamed(ctx, c.Agent.ArchiveID, name, documentsShown+1)
		switch {
		case err != nil:
			return "", err
		case len(found) == 0 && name == "":
			return "There are no documents in the archive.", nil
		case len(found) == 0:
			return "", refuse(memory.ENOTFOUND, "there is no document %q. Call read_document without a document to see which there are.", name)
		case len(found) > 1 || name == "":
			return c.documents(found), nil
		}
		return c.page(ctx, found[0])
	},
}

// documents lists documents, so that one can be named.
func (c *call) documents(list []memory.Document) string {
	var b strings.Builder
	b.WriteString("The documents are:")
	for i, d := range list {
		if i == documentsShown {
			b.WriteString("\n… and more: name part of a title to see others.")
			break
		}
		fmt.Fprintf(&b, "\n%d. “%s” (%s, %d %s, added %s)", i+1, d.Title, d.Name, d.Pages, unit(d.Paged)+plural(d.Pages), d.CreatedAt.In(c.Now.Location()).Format(time.DateOnly))
	}
	return b.String()
}

// page returns a page of a document, or as much of it as fits.
func (c *call) page(ctx context.Context, d memory.Document) (string, error) {
	page, from := c.number("page", 1), max(0, c.number("from", 0))
	if page < 1 || page > d.Pages {
		return "", refuse(memory.EINVALID, "page must be from 1 to %d.", d.Pages)
	}
	text, err := c.Memory.DocumentText(ctx, d.ID, page)
	if err != nil {
		return "", err
	}
	r := []rune(text)
	if from > 0 && from >= len(r) {
		return "", refuse(memory.EINVALID, "from must be less than %d.", len(r))
	}
	end := min(len(r), from+pageChars)
	head := fmt.Sprintf("“%s”, %s %d of %d", d.Title, unit(d.Paged), page, d.Pages)
	next := ""
	switch {
	case end < len(r):
		next = fmt.Sprintf("\n[It goes on: from=%d]", end)
	case page < d.Pages:
		next = fmt.Sprintf("\n[It goes on: page=%d]", page+1)
	}
	if len(r) == 0 {
		return head + ": there is no text on it." + next, nil
	}
	return head + ":\n" + strings.TrimSpace(string(r[from:end])) + next, nil
}

func unit(paged bool) string {
	if paged {
		return "page"
	}
	return "part"
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
