//go:build desktop && !linux

package main

import (
	"context"

	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"recollect/backend/app"
)

// guardView has nothing to do here: the platform's view restarts its process by itself.
func guardView() {}

// reloadView loads the page again.
func reloadView(ctx context.Context) { wails_runtime.WindowReloadApp(ctx) }

// screens returns the screen that the window is on, where Wails counts from its corner.
func screens(ctx context.Context) []app.Screen {
	all, err := wails_runtime.ScreenGetAll(ctx)
	if err != nil {
		return nil
	}
	var list []app.Screen
	for _, s := range all {
		if s.IsCurrent {
			list = append(list, app.Screen{Width: s.Size.Width, Height: s.Size.Height})
		}
	}
	return list
}

// moveWindow puts the window at a place of the screen that it is on.
func moveWindow(ctx context.Context, x, y int) { wails_runtime.WindowSetPosition(ctx, x, y) }

// zoomView has nothing to do here: the page enlarges its text itself.
func zoomView(int) {}

// droppedPaths returns nothing here: the page gets dropped files itself.
func droppedPaths() []string { return nil }
