#!/bin/sh
# Runs a command that builds something, and tells how long it is at it: compilers say nothing for minutes.
#   build/watched.sh WHAT [-o LOG] COMMAND [ARGUMENT...]
# WHAT begins each line, as in Makefile. With -o what the command writes goes into LOG. The exit status is the command's.
set -eu
what=$1
shift
log=
if [ "$1" = -o ]; then
	log=$2
	shift 2
fi
start=$(date +%s)
if [ -n "$log" ]; then
	"$@" >"$log" 2>&1 &
else
	"$@" &
fi
pid=$!
trap 'kill $pid 2>/dev/null || true; echo "$what: stopped; what is compiled so far is kept for the next time"; exit 130' INT TERM
told=0
shown=
while kill -0 $pid 2>/dev/null; do
	sleep 0.2
	passed=$(($(date +%s) - start))
	if [ -t 1 ] && [ $passed -ge 5 ]; then
		shown=yes
		printf '\r%s: building, %d:%02d' "$what" $((passed / 60)) $((passed % 60))
	elif [ $passed -ge $((told + 30)) ]; then
		told=$passed
		echo "$what: building, $passed s"
	fi
done
[ -z "$shown" ] || echo
wait $pid
