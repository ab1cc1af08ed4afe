#!/usr/bin/env bash
# Measures stickerd and others on the same pictures, in turn, and writes docs/benchmarks.md.
#   bench.sh [FOLDER...]   pictures; without any, those of $STICKERD_CORPUS, else those of the demo
# Stills are made in ROUNDS rounds, 3 if not set, after one that is not counted; animations once.
# Others that cannot be installed are left out, with a message. BEST=1 adds Pillow and libvips at their best settings,
# which take 5 to 9 s for a still.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=("$@")
# It measures the programs of the packages, with the bench of the same build.
packaged=$(deploy/make-deb.sh)/installed/usr/bin
programs=$(STICKERD_INOTIFYTOOLS=no deploy/build.sh programs,stickerd-bench,stickerd-demo $(deploy/options.sh))
if ((${#folders[@]} == 0)) && [[ -n ${STICKERD_CORPUS:-} ]]; then
    folders=("$STICKERD_CORPUS/png" "$STICKERD_CORPUS/jpeg" "$STICKERD_CORPUS/gif")
elif ((${#folders[@]} == 0)); then
    mkdir -p .build/bench-pictures
    "$programs/stickerd-demo" pictures .build/bench-pictures >/dev/null
    folders=(.build/bench-pictures)
fi

left_out() { echo "bench: $1 is left out: $2"; }

export PYTHONDONTWRITEBYTECODE=1 # the scripts' folder stays clean
rivals=(--rival "stickerctl convert=$packaged/stickerctl convert")
# python_with PACKAGE: prints the Python of an environment of its own that holds the package.
python_with() {
    local environment=.build/bench-${1%%[*}
    [[ -x $environment/bin/python ]] || python3 -m venv "$environment" || return
    "$environment/bin/python" -m pip install --quiet "$1" || return
    echo "$PWD/$environment/bin/python"
}
# with_loop KIND NAME COMMAND: a script that is measured as a warm loop and started for each picture.
# KIND is empty for stills, else "animation-".
with_loop() {
    rivals+=(--"$1warm" "$2, warm loop=$3" --"$1rival" "$2, one process each=$3")
}
if python=$(python_with pillow); then
    with_loop "" Pillow "$python deploy/bench/pillow_sticker.py"
    [[ -z ${BEST:-} ]] || rivals+=(--warm "Pillow, best settings=$python deploy/bench/pillow_best.py")
    with_loop animation- Pillow "$python deploy/bench/pillow_animation.py"
else
    left_out Pillow "pip cannot install it"
fi
if python=$(python_with "pyvips[binary]"); then
    with_loop "" libvips "$python deploy/bench/vips_sticker.py"
    [[ -z ${BEST:-} ]] || rivals+=(--warm "libvips, best settings=$python deploy/bench/vips_best.py")
else
    left_out libvips "pip cannot install pyvips"
fi
# with_programs OPTION NAME SCRIPT PROGRAM...: a script, unless one of the programs is missing.
with_programs() {
    local option=$1 name=$2 script=$3 program
    shift 3
    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            left_out "$name" "there is no $program"
            return
        fi
    done
    rivals+=("$option" "$name=deploy/bench/$script")
}
with_programs --rival ImageMagick imagemagick_sticker.sh convert
with_programs --rival "ImageMagick and cwebp" cwebp_sticker.sh convert cwebp
with_programs --animation-rival "ImageMagick and gif2webp" gif2webp_sticker.sh convert gif2webp
if python=$(python_with sticker-convert); then
    program=$(dirname "$python")/sticker-convert
    rivals+=(--rival "sticker-convert=deploy/bench/sticker_convert.sh $program")
    rivals+=(--animation-rival "sticker-convert=deploy/bench/sticker_convert.sh $program")
else
    left_out sticker-convert "pip cannot install it"
fi

commit=$(git describe --always --dirty 2>/dev/null || echo "no commit")
mkdir -p docs
"$programs/stickerd-bench" --also balanced --workers --regret --rounds "${ROUNDS:-3}" --commit "$commit" --report docs \
    "${rivals[@]}" "${folders[@]}"
