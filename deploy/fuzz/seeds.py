#!/usr/bin/env python3
"""Writes small inputs for every fuzz target: seeds.py FOLDER [FOLDER OF PICTURES...]

One folder per target; what lies in the folders of pictures is sorted to the decoders by its bytes.
"""

import collections
import io
import json
import os
import random
import re
import struct
import sys
import tarfile
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(ROOT, "deploy/prove"))

import art # noqa: E402
import hostile # noqa: E402

PICTURE_BYTES_MAX = 60_000


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def decoder_of(data):
    if data.startswith(art.PNG_SIGNATURE):
        return "apng" if b"acTL" in data[:100] else "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "awebp" if b"ANMF" in data else "webp"
    if data[:4] in (b"II*\0", b"MM\0*"):
        return "tiff"
    if data.startswith(b"BM"):
        return "bmp"
    return "gif" if data.startswith(b"GIF8") else None


def pictures():
    """Every colour type, depth and interlacing of a PNG; JPEG and GIF; some damaged ones."""
    for number in range(3):
        yield art.png(number, 16)
        yield art.jpeg(number, 16)
        yield art.gif(number, 16)
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
    for color, count in channels.items():
        for depth in (1, 2, 4, 8, 16):
            if depth < 8 and color not in (0, 3) or depth == 16 and color == 3:
                continue
            rows = (b"\0" + bytes((8 * count * depth + 7) // 8)) * 8
            palette = art.chunk(b"PLTE", bytes(range(6))) + art.chunk(b"tRNS", b"\0\x80")
            yield art.png_file(
                art.png_header(8, 8, depth, color), art.chunk(b"gAMA", struct.pack(">I", 45455)),
                palette if color == 3 else b"", art.chunk(b"IDAT", art.zlib.compress(rows)))
    yield hostile.interlaced(9, 7)
    for number in range(12):
        yield animated(random.Random(number))
    yield art.png(1, 16, hostile.profile_chunk(hostile.elements_profile(2, hostile.matrix_element())))
    dice = random.Random(1)
    for number in range(60):
        data = hostile.hostile_file(dice, number)[0]
        if isinstance(data, bytes) and len(data) <= PICTURE_BYTES_MAX:
            yield data


def animated(dice):
    """An APNG of all blendings and disposals; its default image is a frame or not."""
    color, depth = dice.choice([(0, 8), (0, 16), (2, 8), (3, 2), (6, 8), (6, 16)])
    channels, interlaced = {0: 1, 2: 3, 3: 1, 6: 4}[color], dice.random() < 0.2
    frames, hidden, sequence = dice.randrange(1, 5), dice.random() < 0.3, 0

    def data(width, height):
        row = (width * channels * depth + 7) // 8
        if interlaced: # zeros are right however the passes are divided into rows
            return art.zlib.compress(bytes(3 * height * (row + 1)))
        return art.zlib.compress(b"".join(b"\0" + dice.randbytes(row) for _ in range(height)))

    chunks = [art.chunk(b"acTL", struct.pack(">II", frames, dice.randrange(3)))]
    if color == 3:
        chunks.append(art.chunk(b"PLTE", dice.randbytes(12)) + art.chunk(b"tRNS", b"\0\x80"))
    if hidden:
        chunks.append(art.chunk(b"IDAT", data(8, 8)))
    for number in range(frames):
        whole = number == 0 and not hidden
        width, height = (8, 8) if whole else (dice.randrange(1, 9), dice.randrange(1, 9))
        chunks.append(art.chunk(b"fcTL", struct.pack(
            ">IIIIIHHBB", sequence, width, height, dice.randrange(9 - width), dice.randrange(9 - height),
            dice.randrange(100), dice.choice([0, 60, 100, 1000]), dice.randrange(3), dice.randrange(2))))
        sequence += 1
        if whole:
            chunks.append(art.chunk(b"IDAT", data(8, 8)))
            continue
        chunks.append(art.chunk(b"fdAT", struct.pack(">I", sequence) + data(width, height)))
        sequence += 1
    return art.png_file(art.png_header(8, 8, depth, color, int(interlaced)), *chunks)


def bitmaps():
    """Bitmaps and TIFFs of every kind that a few lines can make."""
    for bits, colors in ((1, 2), (4, 16), (8, 256)):
        row = bytes((8 * bits + 31) // 32 * 4)
        yield bitmap(bits, 0, bytes(range(256))[:4] * colors, row * 8)
    yield bitmap(8, 1, bytes(1024), bytes((8, 1, 0, 0)) * 8 + b"\0\3\1\2\3\0\0\2\1\1\0\1")
    yield bitmap(4, 2, bytes(64), bytes((8, 0x12, 0, 0)) * 8 + b"\0\1")
    yield bitmap(24, 0, b"", bytes(24 * 8))
    yield bitmap(32, 3, struct.pack("<3I", 0xFF0000, 0xFF00, 0xFF), bytes(32 * 8))
    yield bitmap(16, 3, struct.pack("<3I", 0xF800, 0x07E0, 0x1F), bytes(16 * 8))
    for order in "<>":
        for photometric, bits, samples in ((0, 1, 1), (1, 16, 1), (2, 8, 3), (2, 8, 4), (5, 8, 4)):
            yield tagged(order, photometric, bits, samples, 1, bytes(8 * 8 * 8))
        for compression in (5, 8, 32773):
            yield tagged(order, 2, 8, 3, compression, art.zlib.compress(bytes(192)))


def bitmap(bits, compression, palette, pixels):
    head = struct.pack("<IiiHHIIiiII", 40, 8, 8, 1, bits, compression, len(pixels), 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 0, 0, 0, 54 + len(palette)) + head + palette + pixels


def tagged(order, photometric, bits, samples, compression, pixels):
    fields = [(256, 8), (257, 8), (258, bits), (259, compression), (262, photometric), (273, 8),
              (274, 1), (277, samples), (278, 8), (279, len(pixels)), (338, 1)]
    entries = b"".join(struct.pack(order + "HHII", tag, 4, 1, value) for tag, value in fields)
    return ((b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8 + len(pixels)) + pixels
            + struct.pack(order + "H", len(fields)) + entries + bytes(4))


def profiles():
    """A matrix with curves, tables, and chains of elements."""
    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, 0x0233)
    several = b"curv\0\0\0\0" + struct.pack(">I4H", 4, 0, 9000, 30000, 65535)
    parametric = b"para\0\0\0\0" + struct.pack(">HH5i", 3, 0, 157286, 62128, 3408, 5072, 2651)
    point = lambda x, y, z: b"XYZ \0\0\0\0" + struct.pack(">3i", x, y, z)
    white = (b"wtpt", point(63190, 65536, 54061))
    columns = [(b"rXYZ", point(28578, 14581, 912)), (b"gXYZ", point(25239, 46981, 6362)),
               (b"bXYZ", point(9372, 3974, 46798))]
    for tone in (curve, several, parametric):
        yield hostile.profile([white, *columns, *((name, tone) for name in (b"rTRC", b"gTRC", b"bTRC"))])
    yield hostile.profile([white, (b"kTRC", curve)])
    for channels in (1, 3, 4):
        head = struct.pack(">4s4xBBBx9i", b"mft1", channels, 3, 2, *[65536, 0, 0] * 3)
        yield hostile.profile([white, (b"A2B0", head + bytes(256 * channels)
                                       + bytes(2 ** channels * 3) + bytes(256 * 3))])
        head = struct.pack(">4s4xBBBx9iHH", b"mft2", channels, 3, 2, *[65536, 0, 0] * 3, 2, 2)
        yield hostile.profile([white, (b"A2B0", head + bytes(4 * channels)
                                       + bytes(2 ** channels * 6) + bytes(12))])
    yield hostile.elements_profile(2, hostile.matrix_element())
    yield hostile.elements_profile(1, hostile.table_element(2))


AUDITED = [".webp", ".png", ".gif"] # as the target numbers them


def made_by_us():
    """The published files of the libraries that are kept as tests."""
    for where, _, names in sorted(os.walk(os.path.join(ROOT, "Tests/EndToEndTests/Fixtures"))):
        for name in sorted(names):
            kind = os.path.splitext(name)[1]
            if "/out/_/" in where and kind in AUDITED:
                with open(os.path.join(where, name), "rb") as file:
                    yield AUDITED.index(kind), file.read()


def archives():
    """ZIPs and tape archives of every kind that is read, and some that are refused."""
    files = [("title.txt", b"Cats\n"), ("a/1.png", art.png(1, 8)), ("2.png", bytes(3000))]
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2):
        yield zipped(files, method)
    for files_of_one in ([], files[:1], [("é.txt", b"x"), ("\u732b/1.png", b"y"), ("folder/", b"")],
                         [("../x", b"")], [("A", b""), ("a", b"")]):
        yield zipped(files_of_one, zipfile.ZIP_DEFLATED)
    yield zipped(files, zipfile.ZIP_STORED, mode=0o120777 << 16)
    long = [("n" * 120 + ".png", b"x"), ("folder/" * 20 + "1.png", b"y")]
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        for mode in ("w", "w:gz"):
            yield taped(files + (long if form != tarfile.USTAR_FORMAT else []), form, mode)
    yield taped([("é.txt", b"x")], tarfile.PAX_FORMAT, "w", kind=tarfile.SYMTYPE)
    yield taped([("sparse", bytes(512))], tarfile.GNU_FORMAT, "w", kind=tarfile.GNUTYPE_SPARSE)


def zipped(files, method, mode=0o100644 << 16):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name)
            info.compress_type, info.external_attr, info.create_system = method, mode, 3
            archive.writestr(info, data)
    return memory.getvalue()


