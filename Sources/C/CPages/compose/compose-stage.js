// The picture with its stickers, under fingers, mouse and keys.

import { canvasOf, drawable, isRecolored } from "./compose-assets.js";
import { normal, resized } from "./compose-model.js";
import { tell } from "./compose-page.js";
import { workCopy } from "./compose-picture.js";
import { make, page } from "./elements.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const degrees = (angle) => Math.round(normal(angle) * 180 / Math.PI) % 360;
/** Within these distances a sticker that is dragged or turned snaps: in pixels of the screen, and in radians. */
const near = { pixels: 8, angle: 3 * Math.PI / 180 };
const percent = (part) => `${Math.round(part * 100)} %`;

/** What a screen reader says of a layer's place. */
export const placeOf = ({ position, dimensions, rotation }) => [
  `${percent(position.x)} from the left`, `${percent(position.y)} from the top`,
  `size ${percent(Math.max(dimensions.x, dimensions.y))}`, `turned by ${degrees(rotation)}°`,
].join(", ");

export class Stage {
  /** Whether stickers snap to the middle, the edges, and multiples of 45°. */
  snaps = true;
  #composition;
  #assets;
  #elements = new Map();
  #shownPicture = undefined;
  #scale = 1;
  #gesture = null;
  #pointers = new Map();
  #wheelRests;

