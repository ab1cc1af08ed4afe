#!/usr/bin/env python3
"""check-gallery.py PROGRAMS [PICTURES]: opens the gallery of stickerd-web in Chromium, with the programs of that
folder, and uses it as artists do: by mouse, by keyboard, on a desktop and on a phone, while pictures are dropped and
taken away. With PICTURES, what it saw is kept there. Needs Pillow and playwright."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from PIL import Image, ImageDraw
from playwright.sync_api import expect, sync_playwright

HOSTILE = "<img src=x onerror=alert(1)> & \"quoted\""
# A busy machine needs its time.
SECONDS_MAX = 60
SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}


def fail(words):
    sys.exit(f"check-gallery: FAILED: {words}")


def draw(path, colour, frames=1):
    """A disc in a colour; it shrinks from frame to frame."""
    pictures = []
    for number in range(frames):
        picture = Image.new("RGBA", (300, 300))
        inset = 20 + 20 * number
        ImageDraw.Draw(picture).ellipse((inset, inset, 300 - inset, 300 - inset), colour)
        pictures.append(picture)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Renamed into place: nobody sees a part of it.
    draft = path.with_name(f".{path.name}")
    options = dict(save_all=True, append_images=pictures[1:], duration=120, loop=0, disposal=2)
    pictures[0].save(draft, path.suffix[1:].upper(), **(options if frames > 1 else {}))
    draft.rename(path)


def free_port():
    with contextlib.closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def library(programs):
    """A daemon, a server, and the folder in which they work."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        drop = folder / "drop"
        for number, colour in enumerate(["crimson", "orange", "gold", "seagreen"]):
            draw(drop / f"Party/disc {number} 🎉.png", colour)
        draw(drop / "Party/spin 😀.gif", "royalblue", frames=4)
        draw(drop / f"Odd/{HOSTILE}.png", "purple")
        for number in range(130):
            draw(drop / f"Many/dot {number:03}.png", (number, 90, 200 - number, 255))
        port = free_port()
        (folder / "config.json").write_text(json.dumps({
            "drops": ["drop"], "out": "out", "state": "state", "run": "run",
            "publish": {"deleteGraceSeconds": 0},
            "sticker": {"packs": ["whatsapp", "discord"], "emojis": ["🎈"]},
            "categories": {"odd": {"packs": ["whatsapp"]}},
            "web": {"listen": f"127.0.0.1:{port}", "keys": ["secret"]},
        }))
        (folder / "drop/Party/category.json").write_text(json.dumps({"publisher": "Studio"}))
        with contextlib.ExitStack() as stack:
            for words in [["stickerd", "--allow-unsandboxed"], ["stickerd-web"]]:
                log = stack.enter_context(open(folder / f"{words[0]}.log", "w"))
                process = subprocess.Popen(
                    [programs.resolve() / words[0], *words[1:]], cwd=folder, stderr=log, stdout=log)
                stack.callback(process.wait, 30)
                stack.callback(process.terminate)
            base = f"http://127.0.0.1:{port}/"
            try:
                await_stickers(base, 136)
                yield folder, base
            except BaseException:
                for log in folder.glob("*.log"):
                    print(f"--- {log.name}", *log.read_text().splitlines()[-30:], sep="\n")
                raise


def await_stickers(base, count):
    end = time.monotonic() + 2 * SECONDS_MAX
    seen = None
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            seen = json.load(urllib.request.urlopen(f"{base}readyz"))["stickers"]
            if seen == count:
                return
        time.sleep(0.2)
    fail(f"{count} stickers were dropped, {seen} are served")


class Watch:
    """What a page must not do: fail, run what a title says, ask anybody else."""

    def __init__(self, page, base):
        self.faults = []
        self.base = base
        page.on("console", self.message)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", self.request)

    def message(self, message):
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def request(self, request):
        if not request.url.startswith((self.base, "data:")):
            self.faults.append(f"asks {request.url}")

    def done(self, what):
        if self.faults:
            fail(f"{what}: " + "; ".join(self.faults[:5]))


def stickers(page):
    return page.locator("#grid button")


def category(page, name):
    page.locator("#categories a", has_text=name).click()
    expect(page.locator("#heading h2")).to_have_text(name)


def looks(page, base, keep, name):
    """What is there at first, with all of it in sight of a reader."""
    expect(stickers(page).first).to_be_visible()
    expect(page.locator("#live")).to_have_attribute("aria-label", "live")
    expect(page.locator("#categories a")).to_have_count(4)
    page.wait_for_function("[...document.images].filter(i => i.loading != 'lazy' || i.complete)"
                           ".every(i => i.naturalWidth > 0 || !i.getAttribute('src'))")
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if width > 0:
        fail(f"{name}: the page is {width} pixels wider than the screen")
    nameless = page.evaluate(
        "[...document.querySelectorAll('button,a,input')].filter(e => !(e.innerText || e.ariaLabel || e.title"
        " || e.labels?.[0]?.innerText || e.textContent).trim()).length")
    if nameless:
        fail(f"{name}: {nameless} controls have no name")
    keep(f"{name}-newest")
    category(page, "Party")
    for backdrop in ["white", "black", "checker", "day", "night"]:
        page.check(f"[name=backdrop][value={backdrop}]")
        keep(f"{name}-{backdrop}")


