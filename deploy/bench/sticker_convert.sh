#!/usr/bin/env bash
# sticker_convert.sh PROGRAM IN OUT: a sticker with sticker-convert's preset for WhatsApp.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in" "$work/out"
ln -s "$(realpath "$2")" "$work/in/"
"$1" --no-confirm --no-progress --preset whatsapp --processes 1 \
    --input-dir "$work/in" --output-dir "$work/out"
mv "$work"/out/*.webp "$3"
