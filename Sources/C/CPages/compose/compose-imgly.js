// Compositions as IMG.LY's PhotoEditor and VideoEditor SDKs save and read them (serialization 3).
//
// A sticker of the library is its `identifier` alone. One that is not in the library for good stands in `assetLibrary` with
// its bytes. What this page does not know is kept and written back where it was.

import { layerOf, noAdjustments, noTint } from "./compose-model.js";
import { limits } from "./compose-page.js";
import { Refused } from "./server.js";

const version = "3.10.0";
const known = new Set([
  "identifier", "position", "dimensions", "rotation", "flipHorizontally", "flipVertically", "alpha", "tintMode", "tintColor",
  "adjustments",
]);

/** The composition as an object.
 *
 * @param state of a `Composition`.
 * @param size width and height of the picture in pixels.
 * @param embedded what stands in `assetLibrary`, in the order of the layers.
 * @param program the version of this program. */
export function written(state, size, embedded, program) {
  const sprites = state.layers.map((layer) => layer.kept ?? { type: "sticker", options: optionsOf(layer) });
  const sprite = { type: "sprite", options: { ...state.rest?.spriteOptions, sprites } };
  const operations = [...(state.rest?.operations ?? [])];
  operations.splice(state.rest?.spriteAt ?? operations.length, 0, sprite);
  const file = {
    ...state.rest?.members, version: state.rest?.version ?? version,
    image: { ...state.rest?.image, width: size.width, height: size.height }, operations,
    meta: {
      platform: "stickerd-web", version: program, createdAt: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    },
  };
  const others = state.rest?.assets ?? {};
  const stickers = [...embedded, ...(others.stickers ?? [])];
  const assets = { ...others, ...(stickers.length ? { stickers } : {}) };
  if (Object.keys(assets).length) file.assetLibrary = { ...state.rest?.assetLibrary, assets };
  return file;
}

