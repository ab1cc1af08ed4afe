// One's own stickers: all that this page knows of `/api/personal` is here.

import { ask, local, make, page, Refused, sentenceOf, tell, tellTrouble } from "./compose-page.js";

const place = "stickerd.token";
const waitSeconds = 1;
/** A sticker that is made takes seconds; nobody waits for it longer than that. */
const looksMax = 60;

export class Personal {
  title = "Custom";
  #token = null;
  #files = new Map();
  #looks = 0;
  #library;

  constructor(library) {
    this.#library = library;
    page("token-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.use(page("token").value.trim());
      page("token").value = "";
      page("token-dialog").close();
    });
    page("token-cancel").addEventListener("click", () => page("token-dialog").close());
    page("own").addEventListener("click", () => {
      if (this.isOpen) this.#library.choose("personal");
      else page("token-dialog").showModal();
    });
    page("own-add").addEventListener("click", () => page("own-file").click());
    page("own-file").addEventListener("change", () => this.#addAll([...page("own-file").files]));
    page("own-leave").addEventListener("click", () => this.leave());
  }

  get isOpen() { return this.#token !== null; }

  /** Offers the category; a token that was given to this tab before counts on. */
  start() {
    page("own").hidden = false;
    const token = stored();
    if (token) this.use(token, { isQuiet: true });
  }

  /** Opens the stickers of whoever has the token. */
  async use(token, { isQuiet = false } = {}) {
    if (!token) return;
    this.#token = token;
    try {
      const { category } = await this.#ask("personal");
      this.title = category?.title ?? this.title;
      store(token);
      this.#library.personal = this;
      page("own").hidden = false;
      this.#library.showTabs();
      if (!isQuiet) await this.#library.choose("personal");
    } catch (error) {
      this.#token = null;
      if (error.status === 404) page("own").hidden = true;
      store(null);
      tellTrouble(error.status === 404 ? new Refused("this server keeps no stickers of one's own") : error);
    }
  }

  leave() {
    store(null);
    this.#token = null;
    for (const url of this.#files.values()) URL.revokeObjectURL(url);
    this.#files.clear();
    this.#library.personal = null;
    this.#library.showTabs();
    this.#library.choose("");
    tell("Your stickers are closed here. Those on the picture stay.");
  }

  #ask(path, options = {}) {
    const headers = { ...options.headers, Authorization: `Bearer ${this.#token}` };
    return ask(path, {}, { ...options, headers, cache: "no-store" });
  }

  /** The bytes of a file that only its owner may read. */
  async bytes(url) {
    const response = await fetch(local(url), { headers: { Authorization: `Bearer ${this.#token}` } });
    if (!response.ok) throw new Refused(`your sticker was not handed out (${response.status})`, "open your stickers again");
    return response.blob();
  }

  /** The entries, as the panel shows them. */
  async entries() {
    const { stickers } = await this.#ask("personal");
    const entries = await Promise.all(stickers.map(async (entry, index) => ({
      ...entry, title: entry.title ?? `Your sticker ${index + 1}`, shown: await this.#thumbnail(entry),
    })));
    const isWaiting = entries.some((entry) => entry.state === "waiting");
    if (isWaiting && ++this.#looks < looksMax) {
      setTimeout(() => { if (this.#library.isPersonal) this.#library.reload(); }, waitSeconds * 1000);
    }
    if (!isWaiting) this.#looks = 0;
    return entries;
  }

  async #thumbnail(entry) {
    const url = entry.thumbnail ?? entry.url;
    if (entry.state !== "ready" || !url) return "_gallery/gallery.svg";
    if (!this.#files.has(url)) {
      // One that cannot be shown has its name, and says at picking why.
      const blob = await this.bytes(url).catch(() => null);
      if (!blob) return "_gallery/gallery.svg";
      this.#files.set(url, URL.createObjectURL(blob));
    }
    return this.#files.get(url);
  }

  /** What stands below an entry: how it is doing, and a way to be rid of it. */
  tools(entry) {
    const why = [entry.error, entry.remedy].filter(Boolean).join("; ") || "refused";
    const words = { waiting: "is being made", refused: `${entry.title}: ${why}` };
    return make("div", { class: "own" },
      make("span", { dir: "auto" }, words[entry.state] ?? entry.title),
      make("button", {
        type: "button", "aria-label": `Delete ${entry.title} from your stickers`, click: () => this.#remove(entry),
      }, "×"));
  }

  async #addAll(files) {
    page("own-file").value = "";
    for (const file of files) {
      try {
        const headers = { "Content-Type": file.type || "application/octet-stream" };
        await this.#ask("personal", { method: "POST", body: file, headers });
        this.#looks = 0;
        tell(`${file.name} is handed over.`);
      } catch (error) {
        tell(`${file.name}: ${sentenceOf(error)}`, { isTrouble: true });
      }
    }
    this.#library.reload();
  }

  async #remove(entry) {
    if (!confirm(`Delete “${entry.title}” from your stickers? Pictures that show it keep it.`)) return;
    try {
      await this.#ask(`personal/${encodeURIComponent(entry.id)}`, { method: "DELETE" });
      tell(`${entry.title} is deleted.`);
    } catch (error) {
      tellTrouble(error);
    }
    this.#library.reload();
  }
}

function stored() {
  try {
    return sessionStorage.getItem(place);
  } catch {
    return null;
  }
}

/** For this tab alone, and until it is closed. */
function store(token) {
  try {
    if (token) sessionStorage.setItem(place, token);
    else sessionStorage.removeItem(place);
  } catch {
    // A browser that stores nothing asks again.
  }
}
