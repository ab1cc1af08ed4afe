// One's own stickers: all that this page knows of `/api/personal` is here, and what was picked of others.

import { tell, tellTrouble } from "./compose-page.js";
import { make, page } from "./elements.js";
import { ask, local, Refused, sentenceOf } from "./server.js";

const place = "stickerd.token";
const waitSeconds = 1;
/** A sticker that is made takes seconds; nobody waits for it longer than that. */
const looksMax = 60;
const picksMax = 60;

export class Personal {
  title = "Custom";
  /** Whose stickers are open, from the token on: `token`, `end`, which stops what is asked for, `files`, what is shown, and
   * `isRefused`, whether they did not open. An answer after its end is dropped, as it is somebody else's by then. */
  #visit = null;
  /** Another object for everybody who is here, also without a token. */
  who = {};
  #looks = 0;
  /** The picks of other servers, by id, the last one last: in this page alone, and nothing is stored of it. */
  #picks = new Map();
  #library;
  #remembers;
  #onClose;

  /** `remembers` says whether this tab keeps the token that somebody types; one that an app hands over is never kept.
   * `onClose` is called when whoever was here has left. */
  constructor(library, { remembers, onClose }) {
    this.#onClose = onClose;
    this.#library = library;
    this.#remembers = remembers;
    page("token-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.use(page("token").value.trim(), { isTyped: true });
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

  get isOpen() { return this.#visit !== null && !this.#visit.isRefused; }

  /** Offers the category; a token that was typed in this tab before counts on. */
  start() {
    page("own").hidden = false;
    const token = this.#remembers && stored();
    if (token) this.use(token, { isQuiet: true, isTyped: true });
  }

  /** Opens the stickers of whoever has the token; answers with a sentence why not, if they stay closed. */
  use(token, { isQuiet = false, isTyped = false } = {}) {
    if (!token) return;
    const isSame = this.#visit?.token === token;
    if (isSame && this.isOpen) return this.#visit.opening;
    const isWanted = this.#library.isPersonal || !isQuiet;
    if (!isSame) {
      this.#close();
      this.#visit = { token, end: new AbortController(), files: new Map() };
    }
    const visit = this.#visit;
    visit.isRefused = false;
    visit.opening = this.#open(visit, { isWanted, isTyped });
    return visit.opening;
  }

  async #open(visit, { isWanted, isTyped }) {
    try {
      const { category } = await this.#ask(visit, "personal");
      if (this.#visit !== visit) return;
      this.title = category?.title ?? this.title;
      if (isTyped && this.#remembers) store(visit.token);
      page("own").hidden = false;
      this.#show();
      if (isWanted) this.#library.choose("personal");
    } catch (error) {
      if (this.#visit !== visit) return;
      visit.isRefused = true;
      if (error.status === 404) page("own").hidden = true;
      const trouble = error.status === 404 ? new Refused("this server keeps no stickers of users") : error;
      tellTrouble(trouble);
      return sentenceOf(trouble);
    }
  }

  #show() {
    this.#library.personal = this;
    page("own-add").hidden = !this.isOpen;
    this.#library.showTabs();
  }

  /** Lists a sticker of another server that was picked. */
  note(entry) {
    this.#picks.delete(entry.id);
    this.#picks.set(entry.id, entry);
    if (this.#picks.size > picksMax) this.#picks.delete(this.#picks.keys().next().value);
    this.#show();
  }

  leave() {
    const wasOpen = this.isOpen;
    this.#close();
    if (wasOpen) tell("Your stickers are closed here. Those on the picture stay.");
  }

  /** Nothing of whoever was here is shown, asked for or kept any more. */
  #close() {
    store(null);
    const visit = this.#visit;
    [this.#visit, this.who] = [null, {}];
    visit?.end.abort();
    for (const url of visit?.files.values() ?? []) URL.revokeObjectURL(url);
    this.#looks = 0;
    this.#picks.clear();
    if (this.#library.personal) this.#library.closePersonal();
    this.#onClose();
  }

  async #ask(visit, path, options = {}) {
    const headers = { ...options.headers, Authorization: `Bearer ${visit.token}` };
    const answer = await ask(path, {}, { ...options, headers, cache: "no-store", signal: visit.end.signal });
    visit.end.signal.throwIfAborted();
    return answer;
  }

  /** Reads files that only whoever is here now may read, and nobody who comes after. */
  get reader() {
    const visit = this.#visit;
    return (url) => fileOf(visit, url);
  }

  /** One's own sticker by its id; `null` if whoever is here has none of that id. */
  async entry(id) {
    const visit = this.#visit;
    if (!this.isOpen || !/^u[0-9a-f]{24}$/.test(id)) return null;
    try {
      return { title: "Your sticker", ...await this.#ask(visit, `personal/${id}`) };
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  /** The entries, as the panel shows them: those that the server keeps, and the last picks of others. */
  async entries() {
    const own = this.isOpen ? await this.#own() : [];
    return [...own, ...[...this.#picks.values()].reverse()];
  }

  async #own() {
    const visit = this.#visit;
    const { stickers } = await this.#ask(visit, "personal");
    const entries = await Promise.all(stickers.map(async (entry, index) => ({
      ...entry, title: entry.title ?? `Your sticker ${index + 1}`, shown: await shownOf(visit, entry),
    })));
    visit.end.signal.throwIfAborted();
    const isWaiting = entries.some((entry) => entry.state === "waiting");
    if (isWaiting && ++this.#looks < looksMax) {
      setTimeout(() => {
        if (this.#visit === visit && this.#library.isPersonal) this.#library.reload();
      }, waitSeconds * 1000);
    }
    if (!isWaiting) this.#looks = 0;
    return entries;
  }

  /** What stands below an entry: how it is doing, and a way to be rid of it. */
  tools(entry) {
    const isPick = entry.state === undefined;
    const why = [entry.error, entry.remedy].filter(Boolean).join("; ") || "refused";
    const words = { waiting: "is being made", refused: `${entry.title}: ${why}` };
    return make("div", { class: "own" },
      make("span", { dir: "auto" }, words[entry.state] ?? entry.title),
      make("button", {
        type: "button", "aria-label": `${isPick ? "Remove" : "Delete"} ${entry.title} from your stickers`,
        click: () => isPick ? this.#drop(entry) : this.#remove(entry),
      }, "×"));
  }

  async #addAll(files) {
    const visit = this.#visit;
    page("own-file").value = "";
    if (!this.isOpen) return;
    for (const file of files) {
      try {
        const headers = { "Content-Type": file.type || "application/octet-stream" };
        await this.#ask(visit, "personal", { method: "POST", body: file, headers });
        this.#looks = 0;
        tell(`${file.name} is uploaded.`);
      } catch (error) {
        if (this.#visit !== visit) return;
        tell(`${file.name}: ${sentenceOf(error)}`, { isTrouble: true });
      }
    }
    this.#library.reload();
  }

  #drop(entry) {
    this.#picks.delete(entry.id);
    this.#library.reload();
  }

  async #remove(entry) {
    if (!confirm(`Delete “${entry.title}” from your stickers? Pictures that show it keep it.`)) return;
    const visit = this.#visit;
    if (!visit) return;
    try {
      await this.#ask(visit, `personal/${encodeURIComponent(entry.id)}`, { method: "DELETE" });
      tell(`${entry.title} is deleted.`);
    } catch (error) {
      if (this.#visit !== visit) return;
      tellTrouble(error);
    }
    this.#library.reload();
  }
}

async function fileOf(visit, url) {
  try {
    visit.end.signal.throwIfAborted();
    const headers = { Authorization: `Bearer ${visit.token}` };
    const response = await fetch(local(url), { headers, signal: visit.end.signal });
    if (!response.ok) throw new Refused(`your sticker could not be loaded (${response.status})`, "open your stickers again");
    return await response.blob();
  } catch (error) {
    if (visit.end.signal.aborted) throw new Refused("your stickers were closed meanwhile", "open them again");
    throw error;
  }
}

/** An address that shows an entry. */
async function shownOf(visit, entry) {
  const url = entry.thumbnail ?? entry.url;
  if (entry.state !== "ready" || !url) return "_gallery/gallery.svg";
  if (!visit.files.has(url)) {
    // One that cannot be shown has its name, and says at picking why.
    const blob = await fileOf(visit, url).catch(() => null);
    if (!blob || visit.end.signal.aborted) return "_gallery/gallery.svg";
    visit.files.set(url, URL.createObjectURL(blob));
  }
  return visit.files.get(url);
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
