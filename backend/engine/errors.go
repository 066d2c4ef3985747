package engine

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/ollama/ollama/api"

	"recollect/backend/memory"
)

// EmbedError names the text of a batch that cannot be embedded; the others can.
type EmbedError struct {
	Index int // into EmbedRequest.Texts
	Err   error
}

// Error says which text it was.
func (e *EmbedError) Error() string { return "text cannot be embedded: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *EmbedError) Unwrap() error { return e.Err }

// classify turns an error of the transport or of the engine into one with a code. ctx is the caller's: when it has
// ended, the caller stopped it, whatever else went wrong. What the network says is no help to people: it is the cause alone.
func classify(ctx context.Context, op string, err error) *memory.Error {
	fail := func(code memory.Code, remedy memory.Remedy, format string, args ...any) *memory.Error {
		e := memory.Errorf(code, op, format, args...)
		e.Remedy, e.Err = remedy, err
		return e
	}
	var done *memory.Error
	var slow errSlow
	var status api.StatusError
	var inStream streamError
	var network net.Error
	switch {
	case errors.As(err, &done):
		return done
	case ctx.Err() != nil:
		if errors.As(context.Cause(ctx), &slow) {
			return fail(memory.EENGINE, memory.RemedyRetry, "the engine hangs: %v", slow)
		}
		return fail(memory.ECANCELLED, "", "stopped")
	case errors.As(err, &slow):
		return fail(memory.EENGINE, memory.RemedyRetry, "the engine hangs: %v", slow)
	case errors.As(err, &status):
		return classifyText(fail, status.StatusCode, status.ErrorMessage)
	case errors.As(err, &inStream):
		return classifyText(fail, 0, string(inStream))
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail(memory.EENGINE, memory.RemedyStartEngine, "the engine is not running")
	case errors.Is(err, errLineTooLong):
		return fail(memory.EINCOMPLETE, memory.RemedyRetry, "the engine sent a line of more than 8 MB")
	case cutOff(err):
		if op == chatOp {
			return fail(memory.EENGINE, memory.RemedyRetry, "the engine ended in the middle of the answer")
		}
		return fail(memory.EENGINE, memory.RemedyRetry, "the engine ended before it was done")
	case errors.As(err, &network):
		return fail(memory.EENGINE, memory.RemedyRetry, "the engine cannot be reached")
	}
	return fail(memory.EENGINE, memory.RemedyRetry, "what the engine sent cannot be read")
}

// cutOff says whether the engine went away while it was asked.
func cutOff(err error) bool {
	for _, e := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// ofRunner is in what Ollama says of a request to a runner of its own.
const ofRunner = "http://127.0.0.1:"

// classifyText maps what Ollama says; status 0 means that it was said inside a stream.
func classifyText(fail func(memory.Code, memory.Remedy, string, ...any) *memory.Error, status int, text string) *memory.Error {
	low := strings.ToLower(text)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(low, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("no space left"):
		return fail(memory.EDISKFULL, memory.RemedyFreeSpace, "the disk is full: %s", text)
	case has("exceeds the context length", "exceed_context_size", "exceeds the available context"):
		return fail(memory.EOVERFLOW, memory.RemedyShortenMessage, "the prompt does not fit into the model's window")
	case has("newer version of ollama"):
		return fail(memory.EMODEL, memory.RemedyUpdateEngine, "the model needs a newer Ollama: %s", text)
	case has("dial tcp", "no such host", "network is unreachable", "name resolution", "tls handshake timeout") && !has(ofRunner):
		return fail(memory.EMODEL, memory.RemedyRetry, "the registry cannot be reached; is this machine online? %s", text)
	case has("pull model manifest", "file does not exist") && !has("unable to load"):
		return fail(memory.EMODEL, memory.RemedyCheckModelName, "the registry does not have it: %s", text)
	case status == http.StatusNotFound || has("not found, try pulling"):
		return fail(memory.EMODEL, memory.RemedyPullModel, "the engine does not have it: %s", text)
	case has("does not support", "not support embeddings"):
		return fail(memory.EUNSUPPORTED, memory.RemedyChooseModel, "the model cannot do that: %s", text)
	case has("requires more system memory", "out of memory", "unable to allocate", "cudamalloc", "failed to allocate"):
		return fail(memory.EMODEL, memory.RemedySmallerModel, "the model does not fit into memory: %s", text)
	case has("unable to load model", "error loading model", "failed to load model", "unknown model architecture", "invalid file magic"):
		return fail(memory.EMODEL, memory.RemedyChooseModel, "the model cannot be loaded: %s", text)
	case has("runner process has terminated"): // while it loaded
		return fail(memory.EMODEL, memory.RemedySmallerModel, "the engine could not load the model, most often for want of memory: %s", text)
	case has(ofRunner, "error was encountered while running the model", "runner has unexpectedly stopped"):
		return fail(memory.EENGINE, memory.RemedyRetry, "the engine's model ended in the middle of its work")
	case has("invalid format", "invalid json schema"):
		return fail(memory.EINVALID, "", "the engine cannot hold the model to that form: %s", text)
	case has("parsing tool call", "failed to parse", "parse json", "closing '}' symbol"):
		return fail(memory.EMALFORMED, memory.RemedyRetry, "the model's tool call could not be read: %s", text)
	case status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests || has("server busy"):
		return fail(memory.EBUSY, memory.RemedyRetry, "the engine is busy: %s", text)
	case status == http.StatusForbidden:
		return fail(memory.EENGINE, memory.RemedyCheckAddress, "the engine refuses requests from this address")
	case status == http.StatusUnauthorized:
		return fail(memory.EFORBIDDEN, memory.RemedyChooseModel, "this model needs an account; Recollect uses local models only")
	case status == 499:
		return fail(memory.ECANCELLED, "", "stopped")
	case status >= 400 && status < 500:
		return fail(memory.EINVALID, "", "the engine refused the request: %s", text)
	}
	return fail(memory.EENGINE, memory.RemedyRetry, "the engine broke off: %s", text)
}

// notDone is the error of a stream that ended without saying that it was done.
func notDone(op string) *memory.Error {
	e := memory.Errorf(memory.EINCOMPLETE, op, "the engine ended the answer without saying that it was done")
	e.Remedy = memory.RemedyRetry
	return e
}
