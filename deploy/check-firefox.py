#!/usr/bin/env python3
"""check-firefox.py PROGRAMS [PICTURES]: uses the console, the gallery and the page for placing stickers in Firefox, by
mouse, by keys alone and with fingers, on a desktop and on a phone: ten pictures become a pack, a damaged one is mended,
a sticker is found and placed, and the saved files say so. No page fails, breaks its policy or asks anybody else. With
PICTURES, screenshots are kept there. Needs firefox-esr, Pillow and marionette_driver."""

import json
import pathlib
import re
import sys
import tempfile

from marionette_driver.keys import Keys
from PIL import Image

from checks import fail, free_port, png
from firefox import Firefox
from studio import compare_pack, damaged, studio

DESKTOP, PHONE = (1280, 800), (390, 844)
GROUND, STICKERS = (40, 120, 200), {"alpha": (220, 30, 40), "beta": (30, 160, 60), "gamma": (240, 200, 20)}
GROUND_SIZE = (1600, 1200)
# In parts of 255: the picture and the sticker are each of one colour, and saved without loss; the sticker was made with some.
COLOUR_SLACK = 12
# The most actions of a person who makes a pack.
ACTIONS_MAX = 25
USES = [("mouse", "light", DESKTOP), ("keys", "dark", DESKTOP), ("finger", "light", PHONE), ("keys", "dark", PHONE)]


class Pages:
    """The pages that one browser uses, and where it keeps what it sees of them."""

    def __init__(self, made, web, kept, name):
        self.made, self.web, self.kept, self.name = made, web, kept, name

    def keep(self, firefox, what):
        firefox.keep(self.kept, f"{what}-{self.name}")


def prepare(made):
    """A category to look at, and a picture to place its stickers on."""
    folder = made.drop / "Party"
    folder.mkdir()
    for name, colour in STICKERS.items():
        draft = folder / f".{name}.png"
        draft.write_bytes(png(colour, side=300))
        draft.rename(folder / f"{name}.png")
    Image.new("RGB", GROUND_SIZE, GROUND).save(made.folder / "ground.png")


def make(firefox, pages, title):
    """From ten pictures to a pack; returns the number of actions."""
    firefox.actions = 0
    firefox.open(f"{pages.made.base}library")
    firefox.sees("#live", "live")
    firefox.write("input", "New category", title)
    firefox.choose("main input[type=file]", *pages.made.files)
    firefox.press("button", "Add")
    firefox.sees(".arriving .bad", re.compile("notes.png.*not a readable picture"))
    firefox.counts(".arriving .good", 10)
    pages.keep(firefox, "arriving")
    firefox.press("button", "I have read that")
    firefox.press("a.card", re.compile(f"^{title} "))
    firefox.counts(".sortable > li", 10)
    pages.keep(firefox, "category")
    name(firefox, pages)
    order(firefox, pages)
    firefox.press("a", "Set the publisher")
    firefox.write("#words input", re.compile("^Publisher"), "Ada")
    firefox.press("#words button", "Save")
    firefox.one("a", re.compile("^Download .*wastickers"))
    pages.keep(firefox, "packs")
    compare_pack(firefox.download("a", re.compile("^Download .*wastickers")), title, "Ada")
    return firefox.actions


def name(firefox, pages):
    """A title is written, and an emoji chosen."""
    firefox.press("a", "Edit titles and emoji")
    firefox.write("input", "Title of blue", "Deep blue")
    firefox.press("button", "Choose emoji: Emoji of blue")
    firefox.write("dialog input", "Search emoji", "whale")
    firefox.one("dialog button", "spouting whale")
    pages.keep(firefox, "emoji")
    firefox.press("dialog button", "spouting whale")
    firefox.press("dialog button", "Done")
    firefox.until(lambda: firefox.one("input", "Emoji of blue").get_property("value") == "🐳", "🐳 is chosen")
    pages.keep(firefox, "editing")
    firefox.press("button", "Save all")
    firefox.sees("main [role=status]", "saved in")


