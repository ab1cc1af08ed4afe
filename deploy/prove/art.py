"""Pictures drawn by code: small, valid, each of its own content."""

import binascii
import random
import struct
import zlib

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind, data):
    """One PNG chunk with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(
        ">I", binascii.crc32(kind + data))


def png_header(width, height, depth=8, color=2, interlace=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace))


def png_file(header, *rest):
    return PNG_SIGNATURE + header + b"".join(rest) + chunk(b"IEND", b"")


def colors(number, count):
    """`count` colours; the first two alone are unlike those of any other number below 2^24."""
    dice = random.Random(number)
    own = struct.pack(">I", number * 2654435761 % 2**24)[1:]
    return [own] + [bytes(dice.randrange(256) for _ in range(3)) for _ in range(count - 1)]


def png(number, side=64, extra=b""):
    """Four squares of flat colours. `extra` are further chunks before the pixels."""
    palette = colors(number, 4)
    half = side // 2
    upper = b"\0" + b"\0" * half + b"\1" * (side - half)
    lower = b"\0" + b"\2" * half + b"\3" * (side - half)
    rows = upper * half + lower * (side - half)
    return png_file(
        png_header(side, side, 8, 3), extra, chunk(b"PLTE", b"".join(palette)),
        chunk(b"IDAT", zlib.compress(rows, 6)))


def noise_png(number, side=200):
    """Noise, which costs an encoder most."""
    dice = random.Random(number)
    rows = b"".join(b"\0" + dice.randbytes(side * 3) for _ in range(side))
    return png_file(png_header(side, side), chunk(b"IDAT", zlib.compress(rows, 1)))


# --- GIF -----------------------------------------------------------------------------------------


class Bits:
    """Collects codes, the lowest bit first."""

    def __init__(self):
        self.bytes, self.value, self.count = bytearray(), 0, 0

    def add(self, code, width):
        self.value |= code << self.count
        self.count += width
        while self.count >= 8:
            self.bytes.append(self.value & 255)
            self.value >>= 8
            self.count -= 8

    def done(self):
        if self.count:
            self.bytes.append(self.value & 255)
        return bytes(self.bytes)


def lzw(pixels, width=8):
    """GIF's compression of the bytes `pixels`, each below 2^width."""
    clear, bits = 1 << width, Bits()
    table, size, prefix = {}, width + 1, None
    bits.add(clear, size)
    following = clear + 2
    for pixel in pixels:
        if prefix is None:
            prefix = pixel
            continue
        if (prefix, pixel) in table:
            prefix = table[prefix, pixel]
            continue
        bits.add(prefix, size)
        table[prefix, pixel] = following
        if following == 1 << size and size < 12:
            size += 1
        following += 1
        prefix = pixel
        if following == 4096:
            bits.add(prefix, size)
            bits.add(clear, size)
            table, size, prefix, following = {}, width + 1, None, clear + 2
    if prefix is not None:
        bits.add(prefix, size)
        if following == 1 << size and size < 12:
            size += 1
    bits.add(clear + 1, size)
    return bits.done()


def flat_lzw(color, count, width=2):
    """The same for `count` pixels of one colour, without walking over them."""
    clear, bits = 1 << width, Bits()
    while count > 0:
        # Codes of runs that grow by one pixel each: 1, 2, 3 and so on.
        size, following, run = width + 1, clear + 2, 1
        bits.add(clear, size)
        while count > 0 and following < 4095:
            length = min(run, count)
            bits.add(color if length == 1 else clear + length, size)
            count -= length
            # The first code adds nothing to the table.
            if run > 1:
                following += 1
            if following == 1 << size and size < 12:
                size += 1
            run += 1
    bits.add(clear + 1, size)
    return bits.done()


def blocks(data):
    """GIF's sub-blocks."""
    parts = [data[start:start + 255] for start in range(0, len(data), 255)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


def gif_file(width, height, palette, frames):
    """`frames`: (delay in 1/100 s, disposal, code width, compressed pixels of the whole canvas)."""
    assert len(palette) in (2, 4, 8, 16, 32, 64, 128, 256)
    bits = len(palette).bit_length() - 2
    file = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | bits, 0, 0)
    file += b"".join(palette) + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    for delay, disposal, code_width, data in frames:
        file += b"!\xf9\x04" + struct.pack("<BHB", disposal << 2, delay, 0) + b"\0"
        file += b"," + struct.pack("<HHHHB", 0, 0, width, height, 0)
        file += bytes([code_width]) + blocks(data)
    return file + b";"


def gif(number, side=24, frames=3):
    """A square that moves over flat ground; with one frame it stands still."""
    def frame(step):
        pixels = bytearray(side * side)
        for y in range(4, 12):
            start = y * side + step * 3
            pixels[start:start + 8] = b"\1" * 8
        return 10, 1, 2, lzw(pixels, 2)
    return gif_file(side, side, colors(number, 4), [frame(step) for step in range(frames)])


# --- JPEG ----------------------------------------------------------------------------------------


def segment(marker, data):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg_tables():
    """Twelve lengths of brightness steps with 4 bits each; of the details only "none"."""
    steps = segment(0xC4, b"\0" + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12)))
    details = segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0")
    return segment(0xDB, b"\0" + bytes([8] * 64)) + steps + details


def jpeg_frame(width, height, marker=0xC0):
    return segment(marker, struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0))


def jpeg_scan(levels):
    """The data of grey blocks of 8x8 pixels; `levels` is the brightness of each, -100 to 100."""
    text, before = [], 0
    for level in levels:
        step, before = level - before, level
        length = abs(step).bit_length()
        text.append(f"{length:04b}")
        if length:
            text.append(f"{step if step > 0 else step + (1 << length) - 1:0{length}b}")
        text.append("0")
    text = "".join(text)
    text += "1" * (-len(text) % 8)
    data = int(text, 2).to_bytes(len(text) // 8, "big")
    return data.replace(b"\xff", b"\xff\0")


def jpeg(number, side=64):
    """Grey squares of 8x8 pixels."""
    count = (side // 8) ** 2
    levels = [number >> shift & 1 and 90 or -90 for shift in range(min(24, count))]
    levels += [0] * (count - len(levels))
    scan = segment(0xDA, bytes([1, 1, 0, 0, 63, 0])) + jpeg_scan(levels)
    return b"\xff\xd8" + jpeg_tables() + jpeg_frame(side, side) + scan + b"\xff\xd9"


def picture(number):
    """One of the three formats and its extension."""
    kind = number % 8
    if kind == 7:
        return gif(number), "gif"
    return (jpeg(number), "jpg") if kind in (3, 5) else (png(number), "png")
