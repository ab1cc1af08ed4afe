import { limits } from "./compose-page.js";

/** What stands in a file for no colour. */
export const noTint = Object.freeze({ rgba: [0, 0, 0, 0], srgba: [0, 0, 0, 0] });

export const noAdjustments = Object.freeze({ brightness: 0, contrast: 0, saturation: 0 });

/** A sticker on the picture. It is never changed: what differs is another one with the same key.
 *
 * Positions are those of its middle, as parts of width and height of the picture; dimensions are parts of its smaller side;
 * the rotation is in radians, clockwise. Flips come before the rotation. `kept` is what a file said that this page does not
 * show: it is written back as it was. */
export function layerOf(identifier, values = {}) {
  return Object.freeze({
    key: nextKey++, identifier, position: { x: 0.5, y: 0.5 }, dimensions: { x: 0.4, y: 0.4 }, rotation: 0,
    flipHorizontally: false, flipVertically: false, alpha: 1, tintMode: "none", tintColor: noTint,
    adjustments: noAdjustments, more: {}, kept: null, ...values,
  });
}
let nextKey = 1;

/** Brightness, contrast and saturation that a layer is drawn with, from -1 to 1. A file may hold other values, which are
 * kept. */
export function lightOf({ adjustments }) {
  const part = (name) => Number.isFinite(adjustments[name]) ? within(adjustments[name], -1, 1) : 0;
  return { brightness: part("brightness"), contrast: part("contrast"), saturation: part("saturation") };
}

/** Whether brightness, contrast or saturation change how a layer is drawn. */
export const hasLight = (layer) => Object.values(lightOf(layer)).some((part) => part !== 0);

const within = (value, from, to) => Math.min(to, Math.max(from, value));
const turn = 2 * Math.PI;
export const normal = (angle) => ((angle % turn) + turn) % turn;

/** What lies on what, and how it came to be. */
export class Composition extends EventTarget {
  /** The state: layers from the bottom up, the picture or none, the canvas without one, and what a file said besides. */
  #state = Object.freeze({
    layers: [], picture: null, canvas: { width: 1080, height: 1080, color: null }, rest: null,
  });
  #past = [];
  #future = [];
  #merge = { name: null, at: 0 };
  selected = null;

  get state() { return this.#state; }
  get layers() { return this.#state.layers; }
  get picture() { return this.#state.picture; }
  get canvas() { return this.#state.canvas; }
  get width() { return this.picture?.width ?? this.canvas.width; }
  get height() { return this.picture?.height ?? this.canvas.height; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }
  get layer() { return this.layers.find((layer) => layer.key === this.selected) ?? null; }

  layerWith(key) { return this.layers.find((layer) => layer.key === key); }

  /** Goes on to another state. Steps with one name that follow each other at once are one step to undo. */
  set(part, { merge = null } = {}) {
    const now = performance.now();
    const isSame = merge !== null && merge === this.#merge.name && now - this.#merge.at < 1000;
    if (!isSame) {
      this.#past.push(this.#state);
      if (this.#past.length > limits.stepsMax) this.#past.shift();
    }
    this.#merge = { name: merge, at: now };
    this.#future = [];
    this.#state = Object.freeze({ ...this.#state, ...part });
    this.#changed();
  }

  /** What happens while a finger moves is one step, however long that takes. */
  closeStep() { this.#merge = { name: null, at: 0 }; }

  undo() { return this.#go(this.#past, this.#future); }
  redo() { return this.#go(this.#future, this.#past); }

  #go(from, to) {
    const state = from.pop();
    if (!state) return false;
    to.push(this.#state);
    this.#state = state;
    this.closeStep();
    this.#changed();
    return true;
  }

  #changed() {
    if (!this.layer) this.selected = null;
    this.dispatchEvent(new Event("change"));
  }

  select(key) {
    const isOther = this.selected !== key;
    this.selected = key;
    if (isOther) {
      this.closeStep();
      this.dispatchEvent(new Event("select"));
    }
  }

  add(layer) {
    this.set({ layers: [...this.layers, layer] });
    this.select(layer.key);
  }

  /** Changes one layer; `change` gets it and returns what is different. */
  alter(key, change, merge) {
    const layer = this.layerWith(key);
    if (!layer || layer.kept) return null;
    const altered = Object.freeze({ ...layer, ...change(layer) });
    this.set(
      { layers: this.layers.map((other) => other === layer ? altered : other) },
      { merge: merge && `${merge} ${key}` });
    return altered;
  }

  place(key, x, y, merge) {
    return this.alter(key, () => ({ position: { x: within(x, 0, 1), y: within(y, 0, 1) } }), merge);
  }

  /** The longer side decides, so that no side of a narrow sticker vanishes before. */
  resize(key, factor, merge) {
    return this.alter(key, ({ dimensions }) => ({ dimensions: resized(dimensions, factor) }), merge);
  }

  rotate(key, angle, merge) { return this.alter(key, () => ({ rotation: normal(angle) }), merge); }

  flip(key, axis) {
    const name = axis === "horizontal" ? "flipHorizontally" : "flipVertically";
    return this.alter(key, (layer) => ({ [name]: !layer[name] }));
  }

  remove(key) { this.set({ layers: this.layers.filter((layer) => layer.key !== key) }); }

  copy(key) {
    const layer = this.layerWith(key);
    if (!layer || layer.kept) return null;
    const { x, y } = layer.position;
    const { key: _, ...values } = layer;
    const position = { x: within(x + 0.05, 0, 1), y: within(y + 0.05, 0, 1) };
    const copy = layerOf(layer.identifier, { ...values, position });
    this.add(copy);
    return copy;
  }

  /** Moves a layer up or down by so many others; returns its place from the bottom, or `null` if it stays. */
  order(key, by) {
    const from = this.layers.findIndex((layer) => layer.key === key);
    const to = within(from + by, 0, this.layers.length - 1);
    if (from < 0 || from === to) return null;
    const layers = this.layers.filter((layer) => layer.key !== key);
    layers.splice(to, 0, this.layers[from]);
    this.set({ layers });
    return to;
  }
}

export function resized(dimensions, factor) {
  const longer = Math.max(dimensions.x, dimensions.y);
  const fair = within(longer * factor, limits.sizeMin, limits.sizeMax) / longer;
  return { x: dimensions.x * fair, y: dimensions.y * fair };
}
