#!/usr/bin/env bash
# Installs the Debian packages that a build needs, and with --tests, --firefox, --bench, --fuzz or --picture those that
# the checks, the check in Firefox, the benchmarks, the fuzzing or the pictures of the documents need too.
# Touches nothing when all of them are there.
set -euo pipefail

# The names are those of Debian 12 and 13 alike, but for:
release=$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${VERSION_ID:-}" || true)
packages=(
    libwebp-dev libpng-dev libgif-dev libturbojpeg0-dev libinotifytools0-dev liblcms2-dev libssl-dev
    libdeflate-dev libtiff-dev libavif-dev libheif-dev libarchive-dev zlib1g-dev libsqlite3-dev
    libsystemd-dev libcurl4-openssl-dev libpango1.0-dev librsvg2-dev libxml2-dev pkg-config
    # Links the programs: deploy/link.py.
    python3
    # What texts are drawn with: deploy/fonts.sh.
    fontconfig fonts-inter fonts-noto-color-emoji
)
if [[ ${1:-} == --tests ]]; then
    packages+=(python3-jsonschema systemd systemd-container dbus dpkg-dev man-db xfsprogs)
    # Other decoders and encoders, whose pictures ours have to see as they do.
    packages+=(python3-pil libtiff-tools libavif-bin libheif-examples)
    # Part of libheif before Debian 13.
    if [[ $release == "debian 13" ]]; then packages+=(libheif-plugin-x265); fi
    # Fresh systems for the packages.
    packages+=(debootstrap)
    # Tells dates and times in many languages.
    packages+=(python3-babel)
    # Opens the gallery.
    packages+=(chromium python3-venv)
    # promtool, which reads metrics and alerts as Prometheus does.
    packages+=(prometheus python3-yaml)
    # Serves deploy/nginx/stickers.conf.
    packages+=(nginx)
fi
# Large, so only for `make check-all`.
if [[ ${1:-} == --firefox ]]; then packages+=(firefox-esr python3-pil python3-venv); fi
if [[ ${1:-} == --fuzz ]]; then packages+=(cmake dpkg-dev); fi
if [[ ${1:-} == --picture ]]; then packages+=(chromium fonts-dejavu-core python3-pil); fi
if [[ ${1:-} == --bench ]]; then packages+=(git imagemagick nginx python3-venv webp wrk); fi

if ! command -v dpkg-query >/dev/null; then
    echo "deps: this is not Debian; install the counterparts of: ${packages[*]}" >&2
    exit 1
fi

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status} ' "$package" 2>/dev/null || true)
    if [[ " $state" != *" installed "* ]]; then missing+=("$package"); fi
done
if ((${#missing[@]} == 0)); then exit 0; fi

if ((EUID != 0)); then
    echo "deps: packages are missing; run: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
echo "deps: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
# Servers of which the programs alone are wanted.
for server in prometheus nginx; do
    if [[ " ${missing[*]} " == *" $server "* && -d /run/systemd/system ]]; then
        systemctl mask --quiet "$server.service"
        echo "deps: $server is not started; to use it: systemctl unmask $server"
    fi
done
apt-get update --quiet=2
apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"
