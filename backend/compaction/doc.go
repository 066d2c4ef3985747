// Package compaction decides what makes room: which entries of core memory go to the archive, and which messages leave the
// window. It decides from what it is given and stores nothing; package agent carries it out, package store in one
// transaction.
package compaction
