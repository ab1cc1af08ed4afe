#!/usr/bin/env bash
# build.sh NAMES [OPTION...]: builds `daemon` (the daemon with its workers), `programs` (all) or targets by
# name, with commas between them, for release and in one go, with the options of `swift build`. Prints the folder
# that they are in. Without options, programs that are newer than all sources are not built again.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v swift >/dev/null; then
    echo "build: there is no swift; stickerd needs Swift 6.3: https://www.swift.org/install/linux/" >&2
    exit 1
fi

export STICKERD_BUILD=$1
shift
build=(swift build -c release "$@")
# What the last build was of: `daemon` is a part of `programs`.
note=.build/last-build
built_with="$(swift --version 2>/dev/null | head -n 1) $(sed -n 's/^VERSION_ID=//p' /etc/os-release) ${STICKERD_INOTIFYTOOLS:-yes}"
is_built() {
    local names folder with
    { read -r names && read -r folder && read -r with; } 2>/dev/null <"$note" || return
    [[ $names == "$STICKERD_BUILD" || $names/$STICKERD_BUILD == programs/daemon ]] &&
        [[ $with == "$built_with" && -x $folder/stickerd ]] &&
        [[ -z $(find Package.swift Package.resolved Sources -newer "$note" -print -quit) ]] && echo "$folder"
}
# A first build of all takes as much, in MB.
check_room() {
    local needed=3000 free
    if compgen -G '.build*/*-linux-gnu' >/dev/null; then return; fi
    free=$(df --output=avail --block-size=1M . 2>/dev/null | tail -n 1) || return 0
    if ((free < needed)); then
        echo "build: $PWD has $((free)) MB free, and a build takes up to $needed: free some space" >&2
        exit 1
    fi
}
if (($# > 0)); then
    check_room
    build+=($(deploy/jobs.sh))
    "${build[@]}" >&2
    "${build[@]}" --show-bin-path
elif ! is_built; then
    check_room
    build+=($(deploy/jobs.sh))
    mkdir -p .build
    rm -f "$note"
    # Changes while it builds are newer.
    begun=$(mktemp)
    trap 'rm "$begun"' EXIT
    "${build[@]}" >&2
    folder=$("${build[@]}" --show-bin-path)
    printf '%s\n' "$STICKERD_BUILD" "$folder" "$built_with" >"$note"
    touch --reference="$begun" "$note"
    echo "$folder"
fi
