package ingest

import (
	"bytes"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const sampleBytes = 64 << 10 // of a file that tell its encoding

// candidates are encodings that say nothing about themselves, each with characters that are frequent in what is written in it.
var candidates = []struct {
	encoding encoding.Encoding
	frequent string
	letters  bool // one byte a letter, which fits anything: only where most letters are such ones
}{
	{simplifiedchinese.GB18030, "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴切苦钟", false},
	{traditionalchinese.Big5, "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九笑性通目華報立馬命張活難神數件安表原車白應路期叫死常提感金何更反合放做系計或司利受光王果親界及今京務制解各任至清物台象記邊共風戰干接它許八特覺望直服毛林題建南度統色字請交愛讓認算論百吃義科怎元社術結六功指思非流每青管夫連遠資隊跟帶花快條院變聯言權往展該領傳近留紅治決周保達辦運", false},
	{japanese.ShiftJIS, "のにはをたがでてとしれさいるなあもりらかうこくきっつそよ、。ーンスルトイラ日本人大年一国会中出時分行前生者月上", false},
	{japanese.EUCJP, "のにはをたがでてとしれさいるなあもりらかうこくきっつそよ、。ーンスルトイラ日本人大年一国会中出時分行前生者月上", false},
	{korean.EUCKR, "이다의는에가을를고하지사기은로한도리어자시인나정대서해그아일수", false},
	{charmap.Windows1251, "оеаинтсрвлкмдпуяыьгзбчй", true},
	{charmap.KOI8R, "оеаинтсрвлкмдпуяыьгзбчй", true},
}

// encodingOf tells the encoding of a text file; nil is UTF-8. ok is false where the file is no text.
func encodingOf(f io.ReaderAt, size int64) (e encoding.Encoding, ok bool) {
	head := sampleAt(f, 0)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return nil, true
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), true
	}
	if bytes.IndexByte(head, 0) >= 0 || control(head) {
		return wide(head)
	}
	// A long beginning in plain ASCII tells nothing: the first part that does is looked for.
	sample, at := head, int64(0)
	for next := int64(len(head)); ascii(sample) && next < size; next += sampleBytes {
		at = next
		if sample = sampleAt(f, at); bytes.IndexByte(sample, 0) >= 0 {
			return nil, false
		}
	}
	if validUTF8(sample, at+int64(len(sample)) < size) {
		return nil, true
	}
	return legacy(sample), true
}

func sampleAt(f io.ReaderAt, at int64) []byte {
	b := make([]byte, sampleBytes)
	n, _ := f.ReadAt(b, at) // what can be read is looked at
	return b[:n]
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// validUTF8 allows for characters that the sample cuts in two: at its beginning, and at its end where there is more.
func validUTF8(b []byte, more bool) bool {
	for i := 0; i < utf8.UTFMax && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
		b = b[1:]
	}
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			return more && len(b) < utf8.UTFMax && !utf8.FullRune(b)
		}
		b = b[n:]
	}
	return true
}

// wide tells UTF-16 without a mark from what is no text: its Latin letters have zeros on one side, and what is written in
// Chinese has the characters that are frequent there.
func wide(b []byte) (encoding.Encoding, bool) {
	var zeros [2]int
	for i, c := range b {
		if c == 0 {
			zeros[i&1]++
		}
	}
	pairs := max(len(b)/2, 1)
	switch {
	case zeros[1]*2 > pairs && zeros[0]*20 < pairs:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), true
	case zeros[0]*2 > pairs && zeros[1]*20 < pairs:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), true
	}
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		e := unicode.UTF16(order, unicode.IgnoreBOM)
		for _, c := range candidates {
			if fits(e, b[:len(b)&^1], c.frequent) > likely {
				return e, true
			}
		}
	}
	return nil, false
}

// control says whether there are more control characters than a text has.
func control(b []byte) bool {
	n := 0
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v' && c != '\b' && c != 0x1b {
			n++
		}
	}
	return n*50 > len(b)
}

// likely is the share of its letters that must be frequent ones for a text to be written in a language.
const likely = 0.25

// legacy returns the encoding in which a sample reads best.
func legacy(sample []byte) encoding.Encoding {
	var best encoding.Encoding = charmap.Windows1252
	most := likely
	for _, c := range candidates {
		if share := fits(c.encoding, sample, c.frequent); share > most && (!c.letters || mostlyHigh(sample)) {
			best, most = c.encoding, share
		}
	}
	return best
}

// fits returns which share of the letters beyond ASCII that a sample has in an encoding are frequent ones; 0 where it is none.
func fits(e encoding.Encoding, sample []byte, often string) float64 {
	decoded, err := e.NewDecoder().Bytes(sample)
	if err != nil {
		return 0
	}
	frequent := map[rune]bool{}
	for _, r := range often {
		frequent[r] = true
	}
	all, good, bad := 0, 0, 0
	for _, r := range string(decoded) {
		switch {
		case r == utf8.RuneError:
			bad++
		case r >= utf8.RuneSelf:
			all++
			if frequent[r] {
				good++
			}
		}
	}
	if bad > 2 && bad*100 > all { // the sample may cut a character at each end
		return 0
	}
	return float64(good) / float64(max(all, 1))
}

// mostlyHigh tells whether most letters are beyond ASCII, as in a language that is not written in Latin letters.
func mostlyHigh(sample []byte) bool {
	high, low := 0, 0
	for _, c := range sample {
		switch {
		case c >= utf8.RuneSelf:
			high++
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			low++
		}
	}
	return high > low
}

// text returns the file as UTF-8 that is read piece by piece.
func (r *reader) text() (io.Reader, error) {
	e, ok := encodingOf(r.src.File, r.src.Bytes)
	if !ok {
		return nil, r.binary()
	}
	raw := r.bytes()
	if e == nil {
		e = unicode.UTF8BOM // replaces what is no UTF-8
	}
	return transform.NewReader(raw, e.NewDecoder()), nil
}

// binary says that a file is no text. One that is called a text is one that was damaged.
func (r *reader) binary() error {
	problem := unknown
	ext := strings.ToLower(filepath.Ext(r.src.Name))
	if ext == ".txt" || slices.ContainsFunc(slices.Collect(maps.Values(extensions)), func(list []string) bool { return slices.Contains(list, ext) }) {
		problem = broken
	}
	return problem("%s holds binary data, not text", r.src.Name)
}

// bytes returns the file as it is; reading it is its progress.
func (r *reader) bytes() io.Reader {
	return &counted{r: r, from: io.NewSectionReader(r.src.File, 0, r.src.Bytes)}
}

type counted struct {
	r    *reader
	from io.Reader
	n    int64
}

// Read reads, tells how far it is, and stops where the reading of the document is stopped.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	if stop := c.r.read(c.n); stop != nil {
		return n, stop
	}
	return n, err
}
