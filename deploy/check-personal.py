#!/usr/bin/env python3
"""check-personal.py PROGRAMS [UPLOADS [disk]]: lets users upload pictures to two servers, a thousand at once unless told
otherwise, with the programs of that folder: each becomes a sticker of its user or is refused, once, although the daemon is
killed meanwhile; nobody sees a byte of another's over any route, and nothing is where everybody looks; what a killed server
answered is kept; a drop that is away for a while takes nothing; what is deleted is gone, and with "disk", which takes
two minutes more, from the disk, too."""

import concurrent.futures
import hashlib
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

from checks import Program, drain, fail, free_port, png, wait

USERS = 10
# A busy machine needs its time.
SECONDS_MAX = 300


class Server(Program):
    """stickerd-web with users. Where that may be, it is the first process of its machine, as in a container: all of them have
    the same number."""

    def __init__(self, programs, folder, port):
        self.port = port
        config = json.loads((folder / "config.json").read_text())
        config["web"] = {"listen": f"127.0.0.1:{port}"}
        (folder / f"web-{port}.json").write_text(json.dumps(config))
        # With a /proc of its own, as containers have: Dispatch looks its threads up there, and ends a program that finds none.
        alone = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child=SIGTERM"] if os.geteuid() == 0 else []
        super().__init__([*alone, programs / "stickerd-web", "--config", f"web-{port}.json"], folder)
        self.name = "stickerd-web"

    def signal(self, number):
        """To the server itself, and not to what keeps it alone."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        try:
            for child in children.read_text().split() or [self.process.pid]:
                os.kill(int(child), number)
        except FileNotFoundError:
            pass  # It was killed before.

    def kill(self):
        """As when memory runs out."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.signal(signal.SIGTERM)
        super().stop()

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


