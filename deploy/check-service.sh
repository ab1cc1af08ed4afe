#!/usr/bin/env bash
# Proves the Debian package under a real systemd: boots an overlay of this machine in
# systemd-nspawn, installs the package there, and goes through the life of the service. The machine
# itself is not touched. Where that is not possible it says so and ends well.
#   check-service.sh [PACKAGE]   builds the package unless one is given
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "check-service: skipped, $1"
    exit 0
}

# In namespaces of its own: with the last process of this script all of it goes.
if [[ ${STICKERD_CHECK:-} != inside ]]; then
    ((EUID == 0)) || skip "it needs root"
    command -v systemd-nspawn >/dev/null || skip "there is no systemd-nspawn (systemd-container)"
    unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip "no namespaces here"
    package=${1:-$(deploy/make-deb.sh)}
    STICKERD_CHECK=inside exec unshare --mount --pid --fork --kill-child --mount-proc \
        "$0" "$(realpath "$package")"
fi

package=$1
work=$(mktemp -d)
mount -t tmpfs tmpfs "$work"
mkdir "$work"/{upper,work,root}
mount -t overlay overlay "$work/root" \
    -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" 2>/dev/null ||
    skip "no overlay of the root is possible"
root=$work/root

# --- The machine ---------------------------------------------------------------------------------

leader=
inside() { nsenter --target "$leader" --all -- "$@"; }

fail() {
    echo "check-service: FAILED: $1"
    if [[ -n $leader ]]; then
        inside systemctl status --no-pager --lines=30 stickerd || true
        inside journalctl --no-pager --boot --lines=40 --unit stickerd || true
    else
        tail -n 30 "$work/boot.log"
    fi
    exit 1
}

# within SECONDS WHAT COMMAND...: repeats the command until it succeeds.
within() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || fail "$what"
        sleep 0.2
    done
}

proven() { printf 'check-service: %-60s %4d s\n' "$1" "$SECONDS"; }

boot() {
    # Images for containers forbid packages to start their services.
    rm -f "$root/etc/machine-id" "$root/usr/sbin/policy-rc.d"
    systemd-id128 new >"$root/etc/machine-id"
    cp "$package" "$root/stickerd.deb"
    systemd-nspawn --quiet --register=no --keep-unit --link-journal=no --private-network \
        --directory="$root" --machine=stickerd-check --boot --console=pipe \
        systemd.unit=basic.target </dev/null >"$work/boot.log" 2>&1 &
    local nspawn=$!
    # The first child of nspawn only prepares; the one that stays is the machine's init.
    is_up() {
        leader=$(pgrep --parent "$nspawn" | tail -n 1) && inside systemctl is-active basic.target
    }
    within 40 "the machine does not come up" is_up
}

# --- The checks ----------------------------------------------------------------------------------

manifest=/srv/stickerd/out/cats/manifest.json

property() { inside systemctl show --value --property "$1" stickerd; }
is_active() { [[ $(property ActiveState) == active ]]; }
stickers() { [[ $(inside grep -o '"source":{' "$manifest" | wc -l) == "$1" ]]; }
status_is() { [[ $(property StatusText) == "$1" ]]; }
restarts() { (($(property NRestarts) >= $1)) && is_active; }

# A picture of 16x16 pixels: one colour, given as the bytes of a palette entry.
picture() {
    python3 - "$1" <<'END' >"$root/tmp-picture.png"
import binascii, struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))
colour = bytes.fromhex(sys.argv[1])
rows = b"".join(b"\0" + colour * 16 for _ in range(16))
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
END
}

# drop COLOUR NAME: as an artist, who is in the group and no more.
drop() {
    picture "$1"
    inside chmod 644 /tmp-picture.png
    inside runuser --user artist -- sh -c "mkdir -p /srv/stickerd/drop/cats && umask 027 &&
        cp /tmp-picture.png '/srv/stickerd/drop/cats/$2'"
}

configure() { echo "$1" >"$root/etc/stickerd/config.json"; }
folders='"drops": ["/srv/stickerd/drop"], "out": "/srv/stickerd/out", "state": "/var/lib/stickerd"'

installs() {
    inside dpkg --install /stickerd.deb >"$work/dpkg.log" 2>&1 || fail "$(tail -n 3 "$work/dpkg.log")"
    within 20 "the service is not active after the installation" is_active
    [[ $(property Type) == notify && $(property UID) != 0 ]] || fail "it runs as root"
    [[ $(property StatusText) == *"Make a folder in a drop"* ]] ||
        fail "status is: $(property StatusText)"
    inside systemd-analyze security --threshold=15 --no-pager stickerd >/dev/null ||
        fail "more exposed than 1.5"
    inside man --where stickerd stickerctl stickerd-config >/dev/null || fail "no manual pages"
    proven "installed, enabled, ready, with its own user"
}

