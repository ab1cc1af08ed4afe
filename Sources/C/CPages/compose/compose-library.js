// The panel in which stickers are found.

import { attributionOf, counted, make, page } from "./elements.js";
import { askForCategories, askForStickers, local, sentenceOf } from "./server.js";

const pageSize = 60;

export class Library {
  #onPick;
  #category = "";
  #query = "";
  #entries = [];
  #hasMore = false;
  /** Counts questions, so that an answer that is overtaken by another question is dropped. */
  #asked = 0;
  #categories = [];
  /** Shows the category of one's own stickers, if there is one. */
  personal = null;

  /** `onPick` gets the entry of a sticker that was chosen. */
  constructor(onPick) {
    this.#onPick = onPick;
    let pause;
    page("query").addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(() => this.#search(), 150);
    });
    page("query").addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      page("grid").querySelector("button")?.focus();
    });
    page("grid").addEventListener("keydown", (event) => this.#moveFocus(event, "grid"));
    page("tabs").addEventListener("keydown", (event) => this.#moveFocus(event, "tabs"));
    for (const list of ["grid", "tabs"]) {
      page(list).addEventListener("focusin", (event) => this.#rove(list, event.target.closest("button")));
    }
    page("more").addEventListener("click", () => this.#more());
    page("retry").addEventListener("click", () => this.start());
    new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.#more();
    }, { root: page("results"), rootMargin: "300px" }).observe(page("more"));
  }

  /** Asks for categories and stickers. */
  async start() {
    await Promise.all([this.#loadCategories(), this.#load()]);
  }

  async #loadCategories() {
    try {
      this.#categories = await askForCategories();
    } catch {
      // The list of stickers says what is wrong, with the same remedy.
    }
    this.showTabs();
  }

  showTabs() {
    const own = this.personal ? [{ id: "personal", title: this.personal.title }] : [];
    const tabs = [{ id: "", title: "Newest" }, ...own, ...this.#categories].map((category) => this.#tab(category));
    page("tabs").replaceChildren(...tabs);
    this.#markTab();
  }

  #tab(category) {
    const image = category.thumbnail ? [make("img", { src: local(category.thumbnail), alt: "", loading: "lazy" })] : [];
    return make("button", {
      type: "button", role: "tab", "data-id": category.id, "aria-controls": "results",
      click: () => this.choose(category.id),
    }, ...image, make("span", { dir: "auto" }, category.title));
  }

  #markTab() {
    const current = this.#query ? null : this.#category;
    let chosen = null;
    for (const tab of page("tabs").children) {
      const isCurrent = tab.dataset.id === current;
      tab.ariaSelected = String(isCurrent);
      tab.tabIndex = -1;
      if (isCurrent) chosen = tab;
    }
    (chosen ?? page("tabs").firstElementChild)?.setAttribute("tabindex", "0");
    chosen?.scrollIntoView({ block: "nearest", inline: "nearest" });
    page("results").ariaLabel = this.#query ? `Stickers for ${this.#query}` : chosen?.textContent ?? "Stickers";
  }

  /** Who the stickers that are shown come from, if not from this library. */
  #credit() {
    const category = this.#query ? null : this.#categories.find((category) => category.id === this.#category);
    const credits = [category, ...this.#entries].map((one) => one?.attribution).filter(Boolean);
    const different = [...new Map(credits.map((credit) => [JSON.stringify(credit), credit])).values()].slice(0, 5);
    page("attribution").replaceChildren(...different.map(attributionOf).filter(Boolean).flatMap((credit) => [credit, " "]));
  }

  choose(id) {
    [this.#category, this.#query] = [id, ""];
    page("query").value = "";
    this.#markTab();
    return this.#load();
  }

  /** Shows nothing more of whoever's stickers were shown, whatever the server says meanwhile. */
  closePersonal() {
    this.personal = null;
    const isTheirs = this.#category === "personal";
    if (isTheirs) this.#category = "";
    if (isTheirs || this.#entries.some((entry) => entry.state !== undefined)) {
      [this.#entries, this.#hasMore] = [[], false];
      page("grid").replaceChildren();
    }
    this.showTabs();
    if (isTheirs) this.#load();
  }

  #search() {
    const query = page("query").value.trim();
    if (query === this.#query) return;
    this.#query = query;
    this.#markTab();
    this.#load();
  }

  get isPersonal() { return this.#category === "personal" && !this.#query && Boolean(this.personal); }

  /** Shows the present view again. */
  reload() { return this.#load(); }

  async #part(offset) {
    if (this.isPersonal) return { images: offset ? [] : await this.personal.entries(), has_more: false };
    return askForStickers({ category: this.#category, query: this.#query }, offset, pageSize);
  }

  async #load() {
    const question = ++this.#asked;
    page("personal-bar").hidden = !this.isPersonal;
    page("retry").hidden = true;
    page("message").textContent = this.#entries.length ? "" : "Loading…";
    page("results").ariaBusy = "true";
    try {
      const part = await this.#part(0);
      if (question !== this.#asked) return;
      [this.#entries, this.#hasMore] = [part.images, part.has_more];
      page("grid").replaceChildren(...part.images.map((entry) => this.#cell(entry)));
      page("results").scrollTop = 0;
      this.#done();
    } catch (error) {
      if (question !== this.#asked) return;
      [this.#entries, this.#hasMore] = [[], false];
      page("grid").replaceChildren();
      page("more").hidden = true;
      page("message").textContent = error.status === 401 ? "" : sentenceOf(error);
      page("retry").hidden = error.status === 401;
    }
    page("results").ariaBusy = "false";
  }

  async #more() {
    if (!this.#hasMore || page("more").hidden) return;
    page("more").hidden = true;
    const question = ++this.#asked;
    try {
      const part = await this.#part(this.#entries.length);
      if (question !== this.#asked) return;
      const known = new Set(this.#entries.map((entry) => entry.id));
      const news = part.images.filter((entry) => !known.has(entry.id));
      this.#entries.push(...part.images);
      this.#hasMore = part.has_more && part.images.length > 0;
      page("grid").append(...news.map((entry) => this.#cell(entry)));
      this.#done();
    } catch (error) {
      if (question !== this.#asked) return;
      page("message").textContent = sentenceOf(error);
      page("more").hidden = false;
    }
  }

  #done() {
    this.#credit();
    page("more").hidden = !this.#hasMore;
    const first = page("grid").querySelector("button");
    if (first && !page("grid").querySelector('button[tabindex="0"]')) first.tabIndex = 0;
    const number = counted(this.#entries.length, "sticker", "stickers") + (this.#hasMore ? " and more" : "");
    page("found").textContent = this.#query ? `${number} found` : "";
    page("message").textContent = this.#entries.length ? "" : this.#query
      ? "Nothing is found. Try fewer letters, or an emoji."
      : this.isPersonal ? "You have no stickers of your own yet. Add a picture."
      : "Nothing is published here yet.";
  }

  #cell(entry) {
    const name = entry.accessibilityText || entry.title;
    const image = make("img", {
      src: entry.shown ?? local(entry.thumbnail), loading: "lazy", decoding: "async", alt: "", referrerpolicy: "no-referrer",
    });
    const button = make("button", {
      type: "button", tabindex: "-1", title: entry.title, "aria-label": entry.animated ? `${name}, animated` : name,
      disabled: entry.state !== undefined && entry.state !== "ready", click: () => this.#onPick(entry),
    }, image);
    if (entry.animated) button.append(make("span", { class: "moves", "aria-hidden": "true" }, "▶"));
    const item = make("li", { "data-id": entry.id, class: entry.state === "refused" && "refused" }, button);
    if (entry.state !== undefined || this.isPersonal) item.append(this.personal.tools(entry));
    return item;
  }

  #rove(list, button) {
    if (!button || (list === "grid" && button.closest(".own"))) return;
    for (const other of page(list).querySelectorAll('button[tabindex="0"]')) other.tabIndex = -1;
    button.tabIndex = 0;
  }

  /** One button of a list is in the order of the tabulator; arrows lead to the others. */
  #moveFocus(event, list) {
    const buttons = [...page(list).querySelectorAll(list === "grid" ? "li > button" : "button")];
    const index = buttons.indexOf(document.activeElement);
    if (index < 0) return;
    const columns = buttons.findIndex((button) => button.offsetTop > buttons[0].offsetTop);
    const row = columns > 0 ? columns : buttons.length;
    const targets = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: buttons.length - 1 };
    if (list === "grid") Object.assign(targets, { ArrowDown: index + row, ArrowUp: index - row });
    const target = buttons[targets[event.key]];
    if (!target) return;
    event.preventDefault();
    target.focus();
  }
}
