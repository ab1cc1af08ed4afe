#!/usr/bin/env bash
# Proves the Debian packages as somebody meets them: for each release of Debian, on a fresh system of it that is booted
# in systemd-nspawn, `apt install`, a picture that becomes a sticker and is served, removal and purge; on Debian 12 also
# the upgrade from the stickerd before, with its library, and the way back. The machine itself is not touched. What is
# not possible here is skipped, with a message.
#   check-release.sh [--before OLD] [FOLDER...]
# A FOLDER holds the packages for one release of Debian, as make-deb.sh leaves them; without any, those for Debian 12 and
# 13 are built. OLD is the package of the stickerd before.
set -euo pipefail
cd "$(dirname "$0")/.."

told() { printf 'check-release: %s\n' "$1"; }
skip() {
    told "skipped, $1"
    exit 0
}

before=
if [[ ${1:-} == --before ]]; then
    before=$(realpath "$2")
    shift 2
fi

# In namespaces of its own: with the last process of this script all of it goes.
if [[ ${STICKERD_CHECK:-} != inside ]]; then
    ((EUID == 0)) || skip "it needs root"
    for tool in debootstrap systemd-nspawn systemd-id128 unshare nsenter pgrep dpkg-deb python3; do
        command -v "$tool" >/dev/null || skip "there is no $tool (deploy/deps.sh --tests)"
    done
    unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip "no namespaces here"
    if (($# == 0)); then
        codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
        for release in bookworm trixie; do
            if [[ $release == "$codename" ]]; then
                printed=$(deploy/make-deb.sh)
            else
                printed=$(deploy/make-deb-in.sh "$release") || {
                    (($? == 75)) && skip "nothing can be built for $release here"
                    exit 1
                }
            fi
            # A package, or the folder of several.
            if [[ -f $printed ]]; then printed=$(dirname "$printed"); fi
            set -- "$@" "$printed"
        done
    fi
    STICKERD_CHECK=inside exec unshare --mount --pid --fork --kill-child --mount-proc \
        "$0" ${before:+--before "$before"} "$@"
fi

# --- The machine ---------------------------------------------------------------------------------

leader= nspawn= root= work= name=
inside() { nsenter --target "$leader" --all -- "$@"; }
# With the network of this machine: the machine itself has none.
inside_with_network() { nsenter --target "$leader" --mount --uts --ipc --pid --cgroup --root --wd -- "$@"; }

fail() {
    told "FAILED on $name: $1"
    if [[ -n $leader ]]; then
        for unit in stickerd stickerd-web; do
            inside journalctl --no-pager --boot --lines=40 --unit "$unit" || true
        done
        told "FAILED on $name: $1"
    fi
    exit 1
}
proven() { printf 'check-release: %-9s %-56s %4d s\n' "$name" "$1" "$SECONDS"; }

# comes COMMAND...: repeats the command until it succeeds, for as long as a busy machine may need.
comes() {
    local end=$((SECONDS + 120))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

# boot RELEASE: a fresh system of it, with systemd as its first process.
boot() {
    local base=$PWD/.build-$1/fresh
    name=$1
    deploy/clean-system.sh "$1" "$base" ca-certificates curl dbus init systemd-sysv || {
        (($? == 75)) && skip "no fresh $1 can be made here"
        exit 1
    }
    work=$PWD/.build-$1/machine
    mkdir -p "$work"
    mount -t tmpfs tmpfs "$work" 2>/dev/null || skip "no file system can be mounted"
    mkdir "$work"/{upper,work,root}
    root=$work/root
    mount -t overlay overlay "$root" -o "lowerdir=$base,upperdir=$work/upper,workdir=$work/work" 2>/dev/null ||
        skip "no overlay of a folder is possible"
    rm -f "$root/etc/machine-id"
    systemd-id128 new >"$root/etc/machine-id"
    systemd-nspawn --quiet --register=no --keep-unit --link-journal=no --private-network --resolv-conf=off \
        --directory="$root" --machine="stickerd-$1" --boot --console=pipe \
        --system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" \
        systemd.unit=multi-user.target </dev/null >"$work/boot.log" 2>&1 &
    nspawn=$!
    # The first child of nspawn only prepares; the one that stays is the machine's init.
    is_up() {
        kill -0 "$nspawn" || return 0
        leader=$(pgrep --parent "$nspawn" | tail -n 1) && inside systemctl is-active multi-user.target
    }
    comes is_up && kill -0 "$nspawn" 2>/dev/null ||
        skip "systemd does not boot in a container: $(tail -n 1 "$work/boot.log")"
    inside_with_network apt-get update --quiet=2 >"$work/apt.log" 2>&1 || skip "apt reaches no server of packages"
}

halt() {
    inside systemctl poweroff >/dev/null 2>&1 || true
    wait "$nspawn" 2>/dev/null || true
    leader=
    umount "$root" "$work"
}

# install_packages FILE...: as the README says.
install_packages() {
    mkdir -p "$root/packages"
    rm -f "$root"/packages/*
    cp "$@" "$root/packages"
    # shellcheck disable=SC2016 # It is the shell inside that expands it.
    inside_with_network sh -c 'cd /packages && DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes \
        --allow-downgrades --option Dpkg::Options::=--force-confold ./*.deb' >"$work/apt.log" 2>&1 ||
        fail "apt install: $(tail -n 5 "$work/apt.log")"
    comes is_active || fail "stickerd is not active after the installation"
}
is_active() { inside systemctl is-active stickerd.service; }

# The packages of a FOLDER that a user installs: all but the symbols.
packages() { find "$1" -maxdepth 1 -name 'stickerd*.deb' ! -name '*-dbgsym_*' | sort; }

# drop COLOUR NAME: a picture of one colour, as an artist drops it.
drop() {
    inside mkdir -p /srv/stickerd/drop/cats
    python3 - "$1" <<'END' >"$root/srv/stickerd/$2"
import binascii, struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))
rows = b"".join(b"\0" + bytes.fromhex(sys.argv[1]) * 64 for _ in range(64))
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
END
    inside mv "/srv/stickerd/$2" "/srv/stickerd/drop/cats/$2"
}

manifest=/srv/stickerd/out/cats/manifest.json
# The stickers of the category: id, file and source of each.
stickers() {
    python3 - "$root$manifest" <<'END'
import json, sys
for sticker in json.load(open(sys.argv[1]))["stickers"]:
    print(sticker["identifier"], sticker["imageURL"], sticker["source"]["name"])
END
}
there_are() { [[ $(stickers | wc -l) == "$1" ]]; }
is_served() {
    inside sh -ec 'curl --fail --silent http://127.0.0.1:8512/api/stickers/trending >/run/answer
        url=$(grep --only-matching "http://[^\"]*\.png" /run/answer | head -n 1)
        curl --fail --silent "$url" | head -c 4 | grep -q PNG'
}

# --- The steps -----------------------------------------------------------------------------------

installs() {
    local files
    mapfile -t files < <(packages "$1")
    ((${#files[@]} > 0)) || fail "there are no packages in $1"
    install_packages "${files[@]}"
    [[ $(inside systemctl show --value --property UID stickerd) != 0 ]] || fail "it runs as root"
    proven "installed by apt, and active"
}

publishes() {
    drop ff0000 red.png
    comes there_are 1 || fail "a dropped picture is not published"
    inside sh -c 'stickerctl status' >"$work/status" || fail "something needs attention: $(cat "$work/status")"
    if grep -i 'unsandboxed\|missing' "$work/status"; then fail "workers lack a layer of their lock"; fi
    proven "a picture dropped, and published"
}

serves() {
    comes is_served || fail "the sticker is not served"
    proven "the sticker served"
}

# HEIC, AVIF and TIFF by encoders of this machine, and SVG: the decoders and drawing of the release, behind their locks.
reads_formats() {
    local drop=$root/srv/stickerd/drop/cats made=$work/formats count=1
    mkdir -p "$made"
    cp "$drop/red.png" "$made/in.png"
    echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>' \
        >"$made/svg.svg"
    heif-enc --quality 90 --output "$made/heic.heic" "$made/in.png" >/dev/null 2>&1 || told "$name: HEIC is left out"
    avifenc --speed 10 "$made/in.png" "$made/avif.avif" >/dev/null 2>&1 || told "$name: AVIF is left out"
    /usr/bin/python3 -c 'import PIL.Image, sys; PIL.Image.open(sys.argv[1]).save(sys.argv[2])' "$made/in.png" "$made/tiff.tif" \
        2>/dev/null || told "$name: TIFF is left out"
    rm "$made/in.png"
    for file in "$made"/*; do
        cp "$file" "$drop"
        count=$((count + 1))
    done
    comes there_are "$count" ||
        fail "not all formats are read: $(stickers; inside journalctl --no-pager --unit stickerd --lines 10 2>&1)"
    inside stickerctl status >"$work/status" || fail "something needs attention: $(cat "$work/status")"
    proven "$((count - 1)) pictures of other formats published"
}

upgrades() {
    install_packages "$before"
    drop ff0000 red.png
    drop 00ff00 green.png
    comes there_are 2 || fail "the stickerd before publishes nothing"
    stickers >"$work/before"
    local files
    mapfile -t files < <(packages "$1")
    install_packages "${files[@]}"
    comes there_are 2 || fail "the upgrade loses stickers"
    [[ $(stickers) == "$(cat "$work/before")" ]] || fail "the upgrade changes ids or files"
    drop 0000ff blue.png
    comes there_are 3 || fail "it does not work after the upgrade"
    comes is_served || fail "nothing is served after the upgrade"
    proven "upgraded from $(dpkg-deb --field "$before" Version), with its library"
}

rolls_back() {
    local verbs
    verbs=$(inside stickerctl --help)
    if ! grep -q "^ *rollback " <<<"$verbs"; then
        told "$name: rollback is skipped, this stickerctl has none"
        return
    fi
    inside systemctl stop stickerd stickerd-web
    inside stickerctl rollback --yes >"$work/rollback" 2>&1 || fail "rollback: $(tail -n 5 "$work/rollback")"
    grep -q blue "$work/rollback" || fail "rollback does not list what came since: $(cat "$work/rollback")"
    install_packages "$before"
    comes there_are 3 || fail "stickers are lost on the way back"
    [[ $(stickers | grep -v blue) == "$(cat "$work/before")" ]] || fail "the way back changes ids or files"
    # The first release had no web server.
    if [[ -x $root/usr/bin/stickerd-web ]]; then comes is_served || fail "nothing is served after the way back"; fi
    proven "rolled back to $(dpkg-deb --field "$before" Version), with its library"
}

upgrades_again() {
    local files
    mapfile -t files < <(packages "$1")
    install_packages "${files[@]}"
    comes there_are 3 || fail "the second upgrade loses stickers"
    [[ $(stickers | grep -v blue) == "$(cat "$work/before")" ]] || fail "the second upgrade changes ids or files"
    proven "upgraded again"
}

leaves() {
    inside sh -c 'DEBIAN_FRONTEND=noninteractive apt-get remove --quiet=2 --yes "stickerd*"' >"$work/apt.log" 2>&1 ||
        fail "removal: $(tail -n 5 "$work/apt.log")"
    inside test -e "$manifest" || fail "removing takes what is published"
    if is_active >/dev/null; then fail "it runs on after it was removed"; fi
    inside sh -c 'DEBIAN_FRONTEND=noninteractive apt-get purge --quiet=2 --yes "stickerd*"' >"$work/apt.log" 2>&1 ||
        fail "purge: $(tail -n 5 "$work/apt.log")"
    local left
    left=$(inside find /etc /run /srv /usr /var -name '*sticker*' ! -path /srv/stickerd 2>/dev/null || true)
    [[ -z $left ]] || fail "purging leaves $left"
    inside test -e /srv/stickerd/drop/cats/red.png || fail "purging takes the artists' files"
    proven "removed and purged, the artists' files left alone"
}

# release_of FOLDER: the release of Debian that the packages are for, by what libwebp they need.
release_of() {
    local file
    for file in $(packages "$1"); do
        case $(dpkg-deb --field "$file" Version) in
        *+deb12*) echo bookworm && return ;;
        *+deb13*) echo trixie && return ;;
        esac
        case $(dpkg-deb --field "$file" Depends) in
        *libavif15*) echo bookworm && return ;;
        *libavif16*) echo trixie && return ;;
        esac
    done
    fail "it cannot be told for which Debian the packages in $1 are"
}

for folder; do
    release=$(release_of "$folder")
    boot "$release"
    installs "$folder"
    publishes
    serves
    reads_formats
    leaves
    halt
    if [[ $release != bookworm ]]; then continue; fi
    if [[ -z $before ]]; then
        told "the upgrade is skipped: no package of the stickerd before was named (--before)"
        continue
    fi
    boot "$release"
    upgrades "$folder"
    rolls_back
    upgrades_again "$folder"
    leaves
    halt
done
