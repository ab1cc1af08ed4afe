#!/usr/bin/env python3
"""check-compose.py PROGRAMS [PICTURES]: opens the page of stickerd-web for placing stickers in Chromium, with the programs
of that folder, and uses it by mouse, fingers and keys, on a desktop and on a phone, by itself, in the pages of other
origins and as a native web view. What it saves is held against what composition.py draws of it. With PICTURES, what it saw
is kept there. Needs Pillow and playwright."""

import base64
import contextlib
import hashlib
import http.server
import io
import json
import math
import pathlib
import re
import sys
import tempfile
import threading
import time
import urllib.request

from PIL import Image, ImageDraw
from playwright.sync_api import expect, sync_playwright

import accessibility
from checks import Program, fail, free_port, readiness, wait
from composition import Composition, Fault, difference, is_same, published, wrongs_that_are_not_seen

HOSTILE = "<img src=x onerror=alert(1)> & \"quoted\""
# A busy machine needs its time.
SECONDS_MAX = 60
SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}
FOREIGN = "https://media.example.org"
TOKEN = "token-of-ada-0123456789"
# Edges are small on a screen, and their pixels lie elsewhere.
SCREEN_SLACK = 3


def art(colour, frames=1):
    """Pictures that look different from each side, and from every angle."""
    pictures = []
    for number in range(frames):
        picture = Image.new("RGBA", (300, 300))
        pen = ImageDraw.Draw(picture)
        inset = 20 + 20 * number
        pen.ellipse((inset, inset, 300 - inset, 300 - inset), colour)
        pen.polygon([(150, 60), (240, 150), (150, 120)], "white")
        pen.rectangle((60, 200, 120, 230), "black")
        pictures.append(picture)
    return pictures


def draw(path, colour, frames=1):
    path.parent.mkdir(parents=True, exist_ok=True)
    pictures = art(colour, frames)
    draft = path.with_name(f".{path.name}")
    options = dict(save_all=True, append_images=pictures[1:], duration=120, loop=0, disposal=2)
    pictures[0].save(draft, path.suffix[1:].upper(), **(options if frames > 1 else {}))
    draft.rename(path)


