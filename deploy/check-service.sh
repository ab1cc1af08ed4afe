#!/usr/bin/env bash
# Proves the Debian package under a real systemd: boots an overlay of this machine in
# systemd-nspawn, installs the package there, and goes through the life of the service. The machine
# itself is not touched. Where that is not possible it says so and ends well.
#   check-service.sh [PACKAGES]   the folder that make-deb.sh prints; without it, the packages are built
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "check-service: skipped, $1"
    exit 0
}

# In namespaces of its own: with the last process of this script all of it goes.
if [[ ${STICKERD_CHECK:-} != inside ]]; then
    ((EUID == 0)) || skip "it needs root"
    for tool in systemd-nspawn systemd-id128 unshare nsenter pgrep dpkg-deb python3; do
        command -v "$tool" >/dev/null || skip "there is no $tool (deploy/deps.sh --tests)"
    done
    unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip "no namespaces here"
    packages=${1:-$(deploy/make-deb.sh)}
    STICKERD_CHECK=inside exec unshare --mount --pid --fork --kill-child --mount-proc \
        "$0" "$(realpath "$packages")"
fi

packages=$1
work=$PWD/.build-deb/machine
mkdir -p "$work"
mount -t tmpfs tmpfs "$work" 2>/dev/null || skip "no file system can be mounted"
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
        for unit in stickerd stickerd-personal stickerd-web stickerd-console stickerd-weather; do
            inside systemctl status --no-pager --lines=30 "$unit" || true
            inside journalctl --no-pager --boot --lines=40 --unit "$unit" || true
        done
    else
        tail -n 30 "$work/boot.log"
    fi
    # Again, since of a long log the end is read.
    echo "check-service: FAILED: $1"
    exit 1
}

