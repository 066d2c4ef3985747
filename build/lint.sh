#!/bin/sh
# Everything about the source that needs no running program.
#   build/lint.sh DESKTOP_TAGS
set -eu
cd "$(dirname "$0")/.."
tags=$1
say() { echo "lint: $*"; }
fail() {
	echo "lint: $*" >&2
	exit 1
}

say "go vet"
CGO_ENABLED=0 go vet ./...
CGO_ENABLED=0 go vet -tags smoke ./e2e/...
CGO_ENABLED=1 go vet -tags "$tags" . && CGO_ENABLED=1 go vet -tags "$tags,smoke" .

say "gofumpt"
# shellcheck disable=SC2046 # a list of files
unformatted=$(bin/tools/gofumpt -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || fail "not formatted (bin/tools/gofumpt -w): $unformatted"

say "golangci-lint"
CGO_ENABLED=0 bin/tools/golangci-lint run ./...
CGO_ENABLED=1 bin/tools/golangci-lint run --build-tags "$tags" .

say "shellcheck"
# shellcheck disable=SC2046 # a list of files
shellcheck $(git ls-files '*.sh' .ci/run)

say "words and addresses that must not be in the repository"
if git grep -nE '\b(TO''DO|FIX''ME|XXX)\b' -- ':!*.lock' ':!*package-lock.json' ':!*.sum'; then
	fail "finish the above, or file it"
fi
if git grep -nE '"resolved":|/home/[a-z]+/|/root/' -- '*package-lock.json' '*.go' '*.ts' '*.svelte' '*.md' '*.sh' Makefile; then
	fail "the above tells where somebody's machine or registry is"
fi
