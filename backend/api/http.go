package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/backend/memory"
)

// maxBody is the largest body of a request, in bytes: a message or a text for the archive of some megabytes. Model
// files are streamed and not bound by it.
const maxBody = 12 << 20

// result is what a handler answers with: a status and a body, which is nil for none.
type result struct {
	status int
	body   any
}

func ok(body any) result       { return result{http.StatusOK, body} }
func created(body any) result  { return result{http.StatusCreated, body} }
func accepted(body any) result { return result{http.StatusAccepted, body} }
func nothing() result          { return result{http.StatusNoContent, nil} }

// verbatim is JSON to be answered byte for byte.
type verbatim []byte

// handler answers a request with a result or an error, which becomes a problem.
type handler func(*http.Request) (result, error)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	res, err := h(r)
	if err != nil {
		writeProblem(w, r, err)
		return
	}
	switch body := res.body.(type) {
	case nil:
		w.WriteHeader(res.status)
	case verbatim:
		send(w, res.status, "application/json", body)
	case memory.MessageFile:
		send(w, res.status, body.Type+"; charset=utf-8", body.Content)
	default:
		writeJSON(w, r, res.status, "application/json", body)
	}
}

// httpError is an error whose HTTP status is not that of its code.
type httpError struct {
	status int
	err    error
}

func (e *httpError) Error() string { return e.err.Error() }
func (e *httpError) Unwrap() error { return e.err }

func invalid(format string, args ...any) *memory.Error {
	return memory.Errorf(memory.EINVALID, "read request", format, args...)
}

// statuses gives the HTTP status of each code.
var statuses = map[memory.Code]int{
	memory.EINVALID:     http.StatusBadRequest,
	memory.EFORBIDDEN:   http.StatusForbidden,
	memory.ENOTFOUND:    http.StatusNotFound,
	memory.ECONFLICT:    http.StatusConflict,
	memory.ENEWER:       http.StatusConflict,
	memory.EOVERFLOW:    http.StatusRequestEntityTooLarge,
	memory.ELIMIT:       http.StatusUnprocessableEntity,
	memory.EREADONLY:    http.StatusLocked,
	memory.EMODEL:       http.StatusFailedDependency,
	memory.EBUSY:        http.StatusTooManyRequests,
	memory.ECANCELLED:   499, // the client went away or the user stopped it
	memory.EINTERNAL:    http.StatusInternalServerError,
	memory.ECORRUPT:     http.StatusInternalServerError,
	memory.EUNSUPPORTED: http.StatusNotImplemented,
	memory.EMALFORMED:   http.StatusBadGateway,
	memory.EINCOMPLETE:  http.StatusBadGateway,
	memory.EENGINE:      http.StatusServiceUnavailable,
	memory.EDISKFULL:    http.StatusInsufficientStorage,
}

// problemOf returns err as it is answered.
func problemOf(err error) ProblemDetails {
	if errors.Is(err, context.Canceled) && memory.CodeOf(err) == memory.EINTERNAL {
		err = memory.Errorf(memory.ECANCELLED, "answer request", "the request was cancelled")
	}
	p := *memory.ProblemOf(err)
	status, known := statuses[p.Code]
	if !known {
		status = http.StatusInternalServerError
	}
	var special *httpError
	if errors.As(err, &special) {
		status = special.status
	}
	title := http.StatusText(status)
	if status == statuses[memory.ECANCELLED] {
		title = "Cancelled"
	}
	return ProblemDetails{Type: "about:blank", Title: title, Status: status, Problem: p}
}

func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	if p.Status == http.StatusInternalServerError {
		slog.Error("A request failed.", "method", r.Method, "path", r.URL.Path, "err", err)
	}
	writeJSON(w, r, p.Status, "application/problem+json", p)
}

func writeJSON(w http.ResponseWriter, r *http.Request, status int, contentType string, v any) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(filled(v)); err != nil {
		if _, again := v.(ProblemDetails); again {
			panic(err) // a problem is strings and numbers
		}
		writeProblem(w, r, fmt.Errorf("write the answer: %w", err))
		return
	}
	send(w, status, contentType, body.Bytes())
}

func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // nobody is left to be told when this fails
}

// Recover answers a panic with a problem. In the app's own window a panic of a handler would end the process.
func Recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tracked := &tracker{ResponseWriter: w}
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			slog.Error("A request panicked.", "method", r.Method, "path", r.URL.Path, "fault", fault, "stack", string(debug.Stack()))
			if !tracked.began {
				writeProblem(w, r, memory.Errorf(memory.EINTERNAL, "answer request", "a fault of the app: %v", fault))
			}
		}()
		next.ServeHTTP(tracked, r)
	})
}

// tracker knows whether an answer has begun.
type tracker struct {
	http.ResponseWriter
	began bool
}

// WriteHeader notes that the answer begins.
func (t *tracker) WriteHeader(status int) {
	t.began = true
	t.ResponseWriter.WriteHeader(status)
}

