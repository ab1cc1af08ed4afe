#!/usr/bin/env bash
# build.sh NAMES [OPTION...]: builds `daemon` (the daemon with its workers), `programs` (all) or targets by
# name, with commas between them, for release and in one go, with the options of `swift build`. Prints the folder
# that they are in. Without options, what is newer than all sources is not built again.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v swift >/dev/null; then
    echo "build: there is no swift; stickerd needs Swift 6.3: https://www.swift.org/install/linux/" >&2
    exit 1
fi

export STICKERD_BUILD=$1
shift
build=(swift build -c release "$@")
note=.build/built-$STICKERD_BUILD-${STICKERD_INOTIFYTOOLS:-yes}
if (($# == 0)) && [[ -e $note && -x $(<"$note")/stickerd ]] &&
    [[ -z $(find Package.swift Sources -newer "$note" -print -quit) ]]; then
    cat "$note"
    exit
fi
# Changes while it builds are newer.
begun=$(mktemp)
trap 'rm "$begun"' EXIT
"${build[@]}" >&2
folder=$("${build[@]}" --show-bin-path)
if (($# == 0)); then
    echo "$folder" >"$note"
    touch --reference="$begun" "$note"
fi
echo "$folder"
