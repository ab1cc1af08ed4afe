#!/usr/bin/env python3
"""Clients that want memory and places of the servers, beside one who reads, uploads and comes into the console.

    clients.py KIND PORT    is such a client, of a KIND below, until its standard input ends
"""

import contextlib
import hashlib
import http.client
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

import art
import check
from loads import is_idle, timed
from stage import Daemon, Stage, Trouble, Watch, resident

WAIT_SECONDS = 1
MEMORY_MAX = 200_000_000
# So long that an answer counts as none, on any machine.
NEVER_SECONDS = 60
STICKERS = 10_000 # as many as one answer may have
# Two addresses of this machine.
HOSTILE, HONEST = "127.0.0.2", "127.0.0.3"
CATALOG, CATALOG_BYTES_MIN = "/api/imgly", 3_000_000
TOKENS = {"ada": "token-of-ada", "mallory": "token-of-mallory"}
CONSOLE_TOKEN = "token-of-the-console"


# --- The hostile ones ----------------------------------------------------------------------------


def get(target, fields=""):
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n".encode()


def post(target, body, count=None, fields=""):
    head = (f"POST {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {count or len(body)}\r\n"
            f"{fields}\r\n")
    return head.encode() + body


class Kind:
    """How many connections, what each sends, and how many bytes it sends, after the first `begin`, and takes at once."""

    def __init__(self, count, data, sends=1 << 16, takes=1 << 16, begin=0, pause=0.1, server="web"):
        self.count, self.data, self.sends, self.takes = count, data, sends, takes
        self.begin, self.pause, self.server = begin, pause, server


def kinds():
    token = f"Authorization: Bearer {TOKENS['mallory']}\r\n"
    upload = post("/api/personal", art.png(1), 5000, token)
    guess = post("/enter", b"token=wrong-wrong-wrong", fields="Connection: close\r\n")
    return {
        "pipelining": Kind(300, get("/api/openapi.json") * 1000, takes=0),
        # Just fast enough not to be taken for one that takes nothing.
        "taking slowly": Kind(100, get(CATALOG) * 1000, takes=8192),
        # What an answer to a token says is made each time.
        "having answers made": Kind(50, get(CATALOG, token) * 1000),
        "saying nothing": Kind(500, b"", takes=0),
        "following events": Kind(300, get("/api/events")),
        "guessing": Kind(10, guess, server="console"),
        "uploading slowly": Kind(100, upload, sends=1, begin=len(upload) - len(art.png(1)), pause=1),
    }


class Line:
    """One connection, which is opened again whenever the server ends it."""

    def __init__(self, kind, port):
        self.kind, self.port, self.socket = kind, port, None

    def open(self):
        self.close()
        self.socket, self.sent = socket.socket(), 0
        self.socket.settimeout(5)
        # What the kernel takes is not waited for.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind((HOSTILE, 0))
        self.socket.connect(("127.0.0.1", self.port))
        self.socket.setblocking(False)

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def step(self):
        try:
            if not self.socket:
                self.open()
            with contextlib.suppress(BlockingIOError):
                self.send()
            with contextlib.suppress(BlockingIOError):
                self.take()
        except OSError:
            self.close()

    def send(self):
        kind = self.kind
        end = kind.begin if self.sent < kind.begin else self.sent + kind.sends
        if self.sent < len(kind.data):
            self.sent += self.socket.send(memoryview(kind.data)[self.sent:end])

    def take(self):
        takes = self.kind.takes
        if not self.socket.recv(takes or 1, 0 if takes else socket.MSG_PEEK):
            self.close()


def attack(kind, port):
    """As long as somebody listens to it."""
    os.nice(5) # such a client has a machine of its own
    raise_limit()
    lines = [Line(kind, port) for _ in range(kind.count)]
    print("ready", flush=True)
    os.set_blocking(0, False)
    while os_read() != b"":
        for line in lines:
            line.step()
        time.sleep(kind.pause)


def os_read():
    try:
        return os.read(0, 1)
    except BlockingIOError:
        return None


def raise_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def attacked(names, ports):
    """Clients of these kinds at work."""
    processes = []
    try:
        for name in names:
            command = [sys.executable, os.path.abspath(__file__), name, str(ports[kinds()[name].server])]
            processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        for process in processes:
            process.stdout.readline()
        yield
    finally:
        for process in processes:
            process.stdin.close()
            process.wait()
            process.stdout.close()


# --- The honest one ------------------------------------------------------------------------------


