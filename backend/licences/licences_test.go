package licences_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"recollect/backend/licences"
)

func TestEveryModuleOfTheProgramIsListed(t *testing.T) {
	modules, err := licences.Modules("../..")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Go " + strings.TrimPrefix(runtime.Version(), "go")}
	for _, m := range modules {
		want = append(want, m.Path+" "+m.Version)
	}
	var got []string
	for _, p := range licences.Parts() {
		host, _, path := strings.Cut(p.Name, "/")
		if p.Name == "Go" || path && strings.Contains(host, ".") { // the others are packages of the page
			got = append(got, p.Name+" "+p.Version)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("run `make licences`: listed are\n%s\nin the program are\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestEveryLicenceIsPermissiveAndHasItsText(t *testing.T) {
	for _, p := range licences.Parts() {
		if len(p.Texts) == 0 || slices.Contains(p.Texts, "") {
			t.Errorf("%s has no text of its licence", p.Name)
		}
		for _, id := range strings.Split(p.Licence, " AND ") {
			if !slices.Contains(licences.Permissive, id) {
				t.Errorf("%s: %q is not a permissive licence", p.Name, id)
			}
		}
	}
}

func TestLicencesAreKnownByTheirText(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                  "Apache-2.0",
		"Permission is hereby granted, free of charge, to any\nperson obtaining a copy": "MIT",
		"GNU GENERAL PUBLIC LICENSE":                                                    "GPL",
		"All rights reserved.":                                                          "",
	} {
		if got := licences.Identify(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
