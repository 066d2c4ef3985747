// Package notify shows notifications of the system. Where a click on one can be learned of, it is.
package notify

// appName is who notifies.
const appName = "Recollect"

// Notifier shows notifications. The zero value is ready; Close gives its connection back.
type Notifier struct {
	system system
}

// Show shows a notification. clicked runs, on a goroutine of its own, when the user clicks on it, on systems that tell.
// The error says that this system shows none.
func (n *Notifier) Show(title, body string, clicked func()) error {
	return n.system.show(title, body, clicked)
}

// Close ends the connection to the system; clicks on what is still shown come to nothing.
func (n *Notifier) Close() { n.system.close() }
