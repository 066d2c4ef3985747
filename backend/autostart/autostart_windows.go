package autostart

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows/registry"
)

const (
	runKey   = `Software\Microsoft\Windows\CurrentVersion\Run`
	runEntry = "Recollect"
)

// Enabled says whether the app starts at login.
func (e Entry) Enabled() (bool, error) {
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look whether it starts at login: %w", err)
	}
	defer func() { _ = k.Close() }()
	_, _, err = k.GetStringValue(runEntry)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look whether it starts at login: %w", err)
	}
	return true, nil
}

// Set switches the start at login.
func (e Entry) Set(enabled bool) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	defer func() { _ = k.Close() }()
	if enabled {
		err = k.SetStringValue(runEntry, runValue(e.Command))
	} else if err = k.DeleteValue(runEntry); errors.Is(err, registry.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}
