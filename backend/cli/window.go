package cli

import (
	"context"
	"errors"
	"flag"

	"recollect/backend/app"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

// stayingOptions are those of an app that stays open for a person, who will ask something sooner or later.
func (in *invocation) stayingOptions() app.Options {
	o := in.options()
	o.Warm = true
	return o
}

func windowCommand() command {
	return command{
		name: "",
		flags: func(set *flag.FlagSet, in *invocation) {
			set.BoolVar(&in.minimised, "minimised", false, in.words.flags["minimised"])
		},
		run: runWindow,
	}
}

func runWindow(ctx context.Context, in *invocation) error {
	if client, err := in.find(ctx); err == nil {
		return in.focus(ctx, client)
	} else if memory.CodeOf(err) != memory.ENOTFOUND {
		return err
	}
	if in.Window == nil {
		return memory.Errorf(memory.EUNSUPPORTED, "open the window",
			"this binary has no window (it was built without the desktop tag); use `recollect serve` and open its link in a browser, or `recollect chat`")
	}
	if err := in.CanOpen(); err != nil {
		return err
	}
	o := in.stayingOptions()
	o.CanRestart = true
	if in.minimised {
		o.Warm = false // nobody is about to ask
	}
	client, a, err := in.findOrStart(ctx, o)
	if err != nil {
		return in.explain(ctx, err)
	}
	if a == nil {
		return in.focus(ctx, client)
	}
	err = in.Window(ctx, a, in.minimised)
	in.close(a)
	switch {
	case errors.Is(err, app.ErrBlank):
		return in.Relaunch(true)
	case errors.Is(err, app.ErrRestart):
		return in.Relaunch(false)
	}
	return err
}

// focus brings the window of the running instance to the front; where it has none, it opens its page in the browser and
// tells where that is.
func (in *invocation) focus(ctx context.Context, client *instance.Client) error {
	if in.minimised {
		return nil
	}
	window, link, err := client.Focus(ctx)
	if err != nil {
		return err
	}
	switch {
	case window:
	case in.Browse != nil && in.Browse(link) == nil:
		in.printf(in.words.inBrowser, link)
	default:
		in.printf(in.words.noWindow, link)
	}
	return nil
}

func serveCommand() command {
	return command{
		name: "serve",
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.addr, "addr", "127.0.0.1:0", in.words.flags["addr"])
			set.BoolVar(&in.allowRemote, "allow-remote", false, in.words.flags["allow-remote"])
		},
		run: runServe,
	}
}

func runServe(ctx context.Context, in *invocation) error {
	if _, err := app.CheckAddr(in.addr, in.allowRemote); err != nil {
		return usageError{in.words.failure(memory.EINVALID, err)}
	}
	o := in.stayingOptions()
	o.CanRestart = true
	for first := true; ; first = false {
		client, a, err := in.findOrStart(ctx, o)
		if err != nil {
			return err
		}
		if a == nil {
			return in.served(client.Info().URL, true)
		}
		if first {
			err = in.served(a.Info().URL, false)
			if err == nil && a.Remote() {
				_, _ = in.Stderr.Write([]byte(in.words.exposed))
			}
		}
		if err != nil {
			in.close(a)
			return err
		}
		select {
		case <-ctx.Done():
			in.close(a)
			return nil
		case <-a.Restart():
			// The page that is open finds the app again where it was.
			o.Addr, o.Token = a.Bound(), a.Info().Token
			in.close(a)
		}
	}
}

func (in *invocation) served(link string, already bool) error {
	if in.json {
		return in.printJSON(map[string]any{"url": link, "already_running": already})
	}
	if already {
		in.printf(in.words.already, link)
		return nil
	}
	in.printf(in.words.serving, link)
	return nil
}
