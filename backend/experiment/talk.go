package experiment

import (
	"fmt"
	"strings"
)

// exchange is one turn.
type exchange struct{ user, answer string }

// counter counts tokens.
type counter interface{ Count(text string) int }

// smallTalk makes turns of a fixed length about nothing that matters, the same in each run. Each names a number of ten digits.
type smallTalk struct {
	counter counter
	tokens  int // of a turn
	state   uint64
}

func newSmallTalk(c counter, tokens int) *smallTalk {
	return &smallTalk{counter: c, tokens: tokens, state: 0x9e3779b97f4a7c15}
}

// draw returns a number below n.
func (t *smallTalk) draw(n int) int {
	t.state ^= t.state << 13
	t.state ^= t.state >> 7
	t.state ^= t.state << 17
	return int(t.state % uint64(n))
}

func pick(t *smallTalk, list []string) string { return list[t.draw(len(list))] }

var (
	things = []string{
		"the order of new chairs", "the parcel from the tailor", "the invoice for the roof", "the ticket of the ferry", "the meter in the cellar",
		"the contract for the telephone", "the booking of the cabin", "the guarantee of the kettle", "the claim at the insurance", "the tracking of the bicycle",
	}
	matters = []string{
		"The tomatoes on the balcony need water twice a day in this heat.", "Our neighbour plays the trumpet on Sunday mornings, not badly at all.",
		"The bakery at the corner has a new rye bread with walnuts.", "We walked along the canal until the lamps were lit.",
		"The film last night was longer than it had to be.", "My brother wants to repaint his kitchen in a pale yellow.",
		"The train was late again, so I read half of my novel on the platform.", "A heron stood in the pond of the park and did not move for an hour.",
		"The soup wanted more thyme and less salt.", "They are mending the bridge, and the bus goes round by the mill.",
		"The cat of the house next door sleeps in our flower bed.", "I tried the recipe with lentils, and the children asked for more.",
		"The choir looks for a second bass before the winter.", "The old clock in the hall stopped, and nobody has the key.",
		"We found a stone with a fossil in it on the beach.", "The market had the first cherries, small and sour.",
	}
	replies = []string{
		"That sounds like a day well spent.", "Heat like that is hard on plants and on people.", "A good loaf makes half a supper.",
		"Perhaps the second half is better; some books take their time.", "Herons have more patience than most of us.", "Pale yellow suits a kitchen that looks to the north.",
		"Thyme helps nearly every soup.", "Lentils keep well, so tomorrow is taken care of.", "Somebody will have put the key in a safe place.",
		"Sour cherries are the best for a cake.", "Such detours show one corners that one never sees.", "It is a pity about the flowers, and good for the cat.",
	}
)

// next returns another turn.
func (t *smallTalk) next() exchange {
	digits := fmt.Sprintf("%d%09d", 4+t.draw(6), t.draw(1_000_000_000)) // never begins as the number that is asked for
	return t.filled(exchange{
		user:   fmt.Sprintf("This morning I looked after %s: it has the number %s.", pick(t, things), digits),
		answer: pick(t, replies),
	})
}

// filled makes a turn as long as it is to be, with sentences at the end of both sides.
func (t *smallTalk) filled(e exchange) exchange {
	for t.counter.Count(e.user)+t.counter.Count(e.answer) < t.tokens {
		to, more := &e.user, pick(t, matters)
		if t.counter.Count(e.user) > t.counter.Count(e.answer) {
			to, more = &e.answer, pick(t, replies)
		}
		*to = strings.TrimSpace(*to + " " + more)
	}
	return e
}
