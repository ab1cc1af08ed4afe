#!/usr/bin/env bash
# jobs.sh: prints `--jobs NUMBER` where memory allows fewer compilers than there are processors, so that the kernel kills none.
set -euo pipefail

each=1000 # MB that a compiler takes
free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null)
swap=$(awk '/^SwapFree:/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null)
# A container may have less than the machine; pages of files that it read are given up when memory is needed.
group=/sys/fs/cgroup
limit=$(cat "$group/memory.max" 2>/dev/null) || limit=max
if [[ $limit != max ]]; then
    used=$(($(cat "$group/memory.current") - $(awk '/^inactive_file / { n = $2 } END { print n + 0 }' "$group/memory.stat")))
    left=$(((limit - used) / 1048576))
    free=$((left < free ? left : free))
fi
jobs=$((free < 2 * each ? 1 : free / each))
if ((jobs < $(nproc))); then echo "--jobs $jobs"; fi
if ((free + swap < each)); then
    echo "build: $free MB of memory are free, and a compiler takes up to $each: if it is killed, add swap" >&2
fi
