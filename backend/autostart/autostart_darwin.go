package autostart

import "path/filepath"

func (e Entry) path() string {
	return filepath.Join(e.Env("HOME"), "Library", "LaunchAgents", agentLabel+".plist")
}

// Enabled says whether the app starts at login.
func (e Entry) Enabled() (bool, error) {
	text, err := readEntry(e.path())
	return text != "", err
}

// Set switches the start at login.
func (e Entry) Set(enabled bool) error {
	if !enabled {
		return removeEntry(e.path())
	}
	return writeEntry(e.path(), launchAgent(e.Command))
}
