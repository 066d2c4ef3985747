package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"recollect/backend/app"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

// closeWithin bounds how long the end of the program waits for turns and the engine to stop.
const closeWithin = 20 * time.Second

// options are those of an app that this command line starts.
func (in *invocation) options() app.Options {
	return app.Options{
		Home: in.home, Version: in.Version, Env: in.Getenv, Page: in.Page,
		Beside: filepath.Dir(in.Executable), Addr: in.addr, AllowRemote: in.allowRemote,
	}
}

// connect returns a client of the instance that owns the data folder. Where none runs, this process becomes it until the
// returned function is called.
func (in *invocation) connect(ctx context.Context) (*instance.Client, func(), error) {
	client, err := instance.Find(ctx, in.home)
	if err == nil {
		return client, func() {}, nil
	}
	if memory.CodeOf(err) != memory.ENOTFOUND {
		return nil, nil, err
	}
	a, err := app.Start(ctx, in.options())
	if err != nil {
		return nil, nil, err
	}
	return instance.NewClient(a.Info()), func() { in.close(a) }, nil
}

// close ends an app that this process started and says what went wrong while doing so.
func (in *invocation) close(a *app.App) {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := a.Close(ctx); err != nil {
		_, _ = fmt.Fprintln(in.Stderr, "recollect:", err)
	}
}
