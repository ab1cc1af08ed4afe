#!/usr/bin/env bash
# Everything a change must pass: one line a step with its seconds; the first failure ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no # the backtracer of a crashed test would keep the run open for ever

log=$(mktemp)
tests= # what runs the tests beside the other steps: a session of its own, so that all of it can be ended
finish() {
    if [[ -n $tests ]]; then
        grep -E '✘|error: ' "$log.beside" | tail -n 20 || true
        pkill --session "$tests" || true
    fi
    rm -rf "$log" "$log".*
}
trap finish EXIT

# Waits for the tests, shows them, and ends the run if they failed.
end_of_tests() {
    local status=0
    wait "$tests" || status=$?
    tests=
    cat "$log.beside"
    if ((status != 0)); then exit "$status"; fi
}

# step NAME COMMAND...: runs the command, shows its output only where it fails.
step() {
    local name=$1 start=$SECONDS
    shift
    if [[ -n $tests ]] && ! kill -0 "$tests" 2>/dev/null; then end_of_tests; fi
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
without_warnings() {
    "$@" 2>&1 | tee "$log.build" || return
    local warnings
    warnings=$(grep -E "^$PWD/(Sources|Tests)/.*: warning: " "$log.build" | sort -u || true)
    if [[ -z $warnings ]]; then return; fi
    cut -d: -f1 <<<"$warnings" | sort -u | xargs -d '\n' touch
    printf 'warnings of our own code:\n%s\n' "$warnings"
    return 1
}

# Programs and tests in one release build.
mapfile -t options < <(deploy/options.sh | xargs -n 1)
build() {
    # shellcheck disable=SC2046 # two words, or none
    without_warnings swift build -c release --build-tests "${options[@]}" $(deploy/jobs.sh)
}

# Beside the programs, where they and the tests look for it.
fonts() {
    local programs
    programs=$(swift build -c release "${options[@]}" --show-bin-path)
    deploy/fonts.sh "$programs/stickerd-fonts"
    ln -sfn "$PWD/deploy/smart" "$programs/stickerd-smart"
}

# Only some at once, though most of them wait most of the time: if all did, each would last as long as all together.
tests() {
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((8 * $(nproc))) \
        timeout -k 10 1800 swift test -c release --skip-build "${options[@]}"
}

# The Debian packages, of the same build but for inotify: all steps that follow run the programs in them.
package() {
    # Only what is handed out is worth minutes of compression.
    export DPKG_DEB_COMPRESSOR_TYPE=zstd DPKG_DEB_COMPRESSOR_LEVEL=9
    without_warnings deploy/make-deb.sh || return
    packages=$PWD/$(tail -n 1 "$log.build")
    programs=$packages/installed/usr/bin
    small_enough
}

# The packages are at most 40 MB together, and 130 MB once installed; symbols are apart.
small_enough() {
    local package bytes=0 kibibytes=0
    for package in "$packages"/stickerd{,-workers}_*.deb; do
        ((bytes += $(stat --format %s "$package"), kibibytes += $(dpkg-deb --field "$package" Installed-Size)))
    done
    echo "packages: $bytes bytes, $kibibytes KiB installed"
    ((bytes <= 40000000 && kibibytes * 1024 <= 130000000))
}

# The units as they are, but for the programs, which are those of the package; alone, and with every example of a drop-in.
unit() {
    local folder=$log.units service
    mkdir "$folder"
    for service in stickerd stickerd-personal stickerd-web stickerd-console stickerd-weather; do
        sed "s|=/usr/bin/sticker|=$programs/sticker|" "systemd/$service.service" >"$folder/$service.service"
    done
    grep --quiet "^ExecStart=$programs/stickerd " "$folder/stickerd.service" || return
    exposed "$folder/stickerd.service" 15 && exposed "$folder/stickerd-web.service" 10 || return
    exposed "$folder/stickerd-personal.service" 15 || return
    exposed "$folder/stickerd-console.service" 12 || return
    # It goes out to any address.
    exposed "$folder/stickerd-weather.service" 15 || return
    cp systemd/stickerd-weather.timer "$folder"

    mkdir "$folder"/{stickerd,stickerd-web}.service.d
    cp systemd/examples/{home,network-share}.conf "$folder/stickerd.service.d"
    cp systemd/examples/web-{network,personal,upstreams}.conf "$folder/stickerd-web.service.d"
    cp systemd/examples/stickerd-attention.* "$folder"
    # A server for everybody cannot have the list of addresses that the unit itself has.
    exposed "$folder/stickerd.service" 15 && exposed "$folder/stickerd-web.service" 12 || return
    systemd-analyze --man=no verify --recursive-errors=yes "$folder/stickerd.service" "$folder/stickerd-personal.service" \
        "$folder/stickerd-web.service" "$folder/stickerd-console.service" "$folder/stickerd-weather.timer" "$folder/stickerd-attention.path" \
        "$folder/stickerd-attention.service"
}

# exposed UNIT TENTHS: as exposed as that at most, as systemd counts it.
exposed() {
    systemd-analyze security --offline=true --threshold="$2" --no-pager "$1"
}

# The gallery, the page for placing stickers, and the console in a real browser.
gallery() {
    local python
    if ! python=$(deploy/browser.sh); then
        echo "check-gallery: skipped, pip cannot install playwright"
        return
    fi
    timeout -k 10 600 "$python" deploy/check-gallery.py "$programs" || return
    timeout -k 10 300 "$python" deploy/check-compose.py "$programs" || return
    timeout -k 10 120 "$python" deploy/check-looks.py "$programs" || return
    timeout -k 10 300 "$python" deploy/check-console.py "$programs" || return
    timeout -k 10 300 "$python" deploy/check-studio.py "$programs" || return
    timeout -k 10 300 "$python" deploy/check-upstreams.py "$programs"
}

# The answers of the web server and the document that describes them.
api() {
    local environment=.build-api schemathesis=()
    /usr/bin/python3 -m venv "$environment" || return
    # One version, so that the same requests are made each time.
    if "$environment/bin/pip" install --quiet schemathesis==4.32.5; then
        schemathesis=("$environment/bin/schemathesis")
    fi
    timeout -k 10 300 deploy/check-api.py "$programs" "${schemathesis[@]}"
}

# shown NAME COMMAND...: the same for commands whose output people and machines look for.
shown() {
    local name=$1 start=$SECONDS
    shift
    if [[ -n $tests ]] && ! kill -0 "$tests" 2>/dev/null; then end_of_tests; fi
    if ! "$@" 2>&1 | tee "$log.$name"; then
        grep -E '✘|error: ' "$log.$name" | tail -n 60 || true
        printf 'check: %-14s FAILED after %d s\n' "$name" $((SECONDS - start))
        exit 1
    fi
    printf 'check: %-14s %4d s\n' "$name" $((SECONDS - start))
}

if [[ ${1:-} == tests ]]; then
    shown tests tests
    exit
fi

step format format
step commits deploy/check-commits.sh
step build build
step fonts fonts
step package package

# Beside all that follows, which waits more than it computes: at low priority, so that nothing waits for the tests.
setsid nice -n 10 deploy/check.sh tests >"$log.beside" 2>&1 &
tests=$!
step "systemd unit" unit
shown nginx timeout -k 10 120 deploy/check-nginx.py "$programs" # the site that docs/serving.md links to
shown gallery gallery
shown api api
shown personal timeout -k 10 600 deploy/check-personal.py "$programs" # a thousand uploads at once
shown metrics timeout -k 10 300 deploy/check-metrics.py "$programs"
shown proof timeout -k 10 600 deploy/prove/prove.py --quick --programs "$programs" # a bounded part
shown service timeout -k 10 1200 deploy/check-service.sh "$packages"
if [[ -n $tests ]]; then end_of_tests; fi
