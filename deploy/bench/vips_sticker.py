#!/usr/bin/env python3
"""vips_sticker.py [IN OUT]: stickers with libvips: thumbnail, centred, WebP at quality 100, 95 ... until
it is at most 100,000 bytes; see loop.py.

One thread, because CPU time is compared, which more threads only add to; and no cache of operations,
which would answer from memory if a loop gets the same picture again."""
import os

os.environ.setdefault("VIPS_CONCURRENCY", "1")

import pyvips

import loop

pyvips.cache_set_max(0)


def canvas_of(source):
    header = pyvips.Image.new_from_file(source)
    is_managed = header.get_typeof("icc-profile-data") or header.interpretation == "cmyk"
    fitted = pyvips.Image.thumbnail(
        source, 512, height=512, **({"export_profile": "srgb"} if is_managed else {}))
    if fitted.interpretation in ("b-w", "grey16", "rgb16"):
        fitted = fitted.colourspace("srgb")
    if not fitted.hasalpha():
        fitted = fitted.addalpha()
    canvas = fitted.gravity("centre", 512, 512, extend="background", background=[0, 0, 0, 0])
    return canvas.cast("uchar").copy_memory()


def make(source, output):
    canvas = canvas_of(source)
    for quality in range(100, 0, -5):
        sticker = canvas.webpsave_buffer(Q=quality, strip=True)
        if len(sticker) <= 100_000:
            break
    with open(output, "wb") as file:
        file.write(sticker)


if __name__ == "__main__":
    loop.run(make)