def photo(path, size, orientation=None):
    """A picture whose corners differ; a camera that lay on its side says so in `orientation`."""
    picture = Image.new("RGB", size, "skyblue")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, size[1] * 2 // 3, *size), "seagreen")
    pen.rectangle((0, 0, size[0] // 8, size[1] // 8), "crimson")
    exif = Image.Exif()
    if orientation:
        exif[0x0112] = orientation
    picture.save(path, quality=95, exif=exif)


def art_file(colour):
    file = io.BytesIO()
    art(colour)[0].save(file, "PNG")
    return file.getvalue()


ART = art_file("olive")


class Host:
    """A page of an app that embeds another one."""

    def __init__(self, target):
        page = f"""<!doctype html><html lang="en"><title>app</title>
<iframe id="frame" title="stickers" width="360" height="700" src="{target}"></iframe>
<script>
window.said = []; window.strangers = 0; window.overheard = [];
addEventListener("message", (event) => {{
  if (event.data === "a stranger") strangers += 1;
  if (event.data.overheard) overheard.push(event.data.overheard);
  if (event.source === frame.contentWindow) said.push({{ origin: event.origin, ...event.data }});
}});
window.tell = (message) => frame.contentWindow.postMessage(message, new URL(frame.src).origin);
</script>""".encode()
        stranger = b"""<!doctype html><script>
parent.postMessage("a stranger", "*");
addEventListener("message", (event) => parent.postMessage({ overheard: event.data }, "*"));
const said = { version: 1, id: "stolen" };
setInterval(() => {
  parent.frames[0].postMessage({ ...said, type: "stickerd.export", format: "imgly" }, "*");
  parent.frames[0].postMessage({ ...said, type: "stickerd.load", sticker: "disc_2", token: "another" }, "*");
  parent.frames[0].postMessage({ ...said, type: "stickerd.dance" }, "*");
}, 50);
</script>"""

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = stranger if self.path == "/stranger" else ART if self.path == "/art.png" else page
                self.send_response(200)
                self.send_header("Content-Type", "image/png" if body is ART else "text/html; charset=utf-8")
                if body is ART:
                    self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Library:
    """A daemon, a server, the pages of two apps, and the folder in which they work."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.drop = programs.resolve(), folder, folder / "drop"
        port = free_port()
        self.base = f"http://127.0.0.1:{port}/"
        self.page = f"{self.base}compose?api_key=secret"
        self.allowed, self.forbidden = Host(self.page), Host(self.page)
        for number, colour in enumerate(["crimson", "orange", "gold", "seagreen"]):
            draw(self.drop / f"Party/disc {number} 🎉.png", colour)
        draw(self.drop / "Party/spin 😀.gif", "royalblue", frames=4)
        draw(self.drop / "Party/leaving.png", "teal")
        draw(self.drop / f"Odd/{HOSTILE}.png", "purple")
        for number in range(80):
            draw(self.drop / f"Many/dot {number:03}.png", (number, 90, 200 - number, 255))
        photo(folder / "photo.jpg", (1600, 1200))
        (folder / "uploads").mkdir()
        (folder / "tokens").write_text(f"ada {hashlib.sha256(TOKEN.encode()).hexdigest()}\n")
        (folder / "config.json").write_text(json.dumps({
            "drops": ["drop"], "out": "out", "state": "state", "run": "run",
            "personal": {"drop": "uploads", "private": "private", "tokensFile": "tokens"},
            "publish": {"deleteGraceSeconds": 0},
            "web": {"listen": f"127.0.0.1:{port}", "keys": ["secret"],
                    "compose": {"origins": [self.allowed.origin, "https://app.example.org"]}},
        }))
        self.running = []

    def start(self, name, *options):
        self.running.append(Program([self.programs / name, *options], self.folder))

    @property
    def stickers(self):
        return published(self.folder / "out")

    def wait(self, count):
        def lacks():
            seen = readiness(self.base)["stickers"]
            return seen != count and f"{count} stickers were dropped, {seen} are served"
        wait(self.running, lacks, 2 * SECONDS_MAX)


@contextlib.contextmanager
def library(programs):
    with tempfile.TemporaryDirectory() as name:
        library = Library(programs, pathlib.Path(name))
        try:
            library.start("stickerd", "--allow-unsandboxed")
            library.start("stickerd-web")
            library.start("stickerd", "--personal", "--allow-unsandboxed")
            library.wait(87)
            yield library
        except BaseException:
            for log in library.folder.glob("*.log"):
                print(f"--- {log.name}", *log.read_text().splitlines()[-30:], sep="\n")
            raise
        finally:
            for program in library.running:
                program.stop()


class Desk:
    """A page in a browser of its own. It must not fail, run what a title says, or ask anybody else."""

    def __init__(self, chromium, library, screen="desktop", scheme="light", pictures=None, expected=(), **options):
        width, height = SCREENS[screen]
        self.library, self.name, self.pictures = library, f"{screen}-{scheme}", pictures
        self.expected = ("blob:", "data:", library.base, library.allowed.origin, library.forbidden.origin, *expected)
        self.allowed_faults = tuple(expected)
        self.context = chromium.new_context(
            viewport=dict(width=width, height=height), color_scheme=scheme, accept_downloads=True,
            has_touch=screen == "phone", is_mobile=screen == "phone", **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SECONDS_MAX * 1000)
        self.faults = []
        self.page.on("console", self.message)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", self.dialog)
        self.page.on("request", self.request)

    def message(self, message):
        url = message.location.get("url", "")
        # Whether an id is gone is told by a status, and the browser tells that, too.
        if message.type in ("error", "warning") and not (
                "/api/stickers/by-id/" in url or any(part in url + message.text for part in self.allowed_faults)):
            self.faults.append(f"console: {message.text} {url}")

    def dialog(self, dialog):
        if dialog.type in ("beforeunload", "confirm"):
            return dialog.accept()
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def request(self, request):
        if not request.url.startswith(self.expected):
            self.faults.append(f"asks {request.url}")

    def open(self, address=None):
        answer = self.page.goto(address or self.library.page)
        expect(self.page.locator("#grid button").first).to_be_visible()
        return answer

    def keep(self, what):
        self.faults.extend(accessibility.faults(self.page, what))
        if self.pictures:
            self.page.screenshot(path=f"{self.pictures}/{self.name}-{what}.png")

    def done(self):
        if self.faults:
            fail(f"{self.name}: " + "; ".join(self.faults[:5]))
        self.context.close()

    def use_photo(self, name="photo.jpg", size=(1600, 1200)):
        self.page.set_input_files("#picture-file", self.library.folder / name)
        expect(self.page.locator("#picture-facts")).to_contain_text(f"{size[0]} × {size[1]}")

    def view(self, name):
        self.page.locator(f"#views [data-view={name}]").click()
        expect(self.page.locator(f"#{name}")).to_be_visible()

    def find(self, words):
        if self.name.startswith("phone"):
            self.view("find")
        self.page.fill("#query", words)
        cell = self.page.locator(f'#grid li > button[title="{words}"]')
        expect(cell).to_have_count(1)
        return cell

    def pick(self, words):
        before = self.layers.count()
        self.find(words).click()
        expect(self.layers).to_have_count(before + 1)

    @property
    def layers(self):
        return self.page.locator("#layers-on-board .layer:visible")

    def says(self, words):
        expect(self.page.locator("#note")).to_contain_text(words)

    def saved(self, button):
        """What a button saves, and the notes about it."""
        with self.page.expect_download() as download:
            self.page.click(button)
        content = pathlib.Path(download.value.path()).read_bytes()
        expect(self.page.locator("body")).to_have_attribute("aria-busy", "false")
        report, notes = self.page.locator("#report"), []
        if report.is_visible():
            notes = self.page.locator("#report-lines li").all_inner_texts()
            report.get_by_role("button", name="Close").click()
        return content, notes

    def composition(self):
        return json.loads(self.saved("#save-imgly")[0])

    def check(self, what, ground=None, sees_all_wrongs=False):
        """What is saved in both forms says the same, to somebody who reads the one and looks at the other."""
        content = self.composition()
        picture = Image.open(io.BytesIO(self.saved("#save-png")[0]))
        ground = ground or Image.open(self.library.folder / "photo.jpg")
        try:
            composition = Composition(content, self.library.stickers)
            if not is_same(picture, composition.drawn(ground)):
                if self.pictures:
                    composition.drawn(ground).save(f"{self.pictures}/{self.name}-{what}-expected.png")
                    picture.save(f"{self.pictures}/{self.name}-{what}-saved.png")
                fail(f"{self.name}, {what}: the picture is not what the file says: "
                     f"{difference(picture, composition.drawn(ground))}")
            unseen = wrongs_that_are_not_seen(composition, ground, picture) if sees_all_wrongs else []
        except (Fault, KeyError, TypeError) as fault:
            fail(f"{self.name}, {what}: {fault!r} in {json.dumps(content)[:2000]}")
        if unseen:
            fail(f"{what}: nobody would see {unseen}")
        return content

    def stickers(self):
        [sprites] = [one for one in self.composition()["operations"] if one["type"] == "sprite"]
        return [sprite["options"] for sprite in sprites["options"]["sprites"]]


def middle(desk, locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def near(one, other, within=0.01):
    return abs(one - other) <= within


# All tools that can be seen, and what is wrong with their drawings, their names, and where they are.
TOOLS = """(() => {
  const seen = (list) => [...document.querySelectorAll(list)].filter((e) => e.checkVisibility() && e.getBoundingClientRect().width);
  const faults = [], words = (text) => text.replace(/\\s+/g, " ").trim();
  const tools = seen(".tool");
  for (const e of seen("header button, header a, #views button, #controls button, #layer-list button:not([data-do=choose])")) {
    if (!tools.includes(e)) faults.push(["is no tool", e]);
  }
  const apart = (a, b) => a.right <= b.left + 1.5 || b.right <= a.left + 1.5 || a.bottom <= b.top + 1.5 || b.bottom <= a.top + 1.5;
  for (const e of tools) {
    const drawing = e.querySelector("svg.icon[aria-hidden=true]"), name = words(e.innerText), box = e.getBoundingClientRect();
    const drawn = drawing?.firstChild.getBBox();
    if (!drawn || drawn.width < 8 || drawn.height < 8) faults.push(["has no drawing", e]);
    else if (getComputedStyle(drawing).stroke !== getComputedStyle(e).color) faults.push(["is drawn in another colour", e]);
    if (!/^[\\p{L} .…]+$/u.test(name)) faults.push(["shows no name in words", e]);
    if (!words(e.ariaLabel ?? name).toLowerCase().includes(name.toLowerCase())) faults.push(["is called otherwise than it shows", e]);
    const inside = document.createRange();
    inside.selectNodeContents(e);
    const text = inside.getBoundingClientRect();
    if (text.left < box.left - 0.5 || text.right > box.right + 0.5 || text.top < box.top - 0.5 || text.bottom > box.bottom + 0.5) {
      faults.push(["is cut", e]);
    }
    for (const other of tools) {
      const next = other.getBoundingClientRect();
      if (other !== e && e.parentElement === other.parentElement && !apart(box, next)) faults.push(["overlaps another one", e]);
    }
    if (e.closest("header") && (box.left < 0 || box.right > innerWidth)) faults.push(["is beside the screen", e]);
  }
  return [tools.length, faults.map(([fault, e]) => `${words(e.innerText) || e.outerHTML.slice(0, 80)} ${fault}`)];
})()"""


def has_tools(desk, what, least=1):
    count, faults = desk.page.evaluate(TOOLS)
    if faults or count < least:
        fail(f"{desk.name}, {what}: {count} tools: {faults[:5]}")


def fits_every_width(desk):
    """From the narrowest phone to a wide desk, also lying on its side."""
    was = desk.page.viewport_size
    for width, height in [(360, 740), (390, 844), (600, 800), (844, 390), (899, 700), (900, 700), (960, 700), (961, 700),
                          (1280, 800), (1600, 900)]:
        desk.page.set_viewport_size(dict(width=width, height=height))
        for view in ["adjust", "layers", "picture"]:
            desk.view(view)
            has_tools(desk, f"{view}, {width} pixels wide", 6)
            wider = desk.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wider > 0:
                fail(f"{desk.name}, {view}: the page is {wider} pixels wider than {width}")
        hints_cover_nothing(desk, f"{width} pixels wide")
    desk.page.set_viewport_size(was)


def hints_cover_nothing(desk, what):
    covering = desk.page.evaluate("""(() => {
      const stage = document.getElementById("stage").getBoundingClientRect();
      return ["hint", "note", "drop", "imgly-note"].filter((id) => {
        const e = document.getElementById(id), box = e.getBoundingClientRect();
        return e.checkVisibility() && box.left < stage.right - 1 && box.right > stage.left + 1
          && box.top < stage.bottom - 1 && box.bottom > stage.top + 1;
      });
    })()""")
    if covering:
        fail(f"{desk.name}, {what}: {covering} cover the picture")
    # Nothing else lies there, either, except what belongs to it.
    others = desk.page.evaluate("""(() => {
      const stage = document.getElementById("stage"), box = stage.getBoundingClientRect(), found = new Set();
      for (let x = 0.02; x < 1; x += 0.06) for (let y = 0.02; y < 1; y += 0.06) {
        const e = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
        if (!e?.closest("#stage") || (e !== stage && !e.closest("#board"))) found.add(e?.id || e?.outerHTML.slice(0, 60));
      }
      return [...found];
    })()""")
    if others:
        fail(f"{desk.name}, {what}: {others} lie on the picture")


def shows_hints(desk):
    """Below the picture, until they are followed or dismissed; and IMG.LY is explained where it is pressed."""
    page, stage = desk.page, desk.page.locator("#stage")
    expect(page.locator("#hint")).to_be_visible()
    hints_cover_nothing(desk, "at the beginning")
    page.evaluate("""() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "x.jpg", { type: "image/jpeg" }));
      document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
    }""")
    expect(page.locator("#drop")).to_be_visible()
    hints_cover_nothing(desk, "while a file is dragged")
    page.evaluate("document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))")
    expect(page.locator("#drop")).to_be_hidden()
    save, note, about = page.locator("#save-imgly"), page.locator("#imgly-note"), page.locator("#imgly-help")
    expect(save).to_have_accessible_description(re.compile("keeps the stickers and where they are, not the picture"))
    expect(note).to_be_hidden()
    about.press("Enter")
    expect(about).to_have_attribute("aria-expanded", "true")
    expect(note).to_be_visible()
    hints_cover_nothing(desk, "with the explanation")
    desk.keep("explained")
    gap = note.bounding_box()["y"] - save.bounding_box()["y"] - save.bounding_box()["height"]
    if not 0 <= gap <= 24:
        fail(f"{desk.name}: the explanation is {gap} pixels below its button")
    about.press("Enter")
    expect(note).to_be_hidden()
    if desk.name.startswith("phone"):
        page.get_by_role("button", name="Dismiss this hint").click()
        has_keys(desk)
    desk.pick("disc 3")
    expect(page.locator("#hint")).to_be_hidden()
    desk.says("Drag it: it snaps")
    room = stage.bounding_box()
    desk.pick("disc 3")
    desk.says("2 stickers on the picture")
    if stage.bounding_box() != room:
        fail(f"{desk.name}: words below the picture move it")
    for _ in range(2):
        page.click("#undo")
    expect(desk.layers).to_have_count(0)
    expect(page.locator("#hint")).to_be_visible(visible=not desk.name.startswith("phone"))


def looks(desk):
    """Everything fits the screen, has a name, and is large enough for a finger."""
    page = desk.page
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if width > 0:
        fail(f"{desk.name}: the page is {width} pixels wider than the screen")
    for view in ["find", "adjust", "layers", "picture"]:
        if view != "find" or desk.name.startswith("phone"):
            desk.view(view)
        desk.keep(view)
        small = page.evaluate("""[...document.querySelectorAll('button,a,select,input:not([hidden]),summary')].filter((e) => {
          const box = e.getBoundingClientRect();
          return e.checkVisibility() && box.width > 0 && (box.width < 43.5 || box.height < 43.5);
        }).map((e) => e.id || e.outerHTML.slice(0, 60))""")
        if small:
            fail(f"{desk.name}, {view}: too small for a finger: {small[:5]}")
        nameless = page.evaluate(
            "[...document.querySelectorAll('button,a,input,select,[role=button]')].filter(e => e.checkVisibility() && !(e.innerText"
            " || e.ariaLabel || e.title || e.labels?.[0]?.innerText || '').trim()).map(e => e.outerHTML.slice(0, 80))")
        # What a mouse alone uses has its like for everybody else.
        nameless = [one for one in nameless if "frame-remove" not in one]
        if nameless:
            fail(f"{desk.name}, {view}: controls without a name: {nameless[:3]}")
        has_tools(desk, view, 6)


def by_mouse(desk):
    """Picks, drags, turns and scales by handles, by buttons and by figures; tints; orders; undoes all of it."""
    page = desk.page
    desk.keep("begin")
    desk.use_photo()
    desk.pick("disc 0")
    x, y = middle(desk, desk.layers.first)
    board = page.locator("#board").bounding_box()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - board["width"] / 4, y - board["height"] / 5, steps=5)
    page.mouse.up()
    desk.says("25 % from the left, 30 % from the top")
    box = page.locator(".handle.rotate").bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    # From above the middle to the right of it: a quarter turn, clockwise.
    x, y = middle(desk, desk.layers.first)
    page.mouse.move(x + 100, y, steps=6)
    page.mouse.up()
    desk.says("turned by 90°")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -100)
    desk.says("size 43 %")
    page.mouse.wheel(0, 100)
    desk.says("size 40 %")
    page.fill("#field-rotation", "33")
    page.press("#field-rotation", "Enter")
    for button in ["Mirror", "Larger"]:
        page.locator("#adjust").get_by_role("button", name=button).click()
    page.select_option("#field-tint", "solid")
    page.locator("#field-color").fill("#2040c0")
    desk.pick("disc 1")
    page.fill("#field-x", "62.5")
    page.press("#field-x", "Enter")
    page.fill("#field-size", "55")
    page.press("#field-size", "Enter")
    page.locator("#adjust").get_by_role("button", name="Flip").click()
    for _ in range(4):
        page.locator("#adjust").get_by_role("button", name="Turn left").click()
    page.select_option("#field-tint", "colorized")
    page.locator("#field-color").fill("#ffb020")
    page.locator("#field-alpha").fill("60")
    desk.pick("disc 2")
    page.fill("#field-y", "72")
    page.press("#field-y", "Enter")
    for name, value in [("brightness", "-30"), ("contrast", "60"), ("saturation", "-60")]:
        page.locator(f"#field-{name}").fill(value)
    desk.keep("placed")
    content = desk.check("by mouse", sees_all_wrongs=True)
    shows_what_it_saves(desk, content)
    [first, second, third] = desk.stickers()
    if not (first["identifier"] == "disc_0" and near(first["rotation"], 0.576) and first["flipHorizontally"]
            and near(first["position"]["x"], 0.25) and near(first["dimensions"]["x"], 0.44) and second["alpha"] == 0.6
            and second["flipVertically"] and near(second["rotation"], 6.283 - 0.349) and third["position"]["y"] == 0.72
            and third["adjustments"] == {"brightness": -0.3, "contrast": 0.6, "saturation": -0.6}):
        fail(f"the figures are not those that were set: {[first, second, third]}")
    orders_layers(desk)
    undoes_everything(desk, content)
    return content


def shows_what_it_saves(desk, content):
    """What is seen on the page is what the file says, and each fault of it would be seen."""
    stage = desk.page.locator("#stage").bounding_box()
    desk.page.mouse.click(stage["x"] + 5, stage["y"] + 5)
    expect(desk.page.locator("#frame")).to_be_hidden()
    seen = Image.open(io.BytesIO(desk.page.locator("#board").screenshot())).convert("RGBA")
    composition = Composition(content, desk.library.stickers)
    ground = Image.open(desk.library.folder / "photo.jpg")
    drawn = composition.drawn(ground).resize(seen.size, Image.Resampling.LANCZOS)
    if not is_same(seen, drawn, SCREEN_SLACK):
        fail(f"the page shows something else than it saves: {difference(seen, drawn)}")
    unseen = wrongs_that_are_not_seen(composition, ground, seen, SCREEN_SLACK)
    if unseen:
        fail(f"on the screen, nobody would see {unseen}")


def orders_layers(desk):
    page = desk.page
    desk.view("layers")
    names = page.locator("#layer-list .name")
    expect(names).to_have_text(["disc 2", "disc 1", "disc 0"])
    page.get_by_role("button", name="Lower disc 2").click()
    expect(names).to_have_text(["disc 1", "disc 2", "disc 0"])
    desk.says("disc 2 is layer 2 of 3 from the bottom")
    desk.check("in another order")
    page.get_by_role("button", name="Remove disc 1").click()
    expect(names).to_have_text(["disc 2", "disc 0"])


def undoes_everything(desk, content):
    """Each step is undone and done again, to the same figures."""
    page = desk.page
    page.click("#undo")
    page.click("#undo")
    if without_date(desk.composition()) != without_date(content):
        fail("what was undone is not what it was")
    steps = 0
    while page.locator("#undo").is_enabled() and steps < 60:
        page.click("#undo")
        steps += 1
    expect(desk.layers).to_have_count(0)
    expect(page.locator("#picture-facts")).to_contain_text("No picture")
    for _ in range(steps):
        page.click("#redo")
    if without_date(desk.composition()) != without_date(content):
        fail("what was done again is not what it was")
    if steps > 25:
        fail(f"a drag is not one step: there were {steps}")


def without_date(content):
    return {**content, "meta": {**content["meta"], "createdAt": ""}}


def opens_again(chromium, library, content):
    """What was saved and is opened is saved as it was, also with what this page does not know."""
    desk = Desk(chromium, library)
    desk.open()
    [sprite] = [one for one in content["operations"] if one["type"] == "sprite"]
    foreign = json.loads(json.dumps(content))
    foreign["operations"].insert(0, {"type": "filter", "options": {"identifier": "imgly_lut_lenin", "intensity": 0.5}})
    foreign["operations"][1]["options"]["sprites"].insert(1, {"type": "text", "options": {"text": HOSTILE, "fontSize": 0.1}})
    foreign["operations"][1]["options"]["sprites"][0]["options"]["startTime"] = 1.25
    foreign["operations"].append({"type": "trim", "options": {}})
    foreign["meta"]["platform"] = "ios"
    for name, one in [("same", content), ("foreign", foreign)]:
        path = library.folder / f"{name}.json"
        path.write_text(json.dumps(one))
        desk.page.set_input_files("#composition-file", path)
        expect(desk.page.locator("#report")).to_be_visible()
        if name == "foreign":
            expect(desk.page.locator("#report-lines")).to_contain_text("filter")
            expect(desk.page.locator("#report-lines")).to_contain_text("1 of its layers are not stickers")
            desk.keep("kept")
        desk.page.get_by_role("button", name="Close").click()
        again = desk.composition()
        if {**again, "meta": 0} != {**one, "meta": 0}:
            fail(f"a composition ({name}) is not saved as it was opened: {json.dumps(again)[:3000]}")
    expect(desk.layers).to_have_count(len(sprite["options"]["sprites"]))
    # The next layer is one that is not shown.
    desk.layers.first.focus()
    desk.page.keyboard.press("Delete")
    expect(desk.layers).to_have_count(len(sprite["options"]["sprites"]) - 1)
    has_keys(desk)
    desk.done()


def by_keys(desk):
    """A sticker is found, picked, moved, turned, scaled, flipped, copied, ordered and removed, and no mouse is there."""
    page = desk.page
    desk.use_photo()
    page.locator("#query").focus()
    page.keyboard.type("disc 3")
    expect(page.locator("#grid button")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#grid button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(desk.layers.first).to_be_focused()
    for key, words in [("Shift+ArrowLeft", "40 % from the left"), ("ArrowLeft", "39 % from the left"),
                       ("ArrowDown", "51 % from the top"), ("+", "size 44 %"), ("-", "size 40 %"), ("]", "turned by 5°"),
                       ("Shift+]", "turned by 50°"), ("[", "turned by 45°"), ("f", "mirrored left to right"),
                       ("v", "flipped top to bottom"), ("PageUp", "on top already")]:
        page.keyboard.press(key)
        desk.says(words)
    page.keyboard.press("Control+d")
    expect(desk.layers).to_have_count(2)
    expect(desk.layers.nth(1)).to_be_focused()
    page.keyboard.press("PageDown")
    desk.says("layer 1 of 2 from the bottom")
    page.keyboard.press("PageUp")
    page.keyboard.press("Shift+Tab")
    expect(desk.layers.first).to_be_focused()
    page.keyboard.press("Tab")
    expect(desk.layers.nth(1)).to_be_focused()
    page.keyboard.press("Delete")
    expect(desk.layers).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(desk.layers).to_have_count(2)
    page.keyboard.press("Control+Shift+z")
    expect(desk.layers).to_have_count(1)
    expect(desk.layers.first).to_be_focused()
    adjusts_light(desk)
    desk.keep("keys")
    desk.check("by keys")
    # Whatever goes away, the keys are somewhere.
    desk.layers.first.focus()
    page.keyboard.press("Delete")
    expect(desk.layers).to_have_count(0)
    has_keys(desk)
    page.locator("#undo").focus()
    while page.locator("#undo").is_enabled():
        page.keyboard.press("Enter")
    has_keys(desk)
    page.locator("#redo").focus()
    while page.locator("#redo").is_enabled():
        page.keyboard.press("Enter")
    has_keys(desk)
    page.keyboard.press("Control+z")
    expect(desk.layers).to_have_count(1)
    desk.layers.first.focus()
    desk.view("adjust")
    page.locator("#controls [data-do=remove]").focus()
    page.keyboard.press("Enter")
    expect(desk.layers).to_have_count(0)
    has_keys(desk)
    page.keyboard.press("Control+z")
    expect(desk.layers).to_have_count(1)
    desk.layers.first.focus()
    page.keyboard.press("Escape")
    desk.says("No sticker is chosen")
    expect(page.locator("#frame")).to_be_hidden()
    # Letters that are typed are letters.
    page.fill("#query", "")
    page.locator("#query").focus()
    page.keyboard.type("fv-")
    expect(page.locator("#query")).to_have_value("fv-")
    expect(page.locator("#message")).to_contain_text("Nothing is found")
    page.fill("#query", "😀")
    expect(page.locator('#grid button[title="spin"]')).to_have_count(1)
    stands_still(desk)
    page.fill("#query", "")
    reaches_the_end(desk)
    arrows_lead_through_the_panel(desk)


def adjusts_light(desk):
    """By keys, with every value told, and back to those of the sticker."""
    page = desk.page
    desk.layers.first.focus()
    desk.view("adjust")
    for name, key, told in [("Brightness", "ArrowRight", "+1 %"), ("Contrast", "Home", "−100 %"), ("Saturation", "End", "+100 %")]:
        slider = page.get_by_role("slider", name=name, exact=True)
        expect(slider).to_have_attribute("aria-valuetext", "0 %")
        slider.press(key)
        expect(slider).to_have_attribute("aria-valuetext", told)
        expect(page.locator(f"output[for=field-{name.lower()}]")).to_have_text(told)
    if desk.stickers()[0]["adjustments"] != {"brightness": 0.01, "contrast": -1, "saturation": 1}:
        fail(f"keys adjusted {desk.stickers()[0]['adjustments']}")
    expect(page.locator("#light-note")).to_contain_text("editors may draw")
    reset = page.get_by_role("button", name="Reset brightness, contrast and saturation")
    reset.press("Enter")
    desk.says("are those of the sticker")
    expect(reset).to_be_focused()
    if any(desk.stickers()[0]["adjustments"].values()):
        fail(f"nothing is reset: {desk.stickers()[0]['adjustments']}")
    reset.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(reset).to_be_focused()
    outline = page.evaluate("getComputedStyle(document.activeElement).outline")
    if "solid 3px" not in outline:
        fail(f"nobody sees where the keys are: {outline}")
    desk.layers.first.focus()


def has_keys(desk):
    # Browsers take them from what is away with the next picture of the page.
    desk.page.wait_for_timeout(100)
    # A browser takes the keys from what is off when it draws next.
    desk.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if desk.page.evaluate("[null, document.body].includes(document.activeElement) || document.activeElement.disabled"):
        fail(f"{desk.name}: the keys went to nobody")


def reaches_the_end(desk):
    page = desk.page
    page.get_by_role("tab", name="Many").click()
    end = time.monotonic() + SECONDS_MAX
    while page.locator("#grid button").count() < 80 and time.monotonic() < end:
        page.evaluate("document.getElementById('results').scrollTo(0, 1e6)")
        time.sleep(0.05)
    expect(page.locator("#grid button")).to_have_count(80)
    expect(page.locator("#more")).to_be_hidden()


def arrows_lead_through_the_panel(desk):
    page = desk.page
    page.get_by_role("tab", name="Newest").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#tabs [aria-selected=true]")).to_have_count(1)
    page.get_by_role("tab", name="Party").click()
    expect(page.locator("#grid button")).to_have_count(6)
    page.locator("#grid button").first.focus()
    for key, place in [("ArrowRight", 1), ("End", 5), ("Home", 0)]:
        page.keyboard.press(key)
        expect(page.locator("#grid button").nth(place)).to_be_focused()


def by_fingers(desk):
    """One finger drags; two turn and scale."""
    page = desk.page
    desk.use_photo()
    desk.pick("disc 0")
    fingers = page.context.new_cdp_session(page)

    def touch(kind, *points):
        fingers.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [dict(x=x, y=y, id=number) for number, (x, y) in enumerate(points)]})

    x, y = middle(desk, desk.layers.first)
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x - 12 * step, y - 6 * step))
    touch("touchEnd")
    [moved] = desk.stickers()
    board = page.locator("#board").bounding_box()
    if not (near(moved["position"]["x"], 0.5 - 60 / board["width"]) and near(moved["position"]["y"], 0.5 - 30 / board["height"])):
        fail(f"a finger moved the sticker to {moved['position']}")
    begin, end = middle(desk, desk.layers.first), middle(desk, page.locator("#board"))
    touch("touchStart", begin)
    for step in range(1, 6):
        touch("touchMove", tuple(one + (other + 4 - one) * step / 5 for one, other in zip(begin, end)))
    expect(page.locator("#guide-x")).to_be_visible()
    touch("touchEnd")
    [snapped] = desk.stickers()
    if snapped["position"] != {"x": 0.5, "y": 0.5}:
        fail(f"a finger left the sticker at {snapped['position']}")
    x, y = middle(desk, desk.layers.first)
    touch("touchStart", (x - 30, y))
    touch("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 7):
        touch("touchMove", (x - 30, y - 10 * step), (x + 30, y + 10 * step))
    touch("touchEnd")
    desk.says("turned by 63°")
    [pinched] = desk.stickers()
    # The line between the fingers was flat, and falls to the right by twice its width now.
    if not (near(pinched["rotation"], 1.107, 0.03) and near(pinched["dimensions"]["x"], 0.4 * 5 ** 0.5, 0.02)):
        fail(f"two fingers made {pinched}")
    touch("touchStart", middle(desk, page.locator(".handle.scale")))
    x, y = middle(desk, page.locator(".handle.scale"))
    touch("touchMove", ((x + middle(desk, desk.layers.first)[0]) / 2, (y + middle(desk, desk.layers.first)[1]) / 2))
    touch("touchEnd")
    [scaled] = desk.stickers()
    if not near(scaled["dimensions"]["x"], pinched["dimensions"]["x"] / 2, 0.03):
        fail(f"a finger on the handle made {scaled}")
    desk.pick("spin")
    desk.view("adjust")
    expect(page.locator("#field-tint")).to_be_disabled()
    expect(page.locator("#tint-note")).to_contain_text("move have no tint")
    expect(page.locator("#field-contrast")).to_be_disabled()
    moves(desk)
    desk.keep("fingers")
    _, notes = desk.saved("#save-png")
    if not any("first frame: spin" in note for note in notes):
        fail(f"nobody says that an animation stands still: {notes}")
    desk.check("by fingers")


def moves(desk):
    """An animation moves on the page."""
    box = desk.layers.nth(1).bounding_box()
    seen, end = set(), time.monotonic() + SECONDS_MAX
    while len(seen) < 2 and time.monotonic() < end:
        seen.add(desk.page.screenshot(clip=box))
        time.sleep(0.05)
    if len(seen) < 2:
        fail("an animation stands still")


def stands_still(desk):
    """Whoever asks for less motion sees a still."""
    desk.pick("spin")
    expect(desk.layers.last.locator("canvas")).to_have_count(1)
    expect(desk.layers.last.locator("img")).to_have_count(0)
    desk.page.keyboard.press("Delete")
    expect(desk.layers).to_have_count(1)


def snaps(desk):
    """To the middle, the edges and every 45°, with lines that show it; not by keys, with Alt, or where it is switched off."""
    page = desk.page
    desk.use_photo()
    desk.pick("disc 0")
    board = page.locator("#board").bounding_box()
    width, height = board["width"], board["height"]
    guides = page.locator("#guide-x"), page.locator("#guide-y")

    def drag(x, y, lines, keys=()):
        """To pixels of the picture on the screen; answers with the position that is saved."""
        for key in keys:
            page.keyboard.down(key)
        page.mouse.move(*middle(desk, desk.layers.first))
        page.mouse.down()
        # On the way nothing is near.
        page.mouse.move(board["x"] + 0.37 * width, board["y"] + 0.37 * height, steps=2)
        for guide in guides:
            expect(guide).to_be_hidden()
        page.mouse.move(board["x"] + x, board["y"] + y, steps=3)
        for guide, line, side, origin, length in zip(guides, lines, "xy", (board["x"], board["y"]), (width, height)):
            expect(guide).to_be_visible(visible=line is not None)
            box = line is not None and guide.bounding_box()
            if box and not near(box[side] + (box["width"] if side == "x" else box["height"]) / 2, origin + line * length, 1):
                fail(f"the line is at {box}, not at {line}")
        if lines == (0.5, 1):
            desk.keep("snaps")
        if page.evaluate("document.getAnimations().length"):
            fail("something moves for people who want no motion")
        page.mouse.up()
        for key in keys:
            page.keyboard.up(key)
        for guide in guides:
            expect(guide).to_be_hidden()
        return desk.stickers()[0]["position"]

    found = drag(width / 2 + 6, height * 0.3, (0.5, None))
    if found["x"] != 0.5 or not near(found["y"], 0.3, 0.004):
        fail(f"near the middle the sticker goes to {found}")
    found = drag(width * 0.3, height / 2 - 6, (None, 0.5))
    if found["y"] != 0.5 or not near(found["x"], 0.3, 0.004):
        fail(f"near the middle the sticker goes to {found}")
    found = drag(width / 2 + 11, height / 2 - 11, (None, None))
    if not (near(found["x"], 0.5 + 11 / width, 0.002) and near(found["y"], 0.5 - 11 / height, 0.002)):
        fail(f"away from the middle the sticker goes to {found}")
    found = drag(width / 2 + 6, height / 2 - 6, (None, None), keys=["Alt"])
    if not (near(found["x"], 0.5 + 6 / width, 0.002) and near(found["y"], 0.5 - 6 / height, 0.002)):
        fail(f"with Alt the sticker goes to {found}")
    page.fill("#field-rotation", "30")
    page.press("#field-rotation", "Enter")
    # Its box, in parts of the smaller side.
    half = 0.4 * (math.cos(math.pi / 6) + math.sin(math.pi / 6)) / 2
    for x, y, lines, place in [(half * height + 6, height / 2, (0, 0.5), (half * 3 / 4, 0.5)),
                               (width - half * height + 6, half * height - 6, (1, 0), (1 - half * 3 / 4, half)),
                               (width / 2, height - half * height - 6, (0.5, 1), (0.5, 1 - half))]:
        found = drag(x, y, lines)
        if not (near(found["x"], place[0], 1e-9) and near(found["y"], place[1], 1e-9)):
            fail(f"at an edge the sticker goes to {found}, not to {place}")
    page.click("#snap")
    expect(page.locator("#snap")).to_have_attribute("aria-pressed", "false")
    found = drag(width / 2 + 6, height / 2 - 6, (None, None))
    if not near(found["x"], 0.5 + 6 / width, 0.002):
        fail(f"without snapping the sticker goes to {found}")
    turns(desk, 44, 44, 0.5)
    page.click("#snap")
    turns(desk, 42.5, 45)
    turns(desk, 137, 135)
    turns(desk, 358, 0)
    turns(desk, 50, 50, 0.5)
    turns(desk, 44, 44, 0.5, keys=["Alt"])
    page.locator("#controls [data-do=middle]").click()
    desk.layers.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    found = desk.stickers()[0]["position"]
    if not (near(found["x"], 0.51, 1e-9) and near(found["y"], 0.49, 1e-9)):
        fail(f"keys move the sticker to {found}")


def turns(desk, degrees, wanted, within=1e-9, keys=()):
    """Turns the sticker by its handle: from above its middle, clockwise."""
    page = desk.page
    for key in keys:
        page.keyboard.down(key)
    page.fill("#field-rotation", "0")
    page.press("#field-rotation", "Enter")
    (x, y), handle = middle(desk, desk.layers.first), middle(desk, page.locator(".handle.rotate"))
    page.mouse.move(*handle)
    page.mouse.down()
    angle = math.radians(degrees)
    page.mouse.move(x + 150 * math.sin(angle), y - 150 * math.cos(angle), steps=4)
    page.mouse.up()
    for key in keys:
        page.keyboard.up(key)
    found = math.degrees(desk.stickers()[0]["rotation"])
    if not near(found, wanted, within):
        fail(f"turned to {degrees}°, the sticker has {found}°")


def keeps_odd_light(desk):
    """Adjustments that are not drawn are written back, and those of stickers that move are told of."""
    path = desk.library.folder / "light.json"
    lights = {"disc_0": {"brightness": 3, "contrast": "x", "saturation": -1, "warmth": 1},
              "spin": {"brightness": 0.5, "contrast": 0, "saturation": 0}}
    path.write_text(json.dumps({"operations": [{"type": "sprite", "options": {"sprites": [
        {"type": "sticker", "options": {"identifier": name, "position": {"x": 0.5, "y": 0.5}, "dimensions": {"x": 0.3, "y": 0.3},
                                        "adjustments": light}} for name, light in lights.items()]}}]}))
    desk.page.set_input_files("#composition-file", path)
    expect(desk.page.locator("#report-lines")).to_contain_text("stickers that move are kept, but not shown: spin.")
    desk.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    desk.layers.first.focus()
    expect(desk.page.locator("#field-brightness")).to_have_attribute("aria-valuetext", "+100 %")
    found = {sticker["identifier"]: sticker["adjustments"] for sticker in desk.stickers()}
    if found != lights:
        fail(f"adjustments are not saved as they were opened: {found}")


def without_picture(desk):
    """The canvas is transparent, or has a colour."""
    page = desk.page
    desk.view("picture")
    for name, value in [("canvas-width", "640"), ("canvas-height", "360")]:
        page.fill(f"#{name}", value)
        page.press(f"#{name}", "Enter")
    desk.pick("disc 1")
    desk.check("transparent", Image.new("RGBA", (640, 360)))
    desk.view("picture")
    page.select_option("#canvas-ground", "color")
    page.locator("#canvas-color").fill("#a0c8ff")
    desk.check("coloured", Image.new("RGBA", (640, 360), "#a0c8ff"))


def opens_pictures(desk):
    """Turned as the camera says; large ones whole; and what is none is refused with words."""
    page, folder = desk.page, desk.library.folder
    photo(folder / "turned.jpg", (1200, 800), orientation=6)
    desk.use_photo("turned.jpg", (800, 1200))
    picture = Image.open(io.BytesIO(desk.saved("#save-png")[0])).convert("RGB")
    red = picture.getpixel((780, 20))
    if picture.size != (800, 1200) or not (red[0] > 180 and red[1] < 60):
        fail(f"the picture is not turned as the camera says: {picture.size}, {red}")
    photo(folder / "large.jpg", (8000, 6000))
    desk.use_photo("large.jpg", (8000, 6000))
    side = page.evaluate("Math.max(...[...document.querySelectorAll('#ground canvas')].map((c) => Math.max(c.width, c.height)))")
    desk.pick("disc 2")
    large = Image.open(io.BytesIO(desk.saved("#save-png")[0]))
    if side > 2048 or large.size != (8000, 6000):
        fail(f"a picture of 8000 × 6000 is shown with {side} and saved with {large.size}")
    for name, content, words in [
        ("text.jpg", b"no picture at all", "not a picture that can be opened"),
        ("half.png", (folder / "photo.jpg").read_bytes()[:40], "cannot be read"),
        ("bomb.png", bomb(12000, 12000), "144 megapixels"),
    ]:
        (folder / name).write_bytes(content)
        page.set_input_files("#picture-file", folder / name)
        desk.says(words)
    expect(page.locator("#picture-facts")).to_contain_text("8000 × 6000")
    # A picture that is dropped or pasted.
    for event in ["drop", "paste"]:
        page.evaluate("""async ([event, base64]) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], `${event}.jpg`, { type: "image/jpeg" }));
          const made = event === "drop" ? new DragEvent("drop", { dataTransfer: data, bubbles: true })
            : new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
          document.body.dispatchEvent(made);
        }""", [event, base64.b64encode((folder / "photo.jpg").read_bytes()).decode()])
        expect(page.locator("#picture-facts")).to_contain_text(f"{event}.jpg, 1600 × 1200")


def bomb(width, height):
    """The head of a huge PNG."""
    import struct
    import zlib
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"IDAT" + zlib.compress(b"\0" * 100000)
    return head + struct.pack(">I", len(rows) - 4) + rows + struct.pack(">I", zlib.crc32(rows))


def refuses_files(desk):
    """Whatever a composition holds, it is read or refused with words."""
    folder, page = desk.library.folder, desk.page
    sticker = {"identifier": "disc_0", "position": {"x": 0.5, "y": 0.5}, "dimensions": {"x": 0.3, "y": 0.3}}

    def of(*stickers, **members):
        sprites = [{"type": "sticker", "options": one} for one in stickers]
        return {"version": "3.10.0", "operations": [{"type": "sprite", "options": {"sprites": sprites}}], **members}

    for content, words in [
        ("{", "not JSON"), ("[]", "no composition"), ("null", "no composition"), ('{"operations": 1}', "no composition"),
        (of(sticker, version="9.0.0"), "version 9.0.0"), (of({**sticker, "position": {"x": "a", "y": 0}}), "no position"),
        (of({**sticker, "dimensions": {"x": -1, "y": 1}}), "no size"), (of({**sticker, "identifier": 7}), "no identifier"),
        (of(*[sticker] * 101), "101 stickers"),
        ('{"operations": [{"type": "sprite", "options": {"sprites": [null]}}]}', "Layer 1 is not an object"),
    ]:
        path = folder / "faulty.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        page.set_input_files("#composition-file", path)
        desk.says(words)
    hostile = {"identifier": HOSTILE, "name": HOSTILE, "raster": {"data": base64.b64encode(b"<svg onload=alert(1)>").decode()}}
    path.write_text(json.dumps(of(
        {**sticker, "identifier": HOSTILE}, {**sticker, "alpha": 5, "rotation": "x", "tintMode": "<b>"},
        {**sticker, "identifier": "../../readyz"}, image={"width": 1e9, "height": -3},
        assetLibrary={"assets": {"stickers": [hostile]}})))
    page.set_input_files("#composition-file", path)
    expect(page.locator("#report-lines")).to_contain_text(HOSTILE)
    expect(page.locator("#report-lines")).to_contain_text("../../readyz")
    desk.keep("hostile")
    page.get_by_role("button", name="Close").click()
    expect(desk.layers).to_have_count(3)
    desk.find(HOSTILE.replace('"', '\\"')).click()
    expect(desk.layers).to_have_count(4)
    expect(page.locator("#adjust-title")).to_have_text(HOSTILE)


def shows_the_librarys_own(desk):
    """A file that brings a picture under the name of a sticker of the library does not replace that."""
    folder, page = desk.library.folder, desk.page
    desk.use_photo()
    other = io.BytesIO()
    art("hotpink")[0].save(other, "PNG")
    raster = {"data": base64.b64encode(other.getvalue()).decode()}
    sprites = [{"type": "sticker", "options": {"identifier": name, "position": {"x": x, "y": 0.5}, "dimensions": {"x": 0.3, "y": 0.3}}}
               for name, x in [("disc_0", 0.3), ("of_nobody", 0.7)]]
    (folder / "brings.json").write_text(json.dumps({
        "operations": [{"type": "sprite", "options": {"sprites": sprites}}],
        "assetLibrary": {"assets": {"stickers": [{"identifier": name, "raster": raster} for name in ["disc_0", "of_nobody"]]}}}))
    page.set_input_files("#composition-file", folder / "brings.json")
    desk.says("brings.json is open: 2 layers")
    content = desk.check("brought")
    if [one["identifier"] for one in content["assetLibrary"]["assets"]["stickers"]] != ["of_nobody"]:
        fail("a file replaces a sticker of the library")


def misses_what_is_gone(desk):
    """A sticker that was removed is told of by its title, keeps its place, and stays in the file."""
    page, library = desk.page, desk.library
    desk.use_photo()
    desk.pick("leaving")
    desk.pick("disc 1")
    content = desk.composition()
    (library.drop / "Party/leaving.png").unlink()
    library.wait(86)
    path = library.folder / "leaving.json"
    path.write_text(json.dumps(content))
    page.reload()
    expect(page.locator("#grid button").first).to_be_visible()
    desk.use_photo()
    page.set_input_files("#composition-file", path)
    expect(page.locator("#report-lines")).to_contain_text("“leaving” is not shown: the sticker was removed from the library")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#layers-on-board .placeholder")).to_have_text("leaving: gone")
    desk.keep("gone")
    again = desk.check("gone")
    if without_date(again) != without_date(content):
        fail("a sticker that is gone is lost from the file")
    _, notes = desk.saved("#save-png")
    if not any("not in the picture: leaving" in note for note in notes):
        fail(f"nobody says that a sticker is missing: {notes}")


def shows_stickers_of_others(chromium, library, pictures):
    """A host that lets pages read is as good as the library; of one that does not, the page says so."""
    desk = Desk(chromium, library, pictures=pictures, expected=(FOREIGN,))
    gif = io.BytesIO()
    frames = art("hotpink", 3)
    frames[0].save(gif, "GIF", save_all=True, append_images=frames[1:], duration=100, loop=0, disposal=2)

    def media(route):
        # Without the header, playwright would add one that lets everybody read.
        readers = "*" if "open" in route.request.url else "https://other.example.org"
        route.fulfill(
            body=gif.getvalue(), headers={"Content-Type": "image/gif", "Access-Control-Allow-Origin": readers})

    def trending(route):
        route.fulfill(json={"has_more": False, "images": [
            {"id": f"giphy.{name}", "title": name, "url": f"{FOREIGN}/{name}.gif", "thumbnail": f"{FOREIGN}/{name}.gif",
             "animated": True, "category": "giphy.trending", "emojis": [], "attribution": {"text": "Powered by", "url": FOREIGN}}
            for name in ["open", "shut"]]})

    desk.page.route(f"{FOREIGN}/**", media)
    desk.page.route("**/api/stickers/trending*", trending)
    desk.page.route("**/compose?*", lambda route: with_images(route, FOREIGN))
    desk.open()
    desk.use_photo()
    expect(desk.page.locator("#attribution a")).to_have_text("Powered by")
    desk.page.locator('#grid button[title="open"]').click()
    desk.says("open is placed")
    expect(desk.page.locator("#adjust-note a")).to_have_text("Powered by")
    desk.page.locator('#grid button[title="shut"]').click()
    desk.says("lets no other page read")
    desk.keep("foreign")
    content, notes = desk.saved("#save-png")
    if not any("not in the picture: shut" in note for note in notes):
        fail(f"nobody says what is not in the picture: {notes}")
    composition = Composition(desk.composition(), library.stickers)
    if "raster" not in composition.embedded["giphy.open"] or composition.embedded["giphy.shut"].get("url") != f"{FOREIGN}/shut.gif":
        fail(f"stickers of others are not in the file: {composition.embedded.keys()}")
    if not is_same(Image.open(io.BytesIO(content)), composition.drawn(Image.open(library.folder / "photo.jpg"))):
        fail("a sticker of others is drawn otherwise than the file says")
    lists_what_was_picked(desk)
    asks_others_by_a_click(desk)
    desk.done()


def lists_what_was_picked(desk):
    """Stickers of others stand among one's own, the last one first, until they are taken out or closed."""
    page = desk.page
    page.get_by_role("tab", name="Custom").click()
    picked = page.locator("#grid li > button")
    expect(picked).to_have_count(2)
    expect(picked.first).to_have_attribute("title", "shut")
    expect(page.locator("#attribution a")).to_have_text("Powered by")
    expect(page.locator("#own-add")).to_be_hidden()
    page.get_by_role("button", name="Remove shut from your stickers").click()
    expect(picked).to_have_count(1)
    if page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") != [0, 0, ""]:
        fail("what was picked is stored")
    page.get_by_role("button", name="Close yours").click()
    expect(page.get_by_role("tab", name="Custom")).to_have_count(0)
    expect(page.locator("#tabs [aria-selected=true]")).to_have_text("Newest")


