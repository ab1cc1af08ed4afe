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

export const counted = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
