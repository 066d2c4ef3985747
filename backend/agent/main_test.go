package agent_test

import (
	"os"
	"testing"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
)

// TestMain lets this test binary be the guard of an engine of our own, and that engine.
func TestMain(m *testing.M) {
	enginetest.ServeInstalled()
	if len(os.Args) > 1 && os.Args[1] == engine.GuardCommand {
		os.Exit(engine.RunGuard(os.Args[2:]))
	}
	os.Exit(m.Run())
}
