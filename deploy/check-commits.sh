#!/usr/bin/env bash
# check-commits.sh: the subject of every commit since the one that added this file names a part and what was done to it,
# "web: answer preflight requests", in at most 72 characters. Merges are exempt; a shallow clone is not looked at.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! shallow=$(git rev-parse --is-shallow-repository 2>/dev/null); then
    echo "check-commits: skipped, this is no repository"
    exit
elif [[ $shallow == true ]]; then
    echo "check-commits: skipped, the clone is shallow"
    exit
fi
first=$(git log --diff-filter=A --format=%H -- deploy/check-commits.sh | tail -n 1)
bad=0
# Until it is committed, there is nothing to look at.
while IFS=$'\t' read -r commit subject; do
    if ((${#subject} > 72)); then
        echo "$commit: the subject has ${#subject} characters, at most 72: $subject"
        bad=1
    fi
    if [[ ! $subject =~ ^[a-z0-9][a-z0-9,\ ._-]*:\ [a-z] ]]; then
        echo "$commit: the subject does not begin with a part, a colon and a verb: $subject"
        bad=1
    fi
done < <([[ -z $first ]] || git log --no-merges --format='%h%x09%s' "$first^..HEAD")
exit $bad
