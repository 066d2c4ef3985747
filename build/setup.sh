#!/bin/sh
# Checks what a machine must have before anything can be built, and installs the system packages that are missing.
#   build/setup.sh go|node|python|engine|engine-if-needed|desktop|test...
# Each word adds what that part needs; engine-if-needed adds nothing where there is an Ollama. Packages are installed by
# apt as root or through sudo; elsewhere the one line to type is printed.
set -eu
cd "$(dirname "$0")/.."
problems=0
packages=
engine="g++ nlohmann-json3-dev libstb-dev"

# missing WHAT REMEDY
missing() {
	echo "setup: $1 is missing. $2" >&2
	problems=1
}

# at_least HAVE WANT compares versions.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

need_go() {
	want=$(awk '$1 == "go" { print $2 }' go.mod)
	if ! command -v go >/dev/null; then
		missing "Go" "Install Go $want or newer from go.dev/dl and put its bin folder on the PATH."
	elif have=$(cd / && GOTOOLCHAIN=local go env GOVERSION) && ! at_least "${have#go}" "$want"; then
		missing "Go $want" "This is ${have#go}; install a newer one from go.dev/dl."
	fi
}

need_node() {
	want=20.19
	if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
		missing "Node.js with npm" "Install Node.js $want or newer from nodejs.org."
	elif have=$(node --version) && ! at_least "${have#v}" "$want"; then
		missing "Node.js $want" "This is ${have#v}; install a newer one from nodejs.org."
	fi
}

need_python() {
	python=$(command -v python3 || true)
	[ -z "$python" ] || ! python3 -m pip --version >/dev/null 2>&1 || return 0
	case $(uname):$python in
	Linux: | Linux:/usr/bin/*) packages="$packages python3 python3-pip" ;;
	*:) missing "Python 3 with pip" "Install it from python.org." ;;
	*) missing "pip of $python" "Install it by: python3 -m ensurepip" ;;
	esac
}

for part; do
	case $part in
	go) need_go ;;
	node) need_node ;;
	python) need_python ;;
	engine-if-needed) ! build/engine/build.sh --needed 2>/dev/null || packages="$packages $engine" ;;
	engine) packages="$packages $engine" ;;
	desktop)
		packages="$packages g++ pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev"
		# the page is in Chinese too, and the window shows the machine's fonts
		fc-list :lang=zh 2>/dev/null | grep -q . || packages="$packages fonts-noto-cjk"
		;;
	test) packages="$packages xvfb xauth xdotool x11-utils openbox imagemagick dbus-x11 chromium fonts-noto-cjk fonts-noto-color-emoji shellcheck" ;;
	*)
		echo "setup: unknown part $part" >&2
		exit 2
		;;
	esac
done

[ "$(uname)" = Linux ] || exit $problems
if ! command -v dpkg-query >/dev/null; then
	echo "setup: this is not Debian or Ubuntu, so see to it yourself that the like of these is installed:$packages" >&2
	exit $problems
fi
wanted=
for package in $packages; do
	case "$wanted " in
	*" $package "*) continue ;; # two parts need it
	esac
	case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
	*" installed") ;;
	*) wanted="$wanted $package" ;;
	esac
done
[ -n "$wanted" ] || exit $problems

# may_sudo says whether sudo lets this user install, and has it ask for the password where somebody can type it.
may_sudo() {
	command -v sudo >/dev/null || return 1
	! sudo -n true 2>/dev/null || return 0
	[ -t 0 ] || return 1
	echo "setup: sudo asks for your password, to install$wanted"
	sudo -v
}

install="apt-get install -y --no-install-recommends$wanted"
if [ $problems = 0 ] && [ "$(id -u)" = 0 ]; then
	as=
elif [ $problems = 0 ] && may_sudo; then
	as=sudo
else
	echo "setup: these system packages are missing; type this as root, then try again:" >&2
	echo "  apt-get update && $install" >&2
	exit 1
fi
echo "setup: installing$wanted"
# shellcheck disable=SC2086 # both are lists of words
if ! { $as apt-get update -q && $as env DEBIAN_FRONTEND=noninteractive $install; }; then
	echo "setup: apt could not install them; the reason is above. Is the network there? Then try again." >&2
	exit 1
fi