def taped(files, form, mode, kind=tarfile.REGTYPE):
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode=mode, format=form) as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size, info.type, info.linkname = len(data), kind, "elsewhere"
            archive.addfile(info, io.BytesIO(data))
    return memory.getvalue()


def descriptions():
    """What each kind of pack says, in the order of `FuzzPack`."""
    sticker = {"image_file": "a.webp", "emojis": ["\U0001f600", "\u2764"],
               "accessibility_text": "A cat waves."}
    app = {"ios_app_store_link": "https://itunes.apple.com/app/id1", "sticker_packs": [{
        "identifier": "7-animated-2", "name": "Cats animated 2", "publisher": "Ada",
        "animated_sticker_pack": True, "tray_image_file": "tray.png",
        "publisher_email": "ada@example.org", "publisher_website": "https://example.org/",
        "stickers": [sticker, {**sticker, "image_file": "b.webp", "emojis": "\U0001f44b"}]}]}
    matrix = {"images": {"wave": {"file": "a.png", "body": "Hello \U0001f44b", "info": {}},
                         "gone": {"url": "mxc://example.org/x"}},
              "pack": {"display_name": "Cats", "attribution": "Ada", "avatar_file": "tray.png"}}
    picker = {"title": "Cats", "id": "cats", "stickers": [
        {"id": "a", "body": "Nap", "msgtype": "m.sticker", "url": "mxc://example.org/b.webp",
         "net.maunium.telegram.sticker": {"emoticons": ["\U0001f634"]}},
        {"id": "x", "file": "b.webp", "msgtype": "m.sticker"}]}
    faces = [{"groupPath": "g1", "groupName": "Cats", "groupIndex": 1, "faces": [
        {"name": "b", "localizableName": "Hello!"}, {"name": "a", "localizableName": "Bye"}]}]
    telegram = {"name": "cats", "title": "Cats", "stickers": [
        {"sticker": "a.png", "format": "static", "emoji_list": ["\U0001f600"], "keywords": ["cat"]}]}
    discord = [{"file": "a.png", "name": "Wave", "description": "A cat.", "tags": "\U0001f600"}]
    misskey = {"metaVersion": 2, "emojis": [{"downloaded": True, "fileName": "a.png", "emoji": {
        "name": "a", "category": "Cats", "aliases": ["Wave", "cat"]}}]}
    emoji = {"emoji": [{"name": "a", "file": "a.png", "title": "Wave", "keywords": ["cat"]}]}
    texts = {"a": "\U0001f600", "b.webp": ["\U0001f44b", "x"]}
    kinds = [[app], [app], [matrix, {"content": matrix}, picker], [faces], [telegram], [discord],
             [misskey], [emoji], [texts]]
    for kind, values in enumerate(kinds):
        for value in values:
            for in_ascii in (True, False):
                yield bytes([kind]) + json.dumps(value, ensure_ascii=in_ascii).encode()
    for kind in (9, 10):
        yield bytes([kind]) + "\ufeffFlu\u0301ffy \U0001f408\u200d\u2b1b cats\n".encode()


