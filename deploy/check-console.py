#!/usr/bin/env python3
"""check-console.py PROGRAMS [PICTURES]: opens stickerd-console in Chromium, with the programs of that folder, and does
what an operator does at night: sees what is refused and why, acts on it in two clicks, by mouse and by keyboard, on a
desktop and on a phone. With PICTURES, what it saw is kept there. Needs Pillow and playwright."""

import json
import pathlib
import re
import sys
import tempfile
import time
import urllib.request

from PIL import Image
from playwright.sync_api import expect, sync_playwright

import accessibility
from checks import Program, fail, free_port, wait

HOSTILE = "<img src=x onerror=alert(1)> & \"quoted\""
# A busy machine needs its time.
SECONDS_MAX = 60
SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}


def draw(path, colour):
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}")
    Image.new("RGBA", (64, 64), colour).save(draft, "PNG")
    draft.rename(path)


def walk(page, base, keep):
    """Every page, seen and kept."""
    page.goto(base)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    expect(page.locator("#live")).to_have_text("live")
    keep(page, "overview")
    page.get_by_role("link", name="1 file with a missing end").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody")).to_contain_text(HOSTILE)
    keep(page, "jobs")
    # On a phone each cell says what it is, as no head stands over it.
    label = page.locator("tbody td").nth(3).evaluate("cell => getComputedStyle(cell, '::before').content")
    if ("File" in label) != (page.viewport_size["width"] < 600):
        fail(f"the cell of a file is labelled {label}")
    page.locator("tbody a").first.click()
    expect(page.get_by_text("Remedy:")).to_be_visible()
    expect(page.locator(".pictures img").first).to_be_visible()
    keep(page, "job")
    for name in ["Log", "Trash", "Plan", "Overview"]:
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute("aria-current", "page")
        keep(page, name.lower())
    page.goto(f"{base}parts")
    expect(page.get_by_role("heading", name="Grounds")).to_be_visible()
    keep(page, "parts")
    page.get_by_role("searchbox").fill("red")
    page.get_by_role("searchbox").press("Enter")
    page.get_by_role("cell", name="cats/red.png").first.wait_for()


def work(page, base, drop):
    """What is dropped is seen without a click; what is refused is dismissed by keyboard, and retried by mouse."""
    page.goto(base)
    expect(page.locator("#live")).to_have_text("live")
    page.locator("body").click(position={"x": 5, "y": 400})
    card = page.locator(".cards").last.get_by_role("link").last
    address = card.get_attribute("href")
    card.focus()
    draw(drop / "cats/blue.png", "blue")
    expect(page.locator(".cards").last).to_contain_text("blue.png")
    # Who was on a link is on it still.
    if page.evaluate("document.activeElement.getAttribute('href')") != address:
        fail("the page takes the keys away when it shows itself again")
    page.evaluate("document.activeElement.blur()")

    # A first click shows what may be granted, and the page stays as it is meanwhile.
    page.get_by_text("Retry all…").click()
    page.get_by_label("publish the part that can be read").check()
    page.get_by_role("button", name="Retry all").click()
    expect(page.get_by_role("status").filter(has_text="1 file queued again")).to_be_visible()
    page.get_by_role("link", name="Log", exact=True).click()
    expect(page.locator("tbody")).to_contain_text(HOSTILE)

    (drop / "cats/notes.psd").write_bytes(b"nothing")
    page.goto(base)
    expect(page.get_by_text("Dismiss all…")).to_be_visible()
    page.get_by_text("Dismiss all…").press("Enter")
    page.get_by_role("button", name="Dismiss all").press("Enter")
    expect(page.get_by_role("status").filter(has_text="1 file taken off the list")).to_be_visible()
    page.goto(base)
    expect(page.get_by_role("heading", name="Needs attention")).to_have_count(0)

    page.get_by_role("button", name="Pause everything").click()
    expect(page.get_by_text("Everything is paused.")).to_be_visible()
    page.get_by_role("button", name="Resume everything").click()
    expect(page.get_by_role("button", name="Pause everything")).to_be_visible()


