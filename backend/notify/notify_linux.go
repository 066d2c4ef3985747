package notify

import (
	"fmt"
	"sync"

	"github.com/godbus/dbus/v5"

	"recollect/backend/memory"
)

// The notification service of freedesktop.org, which desktops provide on the session bus.
const (
	service   = "org.freedesktop.Notifications"
	path      = "/org/freedesktop/Notifications"
	actionKey = "default" // a click on the notification itself
)

// system is the connection to the session bus, made when the first notification is shown.
type system struct {
	mu      sync.Mutex
	bus     *dbus.Conn
	clicked map[uint32]func() // by the number of a shown notification
}

func (s *system) show(title, body string, clicked func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.connect(); err != nil {
		return memory.Errorf(memory.EUNSUPPORTED, "notify", "this desktop shows no notifications: %w", err)
	}
	var id uint32
	// The lock is held, so a click that comes at once finds its function.
	err := s.bus.Object(service, path).Call(service+".Notify", 0, appName, uint32(0), "recollect", title, body,
		[]string{actionKey, appName}, map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("recollect")}, int32(-1)).Store(&id)
	if err != nil {
		return memory.Errorf(memory.EUNSUPPORTED, "notify", "this desktop shows no notifications: %w", err)
	}
	s.clicked[id] = clicked
	return nil
}

func (s *system) connect() error {
	if s.bus != nil && s.bus.Connected() {
		return nil
	}
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return fmt.Errorf("connect to the session bus: %w", err)
	}
	if err := bus.AddMatchSignal(dbus.WithMatchInterface(service), dbus.WithMatchObjectPath(path)); err != nil {
		return fmt.Errorf("listen to the session bus: %w", err)
	}
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	s.bus, s.clicked = bus, map[uint32]func(){}
	go s.listen(signals)
	return nil
}

// listen runs what belongs to clicks, and forgets what is shown no longer, until the connection ends.
func (s *system) listen(signals <-chan *dbus.Signal) {
	for signal := range signals {
		if len(signal.Body) == 0 {
			continue
		}
		id, ok := signal.Body[0].(uint32)
		if !ok {
			continue
		}
		s.mu.Lock()
		clicked := s.clicked[id]
		if signal.Name == service+".NotificationClosed" {
			delete(s.clicked, id)
			clicked = nil
		}
		s.mu.Unlock()
		if clicked != nil && signal.Name == service+".ActionInvoked" {
			go clicked()
		}
	}
}

func (s *system) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bus != nil {
		_ = s.bus.Close() // nothing is left to be said
		s.bus = nil
	}
}
