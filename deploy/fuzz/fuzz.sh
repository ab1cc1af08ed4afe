#!/usr/bin/env bash
# Fuzzes what reads bytes of strangers, with libFuzzer and the address sanitizer: fuzz.sh SECONDS
# [TARGET...], the seconds being for all targets together. Inputs that reached new code are kept in
# .build-fuzz/inputs for the next time; one that ends a target is kept in .build-fuzz/found, and fails
# the run. Remove .build-fuzz to have the decoders built from newer sources.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SWIFT_BACKTRACE=enable=no STICKERD_FUZZ=1
seconds=${1:?"fuzz.sh SECONDS [TARGET...]"}
shift
work=$PWD/.build-fuzz
decoders=$work/decoders
mkdir -p "$work/found"

if [[ ! -e $decoders/built ]] && ! deploy/fuzz/decoders.sh "$decoders" >"$work/decoders.log" 2>&1; then
    tail -n 20 "$work/decoders.log"
    echo "fuzz: the decoders cannot be built from Debian's sources, see $work/decoders.log" >&2
    exit 1
fi

# SwiftPM has to know of the fuzzer, which brings the main function. Of several -sanitize the compiler
# heeds the last, so that one names both.
build=(-c release --scratch-path "$work" --sanitize fuzzer -Xswiftc -sanitize=address,fuzzer
    -Xcc -fsanitize=address -Xswiftc -enable-testing -Xlinker "-L$decoders")
if ! swift build "${build[@]}" --product stickerd-fuzz >"$work/build.log" 2>&1; then
    grep -E 'error' "$work/build.log" | head -n 40 || true
    echo "fuzz: the build failed, see $work/build.log" >&2
    exit 1
fi
fuzz=$(swift build "${build[@]}" --show-bin-path)/stickerd-fuzz
if readelf --dynamic "$fuzz" | grep -E 'libpng|libgif|liblcms2|libturbojpeg|libarchive'; then
    echo "fuzz: the decoders of the system are linked, not those in $decoders" >&2
    exit 1
fi

(($#)) || set -- $("$fuzz")
corpus=()
[[ -z ${STICKERD_CORPUS:-} ]] || corpus=("$STICKERD_CORPUS")
deploy/fuzz/seeds.py "$work/seeds" "${corpus[@]}"
mkdir -p "$work"/seeds/{order,reply}
"$fuzz" worker-seeds "$work"/seeds/{order,reply} "$work"/seeds/{png,gif}/{0,1,2}

# try TARGET SECONDS: says how much was tried, or what was found.
try() {
    local target=$1 log=$work/$1.log options=() edges
    mkdir -p "$work/inputs/$target" "$work/seeds/$target"
    [[ ! -e $work/seeds/$target.dict ]] || options=("-dict=$work/seeds/$target.dict")
    # By the clock, and the machine may be busy; what hangs, hangs for ever.
    options+=(-timeout=120)
    # As large as the largest seed; a reply holds whole files.
    [[ $target == reply ]] || options+=(-max_len=60000)
    if ! "$fuzz" "$target" "${options[@]}" -max_total_time="$2" -rss_limit_mb=2500 \
        -detect_leaks=0 -print_final_stats=1 -artifact_prefix="$work/found/$target-" \
        "$work/inputs/$target" "$work/seeds/$target" >"$log" 2>&1; then
        grep -aE 'ERROR|SUMMARY|Fatal error|artifact_prefix|^    #[0-9] ' "$log" | head -n 20
        echo "fuzz: $target FAILED, see $log"
        return 1
    fi
    edges=$(grep -aoP 'cov: \K\d+' "$log" | tail -n 1)
    if ((${edges:-0} < 30)); then
        echo "fuzz: $target FAILED: $((edges)) edges of code reached, it is not watched, see $log"
        return 1
    fi
    printf 'fuzz: %-13s %9d inputs tried, %5d edges of code reached\n' "$target" \
        "$(grep -aoP 'number_of_executed_units: *\K\d+' "$log")" "$edges"
}
export -f try
export fuzz work

# As many targets at a time as there are cores.
each=$((seconds * $(nproc) / $#))
each=$((each > seconds ? seconds : each < 1 ? 1 : each))
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c 'try "$@"' fuzz {} "$each"
