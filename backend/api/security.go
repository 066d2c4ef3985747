package api

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"recollect/backend/memory"
)

// policy is the content security policy: the page is all there is, and nothing leaves it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// headers sets what every answer carries. Nothing is cached: a web view that is answered "not modified" may hang.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// guard keeps out whoever does not belong to this user: other web pages (also those that point a name of theirs at this
// machine) and other users of this machine.
type guard struct {
	options Options
	next    http.Handler
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := g.check(r); err != nil {
		writeProblem(w, r, err)
		return
	}
	if r.URL.Path == "/api/session" && r.Method == http.MethodPost {
		g.session(w, r)
		return
	}
	g.next.ServeHTTP(w, r)
}

func forbidden(format string, args ...any) error {
	return memory.Errorf(memory.EFORBIDDEN, "check request", format, args...)
}

func (g *guard) check(r *http.Request) error {
	if !g.knownHost(r.Host) {
		return forbidden("the host %q is not this app", r.Host)
	}
	if !isAPI(r) {
		return nil // the page itself holds no secret; its link must open from anywhere
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return forbidden("requests of the page %q are refused", origin)
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
	default:
		return forbidden("requests of other pages are refused (%s)", site)
	}
	if r.URL.Path == "/api/session" && r.Method == http.MethodPost {
		return nil // it brings the token in its body
	}
	if !g.authorised(r) {
		e := memory.Errorf(memory.EFORBIDDEN, "check request", "the token is missing or wrong; open the link that the app printed")
		e.Remedy = memory.RemedyOpenLink
		return e
	}
	return nil
}

// knownHost says whether a Host header names the address that the server is bound to by an IP address or localhost. A
// page that points its own name at this machine cannot forge that.
func (g *guard) knownHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), "80"
	}
	boundTo, boundPort, err := net.SplitHostPort(g.options.Addr)
	if err != nil || port != boundPort {
		return false
	}
	if name == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	bound, err := netip.ParseAddr(boundTo)
	return ip.IsLoopback() || err != nil && boundTo != "localhost" || err == nil && !bound.IsLoopback()
}

func (g *guard) authorised(r *http.Request) bool {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return g.valid(token)
	}
	for _, c := range r.CookiesNamed(g.cookie()) {
		if g.valid(c.Value) {
			return true
		}
	}
	return false
}

func (g *guard) valid(token string) bool {
	return g.options.Token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(g.options.Token)) == 1
}

// cookie returns the cookie's name. Browsers share cookies among the ports of one host; each instance has its own.
func (g *guard) cookie() string {
	_, port, _ := net.SplitHostPort(g.options.Addr)
	return "recollect-" + port
}

// session exchanges the token of the printed link for a cookie.
func (g *guard) session(w http.ResponseWriter, r *http.Request) {
	handler(func(r *http.Request) (result, error) {
		var in SessionCreate
		if err := decode(r, &in); err != nil {
			return result{}, err
		}
		if !g.valid(in.Token) {
			e := memory.Errorf(memory.EFORBIDDEN, "open session", "the link is not valid any more; open the one that the app printed last")
			e.Remedy = memory.RemedyOpenLink
			return result{}, e
		}
		http.SetCookie(w, &http.Cookie{
			Name: g.cookie(), Value: in.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		})
		return nothing(), nil
	}).ServeHTTP(w, r)
}
