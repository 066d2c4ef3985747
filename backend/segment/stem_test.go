package segment

import "testing"

func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat", "is": "is", "gas": "ga",
		"feed": "feed", "refereed": "refere", "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat",
		"troubling": "troubl", "sized": "size", "hopping": "hop", "falling": "fall", "hissing": "hiss", "failing": "fail", "filing": "file",
		"happy": "happi", "sky": "sky", "played": "plai", "relational": "relat", "conditional": "condit", "generalization": "gener", "callousness": "callous",
		"apology": "apolog", "possibly": "possibl", "formative": "form", "electrical": "electr", "goodness": "good", "revival": "reviv",
		"adjustment": "adjust", "adoption": "adopt", "religion": "religion", "probate": "probat", "rate": "rate", "cease": "ceas", "controlling": "control",
		"roll": "roll", "honourableness": "honour", "counterrevolutionaries": "counterrevolutionari", "electroencephalographically": "electroencephalograph",
		"Cats": "Cats", "naïves": "naïves", "家猫": "家猫", "x1s": "x1s", "": "",
	} {
		if got := Stem(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// A stem that is how the word begins costs no memory.
func TestStemDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { Stem("motoring") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
