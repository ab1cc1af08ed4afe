// The pictures of stickers, and the colours that they can be given.

import { hasLight, lightOf } from "./compose-model.js";
import { isElsewhere, limits } from "./compose-page.js";
import { ask, local, Refused } from "./server.js";

/** What is known of a sticker, by its identifier:
 *
 * - `origin`: `library`, `personal`, or `foreign` for one that another service or a file brought;
 * - `state`: `loading`, `ready`, `gone` for one that the library has no more, `failed`, `unreadable` for one that a browser
 *   shows and lets no page read, or `away` for one on somebody's server which nobody has asked for it yet;
 * - `isClosed`: whether it is one's own or of an app, and whoever had it has left: then it stays where it is placed, and is
 *   not found;
 * - `brought`: what a composition says of it, unless the library has it;
 * - `still`: a canvas with its first frame; `show`: an address that shows it, in motion if it moves; `blob`: its bytes. */
export class Assets {
  #known = new Map();

  get(identifier) { return this.#known.get(identifier); }
  titleOf(identifier) { return this.get(identifier)?.title || identifier || "Layer"; }

  /** A sticker as an answer of the server tells of it. `bytes` is there for what needs more than its address. */
  fromEntry(entry, { origin, bytes } = {}) {
    const known = this.get(entry.id);
    if (known && !known.brought && ["ready", "loading"].includes(known.state)) {
      known.isClosed = false;
      return known;
    }
    return this.keep(assetOf(entry, { origin, bytes }));
  }

  /** A sticker that an app hands over, as bytes or by its address. Its identifier is one that no server gives, so that it
   * stands for no sticker of a library. Until it is kept, one that was handed over before by that name is shown. */
  fromApp({ identifier, title, blob, url }) {
    const id = `${ofApp}${identifier ?? crypto.getRandomValues(new Uint32Array(3)).join("")}`;
    return assetOf({ id, title: title || identifier || "sticker", url },
      { origin: "foreign", bytes: blob && (async () => blob) });
  }

  /** Finds it by its identifier from now on. */
  keep(asset) {
    this.#known.set(asset.identifier, asset);
    return asset;
  }

  /** A sticker of the library by its identifier alone. One that is gone has its title at least. `brought` is what a
   * composition says of it, or `null`: that counts for what the library never had, so that no file shows its own picture
   * under the name of a sticker. */
  async find(identifier, brought) {
    if (identifier.startsWith(ofApp)) return this.#findOfApp(identifier, brought);
    const known = this.get(identifier);
    if (known && !known.brought && !known.isClosed && !["failed", "gone"].includes(known.state)) return known;
    try {
      const entry = await ask(`stickers/by-id/${encodeURIComponent(identifier)}`, { format: "webp" });
      return this.fromEntry(entry);
    } catch (error) {
      const isKept = known?.brought && isSame(known.brought, brought ?? known.brought) && (brought || !known.isClosed);
      // While the server is away, what is shown stays shown.
      if (isKept && (error.status === 404 ? known.state !== "failed" : error.status !== 410 && known.still)) return known;
      if (error.status === 404 && brought) return this.#fromEmbedded(brought);
      // Whatever is wrong now, what the file brought stands in it again.
      const kept = brought ?? known?.brought;
      if (error.status === 410) {
        return this.#missing(identifier, "gone", error.details.title, "the sticker was removed from the library", kept);
      }
      const [state, why] = error.status === 404
        ? ["gone", "this library has no sticker with that id"] : ["failed", error.message];
      // What is on the picture is not touched by a question that places nothing.
      if (known?.isClosed && brought === undefined) return missingOf(identifier, state, null, why);
      return this.#missing(identifier, state, kept?.name, why, kept);
    }
  }

  /** No server knows it: it is what a composition brings, or what the app has handed over for whoever is here. */
  #findOfApp(identifier, brought) {
    const known = this.get(identifier);
    if (brought) {
      if (!known?.still || !known.brought || !isSame(known.brought, brought)) return this.#fromEmbedded(brought);
      known.isClosed = false;
      return known;
    }
    if (known && !known.isClosed && !["failed", "gone"].includes(known.state)) return known;
    const missing = missingOf(identifier, "gone", null, "the app has not handed it over");
    // Without a composition nothing is placed, and the picture stays as it is.
    return brought === null ? this.keep(missing) : missing;
  }

