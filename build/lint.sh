#!/bin/sh
# Everything about the source that needs no running program.
#   build/lint.sh DESKTOP_TAGS
# shellcheck disable=SC2317 # check calls the functions
set -u
cd "$(dirname "$0")/.." || exit
tags=$1
status=0

# check NAME COMMAND... runs the command and goes on where it fails.
check() {
	name=$1
	shift
	echo "lint: $name"
	"$@" || {
		echo "lint: $name found the above" >&2
		status=1
	}
}

format() {
	# shellcheck disable=SC2046 # a list of files
	files=$(bin/tools/gofumpt -l $(git ls-files '*.go')) || return
	[ -z "$files" ] || {
		echo "to be formatted by bin/tools/gofumpt -w:"
		echo "$files"
		return 1
	}
}

scripts() {
	# shellcheck disable=SC2046 # a list of files
	shellcheck $(git ls-files '*.sh' .ci/run)
}

# Unfinished work, and the addresses of registries and of somebody's machine.
words() {
	! git grep -nIE '\b(TO''DO|FIX''ME|XX''X)\b' -- ':!*package-lock.json' ':!*.sum' &&
		! git grep -nIE '"resolved":|/home/[a-z]+/|/ro''ot/' -- '*package-lock.json' '*.go' '*.ts' '*.svelte' '*.md' Makefile
}

check "go vet" env CGO_ENABLED=0 go vet ./...
check "go vet of the desktop smoke test" env CGO_ENABLED=0 go vet -tags smoke ./e2e/...
check "go vet of the window" env CGO_ENABLED=1 go vet -tags "$tags" .
check "go vet of the window under test" env CGO_ENABLED=1 go vet -tags "$tags,smoke" .
check "gofumpt" format
check "golangci-lint" env CGO_ENABLED=0 bin/tools/golangci-lint run ./...
check "golangci-lint of the window" env CGO_ENABLED=1 bin/tools/golangci-lint run --build-tags "$tags" .
check "shellcheck" scripts
check "words and addresses" words
exit $status
