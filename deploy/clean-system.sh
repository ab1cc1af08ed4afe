#!/usr/bin/env bash
# clean-system.sh RELEASE FOLDER PACKAGE...: makes a minimal Debian of RELEASE (bookworm, trixie) in FOLDER, with the
# packages; one that is there already is left as it is. It comes from STICKERD_MIRROR, or else from Debian's own server.
# Ends with 75 where that is not possible, and says why.
set -euo pipefail
release=$1 folder=$2
shift 2
mirror=${STICKERD_MIRROR:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

unable() {
    echo "clean-system: $1" >&2
    exit 75
}

if [[ -e $folder/.complete ]]; then exit 0; fi
((EUID == 0)) || unable "it needs root"
command -v debootstrap >/dev/null || unable "there is no debootstrap"
[[ -r $keyring ]] || unable "there is no $keyring (debian-archive-keyring)"

rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
log=$folder.log
debootstrap --variant=minbase --keyring="$keyring" "$release" "$folder" "$mirror" >"$log" 2>&1 ||
    unable "no $release from $mirror: $(tail -n 1 "$log")"
# How this machine reaches servers of packages.
if command -v apt-config >/dev/null; then
    apt-config dump | { grep -E '^Acquire::(https?|Check-)' || true; } >"$folder/etc/apt/apt.conf.d/90machine"
fi
cp --dereference /etc/resolv.conf "$folder/etc/resolv.conf"
# No service starts while packages are installed.
printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
chmod 755 "$folder/usr/sbin/policy-rc.d"
export DEBIAN_FRONTEND=noninteractive
if (($# > 0)); then
    chroot "$folder" apt-get update --quiet=2 >>"$log" 2>&1 &&
        chroot "$folder" apt-get install --quiet=2 --yes --no-install-recommends "$@" >>"$log" 2>&1 ||
        unable "packages of $release: $(tail -n 1 "$log")"
fi
rm "$folder/usr/sbin/policy-rc.d"
touch "$folder/.complete"