def order(firefox, pages):
    """The first sticker becomes the second one, and all get an emoji."""
    def first(title):
        firefox.until(lambda: firefox.text(".sortable .name").startswith(f"{title}\n"), f"{title} comes first")

    firefox.press("a", "Show as pictures")
    first("Deep blue")
    firefox.press("button", "Deep blue: later")
    first("brown")
    pages.keep(firefox, "ordered")
    firefox.press("button", "Save the order")
    firefox.sees("main [role=status]", "saved in")
    first("brown")
    firefox.press("button", "Select all")
    firefox.press(".bar.many summary")
    firefox.write(".bar.many input", re.compile("^Emoji"), "🎨")
    pages.keep(firefox, "many")
    firefox.press("button", "Save for all")
    firefox.sees("main [role=status]", "saved in 10 files")


def mend(firefox, pages, title):
    """From the overview to the cause of a refusal, its remedy, and the end of it."""
    whole = damaged(pages.made, title)
    firefox.open(pages.made.base)
    firefox.one("a", "1 file with a missing end")
    pages.keep(firefox, "overview")
    firefox.press("a", "1 file with a missing end")
    firefox.sees("tbody", f"{title}/olive.png")
    firefox.counts("tbody tr", 1)
    pages.keep(firefox, "jobs")
    firefox.press("tbody a", re.compile("^[0-9]+$"))
    firefox.sees("main", "Remedy:")
    pages.keep(firefox, "refused")
    job = firefox.wire.get_url()
    firefox.press("nav a", "Library")
    firefox.press("a.card", re.compile(f"^{title} "))
    firefox.counts(".sortable > li", 10)
    firefox.choose("main input[type=file]", whole)
    firefox.press("button", "Add")
    firefox.press("button", "Replace it")
    firefox.counts(".sortable > li", 11)
    firefox.open(job)
    firefox.sees("main", "Its place was taken by")
    if "Remedy:" in firefox.text("main"):
        fail(f"{firefox.kind}: a job that another one took the place of still asks for its remedy")
    firefox.open(pages.made.base)
    firefox.sees("main", "0 files need attention")
    if "truncated" in firefox.text("main"):
        fail(f"{firefox.kind}: the overview tells of a fault that was mended")


def look(firefox, pages):
    """The gallery opens a sticker, goes to the next one, closes it, and finds others."""
    firefox.open(pages.web)
    firefox.sees("#live", "live")
    firefox.press("#categories a", re.compile("Party"))
    firefox.sees("#heading-title", "Party")
    firefox.counts("#grid .cell", len(STICKERS))
    pages.keep(firefox, "gallery")
    first, second = firefox.text("#grid .title").splitlines()[:2]
    firefox.press("#grid .cell", re.compile(first))
    firefox.sees("#viewer-title", first)
    width = "return document.getElementById('viewer-image').naturalWidth"
    firefox.until(lambda: firefox.run(width) == 512, "the sticker itself")
    pages.keep(firefox, "viewer")
    firefox.press("#viewer-next")
    firefox.sees("#viewer-title", second)
    firefox.press("#viewer-close")
    firefox.until(lambda: not firefox.all("#viewer"), "the sticker is closed")
    firefox.write("#query", None, "gamma")
    firefox.until(lambda: firefox.text("#grid .title") == "gamma", "gamma alone is found")
    pages.keep(firefox, "found")
    firefox.write("#query", None, "nothing like this")
    firefox.sees("#message", "Nothing is found")


def place(firefox, pages):
    """A sticker is placed on a picture and moved, and both forms in which that is saved say so."""
    def turn_to(panel):
        """Where there is no room for all of them, the others are out of sight."""
        if firefox.size == PHONE:
            firefox.press(f"#views [data-view={panel}]")

    firefox.open(f"{pages.web}compose")
    turn_to("picture")
    firefox.choose("#picture-file", pages.made.folder / "ground.png")
    firefox.until(lambda: "{} × {}".format(*GROUND_SIZE) in firefox.run(
        "return document.getElementById('picture-facts').textContent"), "the picture is read")
    turn_to("find")
    firefox.write("#query", None, "beta")
    firefox.one("#grid button", "beta")
    firefox.counts("#grid button", 1)
    pages.keep(firefox, "find")
    firefox.press("#grid button")
    firefox.counts("#layers-on-board .layer", 1)
    {"keys": by_keys, "mouse": by_pointer, "finger": by_pointer}[firefox.kind](firefox)
    # Whatever moved it, it moved a quarter to the left and a fifth up.
    firefox.sees("#note", "25 % from the left, 30 % from the top")
    pages.keep(firefox, "placed")
    compare(firefox, Image.open(firefox.download("#save-png")).convert("RGB"))
    named(firefox, json.loads(firefox.download("#save-imgly").read_text()))


