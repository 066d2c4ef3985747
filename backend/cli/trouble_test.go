package cli

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/backend/app"
	"recollect/backend/backups"
	"recollect/backend/memory"
	"recollect/backend/store"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The window says why the app does not start. A backup is put back from it, and the app starts anew.
func TestTheWindowSaysWhyTheAppDoesNotStart(t *testing.T) {
	home := t.TempDir()
	path := app.DatabasePath(home)
	s, err := store.Open(t.Context(), path, store.Options{})
	must(t, err)
	must(t, os.MkdirAll(app.BackupDir(home), 0o700))
	good := backups.Path(app.BackupDir(home), backups.KindDaily, time.Now())
	must(t, s.Backup(t.Context(), good))
	must(t, s.Close())
	must(t, os.WriteFile(path, []byte(strings.Repeat("damaged ", 1000)), 0o600))
	must(t, os.WriteFile(filepath.Join(app.BackupDir(home), "recollect-half.db"), []byte("SQLite format 3\x00 and no more"), 0o600))

	shown, relaunched := 0, 0
	get := func(h http.Handler, method, url string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, url, nil))
		return w.Body.String()
	}
	env := Env{
		Stdin: strings.NewReader(""), Stdout: new(strings.Builder), Stderr: new(strings.Builder), Version: "test",
		Getenv:  func(key string) string { return map[string]string{"LANG": "zh_CN.UTF-8"}[key] },
		CanOpen: func() error { return nil },
		Window:  func(context.Context, *app.App, bool) error { return errors.New("the window opened") },
		Relaunch: func(rescue bool) error {
			relaunched++
			return nil
		},
		Trouble: func(_ context.Context, page http.Handler, done <-chan struct{}) error {
			shown++
			html := get(page, "GET", "/")
			for _, want := range []string{`lang="zh-CN"`, "Recollect 无法打开数据", filepath.Base(good), "recollect-half.db", "再试一次"} {
				if !strings.Contains(html, want) {
					t.Errorf("%q is missing in\n%s", want, html)
				}
			}
			for _, name := range []string{"../recollect.db", "recollect-half.db", "", filepath.Base(good)} {
				if got := get(page, "POST", "/restore?name="+name); strings.Contains(got, "error") != (name != filepath.Base(good)) {
					t.Errorf("%s: %s", name, got)
				}
			}
			if html := get(page, "GET", "/"); !strings.Contains(html, "备份已恢复") || !strings.Contains(html, "recollect.db.") || strings.Contains(html, `data-file="`) {
				t.Errorf("after putting it back:\n%s", html)
			}
			get(page, "POST", "/again")
			<-done
			return nil
		},
	}
	if code := Main(t.Context(), []string{"--home", home}, env); code != ExitOK || shown != 1 || relaunched != 1 {
		t.Errorf("ended with %d, shown %d times, started anew %d times", code, shown, relaunched)
	}
	s, err = store.Open(t.Context(), path, store.Options{})
	must(t, err)
	must(t, s.Close())
}

// What a newer version wrote is left alone: the window says so and offers no backup, and the exit code tells as well.
func TestTheWindowOffersNoBackupForDataOfANewerVersion(t *testing.T) {
	home := t.TempDir()
	s, err := store.Open(t.Context(), app.DatabasePath(home), store.Options{})
	must(t, err)
	must(t, s.Close())
	db, err := sql.Open("sqlite", app.DatabasePath(home))
	must(t, err)
	_, err = db.Exec("PRAGMA user_version = 9999")
	must(t, errors.Join(err, db.Close()))
	must(t, os.MkdirAll(app.BackupDir(home), 0o700))
	must(t, os.WriteFile(filepath.Join(app.BackupDir(home), "daily-x.db"), []byte("x"), 0o600))
	var errs strings.Builder
	env := Env{
		Stdin: strings.NewReader(""), Stdout: new(strings.Builder), Stderr: &errs, Version: "test",
		Getenv: func(string) string { return "" }, CanOpen: func() error { return nil },
		Window: func(context.Context, *app.App, bool) error { return errors.New("the window opened") },
		Trouble: func(_ context.Context, page http.Handler, done <-chan struct{}) error {
			w := httptest.NewRecorder()
			page.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
			if html := w.Body.String(); strings.Contains(html, `data-file="`) || !strings.Contains(html, "newest version of Recollect") {
				t.Errorf("it shows\n%s", html)
			}
			page.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "POST", "/quit", nil))
			<-done
			return nil
		},
	}
	if code := Main(t.Context(), []string{"--home", home}, env); code != ExitFailed || !strings.Contains(errs.String(), "newer") {
		t.Errorf("ended with %d: %s", code, errs.String())
	}
	env.Trouble = func(context.Context, http.Handler, <-chan struct{}) error {
		return memory.Errorf(memory.EUNSUPPORTED, "open", "no display")
	}
	if code := Main(t.Context(), []string{"--home", home}, env); code != ExitFailed {
		t.Errorf("without a window it ended with %d", code)
	}
}
