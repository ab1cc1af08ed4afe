#!/usr/bin/env bash
# build.sh daemon|programs [OPTION...]: builds the daemon with its workers, or all programs, for release
# and in one go, with the options of `swift build`. Prints the folder that they are in.
#
# Swift's own libraries are inside: a worker is started for each picture, and they would be looked up and
# linked every time.
set -euo pipefail
cd "$(dirname "$0")/.."

export STICKERD_BUILD=$1
shift
build=(swift build -c release --static-swift-stdlib "$@")
"${build[@]}" >&2
"${build[@]}" --show-bin-path