def by_keys(firefox):
    firefox.until(lambda: firefox.run("return document.activeElement.matches('.layer')"), "the keys are on the sticker")
    firefox.keys(*[Keys.ARROW_LEFT] * 2, *[Keys.ARROW_UP] * 2, held=Keys.SHIFT)
    firefox.keys(*[Keys.ARROW_LEFT] * 5)


def by_pointer(firefox):
    layer = firefox.one("#layers-on-board .layer")
    board = firefox.one("#board").rect
    pointer = firefox.pointer("touch" if firefox.kind == "finger" else "mouse")
    pointer.pointer_move(0, 0, origin=layer).pointer_down()
    for part in range(1, 6):
        pointer.pointer_move(*(round(-share * side * part / 5) - round(-share * side * (part - 1) / 5)
                               for share, side in [(0.25, board["width"]), (0.2, board["height"])]), origin="pointer")
    pointer.pointer_up().perform()


def compare(firefox, picture):
    """The sticker covers its place and nothing else."""
    if picture.size != GROUND_SIZE:
        fail(f"{firefox.kind}: the saved picture has {picture.size}")
    width, height = picture.size
    # Its width is two fifths of the shorter side of the picture.
    half = 0.2 * min(picture.size)
    middle = 0.25 * width, 0.3 * height
    for across, down in [(0, 0), (-0.8, -0.8), (0.8, 0.8), (1.2, 0), (0, 1.2), (2, 2)]:
        point = round(middle[0] + across * half), round(middle[1] + down * half)
        expected = STICKERS["beta"] if max(across, down) < 1 else GROUND
        seen = picture.getpixel(point)
        if max(abs(one - other) for one, other in zip(seen, expected)) > COLOUR_SLACK:
            fail(f"{firefox.kind}: the saved picture is {seen} at {point}, not {expected}")


def named(firefox, composition):
    """The composition names the sticker, and where it is."""
    sprites = [one["options"]["sprites"] for one in composition["operations"] if one["type"] == "sprite"]
    places = [(one["options"]["identifier"], *(round(one["options"]["position"][axis], 2) for axis in "xy"))
              for one in sprites[0]]
    size = composition["image"]["width"], composition["image"]["height"]
    if places != [("beta", 0.25, 0.3)] or size != GROUND_SIZE:
        fail(f"{firefox.kind}: the composition says {places} on {size}")


def hears(folder):
    """Ends the check unless a page that fails, breaks its policy and asks somebody else is noticed to do so."""
    page = folder / "faults.html"
    page.write_text("""<!doctype html><meta charset="utf-8"><title>faults</title>
<meta http-equiv="Content-Security-Policy" content="img-src 'none'">
<img src="http://forbidden.example/"><script>
console.error("told"); fetch("http://stranger.example/").catch(() => {}); setTimeout(() => { throw Error("thrown"); });
</script>""")
    with Firefox(folder / "ears", "mouse", "light", DESKTOP, []) as firefox:
        firefox.open(page.as_uri())
        for fault in ['console.error: "told"', "asks http://stranger.example/", "Error: thrown", "forbidden.example"]:
            firefox.until(lambda: any(fault in line for line in firefox.seen()), f"hears {fault}")


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    kept = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    port = free_port()
    web = f"http://127.0.0.1:{port}/"
    troubles = []
    with tempfile.TemporaryDirectory() as name, studio(
            programs, ("stickerd-web", "stickerd-console"), web={"listen": f"127.0.0.1:{port}"}) as made:
        folder = pathlib.Path(name)
        hears(folder)
        prepare(made)
        for kind, scheme, size in USES:
            title = f"By {kind} {size[0]}"
            with Firefox(folder / title, kind, scheme, size, [made.base, web]) as firefox:
                pages = Pages(made, web, kept, f"{kind}-{size[0]}-{scheme}")
                actions = make(firefox, pages, title)
                if actions > ACTIONS_MAX:
                    fail(f"{title}: a pack takes {actions} actions")
                mend(firefox, pages, title)
                look(firefox, pages)
                place(firefox, pages)
            troubles += [f"{title}: {fault}" for fault in firefox.faults]
    if troubles:
        fail("\n".join(troubles))
    print("check-firefox: pictures became packs, and stickers were found and placed, by mouse, keys and finger")


if __name__ == "__main__":
    main()
