// The page on which stickers are placed on a picture: what its controls do.

import { Assets, base64Of, bytesOf, embeddable } from "./compose-assets.js";
import { Bridge } from "./compose-bridge.js";
import { read, written } from "./compose-imgly.js";
import { Library } from "./compose-library.js";
import { Composition, hasLight, layerOf, lightOf, noAdjustments, normal } from "./compose-model.js";
import { download, icon, limits, setting, tell, tellTrouble } from "./compose-page.js";
import { Personal } from "./compose-personal.js";
import { pictureOf, saved } from "./compose-picture.js";
import { placeOf, Stage } from "./compose-stage.js";
import { attributionOf, counted, make, page } from "./elements.js";
import { access, ask, Refused, sentenceOf } from "./server.js";

const composition = new Composition();
const assets = new Assets();
const stage = new Stage(composition, assets);
const library = new Library(pick);
const bridge = new Bridge(receive);
// An app knows its users: what one of them typed is not there for the next one.
const personal = new Personal(library, { remembers: !bridge.isThere, onClose: () => assets.closePersonal() });

const titleOf = (layer) => layer.kept
  ? `${String(layer.kept.type ?? "layer").slice(0, 40)} (kept, not shown)` : assets.titleOf(layer.identifier);

// Picking and changing

/** Puts a sticker of the panel on the picture. */
async function pick(entry) {
  if (entry.state !== undefined) return place(ownOf(entry));
  const { who } = personal;
  const asset = assets.fromEntry(entry);
  // A pick of somebody who leaves while it loads is listed for nobody else.
  if (await place(asset) && asset.origin === "foreign" && who === personal.who) personal.note(entry);
}

/** One's own sticker, which is read with the token. */
function ownOf(entry, read = personal.reader) {
  return assets.fromEntry(entry, { origin: "personal", bytes: () => read(entry.url) });
}

let isFirstPlaced = true;

/** Puts a sticker on the picture; says whether it is there. */
async function place(asset) {
  if (composition.layers.length >= limits.layersMax) {
    tell(`${limits.layersMax} stickers are on the picture. Remove one first.`, { isTrouble: true });
    return false;
  }
  await asset.done;
  if (!["ready", "unreadable"].includes(asset.state)) {
    const why = `${asset.title} cannot be placed: ${asset.why}.`;
    if (asset.state === "failed" && !asset.brought && assets.get(asset.identifier) === asset) assets.forget(asset.identifier);
    tell(why, { isTrouble: true });
    return false;
  }
  assets.keep(asset);
  const longer = Math.max(asset.width, asset.height);
  // Another copy does not hide the one below.
  const taken = new Set(composition.layers.map(({ position }) => `${position.x.toFixed(3)} ${position.y.toFixed(3)}`));
  let spot = 0.5;
  while (taken.has(`${spot.toFixed(3)} ${spot.toFixed(3)}`) && spot < 0.9) spot += 0.04;
  const layer = layerOf(asset.identifier, {
    position: { x: spot, y: spot }, dimensions: { x: 0.4 * asset.width / longer, y: 0.4 * asset.height / longer },
  });
  composition.add(layer);
  if (hasRoom.matches) showView("adjust");
  stage.focus(layer.key);
  const isUnreadable = asset.state === "unreadable";
  const more = isFirstPlaced ? "Drag it: it snaps to the middle and the edges unless Alt is held or Snap is off."
    : `${counted(composition.layers.length, "sticker", "stickers")} on the picture.`;
  isFirstPlaced = false;
  tell(isUnreadable
    ? `${asset.title} is placed, but cannot be saved into a PNG: ${asset.why}.` : `${asset.title} is placed. ${more}`,
  { isTrouble: isUnreadable });
  return true;
}

const step = 0.01;
const degree = Math.PI / 180;

