package api_test

import (
	"os"
	"testing"

	"recollect/backend/api"
)

func TestBackupsAreListedAndVerified(t *testing.T) {
	a := newApp(t)
	scenario{Method: "GET", URL: "/api/backups", WantStatus: 200, WantContent: []string{`"backups":[]`, `"folder":"`}}.run(t, a)
	scenario{Method: "POST", URL: "/api/backup", WantStatus: 201, WantEvents: []string{"backup.done"}}.run(t, a)
	var list api.Backups
	if call(t, a, "GET", "/api/backups", "").json(t, &list); len(list.Backups) != 1 || list.Backups[0].Kind != "manual" || list.Backups[0].Bytes == 0 {
		t.Fatalf("%+v", list)
	}
	made := list.Backups[0]
	verify := `{"name":"` + made.Name + `"}`
	scenario{Method: "POST", URL: "/api/backups/verify", Body: verify, WantStatus: 200, WantContent: []string{made.Path}}.run(t, a)
	scenario{Name: "no such backup", Method: "POST", URL: "/api/backups/verify", Body: `{"name":"../recollect.db"}`, WantStatus: 404}.run(t, a)
	must(t, os.Truncate(made.Path, made.Bytes/2))
	scenario{Name: "a damaged backup", Method: "POST", URL: "/api/backups/verify", Body: verify, WantStatus: 500, WantContent: []string{"ECORRUPT"}}.run(t, a)
}
