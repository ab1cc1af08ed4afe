#!/usr/bin/env python3
"""check-studio.py PROGRAMS [PICTURES]: makes a category of ten pictures in the console, in Chromium, names and orders
them, gives them emoji and takes a WhatsApp pack away: by mouse, by keys alone and with fingers on a phone. A damaged
picture is mended, packs are previewed, a look is tried and saved, files are moved, removed and put back, a sticker is
reviewed. Two people who edit at once lose nothing, and every page has no serious fault that axe-core finds.
With PICTURES, what it saw is kept there. Needs Pillow and playwright."""

import contextlib
import json
import pathlib
import re
import sys
import time
import zipfile

from PIL import Image
from playwright.sync_api import expect, sync_playwright

import accessibility
from checks import Program, fail, free_port, wait
from studio import compare_pack, damaged, studio

# A busy machine needs its time.
SECONDS_MAX = 60


class Hand:
    """Uses a page by mouse, by keys or with a finger, and counts what it does."""

    def __init__(self, page, kind):
        self.page, self.kind, self.actions = page, kind, 0

    def press(self, what):
        self.actions += 1
        if self.kind == "keys":
            what.focus()
            self.page.keyboard.press("Space" if what.get_attribute("type") == "checkbox" else "Enter")
        elif self.kind == "finger":
            what.tap()
        else:
            what.click()

    def write(self, where, text):
        self.actions += 1
        if self.kind == "keys":
            where.focus()
        elif self.kind == "finger":
            where.tap()
        else:
            where.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)


def begin(page, base, files):
    """The shortest way of somebody new, from an empty library to a pack that an app takes; returns its actions."""
    hand = Hand(page, "mouse")
    page.goto(base)
    hand.press(page.locator(".empty").get_by_role("link", name="library"))
    hand.write(page.get_by_label("New category"), "First")
    hand.actions += 1
    page.get_by_label("Pictures").set_input_files(files)
    hand.press(page.get_by_role("button", name="Add", exact=True))
    hand.press(page.locator("a.card", has_text="First"))
    hand.press(page.get_by_role("link", name="Set the publisher"))
    expect(page.locator("#words")).to_have_attribute("open", "")
    hand.write(page.get_by_label("Publisher").first, "Ada")
    hand.press(page.locator("#words").get_by_role("button", name="Save"))
    pack = page.locator(".pack", has_text="WhatsApp")
    hand.press(pack.get_by_role("link", name="Give emoji"))
    fields = page.get_by_label(re.compile("^Emoji of "))
    expect(fields).to_have_count(len(files))
    for field in fields.all():
        hand.write(field, "🙂")
    hand.press(page.get_by_role("button", name="Save all"))
    expect(pack.locator(".chip")).to_have_text("ready")
    with page.expect_download() as download:
        hand.press(pack.get_by_role("link", name=re.compile("^Download .*wastickers")))
    compare_pack(download.value.path(), "First", "Ada", len(files))
    return hand.actions