def asks_others_by_a_click(desk):
    """A file names a picture on somebody's server, who learns nothing of that before anybody wants it."""
    page, asked = desk.page, []
    page.on("request", lambda request: asked.append(request.url) if "/later-open" in request.url else None)
    sprites = [{"type": "sticker", "options": {"identifier": f"giphy.{name}", "position": {"x": x, "y": 0.5},
                                               "dimensions": {"x": 0.3, "y": 0.3}}} for name, x in [("later", 0.3), ("too", 0.7)]]
    stickers = [{"identifier": f"giphy.{name}", "name": name, "url": f"{FOREIGN}/later-open-{name}.gif"} for name in ["later", "too"]]
    path = desk.library.folder / "away.json"
    path.write_text(json.dumps({"operations": [{"type": "sprite", "options": {"sprites": sprites}}],
                                "assetLibrary": {"assets": {"stickers": stickers}}}))
    page.set_input_files("#composition-file", path)
    expect(page.locator("#report-lines")).to_contain_text("2 stickers lie on media.example.org, which was not asked")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    content = desk.composition()
    if asked or [one["url"] for one in content["assetLibrary"]["assets"]["stickers"]] != [one["url"] for one in stickers]:
        fail(f"somebody was asked for a picture, or it is lost from the file: {asked}")
    desk.layers.first.focus()
    desk.view("adjust")
    desk.keep("away")
    page.get_by_role("button", name="Load from media.example.org").press("Enter")
    desk.says("2 stickers are loaded")
    has_keys(desk)
    if len(asked) != 2:
        fail(f"asked {asked}")
    expect(page.locator("#layers-on-board .placeholder")).to_have_count(0)
    keeps_what_a_file_brings(desk)


