#!/usr/bin/env python3
"""check-looks.py [--renew] PROGRAMS: opens the page of parts of stickerd-console in Chromium, light and dark, on a
desktop and on a phone, and compares every part with the pictures in deploy/looks. With --renew, it writes these
pictures. What differs is kept in .build-looks. Needs Pillow and playwright."""

import argparse
import io
import json
import os
import pathlib
import shutil

from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import expect, sync_playwright

import bars
from checks import fail
from studio import studio

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCES, SEEN = ROOT / "deploy/looks", ROOT / ".build-looks"
SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}
# Of 255, per channel; and pixels of a part that may differ by more: 25 do if all corners are one pixel less round.
LEVELS_MAX, PIXELS_MAX = 3, 10
FLAGS = ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text"]
# Instead of the machine's own, which may ask for letters without smooth edges.
FONTCONFIG = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
<dir>/usr/share/fonts/opentype/inter</dir><cachedir>FOLDER</cachedir>
<match target="pattern"><edit name="antialias"><bool>true</bool></edit><edit name="hinting"><bool>false</bool></edit>
<edit name="autohint"><bool>false</bool></edit><edit name="hintstyle"><const>hintnone</const></edit>
<edit name="rgba"><const>none</const></edit></match></fontconfig>"""
FACES = {"400": bars.font(500, 400), "700": bars.font(550, 700)}
FONT = "".join(
    f"@font-face {{ font-family: Bars; font-weight: {weight}; src: url(/bars-{weight}.ttf); }}\n" for weight in FACES
) + "* { font-family: Bars !important; }"

# Each part with all that lies between it and the one above, and where it has letters, pictures and controls of the
# browser.
PARTS = """() => {
  const box = ({ left, top, right, bottom }) => [left, top + scrollY, right, bottom + scrollY].map(Math.round);
  let top = 0;
  const parts = [...document.querySelectorAll('body > header, main > section')].map(part => {
    const bottom = box(part.getBoundingClientRect())[3], name = part.querySelector('h2')?.textContent ?? 'Head';
    const one = { name, top, bottom };
    top = bottom;
    return one;
  });
  const soft = [...document.querySelectorAll('img, progress, select, input')].flatMap(e => [...e.getClientRects()]);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (texts.nextNode()) {
    range.selectNode(texts.currentNode);
    soft.push(...range.getClientRects());
  }
  for (const e of document.querySelectorAll('*'))
    if (getComputedStyle(e, '::before').content !== 'none') soft.push(...e.getClientRects());
  return { parts, soft: soft.map(box) };
}"""


def look(browser, base, scheme, screen):
    """The page of parts as a picture, its parts by name with their upper and lower ends, and what is drawn by the
    machine's own rules."""
    width, height = SCREENS[screen]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True,
        has_touch=screen == "phone")
    page = context.new_page()
    for weight, face in FACES.items():
        page.route(
            f"**/bars-{weight}.ttf", lambda route, _, face=face: route.fulfill(body=face, content_type="font/ttf"))
    page.goto(f"{base}parts")
    page.add_style_tag(content=FONT)
    expect(page.locator("#live")).to_have_text("live")
    page.evaluate("""async () => {
      for (const picture of document.images) picture.loading = 'eager';
      await Promise.all([...document.images].map(picture => picture.decode()));
      await Promise.all([...document.fonts].filter(font => font.family === 'Bars').map(font => font.load()));
    }""")
    found = page.evaluate(PARTS)
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True, animations="disabled"))).convert("RGB")
    context.close()
    return picture, {part["name"]: [part["top"], part["bottom"]] for part in found["parts"]}, found["soft"]


def farthest(one, other):
    """The difference of the channel that differs most, for each pixel."""
    red, green, blue = ImageChops.difference(one, other).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def nearest(one, other):
    """The same to the pixel of the other picture, of those around the same place, that differs least."""
    least = farthest(one, other)
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            least = ImageChops.darker(least, farthest(one, ImageChops.offset(other, x, y)))
    return least


def difference(seen, expected, soft):
    """White where the pictures differ: by any pixel, and at soft places by more than one pixel's distance."""
    mask = Image.new("L", seen.size)
    draw = ImageDraw.Draw(mask)
    for left, top, right, bottom in soft:
        draw.rectangle((left - 1, top - 1, right, bottom), fill=255)
    near = ImageChops.lighter(nearest(seen, expected), nearest(expected, seen))
    return Image.composite(near, farthest(seen, expected), mask).point(lambda level: 255 * (level > LEVELS_MAX))


def compare(view, looked, expected, ends):
    """What is wrong with a view, in words for each part, and a picture of it."""
    seen, parts, soft = looked
    wrong, shown = [], seen.convert("L").convert("RGB")
    for name in {**ends, **parts}:
        if name not in parts or name not in ends:
            wrong.append(f"{view}: {name!r} is {'gone' if name in ends else 'new'}")
            continue
        (top, bottom), (old_top, old_bottom) = parts[name], ends[name]
        height = bottom - top
        if height != old_bottom - old_top:
            wrong.append(f"{view}: {name!r} is {height} pixels high, was {old_bottom - old_top}")
            continue
        box, old_box = (0, top, seen.width, bottom), (0, old_top, seen.width, old_bottom)
        inside = [(left, y - top, right, end - top) for left, y, right, end in soft if y < bottom and end > top]
        differing = difference(seen.crop(box), expected.crop(old_box), inside)
        count = differing.histogram()[255]
        if count > PIXELS_MAX:
            wrong.append(f"{view}: {count} pixels of {name!r} differ")
            shown.paste((255, 0, 255), box, differing)
    return wrong, shown


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--renew", action="store_true")
    arguments.add_argument("programs", type=pathlib.Path)
    asked = arguments.parse_args()
    wrong, list_of_ends = [], REFERENCES / "parts.json"
    ends = {} if asked.renew else json.loads(list_of_ends.read_text())
    shutil.rmtree(SEEN, ignore_errors=True)
    with studio(asked.programs.resolve()) as made, sync_playwright() as playwright:
        fonts = made.folder / "fonts.conf"
        fonts.write_text(FONTCONFIG.replace("FOLDER", str(made.folder / "fonts")))
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=FLAGS, env={**os.environ, "FONTCONFIG_FILE": str(fonts)})
        for scheme in ["light", "dark"]:
            for screen in SCREENS:
                view = f"{scheme}-{screen}"
                looked = look(browser, made.base, scheme, screen)
                path = REFERENCES / f"{view}.webp"
                if asked.renew:
                    REFERENCES.mkdir(exist_ok=True)
                    looked[0].save(path, lossless=True, quality=100, method=6)
                    ends[view] = looked[1]
                    continue
                faults, shown = compare(view, looked, Image.open(path).convert("RGB"), ends[view])
                if faults:
                    SEEN.mkdir(exist_ok=True)
                    looked[0].save(SEEN / f"{view}.png")
                    shown.save(SEEN / f"{view}-differs.png")
                wrong += faults
        browser.close()
    if asked.renew:
        list_of_ends.write_text(json.dumps(ends, indent=2) + "\n")
        print(f"check-looks: {len(ends)} pictures renewed in {REFERENCES}")
    elif wrong:
        fail("\n".join([*wrong, f"See {SEEN}; `make looks` accepts it."]))
    else:
        print(f"check-looks: {len(ends['light-desktop'])} parts look as they did, light and dark, large and small")


if __name__ == "__main__":
    main()
