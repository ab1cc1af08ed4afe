#!/usr/bin/python3
"""Writes pictures, and what programs other than stickerd read in them.

decoders.py FOLDER FORMAT writes FOLDER/NAME.EXTENSION, FOLDER/NAME.rgba and, in FOLDER/list.tsv, a row
for each: file, expected pixels, width, height, frames, the difference of a sample that is allowed.
The pixels are straight RGBA, frame after frame; where alpha is 0, colours do not matter.
"""
import os
import random
import subprocess
import sys

from PIL import Image, ImageDraw, ImageSequence

folder, wanted = sys.argv[1:3]
rows = []


def path(name):
    return os.path.join(folder, name)


def drawing(size=(150, 101)):
    """A picture with soft colours, hard edges, and every alpha."""
    width, height = size
    picture = Image.new("RGBA", size)
    pixels = picture.load()
    for y in range(height):
        for x in range(width):
            pixels[x, y] = (x * 255 // width, y * 255 // height, (x + 2 * y) % 256, 255)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((10, 10, 70, 70), fill=(230, 40, 40, 255))
    draw.rectangle((80, 20, 140, 60), fill=(30, 90, 220, 255))
    alpha = Image.new("L", size, 255)
    draw = ImageDraw.Draw(alpha)
    for x in range(width):
        draw.line((x, 75, x, height), fill=min(255, x * 2))
    draw.rectangle((100, 30, 120, 50), fill=0)
    picture.putalpha(alpha)
    return picture


def expect(name, frames, tolerance=0):
    """Notes that `name` shows `frames`."""
    with open(path(name + ".rgba"), "wb") as file:
        for frame in frames:
            file.write(frame.convert("RGBA").tobytes())
    width, height = frames[0].size
    rows.append((name, name + ".rgba", width, height, len(frames), tolerance))


def as_read(name, tolerance=0):
    """Notes that `name` shows what Pillow reads."""
    with Image.open(path(name)) as picture:
        frames = [frame.convert("RGBA") for frame in ImageSequence.Iterator(picture)]
    expect(name, frames, tolerance)


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# -- WebP


def webp():
    picture = drawing()
    picture.save(path("lossless.webp"), lossless=True, exact=True)
    expect("lossless.webp", [picture])
    picture.save(path("lossy.webp"), quality=70)
    as_read("lossy.webp")
    picture.convert("RGB").save(path("opaque.webp"), quality=90)
    as_read("opaque.webp")
    moving("patches.webp", lossless=True, minimize_size=True)
    moving("mixed.webp", allow_mixed=True, quality=60)
    moving("keys.webp", lossless=True, kmax=1)


def moving(name, **options):
    frames = []
    for step in range(8):
        frame = Image.new("RGBA", (90, 60), (0, 0, 0, 0) if step % 3 else (20, 160, 60, 255))
        draw = ImageDraw.Draw(frame)
        draw.ellipse((step * 8, 10, step * 8 + 25, 40), fill=(30 * step, 90, 200, 255))
        draw.rectangle((5, 44, 10 + 9 * step, 55), fill=(200, 40, 40, 20 + 29 * step))
        frames.append(frame)
    frames[0].save(
        path(name), save_all=True, append_images=frames[1:], duration=70, loop=3, **options)
    # libwebp rounds where frames are laid over one another.
    as_read(name, 2)


# -- BMP, by Pillow and, where Pillow writes nothing, byte by byte


def bmp():
    picture = drawing()
    opaque = picture.convert("RGB")
    for name, mode in (("1", "1"), ("8-gray", "L"), ("8", "P"), ("24", "RGB")):
        opaque.convert(mode).save(path(f"plain-{name}.bmp"))
        as_read(f"plain-{name}.bmp")
    picture.save(path("plain-32.bmp"))
    expect("plain-32.bmp", [opaque])  # the fourth byte is no alpha
    width, height = picture.size
    bgra = b"".join(
        bytes((b, g, r, a)) for y in reversed(range(height))
        for r, g, b, a in (picture.getpixel((x, y)) for x in range(width)))
    masks = (0xFF0000, 0xFF00, 0xFF, 0xFF000000)
    for version in (56, 108, 124):
        write_bmp(f"alpha-{version}.bmp", picture.size, 32, 3, bgra, version, masks)
        expect(f"alpha-{version}.bmp", [picture])
    top_down = b"".join(bgra[y * width * 4:(y + 1) * width * 4] for y in reversed(range(height)))
    write_bmp("top-down.bmp", (width, -height), 32, 3, top_down, 108, masks)
    expect("top-down.bmp", [picture])
    words(opaque, "555", (0x7C00, 0x03E0, 0x001F), 0)
    words(opaque, "565", (0xF800, 0x07E0, 0x001F), 3)
    core(opaque)
    for bits in (8, 4):
        runs(opaque, bits)


def write_bmp(name, size, bits, compression, pixels, version=40, masks=(), palette=()):
    little = lambda value, count: (value & (1 << 8 * count) - 1).to_bytes(count, "little")
    header = little(version, 4) + little(size[0], 4) + little(size[1], 4) + little(1, 2)
    header += little(bits, 2) + little(compression, 4) + little(len(pixels), 4)
    header += little(2835, 4) * 2 + little(len(palette), 4) + little(0, 4)
    more = b"".join(little(mask, 4) for mask in masks)
    header = (header + more).ljust(version, b"\0") if version > 40 else header + more
    header += b"".join(bytes((b, g, r, 0)) for r, g, b in palette)
    start = 14 + len(header)
    with open(path(name), "wb") as file:
        file.write(b"BM" + little(start + len(pixels), 4) + little(0, 4) + little(start, 4))
        file.write(header + pixels)


def words(picture, name, masks, compression):
    width, height = picture.size
    data, shown = bytearray(), Image.new("RGB", picture.size)
    for y in reversed(range(height)):
        row = bytearray()
        for x in range(width):
            word, color = 0, []
            for sample, mask in zip(picture.getpixel((x, y)), masks):
                shift = (mask & -mask).bit_length() - 1
                top = mask >> shift
                value = sample * top // 255
                word |= value << shift
                color.append((value * 255 + top // 2) // top)
            row += word.to_bytes(2, "little")
            shown.putpixel((x, y), tuple(color))
        data += row.ljust((len(row) + 3) // 4 * 4, b"\0")
    write_bmp(
        f"words-{name}.bmp", picture.size, 16, compression, bytes(data), 40,
        masks if compression else ())
    expect(f"words-{name}.bmp", [shown])


def core(picture):
    """The first header, with sides of 16 bits."""
    width, height = picture.size
    data = bytearray()
    for y in reversed(range(height)):
        row = b"".join(
            bytes(reversed(picture.getpixel((x, y)))) for x in range(width))
        data += row.ljust((len(row) + 3) // 4 * 4, b"\0")
    header = b"".join(
        value.to_bytes(count, "little")
        for value, count in ((12, 4), (width, 2), (height, 2), (1, 2), (24, 2)))
    with open(path("core.bmp"), "wb") as file:
        file.write(b"BM" + bytes(8) + (26).to_bytes(4, "little") + header + data)
    expect("core.bmp", [picture])


def runs(picture, bits):
    """Runs and literals in turn; a pixel is left out in every row, and the last row ends early."""
    width, height = picture.size
    small = picture.quantize(1 << bits)
    colors = small.getpalette()[:3 << bits]
    palette = [tuple(colors[i:i + 3]) for i in range(0, len(colors), 3)]
    shown, data = small.convert("RGBA"), bytearray()
    chance = random.Random(bits)
    for y in reversed(range(height)):
        x = 0
        while x < width:
            count = min(width - x, chance.randint(1, 40))
            if x == 50:
                data += bytes((0, 2, 1, 0))  # a step to the right
                shown.putpixel((x, y), (0, 0, 0, 0))
                x += 1
                continue
            if x < 50:
                count = min(count, 50 - x)
            part = [small.getpixel((x + i, y)) for i in range(count)]
            if count >= 3 and chance.random() < 0.5:
                packed = pack(part, bits)
                data += bytes((0, count)) + packed + bytes(len(packed) % 2)
            else:
                same = next((i for i, value in enumerate(part) if value != part[0]), count)
                count = same
                data += bytes((count, pack([part[0]] * 2, bits)[0]))
            x += count
        data += bytes((0, 0))
    data += bytes((0, 1))
    write_bmp(f"runs-{bits}.bmp", picture.size, bits, 1 if bits == 8 else 2, bytes(data), 40,
              palette=palette)
    expect(f"runs-{bits}.bmp", [shown])


def pack(values, bits):
    if bits == 8:
        return bytes(values)
    values = values + [0] * (len(values) % 2)
    return bytes(high << 4 | low for high, low in zip(values[::2], values[1::2]))


# -- TIFF


def tiff():
    picture = drawing()
    opaque = picture.convert("RGB")
    for compression in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits"):
        opaque.save(path(f"rgb-{compression}.tif"), compression=compression)
        expect(f"rgb-{compression}.tif", [opaque])
    picture.save(path("alpha.tif"), compression="tiff_lzw")
    expect("alpha.tif", [picture])
    for mode in ("1", "L", "P", "LA"):
        shown = (picture if mode == "LA" else opaque).convert(mode)
        shown.save(path(f"mode-{mode}.tif"), compression="raw")
        expect(f"mode-{mode}.tif", [shown])
    opaque.convert("1").save(path("fax.tif"), compression="group4")
    expect("fax.tif", [opaque.convert("1")])
    opaque.save(path("jpeg.tif"), compression="jpeg", quality=95)
    as_read("jpeg.tif", 2)
    opaque.save(path("plain.tif"), compression="raw")
    if subprocess.run(("which", "tiffcp"), stdout=subprocess.DEVNULL).returncode == 0:
        for name, options in {
            "tiles": ("-t", "-w", "32", "-l", "48", "-c", "zip:2"),
            "planes": ("-p", "separate", "-c", "lzw:2"), "plane-tiles": ("-p", "separate", "-t", "-w", "16", "-l", "16"),
            "big": ("-8",), "motorola": ("-B",), "strips": ("-r", "7", "-c", "lzw"),
        }.items():
            run("tiffcp", *options, path("plain.tif"), path(f"{name}.tif"))
            expect(f"{name}.tif", [opaque])


# -- AVIF and HEIC: without loss, so that the drawing itself is what has to be seen


def avif():
    picture = drawing((150, 102))
    opaque = picture.convert("RGB")
    picture.save(path("source.png"))
    opaque.save(path("opaque.png"))
    run("avifenc", "--lossless", path("source.png"), path("alpha.avif"))
    expect("alpha.avif", [picture])
    run("avifenc", "--lossless", path("opaque.png"), path("opaque.avif"))
    expect("opaque.avif", [opaque])
    run("avifenc", "--min", "0", "--max", "0", "--yuv", "444", path("opaque.png"), path("444.avif"))
    expect("444.avif", [opaque], 3)
    slope = Image.linear_gradient("L").resize((150, 102))
    smooth = Image.merge("RGB", (slope, slope.transpose(Image.ROTATE_180), Image.new("L", slope.size, 90)))
    smooth.save(path("smooth.png"))
    run("avifenc", "--min", "0", "--max", "0", "--yuv", "420", path("smooth.png"), path("420.avif"))
    run("heif-convert", path("420.avif"), path("420.png"))
    expect("420.avif", [Image.open(path("420.png"))], 4)  # chroma is widened in another way
    turns = {0: None, 1: Image.ROTATE_90, 2: Image.ROTATE_180, 3: Image.ROTATE_270}
    mirrors = {0: Image.FLIP_TOP_BOTTOM, 1: Image.FLIP_LEFT_RIGHT}
    for turn in turns:
        for mirror in (None, 0, 1):
            name = f"turn-{turn}-{mirror}.avif"
            options = ["--irot", str(turn)] if turn else []
            options += ["--imir", str(mirror)] if mirror is not None else []
            run("avifenc", "--lossless", *options, path("opaque.png"), path(name))
            shown = opaque.transpose(turns[turn]) if turn else opaque
            expect(name, [shown.transpose(mirrors[mirror]) if mirror is not None else shown])
    turned = opaque.transpose(Image.ROTATE_180)
    turned.save(path("turned.png"))
    run("avifenc", "--lossless", "--fps", "10", path("opaque.png"), path("turned.png"),
        path("opaque.png"), path("moving.avif"))
    expect("moving.avif", [opaque, turned, opaque])
    with open(path("gray.icc"), "wb") as file:
        file.write(gray_profile())
    for name, planes, shown in (("colour", "444", opaque), ("gray", "400", opaque.convert("L"))):
        run("avifenc", "--min", "0", "--max", "0", "--yuv", planes, "--icc", path("gray.icc"),
            path("opaque.png"), path(f"profile-{name}.avif"))
        expect(f"profile-{name}.avif", [shown], 5)  # gray is weighed in another way


def gray_profile():
    """An ICC profile of gray whose samples are light to the power of 1 / 1.8."""
    curve = b"curv\0\0\0\0" + (1).to_bytes(4, "big") + round(1.8 * 256).to_bytes(4, "big")[2:] + b"\0\0"
    tags = (1).to_bytes(4, "big") + b"kTRC" + (144).to_bytes(4, "big") + len(curve).to_bytes(4, "big")
    size = (144 + len(curve)).to_bytes(4, "big")
    head = size + b"\0\0\0\0\4\0\0\0mntrGRAYXYZ " + bytes(12) + b"acsp" + bytes(88)
    return head + tags + curve


def heic():
    picture = drawing((150, 102))
    opaque = picture.convert("RGB")
    picture.save(path("source.png"))
    opaque.save(path("opaque.png"))
    lossless = ("-L", "-p", "chroma=444", "--matrix_coefficients=0")
    run("heif-enc", *lossless, path("opaque.png"), "-o", path("opaque.heic"))
    expect("opaque.heic", [opaque], 1)
    run("heif-enc", *lossless, path("source.png"), "-o", path("alpha.heic"))
    expect("alpha.heic", [picture], 1)
    run("heif-enc", "-q", "95", path("opaque.png"), "-o", path("420.heic"))
    run("heif-convert", path("420.heic"), path("420.png"))
    expect("420.heic", [Image.open(path("420.png"))], 1)
    slope = Image.linear_gradient("L").resize((150, 102))
    smooth = Image.merge("RGB", (slope, slope.transpose(Image.ROTATE_180), Image.new("L", slope.size, 90)))
    for name, picture in (("colour", smooth), ("gray", slope)):
        picture.save(path("profile.jpg"), quality=100, icc_profile=gray_profile())
        run("heif-enc", "-q", "100", path("profile.jpg"), "-o", path(f"profile-{name}.heic"))
        expect(f"profile-{name}.heic", [picture], 8)  # two steps with loss


os.makedirs(folder, exist_ok=True)
{"webp": webp, "bmp": bmp, "tiff": tiff, "avif": avif, "heic": heic}[wanted]()
with open(path("list.tsv"), "w") as listing:
    for row in rows:
        print(*row, sep="\t", file=listing)