def keeps_what_a_file_brings(desk):
    """A server that is away loses nothing of it, and one that is back is asked again."""
    page, path = desk.page, desk.library.folder / "brought.json"
    raster = {"data": base64.b64encode((desk.library.drop / "Party/disc 1 🎉.png").read_bytes()).decode()}
    sprite = {"type": "sticker", "options": {"identifier": "of_a_friend", "position": {"x": 0.5, "y": 0.5},
                                             "dimensions": {"x": 0.3, "y": 0.3}}}
    brought = {"identifier": "of_a_friend", "name": "of a friend", "raster": raster}
    path.write_text(json.dumps({"operations": [{"type": "sprite", "options": {"sprites": [sprite]}}],
                                "assetLibrary": {"assets": {"stickers": [brought]}}}))
    page.route("**/api/stickers/by-id/**", lambda route: route.fulfill(status=429, json={"error": "slowly"}))
    page.set_input_files("#composition-file", path)
    expect(page.locator("#report-lines")).to_contain_text("“of a friend” is not shown: slowly")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    if desk.composition()["assetLibrary"]["assets"]["stickers"] != [brought]:
        fail("what a file brought is lost while the server is away")
    page.unroute("**/api/stickers/by-id/**")
    page.set_input_files("#composition-file", path)
    desk.says("brought.json is open")
    expect(page.locator("#layers-on-board .placeholder")).to_have_count(0)


