//go:build desktop && !linux

package main

import "context"

// keepSignalsOnStack has nothing to do here: only WebKitGTK takes the flag away.
func keepSignalsOnStack(context.Context) {}
