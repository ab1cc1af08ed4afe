#!/usr/bin/env python3
"""pillow_animation.py [IN OUT]: animated stickers with Pillow; see loop.py.

Every frame as in pillow_sticker.py, WebP with method 4 at quality 95, 85, 75 ... until it is at most
500,000 bytes. Frames without a duration are shown for 100 ms, as browsers do."""
import io

from PIL import Image, ImageOps, ImageSequence, features

import loop

Image.MAX_IMAGE_PIXELS = None
features.check("webp")
Image.init()


def on_canvas(frame):
    fitted = ImageOps.contain(frame.convert("RGBA"), (512, 512), Image.Resampling.LANCZOS)
    canvas = Image.new("RGBA", (512, 512), (0, 0, 0, 0))
    canvas.paste(fitted, ((512 - fitted.width) // 2, (512 - fitted.height) // 2))
    return canvas


def make(source, output):
    frames, durations = [], []
    with Image.open(source) as animation:
        for frame in ImageSequence.Iterator(animation):
            frames.append(on_canvas(frame))
            durations.append(frame.info.get("duration") or 100)
    for quality in range(95, 0, -10):
        sticker = io.BytesIO()
        frames[0].save(
            sticker, "WEBP", save_all=True, append_images=frames[1:], duration=durations, loop=0,
            method=4, quality=quality)
        if sticker.tell() <= 500_000:
            break
    with open(output, "wb") as file:
        file.write(sticker.getvalue())


loop.run(make)
