#!/usr/bin/env bash
# keep-library.sh PROGRAMS: makes a small library with the programs of a release, from the drop of the first one that was
# kept, and keeps it for the tests of later releases: Tests/EndToEndTests/Fixtures/library-VERSION. Beside it lies what the
# release promises: promises-VERSION.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$1
fixtures=Tests/EndToEndTests/Fixtures
kept=$fixtures/library-$("$programs/stickerd" --version)
[[ ! -e $kept ]] || { echo "keep-library: $kept is there already" >&2 && exit 1; }

# The path stands in the database.
work=/tmp/stickerd-library
mkdir "$work"
trap 'rm -r "$work"' EXIT
cp --recursive "$fixtures/library-0.4.0/drop" "$work/drop"
# It gets its id by this name, and the other one later.
mv "$work/drop/dogs/renamed.gif" "$work/drop/dogs/two.gif"
cat >"$work/drop/cats/drawn.svg" <<'END'
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#c33"/></svg>
END
cat >"$work/drop/cats/category.json" <<'END'
{"title": "Kept cats", "publisher": "A publisher", "stickers": {"drawn.svg": {"title": "A ball", "emojis": ["🏀"]}}}
END
cat >"$work/config.json" <<END
{"drops": ["$work/drop"], "out": "$work/out", "state": "$work/state"}
END
# A picture that is refused is one of them: it ends with 3.
drain() { "$programs/stickerd" --config "$work/config.json" --drain || (($? == 3)); }
drain
mv "$work/drop/dogs/two.gif" "$work/drop/dogs/renamed.gif"
drain

mkdir -p "$kept/state"
cp --recursive "$work/drop" "$work/out" "$kept"
# One file, without the log of what is written.
python3 - "$work/state/stickerd.sqlite" "$kept/state/stickerd.sqlite" <<'END'
import sqlite3, sys
sqlite3.connect(sys.argv[1]).execute("VACUUM INTO ?", [sys.argv[2]])
END
deploy/promises.py >"${kept/library-/promises-}.txt"
echo "$kept"
