// Package instance makes sure that one process owns a data folder, and lets the others find it: a lock decides, a file
// that only the user can read tells address and token of the API.
package instance

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"recollect/backend/memory"
)

// LockName is the file in a data folder that is locked while an instance owns it.
const LockName = "lock"

const (
	infoName = "instance.json"
	// lockPatience covers the moment in which another process only looks whether the lock is free.
	lockPatience = 250 * time.Millisecond
	// startPatience is how long Find waits for an instance that holds the lock but does not answer yet.
	startPatience = 5 * time.Second
	retryEvery    = 20 * time.Millisecond
)

// Info is what the owner of a data folder tells the others.
type Info struct {
	Addr  string `json:"addr"`  // host:port of its API, reachable from this machine
	Token string `json:"token"` // for the Authorization header
	PID   int    `json:"pid"`
	URL   string `json:"url"` // link for a browser, token included
}

// NewToken returns a token that cannot be guessed.
func NewToken() string { return rand.Text() }

// Instance is the ownership of a data folder.
type Instance struct {
	home string
	lock *flock.Flock
}

// Acquire makes the data folder where it is missing, and takes its lock. It returns EBUSY while another process holds
// it, and EREADONLY when the folder cannot be written.
func Acquire(home string) (*Instance, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, folderError(home, err)
	}
	lock := flock.New(filepath.Join(home, LockName), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, retryEvery)
	switch {
	case locked:
		return &Instance{home: home, lock: lock}, nil
	case err == nil, errors.Is(err, context.DeadlineExceeded):
		return nil, memory.Errorf(memory.EBUSY, "open data folder", "another instance of Recollect uses %s", home)
	}
	return nil, folderError(home, err)
}

func folderError(home string, err error) error {
	e := memory.Errorf(memory.EREADONLY, "open data folder", "the data folder %s cannot be written: %w", home, err)
	e.Remedy = memory.RemedyChooseFolder
	return e
}

// Announce tells others where this instance answers. The file appears whole or not at all, readable by the user only.
func (i *Instance) Announce(info Info) error {
	body, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("announce instance: %w", err)
	}
	tmp, err := os.CreateTemp(i.home, infoName+".*") // CreateTemp uses mode 0600
	if err != nil {
		return folderError(i.home, err)
	}
	_, err = tmp.Write(body)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(i.home, infoName))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("announce instance: %w", err), os.Remove(tmp.Name()))
	}
	return nil
}

// Release takes back what was announced and frees the data folder.
func (i *Instance) Release() error {
	err := os.Remove(filepath.Join(i.home, infoName))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, i.lock.Close())
}

// Find returns a client of the instance that owns the data folder, once it answers. It returns ENOTFOUND when there is
// none, after removing what a dead one announced, and EBUSY when one holds the folder but does not answer.
func Find(ctx context.Context, home string) (*Client, error) {
	if _, err := os.Stat(filepath.Join(home, LockName)); errors.Is(err, fs.ErrNotExist) {
		return nil, notRunning(home)
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	for {
		if c, err := connect(ctx, home); err == nil {
			return c, nil
		}
		// Nobody answers. Only the lock tells a dead instance from one that is starting.
		switch i, err := tryAcquire(home); {
		case err != nil:
			return nil, err
		case i != nil:
			if err := i.Release(); err != nil {
				return nil, fmt.Errorf("remove what a dead instance left: %w", err)
			}
			return nil, notRunning(home)
		}
		select {
		case <-ctx.Done():
			return nil, memory.Errorf(memory.EBUSY, "find instance",
				"another instance of Recollect uses %s but does not answer; end it, or wait until it has started", home)
		case <-time.After(retryEvery):
		}
	}
}

func notRunning(home string) error {
	return memory.Errorf(memory.ENOTFOUND, "find instance", "no instance of Recollect uses %s", home)
}

// tryAcquire takes the lock if it is free now; nil without an error means that it is not.
func tryAcquire(home string) (*Instance, error) {
	lock := flock.New(filepath.Join(home, LockName), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, folderError(home, err)
	}
	if !locked {
		return nil, nil
	}
	return &Instance{home: home, lock: lock}, nil
}

// connect returns a client of the announced instance if that very process answers.
func connect(ctx context.Context, home string) (*Client, error) {
	body, err := os.ReadFile(filepath.Join(home, infoName))
	if err != nil {
		return nil, err
	}
	var info Info
	if err := json.Unmarshal(body, &info); err != nil {
		return nil, err
	}
	c := NewClient(info)
	var health struct {
		OK  bool `json:"ok"`
		PID int  `json:"pid"`
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := c.Do(ctx, "GET", "/api/health", nil, &health); err != nil {
		return nil, err
	}
	if !health.OK || health.PID != info.PID {
		return nil, fmt.Errorf("process %d answers in place of %d", health.PID, info.PID)
	}
	return c, nil
}