class Honest:
    """Asks for one thing after the other, each on a connection of its own, and remembers the longest wait."""

    def __init__(self, ports, catalog_bytes=None):
        self.ports, self.catalog_bytes = ports, catalog_bytes
        self.longest, self.asked, self.complaints = (0, "nothing"), 0, []
        self.uploads = 0

    def ask(self, server, method, target, status, body=None, fields=None):
        """The body of the answer, after `status`."""
        begin = time.monotonic()
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.ports[server], timeout=NEVER_SECONDS, source_address=(HONEST, 0))
        try:
            connection.request(method, target, body, fields or {})
            answer = connection.getresponse()
            data = answer.read()
            if answer.status != status:
                self.complaints.append(f"{method} {target}: {answer.status} and not {status}: {data[:300]!r}")
        except (OSError, http.client.HTTPException) as error:
            self.complaints.append(f"{method} {target}: {type(error).__name__}: {error}")
            data = b""
        finally:
            connection.close()
        self.asked += 1
        self.longest = max(self.longest, (time.monotonic() - begin, f"{method} {target}"))
        return data

    def round(self):
        """All that a reader, a user and an operator do."""
        self.ask("web", "GET", "/readyz", 200)
        self.ask("web", "GET", "/api/openapi.json", 200)
        self.ask("web", "GET", "/api/stickers/trending?limit=30", 200)
        catalog = len(self.ask("web", "GET", CATALOG, 200))
        if catalog != (self.catalog_bytes or catalog):
            self.complaints.append(f"{CATALOG}: {catalog} bytes and not {self.catalog_bytes}")
        self.catalog_bytes = catalog
        token = {"Authorization": f"Bearer {TOKENS['ada']}"}
        self.ask("web", "GET", "/api/personal", 200, fields=token)
        self.uploads += 1
        self.ask("web", "POST", "/api/personal", 202, art.png(self.uploads), token)
        form = urllib.parse.urlencode({"token": CONSOLE_TOKEN})
        self.ask("console", "POST", "/enter", 303, form)
        self.ask("console", "GET", "/", 401)

    def look_at_bytes(self, section):
        """Whether the server counts what waits for slow clients, so that it is bounded."""
        figures = self.ask("web", "GET", "/metrics", 200).decode()
        waiting = re.search(r"^stickerd_web_waiting_bytes (\d+)", figures, re.M)
        count = int(waiting[1]) if waiting else 0
        section.figure("bytes counted while one address takes slowly", f"{count / 1e6:.0f} MB", "3 to 34 MB",
                       self.catalog_bytes <= count <= 34e6)

    def work(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.round()
            time.sleep(0.2)


# --- The servers ---------------------------------------------------------------------------------


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def made_stage(programs, place):
    """A library with one picture under many ids, its servers' ports, and users who upload."""
    ports = {"web": free_port(), "console": free_port()}
    written(place, "console.token", CONSOLE_TOKEN)
    hashes = {user: hashlib.sha256(token.encode()).hexdigest() for user, token in TOKENS.items()}
    written(place, "tokens", "".join(f"{user} {hash}\n" for user, hash in hashes.items()))
    stage = Stage(programs, place, {
        "web": {"listen": f"127.0.0.1:{ports['web']}"},
        "console": {"listen": f"127.0.0.1:{ports['console']}", "tokenFile": f"{place}/console.token"},
        "sticker": {"companions": True}, # which the catalogue shows
        "personal": {"drop": f"{place}/uploads", "private": f"{place}/private", "tokensFile": f"{place}/tokens",
                     "stickersMax": 10_000, "uploadsPerMinute": 10_000},
    })
    for folder in ("uploads", "private"):
        os.makedirs(os.path.join(place, folder))
    stage.put("cats/cat.png", art.png(1))
    stage.drain()
    path = os.path.join(stage.out, "cats/manifest.json")
    manifest = json.loads(check.contents(path))
    sticker = manifest["stickers"][0]
    manifest["stickers"] = [dict(sticker, identifier=f"cat{number}") for number in range(STICKERS)]
    written(stage.out, "cats/manifest.json", json.dumps(manifest))
    return stage, ports


def written(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def await_ready(server, port):
    """Waits until it has read the library."""
    end = time.monotonic() + NEVER_SECONDS
    while time.monotonic() < end and server.is_alive:
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            if connection.getresponse().status in (200, 401):
                return
        time.sleep(0.1)
    raise Trouble(f"a server is not ready: {server.log()[-1500:]}")


def beside(section, programs, work, seconds):
    """Each kind for some seconds, then all at once; the honest client meanwhile."""
    place = tempfile.mkdtemp(prefix="clients-", dir=work)
    idle = is_idle()
    stage, ports = made_stage(programs, place)
    with (Daemon(stage, [], program=programs.find("stickerd-web")) as web,
          Daemon(stage, [], program=programs.find("stickerd-console")) as console):
        await_ready(web, ports["web"])
        await_ready(console, ports["console"])
        alone = Honest(ports)
        alone.work(1)
        if alone.complaints or alone.catalog_bytes < CATALOG_BYTES_MIN:
            raise Trouble(f"the catalogue has {alone.catalog_bytes} bytes: {alone.complaints[:3]}")
        before = {"stickerd-web": resident(web.pid), "stickerd-console": resident(console.pid)}
        with Watch(web) as of_web, Watch(console) as of_console:
            for names in [*([name] for name in kinds()), list(kinds())]:
                judge(section, idle, stage, ports, names, seconds, alone.catalog_bytes)
        for name, watch in (("stickerd-web", of_web), ("stickerd-console", of_console)):
            grown = max(watch.series) - before[name]
            section.figure(f"most memory of {name} beside all of them, above {before[name] / 1e6:.0f} MB",
                           f"{grown / 1e6:.0f} MB", f"{MEMORY_MAX / 1e6:.0f} MB", grown < MEMORY_MAX)
        for server in (web, console):
            if not server.is_alive:
                section.fail("hostile clients", [f"a server ended: {server.log()[-1500:]}"], place)
    shutil.rmtree(place)


def judge(section, idle, stage, ports, names, seconds, catalog_bytes):
    """One attack."""
    what = names[0] if len(names) == 1 else "all of these"
    count = sum(kinds()[name].count for name in names)
    honest = Honest(ports, catalog_bytes)
    with attacked(names, ports):
        time.sleep(1) # so that they are at work
        honest.work(seconds)
        if names == ["taking slowly"]:
            honest.look_at_bytes(section)
    section.runs += 1
    wait, asked = honest.longest
    timed(section, idle, f"longest wait of {honest.asked} beside {count} connections {what} ({asked})",
          wait, WAIT_SECONDS)
    if honest.complaints:
        section.fail(f"an honest client beside {count} connections {what}", honest.complaints, stage.place)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in kinds():
        sys.exit(__doc__)
    attack(kinds()[sys.argv[1]], int(sys.argv[2]))
