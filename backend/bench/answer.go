package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// streamedAnswer measures what an answer of 20 KB costs the page while it streams: all the work of its main thread, from
// the moment that the question is sent until the finished answer is shown.
func streamedAnswer(ctx context.Context, o Options) ([]Result, error) {
	if o.Page == nil {
		return nil, missing{"the page was not built into this binary"}
	}
	const size, speed = 20 << 10, 150 // bytes; tokens a second: five of them in each update of the page
	b, err := browse(ctx, o)
	if err != nil {
		return nil, err
	}
	defer b.close()
	run, err := startApp(ctx, o, filepath.Join(o.Dir, "answer"))
	if err != nil {
		return nil, err
	}
	defer run.close()
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	if err := b.call(ctx, "Page.navigate", map[string]any{"url": run.Info().URL}, nil); err != nil {
		return nil, err
	}
	if err := b.until(ctx, `document.querySelector("#composer:not([disabled])")`); err != nil {
		return nil, err
	}
	// A first short turn, so that code which is loaded on demand is there.
	if err := run.ask(ctx, b, "Hello.", 1); err != nil {
		return nil, err
	}
	run.player.say(prose(size), speed)
	before, err := b.metrics(ctx)
	if err != nil {
		return nil, err
	}
	if err := run.ask(ctx, b, "Tell me a long story.", 2); err != nil {
		return nil, err
	}
	after, err := b.metrics(ctx)
	if err != nil {
		return nil, err
	}
	o.note("script %.2f s, layout %.2f s, style %.2f s, all %.2f s", after["ScriptDuration"]-before["ScriptDuration"], after["LayoutDuration"]-before["LayoutDuration"],
		after["RecalcStyleDuration"]-before["RecalcStyleDuration"], after["TaskDuration"]-before["TaskDuration"])
	cost := after["TaskDuration"] - before["TaskDuration"]
	return []Result{lower(fmt.Sprintf("page: CPU for a streamed answer of %d KB", size>>10), cost, "s", 0.3)}, nil
}

// ask types a question into the page and waits until the answer, the page's n-th, is there.
func (r *running) ask(ctx context.Context, b *browser, question string, n int) error {
	events := r.Subscribe(ctx)
	if err := b.call(ctx, "Runtime.evaluate", map[string]any{"expression": `document.querySelector("#composer").focus()`}, nil); err != nil {
		return err
	}
	if err := b.call(ctx, "Input.insertText", map[string]any{"text": question}, nil); err != nil {
		return err
	}
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		key := map[string]any{"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
		if err := b.call(ctx, "Input.dispatchKeyEvent", key, nil); err != nil {
			return err
		}
	}
	if _, err := await(ctx, events, "turn.done", "message_id"); err != nil {
		return err
	}
	return b.until(ctx, fmt.Sprintf(`document.querySelectorAll("article.answer").length >= %d && !document.querySelector("[aria-busy=true]")`, n))
}
