#!/usr/bin/env bash
# gif2webp_sticker.sh IN OUT: an animated sticker with gif2webp. It cannot resize, so ImageMagick makes a
# GIF of 512x512 first; then the quality is lowered until the file is at most 500,000 bytes.
set -euo pipefail
canvas=$(mktemp --suffix=.gif)
trap 'rm -f "$canvas"' EXIT
convert "$1" -coalesce -resize 512x512 -background none -gravity center -extent 512x512 "$canvas"
for quality in 90 75 60 45 30 15 5; do
    gif2webp -quiet -lossy -m 4 -q "$quality" "$canvas" -o "$2"
    if (($(stat --format=%s "$2") <= 500000)); then break; fi
done