SPACES = {"GRAY": b"GRAY", "RGB": b"RGB ", "CMYK": b"CMYK"}


def with_space(profile, space):
    return profile[:16] + space + profile[20:]


def dictionaries():
    """Words that a random change would hardly hit upon."""
    words = [b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP",
             b"eXIf", b"acTL", b"fcTL", b"fdAT", b"tEXt", b"zTXt", b"iTXt", b"sBIT", b"pHYs"]
    yield from (("png", words), ("apng", words))
    yield "jpeg", [bytes([255, marker]) for marker in range(0xC0, 0xF0)] + [
        b"Exif\0\0", b"ICC_PROFILE\0", b"Adobe", b"JFIF\0", b"II*\0", b"MM\0*"]
    yield "gif", [b"GIF89a", b"NETSCAPE2.0", b"!\xf9\x04", b"!\xff\x0b", b"!\xfe", b",", b";"]
    yield "profile", [b"acsp", b"RGB ", b"GRAY", b"CMYK", b"XYZ ", b"Lab ", b"mntr", b"prtr", b"link",
                      b"curv", b"para", b"mft1", b"mft2", b"mAB ", b"mBA ", b"mpet", b"A2B0", b"A2B1",
                      b"B2A0", b"rTRC", b"gTRC", b"bTRC", b"kTRC", b"rXYZ", b"wtpt", b"chad", b"sf32",
                      b"desc", b"mluc", b"text", b"D2B0", b"cvst", b"matf", b"clut", b"nmcl", b"ncl2"]
    yield "audit", [b"RIFF", b"WEBP", b"VP8 ", b"VP8L", b"VP8X", b"ANIM", b"ANMF", b"ALPH"]
    yield "archives", [b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\7", b"ustar\x0000", b"ustar  ", b"\x1f\x8b\x08",
                       b"././@LongLink", b" path=", b" size=", b" linkpath=", b"GNU.sparse.map="]
    yield "packs", sorted(set(pack_words()))
    with open(os.path.join(ROOT, "Sources/Model/Configuration/Configuration+JSON.swift"),
              encoding="utf-8") as file:
        keys = sorted(set(re.findall(r'"[a-z][A-Za-z]+"', file.read())))
    yield "configuration", [key.encode() for key in keys]


