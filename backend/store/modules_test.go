package store

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The driver is translated C: it works with the very version of the C library that it was made with, and go.mod must
// name no other.
func TestTheDriverHasItsOwnCLibrary(t *testing.T) {
	list := func(format, module string) string {
		out, err := exec.Command("go", "list", "-m", "-f", format, module).Output()
		must(t, err)
		return strings.TrimSpace(string(out))
	}
	mod, err := exec.Command("go", "mod", "edit", "-print", list("{{.GoMod}}", "modernc.org/sqlite")).Output()
	must(t, err)
	wants := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(mod)
	if wants == nil {
		t.Fatalf("the driver's go.mod names no C library:\n%s", mod)
	}
	wantEqual(t, "the C library", list("{{.Version}}", "modernc.org/libc"), string(wants[1]))
}
