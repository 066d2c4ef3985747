package memory

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits that only the rules below know.
const (
	maxDescriptionChars = 2000 // of a block; it is part of the prompt
	maxTagChars         = 64
	maxNameChars        = 200 // of an agent, an archive, a conversation's title
	maxFileNameChars    = 255 // of a document's file
)

// CleanText returns s as it may be stored: valid UTF-8 (what is not becomes U+FFFD) without NUL characters.
func CleanText(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	return s
}

// Blank reports whether nothing of s can be seen: it is empty, or holds only white space and characters that tell how others
// are shown, such as marks of direction.
func Blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && r != '\u2800' && // the Braille pattern without dots
			!unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	})
}

// SameLabel reports whether two labels count as the same: case does not distinguish blocks.
func SameLabel(a, b string) bool { return strings.EqualFold(a, b) }

// ValidateBlock returns b as it may be stored: text cleaned, label trimmed, limit filled in, tags in order. It fails
// with EINVALID for a label or tag that cannot be, and with ELIMIT for anything too long.
func ValidateBlock(b Block) (Block, error) {
	const op = "validate block"
	b.Label = strings.TrimSpace(CleanText(b.Label))
	b.Value = CleanText(b.Value)
	b.Description = strings.TrimSpace(CleanText(b.Description))
	if b.Label == "" {
		return b, Errorf(EINVALID, op, "the block needs a label")
	}
	for _, r := range b.Label {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N) && r != '_' && r != '-' && r != ' ' {
			return b, Errorf(EINVALID, op, "the label %q may contain only letters, digits, blanks, - and _", b.Label)
		}
	}
	if err := within(op, "the label", b.Label, MaxLabelChars); err != nil {
		return b, err
	}
	if b.Limit == 0 {
		b.Limit = DefaultBlockLimit
	}
	if b.Limit < 0 {
		return b, Errorf(EINVALID, op, "the limit of block %q cannot be negative", b.Label)
	}
	if b.Limit > MaxBlockLimit {
		e := Errorf(ELIMIT, op, "the limit of a block can be at most %d characters", MaxBlockLimit)
		e.Limit, e.Actual = MaxBlockLimit, b.Limit
		return b, e
	}
	if err := within(op, `block "`+b.Label+`"`, b.Value, b.Limit); err != nil {
		return b, err
	}
	if err := within(op, "the description", b.Description, maxDescriptionChars); err != nil {
		return b, err
	}
	var err error
	b.Tags, err = ValidateTags(b.Tags)
	return b, err
}

// Apply returns b with the change made by actor and checked as ValidateBlock does. It fails with EREADONLY when the
// model changes a read-only block, and with ECONFLICT when b has moved on from IfVersion. Version and times are left
// to the store.
func (c BlockChange) Apply(b Block, actor Actor) (Block, error) {
	const op = "update block"
	if err := b.Writable(op, actor); err != nil {
		return b, err
	}
	if c.IfVersion != 0 && c.IfVersion != b.Version {
		return b, Errorf(ECONFLICT, op, "block %q is at version %d now, not %d", b.Label, b.Version, c.IfVersion)
	}
	set(&b.Label, c.Label)
	set(&b.Value, c.Value)
	set(&b.Description, c.Description)
	set(&b.Limit, c.Limit)
	set(&b.ReadOnly, c.ReadOnly)
	set(&b.Pinned, c.Pinned)
	set(&b.Tags, c.Tags)
	return ValidateBlock(b)
}

// Writable returns an EREADONLY error when actor may not change b.
func (b Block) Writable(op string, actor Actor) error {
	if b.ReadOnly && actor == ActorModel {
		return Errorf(EREADONLY, op, "block %q is read-only", b.Label)
	}
	return nil
}

// ValidatePassage returns p as it may be stored. It fails with EINVALID for an empty text and ELIMIT for one that is
// too long.
func ValidatePassage(p Passage) (Passage, error) {
	const op = "validate passage"
	p.Text = strings.TrimSpace(CleanText(p.Text))
	if Blank(p.Text) {
		return p, Errorf(EINVALID, op, "the passage is empty")
	}
	if err := within(op, "the passage", p.Text, MaxPassageChars); err != nil {
		return p, err
	}
	var err error
	p.Tags, err = ValidateTags(p.Tags)
	return p, err
}