// Write notes that the answer has begun.
func (t *tracker) Write(b []byte) (int, error) {
	t.began = true
	return t.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the writer.
func (t *tracker) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func isAPI(r *http.Request) bool {
	return r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/")
}

// serve finds the route. It never redirects: web views do not follow.
func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	if path.Clean(r.URL.Path) != r.URL.Path {
		writeProblem(w, r, noRoute(r))
		return
	}
	if _, pattern := a.mux.Handler(r); pattern != "" {
		a.mux.ServeHTTP(w, r)
		return
	}
	var allowed []string
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		other := *r
		other.Method = method
		if _, pattern := a.mux.Handler(&other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		writeProblem(w, r, noRoute(r))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	writeProblem(w, r, &httpError{http.StatusMethodNotAllowed, invalid("%s is not possible here, only %s", r.Method, strings.Join(allowed, ", "))})
}

func noRoute(r *http.Request) error {
	return memory.Errorf(memory.ENOTFOUND, "find route", "there is nothing at %s", r.URL.Path)
}

// decode reads the JSON body of a request into a struct. It is strict: one object, JSON by its content type, valid
// UTF-8, no unknown field, nothing behind it, at most maxBody bytes. No body at all is an empty object.
func decode(r *http.Request, into any) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return invalid("the body broke off: %w", err)
	}
	if len(body) == 0 {
		return nil
	}
	if len(body) > maxBody {
		return tooLarge()
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return &httpError{http.StatusUnsupportedMediaType, invalid("the body must be application/json")}
	}
	if !utf8.Valid(body) {
		return invalid("the body is not valid UTF-8")
	}
	if first := bytes.TrimLeft(body, " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return invalid("the body must be a JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return invalid("%s cannot be a %s", wrong.Field, wrong.Value)
		}
		return invalid("the body is not as expected: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return invalid("there is more than one JSON object in the body")
	}
	return nil
}

func tooLarge() error {
	e := memory.Errorf(memory.ELIMIT, "read request", "the request is larger than %d bytes", maxBody)
	e.Limit = maxBody
	return &httpError{http.StatusRequestEntityTooLarge, e}
}

// query reads the parameters of a request and remembers the first thing that is wrong with them.
type query struct {
	values url.Values
	err    error
}

// parameters returns the query of r, in which only the given names may occur, each once.
func parameters(r *http.Request, names ...string) *query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	q := &query{values: values}
	if err != nil {
		q.fail("the query cannot be read: %v", err)
	}
	for name, v := range values {
		switch {
		case !slices.Contains(names, name):
			q.fail("there is no parameter %q here", name)
		case len(v) != 1:
			q.fail("%s is given more than once", name)
		case !utf8.ValidString(v[0]):
			q.fail("%s is not valid UTF-8", name)
		}
	}
	return q
}

func (q *query) fail(format string, args ...any) {
	if q.err == nil {
		q.err = invalid(format, args...)
	}
}

func (q *query) text(name string) string { return q.values.Get(name) }

// list returns a comma-separated parameter.
func (q *query) list(name string) []string {
	var list []string
	for s := range strings.SplitSeq(q.text(name), ",") {
		if s = strings.TrimSpace(s); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// limit returns the number of things to list: fallback where it is not given, and never outside 1 to most.
func (q *query) limit(fallback, most int) int {
	s := q.text("limit")
	if s == "" {
		return fallback
	}
	n, err := strconv.Atoi(s)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		q.fail("limit must be a whole number")
	}
	return max(1, min(n, most))
}

// after returns a cursor that is the id of the last thing of the page before.
func (q *query) after(kind string) string {
	cursor := q.text("cursor")
	if cursor != "" && !strings.HasPrefix(cursor, kind+"-") {
		q.fail("the cursor %q is none of this list", cursor)
	}
	return cursor
}

// whole returns a parameter that is a whole number, fallback where it is not given.
func (q *query) whole(name string, fallback int) int {
	s := q.text(name)
	if s == "" {
		return fallback
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		q.fail("%s must be a whole number", name)
	}
	return n
}

// number returns a parameter that is a number, fallback where it is not given.
func (q *query) number(name string, fallback float64) float64 {
	s := q.text(name)
	if s == "" {
		return fallback
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		q.fail("%s must be a number", name)
	}
	return v
}

func (q *query) flag(name string) bool {
	switch q.text(name) {
	case "", "false":
	case "true":
		return true
	default:
		q.fail("%s must be true or false", name)
	}
	return false
}

// time returns a point in time given as RFC 3339 or as a date, zero where it is not given. A date means its beginning,
// or its end for endOfDay.
func (q *query) time(name string, where *time.Location, endOfDay bool) time.Time {
	s := q.text(name)
	if s == "" {
		return time.Time{}
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		q.fail("%s must be a date such as 2026-11-29 or a time such as 2026-11-29T14:00:00Z", name)
	}
	if endOfDay {
		return memory.DayStart(t.Year(), t.Month(), t.Day()+1, where).Add(-time.Nanosecond)
	}
	return memory.DayStart(t.Year(), t.Month(), t.Day(), where)
}
