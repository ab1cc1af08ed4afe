#!/usr/bin/env python3
"""Archives as other programs see and make them.

    archives.py read FILE       one line for each entry, as JSON
    archives.py write FOLDER    archives that are to be read: plain.zip, plain.tar, plain.tar.gz
    archives.py hostile FOLDER  archives that are to be refused, and list.tsv: file, code of the error
"""
import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import struct
import subprocess
import sys
import tarfile
import zipfile

PLAIN = {"a.png": b"a" * 700, "cats/ü.png": bytes(range(256)) * 40, "empty": b""}


def read_zip(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for entry in archive.infolist():
            yield dict(name=entry.filename, stored=entry.compress_type == zipfile.ZIP_STORED,
                       date=list(entry.date_time), mode=entry.external_attr >> 16,
                       flags=entry.flag_bits, extra=len(entry.extra), comment=len(entry.comment),
                       sha256=hashlib.sha256(archive.read(entry)).hexdigest())


def read_tar(path):
    with tarfile.open(path, "r:gz") as archive:
        for entry in archive:
            yield dict(name=entry.name, regular=entry.type == tarfile.REGTYPE, mode=entry.mode,
                       owner=[entry.uid, entry.gid, entry.uname, entry.gname], date=entry.mtime,
                       pax=len(entry.pax_headers),
                       sha256=hashlib.sha256(archive.extractfile(entry).read()).hexdigest())


def zip_of(*entries, method=zipfile.ZIP_STORED):
    """A ZIP of entries, each a name or ZipInfo and its bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return buffer.getvalue()


def zip_entry(name, mode=0o100644, system=3):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    entry.create_system = system
    return entry


def tar_of(*entries, compression="", form=tarfile.PAX_FORMAT):
    """A tape archive of entries, each a name or TarInfo and its bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{compression}", format=form) as archive:
        for entry, data in entries:
            if isinstance(entry, str):
                entry = tarfile.TarInfo(entry)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def tar_entry(name, kind, target=""):
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


def zip_bomb(size):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("zeros.bmp", "w") as file:
            for _ in range(size >> 20):
                file.write(bytes(1 << 20))
    return buffer.getvalue()


def tar_bomb(size, name):
    entry = tarfile.TarInfo(name)
    entry.size = size
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1) as file:
        file.write(entry.tobuf())
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
        file.write(bytes(1024))
    return buffer.getvalue()


def sparse_bomb(folder, end):
    """A file that begins with a hole of 1 GB, which takes some bytes in a tape archive."""
    path = os.path.join(folder, "hole")
    with open(path, "wb") as file:
        file.truncate(1 << 30)
        file.seek(0, os.SEEK_END)
        file.write(end)
    words = ["tar", "--sparse", "--create", "--file=-", f"--directory={folder}", "hole"]
    data = subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout
    os.remove(path)
    return data


def zip_overlapping():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.png", b"a" * 100)
        archive.filelist.append(archive.filelist[0])
    return buffer.getvalue()


def patched(data, old, new, count=-1):
    assert old in data
    return data.replace(old, new, count)


def zip_with(data, place, value, width="<I"):
    """A ZIP with a field of its first directory record replaced, `place` bytes from its start."""
    start = data.index(b"PK\1\2") + place
    return data[:start] + struct.pack(width, value) + data[start + struct.calcsize(width):]