def make(page, base, kind, files, title, keep):
    """From ten pictures to a pack; returns the number of actions."""
    hand = Hand(page, kind)
    page.goto(f"{base}library")
    expect(page.locator("#live")).to_have_text("live")
    hand.write(page.get_by_label("New category"), title)
    hand.actions += 1
    page.get_by_label("Pictures").set_input_files(files)
    hand.press(page.get_by_role("button", name="Add", exact=True))
    bad = page.locator(".arriving .bad")
    expect(bad).to_have_text(re.compile("notes.png.*not a readable picture"))
    expect(page.locator(".arriving .good")).to_have_count(10)
    keep(page, "arriving")
    hand.press(page.get_by_role("button", name="I have read that"))
    hand.press(page.locator("a.card", has_text=title))
    expect(page.locator(".sortable > li")).to_have_count(10)
    keep(page, "category")

    hand.press(page.get_by_role("link", name="Edit titles and emoji"))
    hand.write(page.get_by_label("Title of blue"), "Deep blue")
    hand.press(page.get_by_role("button", name="Choose emoji: Emoji of blue"))
    page.get_by_label("Search emoji").fill("whale")
    keep(page, "emoji")
    hand.press(page.get_by_role("button", name="spouting whale"))
    hand.press(page.get_by_role("button", name="Done"))
    expect(page.get_by_label("Emoji of blue", exact=True)).to_have_value("🐳")
    keep(page, "editing")
    hand.press(page.get_by_role("button", name="Save all"))
    expect(page.get_by_role("status").filter(has_text="saved in")).to_be_visible()

    hand.press(page.get_by_role("link", name="Show as pictures"))
    expect(page.locator(".sortable .name").first).to_have_text("Deep blue")
    hand.press(page.get_by_role("button", name="Deep blue: later"))
    keep(page, "ordered")
    hand.press(page.get_by_role("button", name="Save the order"))
    expect(page.locator(".sortable .name").first).to_have_text("brown")
    hand.press(page.get_by_role("button", name="Select all"))
    hand.press(page.locator(".bar.many summary"))
    hand.write(page.locator(".bar.many").get_by_label("Emoji", exact=False).first, "🎨")
    keep(page, "many")
    hand.press(page.get_by_role("button", name="Save for all"))
    expect(page.get_by_role("status").filter(has_text="saved in 10 files")).to_be_visible()

    hand.press(page.get_by_role("link", name="Set the publisher"))
    # A key does not wait for the page that it opens, and the fields are on this one, too.
    expect(page.locator("#words")).to_have_attribute("open", "")
    hand.write(page.get_by_label("Publisher").first, "Ada")
    hand.press(page.locator("#words").get_by_role("button", name="Save"))
    expect(page.get_by_role("link", name=re.compile("^Download .*wastickers"))).to_be_visible()
    keep(page, "packs")
    with page.expect_download() as download:
        hand.press(page.get_by_role("link", name=re.compile("^Download .*wastickers")))
    compare_pack(download.value.path(), title, "Ada")
    return hand.actions


def mend(page, made, kind, title, count, keep):
    """From the overview to the cause of a refusal, its remedy, and the end of it."""
    hand = Hand(page, kind)
    whole = damaged(made, title)
    page.goto(made.base)
    hand.press(page.get_by_role("link", name="1 file with a missing end"))
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody")).to_contain_text(f"{title}/olive.png")
    hand.press(page.locator("tbody a").first)
    expect(page.get_by_text("Remedy:")).to_be_visible()
    keep(page, "refused")
    job = page.url
    hand.press(page.get_by_role("link", name="Library", exact=True))
    hand.press(page.locator("a.card", has_text=title))
    expect(page.locator(".sortable > li")).to_have_count(count)
    page.get_by_label("Pictures").set_input_files(whole)
    hand.press(page.get_by_role("button", name="Add", exact=True))
    hand.press(page.get_by_role("button", name="Replace it"))
    expect(page.locator(".sortable > li")).to_have_count(count + 1)
    page.goto(job)
    expect(page.get_by_text("Its place was taken by")).to_be_visible()
    expect(page.get_by_text("Remedy:")).to_have_count(0)
    page.goto(made.base)
    expect(page.get_by_role("link", name="0 files need attention")).to_be_visible()
    expect(page.get_by_role("link", name="1 file with a missing end")).to_have_count(0)


def drag(page, base, drop):
    """A sticker is dragged to another place, and the order is in the file as people write it."""
    folder = next(path for path in drop.iterdir() if path.name == "By mouse")
    page.goto(f"{base}library/by_mouse")
    expect(page.locator("#live")).to_have_text("live")
    cards = page.locator(".sortable > li")
    last = cards.nth(9).get_attribute("data-path")
    cards.nth(9).locator("a").drag_to(cards.nth(0), target_position={"x": 10, "y": 60})
    page.get_by_role("button", name="Save the order").click()
    expect(page.get_by_role("status").filter(has_text="saved in")).to_be_visible()
    order = json.loads((folder / "category.json").read_text())["order"]
    if order[0] != last or len(order) != 10:
        fail(f"{last} was dragged to the front, and the order is {order}")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("undone in 1 file")).to_be_visible()
    if json.loads((folder / "category.json").read_text())["order"][0] == last:
        fail("the order was not undone")


