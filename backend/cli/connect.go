package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"recollect/backend/app"
	"recollect/backend/autostart"
	"recollect/backend/datafolder"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

// closeWithin bounds how long the end of the program waits for turns and the engine to stop.
const closeWithin = 20 * time.Second

// noteWithin bounds how long the end of the program waits for what the model notes of the last message.
const noteWithin = time.Minute

// lookEvery is how often the end of the program looks whether others are still being answered.
const lookEvery = 100 * time.Millisecond

// options are those of an app that this command line starts.
func (in *invocation) options() app.Options {
	o := app.Options{
		Home: in.home, Version: in.Version, Env: in.Getenv, Page: in.Page,
		Beside: filepath.Dir(in.Executable), Addr: in.addr, AllowRemote: in.allowRemote,
	}
	if in.Window != nil {
		command := []string{in.Executable, "--minimised"}
		if in.homeNamed {
			command = append(command, "--home", in.home)
		}
		o.Autostart = autostart.Entry{Command: command, Env: in.Getenv}
	}
	return o
}

// connect returns a client of the instance that owns the data folder. Where none runs, this process becomes it until the
// returned function is called.
func (in *invocation) connect(ctx context.Context) (*instance.Client, func(), error) {
	client, a, err := in.findOrStart(ctx, in.options())
	if err != nil {
		return nil, nil, err
	}
	if a == nil {
		in.speakAs(ctx, client)
		return client, func() {}, nil
	}
	client = instance.NewClient(a.Info())
	in.speakAs(ctx, client)
	return client, func() {
		for len(a.Agent.RunningAll()) > 0 && ctx.Err() == nil { // a turn of another command that found this one
			time.Sleep(lookEvery)
		}
		in.rest(ctx, a)
		in.close(a)
	}, nil
}

// mustExist fails where there is no data yet: what only looks at it must not make a folder.
func (in *invocation) mustExist() error {
	home, err := datafolder.Locate(in.home)
	if err != nil {
		return err
	}
	if _, err := os.Stat(app.DatabasePath(home)); errors.Is(err, fs.ErrNotExist) {
		return in.problem(memory.ENOTFOUND, in.words.noDataYet, home)
	}
	return nil
}

// find returns a client of the instance that owns the data folder; ENOTFOUND when there is none.
func (in *invocation) find(ctx context.Context) (*instance.Client, error) {
	home, err := datafolder.Locate(in.home)
	if err != nil {
		return nil, err
	}
	return instance.Find(ctx, home)
}

// findOrStart returns a client of the instance that owns the data folder, or the app that this process started.
func (in *invocation) findOrStart(ctx context.Context, o app.Options) (*instance.Client, *app.App, error) {
	for tries := 1; ; tries++ {
		client, err := in.find(ctx)
		if err == nil {
			return client, nil, nil
		}
		if memory.CodeOf(err) != memory.ENOTFOUND {
			return nil, nil, err
		}
		a, err := app.Start(ctx, o)
		if memory.CodeOf(err) == memory.EBUSY && tries < 3 {
			continue // another start was faster
		}
		return nil, a, err
	}
}

// rest waits while the model notes what it was told, which a model without tools does after its answer. Ctrl+C ends it.
func (in *invocation) rest(ctx context.Context, a *app.App) {
	if !a.Agent.Noting() {
		return
	}
	_, _ = fmt.Fprint(in.Stderr, in.words.noting)
	ctx, cancel := context.WithTimeout(ctx, noteWithin)
	defer cancel()
	for a.Agent.Noting() && ctx.Err() == nil {
		time.Sleep(lookEvery)
	}
	if ctx.Err() != nil {
		a.Log().Info("the program ended while a note was taken")
	}
}

// close ends an app that this process started and says what went wrong while doing so.
func (in *invocation) close(a *app.App) {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := a.Close(ctx); err != nil {
		_, _ = fmt.Fprintln(in.Stderr, "recollect:", err)
	}
}
