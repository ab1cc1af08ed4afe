#!/usr/bin/env bash
# The slow checks: the tests under the address and the thread sanitizer, and in a debug build without libinotifytools;
# whether deleted uploads leave the disk; the pages in Firefox; two minutes of fuzzing; and the packages on fresh
# systems of Debian 12 and 13. Each has a build of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no # the backtracer of a crashed test would keep the run open for ever
export LSAN_OPTIONS=suppressions=$PWD/deploy/leaks.supp:print_suppressions=0

# run NAME OPTION...: builds and tests with the options; shows the end, or all that went wrong.
run() {
    local name=$1 start=$SECONDS log
    shift
    log=.build-$name/check.log
    mkdir -p ".build-$name"
    if ! build_and_test "$@" --scratch-path ".build-$name" >"$log" 2>&1; then
        grep -E '✘|error: |Sanitizer' "$log" | head -n 60 || true
        printf 'check-all: %-8s FAILED after %d s, see %s\n' "$name" $((SECONDS - start)) "$log"
        exit 1
    fi
    grep -E 'Test run with' "$log"
    printf 'check-all: %-8s %4d s\n' "$name" $((SECONDS - start))
}

# races NAME OPTION...: like run, but only races of threads fail, be they in a test or in a program that a test
# started. Everything takes ten times as long, and tests that wait for something then wait in vain; whether the
# programs do the right thing is for the other runs to tell.
races() {
    local name=$1 start=$SECONDS log
    shift
    log=.build-$name/check.log
    mkdir -p ".build-$name"
    rm -f ".build-$name"/race.*
    export TSAN_OPTIONS=$TSAN_OPTIONS:log_path=$PWD/.build-$name/race
    build_and_test "$@" --scratch-path ".build-$name" >"$log" 2>&1 || true
    grep -E 'Test run with' "$log" || { tail -n 20 "$log"; exit 1; }
    if compgen -G ".build-$name/race.*" >/dev/null; then
        head -n 60 ".build-$name"/race.*
        printf 'check-all: %-8s FAILED after %d s\n' "$name" $((SECONDS - start))
        exit 1
    fi
    printf 'check-all: %-8s %4d s, no race\n' "$name" $((SECONDS - start))
}

preload= # a library that the tests have loaded, and not the compiler
build_and_test() {
    swift build --build-tests "$@" && deploy/fonts.sh "$(swift build "$@" --show-bin-path)/stickerd-fonts" &&
        LD_PRELOAD=$preload timeout -k 10 3600 swift test --skip-build "$@"
}

# The pages in Firefox, which Playwright does not bring to Debian.
firefox() {
    local environment=.build-web
    # Debian's own Python, which has Debian's Pillow.
    /usr/bin/python3 -m venv --system-site-packages "$environment"
    # Mozilla's client for Marionette (MPL-2.0), used by this check alone. It is no longer developed, so this is its
    # last version; deploy/firefox.py uses no more of it than the commands, and starts Firefox itself.
    if ! "$environment/bin/pip" install --quiet marionette_driver==3.7.1; then
        echo "check-firefox: skipped, pip cannot install marionette_driver"
        return
    fi
    timeout -k 10 900 "$environment/bin/python" deploy/check-firefox.py .build-plain/debug
}

STICKERD_INOTIFYTOOLS=no run plain
/usr/bin/python3 deploy/check-personal.py .build-plain/debug 200 disk
firefox
# As malloc does: tests ask for what nobody has. They also look whether it is set.
export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1
run address --sanitize address
preload=$PWD/.build-thread/libmutex.so
mkdir -p .build-thread
clang -O1 -Wall -Werror -shared -fPIC -o "$preload" deploy/mutex-tsan.c
races thread --sanitize thread
deploy/fuzz/fuzz.sh 120
deploy/check-release.sh