publishes() {
    inside useradd --groups stickerd artist
    drop ff0000 red.png
    drop 00ff00 'two words 😀.png'
    inside sh -c 'head -c 60 /tmp-picture.png >/srv/stickerd/drop/cats/bad.bmp'
    within 30 "dropped pictures are not published" stickers 2
    inside runuser --user nobody -- test -r "$manifest" || fail "the manifest is not for everyone"
    if inside stickerctl status >"$work/status"; then fail "the bad file needs no attention"; fi
    grep -q 'stickerctl jobs --reason unsupported-format' "$work/status" || fail "no command"
    within 10 "the status line tells something else" \
        status_is "watching 1 category · 2 stickers · 0 waiting · 1 need attention"
    inside stickerctl explain red | grep -q 'without loss' || fail "explain"
    [[ $(inside journalctl --output cat STICKERD_CATEGORY=cats | grep -c 'job completed') == 2 ]] ||
        fail "no field STICKERD_CATEGORY in the journal"
    inside stickerctl dismiss --all >/dev/null
    proven "pictures of another user published, told, in the journal"
}

reloads() {
    local before=$(inside md5sum "$manifest")
    changed() { [[ $(inside md5sum "$manifest") != "$before" ]]; }
    configure "{ $folders, \"sticker\": { \"marginPixels\": 8 } }"
    inside stickerctl plan | grep -q '2 to encode' || fail "plan"
    inside systemctl reload stickerd || fail "a good configuration is not taken"
    within 30 "a changed recipe changes nothing" changed
    within 10 "a sticker was lost on the way" stickers 2

    configure "{ $folders, \"workers\": 99 }"
    if inside systemctl reload stickerd 2>/dev/null; then fail "a faulty configuration is taken"; fi
    is_active || fail "it stopped for a faulty configuration"
    inside kill -HUP "$(property MainPID)"
    told() { inside journalctl --unit stickerd | grep -q 'faulty configuration, the old one stays'; }
    within 10 "the fault is not told" told
    within 10 "it is not ready after the fault" is_active
    (inside stickerctl status || true) | grep -q 'stickerctl check' || fail "status hides the fault"
    configure "{ $folders, \"sticker\": { \"marginPixels\": 8 } }"
    proven "good configuration taken, faulty one refused"
}

stops_and_starts() {
    inside systemctl stop stickerd
    [[ $(property Result) == success ]] || fail "it does not stop cleanly"
    drop 0000ff blue.png
    inside systemctl start stickerd
    within 20 "what was dropped meanwhile is not published" stickers 3
    told() { inside journalctl --unit stickerd --boot | grep -q 'start scan finished.*new=1 .*unchanged=3'; }
    within 10 "known files are worked on anew" told
    proven "stopped, and started on what was there"
}

survives() {
    inside kill -KILL "$(property MainPID)"
    within 20 "it does not come back after a kill" restarts 1
    drop ffff00 yellow.png
    within 20 "it does not work after a kill" stickers 4

    mkdir -p "$root/etc/systemd/system/stickerd.service.d"
    printf '[Service]\nWatchdogSec=4\n' >"$root/etc/systemd/system/stickerd.service.d/watchdog.conf"
    inside systemctl daemon-reload
    inside systemctl restart stickerd
    sleep 9
    restarts 0 || fail "the watchdog is not fed"
    [[ $(property NRestarts) == 0 ]] || fail "the watchdog is not fed"
    inside kill -STOP "$(property MainPID)"
    within 30 "the watchdog does not end a hang" restarts 1
    drop 00ffff cyan.png
    within 20 "it does not work after a hang" stickers 5
    proven "killed, hung, and back both times"
}

upgrades_and_leaves() {
    inside dpkg --install /stickerd.deb >"$work/dpkg.log" 2>&1 || fail "$(tail -n 3 "$work/dpkg.log")"
    within 20 "it does not run after an upgrade" is_active
    inside grep -q marginPixels /etc/stickerd/config.json || fail "an upgrade takes the configuration"
    inside dpkg --remove stickerd >"$work/dpkg.log" 2>&1 || fail "$(tail -n 3 "$work/dpkg.log")"
    inside test -e "$manifest" || fail "removing takes what is published"
    inside dpkg --purge stickerd >"$work/dpkg.log" 2>&1 || fail "$(tail -n 3 "$work/dpkg.log")"
    for path in /usr/bin/stickerd /usr/lib/systemd/system/stickerd.service /etc/stickerd \
        /var/lib/stickerd /srv/stickerd/out; do
        if inside test -e "$path"; then fail "purging leaves $path"; fi
    done
    inside test -e /srv/stickerd/drop/cats/red.png || fail "purging takes the artists' files"
    proven "upgraded, removed and purged"
}

boot
installs
publishes
reloads
stops_and_starts
survives
upgrades_and_leaves
inside systemctl poweroff >/dev/null 2>&1 || true
