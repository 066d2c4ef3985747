//go:build desktop

package main

import (
	"runtime"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"recollect/backend/api"
)

// hasMenuBar says whether programs have a menu bar here. On macOS the keys for editing come from it; elsewhere a window
// like this one has none.
const hasMenuBar = runtime.GOOS == "darwin"

// menuBar holds what every program has, and what the page can do; run runs an action of the page.
func menuBar(m api.Menu, run func(id string)) *menu.Menu {
	if !hasMenuBar {
		return nil
	}
	bar := menu.NewMenu()
	bar.Append(menu.AppMenu())
	for i, group := range m.Groups {
		if i == 1 {
			bar.Append(menu.EditMenu()) // second, where it is looked for
		}
		sub := bar.AddSubmenu(group.Title)
		for _, item := range group.Items {
			shortcut, err := keys.Parse(item.Keys)
			if err != nil {
				shortcut = nil // the item works without
			}
			sub.AddText(item.Label, shortcut, func(*menu.CallbackData) { run(item.ID) })
		}
	}
	if len(m.Groups) < 2 {
		bar.Append(menu.EditMenu())
	}
	bar.Append(menu.WindowMenu())
	return bar
}

// SetMenu puts what the page can do into the menu bar, where there is one.
func (s *shell) SetMenu(m api.Menu) error {
	ctx, err := s.opened()
	if err != nil || !hasMenuBar {
		return err
	}
	wails_runtime.MenuSetApplicationMenu(ctx, menuBar(m, func(id string) { wails_runtime.EventsEmit(ctx, "run", id) }))
	wails_runtime.MenuUpdateApplicationMenu(ctx)
	return nil
}