def torn(page, base, drop):
    """A file that no browser reads is said to be one, without a torn picture."""
    (drop / "cats/torn.png").write_bytes(b"nothing")
    page.goto(f"{base}jobs?file=torn")
    expect(page.locator("tbody")).to_contain_text("needs attention")
    # The pictures fail before the page's script runs, and then after it.
    address = base.rstrip("/") + page.locator("tbody a").first.get_attribute("href")
    scripts = []
    page.route("**/console.js", lambda route: scripts.append(route), times=1)
    page.goto(address, wait_until="commit")
    have_failed = "document.images.length > 1 && [...document.images].every(each => each.complete)"
    wait([], lambda: [] if page.evaluate(have_failed) and scripts else ["pictures that failed before the script"])
    scripts[0].continue_()
    expect(page.get_by_text("The file: not shown here")).to_be_visible()
    # Both at once: a page that shows itself again later would hide that one was forgotten.
    if page.locator(".pictures img").count():
        fail("a torn picture is left")
    page.reload()
    expect(page.get_by_text("The file: not shown here")).to_be_visible()
    expect(page.locator(".pictures img")).to_have_count(0)


def change_early(page, base, drop):
    """What changes after a page was made and before its first look around is shown, too."""
    def hold(route):
        draw(drop / "cats/green.png", "green")
        end = time.monotonic() + SECONDS_MAX
        while b"cats/green.png" not in urllib.request.urlopen(f"{base}log", timeout=SECONDS_MAX).read():
            if time.monotonic() > end:
                fail("a picture does not reach the log")
            time.sleep(0.1)
        route.continue_()

    page.route("**/state", hold, times=1)
    page.goto(f"{base}log")
    expect(page.locator("tbody")).to_contain_text("cats/green.png")


def ages(page, base):
    """Times stay true on a page that nothing else changes."""
    page.route("**/state", lambda route: route.abort())
    page.goto(f"{base}log")
    page.evaluate("document.querySelector('time.ago').dateTime = new Date(Date.now() - 7200_000).toISOString()")
    expect(page.locator("time.ago").first).to_have_text(re.compile(r"^2 h( 1 min)? ago$"))


def main():
    expect.set_options(timeout=SECONDS_MAX * 1000)
    programs = pathlib.Path(sys.argv[1]).resolve()
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = pathlib.Path(name)
        drop, port = folder / "drop", free_port()
        base = f"http://127.0.0.1:{port}/"
        draw(drop / "cats/red.png", "red")
        whole = (drop / "cats/red.png").read_bytes()
        (drop / f"cats/{HOSTILE}.png").write_bytes(whole[:-20])
        config = folder / "config.json"
        config.write_text(json.dumps({
            "drops": ["drop"], "watch": {"settleSeconds": 0.2, "arrivingSecondsMax": 1},
            "publish": {"freeSpaceReserveBytes": 0}, "console": {"listen": f"127.0.0.1:{port}"}}))
        arguments = ["--config", str(config)]
        with Program([programs / "stickerd", *arguments], folder) as daemon:
            wait([daemon], lambda: [] if "job refused" in daemon.said() else ["a refused picture"])
            with Program([programs / "stickerd-console", *arguments], folder) as console:
                wait([daemon, console], lambda: [] if "serves" in console.said() else ["a console"])
                browser = playwright.chromium.launch(
                    executable_path="/usr/bin/chromium", args=["--no-sandbox"])
                troubles = []
                for scheme in ["light", "dark"]:
                    for screen, (width, height) in SCREENS.items():
                        context = browser.new_context(
                            viewport={"width": width, "height": height}, color_scheme=scheme)
                        page = context.new_page()
                        page.set_default_timeout(SECONDS_MAX * 1000)
                        page.on("console", lambda message: troubles.append(message.text))
                        page.on("pageerror", lambda error: troubles.append(str(error)))
                        page.on("dialog", lambda dialog: troubles.append("a dialog"))
                        page.on("request", lambda request: request.url.startswith(base)
                                or troubles.append(f"asks {request.url}"))

                        def keep(page, what):
                            # A link that was clicked shows its page before its style sheet is there.
                            page.wait_for_load_state()
                            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
                            troubles.extend(accessibility.faults(page, f"{what} on a {screen}, {scheme}"))
                            if wide:
                                troubles.append(f"{what} is wider than a {screen}")
                            if pictures:
                                pictures.mkdir(parents=True, exist_ok=True)
                                page.screenshot(path=pictures / f"console-{what}-{screen}-{scheme}.png")

                        walk(page, base, keep)
                        context.close()
                page = browser.new_page()
                page.set_default_timeout(SECONDS_MAX * 1000)
                work(page, base, drop)
                torn(page, base, drop)
                change_early(page, base, drop)
                ages(page, base)
                browser.close()
                if troubles:
                    fail("\n".join(troubles))
    print("check-console: every page seen, and what an operator does done")


if __name__ == "__main__":
    main()
