#!/usr/bin/env bash
# make-deb.sh [OPTION...]: builds the Debian package, with the options of `swift build`, without libinotifytools, whose
# licence a binary would inherit. Prints the package's path.
set -euo pipefail
cd "$(dirname "$0")/.."

export STICKERD_INOTIFYTOOLS=no
binaries=$(deploy/build.sh programs --scratch-path .build-deb "$@")
version=$("$binaries/stickerd" --version)
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
chmod 755 "$work"
root=$work/root
mkdir -p "$root/DEBIAN" "$work/debian"
deploy/install.sh "$root" /usr "$binaries" >&2
strip --strip-unneeded "$root"/usr/bin/* "$root"/usr/libexec/*

# The libraries that the programs need, by package and least version.
printf 'Source: stickerd\n\nPackage: stickerd\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$root"/usr/bin/* "$root"/usr/libexec/* 2>/dev/null)
depends=${depends#shlibs:Depends=}

sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@DEPENDS@|$depends|" \
    -e "s|@SIZE@|$(du --summarize --block-size=1024 "$root" | cut -f1)|" \
    deploy/debian/control >"$root/DEBIAN/control"
echo /etc/stickerd/config.json >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do
    install --mode=755 "deploy/debian/$script" "$root/DEBIAN/$script"
done
install --mode=644 deploy/debian/triggers "$root/DEBIAN/triggers"
printf 'stickerd (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
    "$(sed -n 's/^Maintainer: //p' deploy/debian/control)" \
    "$(date --utc --rfc-email --date="@${SOURCE_DATE_EPOCH:-$(date +%s)}")" |
    gzip --best --no-name >"$root/usr/share/doc/stickerd/changelog.gz"
chmod 644 "$root/usr/share/doc/stickerd/changelog.gz"
(cd "$root" && find . -type f ! -path './DEBIAN/*' ! -path './etc/*' -printf '%P\0' |
    sort --zero-terminated | xargs --null md5sum >DEBIAN/md5sums)

package=.build-deb/stickerd_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >&2
echo "$package"