def with_images(route, host):
    """What stickerd-web says if it is to show pictures of that host."""
    answer = route.fetch()
    policy = answer.headers["content-security-policy"].replace("blob:", f"blob: {host}").replace(
        "connect-src 'self'", f"connect-src 'self' {host}")
    route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})


def shows_ones_own(chromium, library, pictures):
    """Stickers that open with a token, with answers of every kind: a wrong one, one that waits, one that is refused."""
    desk = Desk(chromium, library, pictures=pictures, expected=("/api/personal",))
    own = io.BytesIO()
    art("darkorange")[0].save(own, "PNG")
    kept = {"one": {"id": "own_1", "state": "ready", "title": HOSTILE, "url": f"{library.base}api/personal/files/1.png",
                    "thumbnail": f"{library.base}api/personal/files/1.png", "animated": False, "tintMode": "none"}}
    kept["three"] = {"id": "own_3", "state": "refused", "title": "huge.tiff", "error": "the picture has 90 megapixels",
                     "remedy": "save it smaller"}

    def personal(route):
        request = route.request
        if request.headers.get("authorization") != "Bearer token-of-mine":
            return route.fulfill(status=401, json={"error": "the token is not known", "remedy": "ask for another one"})
        if "/files/" in request.url:
            return route.fulfill(body=own.getvalue(), headers={"Content-Type": "image/png"})
        if request.method == "POST":
            if b"PNG" not in (request.post_data_buffer or b""):
                return route.fulfill(status=415, json={"error": "that is not a picture", "remedy": "send a PNG"})
            # Who uploads a picture gives it no name.
            kept["two"] = {**kept["one"], "id": "own_2", "state": "waiting"}
            del kept["two"]["title"]
            return route.fulfill(status=202, json=kept["two"])
        if request.method == "DELETE":
            kept.pop("two")
            return route.fulfill(json={})
        answer = {"category": {"id": "personal", "title": "Custom"}, "stickers": [dict(one) for one in kept.values()]}
        for one in kept.values():
            one["state"] = one["state"].replace("waiting", "ready")
        route.fulfill(json=answer)

    desk.page.route("**/api/personal**", personal)
    page = desk.page
    desk.open()
    desk.use_photo()
    for token, words in [("wrong", "The token is not known"), ("token-of-mine", None)]:
        page.get_by_role("button", name="Yours…").click()
        page.fill("#token", token)
        page.get_by_role("dialog").get_by_role("button", name="Open").click()
        if words:
            desk.says(words)
    expect(page.get_by_role("tab", name="Custom")).to_have_attribute("aria-selected", "true")
    page.locator("#grid li > button").first.click()
    expect(desk.layers).to_have_count(1)
    (library.folder / "own.png").write_bytes(own.getvalue())
    page.set_input_files("#own-file", library.folder / "photo.jpg")
    desk.says("That is not a picture. Send a PNG.")
    page.set_input_files("#own-file", library.folder / "own.png")
    expect(page.locator("#grid li")).to_have_count(3)
    # It is looked at again until it is made; what was refused says why.
    expect(page.locator("#grid li > button:disabled")).to_have_count(1)
    expect(page.locator("#grid .refused")).to_contain_text("the picture has 90 megapixels; save it smaller")
    desk.keep("own")
    page.get_by_role("button", name="Delete Your sticker 3 from your stickers").click()
    expect(page.locator("#grid li")).to_have_count(2)
    content = desk.check("one's own")
    [asset] = content["assetLibrary"]["assets"]["stickers"]
    if asset["identifier"] != "own_1" or base64.b64decode(asset["raster"]["data"]) != own.getvalue():
        fail("a sticker of one's own is not embedded")
    if page.evaluate("[localStorage.length, sessionStorage.getItem('stickerd.token'), document.cookie]") != [0, "token-of-mine", ""]:
        fail("a token is kept elsewhere than in this tab")
    page.get_by_role("button", name="Close yours").click()
    expect(page.get_by_role("tab", name="Custom")).to_have_count(0)
    page.unroute("**/api/personal**")
    # A file brings such a sticker to somebody who has no token.
    (library.folder / "own.json").write_text(json.dumps(content))
    page.set_input_files("#composition-file", library.folder / "own.json")
    desk.says("own.json is open")
    if without_date(desk.check("one's own, opened")) != without_date(content):
        fail("an embedded sticker is not saved as it was opened")
    desk.done()


