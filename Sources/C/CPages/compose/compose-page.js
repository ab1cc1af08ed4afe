// Shared by all parts of this page: its settings, its limits, and the texts for screen readers.

import { make, page } from "./elements.js";
import { local, sentenceOf } from "./server.js";

const facts = document.documentElement.dataset;
/** The websites that may embed this page, and facts about the server. */
export const setting = {
  origins: (facts.origins ?? "").split(" ").filter(Boolean), hasPersonal: facts.personal === "yes",
  version: facts.version ?? "",
};

export const limits = {
  /** Stickers on one picture, and steps that can be undone. */
  layersMax: 100, stepsMax: 200,
  /** Width or height of a sticker, as a part of the smaller side of the picture. */
  sizeMin: 0.02, sizeMax: 4,
  pictureBytesMax: 100e6, picturePixelsMax: 120e6,
  /** What is shown and worked on has no longer side than this; what is saved is made of the picture itself. */
  workSideMax: 2048,
  /** What a saved picture has at most, and what it has in a browser that draws no more. */
  savedPixelsMax: 50e6, savedPixelsLess: 16e6, savedSideMax: 16384,
  compositionBytesMax: 50e6, stickerBytesMax: 10e6, stickerSideMax: 4096, stillSideMax: 2048,
};

/** An icon of the sprite in the page. */
export function icon(name) {
  const [svg, use] = ["svg", "use"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Whether a file lies on another server. */
export const isElsewhere = (url) => new URL(local(url), document.baseURI).origin !== location.origin;

/** Says what happened, to people who see and to those who listen. */
export function tell(words, { isTrouble = false } = {}) {
  const note = page("note");
  note.textContent = "";
  note.classList.toggle("trouble", isTrouble);
  // A screen reader tells the same words twice only if they were away.
  setTimeout(() => { note.textContent = words; }, 30);
}

export const tellTrouble = (error) => tell(sentenceOf(error), { isTrouble: true });

/** Hands a file to whoever sits before the screen. */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
