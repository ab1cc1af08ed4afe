#!/usr/bin/env python3
"""check-upstreams.py PROGRAMS [PICTURES]: serves a small library beside two categories of others, whom this check plays,
with the programs of that folder: their stickers are there, apart and behind ours, whatever they do; nobody else waits for
them; and no key gets out. With playwright, the gallery shows them in Chromium; with PICTURES, what it saw is kept there."""

import concurrent.futures
import http.server
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from checks import Program, drain, fail, free_port, png, readiness, wait

KEY = "SecretKeyOfGiphy123"
HOST = "pictures.example.org"
HOSTILE = "<img src=x onerror=alert(1)>"


class Upstream(http.server.ThreadingHTTPServer):
    """GIPHY and a provider in one. `mode` says what it does."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.base = f"http://127.0.0.1:{self.server_port}"
        self.mode, self.gate, self.asked = "fine", threading.Event(), []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        upstream = self.server
        upstream.asked.append(self.path)
        url = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if upstream.mode == "slow":
            upstream.gate.wait(60)
        if upstream.mode == "broken":
            return self.send(500, b"<html>")
        if url.path.startswith("/giphy/"):
            if query.get("api_key") != KEY:
                return self.send(403, json.dumps({"meta": {"status": 403, "msg": query.get("api_key")}}).encode())
            return self.send(200, json.dumps(giphy(int(query["offset"]), int(query["limit"]))).encode())
        return self.send(200, json.dumps({"images": [
            {"id": f"p{number}", "url": f"https://{HOST}/p{number}.png", "thumbnail": f"https://{HOST}/p{number}-s.png",
             "title": HOSTILE} for number in range(3)]}).encode())

    def send(self, status, body):
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass  # Nobody waits any more.

    def log_message(self, *_):
        pass


def giphy(offset, limit, total=70):
    """Numbers of files are texts, as GIPHY writes them; some of what it has is missing, and some is wrong."""
    def picture(name, side):
        return {"url": f"https://{HOST}/{name}", "width": str(side), "height": str(side), "size": "1000"}

    data = [
        {"type": "sticker", "id": f"g{number}", "title": f"Sticker {number}", "rating": "g", "images": {
            "original": picture(f"g{number}.gif", 480), "fixed_width_still": picture(f"g{number}-s.gif", 200)}}
        for number in range(offset, min(total, offset + limit))]
    data[1:3] = [{"id": "../bad"}, {"id": "elsewhere", "images": {"original": {"url": "http://evil.example/"}}}]
    return {"data": data, "pagination": {"total_count": total}, "meta": {"status": 200, "response_id": "x"}}


class Server(Program):
    """stickerd-web over the library and what others have."""

    def __init__(self, programs, folder, upstream):
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        (folder / "giphy.key").write_text("WrongKey1234 # the new one comes later\n")
        (folder / "web.json").write_text(json.dumps({"out": "out", "run": "run", "web": {
            "listen": f"127.0.0.1:{port}", "upstreams": {
                "giphy": {"kind": "giphy", "title": "GIPHY", "url": f"{upstream.base}/giphy", "keyFile": "giphy.key",
                          "imageHosts": [HOST], "merged": True},
                "partner": {"title": "Partner", "url": f"{upstream.base}/partner", "imageHosts": [HOST],
                            "attribution": "By a partner", "merged": True}}}}))
        super().__init__([programs / "stickerd-web", "--config", "web.json", "--log-level", "trace"], folder)
        self.seen = ""

    def get(self, path):
        """Status, headers and body; all of it is kept."""
        try:
            with urllib.request.urlopen(self.base + path, timeout=30) as answer:
                status, headers, body = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, headers, body = error.code, error.headers, error.read()
        self.seen += f"{headers}{body.decode()}"
        return status, headers, json.loads(body) if "json" in headers.get("Content-Type", "") else body.decode()

    def ids(self, path):
        return [image["id"] for image in self.get(path)[2]["images"]]


def expect(what, found, wanted):
    if found != wanted:
        fail(f"{what}: {found}, not {wanted}")


def takes_a_new_key(server, upstream, folder):
    """A wrong key is said and not tried again; the right one counts at once."""
    status, headers, _ = server.get("/api/categories/giphy/stickers")
    expect("a wrong key", (status, int(headers["Retry-After"]) > 800), (503, True))
    server.get("/api/categories/giphy/stickers?q=again")
    expect("questions with a wrong key", len(upstream.asked), 1)
    expect("what /readyz says", [one["category"] for one in readiness(server.base)["upstreams"]], ["giphy"])
    (folder / "giphy.key").write_text(f"{KEY}\n")
    server.process.send_signal(signal.SIGHUP)
    wait([server], lambda: "upstreams" in readiness(server.base) and "the new key is not taken")
    expect("stickers with the right key", server.ids("/api/categories/giphy/stickers?limit=2"), ["giphy.g0", "giphy.g3"])


def joins(server):
    """Ours, GIPHY's and the partner's are one list, whose pages have neither gaps nor twins."""
    found = []
    while True:
        page = server.get(f"/api/stickers/search?q=cat&limit=20&offset={len(found)}")[2]
        found += page["images"]
        if not page["has_more"] or not page["images"]:
            break
    ids = [image["id"] for image in found]
    giphys = [f"giphy.g{number}" for number in range(70) if number not in (1, 2, 51, 52)]
    expect("the joined list", sorted(ids[:2]) + ids[2:], ["cat0", "cat1"] + giphys + ["partner.p0", "partner.p1", "partner.p2"])
    named = {image["attribution"]["text"] for image in found if image.get("foreign")}
    expect("attributions", named, {"Powered by GIPHY", "By a partner"})


def suits_editors(server, programs):
    """The sample of a sticker provider takes what is joined; it knows no pages and no members but three."""
    sample = programs / "provider-sample"
    if not sample.exists():
        print("check-upstreams: the sample of a provider is not tried, it is not built")
        return
    run = subprocess.run(
        [sample, f"{server.base}/api/stickers", "cat"], capture_output=True, text=True, timeout=60)
    expect("what the sample finds", [line.split()[0] for line in run.stdout.splitlines()][2:4], ["giphy.g0", "giphy.g3"])


def holds_nobody_back(server, upstream):
    """While an upstream says nothing, everything else is answered, and its clients wait without a thread."""
    upstream.mode = "slow"
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        waiting = [pool.submit(server.get, "/api/categories/partner/stickers?q=slow") for _ in range(100)]
        wait([server], lambda: "slow" not in upstream.asked[-1] and "nobody asks")
        for _ in range(50):
            expect("a request meanwhile", server.get("/api/categories/cats/stickers")[0], 200)
        begin = time.monotonic()
        answer = server.get("/api/stickers/search?q=other")[2]
        print(f"check-upstreams: ours waited {time.monotonic() - begin:.2f} s for one that says nothing")
        expect("what is missing", [one["category"] for one in answer["incomplete"]], ["giphy", "partner"])
        upstream.gate.set()
        expect("those who waited", {one.result()[0] for one in waiting}, {200})
    expect("questions for 100 clients", sum("q=slow" in path for path in upstream.asked), 1)
    upstream.mode = "fine"


def outlives(server, upstream):
    """A broken one takes nothing from what is known: the first page stays when the second one fails."""
    deep = "/api/categories/giphy/stickers?q=deep&limit=48"
    before, asked = server.ids(deep), len(upstream.asked)
    expect("stickers before the fault", len(before), 48)
    upstream.mode = "broken"
    expect("a page that is not known", server.get(f"{deep}&offset=48")[0], 503)
    expect("questions to the broken one", len(upstream.asked), asked + 1)
    expect("what was known", server.ids(deep), before)
    status, _, body = server.get("/api/categories/partner/stickers?q=unknown")
    expect("an unknown question", (status, "images" in body), (503, False))
    ours = server.get("/api/stickers/search?q=cat0")[2]
    expect("ours", [image["id"] for image in ours["images"]], ["cat0"])
    expect("whose are missing", [one["category"] for one in ours["incomplete"]], ["giphy", "partner"])
    upstream.mode = "fine"


def shows(server, folder, keep):
    """The gallery shows them with whom to name, and asks nobody but the hosts of the pictures."""
    try:
        from playwright.sync_api import expect as see, sync_playwright
    except ImportError:
        print("check-upstreams: the gallery is not tried, there is no playwright")
        return
    faults, pictures = [], []
    see.set_options(timeout=60_000)
    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, size in {"desktop": (1280, 800), "phone": (390, 844)}.items():
            page = chromium.new_page(viewport=dict(width=size[0], height=size[1]))
            page.on("console", lambda line: line.type in ("error", "warning") and faults.append(line.text))
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))

            def answer(route):
                url = route.request.url
                if url.startswith(f"https://{HOST}/"):
                    pictures.append(url)
                    return route.fulfill(body=png((200, 80, 40)), content_type="image/png")
                if not url.startswith((server.base, "data:")):
                    faults.append(f"asks {url}")
                return route.continue_()

            page.route("**/*", answer)
            page.goto(server.base)
            see(page.locator("#sources")).to_contain_text("Powered by GIPHY")
            keep(page, f"{name}-newest")
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            see(page.locator("#grid .cell")).to_have_count(2 + 66 + 3)
            see(page.locator("#sources li")).to_have_text(["Powered by GIPHY", "By a partner"])
            page.locator("#categories a", has_text="GIPHY").click()
            see(page.locator("#heading-title")).to_have_text("GIPHY")
            see(page.locator("#sources a")).to_have_attribute("href", "https://giphy.com/")
            see(page.locator("#grid .cell").first).to_be_visible()
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            see(page.locator("#grid .cell")).to_have_count(66)
            keep(page, f"{name}-giphy")
            page.fill("#query", "happy cat")
            see(page.locator("#heading-title")).to_have_text("“happy cat” – GIPHY")
            page.reload()
            see(page.locator("#heading-title")).to_have_text("“happy cat” – GIPHY")
            page.locator("#grid .cell").first.click()
            see(page.locator("#viewer-facts")).to_contain_text("Powered by GIPHY")
            see(page.get_by_role("link", name="Open")).to_have_attribute("href", f"https://{HOST}/g0.gif")
            keep(page, f"{name}-viewer")
            page.keyboard.press("Escape")
            page.fill("#query", "")
            page.locator("#categories a", has_text="Partner").click()
            see(page.locator("#grid .title")).to_have_text([HOSTILE] * 3)
            see(page.locator("#sources")).to_have_text("By a partner")
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                fail(f"{name}: the page is {wide} pixels wider than the screen")
            page.close()
    if faults or not pictures:
        fail(f"the gallery: {len(pictures)} pictures; " + "; ".join(faults[:5]))
    print(f"check-upstreams: the gallery showed {len(pictures)} pictures of others")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check-upstreams.py PROGRAMS [PICTURES]")
    programs = pathlib.Path(sys.argv[1]).resolve()

    def keep(page, name):
        if len(sys.argv) == 3:
            pathlib.Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{sys.argv[2]}/{name}.png")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "drop/cats").mkdir(parents=True)
        for number in range(2):
            (folder / f"drop/cats/cat{number}.png").write_bytes(png((90 * number, 0, 255)))
        (folder / "config.json").write_text(json.dumps({
            "drops": ["drop"], "out": "out", "state": "state", "run": "run", "sticker": {"emojis": ["😀"]}}))
        drain(programs, folder)
        upstream = Upstream()
        with Server(programs, folder, upstream) as server:
            wait([server], lambda: not readiness(server.base))
            takes_a_new_key(server, upstream, folder)
            joins(server)
            suits_editors(server, programs)
            holds_nobody_back(server, upstream)
            outlives(server, upstream)
            for path in ["/metrics", "/readyz", "/api/categories", "/", "/api/openapi.json"]:
                server.get(path)
            seen = server.seen + server.said()
            if KEY in seen or "WrongKey1234" in seen:
                fail("a key got out")
            if not any(KEY in path for path in upstream.asked):
                fail("the key was never used")
            print(f"check-upstreams: no key stands in {len(seen)} characters of answers and log lines")
        upstream.asked.clear()
        # Pauses after faults are none of the gallery's concern.
        (folder / "stickerd-web.log").unlink()
        with Server(programs, folder, upstream) as server:
            wait([server], lambda: not readiness(server.base))
            # Only a key that was refused shows that the next one is taken.
            expect("a wrong key", server.get("/api/categories/giphy/stickers")[0], 503)
            (folder / "giphy.key").write_text(f"{KEY}\n")
            server.process.send_signal(signal.SIGHUP)
            wait([server], lambda: "upstreams" in readiness(server.base) and "the key is not taken")
            shows(server, folder, keep)


if __name__ == "__main__":
    main()
