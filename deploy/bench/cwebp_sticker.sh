#!/usr/bin/env bash
# cwebp_sticker.sh IN OUT: the usual chain. ImageMagick makes the canvas, cwebp searches the size.
set -euo pipefail
canvas=$(mktemp --suffix=.png)
trap 'rm -f "$canvas"' EXIT
convert "${1}[0]" -auto-orient -resize 512x512 -background none -gravity center -extent 512x512 \
    -depth 8 -define png:compression-level=1 "png32:$canvas"
cwebp -quiet -size 100000 -pass 10 "$canvas" -o "$2"