  constructor(composition, assets) {
    this.#composition = composition;
    this.#assets = assets;
    new ResizeObserver(() => this.show()).observe(page("stage"));
    const stage = page("stage");
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    for (const type of ["pointermove", "pointerup", "pointercancel"]) {
      stage.addEventListener(type, (event) => type === "pointermove" ? this.#move(event) : this.#up(event));
    }
    // Wheels turn and scale what is chosen; the page itself does not scroll there.
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    page("board").addEventListener("focusin", (event) => {
      const key = Number(event.target.closest?.(".layer")?.dataset.key);
      if (key) composition.select(key);
    });
  }

  /** Gives the keys to a layer. */
  focus(key) { this.#elements.get(key)?.focus({ preventScroll: true }); }

  /** Shows the state. */
  show() {
    const { width, height } = this.#composition;
    const stage = page("stage");
    const room = { width: stage.clientWidth - 24, height: stage.clientHeight - 24 };
    this.#scale = Math.max(0.001, Math.min(room.width / width, room.height / height));
    const board = page("board");
    board.style.width = `${Math.round(width * this.#scale)}px`;
    board.style.height = `${Math.round(height * this.#scale)}px`;
    this.#showGround();
    this.#showLayers();
    this.#showFrame();
  }

  async #showGround() {
    const { picture, canvas } = this.#composition;
    const ground = page("ground");
    page("board").classList.toggle("bare", !picture && !canvas.color);
    ground.style.backgroundColor = picture ? "" : canvas.color ?? "";
    if (picture === this.#shownPicture) return;
    this.#shownPicture = picture;
    const copy = picture && await workCopy(picture).catch(() => null);
    if (picture !== this.#shownPicture) return;
    ground.replaceChildren(...(copy ? [copy] : []));
    copy?.setAttribute("aria-hidden", "true");
  }

  #showLayers() {
    const { layers, selected } = this.#composition;
    const list = page("layers-on-board");
    for (const [key, element] of this.#elements) {
      if (this.#composition.layerWith(key)) continue;
      element.remove();
      this.#elements.delete(key);
    }
    layers.forEach((layer, index) => {
      const element = this.#elements.get(layer.key) ?? this.#element(layer);
      this.#dress(element, layer, index);
      element.classList.toggle("selected", layer.key === selected);
    });
    // The tabulator goes from the bottom up, and moving an element takes the keys from it.
    const wanted = layers.map((layer) => this.#elements.get(layer.key));
    if (wanted.some((element, index) => list.children[index] !== element)) {
      const focused = document.activeElement;
      list.replaceChildren(...wanted);
      if (list.contains(focused)) focused.focus({ preventScroll: true });
    }
  }

  #element(layer) {
    const element = make("div", { class: "layer", role: "button", tabindex: "0", "data-key": layer.key });
    element.ariaRoleDescription = "sticker";
    this.#elements.set(layer.key, element);
    return element;
  }

  #dress(element, layer, index) {
    const asset = this.#assets.get(layer.identifier);
    const side = Math.min(this.#composition.width, this.#composition.height) * this.#scale;
    const style = element.style;
    element.hidden = Boolean(layer.kept);
    style.width = `${layer.dimensions.x * side}px`;
    style.height = `${layer.dimensions.y * side}px`;
    style.left = `${layer.position.x * 100}%`;
    style.top = `${layer.position.y * 100}%`;
    style.transform = `translate(-50%, -50%) rotate(${layer.rotation}rad)`;
    const title = this.#assets.titleOf(layer.identifier);
    element.ariaPressed = String(layer.key === this.#composition.selected);
    element.ariaLabel = `${title}, ${index + 1} of ${this.#composition.layers.length}, ${placeOf(layer)}`;
    const content = JSON.stringify([asset?.state, asset?.animated, layer.tintMode, layer.tintColor.rgba, layer.adjustments]);
    if (element.dataset.content !== content) {
      element.dataset.content = content;
      element.replaceChildren(this.#content(layer, asset, title));
    }
    const shown = element.firstChild;
    shown.style.opacity = asset?.show ? layer.alpha : 1;
    shown.style.transform = asset?.show
      ? `scale(${layer.flipHorizontally ? -1 : 1}, ${layer.flipVertically ? -1 : 1})` : "";
  }

  #content(layer, asset, title) {
    if (asset?.state === "ready" && isRecolored(layer, asset)) return drawable(layer, asset);
    if (asset?.still && asset.animated && calm.matches) return copyOf(asset.still);
    if (asset?.show && asset.state !== "failed") return make("img", { src: asset.show, alt: "", draggable: "false" });
    const words = !asset || asset.state === "loading" ? "…" : `${title}: ${asset.state === "gone" ? "gone" : "not loaded"}`;
    return make("span", { class: "placeholder", dir: "auto" }, words);
  }

  /** The frame around what is chosen, with its handles. */
  #showFrame() {
    const layer = this.#composition.layer;
    const frame = page("frame");
    frame.hidden = !layer || Boolean(layer.kept);
    if (frame.hidden) return;
    const from = this.#elements.get(layer.key).style;
    for (const name of ["width", "height", "left", "top", "transform"]) frame.style[name] = from[name];
    // A finger finds the sticker between its handles, however small it is.
    const out = Math.max(0, (96 - Math.min(parseFloat(from.width), parseFloat(from.height))) / 2);
    frame.style.setProperty("--out", `${out}px`);
    page("frame-remove").style.rotate = `${-layer.rotation}rad`;
  }

  // Fingers and mouse

  #point(event) {
    const box = page("board").getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  }

  /** In pixels of the picture on the screen, so that angles are right. */
  #pixel(event) {
    const box = page("board").getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.#pointers.set(event.pointerId, this.#pixel(event));
    const handle = event.target.closest("[data-handle]")?.dataset.handle;
    const target = event.target.closest(".layer");
    if (this.#pointers.size === 2 && this.#composition.layer) {
      event.preventDefault();
      return this.#begin("pinch", event);
    }
    if (this.#pointers.size > 1) return;
    if (handle === "remove") return;
    if (handle) {
      event.preventDefault();
      return this.#begin(handle, event);
    }
    if (!target) {
      // The second finger may come down beside a sticker; one that taps there lets go of it.
      this.#gesture = { kind: "tap", moved: false };
      return;
    }
    event.preventDefault();
    target.focus({ preventScroll: true });
    this.#composition.select(Number(target.dataset.key));
    this.#begin("drag", event);
  }

  #begin(kind, event) {
    const layer = this.#composition.layer;
    if (!layer || layer.kept) return;
    page("stage").setPointerCapture(event.pointerId);
    this.#composition.closeStep();
    this.#gesture = {
      kind, layer, start: this.#point(event), before: this.#measure(kind, layer), moved: false,
      id: `${kind} ${performance.now()}`,
    };
    page("stage").classList.add("busy");
  }

  /** Length and angle from the middle of the sticker to a finger, or between two fingers. */
  #measure(kind, layer) {
    const points = [...this.#pointers.values()];
    const box = page("board").getBoundingClientRect();
    const from = kind === "pinch" ? points[0] : { x: layer.position.x * box.width, y: layer.position.y * box.height };
    const to = kind === "pinch" ? points[1] : points[0];
    const [x, y] = [to.x - from.x, to.y - from.y];
    const middle = kind === "pinch" ? { x: (from.x + to.x) / 2 / box.width, y: (from.y + to.y) / 2 / box.height } : null;
    return { length: Math.max(1, Math.hypot(x, y)), angle: Math.atan2(y, x), middle };
  }

