// Package app tests Recollect as a whole: the program as it is built, started, killed and asked over its API and its
// command line, as a user, a crash or a full disk would.
package app