def makes_ones_own(chromium, library, pictures):
    """A picture that is uploaded becomes a sticker of its owner, stands in the file with its bytes, and is deleted."""
    desk = Desk(chromium, library, "phone", "light", pictures)
    page = desk.page
    desk.open()
    desk.use_photo()
    page.get_by_role("button", name="Yours…").click()
    page.fill("#token", TOKEN)
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    expect(page.locator("#message")).to_contain_text("no stickers of your own yet")
    art("darkorange")[0].save(library.folder / "me.png")
    page.set_input_files("#own-file", library.folder / "me.png")
    sticker = page.locator("#grid li > button:enabled")
    expect(sticker).to_have_count(1)
    desk.keep("made")
    sticker.click()
    expect(desk.layers).to_have_count(1)
    content = desk.check("made of an upload")
    [asset] = content["assetLibrary"]["assets"]["stickers"]
    if not base64.b64decode(asset["raster"]["data"]).startswith(b"\x89PNG"):
        fail("editors cannot read what is embedded")
    page.get_by_role("button", name="Delete Your sticker 1 from your stickers").click()
    expect(page.locator("#grid li")).to_have_count(0)
    expect(desk.layers).to_have_count(1)
    desk.done()


def inside_an_app(chromium, library, pictures):
    """The page of an origin in the list embeds and speaks with it; strangers do neither."""
    desk = Desk(chromium, library, pictures=pictures, expected=("frame-ancestors", "/api/stickers/by-id/"))
    page = desk.page
    page.goto(library.allowed.origin)
    until(page, "said.some((one) => one.type === 'stickerd.ready')")
    photo_bytes = base64.b64encode((library.folder / "photo.jpg").read_bytes()).decode()
    page.evaluate("""(base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      tell({ type: "stickerd.load", version: 1, id: 1, picture: bytes.buffer, name: "app.jpg", sticker: "disc_0" });
    }""", photo_bytes)
    until(page, "said.some((one) => one.type === 'stickerd.loaded' && one.id === 1 && one.layers === 1 && one.width === 1600)")
    page.evaluate("tell({ type: 'stickerd.export', version: 1, id: 'x', format: 'both' })")
    until(page, "said.some((one) => one.type === 'stickerd.exported' && one.id === 'x')")
    told = page.evaluate("""(async () => {
      const one = said.find((one) => one.type === "stickerd.exported");
      const bytes = new Uint8Array(await one.picture.arrayBuffer());
      let text = "";
      for (const byte of bytes) text += String.fromCharCode(byte);
      return { ...one, picture: btoa(text), type: one.picture.type };
    })()""")
    composition = Composition(told["composition"], library.stickers)
    drawn = composition.drawn(Image.open(library.folder / "photo.jpg"))
    if told["type"] != "image/png" or not is_same(Image.open(io.BytesIO(base64.b64decode(told["picture"]))), drawn):
        fail("the app gets another picture than the file says")
    if told["origin"] + "/" != library.base or not page.evaluate("said.some((one) => one.type === 'stickerd.changed')"):
        fail("the app is not told of changes")
    for message, words in [({"type": "stickerd.export", "format": "tiff"}, "the format tiff is not known"),
                           ({"type": "stickerd.dance"}, "stickerd.dance is not known"),
                           ({"type": "stickerd.export", "version": 7}, "version 7 is not known"),
                           ({"type": "stickerd.load", "picture": 5}, "neither a Blob"),
                           ({"type": "stickerd.load", "composition": {"operations": 1}}, "no composition"),
                           ({"type": "stickerd.load", "composition": "{", "picture": photo_bytes, "name": "other.jpg"},
                            "the composition is not JSON"),
                           ({"type": "stickerd.load", "composition": ""}, "the composition is not JSON"),
                           ({"type": "stickerd.load", "picture": "%%%"}, "the picture is not base64"),
                           ({"type": "stickerd.load", "picture": ""}, "not a picture that can be opened")]:
        page.evaluate("([id, message]) => tell({ version: 1, id, ...message })", [words + str(message)[:99], message])
        until(page, "said.some((one) => one.type === 'stickerd.error' && one.message.toLowerCase().includes("
                    f"{json.dumps(words.lower())}) && one.id === {json.dumps(words + str(message)[:99])})")
    inner = page.frame_locator("#frame")
    # What was there stays, whatever else was right about the message.
    expect(inner.locator("#picture-facts")).to_contain_text("app.jpg")
    # What cannot be shown is named.
    lost = {"type": "sticker", "options": {"identifier": "nobody", "position": {"x": 0.5, "y": 0.5},
                                           "dimensions": {"x": 0.3, "y": 0.3}}}
    page.evaluate("(message) => tell({ version: 1, id: 'lost', type: 'stickerd.load', ...message })", {
        "sticker": "nothing", "composition": {"operations": [{"type": "sprite", "options": {"sprites": [lost]}}]}})
    until(page, "said.some((one) => one.id === 'lost' && one.type === 'stickerd.loaded' && one.layers === 1"
                " && one.missing.join() === 'nobody,nothing' && one.notes.join().includes('“nothing” is not placed'))")
    page.evaluate("for (const odd of [null, 5, 'stickerd.export', [], { type: 7 }, { type: 'other' }]) tell(odd)")
    inner.get_by_role("button", name="Done").click()
    until(page, "said.filter((one) => one.type === 'stickerd.exported').length === 2")
    desk.keep("inside")
    # Another frame of the same page is not the one that embeds, whatever its origin.
    # What the page still has to say of its changes, 150 ms after them by a timer that comes before this one, is said.
    page.frames[1].evaluate("() => new Promise((resolve) => setTimeout(resolve, 300))")
    page.wait_for_timeout(300)
    before = page.evaluate("said.length")
    for stranger in [library.forbidden, library.allowed]:
        page.evaluate("""(url) => document.body.append(Object.assign(document.createElement("iframe"), { src: url }))""",
                      f"{stranger.origin}/stranger")
    page.wait_for_timeout(600)
    if page.evaluate("window.strangers") < 2:
        fail("no stranger spoke, so this proves nothing")
    if page.evaluate("said.length") != before or page.evaluate("overheard.length"):
        fail("a stranger was answered, or changed the picture: " + page.evaluate("JSON.stringify([said, overheard])")[-500:])
    page.goto(library.forbidden.origin)
    page.wait_for_timeout(600)
    if page.evaluate("said.length"):
        fail("a page that is not in the list is spoken with")
    if any("/compose" in frame.url and frame.url.startswith(library.base) and frame.query_selector("#board") for frame in page.frames):
        fail("a page that is not in the list embeds this one")
    desk.done()


