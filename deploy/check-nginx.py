#!/usr/bin/env python3
"""check-nginx.py PROGRAMS: serves a library, made by the programs of that folder, with nginx as
deploy/nginx/stickers.conf tells it to, and asks for it as apps, caches and the curious do."""

import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from checks import Program, drain, fail, free_port, png, wait

FOREVER = "public, max-age=31536000, immutable"
TYPES = {".webp": "image/webp", ".png": "image/png", ".gif": "image/gif", ".json": "application/json"}


def library(programs, folder):
    """A library of two stickers below `folder`; what nobody may see lies in it and beside it."""
    (folder / "drop/cats").mkdir(parents=True)
    for number, colour in enumerate([(255, 0, 0), (0, 0, 255)]):
        (folder / f"drop/cats/{number} cat.png").write_bytes(png(colour, side=16))
    drain(programs, folder)
    for hidden in ["out/_/00/.tmp-1", "out/cats/.tmp-1", "out/.hidden.json", "out/cats/notes.txt"]:
        (folder / hidden).parent.mkdir(exist_ok=True)
        (folder / hidden).write_text("{}")


def configuration(folder, port, web):
    snippet = (pathlib.Path(__file__).parent / "nginx/stickers.conf").read_text()
    places = snippet.count("/srv/stickerd/out/"), snippet.count("127.0.0.1:8512")
    if places != (3, 2):
        fail(f"stickers.conf names out and stickerd-web {places} times")
    user = "user root;" if os.geteuid() == 0 else ""
    return f"""
        {user}
        daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{}}
        http {{
            access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
            fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
            scgi_temp_path {folder}/scgi;
            server {{
                listen 127.0.0.1:{port};
                {snippet.replace("/srv/stickerd/out/", f"{folder}/out/").replace(":8512", f":{web}")}
            }}
        }}"""


class Site:
    """What nginx says about paths."""

    def __init__(self, port):
        self.port, self.asked = port, 0

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_accept_encoding=True)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        self.asked += 1
        return answer.status, answer.headers, body

    def expect(self, path, status, method="GET", body=None, **headers):
        found, *rest = self.ask(path, method, body, **headers)
        if found != status:
            fail(f"{method} {path} is answered with {found} instead of {status}")
        return rest