/** What buttons and keys do with the chosen sticker; each says what has happened. */
const actions = {
  larger: (layer) => scale(layer, 1.1),
  smaller: (layer) => scale(layer, 1 / 1.1),
  left: (layer, far) => rotate(layer, far ? -45 : -5),
  right: (layer, far) => rotate(layer, far ? 45 : 5),
  mirror: (layer) => flip(layer, "horizontal"),
  upside: (layer) => flip(layer, "vertical"),
  raise: (layer) => order(layer, 1),
  lower: (layer) => order(layer, -1),
  copy(layer) {
    const copy = composition.layers.length < limits.layersMax && composition.copy(layer.key);
    if (copy) stage.focus(copy.key);
    tell(copy ? `${titleOf(layer)} is copied.` : `${titleOf(layer)} cannot be copied.`);
  },
  remove(layer) {
    const index = composition.layers.findIndex((other) => other.key === layer.key);
    composition.remove(layer.key);
    const next = composition.layers[Math.min(index, composition.layers.length - 1)];
    if (next && !next.kept) stage.focus(next.key);
    else keepKeys();
    tell(`${titleOf(layer)} is removed. Undo brings it back.`);
  },
  west: (layer, far) => move(layer, far ? -10 : -1, 0),
  east: (layer, far) => move(layer, far ? 10 : 1, 0),
  north: (layer, far) => move(layer, 0, far ? -10 : -1),
  south: (layer, far) => move(layer, 0, far ? 10 : 1),
  middle: (layer) => say(composition.place(layer.key, 0.5, 0.5)),
  reset(layer) {
    if (!composition.alter(layer.key, ({ adjustments }) => ({ adjustments: { ...adjustments, ...noAdjustments } }))) return;
    tell(`${titleOf(layer)}: brightness, contrast and saturation are those of the sticker.`);
  },
};

const say = (layer) => { if (layer) tell(`${titleOf(layer)}: ${placeOf(layer)}.`); };
const scale = (layer, factor) => say(composition.resize(layer.key, factor, "scale"));
const rotate = (layer, by) => say(composition.rotate(layer.key, layer.rotation + by * degree, "turn"));
const move = ({ key, position }, x, y) => say(composition.place(key, position.x + x * step, position.y + y * step, "move"));

function flip(layer, axis) {
  const flipped = composition.flip(layer.key, axis);
  if (!flipped) return;
  const is = axis === "horizontal" ? flipped.flipHorizontally : flipped.flipVertically;
  const how = axis === "horizontal" ? "left to right" : "top to bottom";
  const done = axis === "horizontal" ? "mirrored" : "flipped";
  tell(`${titleOf(layer)} is ${is ? done : `no longer ${done}`} ${how}.`);
}

function order(layer, by) {
  const place = composition.order(layer.key, by);
  tell(place === null
    ? `${titleOf(layer)} is ${by > 0 ? "on top" : "at the bottom"} already.`
    : `${titleOf(layer)} is layer ${place + 1} of ${composition.layers.length} from the bottom.`);
}

function act(name, far = false) {
  const layer = composition.layer;
  if (layer && (!layer.kept || ["raise", "lower", "remove"].includes(name))) actions[name](layer, far);
}

const keys = {
  ArrowLeft: "west", ArrowRight: "east", ArrowUp: "north", ArrowDown: "south", "+": "larger", "=": "larger", "-": "smaller",
  "[": "left", "{": "left", "]": "right", "}": "right", f: "mirror", F: "mirror", v: "upside", V: "upside",
  PageUp: "raise", PageDown: "lower", Delete: "remove", Backspace: "remove",
};

/** Letters count on a sticker alone: elsewhere they are for whoever types, or speaks. */
function press(event) {
  const isTyping = event.target.matches?.("input:not([type=range]), select") || document.querySelector("dialog[open]");
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !isTyping) {
    const letter = event.key.toLowerCase();
    if (letter === "z" || letter === "y") {
      event.preventDefault();
      return letter === "y" || event.shiftKey ? redo() : undo();
    }
    if (letter === "d" && composition.layer) {
      event.preventDefault();
      act("copy");
    }
    return;
  }
  if (event.altKey || !event.target.closest?.(".layer")) return;
  if (event.key === "Escape") {
    composition.select(null);
    event.target.blur();
    return tell("No sticker is chosen.");
  }
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    return say(composition.layer);
  }
  const name = keys[event.key];
  if (!name) return;
  event.preventDefault();
  act(name, event.shiftKey);
}

function undo() {
  tell(composition.undo() ? "Undone." : "There is nothing to undo.");
  keepKeys();
}

function redo() {
  tell(composition.redo() ? "Done again." : "There is nothing to do again.");
  keepKeys();
}

/** What had the keys is gone or has nothing more to do: they go to what is next to it, not to the beginning of the page. */
function keepKeys() {
  const focused = document.activeElement;
  if (focused && focused !== document.body && !focused.matches(":disabled") && focused.checkVisibility()) return;
  const layer = [composition.layer, ...composition.layers.toReversed()].find((one) => one && !one.kept);
  if (layer) return stage.focus(layer.key);
  const next = ["undo", "redo", "hint-choose", "query"].map(page).find((one) => !one.disabled && one.checkVisibility());
  next?.focus();
}

// Showing

