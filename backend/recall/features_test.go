package recall

import (
	"testing"

	"recollect/backend/segment"
)

func TestADialogueIsAboutItsLatestLinesAndItsSpeakers(t *testing.T) {
	text := "Lisa: I lost my blue kite.\nAssistant: Where?\nLisa: In the park.\nAssistant: Was it windy?\nLisa: Very, and the ticket for the museum is gone too."
	d := dialogueOf(text)
	if !d.names("Lisa visits the museum") || d.names("Bart visits the museum") || d.names("The assistant answered") {
		t.Errorf("speakers %q", d.speakers)
	}
	if kite, museum := d.share(term{stem: segment.Stem("kite")}), d.share(term{stem: segment.Stem("museum")}); kite >= museum || museum != 1 {
		t.Errorf("the first line counts %v, the last %v", kite, museum)
	}
	if lately(text) == text || lately(text) == "" {
		t.Errorf("latest lines %q", lately(text))
	}
	for _, plain := range []string{"", "When do we meet: today or tomorrow?", "Note: buy milk\nthen call: Anna"} {
		if lately(plain) != "" || len(dialogueOf(plain).speakers) > 0 {
			t.Errorf("%q is taken for a dialogue", plain)
		}
	}
}

func TestWhatIsAskedForCountsOverWhatIsOnlyNear(t *testing.T) {
	h := newHouse(t)
	h.say(noise(60)...)
	h.say("My cello teacher is called Ines.", "I practise the cello on Mondays.", "I bought a cello in Ghent for 4,000 euros.")
	h.expect(h.recall(), pair{"I bought a cello in Ghent for 4,000 euros.", "How much did I pay for the cello I bought?"})
}

func TestAMessageAboutNobodyNeedsMoreEvidence(t *testing.T) {
	h := newHouse(t)
	h.say(noise(200)...)
	h.say("I wrote a note on the moon landing for my history class.")
	r := h.recall()
	if taken := takenTexts(h.ask(r, "how far away is the moon?")); len(taken) > 0 {
		t.Errorf("general knowledge brings %q", taken)
	}
	h.expect(r, pair{"I wrote a note on the moon landing for my history class.", "what did I write about the moon landing?"})
}

func TestSquashedScoresKeepTheirOrderBelowOne(t *testing.T) {
	last := squash(-2)
	for sum := -1.5; sum < 60; sum += .5 {
		s := squash(sum)
		if s <= last || s >= 1 {
			t.Fatalf("%v becomes %v after %v", sum, s, last)
		}
		if back := unsquash(s); back-sum > 1e-6 || sum-back > 1e-6 {
			t.Fatalf("%v comes back as %v", sum, back)
		}
		last = s
	}
}
