#!/usr/bin/env python3
"""Compares what was dropped with what is published and what was refused.

It shares no code with stickerd. It knows the drops, the folder `out`, and `stickerctl jobs --json`.

    check.py CONFIG [STICKERCTL]

says what is wrong with the library of a configuration file once all jobs are done, and ends with 1
if anything is.
"""

import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import urllib.parse
import zlib

import formats

LOOKED_AT = {"png", "apng", "gif", "jpg", "jpeg", "jpe", "jfif", "webp", "bmp", "dib", "tif", "tiff",
             "avif", "avifs", "heic", "heif", "hif", "svg"}
FINAL = {"completed", "cancelled", "discarded"}
PICTURE = re.compile(r"_/([0-9a-f]{2})/([0-9a-f]{64})\.(webp|png|gif)$")
# Everything else below `out` is a temporary that was left behind, or a stranger.
PUBLIC = re.compile(
    r"(index\.json|_removed(-[0-9a-f]{64})?\.json|_packs/.*|[a-z0-9][a-z0-9_]*/[A-Za-z0-9_-]+\.json|"
    r"_/[0-9a-f]{2}/[0-9a-f]{64}\.(webp|png|gif|json))$")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def contents(path):
    with open(path, "rb") as file:
        return file.read()


# --- What a reader sees --------------------------------------------------------------------------


class Manifest:
    """A category's stickers, of all its pages."""

    def __init__(self, path):
        self.folder, self.pages = os.path.dirname(path), 0
        first = page = json.loads(contents(path))
        self.identifier, self.generation = first["identifier"], first["generation"]
        self.stickers = list(first["stickers"])
        self.previews = [first[key] for key in ("imageURL", "trayURL") if key in first]
        while "nextURL" in page:
            page = json.loads(contents(self.path(page["nextURL"])))
            if page["identifier"] != self.identifier:
                raise ValueError(f"a page of {page['identifier']} in {path}")
            self.stickers += page["stickers"]

    def path(self, url):
        return os.path.normpath(os.path.join(self.folder, urllib.parse.unquote(url)))

    def files(self):
        for sticker in self.stickers:
            for file in sticker["files"]:
                yield sticker, file, self.path(file["url"])


class Published:
    """All that `out` holds at one moment; `pick` may choose some of the index's categories."""

    def __init__(self, out, pick=lambda categories: categories):
        self.out, self.generation, self.manifests = out, 0, {}
        path = os.path.join(out, "index.json")
        if not os.path.exists(path):
            return
        index = json.loads(contents(path))
        self.generation = index["generation"]
        for category in pick(index["categories"]):
            manifest = Manifest(os.path.join(out, category["manifestURL"]))
            if manifest.identifier != category["identifier"]:
                raise ValueError(f"{category} leads to the manifest of {manifest.identifier}")
            self.manifests[manifest.identifier] = manifest

    def entries(self):
        for category, manifest in self.manifests.items():
            for sticker in manifest.stickers:
                yield category, sticker

    def complaints(self, verified=None, pick=lambda files: files):
        """Whatever the files are not that the manifests say.

        `verified` remembers good ones, `pick` may choose some of those of a manifest.
        """
        verified = {} if verified is None else verified
        found = []
        for category, manifest in self.manifests.items():
            names = [sticker["identifier"] for sticker in manifest.stickers]
            found += [f"{category}: {name} stands there {count} times"
                      for name, count in collections.Counter(names).items() if count > 1]
            found += [f"{category}: preview {url} is missing" for url in manifest.previews
                      if not os.path.exists(manifest.path(url))]
            for sticker, file, path in pick(list(manifest.files())):
                wrong = file_complaint(sticker, file, path, verified)
                if wrong:
                    found.append(f"{category}/{sticker['identifier']} {file['role']}: {wrong}")
            found += [f"{category}/{sticker['identifier']}: {wrong}"
                      for sticker in manifest.stickers for wrong in sticker_complaints(sticker)]
        return found


def sticker_complaints(sticker):
    roles = [file["role"] for file in sticker["files"]]
    if roles.count("sticker") != 1:
        yield f"{roles.count('sticker')} files are the sticker"
    urls = {file["url"] for file in sticker["files"]}
    for key in ("imageURL", "thumbnailURL", "companionURL"):
        if key in sticker and sticker[key] not in urls:
            yield f"{key} is none of its files"