def hostile_names():
    for name, code in {
        "../up.png": "bad-name", "cats/../../up.png": "bad-name", "/etc/passwd": "bad-name",
        "back\\slash.png": "bad-name", "cats//a.png": "bad-name", "cats/./a.png": "bad-name",
        ".": "bad-name", "..": "bad-name", "line\nbreak.png": "bad-name",
        "escape\x1b[2J.png": "bad-name", "delete\x7f.png": "bad-name", "c1\x9b.png": "bad-name",
        "a/" * 9 + "deep.png": "deep-path", "l" * 300 + ".png": "long-path",
    }.items():
        yield "zip", zip_of((name, b"x")), code
        yield "tar", tar_of((name, b"x")), code
        yield "tar", tar_of((name, b"x"), form=tarfile.GNU_FORMAT), code
    for name in ["..\\up.png", "cats\\..\\..\\up.png", "\\up.png", "cats\\\\a.png", "C:\\..\\a.png"]:
        yield "zip", zip_of((zip_entry(name, system=0), b"x")), "bad-name"
    yield "zip", patched(zip_of(("nul_.png", b"x")), b"nul_", b"nul\0"), "bad-name"
    yield "zip", patched(zip_of(("up_.png", b"x")), b"up_", b"\x83\n_"), "bad-name"
    yield "zip", patched(zip_of(("../q_.png", b"x")), b"q_", b"q\xfc"), "bad-name"
    yield "zip", patched(zip_of(("ü.png", b"x")), "ü".encode(), b"\xc3("), "bad-name"
    byte = tar_of(("b\udcff\udcfe.png", b"x"), form=tarfile.GNU_FORMAT)
    yield "tar", byte, "bad-name"


def hostile_pairs():
    for first, second in [
        ("a.png", "a.png"), ("a.png", "A.PNG"), ("\u00fc.png", "u\u0308.png"),
        ("STRASSE.png", "stra\u00dfe.png"), ("a", "a/b.png"), ("a/b.png", "A"),
    ]:
        yield "zip", zip_of((first, b"1"), (second, b"2")), "duplicate-name"
        yield "tar.gz", tar_of((first, b"1"), (second, b"2"), compression="gz"), "duplicate-name"


def hostile_kinds():
    for mode in (0o120777, 0o020666, 0o060666, 0o010666, 0o140666):
        yield "zip", zip_of((zip_entry("a.png", mode), b"/etc/passwd")), "not-regular-file"
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE,
                 tarfile.FIFOTYPE):
        entry = tar_entry("a.png", kind, "/etc/passwd")
        yield "tar", tar_of((entry, b"")), "not-regular-file"


def hostile_sizes(folder):
    yield "zip", zip_bomb(2 << 20), "bomb"
    yield "tar.gz", tar_bomb(2 << 20, "zeros.bmp"), "bomb"
    yield "zip", zip_bomb(1 << 30), "too-many-bytes"
    yield "tar.gz", tar_bomb(1 << 30, "zeros.bmp"), "too-many-bytes"
    yield "tar.gz", tar_bomb(1 << 30, "__MACOSX/zeros.bmp"), "too-many-bytes"
    yield "tar", sparse_bomb(folder, b""), "damaged"
    yield "tar", sparse_bomb(folder, b"end"), "bomb"
    noise = os.urandom(3 << 20)
    yield "zip", zip_of(("large.png", noise)), "too-many-bytes"
    yield "tar", tar_of(("large.png", noise)), "too-many-bytes"
    many = [(f"{number}.png", noise[:1 << 20]) for number in range(9)]
    yield "zip", zip_of(*many), "too-many-bytes"
    yield "tar.gz", tar_of(*many, compression="gz"), "too-many-bytes"
    few = [(f"{number}.png", b"x") for number in range(21)]
    yield "zip", zip_of(*few), "too-many-entries"
    yield "tar", tar_of(*few), "too-many-entries"