let isHintDismissed = false;

function show() {
  stage.show();
  page("undo").disabled = !composition.canUndo;
  page("redo").disabled = !composition.canRedo;
  const isEmpty = !composition.picture && !composition.layers.length;
  page("hint").hidden = !isEmpty || isHintDismissed;
  showAdjust();
  showLayers();
  showPicture();
}

function showAdjust() {
  const layer = composition.layer;
  const asset = layer && assets.get(layer.identifier);
  page("adjust-title").textContent = layer ? titleOf(layer) : "No sticker is chosen";
  page("controls").disabled = !layer;
  const note = layer ? noteOf(layer, asset) : ["Choose one on the picture or in the list of layers."];
  page("adjust-note").replaceChildren(...note);
  for (const button of page("controls").querySelectorAll("[data-do]")) {
    button.disabled = Boolean(layer?.kept) && !["raise", "lower", "remove"].includes(button.dataset.do);
  }
  if (!layer || layer.kept) return showColors(null, null);
  fill("field-x", layer.position.x * 100);
  fill("field-y", layer.position.y * 100);
  fill("field-size", Math.max(layer.dimensions.x, layer.dimensions.y) * 100);
  fill("field-rotation", normal(layer.rotation) / degree);
  slide("alpha", layer.alpha);
  showColors(layer, asset);
}

function fill(id, value) {
  if (document.activeElement !== page(id) || page(id).type === "range") page(id).value = Math.round(value * 10) / 10;
}

/** Shows a value from -1 to 1 on a slider, beside it, and to screen readers. */
function slide(name, part) {
  const id = `field-${name}`;
  const sign = page(id).min < 0 && part > 0 ? "+" : "";
  const shown = `${sign}${Math.round(part * 100)} %`.replace("-", "−");
  fill(id, part * 100);
  page(id).ariaValueText = shown;
  document.querySelector(`output[for="${id}"]`).textContent = shown;
}

function noteOf(layer, asset) {
  if (layer.kept) return ["The file has this layer. This page does not show it, and writes it back as it is."];
  if (["gone", "failed"].includes(asset?.state)) return [`Not shown: ${asset.why}. Its place is kept.`];
  if (asset?.state === "away") {
    const button = make("button", { type: "button", click: loadAway }, `Load from ${hostsOf(awayOnes())}`);
    return [`Not loaded: ${asset.why}. `, button];
  }
  if (asset?.state === "unreadable") return [`Not saved into a PNG: ${asset.why}.`];
  const credit = attributionOf(asset?.attribution);
  return credit ? [credit] : [];
}

function showColors(layer, asset) {
  const isFixed = !layer || asset?.animated || asset?.state !== "ready";
  page("field-tint").disabled = isFixed;
  page("field-color").disabled = isFixed || layer.tintMode === "none";
  page("field-tint").value = layer?.tintMode ?? "none";
  if (layer && layer.tintMode !== "none") page("field-color").value = hexOf(layer.tintColor.rgba);
  const suggested = asset?.suggestedTint ?? "none";
  page("tint-note").textContent = !layer ? ""
    : asset?.animated ? "Stickers that move have no tint, brightness, contrast or saturation: editors give them none."
    : layer.tintMode !== "none" && asset?.origin === "library" && suggested !== layer.tintMode
      ? "The library does not list this sticker with that tint; IMG.LY's editors may show it without." : "";
  for (const [name, part] of Object.entries(layer ? lightOf(layer) : noAdjustments)) {
    slide(name, part);
    page(`field-${name}`).disabled = isFixed;
  }
  document.querySelector("[data-do=reset]").disabled = isFixed;
  page("light-note").textContent = !isFixed && hasLight(layer)
    ? "IMG.LY's editors may draw brightness, contrast and saturation differently." : "";
}

const hexOf = (rgba) => `#${rgba.slice(0, 3).map((part) => Math.round(part * 255).toString(16).padStart(2, "0")).join("")}`;
const colorOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);

function showLayers() {
  const list = page("layer-list");
  // While a finger moves nothing changes here.
  const content = JSON.stringify([composition.selected, composition.layers.map((layer) => {
    const asset = assets.get(layer.identifier);
    return [layer.key, titleOf(layer), asset?.state, asset?.show];
  })]);
  if (list.dataset.content === content) return;
  list.dataset.content = content;
  const focused = document.activeElement?.closest?.("#layer-list [data-do]");
  const [key, name] = [focused?.closest("li").dataset.key, focused?.dataset.do];
  const layers = [...composition.layers].reverse();
  list.replaceChildren(...layers.map((layer, index) => layerItem(layer, index, layers.length)));
  page("layers-note").hidden = layers.length > 0;
  if (!key) return;
  // A button that has nothing more to do hands the keys to its layer.
  const item = list.querySelector(`li[data-key="${key}"]`);
  (item?.querySelector(`[data-do="${name}"]:not(:disabled)`) ?? item?.querySelector("[data-do=choose]"))?.focus();
}