def together(browser, base, drop):
    """Two people edit a sticker at once: neither loses a word, and who comes second sees what is there."""
    one, two = browser.new_page(), browser.new_page()
    for page in [one, two]:
        page.set_default_timeout(SECONDS_MAX * 1000)
        page.goto(f"{base}library/by_mouse")
        page.locator("a.card", has_text="pink").click()
        expect(page.get_by_role("heading", name="pink")).to_be_visible()
    one.get_by_label("Title").fill("Rose")
    two.get_by_label("Title").fill("Flamingo")
    two.get_by_label("Licence").fill("CC0")
    one.get_by_role("button", name="Save").click()
    expect(one.get_by_role("status").filter(has_text="saved in")).to_be_visible()
    two.get_by_role("button", name="Save").click()
    expect(two.get_by_role("alert")).to_contain_text("changed since by somebody else")
    expect(two.get_by_text("now: “Rose”")).to_be_visible()
    expect(two.get_by_label("Title")).to_have_value("Flamingo")
    words = json.loads((drop / "By mouse/pink.png.sticker.json").read_text())
    if words.get("title") != "Rose" or "licence" in words:
        fail(f"the second person's words took the place of the first one's: {words}")
    two.get_by_role("button", name="Save").click()
    expect(two.get_by_role("status").filter(has_text="saved in")).to_be_visible()
    words = json.loads((drop / "By mouse/pink.png.sticker.json").read_text())
    if (words["title"], words["licence"]) != ("Flamingo", "CC0"):
        fail(f"what was saved knowingly is not there: {words}")


def again(page, base, files, drop):
    """What is there already, and what another picture has the name of, is answered at once."""
    page.goto(f"{base}library/by_mouse")
    page.get_by_label("Pictures").set_input_files(files[0])
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".arriving")).to_contain_text("is there already")
    other = files[0].with_name("other")
    other.mkdir(exist_ok=True)
    Image.new("RGBA", (80, 80), "black").save(other / files[0].name)
    page.get_by_label("Pictures").set_input_files(other / files[0].name)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".arriving .bad")).to_contain_text("another picture has this name")
    page.get_by_role("button", name="Replace it").click()
    replaced = drop / "By mouse" / files[0].name
    expect(page.get_by_role("status").filter(has_text="took the place of the earlier picture")).to_be_visible()
    for content in [files[0], other / files[0].name]:
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("undone in 1 file")).to_be_visible()
        if replaced.read_bytes() != content.read_bytes():
            fail("a picture that was replaced is not there after undo, or the other one after undoing that")
    page.goto(f"{base}library/by_mouse")
    # What is received whole shows itself as a sticker, and what waits for a word stays as it is meanwhile.
    Image.new("RGBA", (80, 80), "white").save(other / "white.png")
    page.get_by_label("Pictures").set_input_files(other / "white.png")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".sortable > li")).to_have_count(11)
    page.get_by_role("button", name="teal: earlier").click()
    page.get_by_label("teal: select").check()
    expect(page.locator(".bar.many")).to_be_hidden()
    Image.new("RGBA", (80, 80), "gray").save(other / "gray.png")
    (other / "gray.png").rename(drop / "By mouse/gray.png")
    expect(page.locator("#live")).to_have_text("waits for you")
    time.sleep(5)
    expect(page.locator(".sortable > li")).to_have_count(11)
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(".sortable > li")).to_have_count(12)


