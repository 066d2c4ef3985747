# make run and make test are all that one needs; make help lists the rest.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

DESKTOP := desktop,production,webkit2_41
VERSION := $(shell awk '/^## [0-9]/ { print $$2; exit }' CHANGELOG.md)
GOBUILD := go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)"
# npm 10 ends with 0 where there is no network; what it writes last tells.
NPM_CI := { npm ci --no-audit --no-fund && test -e node_modules/.package-lock.json; } || \
	{ echo "page: npm could not install the packages; the reason is above. Is the network there? Then try again." >&2; exit 1; }
NOT_BUILT := { echo "app: not built; the reason is above. The first build needs the network for the Go modules." >&2; exit 1; }
PAGE_SOURCES := $(shell find frontend -name node_modules -prune -o -name dist -prune -o -type f ! -name '*.go' -print)

# What the tests that need a real engine and the real starter models look for.
export RECOLLECT_TEST_ENGINE := $(CURDIR)/bin/engine/ollama
export RECOLLECT_TEST_MODELS := $(CURDIR)/bin/models

ifeq ($(shell uname),Darwin)
display := yes
else
display := $(DISPLAY)$(WAYLAND_DISPLAY)
endif

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# ---- run

.PHONY: run
ifneq ($(display),)
run: ## set up what is missing, build, and open the window (without a display: serve the page and print the link)
	@build/setup.sh go node python engine-if-needed desktop
	@$(MAKE) --no-print-directory page engine-if-needed models app
	@echo "run: opening the window"
	@bin/recollect
else
run:
	@echo "run: there is no display here (DISPLAY and WAYLAND_DISPLAY are empty), so the page will be served for a browser"
	@build/setup.sh go node python engine-if-needed
	@$(MAKE) --no-print-directory page engine-if-needed models cli
	@bin/recollect-cli serve
endif

# ---- build

.PHONY: build app cli page engine engine-if-needed models tools
build: ## everything: the page, the app, the engine and the starter models
	@build/setup.sh go node python engine desktop
	@$(MAKE) --no-print-directory page app cli engine models

app: # the desktop app
	@echo "app: building bin/recollect"
	@CGO_ENABLED=1 build/watched.sh app $(GOBUILD) -tags $(DESKTOP) -o bin/recollect . || $(NOT_BUILT)

cli: # everything but the window, for machines without a display
	@echo "app: building bin/recollect-cli"
	@CGO_ENABLED=0 build/watched.sh app $(GOBUILD) -o bin/recollect-cli . || $(NOT_BUILT)

page: frontend/dist/index.html
	@:

frontend/dist/index.html: frontend/node_modules/.package-lock.json $(PAGE_SOURCES)
	@echo "page: building"
	@cd frontend && npm run --silent build
	@touch $@

frontend/node_modules/.package-lock.json: frontend/package.json frontend/package-lock.json
	@echo "page: installing packages"
	@cd frontend && $(NPM_CI)
	@touch $@

e2e/node_modules/.package-lock.json: e2e/package.json e2e/package-lock.json
	@cd e2e && $(NPM_CI)
	@touch $@

engine:
	@build/engine/build.sh

engine-if-needed:
	@build/engine/build.sh --if-needed

models:
	@CGO_ENABLED=0 go run ./build/models -o bin/models

tools:
	@build/tools/build.sh lint

# ---- install for this user, on desktops of freedesktop.org

XDG_DATA := $(or $(XDG_DATA_HOME),$(HOME)/.local/share)
ICON := icons/hicolor/512x512/apps/recollect.png

.PHONY: install uninstall
install: page app engine-if-needed models ## put the app into this user's menu and on the PATH (~/.local/bin)
	@mkdir -p "$(HOME)/.local/bin" "$(XDG_DATA)/applications" "$(XDG_DATA)/$(dir $(ICON))"
	@ln -sf "$(CURDIR)/bin/recollect" "$(HOME)/.local/bin/recollect"
	@sed 's|@PROGRAM@|$(CURDIR)/bin/recollect|' build/recollect.desktop >"$(XDG_DATA)/applications/recollect.desktop"
	@cp build/appicon.png "$(XDG_DATA)/$(ICON)"
	@echo "install: Recollect is in the menu; it goes on living in $(CURDIR)"