def takes_stickers_of_the_app(chromium, library):
    """By bytes, by address, and its user's own by id and token; what is none is refused with words."""
    away = "https://elsewhere.invalid/"
    desk = Desk(chromium, library, expected=(away, "/api/personal", "frame-ancestors"))
    page = desk.page
    page.goto(library.allowed.origin)
    until(page, "said.some((one) => one.type === 'stickerd.ready')")
    base64_art, told = base64.b64encode(ART).decode(), []

    def load(sticker, **members):
        told.append(sticker)
        page.evaluate("([id, message]) => tell({ type: 'stickerd.load', version: 1, id, ...message })",
                      [len(told), {"sticker": sticker, **members}])
        until(page, f"said.some((one) => one.id === {len(told)})")
        return page.evaluate(f"said.find((one) => one.id === {len(told)})")

    def placed(answer, count, missing=()):
        if answer["type"] != "stickerd.loaded" or answer["layers"] != count or answer["missing"] != list(missing):
            fail(f"the app hands a sticker over and is told {answer}")

    page.evaluate("""(base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      tell({ type: "stickerd.load", version: 1, id: "bytes", sticker: { identifier: "disc_0", picture: bytes.buffer } });
    }""", base64_art)
    until(page, "said.some((one) => one.id === 'bytes' && one.layers === 1 && !one.missing.length)")
    placed(load({"name": "of app", "picture": base64_art}), 2)
    placed(load({"identifier": "there", "url": f"{library.allowed.origin}/art.png"}), 3)
    answer = load({"identifier": "away", "url": f"{away}a.png"})
    placed(answer, 3, ["app:away"])
    if "does not allow it here" not in answer["notes"][0]:
        fail(f"nobody says why a sticker is missing: {answer}")
    placed(load({"identifier": "text", "picture": base64.b64encode(b"no picture").decode()}), 3, ["app:text"])
    for sticker, words in [(5, "neither a picture nor"), ({"url": "javascript:alert(1)"}, "neither a picture nor"),
                           ({"url": "http://127.0.0.1:1/a.png"}, "neither a picture nor"),
                           ({"picture": 5}, "the sticker is neither a Blob"), ({"picture": "%%"}, "the sticker is not base64"),
                           ({"picture": "A" * 13_400_000}, "the sticker is too large"),
                           ({"identifier": "a b", "picture": base64_art}, "identifier is invalid")]:
        answer = load(sticker)
        if answer["type"] != "stickerd.error" or words not in answer["message"] or not answer["remedy"]:
            fail(f"{str(sticker)[:80]} is answered with {answer}")
    page.evaluate("tell({ type: 'stickerd.export', version: 1, id: 'out', format: 'imgly' })")
    until(page, "said.some((one) => one.id === 'out')")
    content = page.evaluate("said.find((one) => one.id === 'out').composition")
    embedded = content["assetLibrary"]["assets"]["stickers"]
    # What an app calls like a sticker of the library is none.
    if not {"app:disc_0", "app:there"} < {one["identifier"] for one in embedded} or any(
            base64.b64decode(one["raster"]["data"]) != ART for one in embedded):
        fail(f"stickers of the app are not embedded: {[one['identifier'] for one in embedded]}")
    request = urllib.request.Request(f"{library.base}api/personal", ART, {"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        own = json.load(answer)["id"]
    end, answer = time.monotonic() + SECONDS_MAX, {"type": "stickerd.error"}
    while answer["type"] == "stickerd.error" and time.monotonic() < end:
        answer = load(own, token=TOKEN)
    placed(answer, 4)
    placed(load("u" + 24 * "0", token=TOKEN), 4, ["u" + 24 * "0"])
    placed(load(own, token=None), 4, [own])
    forgets_stickers_of_the_app(page, load, placed)
    urllib.request.urlopen(urllib.request.Request(
        f"{library.base}api/personal/{own}", headers={"Authorization": f"Bearer {TOKEN}"}, method="DELETE")).close()
    desk.done()


def forgets_stickers_of_the_app(page, load, placed):
    """A name that an app gives again shows the new picture, and nobody finds what was handed over for somebody else."""
    def avatar(colour):
        return {"identifier": "avatar", "picture": base64.b64encode(art_file(colour)).decode()}

    def shows(colour):
        page.evaluate("tell({ type: 'stickerd.export', version: 1, id: 'avatar', format: 'imgly' })")
        until(page, "said.some((one) => one.id === 'avatar')")
        content = page.evaluate("said.splice(said.findIndex((one) => one.id === 'avatar'), 1)[0].composition")
        data = {one["identifier"]: one["raster"]["data"] for one in content["assetLibrary"]["assets"]["stickers"]}
        if base64.b64decode(data["app:avatar"]) != art_file(colour):
            fail(f"the avatar is not {colour}")

    def brings(colour):
        sprite = {"type": "sticker", "options": {"identifier": "app:avatar", "position": {"x": 0.5, "y": 0.5},
                                                 "dimensions": {"x": 0.3, "y": 0.3}}}
        stickers = [{"identifier": "app:avatar", "raster": {"data": avatar(colour)["picture"]}}] if colour else []
        return {"operations": [{"type": "sprite", "options": {"sprites": [sprite]}}],
                "assetLibrary": {"assets": {"stickers": stickers}}}

    placed(load(avatar("crimson"), token=TOKEN), 5)
    shows("crimson")
    placed(load(avatar("gold")), 6)
    shows("gold")
    placed(load("app:avatar"), 7)
    placed(load("app:avatar", token=None), 7, ["app:avatar"])
    shows("gold")
    placed(load(avatar("teal"), token="another"), 8)
    shows("teal")
    placed(load("", token="yet another", composition=brings("purple")), 1)
    shows("purple")
    placed(load("app:avatar"), 2)
    placed(load("app:avatar", token="one more"), 2, ["app:avatar"])
    placed(load("", composition=brings(None)), 1, ["app:avatar"])
    # One that is handed over without a token is of whoever was there when it was sent.
    page.evaluate("""(sticker) => {
      for (const message of [{ id: "before", token: "ada" }, { id: "theirs", sticker }, { id: "after", token: "bob" }]) {
        tell({ type: "stickerd.load", version: 1, ...message });
      }
    }""", avatar("crimson"))
    until(page, "said.some((one) => one.id === 'after' && one.layers === 1)")
    until(page, "said.some((one) => one.id === 'theirs' && one.type === 'stickerd.error')")
    placed(load("app:avatar"), 1, ["app:avatar"])


def hands_tokens_over(chromium, library):
    """The app says who is there: nobody sees what was asked for by whoever was there before, and nothing is kept."""
    desk = Desk(chromium, library, expected=("/api/personal", "frame-ancestors"))
    page, held = desk.page, []
    own = io.BytesIO()
    art("darkorange")[0].save(own, "PNG")

    def personal(route):
        who = route.request.headers.get("authorization", "").removeprefix("Bearer ")
        if "/files/" in route.request.url:
            return route.fulfill(body=own.getvalue(), headers={"Content-Type": "image/png"})
        if who.startswith("wrong"):
            return route.fulfill(status=401, json={"error": "the token is not known"})
        sticker = {"id": f"of_{who}", "title": f"of {who}", "state": "ready", "animated": False, "tintMode": "none",
                   "url": f"{library.base}api/personal/files/{who}.png"}
        answer = {"category": {"id": "personal", "title": f"Of {who}"}, "stickers": [sticker]}
        if who == "slow":
            return held.append((route, answer))
        route.fulfill(json=answer)

    page.route("**/api/personal**", personal)
    slow = []
    page.route("**/api/stickers/trending*", lambda route: slow.append(route) if "slow" in slow else route.fallback())
    page.goto(library.allowed.origin)
    until(page, "said.some((one) => one.type === 'stickerd.ready')")
    inner = page.frame_locator("#frame")
    tabs = inner.get_by_role("tab")

    used = []

    def use(token, waits=True):
        used.append(token)
        page.evaluate("([id, token]) => tell({ type: 'stickerd.load', version: 1, id, token })", [len(used), token])
        if waits:
            until(page, f"said.some((one) => one.type === 'stickerd.loaded' && one.id === {len(used)})")

    use("ada")
    tabs.filter(has_text="Of ada").click()
    expect(inner.locator('#grid button[title="of ada"]')).to_have_count(1)
    # As soon as somebody else is there, the one before is gone, whatever the server does.
    slow.append("slow")
    use("slow", waits=False)
    expect(inner.locator('#grid button[title="of ada"]')).to_have_count(0)
    expect(inner.locator("#grid button")).to_have_count(0)
    for route in slow[1:]:
        route.continue_()
    slow.clear()
    expect(tabs.filter(has_text="Of ada")).to_have_count(0)
    end = time.monotonic() + SECONDS_MAX
    while not held and time.monotonic() < end:
        page.wait_for_timeout(50)
    use("bob")
    for route, answer in held:
        with contextlib.suppress(Exception):  # Nobody waits for it any more.
            route.fulfill(json=answer)
    page.wait_for_timeout(300)
    expect(tabs.filter(has_text="Of slow")).to_have_count(0)
    tabs.filter(has_text="Of bob").click()
    expect(inner.locator('#grid button[title="of bob"]')).to_have_count(1)
    kept = "[localStorage.length, sessionStorage.length, document.cookie, location.href.includes('bob')]"
    if page.frames[1].evaluate(kept) != [0, 0, "", False]:
        fail("a token of an app is kept")
    # The address of what is shown ends when its owner leaves.
    expect(inner.locator('#grid button[title="of bob"] img')).to_have_js_property("naturalWidth", 300)
    inner.locator('#grid button[title="of bob"]').click()
    shown = inner.locator("#layers-on-board .layer img")
    expect(shown).to_have_count(1)
    inner.locator("#query").fill("disc 1")
    expect(inner.locator('#grid button[title="disc 1"]')).to_have_count(1)
    use("")
    expect(tabs.filter(has_text="Of bob")).to_have_count(0)
    # Nor does the end of a search lead back there.
    inner.locator("#query").fill("")
    expect(inner.locator("#tabs [aria-selected=true]")).to_have_text("Newest")
    expect(inner.locator("#grid button").nth(1)).to_be_visible()
    expect(inner.locator('#grid button[title="of bob"]')).to_have_count(0)
    # What is placed stays; whoever knows its id gets no other one.
    page.evaluate("tell({ type: 'stickerd.load', version: 1, id: 'again', sticker: 'of_bob' })")
    until(page, "said.some((one) => one.id === 'again' && one.type === 'stickerd.loaded' && one.layers === 1"
                " && one.missing.join() === 'of_bob')")
    expect(shown).to_have_count(1)
    # Nor is it lost if that cannot be found out.
    page.route("**/api/stickers/by-id/**", lambda route: route.fulfill(status=503, json={"error": "away"}))
    page.evaluate("tell({ type: 'stickerd.load', version: 1, id: 'away', sticker: 'of_bob' })")
    until(page, "said.some((one) => one.id === 'away' && one.missing?.join() === 'of_bob' && one.layers === 1)")
    page.unroute("**/api/stickers/by-id/**")
    page.evaluate("tell({ type: 'stickerd.export', version: 1, id: 'kept', format: 'imgly' })")
    until(page, "said.some((one) => one.id === 'kept' && one.composition.assetLibrary.assets.stickers[0].raster.data)")
    expect(shown).to_have_count(1)
    page.evaluate("(sprites) => tell({ type: 'stickerd.load', version: 1, id: 'file', composition: { operations: sprites } })", [
        {"type": "sprite", "options": {"sprites": [{"type": "sticker", "options": {
            "identifier": "of_bob", "position": {"x": 0.5, "y": 0.5}, "dimensions": {"x": 0.3, "y": 0.3}}}]}}])
    until(page, "said.some((one) => one.id === 'file' && one.missing?.join() === 'of_bob')")
    expect(shown).to_have_count(0)
    # What came with the work of somebody opens to nobody else, either.
    theirs = {"identifier": "of_cy", "type": "personal", "raster": {"data": base64.b64encode(own.getvalue()).decode()}}
    page.evaluate("(composition) => tell({ type: 'stickerd.load', version: 1, id: 'cy', token: 'cy', composition })", {
        "operations": [{"type": "sprite", "options": {"sprites": [{"type": "sticker", "options": {
            "identifier": "of_cy", "position": {"x": 0.5, "y": 0.5}, "dimensions": {"x": 0.3, "y": 0.3}}}]}}],
        "assetLibrary": {"assets": {"stickers": [theirs]}}})
    until(page, "said.some((one) => one.id === 'cy' && one.type === 'stickerd.loaded' && !one.missing.length)")
    use(None)
    page.evaluate("tell({ type: 'stickerd.load', version: 1, id: 'whose', sticker: 'of_cy' })")
    until(page, "said.some((one) => one.id === 'whose' && one.missing?.join() === 'of_cy' && one.layers === 1)")
    # Who signs out while something else is still done for them does not come back.
    page.evaluate("""for (const [id, rest] of [["late", { key: "secret", token: "ada", sticker: "disc_0" }], ["out", { token: null }]])
      tell({ type: "stickerd.load", version: 1, id, ...rest });""")
    until(page, "said.some((one) => one.id === 'out' && one.type === 'stickerd.loaded' && one.layers === 1)")
    until(page, "said.some((one) => one.id === 'late' && one.type === 'stickerd.error')")
    expect(tabs.filter(has_text="Of ada")).to_have_count(0)
    use("wrong")
    until(page, "said.some((one) => one.notes?.[0] === 'The token is not known.')")
    lists_picks_for_their_picker(page, inner, use, library.allowed.origin)
    desk.done()


def lists_picks_for_their_picker(page, inner, use, origin):
    """Also while no stickers are open, and if somebody else comes before the picture."""
    held = []
    page.route("**/late.png", lambda route: held.append(route))
    page.route("**/api/stickers/trending*", lambda route: route.fulfill(json={"has_more": False, "images": [
        {"id": f"other.{name}", "title": name, "url": f"{origin}/{name}.png", "thumbnail": f"{origin}/art.png",
         "animated": False, "category": "other", "emojis": []} for name in ["art", "late"]]}))
    custom, layers = inner.locator("#tabs [data-id=personal]"), inner.locator("#layers-on-board .layer")
    inner.get_by_role("tab", name="Newest").click()
    count = layers.count()
    inner.locator('#grid button[title="art"]').click()
    expect(layers).to_have_count(count + 1)
    expect(custom).to_have_count(1)
    use("wrong")
    expect(custom).to_have_count(1)
    use("wrong, too")
    expect(custom).to_have_count(0)
    inner.locator('#grid button[title="late"]').click()
    end = time.monotonic() + SECONDS_MAX
    while not held and time.monotonic() < end:
        page.wait_for_timeout(50)
    use(None)
    for route in held:
        route.fulfill(body=ART, headers={"Content-Type": "image/png", "Access-Control-Allow-Origin": "*"})
    expect(layers).to_have_count(count + 2)
    expect(custom).to_have_count(0)


def until(page, expression):
    """Waits for it: a page whose policy forbids to evaluate texts cannot do that by itself."""
    end = time.monotonic() + SECONDS_MAX
    while not page.evaluate(expression):
        if time.monotonic() > end:
            fail(f"never true: {expression}; said: {page.evaluate('JSON.stringify(window.said ?? null)')[:1500]}")
        time.sleep(0.05)


def in_a_web_view(chromium, library):
    """As apps on iOS and Android have it: the program hands messages over, and no page is around it."""
    for name, script in [
        ("ios", "window.said = []; window.webkit = { messageHandlers: { stickerd: { postMessage: (m) => said.push(m) } } };"),
        ("android", "window.said = []; window.stickerdApp = { onmessage: null, postMessage: (m) => said.push(JSON.parse(m)) };"),
    ]:
        desk = Desk(chromium, library)
        desk.page.add_init_script(script)
        desk.open()
        page = desk.page
        until(page, "said.some((one) => one.type === 'stickerd.ready')")
        expect(page.locator("#save-png")).to_be_hidden()
        tell = {"ios": "(m) => window.postMessage(m, location.origin)",
                "android": "(m) => stickerdApp.onmessage({ data: JSON.stringify(m) })"}[name]
        picture = base64.b64encode((library.folder / "photo.jpg").read_bytes()).decode()
        page.evaluate(tell, {"type": "stickerd.load", "version": 1, "id": 1, "picture": picture, "sticker": "disc_1"})
        until(page, "said.some((one) => one.type === 'stickerd.loaded' && one.layers === 1)")
        page.evaluate(tell, {"type": "stickerd.export", "version": 1, "id": 2, "format": "both"})
        until(page, "said.some((one) => one.type === 'stickerd.exported' && one.id === 2)")
        told = page.evaluate("said.find((one) => one.type === 'stickerd.exported')")
        drawn = Composition(told["composition"], library.stickers).drawn(Image.open(library.folder / "photo.jpg"))
        if not is_same(Image.open(io.BytesIO(base64.b64decode(told["picture"]))), drawn):
            fail(f"the program ({name}) gets another picture than the file says")
        desk.done()


def asks_for_a_key(chromium, library):
    desk = Desk(chromium, library, expected=("/api/",))
    page = desk.page
    page.goto(f"{library.base}compose")
    expect(page.locator("#key-note")).to_contain_text("open with a key")
    page.fill("#key", "wrong")
    page.keyboard.press("Enter")
    expect(page.locator("#key-note")).to_contain_text("does not open the stickers")
    page.fill("#key", "secret")
    page.keyboard.press("Enter")
    expect(page.locator("#grid button").first).to_be_visible()
    desk.done()


def comes_from_the_gallery(chromium, library):
    desk = Desk(chromium, library)
    page = desk.page
    page.goto(f"{library.base}?api_key=secret#?disc 2")
    page.locator("#grid button").first.click()
    page.get_by_role("link", name="Place on a picture").click()
    desk.says("disc 2 is placed")
    expect(desk.layers).to_have_count(1)
    expect(page.locator("#grid button").first).to_be_visible()
    page.locator("#back").click()
    expect(page.locator("#categories a")).to_have_count(4)
    desk.done()


def tells_what_is_wrong(chromium, library):
    """A server that is away is said to be away, and asked again by a button."""
    desk = Desk(chromium, library, expected=("/api/",))
    page = desk.page
    page.route("**/api/stickers/**", lambda route: route.abort())
    page.goto(library.page)
    expect(page.locator("#message")).to_contain_text("The server does not answer. Try again in a moment.")
    desk.keep("away")
    page.unroute("**/api/stickers/**")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#grid button").first).to_be_visible()
    desk.done()


def main(programs, pictures=None):
    if pictures:
        pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=SECONDS_MAX * 1000)
    with library(pathlib.Path(programs)) as made, sync_playwright() as player:
        # The sandbox of Chromium refuses to work for root.
        chromium = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        content = None
        for screen, scheme, use in [("desktop", "light", by_mouse), ("desktop", "dark", by_keys), ("phone", "light", by_fingers),
                                    ("phone", "dark", without_picture)]:
            desk = Desk(chromium, made, screen, scheme, pictures,
                        reduced_motion="reduce" if use == by_keys else "no-preference")
            policy = desk.open().headers["content-security-policy"]
            if "default-src 'none'" not in policy or "unsafe" in policy or made.allowed.origin not in policy:
                fail(f"the policy is {policy}")
            shows_hints(desk)
            content = use(desk) or content
            looks(desk)
            if use == by_keys:
                fits_every_width(desk)
            desk.done()
        opens_again(chromium, made, content)
        for use in [snaps, opens_pictures, refuses_files, shows_the_librarys_own, keeps_odd_light]:
            desk = Desk(chromium, made, pictures=pictures, reduced_motion="reduce" if use == snaps else "no-preference")
            desk.open()
            use(desk)
            desk.done()
        inside_an_app(chromium, made, pictures)
        takes_stickers_of_the_app(chromium, made)
        hands_tokens_over(chromium, made)
        in_a_web_view(chromium, made)
        shows_stickers_of_others(chromium, made, pictures)
        shows_ones_own(chromium, made, pictures)
        makes_ones_own(chromium, made, pictures)
        asks_for_a_key(chromium, made)
        tells_what_is_wrong(chromium, made)
        comes_from_the_gallery(chromium, made)
        desk = Desk(chromium, made, pictures=pictures)
        desk.open()
        misses_what_is_gone(desk)
        desk.done()
        chromium.close()
    print("check-compose: stickers are placed by mouse, fingers and keys, and saved as they are shown")


if __name__ == "__main__":
    main(*sys.argv[1:])
