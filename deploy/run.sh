#!/usr/bin/env bash
# Starts the daemon and the web server, built for release, on the shipped configuration.
set -euo pipefail
cd "$(dirname "$0")/.."

# With Swift's own libraries inside: a worker is started for each picture, and they would be looked up
# and linked every time.
build=(swift build -c release --static-swift-stdlib)
for program in stickerd stickerd-worker stickerd-worker-formats stickerd-worker-heic stickerd-worker-drawing \
    stickerctl stickerd-web stickerd-console stickerd-weather; do "${build[@]}" --product "$program"; done
mkdir -p drop
echo "Make a folder in $PWD/drop, cats for example, and drop PNG, GIF or JPEG files into it."
echo "Stickers appear in $PWD/out. Press Ctrl-C to stop."
programs=$("${build[@]}" --show-bin-path)
deploy/fonts.sh "$programs/stickerd-fonts"
ln -sfn "$PWD/deploy/smart" "$programs/stickerd-smart"
# The web server says its address itself, or why it does not start; the daemon works in any case. It ends with
# the daemon, which takes the place of this script.
daemon=$$
{
    "$programs/stickerd-web" --config config.json &
    web=$!
    while kill -0 "$daemon" 2>/dev/null && kill -0 "$web" 2>/dev/null; do sleep 1; done
    kill "$web" 2>/dev/null || true
} &
exec "$programs/stickerd" --config config.json
