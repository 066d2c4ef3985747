// Package store keeps everything in one SQLite file: agents, blocks, conversations, messages, passages, their search
// indexes, revisions, receipts, events and settings.
package store