function layerItem(layer, index, count) {
  const title = titleOf(layer);
  const asset = assets.get(layer.identifier);
  const button = (name, label, isOff) => make("button", {
    type: "button", class: "tool", "data-do": name, "aria-label": `${label} ${title}`, title: `${label} ${title}`,
    disabled: isOff, click: () => {
      composition.select(layer.key);
      act(name);
    },
  }, icon(name), label);
  const picture = asset?.still && !layer.kept
    ? make("img", { src: asset.show, alt: "" }) : make("span", { class: "none", "aria-hidden": "true" }, "?");
  const isGone = ["gone", "failed"].includes(asset?.state);
  const isChosen = String(layer.key === composition.selected);
  const item = make("li", { "data-key": layer.key },
    make("button", { type: "button", "data-do": "choose", "aria-pressed": isChosen, click: () => choose(layer) },
      picture, make("span", { class: "name", dir: "auto" }, isGone ? `${title} (gone)` : title)),
    button("raise", "Raise", index === 0), button("lower", "Lower", index === count - 1), button("remove", "Remove", false));
  return item;
}

function choose(layer) {
  composition.select(layer.key);
  tell(layer.kept ? `${titleOf(layer)} is chosen.` : `${titleOf(layer)} is chosen: ${placeOf(layer)}.`);
}

function showPicture() {
  const { picture, canvas } = composition;
  page("picture-facts").textContent = picture
    ? `${picture.name}, ${picture.width} × ${picture.height}`
    : `No picture; the canvas has ${canvas.width} × ${canvas.height}.`;
  page("clear-picture").hidden = !picture;
  page("canvas-fields").disabled = Boolean(picture);
  fill("canvas-width", canvas.width);
  fill("canvas-height", canvas.height);
  page("canvas-ground").value = canvas.color ? "color" : "";
  if (canvas.color) page("canvas-color").value = canvas.color;
  page("canvas-color").disabled = !canvas.color;
}

const hasRoom = matchMedia("(min-width: 900px)");

/** A wide screen shows the panel of stickers always, and one of the others beside it. */
function showView(name) {
  document.body.dataset.view = name;
  for (const button of page("views").children) button.ariaPressed = String(button.dataset.view === name);
}

// Files

async function usePicture(blob, name) {
  try {
    const picture = await pictureOf(blob, name);
    composition.set({ picture });
    tell(`${picture.name} is open, ${picture.width} × ${picture.height}.`);
    return picture;
  } catch (error) {
    tellTrouble(error);
    throw error;
  }
}

/** A file that was dropped, pasted or chosen: a picture, or a composition. */
async function useFile(file) {
  if (file.type === "application/json" || /\.json$/i.test(file.name)) return openFile(file);
  return usePicture(file, file.name || "picture");
}

async function openFile(file) {
  if (file.size > limits.compositionBytesMax) {
    throw new Refused(`${file.name} is too large`, `at most ${limits.compositionBytesMax / 1e6} MB are read`);
  }
  let content;
  try {
    content = JSON.parse(await file.text());
  } catch {
    throw new Refused(`${file.name} is not JSON`, "open a file that this page or IMG.LY's editors saved");
  }
  return openComposition(read(content), file.name);
}