def moves(page, base, drop):
    """The file of a sticker is renamed, moved, removed and put back; its sticker and its words stay the same."""
    folder, name = drop / "By mouse", "green leaf.png"
    words = folder / f"{name}.sticker.json"

    def sent(text):
        expect(page.get_by_role("status").filter(has_text=text)).to_be_visible()

    page.goto(f"{base}library/by_mouse")
    page.locator("a.card", has_text="green").click()
    expect(page.get_by_role("heading", name="green")).to_be_visible()
    sticker = page.url
    page.get_by_label("Name of the file").fill(name)
    page.get_by_role("button", name="Rename or move").click()
    sent(f"moved to By mouse/{name}")
    if not (folder / name).exists() or json.loads(words.read_text())["emojis"] != ["🎨"]:
        fail("a renamed file is not there with its words")
    expect(page.get_by_role("heading", name="green leaf")).to_be_visible()
    page.get_by_label("Category").select_option("by_keys")
    page.get_by_role("button", name="Rename or move").click()
    sent(f"moved to By keys/{name}")
    page.goto(f"{base}library/by_keys")
    expect(page.locator(f"a.card[href='{sticker[len(base) - 1:].split('?')[0]}']")).to_be_visible()
    page.goto(sticker)
    page.get_by_label("Category").select_option("by_mouse")
    page.get_by_role("button", name="Rename or move").click()
    sent(f"moved to By mouse/{name}")
    page.get_by_role("button", name="Use as the picture of the category").click()
    sent("By mouse/cover.png is the picture of the category")
    if (folder / "cover.png").read_bytes() != (folder / name).read_bytes():
        fail("the picture of the category is not that of the sticker")
    page.locator("summary", has_text="Remove…").click()
    page.get_by_role("button", name=f"Remove By mouse/{name}").click()
    sent("is removed")
    if (folder / name).exists() or words.exists():
        fail("a removed file is still there")
    page.goto(f"{base}trash")
    page.get_by_role("row", name="green leaf").get_by_role("button", name="Put back").click()
    sent("is back")
    if not (folder / name).exists() or not words.exists():
        fail("a file that was put back is not there with its words")


def reviews(page, base, made, keep):
    """A picture of a reviewed category is shown and published nowhere, until its button is pressed."""
    (made.drop / "Held").mkdir()
    (made.drop / "Held" / "teal.png").write_bytes((made.folder / "pictures" / "teal.png").read_bytes())
    page.goto(f"{base}library")
    page.locator("a.card", has_text="Held").click()
    waiting = page.locator("section", has=page.get_by_role("heading", name="Waits for review"))
    expect(waiting.locator("a.card", has_text="teal.png")).to_be_visible()
    expect(page.get_by_text("No sticker yet.")).to_be_visible()
    keep(page, "review")
    if (made.folder / "out" / "held" / "manifest.json").exists():
        fail("a picture is published before its review")
    waiting.locator("a.card").click()
    if page.get_by_alt_text("The sticker in review").first.evaluate("image => image.naturalWidth") != 512:
        fail("the sticker in review is not shown")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status").filter(has_text="1 file queued to be published")).to_be_visible()
    page.goto(f"{base}library/held")
    expect(page.locator("#stickers a.card", has_text="teal")).to_be_visible()
    expect(page.get_by_role("cell", name="published it after review")).to_be_visible()


