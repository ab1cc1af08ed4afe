#!/usr/bin/env python3
"""check-gallery.py PROGRAMS [PICTURES]: opens the gallery of stickerd-web in Chromium, with the programs of that
folder, and uses it as artists do: by mouse, by keyboard, on a desktop and on a phone, while pictures are dropped and
taken away. With PICTURES, what it saw is kept there. Needs Pillow and playwright."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import time
import urllib.request

from PIL import Image, ImageDraw
from playwright.sync_api import expect, sync_playwright

import accessibility
from checks import Program, fail, free_port, readiness, wait

HOSTILE = "<img src=x onerror=alert(1)> & \"quoted\""
# A busy machine needs its time.
SECONDS_MAX = 60
SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}


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


class Library:
    """A daemon, a server, and the folder in which they work."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.drop = programs.resolve(), folder, folder / "drop"
        port = free_port()
        self.base = f"http://127.0.0.1:{port}/"
        for number, colour in enumerate(["crimson", "orange", "gold", "seagreen"]):
            draw(self.drop / f"Party/disc {number} 🎉.png", colour)
        (self.drop / "Party/disc 3 🎉.png.sticker.json").write_text(json.dumps({"pinned": True}))
        draw(self.drop / "Party/spin 😀.gif", "royalblue", frames=4)
        draw(self.drop / f"Odd/{HOSTILE}.png", "purple")
        for number in range(130):
            draw(self.drop / f"Many/dot {number:03}.png", (number, 90, 200 - number, 255))
        (self.drop / "Party/category.json").write_text(json.dumps({"publisher": "Studio"}))
        (folder / "config.json").write_text(json.dumps({
            "drops": ["drop"], "out": "out", "state": "state", "run": "run",
            "publish": {"deleteGraceSeconds": 0},
            "sticker": {"packs": ["whatsapp", "discord"], "emojis": ["🎈"]},
            "categories": {"odd": {"packs": ["whatsapp"]}},
            "web": {"listen": f"127.0.0.1:{port}", "keys": ["secret"]},
        }))
        self.running = {}

    def start(self, name, *options):
        self.running[name] = Program([self.programs / name, *options], self.folder)

    def stop(self, name):
        self.running.pop(name).stop()

    def wait(self, lacks):
        wait(self.running.values(), lacks, 2 * SECONDS_MAX)


@contextlib.contextmanager
def library(programs):
    with tempfile.TemporaryDirectory() as name:
        library = Library(programs, pathlib.Path(name))
        try:
            library.start("stickerd", "--allow-unsandboxed")
            library.start("stickerd-web")
            library.wait(lambda: lacks_stickers(library.base, 136))
            yield library
        except BaseException:
            for log in library.folder.glob("*.log"):
                print(f"--- {log.name}", *log.read_text().splitlines()[-30:], sep="\n")
            raise
        finally:
            for program in list(library.running):
                library.stop(program)


def lacks_stickers(base, count):
    seen = readiness(base)["stickers"]
    return seen != count and f"{count} stickers were dropped, {seen} are served"


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
        is_asked_for = "/api/categories/none/" in message.location.get("url", "")
        if message.type in ("error", "warning") and not is_asked_for:
            self.faults.append(f"console: {message.text}")

    def request(self, request):
        if not request.url.startswith((self.base, "data:")):
            self.faults.append(f"asks {request.url}")

    def done(self, what):
        if self.faults:
            fail(f"{what}: " + "; ".join(self.faults[:5]))


def until(page, expression):
    """Waits for it: a page whose policy forbids to evaluate texts cannot do that by itself."""
    end = time.monotonic() + SECONDS_MAX
    while not page.evaluate(expression):
        if time.monotonic() > end:
            fail(f"never true: {expression}")
        time.sleep(0.05)


def stickers(page):
    return page.locator("#grid .cell")


def category(page, name):
    page.locator("#categories a", has_text=name).click()
    expect(page.locator("#heading-title")).to_have_text(name)