  #move(event) {
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, this.#pixel(event));
    const gesture = this.#gesture;
    if (!gesture || ["tap", "rest"].includes(gesture.kind)) return;
    if (gesture.kind === "pinch" && this.#pointers.size < 2) return;
    gesture.moved = true;
    const { layer } = gesture;
    const snaps = this.snaps && !event.altKey;
    if (gesture.kind === "drag") {
      const now = this.#point(event);
      const x = layer.position.x + now.x - gesture.start.x;
      const y = layer.position.y + now.y - gesture.start.y;
      const spot = snaps ? this.#snapped(layer, x, y) : { x: { at: x }, y: { at: y } };
      this.#composition.place(layer.key, spot.x.at, spot.y.at, gesture.id);
      this.#showGuides(spot.x.line, spot.y.line);
      return;
    }
    const now = this.#measure(gesture.kind, layer);
    let rotation = normal(layer.rotation + now.angle - gesture.before.angle);
    if (event.shiftKey) rotation = rounded(rotation, Math.PI / 12);
    else if (snaps && Math.abs(rotation - rounded(rotation, Math.PI / 4)) <= near.angle) {
      rotation = normal(rounded(rotation, Math.PI / 4));
    }
    const factor = now.length / gesture.before.length;
    this.#composition.alter(layer.key, () => ({
      rotation: gesture.kind === "scale" && event.altKey ? layer.rotation : rotation,
      dimensions: gesture.kind === "rotate" ? layer.dimensions : resized(layer.dimensions, factor),
      position: gesture.kind === "pinch" ? moved(layer.position, gesture.before.middle, now.middle) : layer.position,
    }), gesture.id);
  }

  /** The position to which a layer snaps, for each axis with the guide line to show, or the given one if nothing is near.
   * Its middle snaps to that of the picture, its box, as it is turned, to the edges. */
  #snapped({ dimensions, rotation }, x, y) {
    const { width, height } = this.#composition;
    const box = page("board").getBoundingClientRect();
    const side = Math.min(width, height);
    const [across, down] = [Math.abs(Math.cos(rotation)), Math.abs(Math.sin(rotation))];
    const halfX = (dimensions.x * across + dimensions.y * down) * side / width / 2;
    const halfY = (dimensions.x * down + dimensions.y * across) * side / height / 2;
    const nearest = (at, half, length) => {
      const spots = [{ at: 0.5, line: 0.5 }, { at: half, line: 0 }, { at: 1 - half, line: 1 }];
      const away = (spot) => Math.abs(spot.at - at) * length;
      const [spot] = spots.filter(({ at }) => at >= 0 && at <= 1).sort((one, other) => away(one) - away(other));
      return away(spot) <= near.pixels ? spot : { at };
    };
    return { x: nearest(x, halfX, box.width), y: nearest(y, halfY, box.height) };
  }

  #showGuides(x, y) {
    for (const [id, side, at] of [["guide-x", "left", x], ["guide-y", "top", y]]) {
      page(id).hidden = at === undefined;
      if (at !== undefined) page(id).style[side] = `${at * 100}%`;
    }
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    const gesture = this.#gesture;
    if (gesture?.kind === "tap" && event.type === "pointerup") this.#composition.select(null);
    if (gesture?.kind === "pinch" && this.#pointers.size === 1) {
      // The finger that stays is no drag: it would move what two fingers have just placed.
      this.#gesture = { ...gesture, kind: "rest" };
      return;
    }
    if (this.#pointers.size) return;
    if (gesture?.moved) this.#tell(gesture.layer);
    this.#gesture = null;
    this.#showGuides();
    this.#composition.closeStep();
    page("stage").classList.remove("busy");
  }

  #wheel(event) {
    const layer = this.#composition.layer;
    if (!layer || layer.kept || event.ctrlKey) return;
    event.preventDefault();
    const amount = Math.max(-1, Math.min(1, event.deltaY / 100));
    if (event.shiftKey || event.altKey) {
      this.#composition.rotate(layer.key, layer.rotation + amount * Math.PI / 36, "wheel turns");
    } else {
      this.#composition.resize(layer.key, 1.08 ** -amount, "wheel scales");
    }
    clearTimeout(this.#wheelRests);
    this.#wheelRests = setTimeout(() => this.#tell(layer), 300);
  }

  /** Says where a layer is now. */
  #tell(layer) {
    const now = this.#composition.layerWith(layer.key);
    if (now) tell(`${this.#assets.titleOf(now.identifier)}: ${placeOf(now)}.`);
  }
}

function copyOf(still) {
  const canvas = canvasOf(still.width, still.height);
  canvas.getContext("2d").drawImage(still, 0, 0);
  return canvas;
}

const rounded = (value, step) => Math.round(value / step) * step;

const moved = (position, from, to) => {
  const keep = (value) => Math.min(1, Math.max(0, value));
  return { x: keep(position.x + to.x - from.x), y: keep(position.y + to.y - from.y) };
};