/** What an app hands over as text. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused("the composition is not JSON", "send an object, or the text that it was saved as");
  }
}

/** Shows a composition in the place of what is there; undo brings that back. */
async function openComposition(found, name = "composition") {
  const brought = new Map(found.embedded.map((embedded) => [embedded.identifier, embedded]));
  const identifiers = [...new Set(found.layers.filter((layer) => !layer.kept).map((layer) => layer.identifier))];
  const stickers = await Promise.all(identifiers.map((identifier) => assets.find(identifier, brought.get(identifier) ?? null)));
  await Promise.all(stickers.map((asset) => asset.done));
  const why = (asset) => `“${asset.title}” is not shown: ${asset.why ?? "it cannot be read"}.`;
  const away = stickers.filter((asset) => asset.state === "away");
  const missing = stickers.filter((asset) => !asset.show && asset.state !== "away");
  const notes = [...found.notes, ...missing.map((asset) => `${why(asset)} Its place is kept, and stands in the file again.`)];
  if (away.length) {
    notes.push(`${counted(away.length, "sticker lies", "stickers lie")} on ${hostsOf(away)}, which was not asked: choose one `
      + "of them to load all.");
  }
  const moving = stickers.filter((asset) => asset.animated && found.layers.some(
    (layer) => layer.identifier === asset.identifier && hasLight(layer)));
  if (moving.length) {
    notes.push(`Brightness, contrast and saturation of stickers that move are kept, but not shown: ${
      moving.map((asset) => asset.title).join(", ")}.`);
  }
  const canvas = found.size && !composition.picture ? { ...composition.canvas, ...found.size } : composition.canvas;
  if (composition.picture && found.size && isOtherShape(found.size, composition)) {
    const size = `${found.size.width} × ${found.size.height}`;
    notes.push(`The composition was made on a picture of ${size}, and this one has another shape.`);
  }
  if (!composition.picture) notes.push("A composition has no picture: open the picture, too.");
  composition.select(null);
  composition.set({ layers: found.layers, rest: found.rest, canvas });
  tell(`${name} is open: ${counted(found.layers.length, "layer", "layers")}.`);
  return { notes, missing: missing.map((asset) => asset.identifier) };
}

const hostsOf = (list) => [...new Set(list.map((asset) => new URL(asset.url).host))].join(", ");
const awayOnes = () => [...new Set(composition.layers.map((layer) => assets.get(layer.identifier)))]
  .filter((asset) => asset?.state === "away");

/** Asks others for the pictures that a composition has on their servers: by a click alone, as they see who asks. */
async function loadAway() {
  const list = awayOnes();
  const loading = list.map((asset) => assets.fetch(asset));
  // The button is gone now.
  show();
  keepKeys();
  await Promise.all(loading);
  show();
  keepKeys();
  const failed = list.filter((asset) => asset.state === "failed");
  tell(failed.length ? `${failed[0].title} is not shown: ${failed[0].why}.` : `${counted(list.length, "sticker is", "stickers are")} loaded.`,
    { isTrouble: failed.length > 0 });
}

const isOtherShape = (one, other) => Math.abs(one.width / one.height / (other.width / other.height) - 1) > 0.01;

function report(title, lines) {
  if (!lines.length) return;
  page("report-title").textContent = title;
  page("report-lines").replaceChildren(...lines.map((line) => make("li", { dir: "auto" }, line)));
  if (!page("report").open) page("report").showModal();
}

// Saving

let lastSaved = composition.state;
const stem = () => {
  const name = composition.picture?.name.replace(/\.[^.]*$/, "") ?? "";
  return name.replace(/[^\p{L}\p{N} _-]+/gu, "_").slice(0, 80) || "stickers";
};

async function png() {
  await Promise.all(composition.layers.map((layer) => assets.get(layer.identifier)?.done));
  return saved(composition, assets);
}

/** The composition as IMG.LY's editors read it. */
async function imgly() {
  const used = [...new Set(composition.layers.filter((layer) => !layer.kept).map((layer) => layer.identifier))];
  const notes = [];
  const embedded = [];
  for (const asset of used.map((identifier) => assets.get(identifier))) {
    await asset?.done;
    if (asset?.brought && !asset.still) {
      embedded.push(asset.brought);
      if (!asset.brought.raster) notes.push(`${asset.title} is in the file only by its address.`);
      continue;
    }
    if (!asset || asset.origin === "library") continue;
    const entry = { identifier: asset.identifier, name: asset.title, type: asset.origin };
    if (asset.still) {
      const bytes = await embeddable(asset);
      entry.raster = { data: await base64Of(bytes) };
      if (asset.animated && bytes !== asset.blob) {
        notes.push(`${asset.title} is in the file as its first frame, because editors read no animated WebP.`);
      }
    } else notes.push(`${asset.title} is in the file by its address, because its bytes cannot be read.`);
    const url = asset.url ?? asset.brought?.url;
    if (url && asset.origin === "foreign") entry.url = url;
    if (asset.attribution) entry.attribution = asset.attribution;
    embedded.push(entry);
  }
  return { content: written(composition.state, composition, embedded, setting.version), notes };
}

