package ingest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// Begin returns the beginning of a text, at most so many tokens, up to the end of a sentence where there is one.
func Begin(text string, limit int) string {
	if parts := split(text, limit, sentenceEnds); len(parts) > 0 {
		return parts[0]
	}
	return ""
}

// inLanguage says to a model in which language it is to write.
var inLanguage = map[string]string{
	"en": " in English", "de": " in German", "fr": " in French", "es": " in Spanish", "it": " in Italian", "pt": " in Portuguese", "nl": " in Dutch",
	"ja": " in Japanese", "ko": " in Korean", "ru": " in Russian", "": " in the language of the text",
}

// SummaryQuestion asks a model to summarise a part of a document, in the document's language.
func SummaryQuestion(title, language, text string) string {
	title, text = memory.AsData(title, memory.FrameMessage), memory.AsData(text, memory.FrameMessage)
	text = strings.ReplaceAll(text, "\n"+rule, "\n "+rule) // which would end it
	if language == "zh" {
		return fmt.Sprintf("用两三句话概括横线之间的文字：它是什么、讲了什么，以及其中最重要的人名、数字和日期。只写文中有的内容，除概括外什么都不要写。\n\n标题：%s\n%s\n%s\n%[2]s", title, rule, text)
	}
	return fmt.Sprintf("Summarise what stands between the lines in two or three sentences%s: what it is, what it is about, and the most important names, numbers and dates. "+
		"Use only what stands there, and write nothing but the summary.\n\nTitle: %s\n%s\n%s\n%[3]s", inLanguage[language], title, rule, text)
}

const (
	rule         = "-----"
	summaryChars = 900 // of a model's summary at most
	grounded     = .4  // share of its words that must be the text's
	wordStart    = 5   // letters by which two forms of a word are the same
)

var (
	fences  = regexp.MustCompile("(?m)^\\s*```\\w*\\s*$")
	label   = regexp.MustCompile(`(?i)^\s*(?:[^\n]{0,80}[:：][ \t]*\n|[#*_>\s]*(?:summary|zusammenfassung|résumé|resumen|摘要|总结|概括|概述)[*_\s]*[:：][*_]*)\s*`)
	bullet  = regexp.MustCompile(`(?m)^\s*(?:[-*•]|\d+[.)])\s+`)
	refusal = regexp.MustCompile(`(?i)^\W*(?:(?:i['’]?m|i am) (?:sorry|unable)|sorry|i can(?:no|['’])?t|as an ai|unfortunately|抱歉|对不起|很遗憾|作为(?:一个)?(?:ai|人工智能))`)
	number  = regexp.MustCompile(`\d[\d.,:/ -]*\d`)
	digits  = regexp.MustCompile(`\d+`)
	between = regexp.MustCompile(`(\d)[.,\x{00a0}\x{202f} ](\d{3})`)
)

// CheckSummary returns what a model wrote as the summary of a text, without what stands around it. ok is false where it can
// be told to be none: it is empty, as long as the text, in another language, a refusal, goes round in circles, says a number
// that the text does not have, or speaks of something else.
func CheckSummary(written, text, language string) (summary string, ok bool) {
	s := strings.TrimSpace(fences.ReplaceAllString(written, ""))
	s = bullet.ReplaceAllString(label.ReplaceAllString(s, ""), "")
	s = strings.Trim(strings.Join(strings.Fields(s), " "), `"“”'「」 `)
	s, ok = sentencesOf(s)
	switch {
	case !ok, strings.Contains(s, rule), refusal.MatchString(s), segment.Tokens(s) >= segment.Tokens(text), circles(s):
		return "", false
	}
	got := guess(s)
	if script := slices.Contains([]string{"zh", "ja", "ko", "ru"}, language); language != "" && got != language && (script || got != "") {
		return "", false
	}
	return s, numbersIn(s, text) && about(s, text)
}

// sentencesOf cuts a text to its whole sentences, as many as a summary may have; ok says whether there is one.
func sentencesOf(s string) (string, bool) {
	r := []rune(s)
	end := 0
	for i := range r[:min(len(r), summaryChars)] {
		if strings.ContainsRune(".!?。！？…", r[i]) && (i+1 == len(r) || r[i] > unicode.MaxLatin1 || unicode.IsSpace(r[i+1])) {
			end = i + 1
		}
	}
	s = strings.TrimSpace(string(r[:end]))
	return s, utf8.RuneCountInString(s) >= 12
}

// circles says whether a text says the same again and again.
func circles(s string) bool {
	list := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".!?。！？", r) })
	seen := map[string]bool{}
	for i, sentence := range list {
		list[i] = strings.TrimSpace(sentence)
		seen[list[i]] = true
	}
	return len(seen) < len(list)
}

// numbersIn says whether each number of a summary with two digits or more is the text's.
func numbersIn(s, text string) bool {
	plain := func(s string) string { return between.ReplaceAllString(between.ReplaceAllString(s, "$1$2"), "$1$2") }
	known := map[string]bool{}
	for _, n := range append(digits.FindAllString(text, -1), digits.FindAllString(plain(text), -1)...) {
		known[strings.TrimLeft(n, "0")] = true
	}
	for _, n := range number.FindAllString(plain(s), -1) {
		for _, d := range digits.FindAllString(n, -1) {
			if len(d) > 1 && !known[strings.TrimLeft(d, "0")] {
				return false
			}
		}
	}
	return true
}

// about says whether enough of what a summary says is the text's.
func about(s, text string) bool {
	known := map[string]bool{}
	for _, w := range segment.Query(text) {
		known[start(w)] = true
	}
	mine := segment.Query(s)
	n := 0
	for _, w := range mine {
		if known[start(w)] {
			n++
		}
	}
	return len(mine) > 0 && float64(n) >= grounded*float64(len(mine))
}

// start returns what a word has in common with its other forms.
func start(w string) string {
	r := []rune(strings.Trim(w, `"* `))
	return string(r[:min(len(r), wordStart)])
}
