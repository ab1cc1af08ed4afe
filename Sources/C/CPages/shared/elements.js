// The elements of pages. Texts of stickers are only ever set as text, never as markup.

export const page = (id) => document.getElementById(id);

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

/** The source of a picture, as a link if it has one. */
export function attributionOf(attribution) {
  if (!attribution) return null;
  const { name, text = name, url } = typeof attribution === "string" ? { text: attribution } : attribution;
  if (typeof text !== "string" || !text) return null;
  if (!/^https:\/\//.test(url ?? "")) return make("span", { dir: "auto" }, text);
  return make("a", { href: url, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, text);
}

/** A title that is the name of a file, as words: `amc_GOPHER_KING` as `amc gopher king`, `happy-cat` as `happy cat`.
 * Others, as `T_T`, are shown as they are. */
export function asWords(title) {
  const parts = title.split("_").filter(Boolean);
  const isName = parts.length > 1 ? parts.every((part) => /^[\p{L}\p{N}-]+$/u.test(part)) : /^[a-z0-9]+(-[a-z0-9]+)+$/.test(title);
  if (!isName || !/\p{L}{3}/u.test(title)) return title;
  const words = title.split(/[_-]+/).filter(Boolean);
  return words.map((word) => word === word.toUpperCase() ? word.toLowerCase() : word).join(" ");
}

export const counted = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
