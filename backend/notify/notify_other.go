//go:build darwin || windows

package notify

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"recollect/backend/memory"
)

// showWithin bounds the program that shows a notification.
const showWithin = 20 * time.Second

// system has the system's own script language show notifications. It does not tell of clicks.
type system struct{}

func (system) show(title, body string, _ func()) error {
	ctx, cancel := context.WithTimeout(context.Background(), showWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	// The texts come by the environment: nothing in them can be taken for a command.
	cmd.Env = append(os.Environ(), "RECOLLECT_TITLE="+title, "RECOLLECT_BODY="+body)
	hide(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return memory.Errorf(memory.EUNSUPPORTED, "notify", "the system shows no notifications: %w", fmt.Errorf("%w: %.200s", err, out))
	}
	return nil
}

func (system) close() {}