// ValidateMessage returns m as it may be stored. It fails with EINVALID for an unknown role or an empty user message,
// and with ELIMIT, remedy "store_in_archive", for a user message that is too long.
func ValidateMessage(m Message) (Message, error) {
	const op = "validate message"
	m.Content, m.Preamble, m.Thinking = CleanText(m.Content), CleanText(m.Preamble), CleanText(m.Thinking)
	m.Speaker = CleanText(m.Speaker)
	switch m.Role {
	case RoleAssistant, RoleTool:
	case RoleUser:
		if Blank(m.Content) {
			return m, Errorf(EINVALID, op, "the message is empty")
		}
		n, err := validateFiles(m.Files)
		if err != nil {
			return m, err
		}
		if n += utf8.RuneCountInString(m.Content); n > MaxMessageChars {
			e := Errorf(ELIMIT, op, "the message has %d characters; at most %d are possible", n, MaxMessageChars)
			e.Limit, e.Actual, e.Remedy = MaxMessageChars, n, RemedyStoreInArchive
			return m, e
		}
	default:
		return m, Errorf(EINVALID, op, "there is no role %q", m.Role)
	}
	return m, nil
}

// validateFiles checks the files of a message, and returns the characters of the texts among them.
func validateFiles(files []MessageFile) (chars int, err error) {
	const op = "validate message"
	if len(files) > MaxFiles {
		return 0, limitError(op, "the message has %d files; at most %d are possible", len(files), MaxFiles)
	}
	images := 0
	for i := range files {
		f := &files[i]
		if f.Name, err = ValidateName(f.Name); err != nil {
			return 0, err
		}
		f.Bytes = len(f.Content)
		switch kind := imageType(f.Content); {
		case f.Bytes == 0:
			return 0, Errorf(EINVALID, op, "%s is empty", f.Name)
		case kind != "":
			f.Type = kind
			images += f.Bytes
		case bytes.IndexByte(f.Content, 0) >= 0 || !utf8.Valid(f.Content):
			return 0, Errorf(EINVALID, op, "%s is neither a text in UTF-8 nor an image in PNG, JPEG or WebP", f.Name)
		default:
			f.Type = "text/plain"
			chars += utf8.RuneCount(f.Content)
		}
	}
	if images > MaxImageBytes {
		return 0, limitError(op, "the images of the message have %d bytes; at most %d are possible", images, MaxImageBytes)
	}
	return chars, nil
}

// imageType returns the media type of an image that models read, "" for anything else.
func imageType(content []byte) string {
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case len(content) > 12 && string(content[:4]) == "RIFF" && string(content[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

func limitError(op, format string, actual, limit int) error {
	e := Errorf(ELIMIT, op, format, actual, limit)
	e.Actual, e.Limit = actual, limit
	return e
}

// ValidateName returns a name or title as it may be stored: cleaned, trimmed, on one line. It fails with EINVALID when
// nothing is left and with ELIMIT when it is too long.
func ValidateName(s string) (string, error) {
	return validateName(s, maxNameChars)
}

// ValidateFileName does the same for the name of a file, which may be as long as file systems let it be.
func ValidateFileName(s string) (string, error) {
	return validateName(s, maxFileNameChars)
}

func validateName(s string, limit int) (string, error) {
	const op = "validate name"
	s = strings.Join(strings.Fields(CleanText(s)), " ")
	if Blank(s) {
		return s, Errorf(EINVALID, op, "the name is empty")
	}
	return s, within(op, "the name", s, limit)
}

// ValidateTags returns tags cleaned, without empty ones and duplicates, in their order; never nil. It fails with ELIMIT
// when there are too many or one is too long.
func ValidateTags(tags []string) ([]string, error) {
	const op = "validate tags"
	out := make([]string, 0, len(tags))
	for _, t := range tags {
		t = strings.Join(strings.Fields(CleanText(t)), " ")
		if Blank(t) || slices.Contains(out, t) {
			continue
		}
		if err := within(op, "a tag", t, maxTagChars); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) > MaxTags {
		e := Errorf(ELIMIT, op, "%d tags; at most %d are possible", len(out), MaxTags)
		e.Limit, e.Actual = MaxTags, len(out)
		return nil, e
	}
	return out, nil
}

// within returns an ELIMIT error when s has more than limit characters.
func within(op, what, s string, limit int) error {
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return nil
	}
	e := Errorf(ELIMIT, op, "%s would have %d characters; at most %d are possible", what, n, limit)
	e.Limit, e.Actual = limit, n
	return e
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