def file_complaint(sticker, file, path, verified):
    """None, if the file is as its entry says."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return f"{path} is missing"
    if status.st_size != file["bytes"]:
        return f"{path} has {status.st_size} bytes and not {file['bytes']}"
    known = (path, status.st_ino, status.st_mtime_ns, file["sha256"])
    if known not in verified:
        data = contents(path)
        if sha256(data) != file["sha256"]:
            return f"{path} has another content"
        try:
            verified[known] = formats.shape(data)
        except formats.Malformed as error:
            return f"{path}: {error}"
    return shape_complaint(file, path, verified[known])


def shape_complaint(file, path, shape):
    """Whether the file's own header says what its entry says."""
    is_moving = "frames" in file
    said = (file["format"], file["width"], file["height"],
            file.get("frames", 1), file.get("durationMilliseconds"))
    seen = (shape.format, shape.width, shape.height, shape.frames,
            shape.milliseconds if is_moving else None)
    if said != seen:
        return f"{path} is {seen}, the manifest says {said}"
    limit = 500_000 if is_moving else 100_000
    if file["role"] == "sticker" and (seen[:3] != ("webp", 512, 512) or file["bytes"] > limit):
        return f"{path} is no sticker: {seen}, {file['bytes']} bytes"
    return None


def litter(out):
    """Temporaries, strangers, and pictures that do not hold what their name says."""
    found = []
    for folder, _, names in os.walk(out):
        for name in names:
            path = os.path.join(folder, name)
            short = os.path.relpath(path, out)
            if not PUBLIC.match(short):
                found.append(f"{short} does not belong there")
    return found


def half_written(out):
    """Pictures under their final name whose content is another."""
    found = []
    for folder, _, names in os.walk(os.path.join(out, "_")):
        for name in names:
            short = os.path.relpath(os.path.join(folder, name), out)
            match = PICTURE.match(short)
            if match:
                data = contents(os.path.join(folder, name))
                if sha256(data) != match[2] or match[1] != match[2][:2]:
                    found.append(f"{short} holds something else ({len(data)} bytes)")
    return found


# --- What was dropped ----------------------------------------------------------------------------


class Dropped:
    """One file below a drop: its verdict (accept, reject, either), how often it was written."""

    def __init__(self, path, hash, verdict="either", times=None):
        self.path, self.hash, self.verdict, self.times = path, hash, verdict, times
        self.name = os.path.basename(path)

    @property
    def folder(self):
        return self.path.split("/")[0] if "/" in self.path else "stickers"


