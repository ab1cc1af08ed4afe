#!/usr/bin/env python3
"""references.py FONTS: draws drawings.txt with Chromium into references.png, a sheet of tiles of 64x64 pixels.

FONTS is a folder that deploy/fonts.sh made, so that both draw with the same fonts. Each drawing is drawn as an image
of 256x256 pixels, whose squares of 4x4 are averaged. Needs chromium, and nothing else.
"""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 64 64" '
    'font-family="Inter" font-size="20">'
)
COLUMNS = 20
PAGE = """<!doctype html><meta charset="utf-8"><canvas id="sheet"></canvas><script>
const drawings = %s, columns = %d, side = 64, scale = 4
async function load(text) {
    const image = new Image(side * scale, side * scale)
    image.src = "data:image/svg+xml;base64," + text
    try { await image.decode(); return image } catch (e) { return null }
}
function averaged(from) {
    const to = new ImageData(side, side), n = side * scale
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) {
        const sum = [0, 0, 0, 0]
        for (let j = 0; j < scale; j++) for (let i = 0; i < scale; i++) {
            const at = 4 * ((y * scale + j) * n + x * scale + i), alpha = from.data[at + 3]
            for (let c = 0; c < 3; c++) sum[c] += from.data[at + c] * alpha
            sum[3] += alpha
        }
        for (let c = 0; c < 3; c++) to.data[4 * (y * side + x) + c] = sum[3] ? Math.round(sum[c] / sum[3]) : 0
        to.data[4 * (y * side + x) + 3] = Math.round(sum[3] / scale / scale)
    }
    return to
}
async function main() {
    const sheet = document.getElementById("sheet")
    sheet.width = columns * side
    sheet.height = Math.ceil(drawings.length / columns) * side
    const context = sheet.getContext("2d", {colorSpace: "srgb"}), faulty = []
    const large = new OffscreenCanvas(side * scale, side * scale)
    const pen = large.getContext("2d", {willReadFrequently: true})
    for (const [index, text] of drawings.entries()) {
        const image = await load(text)
        if (!image) { faulty.push(index); continue }
        pen.clearRect(0, 0, side * scale, side * scale)
        pen.drawImage(image, 0, 0, side * scale, side * scale)
        const tile = averaged(pen.getImageData(0, 0, side * scale, side * scale))
        context.putImageData(tile, index %% columns * side, Math.floor(index / columns) * side)
    }
    const result = document.createElement("pre")
    result.textContent = JSON.stringify({faulty: faulty, sheet: sheet.toDataURL()})
    document.body.append(result)
}
main()
</script>"""


def drawings(text):
    """The names and documents of the file, in their order."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    pictures = dict(line[1:].split(" ", 1) for line in lines if line.startswith("@"))
    for line in lines:
        if line.startswith("@"):
            continue
        name, content = line.split(": ", 1)
        name = name.split("!")[0]
        content = re.sub(r"\{\{([a-z0-9-]+)\}\}", lambda found: pictures[found[1]], content)
        is_whole = re.match(r"<(\?|!|[a-z:]*svg[^>]*xmlns)", content)
        yield name, content if is_whole else HEAD + content + "</svg>"


def draw(documents, fonts):
    """What Chromium says of the documents: which of them are faulty, and the sheet."""
    encoded = [base64.b64encode(document.encode()).decode() for document in documents]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(PAGE % (json.dumps(encoded), COLUMNS))
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=600000",
                   f"--user-data-dir={folder}", "--force-color-profile=srgb", "--disable-lcd-text", "--dump-dom", page.as_uri()]
        environment = os.environ | {"FONTCONFIG_FILE": f"{fonts}/fonts.conf"}
        out = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return json.loads(re.search(r"<pre>(.*)</pre>", out.decode(), re.S)[1].replace("&amp;", "&"))


if __name__ == "__main__":
    names, documents = zip(*drawings(HERE.joinpath("drawings.txt").read_text()))
    assert len(set(names)) == len(names), "a name is there twice"
    answer = draw(documents, sys.argv[1])
    HERE.joinpath("references.png").write_bytes(base64.b64decode(answer["sheet"].split(",")[1]))
    print(len(names), "drawings; not drawn by Chromium:", [names[index] for index in answer["faulty"]])