/** Saves while nothing else is saved. */
async function save(what) {
  if (save.isBusy) return;
  save.isBusy = true;
  document.body.ariaBusy = "true";
  try {
    if (what === "png") {
      const { blob, width, height, notes } = await png();
      lastSaved = composition.state;
      download(blob, `${stem()}.png`);
      tell(`Saved as PNG, ${width} × ${height}.`);
      report("Saved as PNG", notes);
    } else {
      const { content, notes } = await imgly();
      lastSaved = composition.state;
      download(new Blob([JSON.stringify(content, null, 2)], { type: "application/json" }), `${stem()}.imgly.json`);
      tell("Saved for IMG.LY. Its editors and this page open the file; the picture is not in it.");
      report("Saved for IMG.LY's editors", notes);
    }
  } catch (error) {
    tellTrouble(error);
  } finally {
    save.isBusy = false;
    document.body.ariaBusy = "false";
  }
}

// The app around this page

let doing = Promise.resolve();
/** Whose stickers the last message that said so wants open. */
let wantedToken;

/** Does one thing after the other. Who is there is taken over at once, so that nobody who has signed out comes back. */
function receive(type, message) {
  const { key, token: given } = type === "load" ? message : {};
  // An app that hands over no text has nobody's token.
  const token = given === undefined || (typeof given === "string" && given !== "") ? given : null;
  if (typeof key === "string" && key) {
    access.key = key;
    page("key-form").hidden = true;
    library.start();
  }
  const says = token !== undefined;
  let opening;
  if (says) {
    wantedToken = token;
    if (token === null) personal.leave();
    else opening = personal.use(token, { isQuiet: true });
  }
  const { who } = personal;
  // Nobody stays nobody, however often that is said.
  const isLeft = token === null ? () => wantedToken !== null : () => who !== personal.who;
  doing = doing.then(() => follow(type, message, { opening, says, isLeft }));
  return doing;
}

async function follow(type, message, visit) {
  try {
    if (type === "load") await loadFor(message, visit);
    else if (type === "export") await exportFor(message);
    else throw new Refused(`stickerd.${type.slice(0, 40)} is not known`, "send stickerd.load or stickerd.export");
  } catch (error) {
    bridge.send("error", { id: message.id, message: String(error.message ?? error), remedy: error.remedy ?? "" });
  } finally {
    // Anything still taken over for whoever has left opens to nobody else.
    if (visit.isLeft()) assets.closePersonal();
  }
}

const left = () => new Refused("another token came meanwhile", "send the rest again if it is still wanted");

/** Takes over what an app hands over: a picture, a composition, a sticker; any of them. `says` is whether the message said
 * whose it is; `isLeft` tells whether whoever was there when it came has left. */
async function loadFor({ id, picture, name, composition: content, sticker }, { opening, says, isLeft }) {
  const refused = await opening;
  if (says && isLeft()) throw left();
  // Of a message that cannot be followed nothing else happens.
  const blob = isGiven(picture) ? blobFrom(picture) : null;
  const found = isGiven(content) ? read(typeof content === "string" ? parsed(content) : content) : null;
  const handed = isGiven(sticker) ? await handedOver(sticker) : null;
  if ((says || handed) && isLeft()) throw left();
  if (blob) await usePicture(blob, typeof name === "string" ? name.slice(0, 200) : "picture");
  const { notes, missing } = found ? await openComposition(found) : { notes: [], missing: [] };
  if (isGiven(sticker) && sticker !== "") {
    if (handed && isLeft()) throw left();
    const asset = handed?.() ?? await assets.find(sticker);
    await asset.done;
    if ((handed || asset.isClosed) && isLeft()) throw left();
    if (!await place(asset)) {
      notes.push(`“${asset.title}” is not placed: ${asset.why ?? `${limits.layersMax} stickers are on the picture`}.`);
      missing.push(asset.identifier);
    }
  }
  if (refused) notes.unshift(refused);
  const { width, height, layers } = composition;
  bridge.send("loaded", { id, notes, missing, width, height, layers: layers.length });
}

const isGiven = (value) => value !== undefined && value !== null;

function blobFrom(picture, what = "the picture", bytesMax = limits.pictureBytesMax) {
  const tooLarge = () => new Refused(`${what} is too large`, `at most ${bytesMax / 1e6} MB are read`);
  if (typeof picture === "string") {
    const text = picture.replace(/^data:[^,]*;base64,/, "");
    if (text.length > bytesMax * 4 / 3 + 4) throw tooLarge();
    return bytesOf(text, what);
  }
  const isBytes = picture instanceof ArrayBuffer || ArrayBuffer.isView(picture);
  if (!isBytes && !(picture instanceof Blob)) {
    throw new Refused(`${what} is neither a Blob, an ArrayBuffer nor base64`, "send one of them as picture");
  }
  if ((isBytes ? picture.byteLength : picture.size) > bytesMax) throw tooLarge();
  return isBytes ? new Blob([picture]) : picture;
}

