#!/usr/bin/python3
"""Draws the pictures of the documents, of what the programs really do: they run, and what they say and
write is shown as it is. What is typed, and how long each line can be read, is all that is set.

    picture.py PROGRAMS SIDE_BY_SIDE.png MOVING.webp MARKS.png STUDIO.png
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unicodedata

from PIL import Image, ImageDraw, ImageFont

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
PAPER, INK, FAINT = (250, 250, 248), (40, 40, 46), (120, 120, 126)
GROUND, LIGHT, TYPED = (30, 32, 38), (214, 216, 220), (255, 255, 255)


def font(name, size):
    return ImageFont.truetype(str(FONTS / f"{name}.ttf"), size)


class Library:
    """A daemon at work in a folder that goes away."""

    def __init__(self, programs, folder, configuration=None):
        self.folder = folder
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "NO_COLOR": "1"}
        if configuration:
            (folder / "config.json").write_text(json.dumps(configuration))
            # By its name, because root reads no ./config.json.
            self.environment["STICKERD_CONFIG"] = "config.json"
        (folder / "drop").mkdir()
        self.daemon, self.log = None, None

    def draw(self):
        """The pictures that stickerd-demo draws, by the first word of their titles."""
        (self.folder / "pictures").mkdir()
        self.run("stickerd-demo pictures pictures")
        return {file.name.split()[1]: file for file in sorted((self.folder / "pictures").iterdir())}

    def start(self):
        self.log = open(self.folder / "log", "wb")
        self.daemon = subprocess.Popen(
            ["stickerd"], cwd=self.folder, env=self.environment, stderr=self.log)
        self.until(lambda: "start scan finished" in self.said())

    def stop(self):
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait()

    def run(self, command):
        return subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, check=True,
            stdout=subprocess.PIPE, text=True).stdout

    def said(self):
        return (self.folder / "log").read_text()

    def until(self, condition):
        end = time.monotonic() + 60
        while not condition():
            if time.monotonic() > end:
                sys.exit(f"picture: nothing came of it in 60 s:\n{self.said()}")
            time.sleep(0.05)

    def sticker(self, category, identifier):
        """The entry of a manifest's sticker with the path of its file; None if there is none yet."""
        path = self.folder / "out" / category / "manifest.json"
        if not path.exists():
            return None
        for entry in json.loads(path.read_text())["stickers"]:
            if entry["identifier"] == identifier:
                return {**entry, "path": path.parent / entry["imageURL"]}
        return None


def chequered(size):
    """What transparency is shown on."""
    ground = Image.new("RGB", (size, size), (236, 236, 232))
    draw = ImageDraw.Draw(ground)
    for x in range(0, size, 12):
        for y in range(0, size, 12):
            if (x + y) // 12 % 2:
                draw.rectangle((x, y, x + 11, y + 11), fill=(216, 216, 212))
    return ground


