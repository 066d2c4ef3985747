//go:build desktop && linux

package main

/*
#include <signal.h>

// JavaScriptCore installs handlers for these signals without SA_ONSTACK after Wails has set the flag once. Without it
// the Go runtime ends the process on the first nil dereference, recovered or not (wailsapp/wails#3965).
static void restore_onstack(int signum) {
	struct sigaction st;
	if (sigaction(signum, NULL, &st) == 0 && !(st.sa_flags & SA_ONSTACK)) {
		st.sa_flags |= SA_ONSTACK;
		sigaction(signum, &st, NULL);
	}
}

static void restore_onstack_all(void) {
	restore_onstack(SIGSEGV);
	restore_onstack(SIGBUS);
	restore_onstack(SIGFPE);
}
*/
import "C"

import (
	"context"
	"time"
)

// keepSignalsOnStack sets SA_ONSTACK again at once and every 100 ms for 5 s, since the web view installs its handlers at
// a moment of its own. SIGUSR1 is left alone: the web view's garbage collector lives on it.
func keepSignalsOnStack(ctx context.Context) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for range 50 {
		C.restore_onstack_all()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
