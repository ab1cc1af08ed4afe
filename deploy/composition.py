"""Reads a composition as IMG.LY's editors save it, by its rules alone, and draws it with Pillow: what the page for
placing stickers exports is held against that. It shares no code with the page."""

import base64
import io
import json
import math

from PIL import Image, ImageChops

# What the picture of the page and the one that is drawn here may differ by, of 255: on the mean, and in the worst square
# of 16 pixels. Browsers scale by other filters.
MEAN_MAX, SQUARE_MAX = 0.4, 10
FIELDS = {"identifier", "position", "dimensions", "rotation", "flipHorizontally", "flipVertically", "alpha", "tintMode",
          "tintColor", "adjustments"}
LIGHT = ("brightness", "contrast", "saturation")
# ITU-R BT.709.
LUMA = (0.2126, 0.7152, 0.0722)


class Fault(Exception):
    """What is wrong with a composition."""


def need(condition, words):
    if not condition:
        raise Fault(words)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def published(out):
    """The files of a published folder, by the identifiers of their stickers, with whether they move."""
    found = {}
    for manifest in out.glob("*/manifest.json"):
        for entry in json.loads(manifest.read_text())["stickers"]:
            found[entry["identifier"]] = ((manifest.parent / entry["imageURL"]).resolve(), entry["animated"])
    return found


class Composition:
    """A composition whose rules hold."""

    def __init__(self, content, library):
        self.library = library
        need(str(content.get("version", "")).startswith("3."), "the version is not 3")
        self.size = content["image"]["width"], content["image"]["height"]
        need(all(isinstance(side, int) and side > 0 for side in self.size), "the picture has no size")
        need(isinstance(content["meta"]["createdAt"], str), "nobody knows when it was saved")
        operations = content["operations"]
        need(all(isinstance(one.get("options"), dict) for one in operations), "an operation has no options")
        sprites = [one for one in operations if one["type"] == "sprite"]
        need(len(sprites) == 1, "there is not one list of sprites")
        self.sprites = sprites[0]["options"]["sprites"]
        self.stickers = [sprite["options"] for sprite in self.sprites if sprite["type"] == "sticker"]
        assets = content.get("assetLibrary", {}).get("assets", {}).get("stickers", [])
        self.embedded = {asset["identifier"]: asset for asset in assets}
        need(len(self.embedded) == len(assets), "an embedded sticker stands there twice")
        for sticker in self.stickers:
            self.check(sticker)

    def check(self, sticker):
        name = sticker.get("identifier")
        need(isinstance(name, str) and name, "a sticker has no identifier")
        need(FIELDS <= set(sticker), f"{name} lacks {FIELDS - set(sticker)}")
        for member in ("position", "dimensions"):
            need(set(sticker[member]) == {"x", "y"} and all(map(is_number, sticker[member].values())),
                 f"{name}: {member} is {sticker[member]}")
        need(min(sticker["dimensions"].values()) > 0, f"{name} has no size")
        need(is_number(sticker["rotation"]), f"{name}: rotation is {sticker['rotation']}")
        need(all(type(sticker[flip]) is bool for flip in ("flipHorizontally", "flipVertically")), f"{name}: flips")
        need(is_number(sticker["alpha"]) and 0 <= sticker["alpha"] <= 1, f"{name}: alpha is {sticker['alpha']}")
        need(sticker["tintMode"] in ("none", "solid", "colorized"), f"{name}: tint {sticker['tintMode']}")
        for form in ("rgba", "srgba"):
            color = sticker["tintColor"][form]
            need(len(color) == 4 and all(is_number(part) and 0 <= part <= 1 for part in color), f"{name}: {color}")
        need(set(sticker["adjustments"]) == set(LIGHT) and all(
            is_number(part) and -1 <= part <= 1 for part in sticker["adjustments"].values()), f"{name}: adjustments")
        moves = self.library.get(name, (None, False))[1]
        need(not moves or sticker["tintMode"] == "none", f"{name} moves, and has a tint")
        need(not moves or not any(sticker["adjustments"].values()), f"{name} moves, and is adjusted")
        need(name not in self.library or name not in self.embedded, f"{name} is of the library, and embedded")

    def picture(self, name):
        """The first frame of a sticker; `None` if it has no file any more."""
        if name in self.library:
            return Image.open(self.library[name][0]).convert("RGBA")
        data = self.embedded.get(name, {}).get("raster", {}).get("data")
        return data and Image.open(io.BytesIO(base64.b64decode(data, validate=True))).convert("RGBA")

    def drawn(self, ground, change=lambda sticker: sticker, stickers=None):
        """The ground with its stickers, the first one lowest; `change` may make them wrong."""
        picture = ground.convert("RGBA")
        for sticker in self.stickers if stickers is None else stickers:
            art = self.picture(sticker["identifier"])
            if art:
                picture = Image.alpha_composite(picture, placed(change(sticker), art, picture.size))
        return picture


