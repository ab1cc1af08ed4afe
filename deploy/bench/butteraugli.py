#!/usr/bin/env python3
"""butteraugli.py STICKERCTL PICTURE...: a judge that had no say in the score: Butteraugli of libjxl-devtools.

Makes each still with both goals and with Pillow, and prints for each the distance from stickerd's own canvas: the
3-norm on white or on black, whichever is larger; 0 is equal. Needs Pillow."""
import json
import os
import statistics
import subprocess
import sys
import tempfile

from PIL import Image

import pillow_best
import pillow_sticker

GROUNDS = ["white", "black"]


def lay(picture, ground, path):
    """Whether it is a still of a sticker's size; laid on the ground, it is at `path`."""
    with Image.open(picture) as image:
        if getattr(image, "n_frames", 1) > 1 or image.size != (512, 512):
            return False
        page = Image.new("RGBA", image.size, ground)
        page.alpha_composite(image.convert("RGBA"))
    page.convert("RGB").save(path)
    return True


def distance(folder, sticker):
    """From the canvas that lies in the folder; `None` if there is no such sticker."""
    found = []
    for ground in GROUNDS:
        if not os.path.exists(sticker) or not lay(sticker, ground, f"{folder}/shown.png"):
            return None
        answer = subprocess.run(
            ["butteraugli_main", f"{folder}/{ground}.png", f"{folder}/shown.png"],
            check=True, capture_output=True, text=True).stdout
        found.append(float(next(line for line in answer.splitlines() if "3-norm" in line).split()[-1]))
    return max(found)


def convert(program, folder, picture, name, settings):
    """Whether stickerd makes `name` of the picture with these settings."""
    with open(f"{folder}/config.json", "w") as file:
        json.dump({"drops": [folder], "sticker": settings}, file)
    command = [program, "convert", "--config", f"{folder}/config.json", picture, f"{folder}/{name}.webp"]
    return subprocess.run(command, capture_output=True).returncode == 0


def main():
    program, pictures = os.path.abspath(sys.argv[1]), sys.argv[2:]
    makers = {
        "best": lambda folder, picture: convert(program, folder, picture, "best", {"goal": "best"}),
        "balanced": lambda folder, picture: convert(program, folder, picture, "balanced", {"goal": "balanced"}),
        "Pillow": lambda folder, picture: pillow_sticker.make(picture, f"{folder}/Pillow.webp"),
        "Pillow, best settings": lambda folder, picture: pillow_best.make(
            picture, f"{folder}/Pillow, best settings.webp"),
    }
    found = {name: [] for name in makers}
    nearer = {name: [] for name in makers}
    for picture in pictures:
        with tempfile.TemporaryDirectory() as folder:
            # Nothing is lost: the file shows the canvas itself.
            if not convert(program, folder, picture, "canvas", {"stillBytesMax": 10_000_000}):
                continue
            if not all(lay(f"{folder}/canvas.webp", ground, f"{folder}/{ground}.png") for ground in GROUNDS):
                continue
            distances = {}
            for name, make in makers.items():
                try:
                    make(folder, picture)
                except (OSError, ValueError) as error:
                    print(f"{picture}: {name}: {error}")
                distances[name] = distance(folder, f"{folder}/{name}.webp")
        print(os.path.basename(picture), *(f"{value:.3f}" if value is not None else "-" for value in distances.values()),
              sep="\t", flush=True)
        for name, value in distances.items():
            if value is None or distances["best"] is None:
                continue
            found[name].append(value)
            if value < distances["best"] - 0.02:
                nearer[name].append(os.path.basename(picture))
    for name, values in found.items():
        if not values:
            print(f"{name}: no stills")
            continue
        print(f"{name}: {len(values)} stills, median {statistics.median(values):.2f}, mean {statistics.mean(values):.2f}, "
              f"most {max(values):.2f}; nearer than best by 0.02: {', '.join(nearer[name]) or 'none'}")


main()
