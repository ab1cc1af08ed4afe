#!/usr/bin/env python3
"""web.py PROGRAMS [ROUNDS]: measures stickerd-web beside nginx on this machine, with a library of 100,000 stickers that
only exists as manifests, and prints a page of Markdown. Each answer is also saved as a file, which nginx serves; wrk asks
both in turn, so that what else the machine does hits both."""

import asyncio
import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from checks import Program, fail, free_port, readiness, wait

CATEGORIES, STICKERS = 40, 2500
SECONDS, CLIENTS = 3, 32
WORDS = """happy sad cat dog rainy sunny hello goodbye wave dance love angry sleepy coffee party birthday thanks sorry
    yes no maybe cool wow fine night morning""".split()
# What is asked, and the aim: which part of nginx's rate for a file of that size.
QUESTIONS = {
    "trending, 50": ("/api/stickers/trending?limit=50", 0.7),
    "the same search": ("/api/stickers/search?q=happy+ca&limit=50", 0.5),
    "picture of 30 KB": ("/_/00/picture.png", None),
    "sticker by id": ("/api/stickers/s_7", None),
}


def sticker(number, words):
    def file(role, form, side):
        digest = hashlib.sha256(f"{number} {role} {form}".encode()).hexdigest()
        return dict(
            role=role, format=form, width=side, height=side, bytes=12345, sha256=digest,
            url=f"../_/{digest[:2]}/{digest}.{form}")
    files = [
        file("sticker", "webp", 512), file("companion", "png", 512), file("thumbnail", "png", 144),
        file("tray", "png", 96)]
    time_of = datetime.datetime(2025, 1, 1) + datetime.timedelta(minutes=number)
    return dict(
        identifier=f"s_{number}", title=" ".join([*words, str(number)]), emojis=["😀"], animated=False,
        imageURL=files[0]["url"], companionURL=files[1]["url"], thumbnailURL=files[2]["url"], files=files,
        source=dict(name=f"{number}.png", sha256=files[0]["sha256"]), encoding=dict(mode="lossy", quality=80),
        publishedAt=time_of.strftime("%Y-%m-%dT%H:%M:%SZ"))


def publish(out):
    chance = random.Random(1)
    categories = []
    for category in range(CATEGORIES):
        name = f"cat_{category:02}"
        (out / name).mkdir(parents=True)
        first = category * STICKERS
        entries = [sticker(first + index, chance.sample(WORDS, 2)) for index in range(STICKERS)]
        manifest = dict(version=1, generation=1, identifier=name, title=f"Category {category}", stickers=entries)
        (out / name / "manifest.json").write_text(json.dumps(manifest))
        categories.append(dict(identifier=name, title=f"Category {category}", manifestURL=f"{name}/manifest.json"))
    (out / "index.json").write_text(json.dumps(dict(version=1, generation=1, categories=categories)))
    (out / "_/00").mkdir(parents=True)
    (out / "_/00/picture.png").write_bytes(chance.randbytes(30_000))


