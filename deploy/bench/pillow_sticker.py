#!/usr/bin/env python3
"""pillow_sticker.py IN OUT: a sticker with Pillow, as scripts on the web do it.

Upright, Lanczos to fit 512x512, centred on a transparent canvas, WebP at quality 100, 95, 90 ... until
it is at most 100,000 bytes. Prints the CPU seconds without start-up and imports."""
import io
import sys
import time

from PIL import Image, ImageOps, features

Image.MAX_IMAGE_PIXELS = None
features.check("webp")
Image.init()

start = time.process_time()
with Image.open(sys.argv[1]) as picture:
    upright = ImageOps.exif_transpose(picture).convert("RGBA")
fitted = ImageOps.contain(upright, (512, 512), Image.Resampling.LANCZOS)
canvas = Image.new("RGBA", (512, 512), (0, 0, 0, 0))
canvas.paste(fitted, ((512 - fitted.width) // 2, (512 - fitted.height) // 2))
for quality in range(100, 0, -5):
    output = io.BytesIO()
    canvas.save(output, "WEBP", quality=quality)
    if output.tell() <= 100_000:
        break
with open(sys.argv[2], "wb") as file:
    file.write(output.getvalue())
print(time.process_time() - start)