def looks(page, base, keep, name):
    """What is there at first, with all of it in sight of a reader."""
    expect(stickers(page).first).to_be_visible()
    expect(page.locator("#live")).to_have_text("live")
    expect(page.locator("#categories a")).to_have_count(4)
    until(page, "[...document.images].filter(i => i.loading != 'lazy' || i.complete)"
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


def shows_names_as_words(page):
    cases = {
        "amc_GOPHER_KING": "amc gopher king", "happy-cat": "happy cat", "_cat__02_": "cat 02", "Größe_ÜBER": "Größe über",
        "T_T": "T_T", "¯\\_(ツ)_/¯": "¯\\_(ツ)_/¯", "Jean-Luc": "Jean-Luc", "cat_1 and 2": "cat_1 and 2", "cat": "cat", "": "",
    }
    found = page.evaluate(
        """async titles => {
            const { asWords } = await import(new URL("_gallery/elements.js", location));
            return titles.map(asWords);
        }""", list(cases))
    if found != list(cases.values()):
        fail(f"names of files are shown as {found}")


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
    moving = page.locator("#grid .cell", has=page.locator(".moves"))
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
    until(page, "document.getElementById('viewer-image').naturalWidth == 512")
    keep("viewer")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer-title")).not_to_have_text(second)
    page.keyboard.press("Escape")
    expect(stickers(page).nth(2)).to_be_focused()
    goes_back(page)


def goes_back(page):
    """Back closes a sticker that is open, and then leads to the view before; what was closed otherwise needs no Back."""
    stickers(page).first.click()
    expect(page.locator("#viewer")).to_be_visible()
    page.go_back()
    expect(page.locator("#viewer")).to_be_hidden()
    expect(page.locator("#heading-title")).to_have_text("Party")
    page.go_forward()
    stickers(page).first.click()
    page.go_back()
    expect(page.locator("#viewer")).to_be_hidden()
    category(page, "Many")
    for number in range(3):
        stickers(page).nth(number).click()
        expect(page.locator("#viewer")).to_be_visible()
        page.locator("#viewer-close").click()
    expect(page.locator("#viewer")).to_be_hidden()
    until(page, "!history.state")
    page.go_back()
    expect(page.locator("#heading-title")).to_have_text("Party")


def shows_what_is_pinned(page):
    page.locator("#categories a", has_text="Newest").click()
    expect(page.locator("#heading")).to_be_hidden()
    expect(stickers(page).first).to_contain_text("disc 3")
    expect(page.locator("#grid .pinned")).to_have_count(1)
    expect(stickers(page).first.locator(".pinned")).to_be_visible()


def copies(page, base):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    stickers(page).first.click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#viewer-note")).to_contain_text("copied")
    link = page.evaluate("navigator.clipboard.readText()")
    if urllib.request.urlopen(link).headers["Content-Type"] != "image/webp":
        fail(f"the link {link} leads to no sticker")
    page.keyboard.press("Escape")
    # Without opening it, too.
    page.evaluate("navigator.clipboard.writeText('')")
    first = page.locator("#grid > li").first
    first.hover()
    first.get_by_role("button", name="Copy the link of").click()
    expect(first.get_by_text("✓")).to_be_visible()
    if page.evaluate("navigator.clipboard.readText()") != link:
        fail("another link is copied beside the sticker")
    with page.expect_download() as download:
        first.get_by_role("link", name="Download").click()
    if pathlib.Path(download.value.path()).read_bytes()[8:12] != b"WEBP":
        fail("what is downloaded beside a sticker is no sticker")


def lists_files(page):
    """Every file in the dialog has the format, size and bytes that are said of it."""
    category(page, "Party")
    page.locator("#grid .cell", has_text="spin").click()
    files = page.locator("#viewer-files li")
    expect(files.first).to_be_visible()
    said = files.evaluate_all("items => items.map(item => [item.innerText, item.firstChild.href])")
    for text, address in said:
        with Image.open(io.BytesIO(content := urllib.request.urlopen(address).read())) as picture:
            size = f"{len(content)} B" if len(content) < 1000 else f"{round(len(content) / 1000)} KB"
            expected = f"{picture.format} {picture.width} × {picture.height} {size}"
            frames = getattr(picture, "n_frames", 1)
        expected += f", {frames} frames" if frames > 1 else ""
        if text != expected:
            fail(f"a file is said to be {text}, and is {expected}")
    if {text.split()[0] for text, _ in said} < {"WEBP", "GIF"}:
        fail(f"files are missing: {said}")
    page.keyboard.press("Escape")


def hands_out_packs(page, keep):
    category(page, "Party")
    page.locator("#packs-summary").click()
    archive = page.locator(".packs a", has_text=".wastickers").first
    expect(archive).to_be_visible()
    with page.expect_download() as download:
        archive.click()
    if pathlib.Path(download.value.path()).read_bytes()[:2] != b"PK":
        fail("the pack that is downloaded is no archive")
    keep("packs")
    # Packs that lack something are for the operator.
    expect(page.locator(".packs h3")).to_have_text(["WhatsApp", "Discord"])
    expect(page.locator(".packs > li").last).to_contain_text("a folder")
    category(page, "Odd")
    expect(page.locator("#packs")).to_be_hidden()


def follows_drops(page, library):
    """What is dropped appears, and what is removed goes, without a reload; the focus and what is open stay."""
    category(page, "Party")
    expect(stickers(page)).to_have_count(5)
    page.locator("#packs-summary").click()
    page.locator("#categories a", has_text="Many").focus()
    latest = library.drop / "Party/latest.png"
    draw(latest, "teal")
    expect(page.locator("#grid .title", has_text="latest")).to_be_visible()
    expect(stickers(page)).to_have_count(6)
    expect(page.locator("#news")).to_have_text("New: latest")
    expect(page.locator("#categories a", has_text="Many")).to_be_focused()
    expect(page.locator("#packs-list")).to_be_visible()
    page.locator("#grid .cell", has_text="latest").click()
    latest.unlink()
    expect(page.locator("#viewer-note")).to_have_text("This sticker was removed.")
    page.keyboard.press("Escape")
    expect(stickers(page)).to_have_count(5)


def outlives_the_server(page, library, watch):
    """What changed while the server was away is shown, and so is the view that was asked for meanwhile."""
    category(page, "Party")
    expect(stickers(page)).to_have_count(5)
    library.stop("stickerd-web")
    expect(page.locator("#live")).to_have_text("not connected")
    page.locator("#categories a", has_text="Odd").click()
    expect(page.locator("#message")).to_contain_text("does not answer")
    meanwhile = library.drop / "Odd/meanwhile.png"
    draw(meanwhile, "brown")
    manifest = library.folder / "out/odd/manifest.json"
    library.wait(lambda: "meanwhile" not in manifest.read_text()
                 and "what is dropped while the server is away is not published")
    library.start("stickerd-web")
    expect(page.locator("#grid .title")).to_have_text([HOSTILE, "meanwhile"])
    expect(page.locator("#live")).to_have_text("live")
    meanwhile.unlink()
    expect(stickers(page)).to_have_count(1)
    # The browser tells of each attempt to connect.
    watch.faults = [fault for fault in watch.faults if "ERR_" not in fault]


def keeps_its_place(page, base):
    """The address tells the view; the skip link does not change it."""
    category(page, "Odd")
    page.evaluate("document.getElementById('skip').click()")
    expect(page.locator("#stickers")).to_be_focused()
    page.reload()
    expect(page.locator("#heading-title")).to_have_text("Odd")
    page.fill("#query", "spin")
    expect(page.locator("#grid .title")).to_have_text(["spin"])
    page.reload()
    expect(page.locator("#grid .title")).to_have_text(["spin"])
    category(page, "Odd")
    page.goto(f"{base}?api_key=secret#/%E0")
    page.reload()
    expect(stickers(page).first).to_be_visible()
    page.goto(f"{base}?api_key=secret#/none")
    expect(page.locator("#message")).to_contain_text("no longer exists")
    category(page, "Party")


def leaves_connections(context, base):
    """A browser has six for one server; pages that nobody sees need none."""
    pages = [context.new_page() for _ in range(8)]
    for page in pages:
        # Here every page counts as seen until it is told otherwise.
        page.goto(f"{base}?api_key=secret")
        expect(page.locator("#live")).to_have_text("live")
        page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
                      "document.dispatchEvent(new Event('visibilitychange'))")
    pages[0].evaluate("Object.defineProperty(document, 'hidden', {value: false});"
                      "document.dispatchEvent(new Event('visibilitychange'))")
    expect(pages[0].locator("#live")).to_have_text("live")
    for page in pages:
        page.close()


