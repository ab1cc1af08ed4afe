#!/usr/bin/env bash
# Builds the decoders and libarchive from the sources that Debian has of them, with the address sanitizer and watched by
# libFuzzer: decoders.sh FOLDER, which then has static libraries.
set -euo pipefail
folder=$1
compiler=$(dirname "$(readlink -f "$(command -v swift)")")/clang
watched=(-O1 -g -w -fno-omit-frame-pointer "-fsanitize=address,fuzzer-no-link")

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/parts"
sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources \
    >"$folder/apt/parts/debian.sources"
options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/apt/parts"
    -o "Dir::State::Lists=$folder/apt/lists" -o APT::Sandbox::User=root --quiet=2)
apt-get "${options[@]}" update

# fetch PACKAGE: goes to its sources, of the newest version that the mirror has.
fetch() {
    local version
    mkdir "$folder/$1"
    cd "$folder/$1"
    for version in $(apt-cache "${options[@]}" showsrc --only-source "$1" |
        sed -n 's/^Version: //p' | sort -Vr); do
        apt-get "${options[@]}" source "$1=$version" || continue
        echo "decoders: $1 $version"
        cd "$1"-*/
        return 0
    done
    return 1
}

# archive NAME SOURCE...: a static library.
archive() {
    local name=$1
    shift
    printf '%s\n' "$@" |
        xargs -P "$(nproc)" -n 1 "$compiler" "${watched[@]}" -I. -Iinclude -I../include -c
    ar rcs "$folder/lib$name.a" ./*.o
}

fetch lcms2
cd src
archive lcms2 cms*.c

fetch libpng1.6
cp scripts/pnglibconf.h.prebuilt pnglibconf.h
archive png16 png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c \
    pngset.c pngtrans.c pngwio.c pngwrite.c pngwtran.c pngwutil.c

fetch giflib
archive gif dgif_lib.c egif_lib.c gifalloc.c gif_err.c gif_hash.c openbsd-reallocarray.c

fetch libjpeg-turbo
cmake -S . -B build -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="${watched[*]}" \
    -DCMAKE_BUILD_TYPE=None -DWITH_SIMD=0 -DENABLE_SHARED=0
cmake --build build --parallel --target turbojpeg-static jpeg-static
cp build/libturbojpeg.a build/libjpeg.a "$folder"

# Nothing but ZIP and tape archives, as they are or deflated, is read with it.
fetch libarchive
without=(-DENABLE_{TEST,TAR,CPIO,CAT,UNZIP,OPENSSL,NETTLE,MBEDTLS,LIBXML2,EXPAT,ACL,XATTR}
    -DENABLE_{LIBB2,LZ4,LZMA,ZSTD,BZip2})
# The folder `build` is a part of its sources.
cmake -S . -B made -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="${watched[*]}" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE= "${without[@]/%/=OFF}"
cmake --build made --parallel --target archive_static
cp made/libarchive/libarchive.a "$folder"

touch "$folder/built"
