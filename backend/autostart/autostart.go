// Package autostart has the app start when the user logs in, by the means of each system that need no rights: an entry
// in the autostart folder of freedesktop.org, a launch agent, a value in the registry.
package autostart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Entry is what is started at login. The system's own settings may switch it off as well; Enabled tells.
type Entry struct {
	Command []string            // the program's whole path, then its arguments
	Env     func(string) string // environment
}

// desktopEntry is the file that desktops of freedesktop.org start at login.
func desktopEntry(command []string) string {
	quoted := make([]string, len(command))
	for i, arg := range command {
		// Quoted for the command line, then for the file, in which % has a meaning too.
		arg = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`).Replace(arg)
		quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `%`, `%%`).Replace(arg) + `"`
	}
	return "[Desktop Entry]\nType=Application\nName=Recollect\nComment=An assistant on your own machine that remembers\n" +
		"Exec=" + strings.Join(quoted, " ") + "\nIcon=recollect\nTerminal=false\nX-GNOME-Autostart-enabled=true\n"
}

// desktopEntryOn says whether such a file starts anything: desktops switch it off in place.
func desktopEntryOn(text string) bool {
	for line := range strings.Lines(text) {
		switch strings.ReplaceAll(strings.TrimSpace(line), " ", "") {
		case "Hidden=true", "X-GNOME-Autostart-enabled=false":
			return false
		}
	}
	return true
}

// agentLabel names the launch agent, and its file.
const agentLabel = "app.recollect"

// launchAgent is the file that macOS starts at login.
func launchAgent(command []string) string {
	var args strings.Builder
	for _, arg := range command {
		args.WriteString("\t\t<string>")
		_ = xml.EscapeText(&args, []byte(arg)) // a Builder takes everything
		args.WriteString("</string>\n")
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + agentLabel + `</string>
	<key>ProgramArguments</key>
	<array>
` + args.String() + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Interactive</string>
</dict>
</plist>
`
}

// runValue is the command line that Windows starts at login.
func runValue(command []string) string {
	quoted := make([]string, len(command))
	for i, arg := range command {
		// There is no quote in a path. Backslashes before the closing one must be doubled.
		last := len(arg) - len(strings.TrimRight(arg, `\`))
		quoted[i] = `"` + arg + strings.Repeat(`\`, last) + `"`
	}
	return strings.Join(quoted, " ")
}

// writeEntry writes a file that is read at login, whole or not at all.
func writeEntry(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	tmp := path + ".new"
	err := os.WriteFile(tmp, []byte(text), 0o600)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp) // err says what went wrong
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}

// removeEntry removes such a file; one that is not there is no error.
func removeEntry(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no longer start at login: %w", err)
	}
	return nil
}

// readEntry returns such a file, "" where there is none.
func readEntry(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("look whether it starts at login: %w", err)
	}
	return string(raw), nil
}