uninstall: # what install put there; the data stays
	@rm -f "$(HOME)/.local/bin/recollect" "$(XDG_DATA)/applications/recollect.desktop" "$(XDG_DATA)/$(ICON)"

# ---- test

.PHONY: setup-test test test-full race fuzz lint vulncheck check-page test-page test-desktop test-wails test-engine test-go bench eval
setup-test:
	@build/setup.sh go node python engine desktop test
	@$(MAKE) --no-print-directory tools page engine models

test: setup-test ## everything that CI runs
	@$(MAKE) --no-print-directory lint vulncheck check-page app cli test-page test-desktop test-wails test-go

test-full: export RECOLLECT_FULL := 1
test-full: test ## the same and what takes long: kill test and soak in full, race detector, fuzzing, whole evaluation
	@$(MAKE) --no-print-directory race fuzz eval

race: # the race detector over everything but the page and the window
	@CGO_ENABLED=1 go test -race -count=1 -timeout 90m ./backend/...

FUZZ_TIME ?= 60s
fuzz: # each fuzz test for FUZZ_TIME
	@git grep -n '^func Fuzz' -- 'backend/*_test.go' | sed 's|/[^/]*_test.go:[0-9]*:func | |; s|(.*||' | while read -r package name; do \
		CGO_ENABLED=0 go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZ_TIME) "./$$package" || exit 1; \
	done

lint: tools ## vet, linters, format, scripts, forbidden words
	@build/lint.sh $(DESKTOP)

vulncheck: tools # known vulnerabilities that our code can reach
	@echo "lint: govulncheck"
	@CGO_ENABLED=0 go run ./build/tools/vulncheck -db "file://$$(cd build/tools/vulndb && go mod download && go list -m -f '{{.Dir}}' golang.org/x/vulndb)/data/osv" ./...

check-page: frontend/node_modules/.package-lock.json # the page's linters, types and unit tests; the build checks its budgets
	@echo "page: linting, checking types, testing"
	@cd frontend && npm run --silent lint && npm run --silent check && npm test --silent

test-page: page e2e/node_modules/.package-lock.json # the page in Chromium against serve with the fake engine
	@cd e2e && npm test --silent

test-desktop: page engine models # the real window under Xvfb
	@CGO_ENABLED=1 go build -trimpath -tags $(DESKTOP),smoke -o bin/recollect-smoke .
	@RECOLLECT_BINARY=$(CURDIR)/bin/recollect-smoke go test -tags smoke -count=1 -timeout 30m ./e2e/desktop

test-wails: page # that the Wails command line builds the app too
	@build/tools/build.sh wails
	@bin/tools/wails build -tags webkit2_41 -trimpath -s -skipbindings -nosyncgomod -m -o recollect >bin/wails.log 2>&1 || { cat bin/wails.log; exit 1; }
	@build/bin/recollect version

test-engine: engine models # the packages that talk to a real engine
	@CGO_ENABLED=0 go test -count=1 ./backend/engine/... ./backend/tokens

test-go: engine models
	@CGO_ENABLED=0 go build ./...
	@CGO_ENABLED=0 go test -count=1 -timeout $(if $(RECOLLECT_FULL),90m,20m) ./...

bench: page app cli engine models ## the table of numbers that the README quotes
	@bin/recollect-cli bench

EVAL := bin/recollect-cli eval all --data "$$RECOLLECT_EVAL_DATA" --home "$(CURDIR)/bin/eval" --vectors "$(CURDIR)/bin/eval/vectors"
eval: page cli engine models ## how well recall finds the right memory, on the sets in the folder RECOLLECT_EVAL_DATA
	@if [ -z "$$RECOLLECT_EVAL_DATA" ]; then echo "eval: left out; RECOLLECT_EVAL_DATA=FOLDER names the sets (docs/evaluation.md)"; \
	else $(EVAL) && $(EVAL) --embedder multilingual-e5-small; fi

.PHONY: licences
licences: frontend/node_modules/.package-lock.json ## write anew which software of others is in the program, with its licences
	@CGO_ENABLED=0 go run ./backend/licences/collect
	@cd frontend && node scripts/licences.mjs

.PHONY: clean
clean: ## remove what was built (not the caches in ~/.cache/recollect)
	@rm -rf bin build/bin frontend/node_modules e2e/node_modules e2e/out
	@find frontend/dist -mindepth 1 ! -name .gitkeep -delete
