package instance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"recollect/backend/memory"
)

// Client talks to the API of a running instance, as the subcommands do.
type Client struct {
	info Info
	http *http.Client
}

// NewClient returns a client of the instance that info describes. It never uses a proxy.
func NewClient(info Info) *Client {
	return &Client{info: info, http: &http.Client{
		Transport:     &http.Transport{Proxy: nil},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Info returns what the instance announced.
func (c *Client) Info() Info { return c.info }

// Do sends in as JSON, unless it is nil, to a path such as "/api/agents", and decodes the answer into out, unless that
// is nil. A problem that the API answers with comes back as *memory.Error; EENGINE is about the engine, and an instance
// that cannot be reached is EBUSY.
func (c *Client) Do(ctx context.Context, method, path string, in, out any) error {
	body, err := c.open(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(body).Decode(out); err != nil && err != io.EOF {
		return fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return nil
}

func (c *Client) open(ctx context.Context, method, path string, in any) (io.ReadCloser, error) {
	op := method + " " + path
	var reader io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		reader = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.info.Addr+path, reader)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	req.Header.Set("Authorization", "Bearer "+c.info.Token)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, memory.Errorf(memory.EBUSY, op, "the running instance does not answer: %w", err)
	}
	if resp.StatusCode < 300 {
		return resp.Body, nil
	}
	defer func() { _ = resp.Body.Close() }()
	var p memory.Problem
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&p); err != nil || p.Code == "" {
		return nil, memory.Errorf(memory.EINTERNAL, op, "the running instance answered %s", resp.Status)
	}
	return nil, memory.ErrorOf("", p) // it says itself what went wrong; the path tells the user nothing
}

// Events yields the events after the given Last-Event-ID ("" = from now on) until ctx or the connection ends; then it
// yields the error. The caller decides whether to connect again.
func (c *Client) Events(ctx context.Context, last string) iter.Seq2[memory.Event, error] {
	return func(yield func(memory.Event, error) bool) {
		path := "/api/events"
		if last != "" {
			path += "?since=" + url.QueryEscape(last)
		}
		body, err := c.open(ctx, "GET", path, nil)
		if err != nil {
			yield(memory.Event{}, err)
			return
		}
		defer func() { _ = body.Close() }()
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var ev memory.Event
			if err := json.Unmarshal([]byte(data), &ev); err != nil {
				yield(memory.Event{}, fmt.Errorf("read events: %w", err))
				return
			}
			if !yield(ev, nil) {
				return
			}
		}
		err = lines.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		yield(memory.Event{}, err)
	}
}

// Focus asks the instance to bring its window to the front. It reports whether it has one, and the link for a browser.
func (c *Client) Focus(ctx context.Context) (window bool, link string, err error) {
	var focused struct {
		Window bool   `json:"window"`
		URL    string `json:"url"`
	}
	err = c.Do(ctx, http.MethodPost, "/api/focus", nil, &focused)
	return focused.Window, focused.URL, err
}
