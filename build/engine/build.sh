#!/bin/sh
# Builds Ollama from its Go module for this machine's CPU and lays it at bin/engine/ollama.
#   build/engine/build.sh [--if-needed|--needed]
# With --if-needed nothing is built where an Ollama runs (at OLLAMA_HOST or 127.0.0.1:11434) or is installed. --needed builds
# nothing: the exit status tells whether --if-needed would.
# The result is kept in the user's cache folder, by version, CPU and compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../.." && pwd)/bin/engine/ollama
say() { echo "engine: $*"; }

running() {
	python3 - "${OLLAMA_HOST:-127.0.0.1:11434}" <<'PY'
import sys, urllib.request
address = sys.argv[1].split("://")[-1].rstrip("/").replace("0.0.0.0", "127.0.0.1")
if ":" not in address:
    address += ":11434"
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    sys.exit(b"version" not in opener.open("http://" + address + "/api/version", timeout=2).read())
except OSError:
    sys.exit(1)
PY
}

needed() {
	[ ! -x "$out" ] || return 0
	if running; then
		say "not built: an Ollama is running at ${OLLAMA_HOST:-127.0.0.1:11434}, and Recollect uses it"
		return 1
	fi
	if installed=$(command -v ollama); then
		say "not built: Recollect will start the Ollama that is installed at $installed"
		return 1
	fi
}

case ${1:-} in
--needed)
	needed >/dev/null || exit 1
	exit 0
	;;
--if-needed) needed || exit 0 ;;
esac

cd "$here"
version=$(awk '/^require github.com\/ollama\/ollama / { sub(/^v/, "", $3); print $3 }' go.mod)

# Without AVX2 the same engine is ten times slower.
march=
cpu=$(go env GOARCH)
if [ "$cpu" = amd64 ] && grep -qw avx2 /proc/cpuinfo 2>/dev/null && grep -qw fma /proc/cpuinfo; then
	march="-march=x86-64-v3"
	cpu=x86-64-v3
fi
flags="-O3${march:+ $march}"
key=$( (cat go.sum; echo "$flags"; go env GOVERSION; ${CXX:-g++} -dumpfullversion) | cksum | cut -d ' ' -f 1)
engines=${XDG_CACHE_HOME:-$HOME/.cache}/recollect/engine
cache=$engines/$version-$cpu-$key
include=$engines/include-$version # the same path each time, so that Go's own cache of what is compiled holds

if [ ! -x "$cache/ollama" ]; then
	for header in nlohmann/json.hpp stb/stb_image.h; do
		if ! printf '#include <%s>\n' "$header" | ${CXX:-g++} -E -x c++ -o /dev/null - 2>/dev/null; then
			say "the C++ header $header, or the compiler, is missing; install them with: apt-get install g++ nlohmann-json3-dev libstb-dev"
			exit 1
		fi
	done
	say "fetching the source of Ollama $version"
	if ! go mod download; then
		say "the source could not be fetched; the reason is above. Is the network there? Then try again."
		exit 1
	fi
	mkdir -p "$cache" "$include/miniaudio"
	install -m 644 "$(go list -m -f '{{.Dir}}' github.com/gen2brain/malgo)/miniaudio.h" "$include/miniaudio/"
	say "building Ollama $version for $cpu: 3 minutes on two free cores, up to 10 on busy ones"
	start=$(date +%s)
	status=0
	CGO_ENABLED=1 CGO_CPPFLAGS="-I$include" CGO_CFLAGS="$flags" CGO_CXXFLAGS="$flags" \
		../watched.sh engine -o "$cache/build.log" \
		go build -trimpath -ldflags "-s -w -X github.com/ollama/ollama/version.Version=$version" \
		-o "$cache/ollama.new" github.com/ollama/ollama || status=$?
	[ $status != 130 ] || exit 130 # stopped
	if [ $status != 0 ]; then
		cat "$cache/build.log" >&2
		say "the build failed; the log above is also in $cache/build.log"
		exit 1
	fi
	mv "$cache/ollama.new" "$cache/ollama"
	say "built in $(($(date +%s) - start)) s"
fi
if ! cmp -s "$cache/ollama" "$out"; then
	mkdir -p "$(dirname "$out")"
	rm -f "$out"
	ln "$cache/ollama" "$out" 2>/dev/null || cp "$cache/ollama" "$out"
fi
say "Ollama $version for $cpu is at bin/engine/ollama"