/** Answers with a function that makes a sticker of the bytes or the address that an app hands over, or of the id of one's
 * own; with `null` if it names one of the library. */
async function handedOver(sticker) {
  if (typeof sticker === "string") {
    const { who, reader } = personal;
    const entry = await personal.entry(sticker);
    if (entry && entry.state !== "ready") {
      throw new Refused(
        entry.state === "waiting" ? "the sticker is being made" : `the sticker was refused: ${entry.error ?? "unknown reason"}`,
        entry.remedy ?? "send its id again in a few seconds");
    }
    return entry && (() => {
      if (who !== personal.who) throw left();
      return ownOf(entry, reader);
    });
  }
  const { identifier, name, picture, url } = sticker;
  const hasNoName = identifier !== undefined && !/^[\w.-]{1,100}$/.test(identifier);
  if (hasNoName) throw new Refused("the sticker's identifier is invalid", "send 1 to 100 of A-Z, a-z, 0-9, _, . and -");
  const content = isGiven(picture)
    ? { blob: blobFrom(picture, "the sticker", limits.stickerBytesMax) } : { url: addressFrom(url) };
  return () => assets.fromApp({ identifier, title: typeof name === "string" ? name.slice(0, 200) : undefined, ...content });
}

/** Only what the page may ask: servers of others are in its policy, or answer nothing here. */
function addressFrom(url) {
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  const isOpen = address && [location.origin, ...setting.origins].includes(address.origin);
  if (isOpen || address?.protocol === "https:") return address.href;
  throw new Refused("the sticker has neither a picture nor an https address as url", "send one of them");
}

async function exportFor({ id, format = "png" }) {
  if (!["png", "imgly", "both"].includes(format)) {
    throw new Refused(`the format ${String(format).slice(0, 40)} is not known`, "ask for png, imgly or both");
  }
  const answer = { id, format, notes: [] };
  if (format !== "imgly") {
    const { blob, width, height, notes } = await png();
    Object.assign(answer, { width, height, picture: bridge.isNative ? await base64Of(blob) : blob });
    answer.notes.push(...notes);
  }
  if (format !== "png") {
    const { content, notes } = await imgly();
    answer.composition = content;
    answer.notes.push(...notes);
  }
  bridge.send("exported", answer);
}

// Beginning

let telling;
composition.addEventListener("change", () => {
  show();
  // A finger that moves is told of when it rests.
  clearTimeout(telling);
  telling = setTimeout(() => bridge.send("changed", {
    layers: composition.layers.length, canUndo: composition.canUndo, canRedo: composition.canRedo,
  }), 150);
});
composition.addEventListener("select", show);
document.addEventListener("keydown", press);
page("undo").addEventListener("click", undo);
page("redo").addEventListener("click", redo);
page("save-png").addEventListener("click", () => save("png"));
page("save-imgly").addEventListener("click", () => save("imgly"));
page("send").addEventListener("click", () => receive("export", { format: "both" }));
page("imgly-help").addEventListener("click", () => {
  page("imgly-note").hidden = !page("imgly-note").hidden;
  page("imgly-help").ariaExpanded = String(!page("imgly-note").hidden);
});
page("hint-close").addEventListener("click", () => {
  isHintDismissed = true;
  show();
  keepKeys();
});
page("snap").addEventListener("click", () => {
  stage.snaps = !stage.snaps;
  page("snap").ariaPressed = String(stage.snaps);
  tell(stage.snaps ? "Stickers snap to the middle, the edges and every 45°." : "Stickers go where you put them.");
});
page("frame-remove").addEventListener("click", () => act("remove"));
page("controls").addEventListener("click", (event) => {
  const name = event.target.closest("[data-do]")?.dataset.do;
  if (name) act(name, event.shiftKey);
});
page("views").addEventListener("click", (event) => {
  const name = event.target.closest("button")?.dataset.view;
  if (name) showView(name);
});

