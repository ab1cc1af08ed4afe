#!/usr/bin/env bash
# What stickerd does, in a minute: pictures are drawn and dropped, and what became of them is shown.
#   demo.sh                       in a folder that goes away at the end
#   demo.sh STILL MOVING MARKS STUDIO   only draws the pictures of the documents
set -euo pipefail
cd "$(dirname "$0")/.."

programs=$(deploy/build.sh programs,stickerd-demo)
if (($# > 0)); then
    deploy/fonts.sh "$programs/stickerd-fonts"
    exec deploy/picture.py "$programs" "$@"
fi

work=$(mktemp -d)
daemon=
finish() {
    if [[ -n $daemon ]]; then kill "$daemon" 2>/dev/null && wait "$daemon"; fi
    rm -r "$work"
}
trap finish EXIT
export NO_COLOR=1
# By its name, because root reads no ./config.json.
export STICKERD_CONFIG=config.json

mkdir -p "$work/pictures" "$work/drop"
cat >"$work/config.json" <<END
{
    "drops": ["drop"], "out": "out", "state": "state",
    "watch": { "arrivingSecondsMax": 2 },
    "categories": { "pixels": { "resample": "nearest" } }
}
END

# run COMMAND...: shows the command as one would type it, and what it says.
run() {
    local word
    printf '\n$'
    for word; do
        if [[ $word == *" "* ]]; then printf " '%s'" "$word"; else printf ' %s' "$word"; fi
    done
    printf '\n'
    "$@" || true
}

cd "$work"
PATH=$programs:$PATH

stickerd-demo pictures pictures
run ls pictures
printf '\n$ stickerd 2>log &\n'
stickerd 2>log &
daemon=$!
run mkdir -p drop/hello drop/pixels
run cp pictures/01* pictures/02* pictures/04* pictures/05* drop/hello/
run cp pictures/03* drop/pixels/
for _ in {1..120}; do
    # Three stickers here, one there, and one refusal.
    if [[ -e out/pixels/manifest.json && $(stickerctl jobs --attention) == *half* &&
        $(grep -o '"source":{' out/hello/manifest.json 2>/dev/null | wc -l) == 3 ]]; then break; fi
    sleep 0.5
done

run grep job log
run stickerctl status
run stickerctl jobs
run stickerctl explain evening_at_sea
run stickerctl explain half_a_download
run cut -c 1-400 out/hello/manifest.json
printf '\nAll of it goes away now. To drop pictures of your own: make run\n'