def placed(sticker, art, size):
    """A sticker alone, on a transparent picture of that size: flipped, scaled, turned clockwise, and moved."""
    width, height = (sticker["dimensions"][axis] * min(size) for axis in "xy")
    art = adjusted(tinted(art, sticker), sticker["adjustments"])
    if sticker["flipHorizontally"]:
        art = art.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if sticker["flipVertically"]:
        art = art.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    art = art.convert("RGBa").resize((max(1, round(width)), max(1, round(height))), Image.Resampling.LANCZOS)
    middle = sticker["position"]["x"] * size[0], sticker["position"]["y"] * size[1]
    cos, sin = math.cos(sticker["rotation"]), math.sin(sticker["rotation"])
    # From a pixel of the picture back to one of the sticker.
    across, down = art.width / width, art.height / height
    back = (cos * across, sin * across, art.width / 2 - (cos * middle[0] + sin * middle[1]) * across,
            -sin * down, cos * down, art.height / 2 + (sin * middle[0] - cos * middle[1]) * down)
    layer = art.transform(size, Image.Transform.AFFINE, back, Image.Resampling.BICUBIC).convert("RGBA")
    layer.putalpha(layer.getchannel("A").point(lambda alpha: round(alpha * sticker["alpha"])))
    return layer


def tinted(art, sticker):
    """The shape in one colour, or the brightness by ITU-R BT.709 as shades of it."""
    if sticker["tintMode"] == "none":
        return art
    color = [round(part * 255) for part in sticker["tintColor"]["srgba"][:3]]
    luma = art.convert("RGB").convert("L", (*LUMA, 0))
    shades = [luma.point(lambda light, part=part: 255 if sticker["tintMode"] == "solid" else light).point(
        lambda light, part=part: round(light * part / 255)) for part in color]
    return Image.merge("RGBA", (*shades, art.getchannel("A")))


def adjusted(art, light):
    """Brighter, then with more saturation, then with more contrast, or less. IMG.LY documents no formula; this is the one of
    its last open editor (imgly-sdk-html5, src/js/sdk/operations/stickers/adjustments.frag), in which 1 leaves saturation and
    contrast as they are, and 0 the brightness."""
    brightness, contrast, saturation = (light[name] for name in LIGHT)
    if not any((brightness, contrast, saturation)):
        return art
    # Each row makes one channel of red, green, blue and 1.
    rows = [[float(row == column) for column in range(3)] + [255 * brightness] for row in range(3)]
    grey = [sum(weight * row[column] for weight, row in zip(LUMA, rows)) for column in range(4)]
    rows = [[shade + (part - shade) * (1 + saturation) for shade, part in zip(grey, row)] for row in rows]
    rows = [[part * (1 + contrast) for part in row[:3]] + [(row[3] - 127.5) * (1 + contrast) + 127.5] for row in rows]
    colours = art.convert("RGB").convert("RGB", tuple(sum(rows, [])))
    return Image.merge("RGBA", (*colours.split(), art.getchannel("A")))


