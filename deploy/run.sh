#!/usr/bin/env bash
# Starts the daemon, built for release, on the shipped configuration.
set -euo pipefail
cd "$(dirname "$0")/.."

# With Swift's own libraries inside: a worker is started for each picture, and they would be looked up
# and linked every time.
build=(swift build -c release --static-swift-stdlib)
for program in stickerd stickerd-worker stickerd-worker-formats stickerd-worker-heic stickerctl; do "${build[@]}" --product "$program"; done
mkdir -p drop
echo "Make a folder in $PWD/drop, cats for example, and drop PNG, GIF or JPEG files into it."
echo "Stickers appear in $PWD/out. Press Ctrl-C to stop."
exec "$("${build[@]}" --show-bin-path)/stickerd" --config config.json