def upload_all(servers, tokens, count):
    """Everything at once; what each was told."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        tasks = [pool.submit(servers[number // USERS % len(servers)].ask, "POST", "/api/personal",
                             tokens[number % USERS], picture(number)) for number in range(count)]
        return [task.result() for task in tasks]


def settled(server, tokens):
    """The lists of all users, once nothing waits any more."""
    end = time.monotonic() + SECONDS_MAX
    while True:
        lists = [server.list(token) for token in tokens]
        waiting = sum(entry["state"] == "waiting" for entries in lists for entry in entries)
        if waiting == 0:
            return lists
        assert time.monotonic() < end, f"{waiting} uploads still wait"
        time.sleep(0.5)


def check_each_once(server, tokens, told, uploads):
    """Everything that was taken is ready or refused, and nothing else is there."""
    taken = {}
    for number, (status, body) in enumerate(told):
        answer = json.loads(body)
        is_none = number % 10 != 9 and number % 11 == 10
        assert status == (415 if is_none else 202), (number, status, answer)
        if not is_none:
            assert answer["id"] not in taken, answer
            taken[answer["id"]] = number
    lists = settled(server, tokens)
    seen = {}
    for user, entries in enumerate(lists):
        for entry in entries:
            number = taken[entry["id"]]
            assert entry["id"] not in seen and number % USERS == user, entry
            seen[entry["id"]] = entry
            wanted = "refused" if number % 10 == 9 else "ready"
            assert entry["state"] == wanted, (number, entry)
            # The very bytes that were sent.
            name = next((uploads / f"user{user}").glob(f"{entry['id']}.*"))
            assert name.read_bytes() == picture(number), (number, name)
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
                # After ten wrong tokens each one takes a second.
                nobody = ["nobody"] if others < 9 else []
                for other in [tokens[(user + 1) % USERS], None, *nobody]:
                    status, stolen = server.ask("GET", path, other)
                    assert status in (401, 404) and entry["id"].encode() not in stolen, (path, status)
                    assert server.ask("DELETE", path.rsplit("/", 1)[0], other)[0] in (401, 404)
                    others += 1
    return own, others


def check_not_public(folder, server, lists):
    """Nothing of it is where everybody may look, and where there is something to be seen."""
    ids = [entry["id"] for entries in lists for entry in entries]
    public = [path for path in (folder / "out").rglob("*") if path.is_file()]
    assert len(public) > 3 and not any(name in str(path) for path in public for name in ids)
    contents = {path.read_bytes() for path in public}
    stolen = [path for path in (folder / "private/_").rglob("*") if path.is_file() and path.read_bytes() in contents]
    assert not stolen, stolen
    for path in ["/api/stickers/trending", "/api/categories", "/index.json"]:
        status, body = server.ask("GET", path)
        assert status == 200 and len(body) > 50 and not any(name.encode() in body for name in ids), (path, status)
    assert b"studio" in server.ask("GET", "/api/stickers/trending")[1]
    for path in ["/private/index.json", "/../private/index.json", "/_uploads/user0", f"/_/{'0' * 2}/{'0' * 64}.webp"]:
        assert server.ask("GET", path)[0] in (400, 404), path


def check_killed_server(programs, folder, server, tokens, known):
    """What a server answered before it was killed is kept, and what it did not answer is there once or not at all."""
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        def ask(number):
            try:
                return server.ask("POST", "/api/personal", tokens[number % USERS], picture(10 * number))
            except (OSError, http.client.HTTPException):
                return None
        tasks = [pool.submit(ask, number) for number in range(2000, 2100)]
        time.sleep(0.6)
        server.kill()
        told = [task.result() for task in tasks]
    answered = {json.loads(answer[1])["id"] for answer in told if answer and answer[0] == 202}
    with Server(programs, folder, server.port) as again:
        wait([again], lambda: [] if again.said().count("serves") > 2 else ["a server"])
        lists = settled(again, tokens)
        new = {entry["id"]: entry for entries in lists for entry in entries if entry["id"] not in known}
        assert answered <= new.keys() and len(new) <= 100, (len(answered), len(new))
        assert all(entry["state"] == "ready" for entry in new.values()), new
    return len(answered), lists


def check_drop_away(programs, folder, server, tokens, lists):
    """Another folder lies in place of the drop, as where a disk is not mounted; then it is back."""
    uploads, away = folder / "uploads", folder / "uploads.away"
    uploads.rename(away)
    uploads.mkdir()
    with Program([programs / "stickerd", "--config", "config.json", "--personal"], folder) as daemon:
        wait([daemon], lambda: [] if "unmounted" in daemon.said() else ["word of the drop"])
        # Long enough for everything that is done at a start.
        time.sleep(3)
        uploads.rmdir()
        away.rename(uploads)
        def states(lists):
            return [[(entry["id"], entry["state"]) for entry in entries] for entries in lists]
        assert states(settled(server, tokens)) == states(lists)


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


def check_drain(programs, folder, server, token):
    """What is made by a run that ends is told, too; nothing of it is left to a daemon."""
    status, body = server.ask("POST", "/api/personal", token, picture(1))
    assert status == 202, body
    run = subprocess.run([programs / "stickerd", "--config", "config.json", "--personal", "--drain"],
                         cwd=folder, capture_output=True, text=True)
    # 3 because of the refused ones of others.
    assert run.returncode in (0, 3), run.stderr
    assert [entry["state"] for entry in server.list(token)] == ["ready"], server.list(token)


def check_disk(folder, daemon):
    """No picture stays on the disk that nobody has any more."""
    def strays():
        statuses = [json.loads(path.read_text()) for path in (folder / "private/_uploads").glob("*/*.json")]
        kept = {file["sha256"] for status in statuses for file in status["files"]}
        there = {path.stem for path in (folder / "private/_").glob("??/*") if path.suffix in (".webp", ".png", ".gif")}
        assert kept <= there, "a published picture is not on the disk"
        return there - kept

    assert strays(), "nothing is left of what was deleted, so this proves nothing"
    # Files are kept for two minutes, for readers who have just been told of them.
    wait([daemon], lambda: sorted(strays())[:3], seconds=SECONDS_MAX, pause=1)


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
        (folder / "config.json").write_text(json.dumps({
            "drops": ["drop"], "publish": {"freeSpaceReserveBytes": 0},
            "personal": {"drop": "uploads", "tokensFile": "tokens", "stickersMax": 2 * count,
                         "uploadsPerMinute": 10_000}}))
        # The studio has one sticker, of the same bytes as an upload.
        (folder / "drop/studio").mkdir()
        (folder / "drop/studio/studio.png").write_bytes(png((1, 2, 3)))
        drain(programs, folder)
        daemon = [programs / "stickerd", "--config", "config.json", "--personal"]
        with Server(programs, folder, free_port()) as one, Server(programs, folder, free_port()) as other:
            wait([one, other], lambda: [] if one.said().count("serves") > 1 else ["two servers"])
            words = []
            threading.Thread(target=listen, args=(one, tokens[0], words), daemon=True).start()
            killed = Program(daemon, folder)
            threading.Timer(3, killed.process.kill).start()
            start = time.monotonic()
            told = upload_all([one, other], tokens, count)
            took = time.monotonic() - start
            killed.process.wait()
            with Program(daemon, folder):
                lists = check_each_once(one, tokens, told, folder / "uploads")
                done = time.monotonic() - start
                own, others = check_nobody_else(one, tokens, lists)
                check_not_public(folder, one, lists)
                known = {entry["id"] for entries in lists for entry in entries}
                kept, lists = check_killed_server(programs, folder, other, tokens, known)
            check_drop_away(programs, folder, one, tokens, lists)
            with Program(daemon, folder):
                check_deletion(folder, one, tokens[0], lists[0])
            check_drain(programs, folder, one, tokens[0])
            if "disk" in sys.argv[3:]:
                with Program(daemon, folder) as last:
                    check_disk(folder, last)
            if len(set(words)) < 3:
                fail(f"the user was told of {len(set(words))} changes")
    print(f"check-personal: {count} uploads taken in {took:.0f} s and made in {done:.0f} s, each once and whole; "
          f"{own} files served to their users, {others} times to nobody else; {kept} kept that a killed server had "
          "answered; nothing forgotten where the drop was away; all deleted")


if __name__ == "__main__":
    main()
