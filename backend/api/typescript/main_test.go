package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThePageHasTheTypesOfTheAPI(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	want, err := Generate(filepath.Join(root, "backend"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, target))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the Go types say: run go generate ./backend/api", target)
	}
	again, err := Generate(filepath.Join(root, "backend"))
	if err != nil || !bytes.Equal(again, want) {
		t.Error("the same source gave two results")
	}
}

func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	for pkg, source := range map[string]string{
		"memory": `package memory
import ("time"; "encoding/json")
// Colour is a colour.
type Colour string
const (
	Red Colour = "red" // warm
	Blue Colour = "blue"
)
// Limit is no type of the API.
const Limit = 3
// Base is below.
type Base struct { ID string ` + "`json:\"id\"`" + ` }
// Thing has all kinds of fields.
type Thing struct {
	Base
	Colour Colour ` + "`json:\"colour\"`" + ` // of it
	Maybe *int ` + "`json:\"maybe\"`" + `
	Absent *string ` + "`json:\"absent,omitempty\"`" + `
	At time.Time ` + "`json:\"at,omitzero\"`" + `
	Took time.Duration ` + "`json:\"took\"`" + `
	Raw json.RawMessage ` + "`json:\"raw\"`" + `
	Any map[string]any ` + "`json:\"any\"`" + `
	Maybes []*Base ` + "`json:\"maybes\"`" + `
	Dotted []string ` + "`json:\"a.b\"`" + `
	Hidden func() ` + "`json:\"-\"`" + `
	private chan int
}
type internal struct { X int ` + "`json:\"x\"`" + ` }
// Service has no JSON.
type Service struct { Do func() }
`,
		"api": `package api
import ("recollect/backend/engine"; "recollect/backend/jobs")
// Answer uses another package.
type Answer struct {
	Status engine.Status ` + "`json:\"status\"`" + `
	Jobs []jobs.Job ` + "`json:\"jobs\"`" + `
}
// Nothing is empty.
type Nothing struct{}
`,
		"jobs":   "package jobs\n// Job is a job.\ntype Job struct { ID string `json:\"id\"` }\n",
		"doctor": "package doctor\n", "selftest": "package selftest\n", "agent": "package agent\n", "store": "package store\n", "backups": "package backups\n", "licences": "package licences\n", "monitor": "package monitor\n", "experiment": "package experiment\n", "tokens": "package tokens\n",
		"engine": "package engine\n// Status is its state.\ntype Status struct { OK bool `json:\"ok\"` }\n// Unused is not used.\ntype Unused struct { A int `json:\"a\"` }\n",
	} {
		if err := os.Mkdir(filepath.Join(dir, pkg), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, pkg, "x.go"), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	const want = `
/** Colour is a colour. */
export type Colour =
  | 'red' // warm
  | 'blue'

/** Base is below. */
export interface Base {
  id: string
}

/** Thing has all kinds of fields. */
export interface Thing extends Base {
  colour: Colour // of it
  maybe: number | null
  absent?: string
  at?: string
  took: number
  raw: unknown
  any: Record<string, unknown>
  maybes: (Base | null)[]
  'a.b': string[]
}

/** Answer uses another package. */
export interface Answer {
  status: EngineStatus
  jobs: Job[]
}

/** Status is its state. */
export interface EngineStatus {
  ok: boolean
}

/** Job is a job. */
export interface Job {
  id: string
}

/** Nothing is empty. */
export type Nothing = Record<string, never>
`
	if !strings.Contains(string(got), want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