def difference(one, other):
    """How far two pictures of one size are apart: the mean of all samples, and of the worst square of 16 pixels."""
    need(one.size == other.size, f"one has {one.size}, the other {other.size}")
    apart = ImageChops.difference(on_grey(one), on_grey(other))
    squares = apart.resize((max(1, one.width // 16), max(1, one.height // 16)), Image.Resampling.BOX)
    histogram = apart.histogram()
    mean = sum(value % 256 * count for value, count in enumerate(histogram)) / (one.width * one.height * 3)
    return mean, max(high for _, high in squares.getextrema())


def on_grey(picture):
    ground = Image.new("RGBA", picture.size, (119, 119, 119, 255))
    return Image.alpha_composite(ground, picture.convert("RGBA")).convert("RGB")


def is_same(one, other, slack=1):
    """Whether they are as near as that; `slack` times as far if one was seen on a screen, where it is small."""
    mean, square = difference(one, other)
    return mean <= slack * MEAN_MAX and square <= slack * SQUARE_MAX


def lit(change):
    return lambda sticker: {**sticker, "adjustments": {**sticker["adjustments"], **change(sticker["adjustments"])}}


# Each is a fault that a picture could have; for each, the picture must differ.
WRONGS = {
    "the other way round": lambda sticker: {**sticker, "rotation": -sticker["rotation"]},
    "radians taken for degrees": lambda sticker: {**sticker, "rotation": math.radians(sticker["rotation"])},
    "flips the other axis": lambda sticker: {
        **sticker, "flipHorizontally": sticker["flipVertically"], "flipVertically": sticker["flipHorizontally"]},
    "flips nothing": lambda sticker: {**sticker, "flipHorizontally": False, "flipVertically": False},
    "flips after turning": lambda sticker: {
        **sticker, "rotation": sticker["rotation"] * (
            -1 if sticker["flipHorizontally"] != sticker["flipVertically"] else 1)},
    "the corner for the middle": lambda sticker: {
        **sticker, "position": {axis: sticker["position"][axis] + sticker["dimensions"][axis] / 2 for axis in "xy"}},
    "left for right": lambda sticker: {
        **sticker, "position": {"x": 1 - sticker["position"]["x"], "y": sticker["position"]["y"]}},
    "a bit too large": lambda sticker: {
        **sticker, "dimensions": {axis: 1.04 * sticker["dimensions"][axis] for axis in "xy"}},
    "opaque": lambda sticker: {**sticker, "alpha": 1},
    "without tint": lambda sticker: {**sticker, "tintMode": "none"},
    "another tint": lambda sticker: {
        **sticker, "tintMode": {"solid": "colorized", "colorized": "solid"}.get(sticker["tintMode"], "none")},
    "red for blue": lambda sticker: {
        **sticker, "tintColor": {"srgba": [*sticker["tintColor"]["srgba"][2::-1], 1]}},
    **{f"without {name}": lit(lambda _, name=name: {name: 0}) for name in LIGHT},
    "brighter for darker": lit(lambda light: {"brightness": -light["brightness"]}),
    "contrast for saturation": lit(lambda light: {"contrast": light["saturation"], "saturation": light["contrast"]}),
    "brightness after contrast": lit(lambda light: {"brightness": light["brightness"] / (1 + light["contrast"])}),
}


def wrongs_that_are_not_seen(composition, ground, picture, slack=1):
    """The names of the faults that the comparison would let pass."""
    def is_passed(drawn):
        return is_same(picture, drawn.resize(picture.size, Image.Resampling.LANCZOS), slack)

    unseen = [name for name, change in WRONGS.items() if is_passed(composition.drawn(ground, change))]
    if is_passed(composition.drawn(ground, stickers=composition.stickers[::-1])):
        unseen.append("upside down order")
    return unseen
