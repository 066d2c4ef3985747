package ingest

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // of mails that are not in UTF-8
	"github.com/emersion/go-message/mail"
)

const (
	maxMails     = 8    // messages within messages
	maxMailParts = 1000 // of one message, and of those in it
)

// readEmail reads a message as it is saved from a mail program: who wrote it to whom, when and about what, then its text, and
// the messages that are attached to it. Of other attachments only the names are read.
func readEmail(r *reader) error {
	from := bufio.NewReader(r.bytes())
	// Some programs save a message as it stands in a mailbox, behind a line of the mailbox's own.
	if line, err := from.Peek(5); err == nil && string(line) == "From " {
		if _, err := from.ReadSlice('\n'); err != nil {
			return broken("the file is no e-mail message")
		}
	}
	m, err := message.Read(from)
	if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		if ours(err) || r.ctx.Err() != nil {
			return err
		}
		return broken("the file is no e-mail message")
	}
	head := headOf(mail.Header{Header: m.Header})
	if len(head.lines) == 0 {
		return broken("the file is no e-mail message")
	}
	r.meta.Title, r.meta.Author, r.meta.Created = head.subject, head.from, head.date
	e := email{reader: r}
	return e.message(m, head, 0)
}

// mailHead is what the head of a message says, and as lines of text.
type mailHead struct {
	subject, from string
	date          time.Time
	lines         []string
}

func headOf(h mail.Header) (head mailHead) {
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
			head.from = strings.Join(who, ", ")
		}
		head.lines = append(head.lines, name+": "+strings.Join(who, ", "))
	}
	if at, err := h.Date(); err == nil {
		if head.date = plausible(at); !head.date.IsZero() {
			head.lines = append(head.lines, "Date: "+at.Format("2006-01-02 15:04 -0700"))
		}
	}
	if subject, err := h.Subject(); err == nil && subject != "" {
		head.subject = oneLine(subject)
		head.lines = append(head.lines, "Subject: "+head.subject)
	}
	return head
}

// email is the reading of a message with those in it.
type email struct {
	*reader
	parts int
}

func (e *email) message(m *message.Entity, head mailHead, depth int) error {
	if err := e.lines(table, strings.Join(head.lines, "\n"), 0); err != nil {
		return err
	}
	var attached []string
	if _, err := e.part(m, depth, false, &attached); err != nil {
		return err
	}
	if len(attached) > 0 {
		return e.paragraph("Attached: " + strings.Join(attached, ", "))
	}
	return nil
}

// part reads a part of a message with the parts in it, and reports whether it says something. known says that another form of the
// same was read: then only what is attached is noted.
func (e *email) part(p *message.Entity, depth int, known bool, attached *[]string) (said bool, err error) {
	if e.parts++; e.parts > maxMailParts {
		return false, tooMuch("the message has more than %d parts", maxMailParts)
	}
	kind, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type")) // "" where it says nothing
	if parts := p.MultipartReader(); parts != nil {
		for {
			one, err := parts.NextPart()
			if errors.Is(err, io.EOF) {
				return said, nil
			}
			if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
				if ours(err) || e.ctx.Err() != nil {
					return said, err
				}
				return said, nil // cut off: what came is kept
			}
			// Of forms of the same the first that says something is read, whichever it is.
			says, err := e.part(one, depth, known || said && kind == "multipart/alternative", attached)
			if err != nil {
				return said, err
			}
			said = said || says
		}
	}
	how, _, _ := p.Header.ContentDisposition()
	inline := how == "inline" || how != "attachment" && (kind == "" || strings.HasPrefix(kind, "text/"))
	name, _ := (&mail.AttachmentHeader{Header: p.Header}).Filename() // "" where it has none
	switch {
	case kind == "message/rfc822" && depth < maxMails:
		read, err := e.within(p.Body, depth+1)
		if err != nil {
			return false, err
		}
		if !read && name != "" {
			*attached = append(*attached, oneLine(name))
		}
	case !inline && name != "":
		*attached = append(*attached, oneLine(name))
	case !inline || known:
	case kind == "text/html":
		return e.says(func() error { return parseHTML(e.reader, p.Body) })
	case kind == "text/plain" || kind == "":
		return e.says(func() error { return e.mailText(p.Body) })
	}
	return false, nil
}

// says reads the text of a part, and reports whether there is any.
func (e *email) says(read func() error) (bool, error) {
	before := e.said
	err := read()
	return e.said > before, err
}

// within reads a message that is part of another one, and says whether it is one.
func (e *email) within(body io.Reader, depth int) (bool, error) {
	m, err := message.Read(body)
	if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		if ours(err) || e.ctx.Err() != nil {
			return false, err
		}
		return false, nil
	}
	head := headOf(mail.Header{Header: m.Header})
	if len(head.lines) == 0 {
		return false, nil
	}
	return true, e.message(m, head, depth)
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