/** A field for one figure of the chosen sticker. */
function field(id, event, change) {
  page(id).addEventListener(event, () => {
    const layer = composition.layer;
    const value = Number(page(id).value);
    if (!layer || layer.kept) return;
    if (page(id).value === "" || !Number.isFinite(value)) return showAdjust();
    change(layer, value, `field ${id}`);
    if (event === "change") say(composition.layer);
  });
}
field("field-x", "change", ({ key, position }, value, merge) => composition.place(key, value / 100, position.y, merge));
field("field-y", "change", ({ key, position }, value, merge) => composition.place(key, position.x, value / 100, merge));
field("field-size", "change", ({ key, dimensions }, value, merge) => {
  if (value > 0) composition.resize(key, value / 100 / Math.max(dimensions.x, dimensions.y), merge);
  showAdjust();
});
field("field-rotation", "change", ({ key }, value, merge) => composition.rotate(key, value * degree, merge));
field("field-alpha", "input", ({ key }, value, merge) => composition.alter(key, () => ({ alpha: value / 100 }), merge));
for (const name of Object.keys(noAdjustments)) {
  field(`field-${name}`, "input", ({ key }, value, merge) => composition.alter(
    key, ({ adjustments }) => ({ adjustments: { ...adjustments, [name]: value / 100 } }), merge));
}
for (const id of ["field-tint", "field-color"]) {
  page(id).addEventListener(id === "field-tint" ? "change" : "input", () => {
    const layer = composition.layer;
    if (!layer || layer.kept) return;
    const tintMode = page("field-tint").value;
    const rgba = tintMode === "none" ? layer.tintColor.rgba : [...colorOf(page("field-color").value), 1];
    composition.alter(layer.key, () => ({ tintMode, tintColor: { rgba, srgba: rgba } }), `field ${id}`);
    if (id === "field-tint") tell(`${titleOf(layer)}: tint ${tintMode}.`);
  });
}

page("choose").addEventListener("click", () => page("picture-file").click());
page("open").addEventListener("click", () => page("composition-file").click());
page("hint-choose").addEventListener("click", () => page("picture-file").click());
for (const id of ["picture-file", "composition-file"]) {
  page(id).addEventListener("change", async () => {
    const [file] = page(id).files;
    page(id).value = "";
    if (file) await handOver(file);
  });
}
async function handOver(file) {
  try {
    const { notes } = await useFile(file);
    report("Opened", notes ?? []);
  } catch (error) {
    tellTrouble(error);
  }
}
page("clear-picture").addEventListener("click", () => {
  composition.set({ picture: null });
  tell("The picture is removed. Undo brings it back.");
});
for (const id of ["canvas-width", "canvas-height", "canvas-ground", "canvas-color"]) {
  page(id).addEventListener("change", () => {
    const side = (name) => Math.min(8192, Math.max(16, Math.round(Number(page(name).value)) || 1080));
    const color = page("canvas-ground").value ? page("canvas-color").value : null;
    composition.set({ canvas: { width: side("canvas-width"), height: side("canvas-height"), color } }, { merge: "canvas" });
  });
}

addEventListener("paste", (event) => {
  const file = [...event.clipboardData?.files ?? []][0];
  if (!file || event.target.matches?.("input")) return;
  event.preventDefault();
  handOver(file);
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  page("drop").hidden = !event.dataTransfer?.types.includes("Files");
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) page("drop").hidden = true; });
addEventListener("drop", (event) => {
  event.preventDefault();
  page("drop").hidden = true;
  const file = event.dataTransfer?.files[0];
  if (file) handOver(file);
});
// What is on the picture is nowhere else.
addEventListener("beforeunload", (event) => {
  if (composition.state !== lastSaved && !bridge.isThere) event.preventDefault();
});

access.onLack = () => {
  page("key-note").textContent = access.key
    ? "This key does not open the stickers. Ask for another one."
    : "These stickers open with a key. The operator of this page can give you one.";
  page("key-form").hidden = false;
};
page("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  access.key = page("key").value.trim();
  page("key-form").hidden = true;
  library.start();
});
if (access.key) page("back").href = `./?${new URLSearchParams({ api_key: access.key })}`;

async function placeWanted() {
  const wanted = new URLSearchParams(location.search).get("sticker");
  if (!wanted) return;
  const asset = await assets.find(wanted);
  await place(asset);
}

if (hasRoom.matches) showView("picture");
hasRoom.addEventListener("change", () => {
  if (hasRoom.matches && document.body.dataset.view === "find") showView("adjust");
});
page("send").hidden = !bridge.isThere;
if (bridge.isThere) {
  page("back").hidden = true;
  page("save-png").classList.remove("main");
  for (const id of ["save-png", "save-imgly", "imgly-help"]) page(id).hidden = bridge.isNative;
}
for (const element of document.querySelectorAll("[data-icon]")) element.prepend(icon(element.dataset.icon));
show();
if (setting.hasPersonal) personal.start();
library.start();
placeWanted().catch(tellTrouble);
bridge.send("ready");
