package api

import (
	"net/http"

	"recollect/backend/licences"
)

func (a *API) licences(*http.Request) (result, error) {
	return ok(Licences{Parts: licences.Parts()}), nil
}
