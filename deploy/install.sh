#!/usr/bin/env bash
# install.sh DESTDIR PREFIX LINKED: puts everything in its place below DESTDIR (empty for the real root); LINKED is what
# link.py made. A configuration that is there already is left as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
destination=$1 prefix=$2 linked=$3
share=$destination$prefix/share
# Where zsh looks: Debian keeps packages and what was installed by hand apart.
zsh=site-functions
if [[ $prefix == /usr ]]; then zsh=vendor-completions; fi

# put MODE SOURCE TARGET: the target's folders are made.
put() { install -D --mode="$1" "$2" "$3"; }

for library in "$linked"/lib/stickerd/*; do
    put 644 "$library" "$destination$prefix/lib/stickerd/$(basename "$library")"
done
for path in "$linked"/bin/*; do
    program=$(basename "$path")
    if [[ -L $path ]]; then
        cp --no-dereference --remove-destination "$path" "$destination$prefix/bin/$program"
    else
        put 755 "$path" "$destination$prefix/bin/$program"
    fi
    for shell in bash zsh fish; do
        case $shell in
        bash) target=$share/bash-completion/completions/$program ;;
        zsh) target=$share/zsh/$zsh/_$program ;;
        fish) target=$share/fish/vendor_completions.d/$program.fish ;;
        esac
        mkdir -p "$(dirname "$target")"
        # A file that is only ever read needs no interpreter.
        "$path" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$target"
        chmod 644 "$target"
    done
done

for worker in "$linked"/libexec/*; do
    put 755 "$worker" "$destination$prefix/libexec/$(basename "$worker")"
done

# It assembles the fonts of texts from those of the machine; after these changed, it is to be run again.
put 755 deploy/fonts.sh "$share/stickerd/fonts.sh"
if [[ -z $destination ]]; then
    "$share/stickerd/fonts.sh" || echo "Texts of watermarks cannot be drawn until $share/stickerd/fonts.sh succeeds."
fi

find deploy/smart -type f -printf '%P\0' | while IFS= read -r -d '' template; do
    put 644 "deploy/smart/$template" "$share/stickerd/smart/$template"
done

put 644 systemd/stickerd.sysusers "$destination$prefix/lib/sysusers.d/stickerd.conf"
put 644 systemd/stickerd.tmpfiles "$destination$prefix/lib/tmpfiles.d/stickerd.conf"
for service in stickerd stickerd-personal stickerd-web stickerd-console stickerd-weather; do
    unit=$destination$prefix/lib/systemd/system/$service.service
    put 644 "systemd/$service.service" "$unit"
    sed -i "s|=/usr/bin/sticker|=$prefix/bin/sticker|" "$unit"
done
put 644 systemd/stickerd-weather.timer "$destination$prefix/lib/systemd/system/stickerd-weather.timer"

for page in deploy/man/*.[1-8]; do
    target=$share/man/man${page##*.}/$(basename "$page").gz
    mkdir -p "$(dirname "$target")"
    sed "s|/usr/share/\(doc\|stickerd\)|$prefix/share/\1|" "$page" | gzip --best --no-name >"$target"
    chmod 644 "$target"
done

for example in systemd/examples/*; do
    put 644 "$example" "$share/doc/stickerd/examples/$(basename "$example")"
done
put 644 docs/compose.md "$share/doc/stickerd/compose.md"
put 644 deploy/nginx/stickers.conf "$share/doc/stickerd/examples/nginx.conf"
for schema in deploy/schema/*; do
    put 644 "$schema" "$share/stickerd/schema/$(basename "$schema")"
done
put 644 deploy/prometheus/alerts.yml "$share/doc/stickerd/examples/prometheus-alerts.yml"
put 644 deploy/grafana/stickerd.json "$share/doc/stickerd/examples/grafana-dashboard.json"
put 644 config.json "$share/doc/stickerd/examples/config.json"
put 644 LICENSE "$share/doc/stickerd/copyright"

if [[ ! -e $destination/etc/stickerd/config.json ]]; then
    put 644 systemd/config.json "$destination/etc/stickerd/config.json"
fi

if [[ -z $destination ]]; then
    cat <<'END'
Installed. To make the user and the folders, and to start it now and at every boot:
  systemd-sysusers && systemd-tmpfiles --create
  systemctl daemon-reload && systemctl enable --now stickerd stickerd-web
Then copy pictures into a folder below /srv/stickerd/drop, and ask: stickerctl status
They are served at http://127.0.0.1:8512/api/stickers/trending
END
else
    echo "Once it is in place there, texts of watermarks need: $prefix/share/stickerd/fonts.sh"
fi
