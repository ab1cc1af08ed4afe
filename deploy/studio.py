"""Shared by the checks of the console, whatever browser they use: ten pictures that become a category and a pack, a
damaged one that is mended, and the programs that do it."""

import contextlib
import json
import pathlib
import tempfile
import zipfile

from PIL import Image

from checks import Program, fail, free_port, wait

COLOURS = ["red", "orange", "gold", "green", "teal", "blue", "navy", "purple", "pink", "brown"]


class Studio:
    """A folder with a drop that the console may write into, a configuration to which `more` is added, and pictures."""

    def __init__(self, folder, more):
        self.folder, self.drop, port = folder, folder / "drop", free_port()
        self.drop.mkdir()
        self.base = f"http://127.0.0.1:{port}/"
        self.files = pictures(folder / "pictures")
        (folder / "marks").mkdir()
        Image.new("RGBA", (40, 40), "crimson").save(folder / "marks/logo.png")
        (folder / "config.json").write_text(json.dumps({
            "drops": ["drop"], "marks": "marks", "watch": {"settleSeconds": 0.2, "arrivingSecondsMax": 1},
            "publish": {"freeSpaceReserveBytes": 0}, "sticker": {"packs": ["whatsapp"]},
            "console": {"listen": f"127.0.0.1:{port}", "drops": ["drop"]}, **more}))


@contextlib.contextmanager
def studio(programs, servers=("stickerd-console",), **more):
    """A daemon and these servers at work."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        made, running = Studio(pathlib.Path(name), more), []
        # The daemon first, so that no page says that there is no library yet.
        for program, word in [("stickerd", "start scan finished"), *((server, "serves") for server in servers)]:
            one = Program([programs / program, "--config", made.folder / "config.json"], made.folder)
            running.append(stack.enter_context(one))
            wait(running, lambda: [] if word in one.said() else [f"{program}: {word}"])
        yield made


def pictures(folder):
    """Ten pictures, and a text that is called one."""
    folder.mkdir()
    for colour in COLOURS:
        picture = Image.new("RGBA", (96, 96))
        picture.paste(colour, (8, 8, 88, 88))
        picture.save(folder / f"{colour}.png")
    (folder / "notes.png").write_text("no picture")
    return sorted(folder.glob("*.png"))


def compare_pack(path, title, publisher, count=10):
    """Ends the check unless the pack has as many stickers and these words."""
    with zipfile.ZipFile(path) as pack:
        stickers = [name for name in pack.namelist() if name.endswith(".webp")]
        words = [pack.read(name).decode().strip() for name in ["title.txt", "author.txt"]]
        if len(stickers) != count or words != [title, publisher]:
            fail(f"the pack is not what was made: {words}, {pack.namelist()}")


def damaged(studio, title):
    """Drops a picture that ends too early into the category; returns the whole one, which is elsewhere."""
    whole = studio.folder / title / "olive.png"
    whole.parent.mkdir()
    # Noise, so that the cut goes through the picture and not behind it.
    Image.effect_noise((200, 200), 80).convert("RGB").save(whole)
    draft = studio.drop / title / ".olive.png"
    draft.write_bytes(whole.read_bytes()[:whole.stat().st_size // 2])
    draft.rename(studio.drop / title / "olive.png")
    return whole