def tile(path, size):
    """The picture, its first frame if it moves, as large as fits."""
    picture = Image.open(path)
    scale = min(size / side for side in picture.size)
    shown = picture.convert("RGBA").resize(
        [max(1, round(side * scale)) for side in picture.size],
        Image.NEAREST if scale > 1 else Image.LANCZOS)
    ground = chequered(size)
    ground.paste(shown, [(size - side) // 2 for side in shown.size], shown)
    return ground


def about(path):
    """Format, size in pixels, frames and bytes, of the file itself."""
    picture = Image.open(path)
    frames = getattr(picture, "n_frames", 1)
    moving = f", {frames} frames" if frames > 1 else ""
    name = "WebP" if picture.format == "WEBP" else picture.format
    return [f"{name} {picture.width}x{picture.height}{moving}", f"{path.stat().st_size:,} B"]


def side_by_side(programs, target):
    """What was dropped above what became of it."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(programs, pathlib.Path(folder))
        files = library.draw()
        dropped = {
            "hello": "hello", "evening": "evening_at_sea", "bouncing": "bouncing_ball",
            "little": "little_ghost"}
        category = library.folder / "drop" / "hello"
        category.mkdir()
        for word in dropped:
            shutil.copy(files[word], category)
        library.start()
        try:
            def stickers():
                return [library.sticker("hello", identifier) for identifier in dropped.values()]
            library.until(lambda: all(stickers()))
            sheet([files[word] for word in dropped], stickers(), target)
        finally:
            library.stop()


def sheet(sources, stickers, target):
    side, gap, margin, text = 208, 24, 84, 52
    width = margin + len(sources) * (side + gap)
    picture = Image.new("RGB", (width, 2 * (side + text) + 3 * gap), PAPER)
    draw = ImageDraw.Draw(picture)
    plain, bold = font("DejaVuSans", 14), font("DejaVuSans-Bold", 14)
    for row, title in enumerate(["dropped", "sticker"]):
        draw.text((14, gap + row * (side + text + gap) + side // 2), title, INK, bold, anchor="lm")
    for column, (source, sticker) in enumerate(zip(sources, stickers)):
        x = margin + column * (side + gap)
        encoding = sticker["encoding"]
        how = [f"{encoding['mode']}, score {encoding['score']:g}"]
        for row, (path, more) in enumerate([(source, []), (sticker["path"], how)]):
            y = gap + row * (side + text + gap)
            picture.paste(tile(path, side), (x, y))
            for line, words in enumerate([*about(path), *more]):
                draw.text((x, y + side + 5 + 17 * line), words, FAINT if line else INK, plain)
    pathlib.Path(target).parent.mkdir(parents=True, exist_ok=True)
    picture.save(target, optimize=True)


MARKS = [
    ("outline", "hello", {"outline": {"pixels": 12}}),
    ("words", "hello", {"watermarks": [
        {"id": "words", "anchor": [0.5, 0.97], "text": {
            "text": "good morning ☕", "font": "Inter Black", "size": 58,
            "stroke": {"pixels": 6, "color": "#2A2F45"}}}]}),
    ("picture", "evening", {"watermarks": [
        {"id": "logo", "image": "pictures/logo.png", "width": 0.22, "anchor": [0.97, 0.87]}]}),
    ("tint and outline", "little", {"outline": {"pixels": 10}, "tint": {
        "mode": "colorized", "color": "#40C0A0"}}),
]
# The wallpaper of a chat in the dark.
NIGHT = (11, 20, 26)


def marks(programs, target):
    """What is done to the art, each beside the settings that do it."""
    side, gap, text = 208, 24, 30
    picture = Image.new("RGB", (gap + len(MARKS) * (side + gap), side + text + 2 * gap), PAPER)
    draw = ImageDraw.Draw(picture)
    with tempfile.TemporaryDirectory() as folder:
        library = Library(programs, pathlib.Path(folder), {})
        files = library.draw()
        shutil.copy(files["hello"], library.folder / "pictures" / "logo.png")
        for column, (title, word, settings) in enumerate(MARKS):
            (library.folder / "config.json").write_text(json.dumps({"sticker": settings}))
            shutil.copy(files[word], library.folder / "source")
            library.run(f"stickerctl convert --config config.json source {column}.webp")
            sticker = Image.open(library.folder / f"{column}.webp").convert("RGBA")
            sticker = sticker.resize((side, side), Image.LANCZOS)
            x = gap + column * (side + gap)
            picture.paste(NIGHT, (x, gap, x + side, gap + side))
            picture.paste(sticker, (x, gap), sticker)
            draw.text((x, gap + side + 6), title, INK, font("DejaVuSans", 14))
    picture.save(target, optimize=True)


class Screen:
    """A terminal beside two pictures, and the frames drawn of it."""

    columns, rows, width, height = 88, 25, 960, 470

    def __init__(self):
        self.lines, self.pictures, self.frames, self.times = [], [], [], []
        self.mono, self.other = font("DejaVuSansMono", 13), font("DejaVuSans", 13)
        self.small = font("DejaVuSans", 12)
        self.step = self.mono.getlength("m")

    def type(self, command):
        """A command as somebody types it."""
        self.lines.append(("$ ", TYPED))
        for end in range(0, len(command) + 4, 4):
            self.lines[-1] = (f"$ {command[:end]}", TYPED)
            self.show(80)
        self.show(400)

    def print(self, text, milliseconds):
        """What a program said, in lines as wide as the terminal."""
        for line in text.splitlines():
            while True:
                self.lines.append((line[:self.columns], LIGHT))
                line = line[self.columns:]
                if not line:
                    break
        self.show(milliseconds)

    def show(self, milliseconds):
        frame = Image.new("RGB", (self.width, self.height), GROUND)
        draw = ImageDraw.Draw(frame)
        for row, (line, colour) in enumerate(self.lines[-self.rows:]):
            self.write(draw, line, 14 + row * 17.7, colour)
        edge = self.width - 228
        draw.rectangle((edge, 0, self.width, self.height), fill=PAPER)
        for place, (title, path) in enumerate(self.pictures):
            y = 14 + place * 228
            draw.text((edge + 14, y), title, INK, self.small)
            draw.text((edge + 14, y + 15), ", ".join(about(path)), FAINT, self.small)
            frame.paste(tile(path, 172), (edge + 28, y + 36))
        if self.frames and frame.tobytes() == self.frames[-1].tobytes():
            self.times[-1] += milliseconds
        else:
            self.frames.append(frame)
            self.times.append(milliseconds)

    def write(self, draw, line, y, colour):
        x = 14.0
        for letter in line:
            wide = unicodedata.east_asian_width(letter) == "W"
            draw.text((x, y), letter, colour, self.other if wide else self.mono)
            x += self.step * (2 if wide else 1)

    def save(self, target):
        pathlib.Path(target).parent.mkdir(parents=True, exist_ok=True)
        self.frames[0].save(
            target, save_all=True, append_images=self.frames[1:], duration=self.times, loop=0,
            lossless=True, quality=100, method=6, minimize_size=True)


def moving(programs, target):
    """A file is dropped; the log, the sticker and the manifest follow."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(programs, pathlib.Path(folder))
        files = library.draw()
        # An emoji that the font of the terminal has.
        source = library.folder / "07 hello 😀.png"
        files["hello"].rename(source)
        screen, read = Screen(), 0

        def more(milliseconds):
            nonlocal read
            said = library.said()
            screen.print(said[read:], milliseconds)
            read = len(said)

        def command(text, milliseconds):
            screen.type(text)
            screen.print(library.run(text), milliseconds)

        screen.type("stickerd &")
        library.start()
        try:
            more(1500)
            screen.type("mkdir drop/faces")
            library.run("mkdir drop/faces")
            screen.type(f'cp "{source.name}" drop/faces/')
            library.run(f'cp "{source.name}" drop/faces/')
            screen.pictures.append(("what was dropped", source))
            screen.show(900)
            library.until(lambda: "manifest published" in library.said())
            more(300)
            sticker = library.sticker("faces", "hello")
            screen.pictures.append(("the sticker", sticker["path"]))
            screen.show(2600)
            command("stickerctl explain hello", 3000)
            command("head -c 700 out/faces/manifest.json; echo", 5000)
        finally:
            library.stop()
        screen.save(target)


WORDS = {
    "hello": ("Hello", "👋"), "evening": ("Evening at sea", "🌅"), "bouncing": ("Bouncing ball", "🏀"),
    "little": ("Little ghost", "👻"),
}


def studio(programs, target):
    """The console with a category: pictures to be dropped, stickers to be ordered, and packs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with tempfile.TemporaryDirectory() as folder:
        library = Library(programs, pathlib.Path(folder), {
            "console": {"listen": address, "drops": ["drop"]},
            "sticker": {"packs": ["whatsapp", "signal", "discord"], "targets": ["whatsapp", "signal", "discord"]}})
        files = library.draw()
        category = library.folder / "drop" / "hello"
        category.mkdir()
        (category / "category.json").write_text(json.dumps({"title": "Hello and more", "publisher": "Studio Blue"}))
        for place, (word, (title, emoji)) in enumerate(WORDS.items()):
            shutil.copy(files[word], category / f"{place + 1:02} {title} {emoji}{files[word].suffix}")
        (library.folder / "drop" / "new").mkdir()
        library.start()
        console = subprocess.Popen(
            ["stickerd-console"], cwd=library.folder, env=library.environment, stderr=subprocess.PIPE, text=True)
        try:
            library.until(lambda: len(list((library.folder / "out/_packs").glob("*/hello/current.json"))) == 3)
            while "serves" not in console.stderr.readline():
                pass
            # The sandbox of Chromium refuses to work for root.
            subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,1000",
                 "--virtual-time-budget=3000", f"--screenshot={os.path.abspath(target)}",
                 f"http://{address}/library/hello"],
                check=True, stderr=subprocess.DEVNULL)
        finally:
            console.terminate()
            library.stop()
    picture = Image.open(target).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    picture.save(target, optimize=True)


if __name__ == "__main__":
    programs, still, motion, marked, worked = sys.argv[1:]
    side_by_side(os.path.abspath(programs), still)
    moving(os.path.abspath(programs), motion)
    marks(os.path.abspath(programs), marked)
    studio(os.path.abspath(programs), worked)