def memory(program):
    text = pathlib.Path(f"/proc/{program.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def until_ready(base, server):
    wait([server], lambda: not readiness(base), pause=0.01)
    return readiness(base)


def wrk(url, script=None, clients=CLIENTS):
    """Requests a second, and the 99th percentile in ms."""
    command = ["wrk", "-t1", f"-c{clients}", f"-d{SECONDS}s", "--latency"]
    command += ["-s", script] if script else []
    text = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if wrong:
        fail(f"{wrong[1]} answers of {url} are errors")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def spread(values, form="{:.2f}"):
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{form.format(middle)} ({form.format(low)}-{form.format(high)})"


# Other words in each request: nothing is answered from memory.
DIFFERENT = """
math.randomseed(1)
local words = {%s}
request = function()
  local pick = function() return words[math.random(#words)] end
  return wrk.format("GET", "/api/stickers/search?limit=50&q=" .. pick() .. "+" .. math.random(99999))
end
""" % ", ".join(f'"{word}"' for word in WORDS)


def compare(base, nginx_port, folder, rounds):
    print(f"| answer | bytes | of nginx's rate | aim | requests/s | p99 ms |\n|---|---|---|---|---|---|")
    site = folder / "site"
    site.mkdir()
    for number, (name, (path, aim)) in enumerate(QUESTIONS.items()):
        body = urllib.request.urlopen(base + path).read()
        (site / f"{number}.json").write_bytes(body)
        ratios, rates, slowest = [], [], []
        for _ in range(rounds + 1):
            theirs, _ = wrk(f"http://127.0.0.1:{nginx_port}/{number}.json")
            ours, p99 = wrk(base + path)
            ratios.append(ours / theirs)
            rates.append(ours)
            slowest.append(p99)
        # The first round warms up.
        print(f"| {name} | {len(body):,} | {spread(ratios[1:])} | {aim or ''} | {spread(rates[1:], '{:,.0f}')} "
              f"| {spread(slowest[1:])} |", flush=True)


def starts(program, folder, base, rounds):
    """Seconds from the start until everything can be found."""
    seconds = []
    for _ in range(rounds):
        begin = time.monotonic()
        with Program([program, "--config", "config.json"], folder) as server:
            facts = until_ready(base, server)
            seconds.append(time.monotonic() - begin)
            size = memory(server)
    return seconds, size, facts


def reaches(base, out, rounds=20):
    """Milliseconds from a replaced manifest of 2,500 stickers to the event in a client."""
    path = out / "cat_00/manifest.json"
    manifest = json.loads(path.read_text())
    events = (line for line in urllib.request.urlopen(f"{base}/api/events") if line.startswith(b"data: "))
    last = next(events)
    found = []
    for number in range(rounds):
        manifest["stickers"][0]["title"] = f"renamed {number}"
        draft = path.with_name(".tmp")
        draft.write_text(json.dumps(manifest))
        # At another moment of the server's looks at the tree each time.
        time.sleep(0.137)
        begin = time.monotonic()
        draft.rename(path)
        # A number is repeated now and then.
        last = next(event for event in events if event != last)
        found.append((time.monotonic() - begin) * 1000)
    return found


async def crowd(base, server, clients=2000):
    """What others notice of clients that are slow in four ways, all at once: they say nothing, or a letter of a request
    each second, or a letter of its body, or they read nothing of the answers to many requests.

    Gives the milliseconds of other requests meanwhile, the most memory of the server, and after how many seconds the last
    of the clients was cut off."""
    address = urllib.parse.urlsplit(base)
    request = b"GET /api/stickers/trending?limit=200 HTTP/1.1\r\nHost: stickers\r\n"
    begin, cut = time.monotonic(), []

    async def client(kind):
        reader, writer = await asyncio.open_connection(
            address.hostname, address.port, limit=1024 if kind == 3 else 2 ** 16)
        said = [b"", request, request + b"Content-Length: 100000\r\n\r\n", (request + b"\r\n") * 50][kind]
        try:
            writer.write(said)
            while time.monotonic() - begin < 120 and not (kind < 3 and reader.at_eof()):
                await asyncio.sleep(1)
                if kind == 3:
                    # Nobody reads, so the end shows only when something is sent.
                    writer.write(b"\r\n")
                    await writer.drain()
                elif kind in (1, 2):
                    writer.write(b"x")
                    await writer.drain()
                if kind < 3:
                    with contextlib.suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(reader.read(65536), 0.01)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        cut.append(time.monotonic() - begin)
        writer.close()

    crowd = [asyncio.create_task(client(number % 4)) for number in range(clients)]
    asked, most = [], 0
    while len(cut) < clients and time.monotonic() - begin < 150:
        await asyncio.sleep(0.2)
        most = max(most, memory(server))
        start = time.monotonic()
        await asyncio.to_thread(lambda: urllib.request.urlopen(base + "/healthz", timeout=30).read())
        asked.append((time.monotonic() - start) * 1000)
    await asyncio.gather(*crowd)
    return asked, most, max(cut)


def main(programs, rounds="3"):
    rounds = int(rounds)
    # One descriptor for each client, here and in the server.
    resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)
    program = pathlib.Path(programs).resolve() / "stickerd-web"
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if not nginx or not shutil.which("wrk"):
        fail("needs nginx and wrk")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        out = folder / "out"
        publish(out)
        port, nginx_port = free_port(), free_port()
        base = f"http://127.0.0.1:{port}"
        (folder / "config.json").write_text(json.dumps(
            {"out": "out", "web": {"listen": f"127.0.0.1:{port}", "rate": 0}}))
        (folder / "nginx.conf").write_text(f"""
            daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/error.log;
            {"user root;" if os.geteuid() == 0 else ""}
            events {{ worker_connections 4096; }}
            http {{ access_log off; sendfile on; keepalive_requests 1000000;
                server {{ listen 127.0.0.1:{nginx_port}; root {folder}/site; }} }}""")
        (folder / "different.lua").write_text(DIFFERENT)
        seconds, size, facts = starts(program, folder, base, rounds)
        print(f"{facts['stickers']:,} stickers in {facts['categories']} categories, {CLIENTS} connections, "
              f"{SECONDS} s each, {rounds} rounds in turn; median (least-most).\n")
        with Program([nginx, "-p", name, "-c", folder / "nginx.conf"], folder), \
                Program([program, "--config", "config.json"], folder) as server:
            until_ready(base, server)
            compare(base, nginx_port, folder, rounds)
            different = [wrk(base, folder / "different.lua", clients=2) for _ in range(rounds)]
            print(f"\n| figure | found | aim |\n|---|---|---|")
            print(f"| seconds until 100,000 stickers are found | {spread(seconds)} | at most 5 |")
            print(f"| memory after the start, MB | {size:.0f} | |")
            print(f"| searches for other words each time, a second, 2 connections | "
                  f"{spread([rate for rate, _ in different], '{:,.0f}')} | |")
            print(f"| p99 of these over HTTP, ms | {spread([p99 for _, p99 in different])} | at most 5 |")
            alone = [wrk(base, folder / "different.lua", clients=1)[1] for _ in range(rounds)]
            print(f"| the same with 1 connection: more than the index itself takes | {spread(alone)} | below 1 |")
            before, asked = memory(server), 0
            end = time.monotonic() + 300
            while asked < 1_000_000 and time.monotonic() < end:
                asked += int(wrk(base + QUESTIONS["trending, 50"][0])[0] * SECONDS)
            print(f"| memory before and after {asked:,} further requests, MB | {before:.0f}, {memory(server):.0f} | flat |")
            print(f"| ms from a publication to an event at a client | {spread(reaches(base, out), '{:.0f}')} "
                  "| at most 200 |")
            asked, most, last = asyncio.run(crowd(base, server))
            print(f"| ms of other requests beside 2,000 slow clients | {spread(asked, '{:.1f}')} | |")
            print(f"| memory meanwhile, MB; seconds until all of them were cut off | {most:.0f}; {last:.0f} | |")


if __name__ == "__main__":
    main(*sys.argv[1:])
