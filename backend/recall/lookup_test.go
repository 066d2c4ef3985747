package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestIdentifiers(t *testing.T) {
	for text, want := range map[string][]string{
		"What is the value of the key 94071D67-86df-455c-8ee9-691e492ff740?": {"94071d67-86df-455c-8ee9-691e492ff740"},
		`"a1b2c3": "RX-7800"`:                            {"a1b2c3", "rx-7800"},
		"订单号是48213，密码是xk42。":                             {"48213", "xk42"},
		"see /etc/hosts and C:\\temp\\x.log, not and/or": {"/etc/hosts", `c:\temp\x.log`},
		"write to ann@example.org, call user_id":         {"ann@example.org", "user_id"},
		"at 10:30 on 2024-03-15, 250ms, 90s, 3rd, 1,200": nil,
		"my flat is on the 4th floor, 20 %, 1990s, 2024": nil,
		"": nil,
	} {
		if got := identifiers(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAnIdentifierIsFoundWholeAndFollowed(t *testing.T) {
	h := newHouse(t)
	h.say(noise(20)...)
	chain := []string{"KEY-0a1b", "KEY-1c2d", "KEY-2e3f", "KEY-3a4b"}
	for i := range len(chain) - 1 {
		h.note(fmt.Sprintf("%s: %s", chain[i], chain[i+1]))
	}
	for i := range 30 { // much alike
		h.note(fmt.Sprintf("KEY-9%02d: KEY-8%02d", i, i))
	}
	r := h.recall()
	rc := h.ask(r, "What is the value of KEY-0a1b?")
	for i := range len(chain) - 1 {
		c := rc.Candidates[i]
		if !c.Taken || c.Hop != i+1 || !strings.HasPrefix(c.Text, chain[i]) {
			t.Errorf("candidate %d is %q (hop %d, %s), want %s", i, c.Text, c.Hop, c.Why, chain[i])
		}
	}
	// From the middle the chain is followed onward, not back.
	for _, c := range h.ask(r, "look up KEY-1c2d").Candidates {
		if c.Hop > 2 {
			t.Errorf("%q is %d steps away", c.Text, c.Hop)
		}
	}
}

func TestACircleOfKeysEnds(t *testing.T) {
	h := newHouse(t)
	h.note("RX-100: RX-200")
	h.note("RX-200: RX-100")
	if rc := h.ask(h.recall(), "RX-100"); len(rc.Candidates) != 2 {
		t.Errorf("%+v", rc.Candidates)
	}
}

func TestWhatManyTextsHaveIsNoIdentifier(t *testing.T) {
	h := newHouse(t)
	for i := range 20 {
		h.note(fmt.Sprintf("Flight LH4711 was late on day %d of the journey to town %d.", i, i))
	}
	for _, c := range h.ask(h.recall(), "When was LH4711 late?").Candidates {
		if c.Hop != 0 {
			t.Errorf("%q counts as looked up", c.Text)
		}
	}
}