  #missing(identifier, state, title, why, brought = null) {
    return this.keep(missingOf(identifier, state, title, why, brought));
  }

  #fromEmbedded(brought) {
    const { identifier, name, raster, url, attribution, type } = brought;
    const title = typeof name === "string" && name ? name : identifier;
    const asset = {
      identifier, title, animated: false, url: null, suggestedTint: "none", attribution: attribution ?? null,
      origin: type === "personal" ? "personal" : "foreign", state: "loading", width: 512, height: 512,
      still: null, show: null, blob: null, brought,
    };
    if (typeof raster?.data === "string") {
      asset.done = load(asset, async () => bytesOf(stickerText(raster.data), "an embedded sticker"));
    } else if (isAddress(url)) {
      const why = `it lies on ${new URL(url).host}, which sees who asks for it`;
      Object.assign(asset, { url, state: "away", why, done: Promise.resolve() });
    } else return this.#missing(identifier, "gone", title, "the file has no bytes of it", brought);
    return this.keep(asset);
  }

  /** Asks for one that is away. */
  fetch(asset) {
    Object.assign(asset, { state: "loading", why: undefined });
    asset.done = load(asset);
    return asset.done;
  }

  forget(identifier) { this.#known.delete(identifier); }

  /** Whoever had stickers of their own, or was handed some by the app, has left. */
  closePersonal() {
    for (const asset of this.#known.values()) {
      if (asset.origin === "personal" || asset.identifier.startsWith(ofApp)) asset.isClosed = true;
    }
  }
}

/** Begins the identifiers of what an app hands over. */
const ofApp = "app:";

function assetOf(entry, { origin, bytes }) {
  const asset = {
    identifier: entry.id, title: entry.title ?? entry.id, animated: Boolean(entry.animated), url: entry.url,
    suggestedTint: entry.tintMode ?? "none", attribution: entry.attribution ?? null,
    origin: origin ?? (isElsewhere(entry.url) ? "foreign" : "library"), state: "loading",
    width: 512, height: 512, still: null, show: null, blob: null,
  };
  asset.done = load(asset, bytes);
  return asset;
}

const missingOf = (identifier, state, title, why, brought = null) => ({
  brought, identifier, title: title || identifier, state, why, origin: "library", animated: false, width: 512, height: 512,
  still: null, show: null, blob: null, done: Promise.resolve(),
});

const isSame = (one, other) => one.raster?.data === other.raster?.data && one.url === other.url;

function isAddress(url) {
  return typeof url === "string" && url.startsWith("https://") && URL.canParse(url);
}

function stickerText(base64) {
  const text = base64.replace(/^data:[^,]*,/, "");
  if (text.length > limits.stickerBytesMax * 4 / 3 + 4) {
    throw new Refused("an embedded sticker is too large", `at most ${limits.stickerBytesMax / 1e6} MB are read`);
  }
  return text;
}

/** The bytes of a base64 text; `what` is what they are to be. */
export function bytesOf(text, what) {
  let binary;
  try {
    binary = atob(text);
  } catch {
    throw new Refused(`${what} is not base64`, "save or send it again where it was made");
  }
  return new Blob([Uint8Array.from(binary, (character) => character.charCodeAt(0))]);
}

/** Bytes that IMG.LY's editors read: PNG, JPEG and GIF as they are, and anything else as PNG. */
export function embeddable(asset) {
  if (["image/png", "image/jpeg", "image/gif"].includes(asset.blob.type)) return asset.blob;
  return new Promise((resolve) => asset.still.toBlob(resolve, "image/png"));
}

export async function base64Of(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** The type of a picture by its first bytes; nothing else is shown, whatever it is called. */
export async function typed(blob) {
  const head = new Uint8Array(await blob.slice(0, 16).arrayBuffer());
  const text = String.fromCharCode(...head);
  const type = text.startsWith("\x89PNG\r\n\x1a\n") ? "image/png"
    : text.startsWith("\xff\xd8\xff") ? "image/jpeg"
    : text.startsWith("GIF8") ? "image/gif"
    : text.startsWith("RIFF") && text.slice(8, 12) === "WEBP" ? "image/webp"
    : text.slice(4, 12) === "ftypavif" || text.slice(4, 12) === "ftypavis" ? "image/avif" : null;
  return type && new Blob([blob], { type });
}

/** An image element once its size is known; its pixels are decoded when they are drawn. */
export function imageAt(address, attributes = {}) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    Object.assign(image, attributes);
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Refused(
      "the picture cannot be read", "it may be damaged, or in a format that this browser does not know"));
    image.src = address;
  });
}

export function canvasOf(width, height) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
  return canvas;
}

/** Whether a picture moves: GIF and WebP tell by their parts. */
async function moves(blob) {
  if (!["image/gif", "image/webp"].includes(blob.type)) return false;
  const text = new TextDecoder("latin1").decode(await blob.arrayBuffer());
  if (blob.type === "image/webp") return text.slice(12, 16) === "VP8X" && (text.charCodeAt(20) & 2) !== 0;
  return text.split("\x21\xf9\x04").length > 2;
}

