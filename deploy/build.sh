#!/usr/bin/env bash
# build.sh NAMES [OPTION...]: builds `daemon` (the daemon with its workers), `programs` (all) or targets by
# name, with commas between them, for release and in one go, with the options of `swift build`. Prints the folder
# that they are in.
set -euo pipefail
cd "$(dirname "$0")/.."

export STICKERD_BUILD=$1
shift
build=(swift build -c release "$@")
"${build[@]}" >&2
"${build[@]}" --show-bin-path
