#!/usr/bin/env bash
# Measures stickerd and others on the same pictures, in turn, and writes docs/benchmarks.md.
#   bench.sh [FOLDER...]   pictures; without any, those of $STICKERD_CORPUS, else those of the demo
# Others that cannot be installed are left out, with a message.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=("$@")
swift build -c release --product stickerd-bench
swift build -c release --product stickerctl
programs=$(swift build -c release --show-bin-path)
if ((${#folders[@]} == 0)) && [[ -n ${STICKERD_CORPUS:-} ]]; then
    folders=("$STICKERD_CORPUS/png" "$STICKERD_CORPUS/jpeg")
elif ((${#folders[@]} == 0)); then
    swift build -c release --product stickerd-demo
    mkdir -p .build/bench-pictures
    "$programs/stickerd-demo" pictures .build/bench-pictures >/dev/null
    folders=(.build/bench-pictures)
fi

left_out() { echo "bench: $1 is left out: $2"; }

rivals=(--rival "stickerctl convert=$programs/stickerctl convert")
# python_with PACKAGE: prints the Python of an environment of its own that holds the package.
python_with() {
    local environment=.build/bench-${1%%[*}
    [[ -x $environment/bin/python ]] || python3 -m venv "$environment" || return
    "$environment/bin/python" -m pip install --quiet "$1" || return
    echo "$PWD/$environment/bin/python"
}
if python=$(python_with pillow); then
    rivals+=(--rival "Pillow loop=$python deploy/bench/pillow_sticker.py")
else
    left_out Pillow "pip cannot install it"
fi
if python=$(python_with "pyvips[binary]"); then
    rivals+=(--rival "libvips loop=$python deploy/bench/vips_sticker.py")
else
    left_out libvips "pip cannot install pyvips"
fi
# with_program NAME PROGRAM SCRIPT
with_program() {
    if command -v "$2" >/dev/null; then
        rivals+=(--rival "$1=deploy/bench/$3")
    else
        left_out "$1" "there is no $2"
    fi
}
with_program ImageMagick convert imagemagick_sticker.sh
with_program "ImageMagick and cwebp" cwebp cwebp_sticker.sh
if python=$(python_with sticker-convert); then
    program=$(dirname "$python")/sticker-convert
    rivals+=(--rival "sticker-convert=deploy/bench/sticker_convert.sh $program")
else
    left_out sticker-convert "pip cannot install it"
fi

commit=$(git describe --always --dirty 2>/dev/null || echo "no commit")
mkdir -p docs
"$programs/stickerd-bench" --workers --regret --rounds "${ROUNDS:-3}" --commit "$commit" --report docs \
    "${rivals[@]}" "${folders[@]}"
