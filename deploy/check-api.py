#!/usr/bin/env python3
"""check-api.py PROGRAMS [SCHEMATHESIS]: serves a small library, made by the programs of that folder, compares the
files of GIPHY's renditions with what is said about them, and lets schemathesis (https://schemathesis.readthedocs.io) hold
every answer against the OpenAPI document. Without schemathesis it says so and ends well."""

import http.server
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import urllib.request

from checks import Program, drain, fail, free_port, png, readiness, wait

REMOVED = "gone"
# A request that is as it should be may be told that a sticker is gone, and a long question has a status of its own.
SETTINGS = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 404, 410, 414]
[checks.negative_data_rejection]
expected-statuses = [400, 404, 414]
"""


def library(programs, folder):
    """Stills and a moving one, with and without words and packs; and a sticker that was removed."""
    (folder / "drop/cats").mkdir(parents=True)
    (folder / "drop/dogs").mkdir()
    for number in range(5):
        (folder / f"drop/cats/{number} cat {number}.png").write_bytes(png((50 * number, 0, 255)))
    (folder / "drop/cats/spin.png").write_bytes(png((255, 0, 0), (0, 255, 0), (0, 0, 255)))
    (folder / "drop/dogs/bark.png").write_bytes(png((9, 9, 9)))
    (folder / "drop/cats/category.json").write_text(json.dumps({
        "title": "Cats & \"more\"", "description": "Of all kinds", "publisher": "Ada",
        "licence": "CC0", "defaults": {"emojis": ["🐱"], "rating": "pg"},
        "stickers": {"spin.png": {
            "keywords": ["round", "Ä \\"], "accessibilityText": "A cat that spins",
            "tintMode": "solid", "pinned": True, "rating": "r"}}}))
    (folder / "config.json").write_text(json.dumps({
        "drops": ["drop"], "out": "out", "state": "state", "run": "run",
        "sticker": {"targets": ["whatsapp", "giphy", "giphy_small"], "packs": ["whatsapp", "discord"], "emojis": ["😀"]}}))
    drain(programs, folder)
    (folder / "out/_removed.json").write_text(json.dumps({"version": 1, "generation": 1, "removed": [
        {"identifier": REMOVED, "title": "Gone", "category": "cats", "removedAt": "2026-01-01T00:00:00Z"}]}))


class Partner(http.server.BaseHTTPRequestHandler):
    """A sticker provider of somebody else."""

    def do_GET(self):
        images = [{"id": f"P-{number}.x", "url": f"https://cdn.example.org/{number}.gif", "rating": rating,
                   "thumbnail": f"https://cdn.example.org/{number}.png", "keywords": ["a"], "accessibilityText": "A"}
                  for number, rating in enumerate(["g", "pg", None])]
        body = json.dumps({"images": images}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(Program):
    """stickerd-web over the library, beside a category of somebody else."""

    def __init__(self, programs, folder):
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        partner = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Partner)
        threading.Thread(target=partner.serve_forever, daemon=True).start()
        (folder / "web.json").write_text(json.dumps({
            "out": str(folder / "out"), "web": {"listen": f"127.0.0.1:{port}", "upstreams": {
                "partner": {"title": "Partner", "url": f"http://127.0.0.1:{partner.server_port}", "rating": "r",
                            "imageHosts": ["cdn.example.org"], "merged": True, "attribution": "By a partner"}}}}))
        super().__init__([programs / "stickerd-web", "--config", "web.json"], folder)

    def get(self, path):
        with urllib.request.urlopen(self.base + path, timeout=10) as answer:
            return answer.read()


def with_ids(document):
    """The document with the ids that there are, so that not every guess is a miss."""
    ids = {"sticker": ["spin", "bark", REMOVED], "category": ["cats", "dogs", "partner"], "ids": ["bark,spin"]}
    for name, known in ids.items():
        parameter = document["components"]["parameters"][name]
        parameter["schema"] = {"anyOf": [{"enum": known}, parameter["schema"]]}
        parameter["examples"] = {known_id: {"value": known_id} for known_id in known}
    return document


def conforms(program, server, folder):
    """Answers are as the document says, whatever is asked. Events never end, so that nobody waits for them."""
    document = folder / "openapi.json"
    document.write_text(json.dumps(with_ids(json.loads(server.get("/api/openapi.json")))))
    settings = folder / "schemathesis.toml"
    settings.write_text(SETTINGS)
    run = subprocess.run(
        [program, "--config-file", settings, "run", document, "--url", server.base, "--exclude-path", "/api/events",
         # This server takes no uploads; check-personal.py asks one that does.
         "--exclude-path-regex", "^/api/personal",
         "--checks", "all", "--max-examples", "40", "--seed", "1", "--generation-deterministic",
         "--max-redirects", "0", "--no-color"],
        cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        fail(f"schemathesis found:\n{run.stdout[-20000:]}\n{run.stderr[-2000:]}")
    lines = [line.strip() for line in run.stdout.splitlines()]
    return "; ".join(line for line in lines if line.startswith("Schemathesis") or "generated" in line)


def size(data):
    """Pixels across and down of a PNG, GIF or WebP, as its head says."""
    if data[:4] == b"\x89PNG":
        return struct.unpack(">II", data[16:24])
    if data[:3] == b"GIF":
        return struct.unpack("<HH", data[6:10])
    kind = data[12:16]
    if kind == b"VP8X":
        return tuple(int.from_bytes(data[at:at + 3], "little") + 1 for at in (24, 27))
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return tuple(number & 0x3FFF for number in struct.unpack("<HH", data[26:30]))


def renditions(server):
    """Every rendition has the size that is said, and each sticker those that clients read without a look."""
    seen = 0
    for sticker in json.loads(server.get("/v1/stickers/trending"))["data"]:
        for name in ["original", "original_still", "fixed_width", "fixed_width_still", "fixed_height", "downsized"]:
            if name not in sticker["images"]:
                fail(f"{sticker['id']} has no {name}")
        for name in ["fixed_width", "fixed_height", "fixed_width_small", "fixed_height_small"]:
            pixels, picture = 100 if "small" in name else 200, sticker["images"][name]
            if (int(picture["width"]), int(picture["height"])) != (pixels, pixels):
                fail(f"{name} of {sticker['id']} is {picture}")
        for name, picture in sticker["images"].items():
            for url, count in [("url", "size"), ("webp", "webp_size")]:
                if url not in picture:
                    continue
                data = server.get(picture[url].removeprefix(server.base))
                said = int(picture["width"]), int(picture["height"]), int(picture[count])
                if (*size(data), len(data)) != said:
                    fail(f"{name} of {sticker['id']} is {size(data)}, {len(data)} bytes, not {said}")
                seen += 1
    return seen


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check-api.py PROGRAMS [SCHEMATHESIS]")
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        library(programs, folder)
        with Server(programs, folder) as server:
            wait([server], lambda: not readiness(server.base))
            print(f"check-api: {renditions(server)} files of renditions are what is said of them")
            if len(sys.argv) == 3:
                program = pathlib.Path(sys.argv[2]).absolute()
                print("check-api:", conforms(program, server, folder))
            else:
                print("check-api: answers are not tried, there is no schemathesis")
            if "was not answered" in server.said():
                fail(f"stickerd-web logged:\n{server.said()}")


if __name__ == "__main__":
    main()
