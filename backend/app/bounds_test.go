package app

import "testing"

func TestBoundsOnScreens(t *testing.T) {
	one := []Screen{{0, 0, 1440, 900}}
	two := []Screen{{0, 0, 1440, 900}, {-1920, 100, 1920, 1080}}
	at := func(x, y int) Bounds { return Bounds{Width: 1000, Height: 700, X: x, Y: y, Placed: true} }
	for name, c := range map[string]struct {
		b       Bounds
		screens []Screen
		placed  bool
	}{
		"where it was":               {at(100, 50), one, true},
		"partly beyond the right":    {at(1300, 50), one, true},
		"almost beyond the right":    {at(1400, 50), one, false},
		"partly beyond the left":     {at(-800, 50), one, true},
		"on the screen to the left":  {at(-1500, 200), two, true},
		"on a screen that is gone":   {at(-1500, 200), one, false},
		"above the screen":           {at(100, -200), one, false},
		"its frame above the screen": {at(100, -20), one, true},
		"below the screen":           {at(100, 890), one, false},
		"no screen is known":         {at(100, 50), nil, false},
		"never placed":               {Bounds{Width: 1000, Height: 700}, one, false},
	} {
		got := c.b.On(c.screens)
		if got.Placed != c.placed || got.Width != c.b.Width || got.Height != c.b.Height {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