def look(page, base, drop, keep):
    """A look is tried on pictures of the category, saved and published just so, and undone."""
    file = drop / "By mouse/category.json"
    before = file.read_text()
    page.goto(f"{base}library/by_mouse")
    page.locator("summary", has_text="Look:").click()
    panel = page.locator("form.look")
    said = panel.get_by_role("status")
    panel.get_by_label("Outline, pixels").fill("99")
    expect(said).to_contain_text("allowed is a whole number from 0 to 64")
    panel.get_by_label("Outline, pixels").fill("12")
    panel.get_by_label("Colour of the outline", exact=True).fill("#FF00FF")
    panel.get_by_label("logo.png", exact=True).check()
    panel.get_by_label("logo.png: place").select_option("top left")
    expect(panel.get_by_label("Which")).to_have_value("own")
    expect(said).to_have_text("as it would be published; nothing is saved yet")
    if file.read_text() != before:
        fail("a look that is only tried was written")
    keep(page, "look")
    tried = panel.locator("[data-preview]").first
    sticker = tried.get_attribute("data-preview").split("/")[-1]
    preview = page.request.get(base + tried.locator("img").first.get_attribute("src")[1:]).body()
    panel.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="saved in By mouse/category.json")).to_be_visible()
    written = json.loads(file.read_text())["look"]
    if written["outline"] != {"pixels": 12, "color": "#FF00FF"} or written["watermarks"][0]["image"] != "logo.png":
        fail(f"the look was not saved as it was filled in: {written}")
    deadline, published = time.time() + SECONDS_MAX, b""
    while published != preview:
        if time.time() > deadline:
            fail(f"{sticker} was not published as it was previewed")
        time.sleep(0.5)
        page.goto(f"{base}stickers/{sticker}")
        picture = page.locator("figure", has_text="The sticker").locator("img").first
        published = page.request.get(base + picture.get_attribute("src")[1:]).body()
    page.goto(f"{base}library/by_mouse")
    # Without the script the form shows itself again with the pictures.
    key = page.locator("form.look [name=key]").get_attribute("value")
    answer = page.request.post(f"{base}library/by_mouse", form={
        "key": key, "part": "look", "was-look": "", "outlinePixels": "3", "try": "1"}, headers={"Origin": base[:-1]})
    if answer.status != 200 or 'value="3"' not in answer.text() or "/look/" not in answer.text():
        fail(f"the preview of a plain form is answered with {answer.status}")


def packs(page, base, keep):
    """A pack is shown as an app shows it, and one that is a folder comes as one file."""
    page.goto(f"{base}library/by_mouse")
    page.locator(".pack", has_text="WhatsApp").get_by_role("link", name="Preview").click()
    expect(page.locator(".preview .tray")).to_be_visible()
    expect(page.locator(".preview li img").first).to_be_visible()
    keep(page, "preview")
    titles = page.locator(".preview li a").evaluate_all("links => links.map(link => link.title)")
    if len(titles) < 10 or not any(title == "Deep blue 🎨" for title in titles):
        fail(f"the preview of a pack shows {titles}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download by_mouse-whatsapp-android.zip").click()
    with zipfile.ZipFile(download.value.path()) as pack:
        contents = json.loads(pack.read("contents.json"))["sticker_packs"][0]
        files = {f"{contents['identifier']}/{sticker['image_file']}" for sticker in contents["stickers"]}
        if pack.testzip() or not files <= set(pack.namelist()) or len(files) != len(titles):
            fail(f"the folder of a pack is not whole: {pack.namelist()}")


@contextlib.contextmanager
def guarded(programs, made):
    """A second console of the library, which lets in one person with a token; the address of its pages."""
    port, config = free_port(), json.loads((made.folder / "config.json").read_text())
    config["console"] |= {
        "listen": f"127.0.0.1:{port}", "people": {"ada": {"role": "operator", "tokenSHA256": "0" * 64}}}
    (made.folder / "guarded.json").write_text(json.dumps(config))
    (made.folder / "guarded").mkdir()
    command = [programs / "stickerd-console", "--config", made.folder / "guarded.json"]
    with Program(command, made.folder / "guarded") as console:
        wait([console], lambda: [] if "serves" in console.said() else ["a console"])
        yield f"http://127.0.0.1:{port}/"


