//go:build desktop && !smoke

package main

import (
	"context"
	"net/http"
)

// smokeRoutes and smokeListen do nothing here; see smoke.go.
func smokeRoutes(next http.Handler) http.Handler { return next }

func smokeListen(context.Context, <-chan struct{}) {}
