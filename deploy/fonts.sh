#!/usr/bin/env bash
# fonts.sh [FOLDER [OWN]]: assembles the folder of fonts with which texts are drawn, whole or not at all. It holds what
# is needed of Debian's fonts-inter and fonts-noto-color-emoji, the fonts in the folder OWN (/etc/stickerd/fonts), and
# Fontconfig's cache. The installed script assembles the folder beside itself unless told otherwise.
#
# It may be run again at any time, and has to be when fonts are added.
set -euo pipefail

folder=${1:-$(dirname "$(realpath "$0")")/fonts}
own=${2:-/etc/stickerd/fonts}
inter=/usr/share/fonts/opentype/inter
emoji=/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf
styles=(
    Regular Medium SemiBold Bold ExtraBold Black
    Italic MediumItalic SemiBoldItalic BoldItalic ExtraBoldItalic BlackItalic
)

fail() {
    echo "fonts: $1" >&2
    exit 1
}

command -v fc-cache >/dev/null || fail "there is no fc-cache; install: fontconfig"
[[ -r $inter/Inter-Bold.otf ]] || fail "$inter/Inter-Bold.otf is missing; install: fonts-inter"
[[ -r $emoji ]] || fail "$emoji is missing; install: fonts-noto-color-emoji"

mkdir -p "$(dirname "$folder")"
folder=$(realpath "$(dirname "$folder")")/$(basename "$folder")
# Another run at the same time waits.
exec 9<"$(dirname "$folder")"
flock 9
# What another run left that was ended.
rm -rf "$folder".new.* "$folder".old.*
new=$(mktemp --directory "$folder.new.XXXXXX")
trap 'rm -rf "$new"' EXIT
mkdir "$new/fonts" "$new/cache"

for style in "${styles[@]}"; do
    # Not every release has all of them.
    if [[ -r $inter/Inter-$style.otf ]]; then cp "$inter/Inter-$style.otf" "$new/fonts"; fi
done
cp "$emoji" "$new/fonts"
if [[ -d $own ]]; then
    find -L "$own" -type f -iregex '.*\.\(otf\|ttf\|otc\|ttc\)' -exec cp --target-directory="$new/fonts" {} \;
fi

# The choice where a drawing leaves it, without anything of the system. Emoji are pictures of one size, which are scaled
# to the size of the letters.
cat >"$new/names.conf" <<END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <config><rescan><int>0</int></rescan></config>
  <alias binding="same"><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
  <alias binding="same"><family>Sans</family><prefer><family>Inter</family></prefer></alias>
  <alias binding="same"><family>emoji</family><prefer><family>Noto Color Emoji</family></prefer></alias>
  <match target="font">
    <test name="outline"><bool>false</bool></test>
    <edit name="pixelsizefixupfactor" mode="assign">
      <divide><name target="pattern">pixelsize</name><name target="font">pixelsize</name></divide>
    </edit>
    <edit name="matrix" mode="assign">
      <times>
        <name>matrix</name>
        <matrix>
          <name>pixelsizefixupfactor</name><double>0</double>
          <double>0</double><name>pixelsizefixupfactor</name>
        </matrix>
      </times>
    </edit>
    <edit name="size" mode="assign">
      <divide><name>size</name><name>pixelsizefixupfactor</name></divide>
    </edit>
  </match>
</fontconfig>
END

# configuration FOLDER: the folder for other programs. The cache is of a path that holds wherever the folder is.
configuration() {
    local place
    place=$(sed 's/&/\&amp;/g; s/</\&lt;/g; s/"/\&quot;/g' <<<"$1")
    cat <<END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <remap-dir as-path="/stickerd/fonts">$place/fonts</remap-dir>
  <cachedir>$place/cache</cachedir>
  <include>$place/names.conf</include>
</fontconfig>
END
}

configuration "$new" >"$new/fonts.conf"
chmod -R u=rwX,go=rX "$new"
FONTCONFIG_FILE=$new/fonts.conf fc-cache --force
configuration "$folder" >"$new/fonts.conf"
chmod -R u=rwX,go=rX "$new"

if [[ -e $folder ]]; then mv "$folder" "$folder.old.$$"; fi
mv "$new" "$folder"
rm -rf "$folder.old.$$"
trap - EXIT
