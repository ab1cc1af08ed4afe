// The picture below the stickers, and the picture with them.

import { canvasOf, drawable, imageAt, typed } from "./compose-assets.js";
import { limits } from "./compose-page.js";
import { counted } from "./elements.js";
import { Refused } from "./server.js";

/** Reads a picture's size. The browser has turned it upright, as a camera wrote into it.
 *
 * @throws Refused if it is no picture that this browser shows, or a too large one. */
export async function pictureOf(blob, name = "picture") {
  const megabytes = (count) => `${Math.round(count / 1e6)} MB`;
  if (blob.size > limits.pictureBytesMax) {
    throw new Refused(
      `${name} has ${megabytes(blob.size)}`, `at most ${megabytes(limits.pictureBytesMax)} are read; save it smaller`);
  }
  const picture = await typed(blob);
  if (!picture) throw new Refused(`${name} is not a picture that can be opened here`, "save it as JPEG or PNG");
  const { naturalWidth: width, naturalHeight: height } = await withImage(picture, (image) => image);
  if (width * height > limits.picturePixelsMax) {
    throw new Refused(
      `${name} has ${Math.round(width * height / 1e6)} megapixels`,
      `at most ${limits.picturePixelsMax / 1e6} are opened; save it smaller`);
  }
  if (!width || !height) throw new Refused(`${name} has no size of its own`, "save it as JPEG or PNG");
  return Object.freeze({ blob: picture, name, width, height });
}

async function withImage(blob, use) {
  const address = URL.createObjectURL(blob);
  try {
    return await use(await imageAt(address));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A copy to look at, so that a large photo takes little memory. */
export async function workCopy(picture) {
  const scale = Math.min(1, limits.workSideMax / Math.max(picture.width, picture.height));
  return withImage(picture.blob, (image) => {
    const canvas = canvasOf(picture.width * scale, picture.height * scale);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  });
}

/** Draws picture and stickers in full size, as far as a browser goes.
 *
 * @returns `blob` (PNG), `width`, `height`, and `notes`: what is not as it is on the page. */
export async function saved(composition, assets) {
  const notes = [];
  for (const pixelsMax of [limits.savedPixelsMax, limits.savedPixelsLess]) {
    const canvas = await drawn(composition, assets, pixelsMax, notes);
    const blob = canvas && await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob) return { blob, width: canvas.width, height: canvas.height, notes };
    notes.length = 0;
  }
  throw new Refused("this browser cannot draw a picture of that size", "open a smaller picture");
}

async function drawn(composition, assets, pixelsMax, notes) {
  const { width, height } = composition;
  const scale = Math.min(
    1, Math.sqrt(pixelsMax / (width * height)), limits.savedSideMax / Math.max(width, height));
  const canvas = canvasOf(width * scale, height * scale);
  const context = canvas.getContext("2d");
  if (!context || !isDrawing(context, canvas)) return null;
  if (scale < 1) {
    notes.push(`The picture is saved with ${canvas.width} × ${canvas.height} of its ${width} × ${height} pixels.`);
  }
  context.imageSmoothingQuality = "high";
  if (composition.picture) {
    await withImage(composition.picture.blob, (image) => context.drawImage(image, 0, 0, canvas.width, canvas.height));
  } else if (composition.canvas.color) {
    context.fillStyle = composition.canvas.color;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  for (const layer of composition.layers) drawLayer(context, canvas, layer, assets);
  notes.push(...notesOf(composition.layers, assets));
  return canvas;
}

/** A canvas that is too large draws nothing, and says nothing. */
function isDrawing(context, canvas) {
  context.fillRect(canvas.width - 1, canvas.height - 1, 1, 1);
  const isThere = context.getImageData(canvas.width - 1, canvas.height - 1, 1, 1).data[3] === 255;
  context.clearRect(0, 0, canvas.width, canvas.height);
  return isThere;
}

function drawLayer(context, canvas, layer, assets) {
  const picture = layer.kept ? null : drawable(layer, assets.get(layer.identifier));
  if (!picture) return;
  const side = Math.min(canvas.width, canvas.height);
  const [width, height] = [layer.dimensions.x * side, layer.dimensions.y * side];
  context.save();
  context.translate(layer.position.x * canvas.width, layer.position.y * canvas.height);
  context.rotate(layer.rotation);
  context.scale(layer.flipHorizontally ? -1 : 1, layer.flipVertically ? -1 : 1);
  context.globalAlpha = layer.alpha;
  context.drawImage(picture, -width / 2, -height / 2, width, height);
  context.restore();
}

/** What a still picture cannot show of these layers. */
function notesOf(layers, assets) {
  const notes = [];
  const stickers = layers.filter((layer) => !layer.kept);
  const words = (list, one, more) => `${counted(list.length, one, more)}: ${named(list)}.`;
  const named = (list) => [...new Set(list.map((layer) => assets.titleOf(layer.identifier)))].slice(0, 5).join(", ");
  const moving = stickers.filter((layer) => assets.get(layer.identifier)?.animated);
  if (moving.length) {
    notes.push(words(moving, "animated sticker shows its first frame", "animated stickers show their first frame"));
  }
  const missing = stickers.filter((layer) => !assets.get(layer.identifier)?.still);
  if (missing.length) notes.push(words(missing, "sticker is not in the picture", "stickers are not in the picture"));
  const kept = layers.length - stickers.length;
  if (kept) notes.push(`${counted(kept, "layer is", "layers are")} not in the picture, as this page does not show them.`);
  return notes;
}
