"""Hostile files among good ones, and bombs beside small ones."""

import collections
import csv
import os
import random
import shutil
import struct
import tempfile
import time
import zlib

import art
from check import LOOKED_AT, Manifest, Published, litter, sha256
from stage import Stage, Trouble, Watch

RESIDENT_MAX = 1_200_000_000
TEN_FILES_SECONDS = 10

# --- Files made by our own code ------------------------------------------------------------------


def truncated(dice, number):
    """Cut where something of the picture is missing."""
    kind = dice.randrange(3)
    if kind == 0:
        data = art.png(number)
        end = data.index(b"IDAT") + 8
        return data[:dice.randrange(40, end)], "png", "reject"
    if kind == 1:
        data = art.gif(number)
        return data[:dice.randrange(14, len(data) // 3)], "gif", "reject"
    data = art.jpeg(number)
    return data[:dice.randrange(20, data.index(b"\xff\xda") + 12)], "jpg", "reject"


def flipped(dice, number):
    """One to eight bits are wrong. In a PNG every bit is covered by a checksum."""
    data, extension = art.picture(dice.choice([number * 8, number * 8 + 3, number * 8 + 7]))
    damaged = bytearray(data)
    end = data.index(b"IEND") - 4 if extension == "png" else len(data)
    start = 16 if extension == "png" else 6
    for place in dice.sample(range(start, end), dice.randrange(1, 9)):
        damaged[place] ^= 1 << dice.randrange(8)
    return bytes(damaged), extension, "reject" if extension == "png" else "either"


def lying(dice, number):
    """Sizes that are not those of the data."""
    side = dice.choice([0, 2**31 - 1, 2**32 - 1, 100_000, 65_536, 20_000])
    kind = dice.randrange(4)
    if kind == 0:
        header = art.png_header(side, dice.choice([1, 64, side]), 8, 3)
        return art.png(number).replace(art.png_header(64, 64, 8, 3), header), "png", "reject"
    if kind == 1:
        # More rows than there is data for.
        header = art.png_header(64, 65 + dice.randrange(4000), 8, 3)
        return art.png(number).replace(art.png_header(64, 64, 8, 3), header), "png", "reject"
    if kind == 2:
        data = bytearray(art.gif(number))
        screen = dice.choice([(0, 0), (65535, 65535), (20000, 9)])
        data[6:10] = struct.pack("<HH", *screen)
        # A screen of no size grows to the first frame, as in browsers.
        return bytes(data), "gif", "accept" if screen == (0, 0) else "reject"
    size = dice.choice([(0, 64), (64, 0), (65535, 65535), (65500, 30)])
    data = art.jpeg(number).replace(art.jpeg_frame(64, 64), art.jpeg_frame(*size))
    return data, "jpg", "either" if size == (64, 0) else "reject"


def broken(dice, number):
    """Whole files of the right sizes whose inside is not as it must be."""
    kind = dice.randrange(6)
    if kind == 0:
        rows = zlib.compress(dice.randbytes(20))
        return art.png_file(art.png_header(64, 64), art.chunk(b"IDAT", rows)), "png", "reject"
    if kind == 1:
        return art.png_file(art.png_header(64, 64), art.chunk(b"IDAT", dice.randbytes(300))), \
            "png", "reject"
    if kind == 2:
        header = art.png_header(64, 64, dice.choice([3, 5, 7, 32]), dice.choice([1, 5, 7]))
        return art.png_file(header, art.chunk(b"IDAT", zlib.compress(bytes(9000)))), "png", "reject"
    if kind == 3:
        frames = [(5, 1, 8, dice.randbytes(90))]
        return art.gif_file(24, 24, art.colors(number, 4), frames), "gif", "either"
    if kind == 4:
        return dice.randbytes(dice.randrange(1, 4000)), dice.choice(["png", "gif", "jpg"]), "reject"
    data = art.jpeg(number)
    start = data.index(b"\xff\xda") + 10
    return data[:start] + dice.randbytes(200) + b"\xff\xd9", "jpg", "either"


def disguised(dice, number):
    """Something else under the name of a picture."""
    texts = [
        b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
        b"<?php system($_GET['x']); ?>", b"#!/bin/sh\nrm -rf /\n", b"%PDF-1.7\n", b"PK\x03\x04",
        b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f", b"BM" + bytes(60), b"II*\0" + bytes(40),
        b"push graphic-context\nimage over 0,0 0,0 'https://example.invalid/x'\n",
        b"\x7fELF" + bytes(60),
        b"", b"\0", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff",
    ]
    text = dice.choice(texts)
    # Each of its own content: what was refused once is known.
    tail = b"" if len(text) < 2 else str(number).encode()
    return text + tail, dice.choice(["png", "gif", "jpg", "jpeg", "apng"]), "reject"


def stuffed(dice, number):
    """Whole pictures with dangerous company, which goes on without it."""
    kind = dice.randrange(4)
    if kind == 0:
        text = b"Comment\0\0" + zlib.compress(bytes(20_000_000), 9)
        return art.png(number, extra=art.chunk(b"zTXt", text)), "png", "accept"
    if kind == 1:
        return art.png(number) + dice.randbytes(5000), "png", "accept"
    if kind == 2:
        chunks = b"".join(art.chunk(b"teSt", b"") for _ in range(5000))
        return art.png(number, extra=chunks), "png", "accept"
    return art.png(number, extra=profile_chunk(b"garbage" * 20)), "png", "accept"


KINDS = [truncated, truncated, flipped, flipped, lying, broken, disguised, stuffed]


def hostile_file(dice, number):
    return dice.choice(KINDS)(dice, number)


# --- Bombs ---------------------------------------------------------------------------------------


def profile_chunk(profile):
    return art.chunk(b"iCCP", b"p\0\0" + zlib.compress(profile, 9))


def profile(tags):
    """An ICC profile of RGB; `tags` are names and data."""
    table, body, start = b"", b"", 128 + 4 + 12 * len(tags)
    for name, data in tags:
        table += name + struct.pack(">II", start + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    head = struct.pack(">I4sI4s4s4s", 0, b"lcms", 0x04300000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H4s4sII4sQI", 2026, 1, 1, 0, 0, 0, b"acsp", b"APPL", 0, 0, b"none", 0, 0)
    head += struct.pack(">3I", 0xF6D6, 0x10000, 0xD32D)
    head = head.ljust(128, b"\0")
    whole = head + struct.pack(">I", len(tags)) + table + body
    return struct.pack(">I", len(whole)) + whole[4:]


def elements_profile(count, element):
    """D2B0 of `count` pointers at one and the same element."""
    start = 16 + 8 * count
    pointers = struct.pack(">II", start, len(element)) * count
    data = b"mpet" + bytes(4) + struct.pack(">HHI", 3, 3, count) + pointers + element
    return profile([(b"D2B0", data), (b"D2B1", data[:12] + bytes(8))])


def matrix_element():
    values = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    return b"matf" + bytes(4) + struct.pack(">HH", 3, 3) + struct.pack(">12f", *values)


def table_element(points):
    grid = bytes([points] * 3) + bytes(13)
    return b"clut" + bytes(4) + struct.pack(">HH", 3, 3) + grid + bytes(4 * 3 * points**3)


def interlaced(width, height):
    """16 bit RGBA in seven passes, all zero."""
    packer, row = zlib.compressobj(9), b""
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
              (0, 1, 1, 2)]
    data = b""
    for x, y, dx, dy in passes:
        row = bytes(1 + (width - x + dx - 1) // dx * 8)
        for _ in range((height - y + dy - 1) // dy):
            data += packer.compress(row)
    data += packer.flush()
    return art.png_file(art.png_header(width, height, 16, 6, 1), art.chunk(b"IDAT", data))


def restoring_gif(side):
    """Frames that put back what was before: two canvases are alive."""
    frames = [(10, 3, 2, art.flat_lzw(color, side * side)) for color in (1, 2, 3)]
    return art.gif_file(side, side, art.colors(side, 4), frames)


def long_gif(number, count, side):
    """Every frame differs, and every pixel of it."""
    dice, frames = random.Random(number), []
    for _ in range(count):
        line = bytes(dice.randrange(4) for _ in range(side))
        pixels = b"".join(line[y % side:] + line[:y % side] for y in range(side))
        frames.append((2, 1, 2, art.lzw(pixels, 2)))
    return art.gif_file(side, side, art.colors(number, 4), frames)


def scans_jpeg(count, side):
    """A progressive picture of one scan after the other, each over all of it."""
    blocks = (side // 8) ** 2
    first = art.segment(0xDA, bytes([1, 1, 0, 0, 0, 0x01])) + art.jpeg_scan([0] * blocks)[:blocks]
    empty = bytes((blocks + 7) // 8)
    refine = art.segment(0xDA, bytes([1, 1, 0, 0, 0, 0x10])) + empty
    return (b"\xff\xd8" + art.jpeg_tables() + art.jpeg_frame(side, side, 0xC2) + first
            + refine * count + b"\xff\xd9")


def bombs(dice):
    """Small and dear: name, content, verdict. The numbers differ with the seed."""
    some = lambda low, high: dice.randrange(low, high)
    made = {}
    for name, count in [("few", some(5_000, 20_000)), ("many", some(200_000, 900_000))]:
        data = elements_profile(count, matrix_element())
        made[f"profile of {name} elements.png"] = (art.png(1, extra=profile_chunk(data)), "either")
    data = elements_profile(some(50, 200), table_element(some(60, 90)))
    made["profile of tables.png"] = (art.png(2, extra=profile_chunk(data)), "either")
    many_tags = profile([(b"x%03d" % n, b"text" + bytes(8)) for n in range(some(100, 900))])
    made["profile of tags.png"] = (art.png(3, extra=profile_chunk(many_tags)), "either")
    huge = profile([(b"desc", b"text" + bytes(some(20, 60) << 20))])
    made["profile of megabytes.png"] = (art.png(4, extra=profile_chunk(huge)), "either")
    made["interlaced.png"] = (interlaced(some(6000, 7000), some(6000, 7000)), "either")
    made["restoring.gif"] = (restoring_gif(some(6000, 7000)), "either")
    made["long.gif"] = (long_gif(some(0, 99), some(200, 300), 96), "either")
    made["frames.gif"] = (art.gif_file(8, 8, art.colors(5, 4), [
        (1, 1, 2, art.flat_lzw(n % 4, 64)) for n in range(some(1001, 3000))]), "reject")
    made["scans.jpg"] = (scans_jpeg(some(101, 400), 1024), "reject")
    made["pixels.png"] = (art.png_file(art.png_header(16000, some(12000, 16000), 1, 0), art.chunk(
        b"IDAT", zlib.compress(bytes(2001 * 100), 9))), "reject")
    text = zlib.compress(bytes(200_000_000), 9)
    made["texts.png"] = (art.png(6, extra=b"".join(
        art.chunk(b"zTXt", b"Comment\0\0" + text) for _ in range(some(3, 9)))), "accept")
    return made


# --- Runs ----------------------------------------------------------------------------------------


def corpus(name):
    root = os.environ.get("STICKERD_CORPUS")
    folder = os.path.join(root, name) if root else None
    return folder if folder and os.path.isdir(folder) else None


# Their screens have no size, as those of `lying`.
GROWING_SCREENS = {"synthetic/gif-canvas-0x0.gif", "synthetic/gif-canvas-0xn.gif"}


def bad_corpus():
    """Name, content and verdict of the files of `bad`, where there are any."""
    folder = corpus("bad")
    if not folder:
        return
    with open(os.path.join(folder, "MANIFEST.tsv"), encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            with open(os.path.join(folder, row["file"]), "rb") as picture:
                # The list is older than some formats that are read.
                verdict = "either" if row["class"] == "other-image" else row["verdict"]
                if row["file"] in GROWING_SCREENS:
                    verdict = "accept"
                yield row["file"], picture.read(), verdict


def supervised(section, stage, daemon, limit):
    """Waits for the end of all, and says what is promised of memory and restarts."""
    result = stage.settle(limit, daemon)
    if not daemon.is_alive:
        result.broken.append(f"the daemon ended: {daemon.process.returncode}")
    return result


def memory_figures(section, watch):
    # A process that is being started, or ends, has another name for a moment; it counts all the same.
    worst = max(watch.peaks.values())
    for name in ("stickerd", "stickerd-worker"):
        section.figure(f"most memory of {name}", f"{watch.peaks.get(name, 0) / 1e6:.0f} MB",
                       "1,200 MB", worst <= RESIDENT_MAX)


def crowd(section, programs, readers, work, seed, good=1000, hostile=1000, is_whole_corpus=True):
    """Hostile files among good ones, while readers read."""
    dice = random.Random(seed)
    place = tempfile.mkdtemp(prefix="crowd-", dir=work)
    stage = Stage(programs, place)
    files = [(f"good/{number}.{art.picture(number)[1]}", art.picture(number)[0], "accept")
             for number in range(good)]
    for number in range(hostile):
        data, extension, verdict = hostile_file(dice, number)
        files.append((f"hostile/{number}.{extension}", data, verdict))
    others = [(f"corpus/{name.replace('/', ' ')}", data, verdict)
              for name, data, verdict in bad_corpus()] if is_whole_corpus else []
    if is_whole_corpus and not others:
        section.skip("the corpus of bad files", "STICKERD_CORPUS is not set")
    files += others
    dice.shuffle(files)
    readers.watch(stage.out)
    start = time.monotonic()
    with stage.start() as daemon, Watch(daemon) as watch:
        for path, data, verdict in files:
            if "." in os.path.basename(path) and path.rpartition(".")[2].lower() in LOOKED_AT:
                stage.put(path, data, verdict, in_place=dice.random() < 0.5)
        result = supervised(section, stage, daemon, max(180, section.budget))
        code = daemon.stop()
    if code:
        result.broken.append(f"exit {code} of a daemon that was asked to stop")
    result.broken += readers.leave(stage.out)
    section.judge(f"{good} good and {hostile} hostile files, seed {seed}", stage, result)
    section.figure("good, hostile and corpus files", f"{good}, {hostile}, {len(others)}")
    section.figure("files a second", f"{len(stage.expected) / (time.monotonic() - start):.1f}")
    memory_figures(section, watch)
    shutil.rmtree(place)


NAMES = [
    b"new\nline.png", b"tab\tname.png", b"\x1b[31mred.png", b"quote\"'`.png",
    b"$(touch x).png", b"-rf.png", b"--help.png", b"..%2f..%2fx.png", b"back\\slash.png",
    b"<b>&amp;.png", "\u202egnp.exe.png".encode(),
    "a\u200bb.png".encode(), "caf\u00e9.png".encode(), "cafe\u0301.png".encode(), b"caf\xe9.png",
    b"\xff\xfe.png", b"\x01\x02.png", b"x" * 251 + b".png", b"con.png", "\U0001f642.png".encode(),
    b"trending.png", b"_.png", b"manifest.png", b"index.json.png",
]
IGNORED = [b".hidden.png", b"x.png.part", b"x.png~", b"manifest.json", b"._x.png", b"noext"]


def names(section, programs, work):
    """Names of every kind, as files and as folders. Their pictures tell them apart."""
    place = tempfile.mkdtemp(prefix="names-", dir=work)
    stage = Stage(programs, place)
    wanted, unwanted = list(NAMES), list(IGNORED)
    folder = corpus("bad")
    if folder:
        with open(os.path.join(folder, "names.tsv"), encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                chosen = wanted if row["verdict"] == "process" else unwanted
                name = bytes.fromhex(row["name_hex"])
                if name not in wanted + unwanted:
                    chosen.append(name)
    hashes = {}
    for number, name in enumerate(wanted + unwanted):
        for where in (b"names", b"f" + name[:240] if number % 3 == 0 and name in wanted else None):
            if where is None:
                continue
            data = art.png(50_000 + 2 * number + (where != b"names"))
            folder = os.path.join(os.fsencode(stage.drop), where)
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            hashes[sha256(data)] = (where + b"/" + name, name in wanted)
    stage.drain()
    published = Published(stage.out)
    found = published.complaints() + litter(stage.out)
    seen = collections.Counter(sticker["source"]["sha256"] for _, sticker in published.entries())
    found += [f"{path!r}: {seen[hash]} entries" for hash, (path, is_wanted) in hashes.items()
              if seen[hash] != int(is_wanted)]
    section.figure("hostile names, as files and folders", len(hashes))
    section.runs += 1
    if found:
        section.fail("names", found, place)
    shutil.rmtree(place)


def bombs_beside_ten(section, programs, readers, work, seed):
    """Ten good files are done while all the bombs are worked on."""
    dice = random.Random(seed)
    place = tempfile.mkdtemp(prefix="bombs-", dir=work)
    stage = Stage(programs, place)
    files = bombs(dice)
    folder = corpus("bombs")
    if folder:
        for name in sorted(os.listdir(folder)):
            if name.rpartition(".")[2] in LOOKED_AT:
                with open(os.path.join(folder, name), "rb") as file:
                    files[f"shared {name}"] = (file.read(), "either")
    else:
        section.skip("the corpus of bombs", "STICKERD_CORPUS is not set")
    readers.watch(stage.out)
    with stage.start() as daemon, Watch(daemon) as watch:
        stage.put("first/one.png", art.png(999))
        stage.settle(30, daemon)
        for name, (data, verdict) in files.items():
            stage.put(f"bombs/{name}", data, verdict)
        time.sleep(1) # so that bombs are at work
        begin = time.monotonic()
        for number in range(10):
            stage.put(f"small/{number}.png", art.png(number))
        took = await_published(stage, "small", 10, 120, daemon, begin)
        section.figure("ten good files beside all bombs",
                       f"{took:.1f} s" if took else "not within 120 s",
                       f"{TEN_FILES_SECONDS} s", took is not None and took < TEN_FILES_SECONDS)
        result = supervised(section, stage, daemon, max(60, section.budget))
        if daemon.is_alive:
            daemon.stop()
    result.broken += readers.leave(stage.out)
    section.judge(f"{len(files)} bombs, seed {seed}", stage, result)
    section.figure("bombs", f"{len(files)}: {result.refused} refused")
    memory_figures(section, watch)
    shutil.rmtree(place)


def await_published(stage, category, count, limit, daemon, begin):
    """Seconds until so many stickers stand in a category; None where they do not."""
    while time.monotonic() - begin < limit:
        if not daemon.is_alive:
            raise Trouble(f"the daemon ended: {daemon.process.returncode}: {daemon.log()[-1500:]}")
        path = os.path.join(stage.out, category, "manifest.json")
        if os.path.exists(path) and len(Manifest(path).stickers) >= count:
            return time.monotonic() - begin
        time.sleep(0.05)
    return None
