#!/usr/bin/env python3
"""check-personal.py PROGRAMS [UPLOADS]: lets users upload pictures to stickerd-web, a thousand at once unless told
otherwise, with the programs of that folder: each becomes a sticker of its user or is refused, once; nobody sees a byte of
another's over any route; what is deleted is gone."""

import concurrent.futures
import hashlib
import http.client
import json
import pathlib
import sys
import tempfile
import threading
import time

from checks import Program, fail, free_port, png, wait

USERS = 10
# A busy machine needs its time.
SECONDS_MAX = 300


class Server(Program):
    """stickerd-web with users."""

    def __init__(self, programs, folder, port):
        self.port = port
        super().__init__([programs / "stickerd-web", "--config", "config.json"], folder)

    def ask(self, method, path, token=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def list(self, token):
        status, body = self.ask("GET", "/api/personal", token)
        assert status == 200, (status, body)
        return json.loads(body)["stickers"]


def picture(number):
    """A picture of its own for each number; every tenth is broken, and every eleventh is none."""
    whole = png((number % 251, number // 251, 77))
    if number % 10 == 9:
        return whole[:-14]
    return b"%PDF-1.7 is no picture" if number % 11 == 10 else whole


def listen(server, token, words):
    """Collects the events of a user until the server ends."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    connection.request("GET", "/api/personal/events", headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    while line := answer.readline():
        if line.startswith(b"data: "):
            words.append(line)


def upload_all(server, tokens, count):
    """Everything at once; what each was told."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        tasks = [pool.submit(server.ask, "POST", "/api/personal", tokens[number % USERS], picture(number))
                 for number in range(count)]
        return [task.result() for task in tasks]


def check_each_once(server, tokens, told):
    """Everything that was taken is ready or refused, and nothing else is there."""
    taken = {}
    for number, (status, body) in enumerate(told):
        answer = json.loads(body)
        is_none = number % 10 != 9 and number % 11 == 10
        assert status == (415 if is_none else 202), (number, status, answer)
        if not is_none:
            assert answer["id"] not in taken, answer
            taken[answer["id"]] = number
    end = time.monotonic() + SECONDS_MAX
    while True:
        lists = [server.list(token) for token in tokens]
        waiting = sum(entry["state"] == "waiting" for entries in lists for entry in entries)
        if waiting == 0:
            break
        assert time.monotonic() < end, f"{waiting} uploads still wait"
        time.sleep(0.5)
    seen = {}
    for user, entries in enumerate(lists):
        for entry in entries:
            number = taken[entry["id"]]
            assert entry["id"] not in seen and number % USERS == user, entry
            seen[entry["id"]] = entry
            wanted = "refused" if number % 10 == 9 else "ready"
            assert entry["state"] == wanted, (number, entry)
            if wanted == "refused":
                assert entry["error"] and entry["remedy"] and entry["reason"] == "truncated", entry
    assert seen.keys() == taken.keys(), (len(seen), len(taken))
    return lists


def check_nobody_else(server, tokens, lists):
    """Every address of every user, asked by the user and by others."""
    own = others = 0
    for user, entries in enumerate(lists):
        ready = [entry for entry in entries if entry["state"] == "ready"]
        for entry in ready[:: max(1, len(ready) // 5)]:
            for address in [entry["url"], entry["webp"], entry["thumbnail"]]:
                path = address[address.index("/api/"):]
                status, body = server.ask("GET", path, tokens[user])
                assert status == 200 and body[:4] in (b"\x89PNG", b"RIFF", b"GIF8"), (path, status)
                own += 1
                for other in [tokens[(user + 1) % USERS], None, "nobody"]:
                    status, stolen = server.ask("GET", path, other)
                    assert status in (401, 404) and entry["id"].encode() not in stolen, (path, status)
                    assert server.ask("DELETE", path.rsplit("/", 1)[0], other)[0] in (401, 404)
                    others += 1
    return own, others


def check_not_public(folder, server, lists):
    """Nothing of it is where everybody may look."""
    ids = [entry["id"] for entries in lists for entry in entries]
    public = [path for path in (folder / "out").rglob("*") if path.is_file()]
    assert not any(name in str(path) for path in public for name in ids)
    for path in ["/api/stickers/trending", "/api/categories", "/index.json"]:
        status, body = server.ask("GET", path)
        assert status in (200, 404, 503) and not any(name.encode() in body for name in ids[:50]), path
    for path in ["/private/index.json", "/../private/index.json", "/_uploads/user0"]:
        assert server.ask("GET", path)[0] in (400, 404, 503), path


def check_deletion(folder, server, token, entries):
    """A user deletes everything at once, and nobody has to confirm that."""
    for entry in entries:
        assert server.ask("DELETE", f"/api/personal/{entry['id']}", token)[0] == 200
    assert server.list(token) == []
    for entry in entries:
        assert server.ask("GET", f"/api/personal/{entry['id']}/sticker.webp", token)[0] == 404
    end = time.monotonic() + SECONDS_MAX
    manifest = folder / "private/user0/manifest.json"
    while json.loads(manifest.read_text())["stickers"] if manifest.exists() else []:
        assert time.monotonic() < end, "deleted stickers are still published"
        time.sleep(0.5)


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    tokens = [f"token-{number}-{'x' * 20}" for number in range(USERS)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ["drop", "uploads", "out"]:
            (folder / part).mkdir()
        (folder / "tokens").write_text("".join(
            f"user{number} {hashlib.sha256(token.encode()).hexdigest()}\n" for number, token in enumerate(tokens)))
        port = free_port()
        (folder / "config.json").write_text(json.dumps({
            "drops": ["drop"], "publish": {"freeSpaceReserveBytes": 0},
            "web": {"listen": f"127.0.0.1:{port}"},
            "personal": {"drop": "uploads", "tokensFile": "tokens", "stickersMax": count,
                         "uploadsPerMinute": 10_000}}))
        with Program([programs / "stickerd", "--config", "config.json", "--personal"], folder) as daemon, \
                Server(programs, folder, port) as server:
            wait([daemon, server], lambda: [] if "serves" in server.said() else ["a server"])
            words = []
            threading.Thread(target=listen, args=(server, tokens[0], words), daemon=True).start()
            start = time.monotonic()
            told = upload_all(server, tokens, count)
            took = time.monotonic() - start
            lists = check_each_once(server, tokens, told)
            done = time.monotonic() - start
            own, others = check_nobody_else(server, tokens, lists)
            check_not_public(folder, server, lists)
            check_deletion(folder, server, tokens[0], lists[0])
            if len(set(words)) < 3:
                fail(f"the user was told of {len(set(words))} changes")
    print(f"check-personal: {count} uploads taken in {took:.0f} s and made in {done:.0f} s, each once; "
          f"{own} files served to their users, {others} times to nobody else; all deleted")


if __name__ == "__main__":
    main()
