#!/usr/bin/env bash
# check-commits.sh: the subject of every commit since the one that added this file names a part and what was done to it,
# "web: answer preflight requests", in at most 72 characters. Merges are exempt; a shallow clone is not looked at.
set -euo pipefail
cd "$(dirname "$0")/.."

export LC_ALL=C.UTF-8 # characters, not bytes

if [[ ! -e .git ]]; then
    echo "check-commits: skipped, this is no repository"
    exit
elif [[ $(git rev-parse --is-shallow-repository) == true ]]; then
    echo "check-commits: skipped, the clone is shallow"
    exit
fi
first=$(git log --diff-filter=A --format=%H -- deploy/check-commits.sh | tail -n 1)
# Until this file is committed, there is nothing to look at.
if [[ -z $first ]]; then exit; fi
subjects=$(git log --no-merges --format='%h%x09%s' HEAD --not "$first^@")
bad=0
while IFS=$'\t' read -r commit subject; do
    if ((${#subject} > 72)); then
        echo "$commit: the subject has ${#subject} characters, at most 72: $subject"
        bad=1
    fi
    if [[ ! $subject =~ ^[a-z0-9][a-z0-9,\ ._-]*:\ [a-z] ]]; then
        echo "$commit: the subject does not begin with a part, a colon and a verb: $subject"
        bad=1
    fi
done <<<"$subjects"
exit $bad
