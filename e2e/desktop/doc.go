// Package desktop holds the smoke test of the real window: the desktop binary under Xvfb, driven with xdotool, with the
// starter model. Run it with `make test-desktop`.
package desktop
