"""A font whose letters are bars, all alike. Each machine draws letters in its own way, and bars as every other one."""

import struct

UNITS, ASCENT, DESCENT, HEIGHT = 1000, 800, 200, 500


def font(width, weight):
    """A TrueType font in which every character but the spaces is a bar of this width, in thousandths of the size. It
    has the tables that browsers require; their layouts are in OpenType 1.9."""
    # Corners from the lower left one clockwise, as differences: first all x, then all y.
    bar = struct.pack(">5hHH4B8h", 1, 0, 0, width, HEIGHT, 3, 0, 1, 1, 1, 1,
                      0, 0, width, 0, 0, HEIGHT, 0, -HEIGHT)
    bar += bytes(-len(bar) % 4)
    # Glyph 0 is that of missing characters, 1 the space, which has no outline, 2 all others: format 13.
    groups = [(0x20, 0x20, 1), (0x21, 0x9F, 2), (0xA0, 0xA0, 1), (0xA1, 0xD7FF, 2)]
    ranges = b"".join(struct.pack(">III", *group) for group in groups)
    names = [text.encode("utf-16-be") for text in ["Bars", "Regular", "Bars", "Bars", "1", "Bars"]]
    name = struct.pack(">HHH", 0, len(names), 6 + 12 * len(names))
    for number, text in enumerate(names):
        name += struct.pack(">6H", 3, 1, 0x409, number + 1, len(text), sum(map(len, names[:number])))
    tables = {
        b"OS/2": struct.pack(">HhHHH11h10B4I4sHHHhhhHH", 0, width, weight, 5, 0, *[0] * 25, b"NONE", 0x40, 0x20, 0xD7FF,
                             ASCENT, -DESCENT, 0, ASCENT, DESCENT),
        b"cmap": struct.pack(">HHHHIHHIII", 0, 1, 3, 10, 12, 13, 0, 16 + len(ranges), 0, len(groups)) + ranges,
        b"glyf": bar + bar,
        b"head": struct.pack(">4IHHQQ4hHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, UNITS, 0, 0, 0, 0, width, HEIGHT,
                             0, 8, 2, 1, 0),
        b"hhea": struct.pack(">I3hH11hH", 0x10000, ASCENT, -DESCENT, 0, width, 0, 0, width, 1, *[0] * 7, 1),
        b"hmtx": struct.pack(">Hhhh", width, 0, 0, 0),
        b"loca": struct.pack(">4I", 0, len(bar), len(bar), 2 * len(bar)),
        b"maxp": struct.pack(">I14H", 0x10000, 3, 4, 1, 0, 0, 2, *[0] * 8),
        b"name": name + b"".join(names),
        b"post": struct.pack(">IIhh5I", 0x30000, 0, -100, 50, 1, 0, 0, 0, 0),
    }
    directory = struct.pack(">I4H", 0x10000, len(tables), 128, 3, 16 * len(tables) - 128)
    data, start = b"", len(directory) + 16 * len(tables)
    for tag, table in tables.items():
        padded = table + bytes(-len(table) % 4)
        checksum = sum(struct.unpack(f">{len(padded) // 4}I", padded)) % 2**32
        directory += tag + struct.pack(">III", checksum, start + len(data), len(table))
        data += padded
    return directory + data
