#!/usr/bin/env bash
# Starts the daemon, built for release, on the shipped configuration.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build -c release --product stickerd
mkdir -p drop
echo "Make a folder in $PWD/drop, cats for example, and drop PNG, GIF or JPEG files into it."
echo "Stickers appear in $PWD/out. Press Ctrl-C to stop."
exec "$(swift build -c release --show-bin-path)/stickerd" --config config.json
