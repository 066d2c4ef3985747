package cli

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"recollect/backend/app"
	"recollect/backend/datafolder"
	"recollect/backend/instance"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/trouble"
)

// explain shows in a window why the app does not start, for people who see no terminal, and starts it anew when they wish
// so. It returns why it did not start.
func (in *invocation) explain(ctx context.Context, cause error) error {
	code := memory.CodeOf(cause)
	if in.Trouble == nil || in.minimised || ctx.Err() != nil || code == memory.EBUSY {
		return cause
	}
	home, err := datafolder.Locate(in.home)
	if err != nil {
		home = in.home
	}
	w := in.words.trouble
	w.Language = map[string]string{"zh": "zh-CN", "en": "en"}[in.words.language()]
	w.Problem = in.words.failure(code, cause)
	if p := memory.ProblemOf(cause); in.words == &english && p != nil {
		w.Problem = sentence(p.Message) // without what was being done, which is clear here
	}
	if code != memory.ECORRUPT { // its next step is on the page
		w.Remedy = in.words.remedy(cause)
	}
	page := trouble.New(trouble.Deps{
		Words: w, Damaged: code == memory.ECORRUPT, BackupDir: app.BackupDir(home),
		Restore: func(ctx context.Context, file string) (string, error) {
			lock, err := instance.Acquire(home)
			if err != nil {
				return "", err
			}
			defer func() { _ = lock.Release() }()
			return store.Restore(ctx, file, app.DatabasePath(home), time.Now)
		},
		Failure: func(err error) string { return in.words.failure(memory.CodeOf(err), err) },
	})
	if err := in.Trouble(ctx, page, page.Done()); err != nil {
		return cause // nor can a window say so
	}
	if page.Again() {
		return in.Relaunch(false)
	}
	return cause
}

// sentence makes a sentence of a message.
func sentence(message string) string {
	r, n := utf8.DecodeRuneInString(message)
	return string(unicode.ToUpper(r)) + strings.TrimRight(message[n:], ".") + "."
}
