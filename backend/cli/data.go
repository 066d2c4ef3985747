package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"recollect/backend/api"
	"recollect/backend/app"
	"recollect/backend/backups"
	"recollect/backend/datafolder"
	"recollect/backend/doctor"
	"recollect/backend/instance"
	"recollect/backend/memory"
	"recollect/backend/store"
)

func versionCommand() command {
	return command{name: "version", homeless: true, run: func(_ context.Context, in *invocation) error {
		if in.json {
			return in.printJSON(map[string]string{"version": in.Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
		}
		in.printf("recollect %s (%s, %s/%s)\n", in.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil
	}}
}

func backupCommand() command {
	return command{
		name: "backup", arguments: true,
		run: func(ctx context.Context, in *invocation) error {
			request := api.BackupCreate{}
			switch len(in.args) {
			case 0:
			case 1:
				path, err := filepath.Abs(in.args[0])
				if err != nil {
					return fmt.Errorf("find %s: %w", in.args[0], err)
				}
				request.Path = path
			default:
				return usageError{fmt.Sprintf(in.words.oneFile, "backup")}
			}
			if err := in.mustExist(); err != nil {
				return err
			}
			client, done, err := in.connect(ctx)
			if err != nil {
				return err
			}
			defer done()
			var made api.Backup
			if err := client.Do(ctx, "POST", "/api/backup", request, &made); err != nil {
				return err
			}
			if in.json {
				return in.printJSON(made)
			}
			in.printf(in.words.backedUp, made.Path, float64(made.Bytes)/(1<<20))
			return nil
		},
	}
}

func restoreCommand() command {
	return command{
		name: "restore", arguments: true,
		run: func(ctx context.Context, in *invocation) error {
			switch len(in.args) {
			case 0:
				return listBackups(in)
			case 1:
			default:
				return usageError{fmt.Sprintf(in.words.oneFile, "restore")}
			}
			home, err := datafolder.Locate(in.home)
			if err != nil {
				return err
			}
			lock, err := instance.Acquire(home)
			if memory.CodeOf(err) == memory.EBUSY {
				return memory.Errorf(memory.EBUSY, "restore", "Recollect is running on %s; nothing was changed. Quit it first (close its window, or press Ctrl+C where `recollect serve` runs), then type this again", home)
			}
			if err != nil {
				return err
			}
			defer func() { _ = lock.Release() }()
			kept, err := store.Restore(ctx, in.args[0], app.DatabasePath(home), time.Now)
			if err != nil {
				return err
			}
			if in.json {
				return in.printJSON(map[string]string{"restored": in.args[0], "kept": kept})
			}
			in.printf(in.words.restored, in.args[0])
			if kept != "" {
				in.printf(in.words.kept, kept)
			}
			return nil
		},
	}
}

func listBackups(in *invocation) error {
	home, err := datafolder.Locate(in.home)
	if err != nil {
		return err
	}
	list, err := backups.List(app.BackupDir(home))
	if err != nil {
		return err
	}
	if in.json {
		return in.printJSON(map[string]any{"backups": list})
	}
	if len(list) == 0 {
		in.printf(in.words.noBackups, app.BackupDir(home))
		return nil
	}
	for _, b := range list {
		in.printf("%s  %8.1f MB  %s\n", b.At.Format("2006-01-02 15:04"), float64(b.Bytes)/(1<<20), b.Path)
	}
	in.printf("%s", in.words.putBack)
	return nil
}

func doctorCommand() command {
	return command{name: "doctor", run: runDoctor}
}

func runDoctor(ctx context.Context, in *invocation) error {
	var found api.Doctor
	_, missing := os.Stat(in.home)
	client, done, err := in.connect(ctx)
	if err != nil {
		// The data cannot be opened: look at what can be seen from outside.
		if memory.CodeOf(err) == memory.EBUSY {
			return err
		}
		found.Checks = doctor.Examine(ctx, doctor.Patient{Home: in.home, DatabaseErr: err, Language: in.words.language()})
	} else {
		defer done()
		if err := client.Do(ctx, "GET", "/api/doctor", nil, &found); err != nil {
			return err
		}
	}
	for i, c := range found.Checks {
		if c.ID == "folder" && c.Level != doctor.LevelError && os.IsNotExist(missing) {
			found.Checks[i].Detail += in.words.justMade
		}
	}
	sound := true
	for _, c := range found.Checks {
		sound = sound && c.Level != doctor.LevelError
	}
	if in.json {
		if err := in.printJSON(found); err != nil {
			return err
		}
	} else {
		for _, c := range found.Checks {
			in.printf("%s  %s  %s\n", in.words.marks[c.Level], column(in.words.check(c.ID), 10), c.Detail)
			if c.Remedy != "" {
				in.printf("       %-10s  → %s\n", "", c.Remedy)
			}
		}
	}
	if !sound {
		return saidError{ExitFailed}
	}
	return nil
}
