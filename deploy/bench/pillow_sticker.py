#!/usr/bin/env python3
"""pillow_sticker.py [IN OUT]: stickers with Pillow, as scripts on the web make them; see loop.py.

Upright, Lanczos to fit 512x512, centred on a transparent canvas, WebP at quality 100, 95, 90 ... until
it is at most 100,000 bytes."""
import io

from PIL import Image, ImageOps, features

import loop

Image.MAX_IMAGE_PIXELS = None
features.check("webp")
Image.init()


def canvas_of(source):
    with Image.open(source) as picture:
        upright = ImageOps.exif_transpose(picture).convert("RGBA")
    fitted = ImageOps.contain(upright, (512, 512), Image.Resampling.LANCZOS)
    canvas = Image.new("RGBA", (512, 512), (0, 0, 0, 0))
    canvas.paste(fitted, ((512 - fitted.width) // 2, (512 - fitted.height) // 2))
    return canvas


def make(source, output):
    canvas = canvas_of(source)
    for quality in range(100, 0, -5):
        sticker = io.BytesIO()
        canvas.save(sticker, "WEBP", quality=quality)
        if sticker.tell() <= 100_000:
            break
    with open(output, "wb") as file:
        file.write(sticker.getvalue())


if __name__ == "__main__":
    loop.run(make)
