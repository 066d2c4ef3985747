//go:build !desktop

package main

import (
	"context"
	"net/http"

	"recollect/backend/app"
)

// window is nil: a binary without the desktop tag has every subcommand but the window.
var window func(context.Context, *app.App, bool) error // decided by the build tag

// troubleWindow is nil as well.
var troubleWindow func(context.Context, http.Handler, <-chan struct{}) error // decided by the build tag

func canOpenWindow() error { return nil }

func relaunch(bool) error { return nil }