def dropped_below(drop):
    """What lies there and is looked at."""
    for folder, folders, names in os.walk(drop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.join(folder, name)
            if name.rpartition(".")[2].lower() in LOOKED_AT and not name.startswith("."):
                yield Dropped(os.path.relpath(path, drop), sha256(contents(path)))


class Judgement:
    """The whole of what was found."""

    def __init__(self):
        self.published = self.refused = self.waiting = 0
        self.open, self.lost, self.doubled, self.wrong, self.broken = [], [], [], [], []

    @property
    def complaints(self):
        return ([f"lost: {text}" for text in self.lost]
                + [f"doubled: {text}" for text in self.doubled]
                + [f"wrong verdict: {text}" for text in self.wrong]
                + [f"not done: {text}" for text in self.open] + self.broken)


class Memory:
    """What was seen before, and must still hold: ids of files, generations, good files. One of many
    memories may keep to a `part` of the names, the number of the part and how many there are."""

    def __init__(self, part=(0, 1)):
        self.identifiers, self.generations, self.verified = {}, {}, {}
        self.part, self.parts = part

    def minds(self, name):
        return zlib.crc32(name.encode()) % self.parts == self.part % self.parts

    def complaints(self, published):
        found = []
        for category, manifest in published.manifests.items():
            before = self.generations.get(category, 0)
            if manifest.generation < before:
                found.append(f"{category}: generation {manifest.generation} after {before}")
            self.generations[category] = manifest.generation
        before = self.generations.get("", 0)
        if published.generation < before:
            found.append(f"index: generation {published.generation} after {before}")
        self.generations[""] = published.generation
        owners = {}
        for category, sticker in published.entries():
            key = (category, sticker["source"]["name"])
            if not self.minds(key[1]):
                continue
            # Of files of one name in several folders of a category any may come first.
            owners.setdefault(key, set()).add(sticker["identifier"])
        for key, names in owners.items():
            before = self.identifiers.get(key)
            if before and not before <= names and len(before) == len(names):
                found.append(f"{'/'.join(key)}: id {sorted(names)} was {sorted(before)}")
            self.identifiers[key] = names
        return found


def judge(out, dropped, jobs, memory=None, may_wait=False):
    """Every dropped file must be in exactly one entry, or refused once with a reason; or wait once, where it may."""
    memory = memory or Memory()
    result = Judgement()
    published = Published(out)
    result.broken += published.complaints(memory.verified) + memory.complaints(published)
    entries, rows, wanted = collections.Counter(), {}, collections.Counter()
    for category, sticker in published.entries():
        source = sticker["source"]
        entries[category, source["name"], source["sha256"]] += 1
    for job in jobs:
        rows.setdefault(job["file"], []).append(job)
    keys = {}
    for file in dropped:
        own = rows.get(file.path, [])
        category = own[0]["category"] if own else file.folder
        keys[file.path] = (category, file.name, file.hash)
        wanted[keys[file.path]] += 1

    explained = collections.Counter()
    for file in dropped:
        own = rows.get(file.path, [])
        if may_wait and is_open(own):
            judge_waiting(file, keys[file.path], own, entries, wanted, result)
        else:
            judge_one(file, keys[file.path], own, entries, wanted, result)
        explained[keys[file.path][:2]] += 1
    for (category, name, hash), count in entries.items():
        if not explained[category, name]:
            result.broken.append(
                f"{category}/{name} ({hash[:8]}, {count} times) is not in the drop")
    seen = collections.Counter()
    for (category, name, _), count in entries.items():
        seen[category, name] += count
    for key, count in explained.items():
        if seen[key] > count:
            result.doubled.append(f"{'/'.join(key)}: {seen[key]} entries for {count} files")
    return result


def is_open(rows):
    return any(row["state"] not in FINAL for row in rows)


def judge_waiting(file, key, rows, entries, wanted, result):
    """A file that was dropped once and has an unfinished job: that is its only one, and nothing came of it yet."""
    result.waiting += 1
    states = [row["state"] for row in rows]
    if len(rows) > 1:
        result.doubled.append(f"{file.path} waits, and has further jobs: {states}")
    if entries[key] >= wanted[key]:
        result.doubled.append(f"{file.path} waits, and is published")


def judge_one(file, key, rows, entries, wanted, result):
    refused = [row for row in rows if row["state"] == "discarded" and row["needsAttention"]]
    here = entries[key]
    if is_open(rows):
        states = [row["state"] for row in rows]
        result.open.append(f"{file.path}: {states}")
    elif here >= wanted[key] and not refused:
        result.published += 1
        if file.verdict == "reject":
            result.wrong.append(f"{file.path} was published")
    elif refused and here < wanted[key]:
        result.refused += 1
        reasons = [row.get("reason") for row in refused]
        if len(refused) > 1:
            result.doubled.append(f"{file.path}: refused {len(refused)} times: {reasons}")
        if not all(reasons):
            result.broken.append(f"{file.path}: refused without a reason")
        if file.verdict == "accept":
            result.wrong.append(f"{file.path} was refused: {reasons}")
    elif any(row.get("reason") == "dismissed" for row in rows):
        result.refused += 1  # and somebody has said that it may be
    elif refused:
        result.doubled.append(f"{file.path}: published and refused")
    else:
        states = [row["state"] for row in rows]
        result.lost.append(f"{file.path} ({file.hash[:8]}): jobs {states}, {here} entries")
    completed = sum(row["state"] == "completed" for row in rows)
    if file.times is not None and completed > file.times:
        result.doubled.append(f"{file.path}: {completed} jobs completed for {file.times} drops")


# --- The command ---------------------------------------------------------------------------------


def jobs_of(stickerctl, config):
    run = subprocess.run(
        [stickerctl, "--config", config, "jobs", "--json"], capture_output=True, check=False)
    if run.returncode:
        raise RuntimeError(f"stickerctl jobs: exit {run.returncode}: {run.stderr.decode()[-500:]}")
    return json.loads(run.stdout)["jobs"]


def main(arguments):
    config = arguments[0]
    stickerctl = arguments[1] if len(arguments) > 1 else "stickerctl"
    settings, base = json.loads(contents(config)), os.path.dirname(os.path.abspath(config))
    out = os.path.join(base, settings.get("out", "out"))
    drops = [drop if isinstance(drop, str) else drop["path"]
             for drop in settings.get("drops", ["drop"])]
    dropped = [file for drop in drops for file in dropped_below(os.path.join(base, drop))]
    result = judge(out, dropped, jobs_of(stickerctl, config))
    found = result.complaints + litter(out) + half_written(out)
    for text in found:
        print(text)
    print(f"{len(dropped)} files: {result.published} published, {result.refused} refused, "
          f"{len(found)} complaints")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
