package autostart

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

var command = []string{`/files/My "Apps" & $more/100%/recollect`, "--minimised"}

func TestDesktopEntry(t *testing.T) {
	text := desktopEntry(command)
	// As the Desktop Entry Specification has it: quoted, then escaped once more, % doubled.
	want := `Exec="/files/My \\"Apps\\" & \\$more/100%%/recollect" "--minimised"` + "\n"
	if !strings.Contains(text, want) {
		t.Errorf("%s\nhas no line\n%s", text, want)
	}
	if !desktopEntryOn(text) || desktopEntryOn(text+"Hidden = true\n") || desktopEntryOn(strings.Replace(text, "enabled=true", "enabled=false", 1)) {
		t.Error("what a desktop switches off must be off")
	}
}

func TestLaunchAgent(t *testing.T) {
	d := xml.NewDecoder(strings.NewReader(launchAgent(command)))
	var texts []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			texts = append(texts, string(text))
		}
	}
	want := []string{"Label", agentLabel, "ProgramArguments", command[0], command[1], "RunAtLoad", "ProcessType", "Interactive"}
	if strings.Join(texts, "|") != strings.Join(want, "|") {
		t.Errorf("%q", texts)
	}
}

func TestRunValue(t *testing.T) {
	got := runValue([]string{`C:\Program Files\Recollect\recollect.exe`, "--home", `D:\`})
	if want := `"C:\Program Files\Recollect\recollect.exe" "--home" "D:\\"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
