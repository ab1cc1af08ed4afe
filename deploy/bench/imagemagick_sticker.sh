#!/usr/bin/env bash
# imagemagick_sticker.sh IN OUT: a sticker with ImageMagick alone, which searches the size itself.
set -euo pipefail
convert "${1}[0]" -auto-orient -resize 512x512 -background none -gravity center -extent 512x512 \
    -define webp:target-size=100000 -define webp:pass=10 "$2"
