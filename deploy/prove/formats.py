"""Readers of WebP, PNG and GIF of our own: size, frames and time; nothing may be left over."""

import binascii
import struct
import zlib


class Malformed(Exception):
    """The file is not what its format asks for."""


class Shape:
    """What a file says about itself."""

    def __init__(self, format, width, height, frames=1, milliseconds=0):
        self.format, self.width, self.height = format, width, height
        self.frames, self.milliseconds = frames, milliseconds


def expect(condition, complaint):
    if not condition:
        raise Malformed(complaint)


def shape(data):
    """Walks through the whole file."""
    try:
        if data[:4] == b"RIFF":
            return webp(data)
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return png(data)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return gif(data)
    except (struct.error, IndexError, zlib.error) as error:
        raise Malformed(f"it ends too early or is damaged: {error}") from error
    raise Malformed(f"neither WebP, PNG nor GIF: begins with {data[:12]!r}")


# --- WebP ----------------------------------------------------------------------------------------


def riff_chunks(data, start, end):
    while start < end:
        kind, length = data[start:start + 4], struct.unpack_from("<I", data, start + 4)[0]
        expect(start + 8 + length <= end, f"chunk {kind!r} reaches beyond the end")
        yield kind, data[start + 8:start + 8 + length]
        start += 8 + length + length % 2


def webp(data):
    length = struct.unpack_from("<I", data, 4)[0]
    expect(length + 8 == len(data), f"RIFF of {length + 8} bytes in a file of {len(data)}")
    expect(data[8:12] == b"WEBP", "no WebP in the RIFF")
    chunks = list(riff_chunks(data, 12, len(data)))
    kinds = [kind for kind, _ in chunks]
    frames = [body for kind, body in chunks if kind == b"ANMF"]
    known = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"}
    expect(set(kinds) <= known, f"chunks {sorted(set(kinds) - known)}")
    if kinds[0] != b"VP8X":
        expect(len(kinds) == 1, f"chunks {kinds}")
        return Shape("webp", *bitstream_size(*chunks[0]))
    width = int.from_bytes(chunks[0][1][4:7], "little") + 1
    height = int.from_bytes(chunks[0][1][7:10], "little") + 1
    if not frames:
        picture = [chunk for chunk in chunks if chunk[0] in (b"VP8 ", b"VP8L")]
        expect(len(picture) == 1, f"{len(picture)} pictures in a still")
        expect(bitstream_size(*picture[0]) == (width, height), "the canvas has another size")
        return Shape("webp", width, height)
    milliseconds = 0
    for body in frames:
        x, y, wide, high, time = (
            int.from_bytes(body[at:at + 3], "little") for at in range(0, 15, 3))
        expect(2 * x + wide + 1 <= width and 2 * y + high + 1 <= height, "a frame off the canvas")
        inner = [chunk for chunk in riff_chunks(body, 16, len(body)) if chunk[0] != b"ALPH"]
        expect(len(inner) == 1, "a frame without one picture")
        expect(bitstream_size(*inner[0]) == (wide + 1, high + 1), "a frame of another size")
        milliseconds += time
    return Shape("webp", width, height, len(frames), milliseconds)


def bitstream_size(kind, data):
    if kind == b"VP8L":
        expect(data[0] == 0x2F, "no VP8L signature")
        bits = struct.unpack_from("<I", data, 1)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    expect(kind == b"VP8 " and data[3:6] == b"\x9d\x01\x2a", f"no VP8 key frame in {kind!r}")
    width, height = struct.unpack_from("<HH", data, 6)
    first = int.from_bytes(data[:3], "little") >> 5
    expect(10 + first <= len(data), "the first partition is cut off")
    return width & 0x3FFF, height & 0x3FFF


# --- PNG -----------------------------------------------------------------------------------------

SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def png(data):
    start, kinds, pixels, milliseconds = 8, [], b"", 0
    while start < len(data):
        length, kind = struct.unpack_from(">I4s", data, start)
        body = data[start + 8:start + 8 + length]
        checksum = struct.unpack_from(">I", data, start + 8 + length)[0]
        expect(checksum == binascii.crc32(kind + body), f"checksum of {kind!r}")
        kinds.append(kind)
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            pixels += body
        if kind == b"fcTL":
            over, under = struct.unpack_from(">HH", body, 20)
            milliseconds += over * 1000 // (under or 100)
        start += 12 + length
    expect(kinds[0] == b"IHDR" and kinds[-1] == b"IEND", f"chunks {kinds}")
    unpacked = zlib.decompressobj()
    rows = unpacked.decompress(pixels)
    expect(unpacked.eof and not unpacked.unused_data, "the pixels do not end where they should")
    if not interlace:
        row = 1 + (width * SAMPLES[color] * depth + 7) // 8
        expect(len(rows) == row * height, f"{len(rows)} bytes of pixels for {height} rows of {row}")
    frames = kinds.count(b"fcTL")
    return Shape("png", width, height, frames, milliseconds) if frames else Shape("png", width, height)


# --- GIF -----------------------------------------------------------------------------------------


def gif(data):
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    at = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    frames = milliseconds = 0
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                milliseconds += struct.unpack_from("<H", data, at + 4)[0] * 10
            at = after_blocks(data, at + 2)
            continue
        expect(data[at] == 0x2C, f"byte {data[at]:#x} where a block begins")
        x, y, wide, high, flags = struct.unpack_from("<HHHHB", data, at + 1)
        expect(x + wide <= width and y + high <= height, "a frame off the canvas")
        at += 10 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
        at = after_blocks(data, at + 1)
        frames += 1
    expect(at + 1 == len(data), "bytes behind the end")
    expect(frames > 0, "no frame")
    return Shape("gif", width, height, frames, milliseconds)


def after_blocks(data, at):
    while data[at]:
        at += 1 + data[at]
    return at + 1