def hostile_bytes():
    good = zip_of(("a.png", b"a" * 1000), method=zipfile.ZIP_DEFLATED)
    yield "zip", zip_with(good, 8, 1, "<H"), "encrypted"
    yield "zip", patched(patched(good, b"PK\3\4\x14\0\0\0", b"PK\3\4\x14\0\1\0"),
                         b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0"), "encrypted"
    for size in (0, 1, 999, 1001, 1 << 31):
        length = struct.pack("<I", size)
        yield "zip", patched(good, struct.pack("<I", 1000), length), "damaged"
    yield "zip", zip_with(good, 20, 5), "damaged"
    yield "zip", zip_with(good, 20, 1 << 30), "damaged"
    yield "zip", zip_with(good, 42, 7), "damaged"
    yield "zip", patched(good, b"a.png", b"b.png", 1), "damaged"
    yield "zip", patched(zip_of(("a.png", b"good")), b"good", b"evil"), "damaged"
    yield "zip", zip_overlapping(), "damaged"
    yield "zip", b"PK\3\4" + bytes(1000), "damaged"
    yield "zip", good + b"more", "damaged"
    # The length and the place of the directory: their sum has more than 32 bits.
    yield "zip", good[:-10] + struct.pack("<II", 1 << 31, 1 << 31) + good[-2:], "damaged"
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield "zip", zip_of(("a.png", b"a" * 1000), method=method), "unsupported"
    tape = tar_of(("a.png", b"a" * 1000))
    yield "tar", tape[:1536], "damaged"
    lie = tarfile.TarInfo("a.png")
    lie.size = 1 << 40
    yield "tar", lie.tobuf() + bytes(2048), "damaged"
    flipped = bytearray(gzip.compress(tape, 0))
    flipped[700] ^= 1
    yield "tar.gz", bytes(flipped), "damaged"
    yield "tar.gz", gzip.compress(tape) + b"more", "damaged"


def other_formats():
    tape = tar_of(("a.png", b"a" * 1000))
    yield "none", b"", "not-an-archive"
    yield "png", b"\x89PNG\r\n\x1a\n" + bytes(1000), "not-an-archive"
    yield "7z", b"7z\xbc\xaf\x27\x1c\0\4" + bytes(1000), "not-an-archive"
    yield "rar", b"Rar!\x1a\x07\0" + bytes(1000), "not-an-archive"
    yield "cpio", b"070701" + b"0" * 1000, "not-an-archive"
    yield "mtree", b"#mtree\na.png type=file\n" + b"# \n" * 200, "not-an-archive"
    yield "ar", b"!<arch>\n" + b"a.png/          0           0     0     644     4         `\n" * 20, \
        "not-an-archive"
    yield "tar.xz", lzma.compress(tape), "not-an-archive"
    yield "tar.bz2", bz2.compress(tape * 4), "not-an-archive"
    yield "gz", gzip.compress(b"no tape" * 500), "not-an-archive"
    yield "gz.gz", gzip.compress(gzip.compress(tape, 0)), "not-an-archive"
    yield "zip.gz", gzip.compress(zip_of(("a.png", b"x" * 600))), "not-an-archive"


def write_hostile(folder):
    makers = [hostile_names(), hostile_pairs(), hostile_kinds(), hostile_sizes(folder),
              hostile_bytes(), other_formats()]
    with open(os.path.join(folder, "list.tsv"), "w") as table:
        for maker in makers:
            for number, (extension, data, code) in enumerate(maker):
                name = f"{maker.__name__}-{number}.{extension}"
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
                table.write(f"{name}\t{code}\n")


def write_plain(folder):
    litter = [("__MACOSX/._a.png", b"x"), (".DS_Store", b"x"), ("cats/._b.png", b"x")]
    entries = list(PLAIN.items()) + litter
    tapes = [("./" + name, data) for name, data in entries]
    tapes = [(tar_entry("./", tarfile.DIRTYPE), b""), *tapes]
    for name, data in {
        "plain.zip": zip_of((zip_entry("cats/", 0o040755), b""), *entries,
                            method=zipfile.ZIP_DEFLATED),
        "plain.tar": tar_of(*tapes),
        "plain.tar.gz": tar_of(*tapes, compression="gz", form=tarfile.GNU_FORMAT),
    }.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def main():
    verb, path = sys.argv[1:]
    if verb == "read":
        for entry in read_zip(path) if path.endswith(".zip") else read_tar(path):
            print(json.dumps(entry))
    elif verb == "write":
        write_plain(path)
    else:
        write_hostile(path)


main()
