#!/usr/bin/env bash
# Starts the daemon, built for release, on the shipped configuration. The web server follows once it is built.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=$(deploy/build.sh daemon)
deploy/fonts.sh "$programs/stickerd-fonts"
ln -sfn "$PWD/deploy/smart" "$programs/stickerd-smart"
mkdir -p drop
echo "Make a folder in $PWD/drop, cats for example, and drop pictures into it."
echo "Stickers appear in $PWD/out. Press Ctrl-C to stop."

web() {
    local log=.build/web.log
    if ! deploy/build.sh programs >"$log" 2>&1; then
        echo "The web server is not there, because it could not be built: $log" >&2
        return
    fi
    # It says its address itself, or why it does not start.
    exec "$programs/stickerd-web" --config config.json
}

# The daemon takes the place of this script, and the web server ends with it, built or not: in a group of its own, so that
# all that it started ends.
daemon=$$
{
    set -m
    web &
    while kill -0 "$daemon" 2>/dev/null && kill -0 $! 2>/dev/null; do sleep 1; done
    kill -- -$! 2>/dev/null || true
} &
exec "$programs/stickerd" --config config.json