def serves(site, folder):
    """Every published file comes as it is, with its type, and may be kept as long as it holds."""
    published = [
        path for path in sorted((folder / "out").rglob("*.*"))
        if path.suffix in TYPES and not path.name.startswith(".")]
    for path in published:
        name = path.relative_to(folder / "out")
        headers, body = site.expect(f"/stickers/{name}", 200)
        if body != path.read_bytes():
            fail(f"{name} comes with other bytes")
        wanted = {
            "Content-Type": TYPES[path.suffix], "Access-Control-Allow-Origin": "*",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": FOREVER if name.parts[0] == "_" else "no-cache"}
        for header, value in wanted.items():
            if headers[header] != value:
                fail(f"{name} has {header}: {headers[header]}")
        site.expect(f"/stickers/{name}", 304, If_None_Match=headers["ETag"])
        site.expect(f"/stickers/{name}", 200, method="HEAD")
        for method in ["POST", "PUT", "DELETE"]:
            site.expect(f"/stickers/{name}", 405, method=method)
    return published


def follows(site):
    """An app gets from the index to every picture by the URLs alone."""
    index = json.loads(site.expect("/stickers/index.json", 200)[1])
    for category in index["categories"]:
        address = f"/stickers/{category['manifestURL']}"
        manifest = json.loads(site.expect(address, 200)[1])
        for sticker in manifest["stickers"]:
            for file in sticker["files"]:
                path = os.path.normpath(f"{os.path.dirname(address)}/{file['url']}")
                body = site.expect(path, 200)[1]
                if len(body) != file["bytes"]:
                    fail(f"{path} has {len(body)} bytes, the manifest says {file['bytes']}")


def packs(site):
    """A manifest travels compressed, and is asked about all the same."""
    path = "/stickers/cats/manifest.json"
    headers, _ = site.expect(path, 200, Accept_Encoding="gzip")
    if headers["Content-Encoding"] != "gzip":
        fail("a manifest is not compressed")
    site.expect(path, 304, Accept_Encoding="gzip", If_None_Match=headers["ETag"])


def renews(site, folder):
    """A manifest that was replaced is seen at once by who kept the old one."""
    path, file = "/stickers/cats/manifest.json", folder / "out/cats/manifest.json"
    old, _ = site.expect(path, 200)
    replaced = folder / "out/cats/.tmp-2"
    replaced.write_bytes(file.read_bytes() + b" ")
    replaced.rename(file)
    if site.expect(path, 200, If_None_Match=old["ETag"])[1] != file.read_bytes():
        fail("a replaced manifest is not seen")


def hides(site):
    """No listing, nothing hidden, nothing beside `out`."""
    for path in [
        "/stickers/_/", "/stickers/cats/", "/stickers/cats", "/stickers/_/00/.tmp-1",
        "/stickers/cats/.tmp-1", "/stickers/.hidden.json", "/stickers/cats/notes.txt",
        "/stickers/../state/stickerd.sqlite", "/stickers/..%2fstate/stickerd.sqlite",
        "/stickers/cats/..%2f..%2fstate/lock", "/stickers/%2e%2e/drop/cats/0%20cat.png",
        "/stickers../state/stickerd.sqlite", "/stickers/_/../../run/attention.json",
        "/stickers/none.json", "/stickers/_/00/00.webp",
    ]:
        status, headers, _ = site.ask(path)
        if status not in (400, 404):
            fail(f"{path} is answered with {status}")
        if headers["Cache-Control"] not in (None, "no-store"):
            fail(f"that there is no {path} may be kept: {headers['Cache-Control']}")


def passes_on(site):
    """The gallery, the API and its events come from stickerd-web, and the pictures that it names from nginx."""
    if b"gallery.js" not in site.expect("/stickers/", 200)[1]:
        fail("/stickers/ is no gallery")
    site.expect("/stickers/_gallery/gallery.js", 200)
    if b"compose.js" not in site.expect("/stickers/compose", 200)[1]:
        fail("/stickers/compose is no page for placing stickers")
    site.expect("/stickers/_compose/compose.js", 200)
    # They are for the machine itself, and nginx asks for others.
    site.expect("/stickers/metrics", 403)
    answer = json.loads(site.expect("/stickers/api/stickers/search?q=cat&limit=1", 200)[1])
    if len(answer["images"]) != 1 or not answer["has_more"]:
        fail(f"a search is answered with {answer}")
    address = answer["images"][0]["url"]
    base = f"http://127.0.0.1:{site.port}/stickers/"
    headers, _ = site.expect("/stickers/" + address.removeprefix(base), 200)
    if not headers["Server"].startswith("nginx") or headers["Cache-Control"] != FOREVER:
        fail(f"{address} is not served by nginx")
    if site.ask("/stickers/api/stickers/none")[0] != 404:
        fail("an unknown sticker is not told")
    way = site.expect("/stickers/api/categories/cats/manifest", 307)[0]["Location"]
    site.expect(urllib.parse.urljoin("/stickers/api/categories/cats/manifest", way), 200)
    events = urllib.request.urlopen(f"{base}api/events", timeout=20)
    if not events.readline().startswith(b"data: "):
        fail("the events do not come")
    events.close()


def takes_uploads(site):
    """What users upload is as large as stickerd-web allows, and its refusals are its own."""
    token = {"Authorization": "Bearer ada's"}
    large = png((0, 128, 0), side=16) + bytes(3 << 20)
    headers, body = site.expect("/stickers/api/personal", 202, "POST", large, **token)
    if headers["Cache-Control"] != "no-store":
        fail(f"an upload may be kept: {headers['Cache-Control']}")
    address = f"/stickers/api/personal/{json.loads(body)['id']}"
    site.expect(address, 200, **token)
    site.expect(address, 401)
    headers, body = site.expect("/stickers/api/personal", 413, "POST", large * 2, **token)
    if b"5,000,000" not in body:
        fail(f"a large upload is refused with {body}")
    if headers["Access-Control-Allow-Origin"] != "*":
        fail("no page may read why an upload is refused")
    site.expect(address, 200, "DELETE", **token)
    site.expect(address, 404, **token)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check-nginx.py PROGRAMS")
    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if not nginx:
        fail("there is no nginx; run: make deps")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = pathlib.Path(sys.argv[1]).resolve()
        library(programs, folder)
        port, web = free_port(), free_port()
        (folder / "nginx.conf").write_text(configuration(folder, port, web))
        digest = hashlib.sha256(b"ada's").hexdigest()
        (folder / "tokens").write_text(f"ada {digest}\n")
        (folder / "uploads").mkdir()
        (folder / "web.json").write_text(json.dumps({
            "web": {"listen": f"127.0.0.1:{web}", "publicURL": f"http://127.0.0.1:{port}/stickers/"},
            "personal": {"drop": "uploads", "tokensFile": "tokens", "uploadBytesMax": 5_000_000}}))
        commands = [
            ([nginx, "-e", folder / "error.log", "-p", name, "-c", folder / "nginx.conf"], port),
            ([programs / "stickerd-web", "--config", "web.json"], web)]
        with contextlib.ExitStack() as stack:
            for command, its_port in commands:
                server = stack.enter_context(Program(command, folder))
                wait([server], lambda: socket.create_connection(("127.0.0.1", its_port), timeout=1).close())
            site = Site(port)
            files = serves(site, folder)
            follows(site)
            packs(site)
            passes_on(site)
            takes_uploads(site)
            hides(site)
            renews(site, folder)
    version = subprocess.run([nginx, "-v"], capture_output=True, text=True).stderr.split("/")[-1]
    print(f"check-nginx: {site.asked} requests for {len(files)} files held, nginx {version.strip()}")


if __name__ == "__main__":
    main()