def shows_hostile_titles(page):
    category(page, "Odd")
    expect(page.locator("#grid .title")).to_have_text([HOSTILE])
    stickers(page).click()
    expect(page.locator("#viewer-title")).to_have_text(HOSTILE)
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()


def searches(page):
    page.keyboard.press("/")
    page.keyboard.type("disc 2")
    expect(page.locator("#grid .title")).to_have_text(["disc 2"])
    page.fill("#query", "😀")
    expect(page.locator("#grid .title")).to_have_text(["spin"])
    page.fill("#query", "nothing like this")
    expect(page.locator("#message")).to_contain_text("Nothing is found")
    page.fill("#query", "")
    expect(stickers(page).first).to_be_visible()


def plays(page):
    """Animations stand still until somebody asks."""
    category(page, "Party")
    moving = page.locator("#grid button", has=page.locator(".moves"))
    expect(moving).to_have_count(1)
    picture = moving.locator("img")
    still = picture.get_attribute("src")
    page.click("#motion")
    expect(picture).not_to_have_attribute("src", still)
    page.click("#motion")
    expect(picture).to_have_attribute("src", still)
    moving.hover()
    expect(picture).not_to_have_attribute("src", still)
    page.locator("h1").hover()
    expect(picture).to_have_attribute("src", still)


def follows_keys(page, keep):
    category(page, "Party")
    stickers(page).first.focus()
    page.keyboard.press("ArrowRight")
    expect(stickers(page).nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    second = stickers(page).nth(1).locator(".title").inner_text()
    expect(page.locator("#viewer-title")).to_have_text(second)
    expect(page.locator("#viewer-image")).to_be_visible()
    page.wait_for_function("document.getElementById('viewer-image').naturalWidth == 512")
    keep("viewer")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer-title")).not_to_have_text(second)
    page.keyboard.press("Escape")
    expect(stickers(page).nth(2)).to_be_focused()


def copies(page, base):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    stickers(page).first.click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#viewer-note")).to_contain_text("copied")
    link = page.evaluate("navigator.clipboard.readText()")
    if urllib.request.urlopen(link).headers["Content-Type"] != "image/webp":
        fail(f"the link {link} leads to no sticker")
    page.keyboard.press("Escape")


def hands_out_packs(page, keep):
    category(page, "Party")
    page.locator("#heading summary").click()
    archive = page.locator(".packs a", has_text=".wastickers").first
    expect(archive).to_be_visible()
    with page.expect_download() as download:
        archive.click()
    if pathlib.Path(download.value.path()).read_bytes()[:2] != b"PK":
        fail("the pack that is downloaded is no archive")
    keep("packs")
    category(page, "Odd")
    page.locator("#heading summary").click()
    expect(page.locator(".packs .lacking")).to_contain_text("not ready")
    expect(page.locator(".packs .fault").first).to_be_visible()


def follows_drops(page, folder):
    """What is dropped appears, and what is removed goes, without a reload."""
    category(page, "Party")
    count = 5
    expect(stickers(page)).to_have_count(count)
    draw(folder / "drop/Party/latest.png", "teal")
    expect(page.locator("#grid .title", has_text="latest")).to_be_visible(timeout=SECONDS_MAX * 1000)
    expect(stickers(page)).to_have_count(count + 1)
    expect(page.locator("#news")).to_contain_text("latest")
    (folder / "drop/Party/latest.png").unlink()
    expect(stickers(page)).to_have_count(count, timeout=SECONDS_MAX * 1000)


def reaches_the_end(page):
    category(page, "Many")
    end = time.monotonic() + SECONDS_MAX
    while stickers(page).count() < 130 and time.monotonic() < end:
        stickers(page).last.scroll_into_view_if_needed()
        time.sleep(0.1)
    expect(stickers(page)).to_have_count(130)
    expect(page.locator("#more")).to_be_hidden()


def main(programs, pictures=None):
    if pictures:
        pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    with library(pathlib.Path(programs)) as (folder, base), sync_playwright() as player:
        # The sandbox of Chromium refuses to work for root.
        chromium = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, (width, height) in SCREENS.items():
            for scheme in ["light", "dark"]:
                context = chromium.new_context(
                    viewport=dict(width=width, height=height), color_scheme=scheme, accept_downloads=True)
                page = context.new_page()
                page.set_default_timeout(SECONDS_MAX * 1000)
                expect.set_options(timeout=SECONDS_MAX * 1000)

                def keep(what):
                    if pictures:
                        page.screenshot(path=f"{pictures}/{name}-{scheme}-{what}.png")

                watch = Watch(page, base)
                policy = page.goto(f"{base}?api_key=secret").headers["content-security-policy"]
                if "default-src 'none'" not in policy or "unsafe" in policy:
                    fail(f"the policy is {policy}")
                looks(page, base, keep, "first")
                follows_keys(page, keep)
                if scheme == "light":
                    shows_hostile_titles(page)
                    searches(page)
                    hands_out_packs(page, keep)
                    reaches_the_end(page)
                    follows_drops(page, folder)
                if (name, scheme) == ("desktop", "light"):
                    plays(page)
                    copies(page, base)
                watch.done(f"{name}, {scheme}")
                context.close()
        page = chromium.new_page()
        page.goto(base)
        expect(page.locator("#message")).to_contain_text("api_key")
        chromium.close()
    print("check-gallery: the gallery works by mouse and keys, and follows what is dropped")


if __name__ == "__main__":
    main(*sys.argv[1:])