# comes COMMAND...: repeats the command until it succeeds, for as long as a busy machine may need.
comes() {
    local end=$((SECONDS + 120))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

# What is in the journal once all that was written up to now has arrived there.
journal() {
    # A busy journald may refuse to be asked.
    comes inside journalctl --sync && inside journalctl "$@"
}

# says PATTERN COMMAND...: whether the command succeeds and prints it. Its output is read to the end: a reader that
# leaves at the first match breaks the pipe of what still writes, which then fails.
says() {
    local output
    output=$(inside "${@:2}" 2>&1) && grep -q -e "$1" <<<"$output" ||
        { printf '%s printed:\n%s\n' "${*:2}" "$output" && return 1; }
}
# The status ends with another code where something needs attention.
status_says() { says "$1" sh -c 'stickerctl status || true'; }
is_told() {
    local output
    output=$(journal --boot --unit stickerd) && grep -q -e "$1" <<<"$output"
}
# never_told PATTERN: it is in no line of any unit.
never_told() {
    local output
    output=$(journal) || fail "the journal cannot be read"
    ! grep -m 3 -e "$1" <<<"$output"
}

proven() { printf 'check-service: %-60s %4d s\n' "$1" "$SECONDS"; }

boot() {
    # Images for containers forbid packages to start their services.
    rm -f "$root/etc/machine-id" "$root/usr/sbin/policy-rc.d"
    systemd-id128 new >"$root/etc/machine-id"
    mkdir "$root/packages"
    cp "$packages"/stickerd_*.deb "$packages"/stickerd-workers_*.deb "$root/packages"
    # Fed seldom enough for a busy machine, and soon missed in the check.
    mkdir -p "$root/etc/systemd/system/stickerd.service.d"
    printf '[Service]\nWatchdogSec=10\n' >"$root/etc/systemd/system/stickerd.service.d/watchdog.conf"
    systemd-nspawn --quiet --register=no --keep-unit --link-journal=no --private-network \
        --directory="$root" --machine=stickerd-check --boot --console=pipe \
        --system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" \
        systemd.unit=basic.target </dev/null >"$work/boot.log" 2>&1 &
    local nspawn=$!
    # The first child of nspawn only prepares; the one that stays is the machine's init.
    is_up() {
        kill -0 "$nspawn" || return 0
        leader=$(pgrep --parent "$nspawn" | tail -n 1) && inside systemctl is-active basic.target
    }
    comes is_up && kill -0 "$nspawn" 2>/dev/null ||
        skip "systemd does not boot in a container: $(tail -n 1 "$work/boot.log")"
}

# --- The checks ----------------------------------------------------------------------------------

manifest=/srv/stickerd/out/cats/manifest.json

property() { inside systemctl show --value --property "$1" stickerd; }
is_active() { [[ $(property ActiveState) == active ]]; }
stickers() { [[ $(inside grep -o '"source":{' "$manifest" | wc -l) == "$1" ]]; }
status_is() { [[ $(property StatusText) == "$1" ]]; }
is_back() { (($(property NRestarts) >= 1)) && is_active; }
has_run() { (($(inside ps --no-headers -o etimes --pid "$(property MainPID)") > $1)); }

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

dpkg_inside() {
    inside dpkg "$@" >"$work/dpkg.log" 2>&1 || fail "$(tail -n 3 "$work/dpkg.log")"
}

configure() { echo "$1" >"$root/etc/stickerd/config.json"; }
folders='"drops": ["/srv/stickerd/drop"], "out": "/srv/stickerd/out", "state": "/var/lib/stickerd"'

# The web server answers, as a user of its own that sees neither drops nor database.
serves() {
    local url=http://127.0.0.1:8512
    comes inside sh -c "python3 -c \"import urllib.request as r; r.urlopen('$url/readyz')\"" ||
        fail "stickerd-web does not answer"
    inside python3 - "$url" <<'END' || fail "stickerd-web does not serve the stickers"
import json, sys, urllib.request
answer = json.load(urllib.request.urlopen(sys.argv[1] + "/api/stickers/trending"))
assert len(answer["images"]) > 0, answer
for image in answer["images"]:
    for address in (image["url"], image["thumbnail"]):
        assert urllib.request.urlopen(address).read(4) == b"\x89PNG", address
END
    measures() {
        inside python3 - "$url" <<'END'
import sys, urllib.request
lines = urllib.request.urlopen(sys.argv[1] + "/metrics").read().decode().splitlines()
for line in ["stickerd_stickers 2", "stickerd_web_stickers 2", "stickerd_web_daemon_metrics 1"]:
    assert line in lines, line
END
    }
    comes measures || fail "stickerd-web does not show what it and the daemon measure"
    [[ $(inside systemctl show --value --property User stickerd-web) == stickerd-web ]] ||
        fail "stickerd-web has another user"
    proven "served by stickerd-web to this machine"
}

# What bash offers for the letters "stickerctl expl".
completes() {
    # shellcheck disable=SC2016 # It is the shell inside that expands it.
    [[ $(inside bash -c 'source /usr/share/bash-completion/completions/stickerctl
        COMP_WORDS=(stickerctl expl) COMP_CWORD=1 COMP_LINE="stickerctl expl" COMP_POINT=15
        _stickerctl stickerctl expl stickerctl; echo "${COMPREPLY[*]}"') == explain* ]]
}

# has_fonts PREFIX: what draws texts is there, with its fonts.
has_fonts() {
    inside test -x "$1/libexec/stickerd-worker-drawing" || return
    local environment=FONTCONFIG_FILE=$1/share/stickerd/fonts/fonts.conf
    [[ $(inside env "$environment" fc-match Inter:bold) == Inter-Bold.otf:* &&
        $(inside env "$environment" fc-match emoji) == NotoColorEmoji.ttf:* ]]
}

# A package of fonts that changes, and a font of the operator's own, are picked up.
renews_fonts() {
    inside install -D /usr/share/fonts/opentype/inter/Inter-Bold.otf /etc/stickerd/fonts/Mine.otf
    inside sh -c 'touch /srv/stamp; dpkg-trigger --by-package=fonts-inter --no-await /usr/share/fonts/opentype/inter' &&
        dpkg_inside --triggers-only --pending
    inside test /usr/share/stickerd/fonts/fonts.conf -nt /srv/stamp ||
        fail "changed packages of fonts are not picked up"
    inside test -e /usr/share/stickerd/fonts/fonts/Mine.otf || fail "fonts of one's own are left out"
    inside rm -r /srv/stamp /etc/stickerd/fonts
    has_fonts /usr || fail "the fonts are not whole"
    proven "fonts of packages and of one's own picked up"
}

installs() {
    dpkg_inside --install --recursive /packages
    comes is_active || fail "the service is not active after the installation"
    [[ $(property Type) == notify && $(property UID) != 0 ]] || fail "it runs as root"
    [[ $(property StatusText) == *"Make a folder in a drop"* ]] ||
        fail "status is: $(property StatusText)"
    inside systemd-analyze security --threshold=15 --no-pager stickerd >/dev/null ||
        fail "more exposed than 1.5"
    inside man --where stickerd stickerctl stickerd-config >/dev/null || fail "no manual pages"
    completes || fail "no completions"
    has_fonts /usr || fail "the fonts of texts are not assembled"
    proven "installed, enabled, ready, with its own user"
}

publishes() {
    inside useradd --groups stickerd artist
    drop ff0000 red.png
    drop 00ff00 'two words 😀.png'
    inside sh -c 'printf 8BPS >/srv/stickerd/drop/cats/bad.psd'
    comes stickers 2 || fail "dropped pictures are not published"
    inside runuser --user nobody -- test -r "$manifest" || fail "the manifest is not for everyone"
    if inside stickerctl status >"$work/status"; then fail "the bad file needs no attention"; fi
    grep -q 'stickerctl jobs --reason unsupported-format' "$work/status" || fail "no command"
    comes status_is "watching 1 category · 2 stickers · 0 waiting · 1 needs attention" ||
        fail "the status line tells something else"
    says 'without loss' stickerctl explain red || fail "explain"
    [[ $(journal --output cat STICKERD_CATEGORY=cats | grep -c 'job completed') == 2 ]] ||
        fail "no field STICKERD_CATEGORY in the journal"
    inside stickerctl dismiss --all >/dev/null
    [[ $(journal --output cat _COMM=stickerd --priority warning | wc -l) == 1 ]] ||
        fail "warnings beyond that of the bad file"
    never_told 'thread priority' || fail "Dispatch complains that a thread may not have its priority"
    proven "pictures of another user published, told, in the journal"
}

reloads() {
    local before=$(inside md5sum "$manifest")
    changed() { [[ $(inside md5sum "$manifest") != "$before" ]]; }
    configure "{ $folders, \"sticker\": { \"marginPixels\": 8 } }"
    says '2 to encode' stickerctl plan || fail "plan"
    inside systemctl reload stickerd || fail "a good configuration is not taken"
    comes changed || fail "a changed recipe changes nothing"
    comes stickers 2 || fail "a sticker was lost on the way"

    # Words, which another worker draws with the fonts of the package.
    settled() {
        local plan
        plan=$(inside stickerctl plan) && [[ $plan != *"to encode"* ]]
    }
    comes settled || fail "the changed recipe is not carried out"
    before=$(inside md5sum "$manifest")
    inside stickerctl watermark add words --text 'Ada 🎉' --anchor 0.5,1 >/dev/null &&
        inside systemctl reload stickerd || fail "words are not taken as a mark"
    comes changed && comes settled || fail "words as a mark change nothing"
    if inside stickerctl watermark add words --text Ada --font 'No Such Font' 2>/dev/null; then
        fail "a font that nobody has is taken"
    fi
    proven "words put on what is published"

    configure "{ $folders, \"workers\": 99 }"
    if inside systemctl reload stickerd 2>/dev/null; then fail "a faulty configuration is taken"; fi
    is_active || fail "it stopped for a faulty configuration"
    inside kill -HUP "$(property MainPID)"
    comes is_told 'faulty configuration, the old one stays' || fail "the fault is not told"
    comes is_active || fail "it is not ready after the fault"
    status_says 'stickerctl check' || fail "status hides the fault"
    configure "{ $folders, \"sticker\": { \"marginPixels\": 8 } }"
    proven "good configuration taken, faulty one refused"
}

stops_and_starts() {
    inside systemctl stop stickerd
    [[ $(property Result) == success ]] || fail "it does not stop cleanly"
    drop 0000ff blue.png
    inside systemctl start stickerd
    comes stickers 3 || fail "what was dropped meanwhile is not published"
    comes is_told 'start scan finished.*new=1 .*unchanged=3' || fail "known files are worked on again"
    proven "stopped, and started on what was there"
}

survives() {
    inside kill -KILL "$(property MainPID)"
    comes is_back || fail "it does not come back after a kill"
    drop ffff00 yellow.png
    comes stickers 4 || fail "it does not work after a kill"

    # Longer than the watchdog waits.
    comes has_run 15 && [[ $(property NRestarts) == 1 ]] || fail "the watchdog is not fed"
    inside systemctl restart stickerd
    inside kill -STOP "$(property MainPID)"
    comes is_back || fail "the watchdog does not end a hang"
    drop 00ffff cyan.png
    comes stickers 5 || fail "it does not work after a hang"
    proven "killed, hung, and back both times"
}

# The stickers of stickerd itself, and the weather from a provider in the machine, which wants the key.
knows_the_weather() {
    local manifest=/srv/stickerd/out/smart/manifest.json
    cat >"$root/provider.py" <<'END'
import http.server
class Provider(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_right = self.path == "/weather?lat=52.52&lon=13.40&appid=SecretKey123"
        self.send_response(200 if is_right else 401)
        self.end_headers()
        self.wfile.write(b'{"main":{"temp":281.4},"weather":[{"id":500}]}')
http.server.ThreadingHTTPServer(("127.0.0.1", 8600), Provider).serve_forever()
END
    inside sh -c 'python3 /provider.py >/dev/null 2>&1 &'
    configure "{ $folders, \"smart\": { \"enabled\": true, \"weather\": { \"latitude\": 52.5177, \"longitude\": 13.4,
        \"url\": \"http://127.0.0.1:8600/weather\" } } }"
    inside systemctl restart stickerd
    comes inside grep -q '"smart_clock"' "$manifest" || fail "the clock of stickerd is not published"
    if inside grep -q smart_weather "$manifest"; then fail "a weather is published that nobody knows"; fi
    status_says 'absent: stickerd-weather has not asked yet' ||
        fail "status does not say why there is no weather"
    [[ $(inside systemctl is-enabled stickerd-weather.timer || true) == disabled ]] ||
        fail "the weather is asked for although nobody wants it"

    inside sh -c 'umask 077 && echo SecretKey123 >/etc/stickerd/weather.key'
    inside systemctl enable --now stickerd-weather.timer 2>"$work/enable.log" ||
        fail "$(tail -n 3 "$work/enable.log")"
    comes inside grep -q '"smart_weather_thermostat"' "$manifest" || {
        inside systemctl status --no-pager stickerd-weather || true
        fail "the weather is not published"
    }
    [[ $(inside stat --format %U /run/stickerd-weather/weather.json) == stickerd-weather ]] ||
        fail "the weather is written by another user"
    status_says 'C, rain' || fail "status does not show the weather"
    inside systemd-analyze security --threshold=15 --no-pager stickerd-weather >/dev/null ||
        fail "stickerd-weather is more exposed than 1.5"
    never_told SecretKey123 || fail "the key is in the journal"
    if inside grep -rq SecretKey123 /run/stickerd /run/stickerd-weather /srv/stickerd /var/lib/stickerd; then
        fail "the key is in a file"
    fi
    inside stickerd-weather --version >/dev/null || fail "the former name of stickerd-net weather is gone"
    proven "weather asked by a user of its own, and shown"

    configure "{ $folders, \"sticker\": { \"marginPixels\": 8 } }"
    inside systemctl restart stickerd
    gone() { ! inside grep -q smart_clock "$manifest"; }
    comes gone || fail "switched off, the clock stays"
}

# The pages of operators, by a user of its own beside the daemon; what is pressed there is in the database.
shows_operators() {
    [[ $(inside systemctl is-enabled stickerd-console || true) == disabled ]] ||
        fail "the console runs although nobody wants it"
    inside systemctl enable --now stickerd-console 2>"$work/enable.log" || fail "$(tail -n 3 "$work/enable.log")"
    local url=http://127.0.0.1:8513
    comes inside python3 -c "import urllib.request as r; r.urlopen('$url/')" || fail "stickerd-console does not answer"
    inside python3 - "$url" <<'END' || fail "the console does not do what it should"
import re, sys, urllib.parse, urllib.request
url = sys.argv[1]
def page(path): return urllib.request.urlopen(url + path).read().decode()
overview = page("/")
assert "runs (process" in overview, overview
assert "folders watched" in overview, overview
key = re.search('name="key" value="([0-9a-f]+)"', overview)[1]
job = re.search('href="/jobs/([0-9]+)"', page("/log"))[1]
shown = page(f"/jobs/{job}")
for address in re.findall('src="(/source/[^"]*|/out/[^"]*)"', shown):
    assert len(urllib.request.urlopen(url + address).read()) > 50, address
def press(verb):
    form = urllib.parse.urlencode({"key": key}).encode()
    return urllib.request.urlopen(f"{url}/do/{verb}", form).read().decode()
assert "Everything is paused." in press("pause")
assert "Pause everything" in press("resume")
END
    [[ $(inside systemctl show --value --property User stickerd-console) == stickerd-console ]] ||
        fail "the console has another user"
    [[ $(inside stat --format '%a %U:%G' /var/lib/stickerd) == "2770 stickerd:stickerd-state" ]] ||
        fail "the state folder is open to others: $(inside stat --format '%a %U:%G' /var/lib/stickerd)"
    [[ $(inside stat --format '%a %U:%G' /var/lib/stickerd/stickerd.sqlite) == "660 stickerd:stickerd-state" ]] ||
        fail "the database is open to others"
    if inside runuser --user artist -- sh -c 'ls /var/lib/stickerd' 2>/dev/null; then
        fail "artists see the database"
    fi
    # The daemon makes files anew while the console is there, and the other way round.
    inside systemctl stop stickerd
    comes inside python3 -c "import urllib.request as r; assert b'does not run' in r.urlopen('$url/').read()" ||
        fail "the console does not say that the daemon stopped"
    inside systemctl restart stickerd-console
    inside systemctl start stickerd
    comes inside python3 -c "import urllib.request as r; assert b'runs (process' in r.urlopen('$url/').read()" ||
        fail "the console does not say that the daemon is back"
    inside systemctl disable --now stickerd-console 2>"$work/enable.log" || fail "$(tail -n 3 "$work/enable.log")"
    proven "shown to operators by a user of its own"
}

# Uploads of a user, through the web server, into a library that nobody else sees.
takes_uploads() {
    local url=http://127.0.0.1:8512
    configure "{ $folders, \"personal\": { \"drop\": \"/srv/stickerd/uploads\", \"private\": \"/srv/stickerd/private\",
        \"tokensFile\": \"/etc/stickerd/tokens\" } }"
    inside sh -ec 'echo "ada $(printf %s SecretToken456 | sha256sum | cut -d " " -f 1)" >/etc/stickerd/tokens
        mkdir -p /etc/systemd/system/stickerd-web.service.d
        cp /usr/share/doc/stickerd/examples/web-personal.conf /etc/systemd/system/stickerd-web.service.d/personal.conf
        systemctl daemon-reload
        systemctl enable --now stickerd-personal
        systemctl restart stickerd-web' >"$work/personal.log" 2>&1 || fail "$(tail -n 3 "$work/personal.log")"
    picture ff8800
    inside python3 - "$url" <<'END' || fail "an upload does not become a sticker"
import json, sys, time, urllib.error, urllib.request
def ask(path, method="GET", body=None, token="SecretToken456"):
    headers = {"Authorization": f"Bearer {token}"}
    for attempt in range(100):
        try:
            return urllib.request.urlopen(urllib.request.Request(sys.argv[1] + path, body, headers, method=method)).read()
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.2)
upload = json.loads(ask("/api/personal", "POST", open("/tmp-picture.png", "rb").read()))
for attempt in range(300):
    entry = json.loads(ask("/api/personal/" + upload["id"]))
    if entry["state"] != "waiting":
        break
    time.sleep(0.2)
assert entry["state"] == "ready", entry
path = entry["webp"].replace(sys.argv[1], "")
assert ask(path)[:4] == b"RIFF"
try:
    sys.exit(f"served to others: {ask(path, token='other')[:20]}")
except urllib.error.HTTPError as error:
    assert error.code == 401
ask("/api/personal/" + upload["id"], "DELETE")
END
    # The server writes nowhere else, and nobody else looks in.
    [[ $(inside stat --format '%a %G' /srv/stickerd/private) == "2750 stickerd-personal" ]] ||
        fail "the private folder is open to others"
    if inside runuser --user artist -- sh -c 'ls /srv/stickerd/private || ls /srv/stickerd/uploads' 2>/dev/null; then
        fail "others see uploads"
    fi
    if inside grep -rq SecretToken456 /run/stickerd /run/stickerd-personal /srv/stickerd /var/lib/stickerd; then
        fail "a token is in a file"
    fi
    never_told SecretToken456 || fail "a token is in the journal"
    inside systemctl reload stickerd-personal || fail "a good configuration is not taken for uploads"
    emptied() { [[ -z $(inside find /srv/stickerd/uploads /srv/stickerd/private/_uploads -name 'u*.png') ]]; }
    comes emptied || fail "what was deleted is still there"
    inside sh -ec 'systemctl disable --now stickerd-personal; rm /etc/systemd/system/stickerd-web.service.d/personal.conf
        systemctl daemon-reload; systemctl restart stickerd-web' >"$work/personal.log" 2>&1 || fail "$(tail -n 3 "$work/personal.log")"
    configure "{ $folders, \"sticker\": { \"marginPixels\": 8 } }"
    proven "uploaded, made for its user alone, and deleted"
}

refuses_to_start() {
    # The restarts before must not count.
    inside systemctl reset-failed stickerd
    configure "{ $folders, \"workres\": 2 }"
    if inside systemctl restart stickerd 2>/dev/null; then fail "it starts with a faulty configuration"; fi
    # Not "activating", which a service is that waits for its next start.
    [[ $(property ActiveState) == failed && $(property NRestarts) == 0 ]] || fail "it is started again"
    [[ $(property ExecMainStatus) == 78 ]] || fail "exit code $(property ExecMainStatus)"
    says 'workres: unknown key; did you mean "workers"' \
        systemctl show --property StatusText stickerd || fail "status hides the fault"
    configure "{ $folders, \"sticker\": { \"marginPixels\": 8 } }"
    inside systemctl start stickerd
    proven "faulty configuration at the start: ended, told, not tried again"
}

rebuilds() {
    inside systemctl stop stickerd
    inside sh -c 'head -c 4096 /dev/urandom >/var/lib/stickerd/stickerd.sqlite'
    if inside systemctl start stickerd 2>/dev/null; then fail "it starts with a damaged database"; fi
    is_told 'run stickerctl rebuild' || fail "the log does not tell of rebuild"
    inside systemctl stop stickerd
    # As root, who is not the daemon's user.
    says 'keep their ids: 5' stickerctl rebuild || fail "the rebuilt database lacks stickers"
    inside systemctl reset-failed stickerd
    inside systemctl start stickerd || fail "it does not start with the rebuilt database"
    # That somebody dismissed the bad file is forgotten.
    comes status_is "watching 1 category · 5 stickers · 0 waiting · 1 needs attention" ||
        fail "the stickers are not those of before"
    proven "a damaged database told, and rebuilt by root"
}

upgrades() {
    local next package
    mkdir "$root/upgrade"
    for package in "$root"/packages/*.deb; do
        next=$(basename "$package")
        next=$root/next/${next%%_*}
        mkdir -p "$root/next"
        dpkg-deb --raw-extract "$package" "$next"
        sed -i 's/^Version: .*/&+next/; s/stickerd-workers (= [^)]*/&+next/' "$next/DEBIAN/control"
        dpkg-deb --build -Znone "$next" "$root/upgrade/$(basename "$package")" >/dev/null
    done
    local before
    before=$(property MainPID)
    dpkg_inside --install --recursive /upgrade
    comes is_active || fail "it does not run after an upgrade"
    [[ $(property MainPID) != "$before" ]] || fail "the old version runs after an upgrade"
    inside grep -q marginPixels /etc/stickerd/config.json || fail "an upgrade takes the configuration"
    drop ff00ff magenta.png
    comes stickers 6 || fail "it does not work after an upgrade"
    proven "upgraded, with its configuration and its stickers"
}

leaves() {
    dpkg_inside --remove stickerd stickerd-workers
    inside test -e "$manifest" || fail "removing takes what is published"
    if is_active; then fail "it runs on after it was removed"; fi
    dpkg_inside --purge stickerd stickerd-workers
    local left
    left=$(inside find /etc /run /srv /usr /var -name '*sticker*' -newer /etc/machine-id \
        ! -path '/etc/systemd/system/stickerd.service.d*' ! -path /srv/stickerd \
        ! -path '/var/lib/containers/*' 2>/dev/null || true)
    [[ -z $left ]] || fail "purging leaves $left"
    inside test -e /srv/stickerd/drop/cats/red.png || fail "purging takes the artists' files"
    proven "removed and purged, the artists' files left alone"
}

# As make install does it, with the programs of the packages.
installs_by_make() {
    mkdir "$root/linked"
    local folder
    for folder in "$root"/next/stickerd{,-workers}/usr/{bin,libexec,lib}; do
        if [[ -d $folder ]]; then cp --recursive "$folder" "$root/linked"; fi
    done
    deploy/install.sh "$root" /usr/local "$root/linked"
    inside /usr/local/share/stickerd/fonts.sh && has_fonts /usr/local ||
        fail "the fonts of texts are not assembled"
    inside sh -ec 'systemd-sysusers && systemd-tmpfiles --create
        systemctl daemon-reload && systemctl enable --now stickerd stickerd-web' >"$work/make.log" 2>&1 ||
        fail "$(tail -n 3 "$work/make.log")"
    [[ $(property FragmentPath) == /usr/local/lib/systemd/system/stickerd.service ]] || fail "another unit"
    comes stickers 6 || fail "the pictures that were left are not published"
    cp systemd/examples/{home,network-share}.conf "$root/etc/systemd/system/stickerd.service.d/"
    inside sh -c 'groupadd artists; useradd --create-home ann; install -d -o ann /home/ann/Stickers
        systemctl daemon-reload'
    inside systemctl restart stickerd || fail "it does not start with the examples of drop-ins"
    proven "installed by make, and started with the examples of drop-ins"
}

boot
installs
renews_fonts
publishes
serves
reloads
stops_and_starts
survives
knows_the_weather
shows_operators
takes_uploads
refuses_to_start
rebuilds
upgrades
leaves
installs_by_make
inside systemctl poweroff >/dev/null 2>&1 || true