def every_page(browser, programs, made, see):
    """Each page with something on it, in both schemes."""
    base, drop, config = made.base, made.drop, made.folder / "config.json"
    page = browser.new_page()
    page.set_default_timeout(SECONDS_MAX * 1000)
    (drop / "By keys/torn.png").write_bytes(b"nothing")
    page.goto(f"{base}library/by_keys")
    expect(page.get_by_role("heading", name="Needs attention")).to_be_visible()
    page.locator(".sortable a.card", has_text="pink").click()
    page.get_by_role("heading", name="History").wait_for()
    sticker = page.url.removeprefix(base)
    page.goto(f"{base}library/by_finger")
    page.locator(".sortable a.card", has_text="teal").click()
    page.locator("summary", has_text="Remove…").click()
    page.get_by_role("button", name="Remove By finger/teal.png").click()
    expect(page.get_by_role("status").filter(has_text="is removed")).to_be_visible()
    page.goto(f"{base}jobs?file=pink")
    job = page.locator("tbody a").first.get_attribute("href")[1:]
    # The plan is that of the file, which nobody has put in force.
    before = json.loads(config.read_text())
    config.write_text(json.dumps({**before, "sticker": {**before["sticker"], "outline": {"pixels": 8}}}))
    page.close()
    addresses = [
        "", "library", "library/by_keys", "library/by_keys?edit=1", "library/by_keys?words=1",
        "library/by_keys/packs/whatsapp", sticker, "jobs", "jobs?state=attention", job, "log", "trash", "plan", "parts",
        "nowhere"]
    with guarded(programs, made) as other:
        for scheme, (width, height) in [("light", (390, 844)), ("dark", (1280, 800))]:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            for address in [*(base + address for address in addresses), other]:
                page.goto(address)
                see(page, f"{address}, {scheme}")
            context.close()
    config.write_text(json.dumps(before))


def main():
    expect.set_options(timeout=SECONDS_MAX * 1000)
    programs = pathlib.Path(sys.argv[1]).resolve()
    kept = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    reviewed = {"Held": {"review": True}}
    with studio(programs, categories=reviewed) as made, sync_playwright() as playwright:
        base, drop, files = made.base, made.drop, made.files
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        troubles, actions = [], {}
        page = browser.new_page()
        page.set_default_timeout(SECONDS_MAX * 1000)
        actions["the shortest way"] = begin(page, base, files[:3])
        page.close()
        for kind, scheme, (width, height) in [
                ("mouse", "light", (1280, 800)), ("keys", "dark", (1280, 800)), ("finger", "dark", (390, 844))]:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=kind == "finger")
            page = context.new_page()
            page.set_default_timeout(SECONDS_MAX * 1000)
            # A picture that is refused is answered so, and one whose name another one has.
            page.on("console", lambda message: "(Unsupported Media Type)" in message.text
                    or "(Conflict)" in message.text and "name=olive.png" in message.location["url"]
                    or troubles.append(f"{message.text} {message.location['url']} on {page.url}"))
            page.on("pageerror", lambda error: troubles.append(str(error)))

            def keep(page, what):
                troubles.extend(accessibility.faults(page, f"{what} by {kind}"))
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    troubles.append(f"{what} is wider than the screen of {kind}")
                if kept:
                    kept.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=kept / f"studio-{what}-{kind}.png", full_page=True)

            actions[kind] = make(page, base, kind, files, f"By {kind}", keep)
            if kind != "mouse":
                mend(page, made, kind, f"By {kind}", 10, keep)
            context.close()
        page = browser.new_page()
        page.set_default_timeout(SECONDS_MAX * 1000)
        drag(page, base, drop)
        together(browser, base, drop)
        again(page, base, files, drop)
        mend(page, made, "mouse", "By mouse", 12, lambda *_: None)
        packs(page, base, keep)
        look(page, base, drop, keep)
        moves(page, base, drop)
        reviews(page, base, made, keep)
        every_page(browser, programs, made, lambda page, where: troubles.extend(accessibility.faults(page, where)))
        browser.close()
        if troubles:
            fail("\n".join(troubles))
        if max(actions.values()) > 25:
            fail(f"a pack takes more than 25 actions: {actions}")
    least = actions.pop("the shortest way")
    print(f"check-studio: three pictures became a pack in {least} actions, and ten with words, by any means, "
          f"in {max(actions.values())}")


if __name__ == "__main__":
    main()