def asks_for_a_key(page, base):
    page.goto(base)
    expect(page.locator("#key-note")).to_contain_text("open with a key")
    expect(page.locator("#message")).to_be_hidden()
    page.fill("#key", "wrong")
    page.keyboard.press("Enter")
    expect(page.locator("#key-note")).to_contain_text("does not open the stickers")
    page.fill("#key", "secret")
    page.keyboard.press("Enter")
    expect(stickers(page).first).to_be_visible()
    expect(page.locator("#live")).to_have_text("live")


def reaches_the_end(page):
    category(page, "Many")
    end = time.monotonic() + SECONDS_MAX
    while stickers(page).count() < 130 and time.monotonic() < end:
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        time.sleep(0.1)
    expect(stickers(page)).to_have_count(130)
    expect(page.locator("#more")).to_be_hidden()


def main(programs, pictures=None):
    if pictures:
        pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=SECONDS_MAX * 1000)
    with library(pathlib.Path(programs)) as made, sync_playwright() as player:
        base = made.base
        # The sandbox of Chromium refuses to work for root.
        chromium = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        troubles = []
        for name, (width, height) in SCREENS.items():
            for scheme in ["light", "dark"]:
                context = chromium.new_context(
                    viewport=dict(width=width, height=height), color_scheme=scheme, accept_downloads=True)
                page = context.new_page()
                page.set_default_timeout(SECONDS_MAX * 1000)

                def keep(what):
                    troubles.extend(accessibility.faults(page, f"{what} on a {name}, {scheme}"))
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
                    shows_names_as_words(page)
                    searches(page)
                    shows_what_is_pinned(page)
                    lists_files(page)
                    hands_out_packs(page, keep)
                    reaches_the_end(page)
                    follows_drops(page, made)
                else:
                    hands_out_packs(page, keep)
                if (name, scheme) == ("desktop", "light"):
                    plays(page)
                    copies(page, base)
                    keeps_its_place(page, base)
                    outlives_the_server(page, made, watch)
                    leaves_connections(context, base)
                watch.done(f"{name}, {scheme}")
                context.close()
        asks_for_a_key(chromium.new_page(), base)
        chromium.close()
        if troubles:
            fail("\n".join(troubles))
    print("check-gallery: the gallery works by mouse and keys, and follows what is dropped")


if __name__ == "__main__":
    main(*sys.argv[1:])