def pack_words():
    """The keys of descriptions, as the forms name them."""
    forms = os.path.join(ROOT, "Sources/Library/Packs/Import/Forms")
    for name in os.listdir(forms):
        with open(os.path.join(forms, name), encoding="utf-8") as file:
            yield from (word.encode() for word in re.findall(r'"[A-Za-z_.]+"', file.read()))


def main():
    folder, sources = sys.argv[1], sys.argv[2:]
    found = [*pictures(), *bitmaps(), *(data for kind, data in made_by_us() if kind == 0)]
    for source in sources:
        for where, _, names in os.walk(source):
            for name in names:
                path = os.path.join(where, name)
                if os.path.isfile(path) and os.path.getsize(path) <= PICTURE_BYTES_MAX:
                    with open(path, "rb") as file:
                        found.append(file.read())
    counts = collections.Counter()
    for number, data in enumerate(found):
        decoder = decoder_of(data)
        if decoder:
            write(f"{folder}/{decoder}", str(counts[decoder]), data)
            counts[decoder] += 1
        if len(data) <= 5000:
            write(f"{folder}/containers", str(number), data)
            for kind in range(4):
                write(f"{folder}/audit", f"{number}-{kind}", bytes([kind, number % 4]) + data)
    for number, (kind, data) in enumerate(made_by_us()):
        for frames in (0, 1, 3):
            write(f"{folder}/audit", f"made-{number}-{frames}", bytes([kind, frames]) + data)
    for number, profile in enumerate(profiles()):
        for kind, space in enumerate(SPACES.values()):
            for layout in range(3):
                write(f"{folder}/profile", f"{number}-{kind}-{layout}",
                      bytes([layout]) + with_space(profile, space))
    with open(os.path.join(ROOT, "config.json"), "rb") as file:
        write(f"{folder}/configuration", "shipped", file.read())
    write(f"{folder}/configuration", "nested", b'{"drops": [' * 50)
    for number, data in enumerate(archives()):
        write(f"{folder}/archives", str(number), data)
    for number, data in enumerate(descriptions()):
        write(f"{folder}/packs", str(number), data)
    write(f"{folder}/messages", "usual", b"\1\0B" + b"\5\0Sopen" + b"\1\3R")
    for number, text in enumerate(["Zoë's cat 10.png", "trending", "imgly_", "\u202egnp.exe", "猫",
                                   "a\u0301" * 70, "cat\n\x1b[31m.gif"]):
        write(f"{folder}/names", str(number), text.encode())
    for target, words in dictionaries():
        lines = ('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"' for word in words)
        write(folder, f"{target}.dict", "\n".join(lines).encode())


if __name__ == "__main__":
    main()
