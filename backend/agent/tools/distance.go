package tools

import (
	"slices"
	"strings"
	"unicode"
)

// distance returns the edit distance of two short names, or more than limit when it is larger than that.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return limit + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before := row[0]
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			before, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, before+cost)
		}
	}
	return row[len(y)]
}

// sortedWords returns the words of a name in alphabetical order.
func sortedWords(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Sort(words)
	return strings.Join(words, " ")
}

// likeness returns how alike two texts are, 0 to 1: the share of pairs of neighbouring letters that they have in common.
func likeness(a, b string) float64 {
	x, y := pairs(a), pairs(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	common, total := 0, 0
	for p, n := range x {
		common += min(n, y[p])
		total += n
	}
	for _, n := range y {
		total += n
	}
	return 2 * float64(common) / float64(total)
}

func pairs(s string) map[[2]rune]int {
	r := []rune(plain(s))
	m := map[[2]rune]int{}
	for i := 0; i+1 < len(r); i++ {
		m[[2]rune{r[i], r[i+1]}]++
	}
	return m
}