async function load(asset, bytes) {
  try {
    let blob;
    try {
      blob = await (bytes ?? (() => fetched(asset.url)))();
    } catch (error) {
      if (!asset.url || !isElsewhere(asset.url) || error instanceof Refused) throw error;
      // A host may let a browser show a picture and no page read it.
      const host = new URL(asset.url).host;
      const image = await imageAt(asset.url, { referrerPolicy: "no-referrer" }).catch(() => {
        throw new Refused(`${host} does not allow it here`, "the operator of this page lists the hosts that it may ask");
      });
      Object.assign(asset, { state: "unreadable", show: asset.url, ...sizeOf(image) });
      asset.why = `${host} lets no other page read its pictures`;
      return;
    }
    if (blob.size > limits.stickerBytesMax) {
      throw new Refused("the sticker is too large", `at most ${limits.stickerBytesMax / 1e6} MB are shown`);
    }
    asset.blob = await typed(blob);
    if (!asset.blob) throw new Refused("that is not a picture", "PNG, JPEG, GIF and WebP are shown");
    asset.show = URL.createObjectURL(asset.blob);
    const image = await imageAt(asset.show);
    Object.assign(asset, sizeOf(image));
    if (Math.max(asset.width, asset.height) > limits.stickerSideMax) {
      throw new Refused(
        `the sticker has ${asset.width} × ${asset.height} pixels`, `a side may have ${limits.stickerSideMax}`);
    }
    const scale = Math.min(1, limits.stillSideMax / Math.max(asset.width, asset.height));
    asset.still = canvasOf(asset.width * scale, asset.height * scale);
    const context = asset.still.getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    // Of an animation that is its first frame.
    context.drawImage(image, 0, 0, asset.still.width, asset.still.height);
    asset.animated = await moves(asset.blob);
    asset.state = "ready";
  } catch (error) {
    Object.assign(asset, { state: "failed", why: error.message });
  }
}

const sizeOf = (image) => ({ width: image.naturalWidth || 512, height: image.naturalHeight || 512 });

async function fetched(url) {
  const options = isElsewhere(url) ? { mode: "cors", credentials: "omit", referrerPolicy: "no-referrer" } : {};
  const response = await fetch(local(url), options);
  if (!response.ok) throw new Refused(`the file of the sticker is not there (${response.status})`, "try again in a moment");
  return response.blob();
}

/** The still in another colour, as the daemon does it: `solid` keeps the shape alone, `colorized` the brightness, too. */
function tinted(still, mode, rgba) {
  const canvas = canvasOf(still.width, still.height);
  const context = canvas.getContext("2d");
  const color = rgba.slice(0, 3).map((part) => Math.round(part * 255));
  const picture = still.getContext("2d").getImageData(0, 0, still.width, still.height);
  recolor(picture.data, mode, color);
  context.putImageData(picture, 0, 0);
  return canvas;
}

function recolor(pixels, mode, [red, green, blue]) {
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 0) continue;
    // Brightness is the luma of ITU-R BT.709: 0.2126, 0.7152 and 0.0722 in 65536ths.
    const luma = mode === "solid" ? 255
      : (pixels[at] * 13933 + pixels[at + 1] * 46871 + pixels[at + 2] * 4732 + 32768) >> 16;
    pixels[at] = Math.floor((red * luma + 127) / 255);
    pixels[at + 1] = Math.floor((green * luma + 127) / 255);
    pixels[at + 2] = Math.floor((blue * luma + 127) / 255);
  }
}

/** The still with brightness, contrast and saturation, each from -1 to 1.
 *
 * IMG.LY documents no formula. This is the one of its last open editor (imgly-sdk-html5,
 * src/js/sdk/operations/stickers/adjustments.frag), on sRGB values from 0 to 1: the brightness is added, the saturation
 * scales the distance to the luma, and the contrast that to middle grey. Only the result is clamped. */
function adjusted(still, { brightness, contrast, saturation }) {
  const canvas = canvasOf(still.width, still.height);
  const context = canvas.getContext("2d");
  const picture = still.getContext("2d").getImageData(0, 0, still.width, still.height);
  const pixels = picture.data;
  const own = (1 + contrast) * (1 + saturation);
  const grey = (1 + contrast) * -saturation;
  const added = 255 * ((1 + contrast) * (brightness - 0.5) + 0.5);
  for (let at = 0; at < pixels.length; at += 4) {
    const all = grey * (0.2126 * pixels[at] + 0.7152 * pixels[at + 1] + 0.0722 * pixels[at + 2]) + added;
    pixels[at] = own * pixels[at] + all;
    pixels[at + 1] = own * pixels[at + 1] + all;
    pixels[at + 2] = own * pixels[at + 2] + all;
  }
  context.putImageData(picture, 0, 0);
  return canvas;
}

const isTinted = (layer, asset) => layer.tintMode !== "none" && !asset.animated;
const isAdjusted = (layer, asset) => hasLight(layer) && !asset.animated;

/** Whether a layer is drawn in other colours than those of its sticker. Stickers that move have no colours but their own. */
export const isRecolored = (layer, asset) => isTinted(layer, asset) || isAdjusted(layer, asset);

/** The picture of a layer: its still, tinted and then adjusted. */
export function drawable(layer, asset) {
  if (!asset?.still) return null;
  const still = isTinted(layer, asset) ? tinted(asset.still, layer.tintMode, layer.tintColor.rgba) : asset.still;
  return isAdjusted(layer, asset) ? adjusted(still, lightOf(layer)) : still;
}
