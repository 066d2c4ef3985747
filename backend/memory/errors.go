package memory

import (
	"errors"
	"fmt"
)

// Code classifies an error for callers that must decide what to do next. Codes are part of the API: they are
// stable, and the page has a text for each.
type Code string

// The codes. A message for people goes beside them in Error.Message.
const (
	EINVALID     Code = "EINVALID"     // the input is malformed: empty, wrong type, not text
	ENOTFOUND    Code = "ENOTFOUND"    // the thing does not exist (any more)
	ECONFLICT    Code = "ECONFLICT"    // it changed meanwhile, or its name is taken
	ELIMIT       Code = "ELIMIT"       // a limit would be exceeded; Error.Limit and Error.Actual say by how much
	EREADONLY    Code = "EREADONLY"    // the block, the disk or the folder cannot be written
	EOVERFLOW    Code = "EOVERFLOW"    // it does not fit into the context window
	EENGINE      Code = "EENGINE"      // the engine is not running or does not answer
	EMODEL       Code = "EMODEL"       // the model is missing, refused or broken
	EBUSY        Code = "EBUSY"        // try again shortly
	EINCOMPLETE  Code = "EINCOMPLETE"  // the engine ended the answer without saying that it was done
	EMALFORMED   Code = "EMALFORMED"   // the model's tool call or JSON could not be used
	EUNSUPPORTED Code = "EUNSUPPORTED" // the model or the platform cannot do it
	EDISKFULL    Code = "EDISKFULL"    // the disk is full
	ENEWER       Code = "ENEWER"       // the data was written by a newer version
	ECORRUPT     Code = "ECORRUPT"     // the data is damaged
	EFORBIDDEN   Code = "EFORBIDDEN"   // no valid token, host or origin
	ECANCELLED   Code = "ECANCELLED"   // stopped by the user
	EINTERNAL    Code = "EINTERNAL"    // a fault of ours
)

// Remedy names the next step after an error: the page offers it as a button, the command line as a sentence. The names
// are part of the API: they are stable.
type Remedy string

// The remedies.
const (
	RemedyRetry          Remedy = "retry"            // the same again
	RemedyRetryNoThink   Remedy = "retry_no_think"   // again without thinking: the model did nothing else
	RemedyStop           Remedy = "stop"             // stop the turn that runs
	RemedyStartEngine    Remedy = "start_engine"     // nothing answers
	RemedyInstallEngine  Remedy = "install_engine"   // there is none on this machine
	RemedyUpdateEngine   Remedy = "update_engine"    // the model needs a newer Ollama
	RemedyCheckAddress   Remedy = "check_address"    // the engine's address in the settings does not answer
	RemedyPullModel      Remedy = "pull_model"       // the model is not there
	RemedyChooseModel    Remedy = "choose_model"     // this model cannot be used for it
	RemedySmallerModel   Remedy = "smaller_model"    // the machine has not enough memory for this one
	RemedyCheckModelName Remedy = "check_model_name" // no such model in the registry, or not a name
	RemedyShortenMessage Remedy = "shorten_message"  // the message does not fit into the window
	RemedyStoreInArchive Remedy = "store_in_archive" // as passages, where a message is too long
	RemedyRaiseWindow    Remedy = "raise_window"     // the window is too small for what is always in it
	RemedyShortenCore    Remedy = "shorten_core"     // core memory takes too much of the window: shorten or compact it
	RemedyFewerTools     Remedy = "fewer_tools"      // the tools take too much of it: switch some off
	RemedyFreeSpace      Remedy = "free_space"       // the disk is full
	RemedyChooseFolder   Remedy = "choose_folder"    // the data folder cannot be written
	RemedyRestore        Remedy = "restore"          // put a backup back: the database is damaged
	RemedyUpdateApp      Remedy = "update_app"       // the data was written by a newer version
	RemedyOpenLink       Remedy = "open_link"        // open the link that the app printed: it carries the token
	RemedyFillFile       Remedy = "fill_file"        // the document holds no text
	RemedyCheckFile      Remedy = "check_file"       // the document is broken: open it in its own program, save it again
	RemedyUnlockFile     Remedy = "unlock_file"      // the document is protected by a password
	RemedyRecogniseText  Remedy = "recognise_text"   // the pages of the document are pictures
	RemedyOtherFormat    Remedy = "other_format"     // save it in a format that is read
	RemedySplitFile      Remedy = "split_file"       // the document is too large, or unfolds to something too large
)

// Error is an error with a code, what was being done, and what the user can do about it.
type Error struct {
	Code    Code
	Op      string   // what was being done, e.g. "update block"
	Message string   // for people: what happened and why
	Chinese string   // the same in Chinese; "" where another program said it
	Remedy  Remedy   // the next step
	Others  []Remedy // other ways out
	Limit   int      // with ELIMIT, EOVERFLOW: the limit in the unit the message names
	Actual  int      // with ELIMIT, EOVERFLOW: what it would have been
	Err     error    // the cause, if any
}

// Error returns "op: message"; a message made by Errorf already contains its cause.
func (e *Error) Error() string {
	s := e.Message
	if s == "" {
		s = string(e.Code)
	}
	if e.Op != "" {
		s = e.Op + ": " + s
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error of the given code; a %w in the format becomes its cause.
func Errorf(code Code, op, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Op: op, Message: err.Error(), Chinese: inChinese(format, args), Err: errors.Unwrap(err)}
}

// With returns the error with its next step and a cause that its message does not tell.
func (e *Error) With(remedy Remedy, cause error) *Error {
	e.Remedy, e.Err = remedy, cause
	return e
}

// CodeOf returns the code of the first Error in err's chain, EINTERNAL for any other error, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return EINTERNAL
}

// ProblemOf returns err as the user sees it, nil for nil. An error without a code is shown as EINTERNAL with its text.
func ProblemOf(err error) *Problem {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		return &Problem{Code: EINTERNAL, Message: err.Error()}
	}
	message := e.Message
	if message == "" {
		message = err.Error()
	}
	return &Problem{Code: e.Code, Message: message, Chinese: e.Chinese, Remedy: e.Remedy, Others: e.Others, Limit: e.Limit, Actual: e.Actual}
}

// ErrorOf returns the error that a problem is of.
func ErrorOf(op string, p Problem) *Error {
	return &Error{Code: p.Code, Op: op, Message: p.Message, Chinese: p.Chinese, Remedy: p.Remedy, Others: p.Others, Limit: p.Limit, Actual: p.Actual}
}
