#!/usr/bin/env python3
"""vips_best.py [IN OUT]: stickers with libvips at its best settings; see vips_sticker.py and best.py."""
import best
import loop
from vips_sticker import canvas_of


def make(source, output):
    canvas = canvas_of(source)

    def encode(**settings):
        return canvas.webpsave_buffer(effort=6, strip=True, **settings)

    sticker = best.sticker(
        lambda: encode(lossless=True, Q=100), lambda quality: encode(Q=quality, smart_subsample=True))
    with open(output, "wb") as file:
        file.write(sticker)


if __name__ == "__main__":
    loop.run(make)
