//go:build desktop && !linux

package main

import (
	"context"

	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"
)

// watchView has nothing to do here: the platform's view restarts its process by itself.
func watchView() {}

// reloadView loads the page again.
func reloadView(ctx context.Context) { wails_runtime.WindowReloadApp(ctx) }
