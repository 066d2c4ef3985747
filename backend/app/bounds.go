package app

import (
	"cmp"
	"context"
)

// Bounds are where the window was when it was closed, in pixels of the screen.
type Bounds struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"` // X and Y are known
	Maximised bool `json:"maximised"`
}

// Screen is the part of a screen that windows may take, in pixels of all screens together.
type Screen struct{ X, Y, Width, Height int }

// The part of a window's top that must be on a screen for it to be found and dragged, in pixels.
const (
	graspWidth  = 120
	graspHeight = 24
)

// On returns the bounds for the screens that there are now: a window whose top is on none of them, since a screen is gone,
// has no place and is put where the system likes.
func (b Bounds) On(screens []Screen) Bounds {
	if !b.Placed {
		return b
	}
	for _, s := range screens {
		across := min(b.X+b.Width, s.X+s.Width) - max(b.X, s.X)
		if across >= graspWidth && b.Y >= s.Y-graspHeight && b.Y+graspHeight <= s.Y+s.Height {
			return b
		}
	}
	b.Placed = false
	return b
}

// defaultBounds is the size of a first window: three columns fit.
var defaultBounds = Bounds{Width: 1280, Height: 820} // a constant

// Bounds returns where the window was; a size for a first window where that is not known or makes no sense.
func (a *App) Bounds() Bounds {
	var b Bounds
	if err := a.settings.Decode(settingBounds, &b); err != nil || b.Width < 200 || b.Height < 200 || b.Width > 20000 || b.Height > 20000 {
		return defaultBounds
	}
	return b
}

// Theme is "light", "dark" or, for the system's, "".
func (a *App) Theme() string { return a.settings.String(settingTheme) }

// TextSize is the size of the page's text in percent.
func (a *App) TextSize() int { return cmp.Or(a.settings.Int(SettingTextSize), 100) }

// SaveBounds keeps where the window is. A failure is logged: it must not keep the window from closing.
func (a *App) SaveBounds(b Bounds) {
	if err := a.settings.Set(context.WithoutCancel(a.ctx), settingBounds, b); err != nil {
		a.log.Warn("The window's place was not kept.", "error", err)
	}
}
