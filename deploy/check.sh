#!/usr/bin/env bash
# Everything a change must pass: one line a step with its seconds; the first failure ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no # the backtracer of a crashed test would keep the run open for ever

log=$(mktemp)
trap 'rm -f "$log" "$log".*' EXIT

# step NAME COMMAND...: runs the command, shows its output only where it fails.
step() {
    local name=$1 start=$SECONDS
    shift
    if ! "$@" >"$log" 2>&1; then
        tail -n 60 "$log"
        grep -E '(^|: )error: ' "$log" | sort -u | head -n 20 || true
        printf 'check: %-14s FAILED after %d s\n' "$name" $((SECONDS - start))
        exit 1
    fi
    printf 'check: %-14s %4d s\n' "$name" $((SECONDS - start))
}

format() {
    swift format lint --strict --parallel --recursive Sources Tests Package.swift
}

# Warnings of our own files are errors. The files are marked as changed, so that the next build
# compiles them, and warns, again.
build() {
    swift build "$@" --explicit-target-dependency-import-check error 2>&1 | tee "$log.build" || return
    local warnings
    warnings=$(grep -E "^$PWD/(Sources|Tests)/.*: warning: " "$log.build" | sort -u || true)
    if [[ -z $warnings ]]; then return; fi
    cut -d: -f1 <<<"$warnings" | sort -u | xargs -d '\n' touch
    printf 'warnings of our own code:\n%s\n' "$warnings"
    return 1
}

# The unit as it is, but for the programs, which are those just built; alone and with every example
# of a drop-in.
unit() {
    local folder programs
    folder=$(mktemp -d)
    programs=$(swift build -c release --show-bin-path)
    sed "s|=/usr/bin/|=$programs/|" systemd/stickerd.service >"$folder/stickerd.service"
    mkdir "$folder/stickerd.service.d"
    cp systemd/examples/*.conf "$folder/stickerd.service.d"
    grep --quiet "^ExecStart=$programs/stickerd " "$folder/stickerd.service" &&
        systemd-analyze --man=no verify --recursive-errors=yes "$folder/stickerd.service" &&
        systemd-analyze security --offline=true --threshold=15 --no-pager \
            "$folder/stickerd.service"
    local status=$?
    rm -r "$folder"
    return "$status"
}

# The runner's own output is what people and machines look for, so it is shown as it comes.
tests() {
    local start=$SECONDS
    if ! timeout -k 10 1800 swift test --skip-build 2>&1 | tee "$log.tests"; then
        grep -E '✘|error: ' "$log.tests" | tail -n 60 || true
        printf 'check: %-14s FAILED after %d s\n' tests $((SECONDS - start))
        exit 1
    fi
    printf 'check: %-14s %4d s\n' tests $((SECONDS - start))
}

step format format
step "debug build" build --build-tests
tests
step "release build" build -c release
step "systemd unit" unit
grep -E 'Test run with' "$log.tests"
