package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
)

const (
	maxLine = 8 << 20   // bytes of one line of a stream
	maxBody = 256 << 20 // bytes of one answer; the largest are vocabularies
)

var errLineTooLong = errors.New("line of more than 8 MB")

// client speaks HTTP with one engine. It takes the place of api.Client, whose streams return nil on a reset connection, a
// clean end without done and a line that is too long.
type client struct {
	base *url.URL
	http *http.Client
}

// parseAddress reads an address as OLLAMA_HOST and the settings have it: host, host:port or a URL.
func parseAddress(s string) (*url.URL, error) {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	scheme, rest, ok := strings.Cut(s, "://")
	port := "11434"
	switch {
	case !ok:
		scheme, rest = "http", s
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	default:
		return nil, fmt.Errorf("an engine's address begins with http:// or https://, not %s://", scheme)
	}
	hostport, path, _ := strings.Cut(rest, "/")
	host, p, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	} else if p != "" {
		port = p
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1" // an address to listen on, not one to call
	}
	u, err := url.Parse(scheme + "://" + net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("%q is no address of an engine", s)
	}
	if path = strings.TrimSuffix(strings.Trim(path, "/"), "v1"); path != "" { // people paste the OpenAI address
		u = u.JoinPath(path)
	}
	return u, nil
}

// isLoopback says whether the address is on this machine.
func isLoopback(u *url.URL) bool {
	host := u.Hostname()
	if strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func newClient(base *url.URL) *client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	if isLoopback(base) {
		t.Proxy = nil // a proxy variable never stands between us and our own machine
	}
	t.ResponseHeaderTimeout = 0 // headers come only when the prompt has been read; watchdogs see to it
	t.MaxIdleConnsPerHost = 4
	return &client{base: base, http: &http.Client{Transport: t}}
}

// close drops idle connections.
func (c *client) close() { c.http.CloseIdleConnections() }

func (c *client) send(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case io.Reader:
		r = b
	default:
		buf := new(bytes.Buffer)
		enc := json.NewEncoder(buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(b); err != nil {
			return nil, err
		}
		r = buf
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base.JoinPath(path).String(), r)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode < 400 {
		return res, nil
	}
	defer res.Body.Close() //nolint:errcheck // read to its end or not at all
	text, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err != nil && len(text) == 0 {
		return nil, err
	}
	failure := api.StatusError{StatusCode: res.StatusCode, Status: res.Status}
	if json.Unmarshal(text, &failure) != nil || failure.ErrorMessage == "" {
		failure.ErrorMessage = strings.TrimSpace(string(text))
	}
	return nil, failure
}

// call sends one request and decodes the answer into out, which may be nil.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	res, err := c.send(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // read to its end
	b, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(b, out); err != nil {
		return fmt.Errorf("the answer to %s is not JSON: %w", path, err)
	}
	return nil
}

// stream sends a request and calls line for each line of the answer. A nil error means only that the stream ended in good
// order: whether it was complete is for line to have seen.
func (c *client) stream(ctx context.Context, path string, in any, line func([]byte) error) error {
	res, err := c.send(ctx, http.MethodPost, path, in)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // closing early is how a stream is cancelled
	r := bufio.NewReaderSize(res.Body, 16<<10)
	var buf []byte
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case len(buf) > maxLine:
			return errLineTooLong
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		if text := bytes.TrimSpace(buf); len(text) > 0 {
			var failure struct {
				Error string `json:"error"`
			}
			if jsonErr := json.Unmarshal(text, &failure); jsonErr != nil {
				if err != nil { // the last line was cut off
					return io.ErrUnexpectedEOF
				}
				return fmt.Errorf("the engine sent a line that is not JSON: %.80q", text)
			}
			if failure.Error != "" {
				return streamError(failure.Error)
			}
			if err := line(text); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
		buf = buf[:0]
	}
}

// streamError is an error that the engine reported inside a stream.
type streamError string

func (e streamError) Error() string { return string(e) }

// version asks for the version, and thereby whether an engine answers at all.
func (c *client) version(ctx context.Context, wait time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var v struct {
		Version string `json:"version"`
	}
	if err := c.call(ctx, http.MethodGet, "/api/version", nil, &v); err != nil {
		return "", err
	}
	if v.Version == "" {
		return "", errors.New("something else answers at this address")
	}
	return v.Version, nil
}

// watchdog ends a context when it has not been fed in time.
type watchdog struct {
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

// errSlow is the cause of a context that a watchdog ended.
type errSlow struct {
	phase Phase
	after time.Duration
}

func (e errSlow) Error() string {
	return fmt.Sprintf("nothing came for %s while %s", e.after.Round(time.Second), e.phase)
}

func watch(ctx context.Context, phase Phase, d time.Duration) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &watchdog{time.AfterFunc(d, func() { cancel(errSlow{phase, d}) }), cancel}
}

// feed gives another d.
func (w *watchdog) feed(phase Phase, d time.Duration) {
	w.timer.Stop()
	w.timer = time.AfterFunc(d, func() { w.cancel(errSlow{phase, d}) })
}

// stop ends the watch and releases the context.
func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(nil)
}
