#!/usr/bin/env python3
"""pillow_best.py [IN OUT]: stickers with Pillow at its best settings; see pillow_sticker.py and best.py."""
import io

import best
import loop
from pillow_sticker import canvas_of


def make(source, output):
    canvas = canvas_of(source)

    def encode(**settings):
        sticker = io.BytesIO()
        canvas.save(sticker, "WEBP", method=6, **settings)
        return sticker.getvalue()

    sticker = best.sticker(
        lambda: encode(lossless=True, quality=100), lambda quality: encode(quality=quality))
    with open(output, "wb") as file:
        file.write(sticker)


if __name__ == "__main__":
    loop.run(make)
