// Package licences holds the licences of the software of others that is in the program: Go modules in go.json, packages of
// the page in npm.json. `make licences` writes both; tests compare them with what is built. What comes inside of a module
// and has no licence lying there is in other.json, which is written by hand.
package licences

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
)

//go:embed go.json
var goParts []byte

//go:embed npm.json
var npmParts []byte

//go:embed other.json
var otherParts []byte

// Part is one module or package.
type Part struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Licence string   `json:"licence"` // SPDX identifiers, joined by " AND "
	Texts   []string `json:"texts"`   // of the licences, as they lie in it
}

// Parts returns all parts by name.
func Parts() []Part {
	var all []Part
	for _, file := range [][]byte{goParts, npmParts, otherParts} {
		var parts []Part
		if err := json.Unmarshal(file, &parts); err != nil {
			panic(err) // a file of this package is broken
		}
		all = append(all, parts...)
	}
	slices.SortFunc(all, func(a, b Part) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Permissive are the licences that a part may have: what others must be able to do with Recollect, they allow.
var Permissive = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "0BSD", "Unlicense", "Zlib", "blessing", "BlueOak-1.0.0", "CC0-1.0"}

// marks are sentences by which a licence is known.
var marks = []struct{ id, text string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"BSD-3-Clause", "Neither the name of"},
	{"BSD-3-Clause", "names of its contributors may be used to endorse"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"},
	{"ISC", "Permission to use, copy, modify, and distribute this software for any purpose with or without fee"},
	{"Unlicense", "This is free and unencumbered software released into the public domain"},
	{"blessing", "May you do good and not evil"},
	{"blessing", "SQLite Is Public Domain"},
	{"CC0-1.0", "CC0 1.0 Universal"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"MPL-2.0", "Mozilla Public License Version 2.0"},
	{"LGPL", "GNU LESSER GENERAL PUBLIC LICENSE"},
	{"GPL", "GNU GENERAL PUBLIC LICENSE"},
}

// Identify returns the SPDX identifier of a licence's text, "" where it is none that we know.
func Identify(text string) string {
	flat := strings.Join(strings.Fields(text), " ")
	for _, m := range marks {
		if strings.Contains(flat, m.text) {
			return m.id
		}
	}
	return ""
}
