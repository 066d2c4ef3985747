package ingest

import (
	"errors"
	"io"
	"strings"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // of mails that are not in UTF-8
	"github.com/emersion/go-message/mail"
)

// readEmail reads a message as it is saved from a mail program: who wrote it to whom, when and about what, then its text.
// Of attachments only the names are read.
func readEmail(r *reader) error {
	m, err := mail.CreateReader(r.bytes())
	if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		if ours(err) || r.ctx.Err() != nil {
			return err
		}
		return broken("the message cannot be read: %w", err)
	}
	defer func() { _ = m.Close() }()
	h := m.Header
	if subject, err := h.Subject(); err == nil {
		r.meta.Title = oneLine(subject)
	}
	if at, err := h.Date(); err == nil {
		r.meta.Created = plausible(at)
	}
	var head []string
	for _, name := range []string{"From", "To", "Cc"} {
		list, err := h.AddressList(name)
		if err != nil || len(list) == 0 {
			continue
		}
		var who []string
		for _, a := range list {
			one := a.Address
			if a.Name != "" {
				one = a.Name + " <" + a.Address + ">"
			}
			who = append(who, one)
		}
		if name == "From" {
			r.meta.Author = strings.Join(who, ", ")
		}
		head = append(head, name+": "+strings.Join(who, ", "))
	}
	if !r.meta.Created.IsZero() {
		head = append(head, "Date: "+r.meta.Created.Format("2006-01-02 15:04"))
	}
	if r.meta.Title != "" {
		head = append(head, "Subject: "+r.meta.Title)
	}
	if len(head) == 0 {
		return broken("the file is no e-mail message")
	}
	if err := r.lines(table, strings.Join(head, "\n"), 0); err != nil {
		return err
	}
	return r.mailParts(m)
}

func (r *reader) mailParts(m *mail.Reader) error {
	var attached []string
	plain := false
	for n := 0; ; n++ {
		if n > 1000 {
			return tooMuch("the message has more than %d parts", 1000)
		}
		p, err := m.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
			if ours(err) || r.ctx.Err() != nil {
				return err
			}
			break // cut off: what came is kept
		}
		switch h := p.Header.(type) {
		case *mail.AttachmentHeader:
			if name, err := h.Filename(); err == nil && name != "" {
				attached = append(attached, oneLine(name))
			}
		case *mail.InlineHeader:
			kind, _, _ := h.ContentType() // "" where it says nothing
			switch {
			case kind == "text/html" && !plain:
				if err := parseHTML(r, p.Body); err != nil {
					return err
				}
			case kind == "text/plain" || kind == "":
				plain = true // what follows as HTML says the same
				if err := r.mailText(p.Body); err != nil {
					return err
				}
			}
		}
	}
	if len(attached) > 0 {
		return r.paragraph("Attached: " + strings.Join(attached, ", "))
	}
	return nil
}

func (r *reader) mailText(from io.Reader) error {
	var par strings.Builder
	end := func() error {
		text := par.String()
		par.Reset()
		return r.paragraph(text)
	}
	err := eachLine(from, func(line string) error {
		if strings.TrimSpace(line) == "" || par.Len() > maxParagraph {
			if err := end(); err != nil {
				return err
			}
		}
		if line = strings.TrimRight(line, " \t"); line != "" {
			if par.Len() > 0 {
				par.WriteByte('\n')
			}
			par.WriteString(line)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}
