#!/usr/bin/env bash
# make-deb.sh [OPTION...]: builds the Debian packages, with the options of `swift build`, without libinotifytools, whose
# licence a binary would inherit. Two builds from nothing of one commit in folders of the same name, with the same Swift,
# libraries and Package.resolved, are equal, byte for byte; one upon a build of the tests differs in the section
# .swift_modhash, and so in build ids. Prints the folder of the packages:
#   stickerd_VERSION_ARCH.deb  stickerd-workers_VERSION_ARCH.deb  stickerd-dbgsym_VERSION_ARCH.deb
#   stickerd_VERSION_ARCH.spdx.json   what is linked and loaded
#   SHA256SUMS
#   installed/                        the packages unpacked, with fonts, for the checks: they run what is handed out
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
shopt -s nullglob

export STICKERD_INOTIFYTOOLS=no
if [[ -z ${SOURCE_DATE_EPOCH:-} ]] && ! SOURCE_DATE_EPOCH=$(git log --max-count=1 --format=%ct 2>/dev/null); then
    echo "make-deb: no commit is known, so that the packages have the time of now; set SOURCE_DATE_EPOCH" >&2
    SOURCE_DATE_EPOCH=$(date +%s)
fi
export SOURCE_DATE_EPOCH
scratch=.build-deb
# shellcheck disable=SC2046 # words
binaries=$(deploy/build.sh programs $(deploy/options.sh) "$@")
linked=$scratch/linked packages=$scratch/packages
rm -rf "$linked" "$packages"
mkdir -p "$packages"
deploy/link.py "$binaries" "$linked" >&2
release=$("$linked/bin/stickerd" --version)
# Each release of Debian has packages of its own: they depend on its libraries.
version=$release+deb$(. /etc/os-release && echo "${VERSION_ID:-0}")
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
chmod 755 "$work"
root=$work/stickerd
deploy/install.sh "$root" /usr "$linked" >&2
deploy/parts.py "$binaries" "$linked" "$release" "$packages/stickerd_${version}_$architecture.spdx.json" "$work/copyright"

# move PACKAGE PATH...: to another package.
move() {
    local package=$1 path
    shift
    for path in "$@"; do
        mkdir -p "$work/$package/$(dirname "$path")"
        mv "$root/$path" "$work/$package/$path"
    done
}
move stickerd-workers usr/libexec usr/lib/stickerd/libstickerd-workers.so usr/share/stickerd/fonts.sh

# Symbols are found by the number that the linker gave to each file.
for file in "$root"/usr/{bin,lib/stickerd}/* "$work"/stickerd-workers/usr/{libexec,lib/stickerd}/*; do
    if [[ -L $file ]]; then continue; fi
    number=$(readelf --notes "$file" | sed -n 's/.*Build ID: //p')
    symbols=$work/stickerd-dbgsym/usr/lib/debug/.build-id/${number:0:2}/${number:2}.debug
    mkdir -p "$(dirname "$symbols")"
    objcopy --only-keep-debug --compress-debug-sections "$file" "$symbols"
    chmod 644 "$symbols"
    strip --strip-unneeded "$file"
done

# The libraries that the files of a package need, by package and least version.
depends() {
    local package=$1
    shift
    mkdir -p "$work/control/debian"
    printf 'Source: stickerd\n\nPackage: %s\nArchitecture: any\n' "$package" >"$work/control/debian/control"
    (cd "$work/control" && dpkg-shlibdeps -O --ignore-missing-info -l"$work/$package/usr/lib/stickerd" "$@" 2>"$work/log") |
        sed 's/^shlibs:Depends=//' || { cat "$work/log" >&2 && return 1; }
}

for package in stickerd stickerd-workers stickerd-dbgsym; do
    root=$work/$package
    documents=$root/usr/share/doc/$package
    mkdir -p "$root/DEBIAN" "$documents"
    cp "$work/copyright" "$documents/copyright"
    printf 'stickerd (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
        "$(sed -n 's/^Maintainer: //p' deploy/debian/stickerd/control)" \
        "$(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")" | gzip --best --no-name >"$documents/changelog.gz"
    libraries=
    if [[ $package != *-dbgsym ]]; then
        libraries=$(depends "$package" "$root"/usr/{bin,libexec}/* "$root"/usr/lib/stickerd/*)
    fi
    # As dpkg counts it, on every file system the same: a KiB for a folder, and files rounded up.
    size=$(find "$root" -mindepth 1 ! -path "$root/DEBIAN*" -printf '%y %s\n' |
        awk '{ kib += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print kib }')
    # A list of packages may have `|` in it.
    sed -e "s#@VERSION@#$version#g" -e "s#@ARCHITECTURE@#$architecture#" -e "s#@DEPENDS@#$libraries#" \
        -e "s#@SIZE@#$size#" \
        "deploy/debian/$package/control" >"$root/DEBIAN/control"
    for file in deploy/debian/"$package"/*; do
        case $file in
        */control) ;;
        */triggers) install --mode=644 "$file" "$root/DEBIAN/triggers" ;;
        *) install --mode=755 "$file" "$root/DEBIAN/$(basename "$file")" ;;
        esac
    done
    if [[ -e $root/etc/stickerd/config.json ]]; then echo /etc/stickerd/config.json >"$root/DEBIAN/conffiles"; fi
    (cd "$root" && find . -type f ! -path './DEBIAN/*' ! -path './etc/*' -printf '%P\0' |
        sort --zero-terminated | xargs --null md5sum >DEBIAN/md5sums)
    chmod -R u=rwX,go=rX "$root"
    dpkg-deb --root-owner-group --build "$root" "$packages/${package}_${version}_$architecture.deb" >&2
done

for package in "$packages"/stickerd{,-workers}_*.deb; do dpkg-deb --extract "$package" "$packages/installed"; done
# As postinst does it.
deploy/fonts.sh "$packages/installed/usr/share/stickerd/fonts" >&2
(cd "$packages" && sha256sum -- *.deb *.json >SHA256SUMS)
echo "$packages"
