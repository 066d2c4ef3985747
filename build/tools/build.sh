#!/bin/sh
# Builds the tools of one of the modules here, lint or wails, and links them into bin/tools.
#   build/tools/build.sh lint|wails
# They are kept in the user's cache folder, by their pinned versions and the compiler.
set -eu
cd "$(dirname "$0")/$1"
bin=$(cd ../../.. && pwd)/bin/tools
key=$( (cat go.mod go.sum; go env GOVERSION GOARCH) | cksum | cut -d ' ' -f 1)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/recollect/tools/$1-$key
if [ ! -d "$cache" ]; then
	echo "tools: building $(go list tool | sed 's|.*/||' | paste -sd ' ' -), once (1 to 5 minutes)"
	rm -rf "$cache.new"
	mkdir -p "$cache.new"
	CGO_ENABLED=0 ../../watched.sh tools go build -trimpath -ldflags "-s -w" -o "$cache.new/" tool || {
		status=$?
		[ $status = 130 ] || echo "tools: not built; the reason is above. The first build needs the network for the Go modules." >&2
		exit $status
	}
	mv "$cache.new" "$cache"
fi
mkdir -p "$bin"
ln -sf "$cache"/* "$bin/"
