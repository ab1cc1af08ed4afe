#!/usr/bin/env bash
# make-deb-in.sh RELEASE [OPTION...]: builds the Debian packages for a release of Debian (bookworm, trixie), with the
# options of `swift build`, in a clean system of that release, into which this machine's Swift is mounted. System and
# build are kept in .build-RELEASE for the next time. Prints what make-deb.sh prints. Needs root and debootstrap; ends
# with 75 where there can be no such system.
set -euo pipefail
cd "$(dirname "$0")/.."
release=$1
shift
here=$PWD
place=$here/.build-$release
root=$place/system

# In a mount namespace of its own: with the last process of this script all of it goes.
if [[ ${STICKERD_BUILD_IN:-} != "$release" ]]; then
    swift package resolve --scratch-path "$place/build" >&2
    # Swift needs these; the libraries of the build come with deps.sh.
    deploy/clean-system.sh "$release" "$root" ca-certificates binutils g++ git libcurl4-openssl-dev libncurses6 \
        libxml2-dev dpkg-dev python3-minimal
    STICKERD_BUILD_IN=$release exec unshare --mount "$0" "$release" "$@"
fi

mount --make-rprivate /
toolchain=$(realpath "$(command -v swift)")
toolchain=${toolchain%/usr/bin/*}
# mounted KIND PATH: the same path inside.
mounted() {
    mkdir -p "$root$2"
    mount "$1" "$2" "$root$2"
}
mkdir -p "$place/build" "$here/.build-deb"
mounted --bind "$toolchain"
mounted --bind "$here"
mount --bind "$place/build" "$root$here/.build-deb"
for folder in /dev /proc /sys; do mounted --rbind "$folder"; done

inside() {
    # Options of env come before the first variable.
    chroot "$root" /usr/bin/env --ignore-environment --chdir="$here" HOME=/root LANG=C.UTF-8 \
        PATH="$toolchain/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        ${SOURCE_DATE_EPOCH:+SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH} "$@"
}
inside git config --global --replace-all safe.directory '*'
inside deploy/deps.sh >&2
printed=$(inside deploy/make-deb.sh "$@")
# It lies in the folder that was mounted there.
echo "${printed/#.build-deb/.build-$release/build}"
