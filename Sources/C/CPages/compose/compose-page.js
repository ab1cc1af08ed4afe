// What all parts of this page share: elements, questions to the server, and what is said aloud.
// Texts of stickers are only ever set as text, never as markup.

export const page = (id) => document.getElementById(id);

const facts = document.documentElement.dataset;
const listed = (text) => (text ?? "").split(" ").filter(Boolean);
/** Where published files are found by others, whose pages may embed this one, and what this server is. */
export const setting = {
  bases: listed(facts.bases), origins: listed(facts.origins), hasPersonal: facts.personal === "yes",
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

/** What the server or a file does not allow, with what helps. */
export class Refused extends Error {
  constructor(message, remedy = "", status = 0, details = {}) {
    super(message);
    Object.assign(this, { remedy, status, details });
  }

  get sentence() {
    const parts = [this.message, this.remedy].filter(Boolean).map((part) => part.replace(/[.\s]+$/, ""));
    return parts.map((part) => part[0].toUpperCase() + part.slice(1) + ".").join(" ");
  }
}

export const sentenceOf = (error) => error instanceof Refused ? error.sentence : `That failed: ${error.message}.`;

/** An element; `attributes` may hold functions for events. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

export const counted = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

export const access = {
  key: new URLSearchParams(location.search).get("api_key"),
  /** Called if the server wants a key, or another one. */
  onLack() {},
};

/** An answer of this server, as an object. */
export async function ask(path, parameters = {}, options = {}) {
  const query = new URLSearchParams(parameters);
  if (access.key) query.set("api_key", access.key);
  const address = [`api/${path}`, String(query)].filter(Boolean).join("?");
  let response;
  // Nothing waits for ever for a server that is silent; pictures that are sent take their time.
  const ends = [options.signal, options.method === "POST" ? null : AbortSignal.timeout?.(30_000)].filter(Boolean);
  const signal = ends.length > 1 && AbortSignal.any ? AbortSignal.any(ends) : ends[0];
  try {
    response = await fetch(address, { ...options, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("the server does not answer", "try again in a moment");
  }
  if (!response.headers.get("Content-Type")?.startsWith("application/json")) {
    if (response.ok && response.status === 204) return {};
    throw new Refused(`the server is away (${response.status})`, "try again in a moment", response.status);
  }
  const body = await response.json();
  if (response.ok) return body;
  if (response.status === 401 && !options.headers?.Authorization) access.onLack();
  throw new Refused(body.error ?? "the server refuses that", body.remedy, response.status, body);
}

/** The address below this page of a file whose public address begins with one of the bases. */
export function local(url) {
  const base = setting.bases.find((base) => url.startsWith(base));
  return base ? `./${url.slice(base.length)}` : url;
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

/** Who a picture comes from, as a link if there is one. */
export function attributionOf(attribution) {
  if (!attribution) return null;
  const { name, text = name, url } = typeof attribution === "string" ? { text: attribution } : attribution;
  if (typeof text !== "string" || !text) return null;
  if (!/^https:\/\//.test(url ?? "")) return make("span", { dir: "auto" }, text);
  return make("a", { href: url, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, text);
}

/** Hands a file to whoever sits before the screen. */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