function optionsOf(layer) {
  const { rgba, srgba } = layer.tintColor;
  return {
    ...layer.more, identifier: layer.identifier, position: { ...layer.position }, dimensions: { ...layer.dimensions },
    rotation: layer.rotation, flipHorizontally: layer.flipHorizontally, flipVertically: layer.flipVertically,
    alpha: layer.alpha, tintMode: layer.tintMode, tintColor: { rgba: [...rgba], srgba: [...srgba] },
    adjustments: { ...layer.adjustments },
  };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSide = (value) => isNumber(value) && value >= 1 && value <= 100_000;
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** What a file holds.
 *
 * @returns layers from the bottom up, what to keep besides, the stickers that it brings, the size of its picture, and what
 *   its reader should know.
 * @throws Refused if it is no composition. */
export function read(file) {
  if (!isObject(file) || !Array.isArray(file.operations)) {
    throw new Refused(
      "this is no composition: it has no list of operations", "open a file that this page or IMG.LY's editors saved");
  }
  if (typeof file.version === "string" && !file.version.startsWith("3.")) {
    throw new Refused(`the composition has version ${file.version.slice(0, 20)}`, "this page reads version 3");
  }
  const notes = [];
  const operations = file.operations.filter((operation) => operation?.type !== "sprite");
  const found = file.operations.filter((operation) => operation?.type === "sprite");
  const sprites = found.flatMap((operation) => operation.options?.sprites ?? []);
  if (!Array.isArray(sprites) || sprites.length > limits.layersMax) {
    throw new Refused(`the composition has ${sprites.length} stickers and texts`, `at most ${limits.layersMax} are read`);
  }
  const layers = sprites.map((sprite, index) => layerFrom(sprite, index));
  const { version: fileVersion, image, operations: _, meta: __, assetLibrary, ...members } = file;
  const assets = isObject(assetLibrary?.assets) ? assetLibrary.assets : {};
  const { stickers, ...otherAssets } = assets;
  const own = (Array.isArray(stickers) ? stickers : []).filter((asset) => typeof asset?.identifier === "string");
  const used = new Set(layers.map((layer) => layer.identifier));
  const unused = own.filter((asset) => !used.has(asset.identifier));
  const { assets: ___, ...assetLibraryRest } = isObject(assetLibrary) ? assetLibrary : {};
  noteOthers(operations, layers, notes);
  return {
    layers, notes, embedded: own.filter((asset) => used.has(asset.identifier)),
    size: isSide(image?.width) && isSide(image?.height)
      ? { width: Math.round(image.width), height: Math.round(image.height) } : null,
    rest: {
      version: fileVersion, members, operations, image: isObject(image) ? image : {},
      spriteAt: found.length ? file.operations.indexOf(found[0]) : undefined,
      spriteOptions: found.length === 1 && isObject(found[0].options) ? found[0].options : {},
      assetLibrary: assetLibraryRest,
      assets: { ...otherAssets, ...(unused.length ? { stickers: unused } : {}) },
    },
  };
}

function layerFrom(sprite, index) {
  if (!isObject(sprite)) {
    throw new Refused(`layer ${index + 1} is not an object`, "save the composition again where it was made");
  }
  const { options } = sprite;
  if (sprite.type !== "sticker" || !isObject(options)) return layerOf(null, { kept: sprite });
  const point = (value, name) => {
    if (!isNumber(value?.x) || !isNumber(value?.y)) {
      throw new Refused(`sticker ${index + 1} has no ${name} with x and y`, "save the composition again where it was made");
    }
    return { x: value.x, y: value.y };
  };
  if (typeof options.identifier !== "string" || !options.identifier) {
    throw new Refused(`sticker ${index + 1} has no identifier`, "save the composition again where it was made");
  }
  const dimensions = point(options.dimensions, "dimensions");
  if (!(dimensions.x > 0 && dimensions.y > 0)) {
    throw new Refused(`sticker ${index + 1} has no size`, "save the composition again where it was made");
  }
  const rgba = colorFrom(options.tintColor?.rgba) ?? colorFrom(options.tintColor?.srgba) ?? noTint.rgba;
  const srgba = colorFrom(options.tintColor?.srgba) ?? rgba;
  const more = Object.fromEntries(Object.entries(options).filter(([name]) => !known.has(name)));
  return layerOf(options.identifier, {
    position: point(options.position, "position"), dimensions, more,
    rotation: isNumber(options.rotation) ? options.rotation : 0,
    flipHorizontally: options.flipHorizontally === true, flipVertically: options.flipVertically === true,
    alpha: isNumber(options.alpha) ? Math.min(1, Math.max(0, options.alpha)) : 1,
    tintMode: ["solid", "colorized"].includes(options.tintMode) ? options.tintMode : "none",
    tintColor: { rgba, srgba },
    adjustments: isObject(options.adjustments) ? options.adjustments : noAdjustments,
  });
}

const colorFrom = (list) => Array.isArray(list) && list.length === 4 && list.every(isNumber)
  ? list.map((part) => Math.min(1, Math.max(0, part))) : null;

/** Operations that change nothing are no reason to say anything. */
function noteOthers(operations, layers, notes) {
  const names = operations.filter(isObject).filter(changesAnything).map((operation) => String(operation.type).slice(0, 40));
  if (names.length) {
    notes.push(`Not shown here, but kept in the file: ${[...new Set(names)].join(", ")}.`);
  }
  if (names.includes("transform")) {
    notes.push("The file crops its picture; places of stickers are shown on the whole of it.");
  }
  const kept = layers.filter((layer) => layer.kept).length;
  if (kept) notes.push(`${kept} of its layers are not stickers; they are kept, but not shown.`);
}

function changesAnything({ type, options }) {
  if (!isObject(options)) return false;
  if (type === "adjustments") return Object.values(options).some((value) => value !== 0);
  if (type === "trim") return Object.keys(options).length > 0;
  if (type === "audio") return (options.clips?.length ?? 0) > 0;
  if (type === "orientation") return Boolean(options.rotation || options.flipHorizontally || options.flipVertically);
  return true;
}
