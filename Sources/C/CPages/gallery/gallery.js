// The page that shows the published stickers.

import { asWords, attributionOf, counted, make, page } from "./elements.js";
import { access, ask, askForCategories, askForStickers, local } from "./server.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pageSize = 120;
// Beyond this many, what has changed is only shown when somebody asks.
const reloadMax = 1000;

const state = {
  categories: [], category: null, query: "",
  stickers: [], hasMore: false,
  /** What the answers of the present view lack of the stickers of others. */
  incomplete: [],
  /** The view whose stickers the grid shows, and whether an answer for it is missing. */
  shown: null, isStale: true,
  /** Counts questions, so that an answer that is overtaken by another question is dropped. */
  asked: 0,
  playsAll: false, open: null, openIndex: 0,
  /** Whether the browser is about to leave the entry of a sticker that was closed. */
  isLeaving: false,
};

// Asking

/** The category that is chosen, if it is known. */
const chosen = () => state.categories.find((category) => category.id === state.category);

/** Whether a search looks through the chosen category alone: one of others knows more than stands in our list. */
const isWithin = () => Boolean(state.query && chosen()?.foreign);

/** Stickers of the present view, from `offset` on. */
function askForPart(offset, limit) {
  return askForStickers({ category: state.category, query: state.query, isWithin: isWithin() }, offset, limit);
}

function askForKey() {
  page("key-note").textContent = access.key
    ? "This key does not open the stickers. Ask for another one."
    : "These stickers open with a key. The operator of this page can give you one.";
  page("key-form").hidden = false;
  if (document.activeElement === document.body) page("key").focus();
}

// Elements

/** Makes `list` show these items; those that are the same stay, with the focus and whatever else they have. */
function fill(list, items) {
  const isSame = items.length === list.children.length && items.every((item, index) => item === list.children[index]);
  if (isSame) return;
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const id = focused?.closest("[data-id]")?.dataset.id;
  list.replaceChildren(...items);
  if (focused) {
    const heir = list.querySelector(`[data-id="${CSS.escape(id ?? "")}"]`);
    heir?.querySelector("a,button")?.focus({ preventScroll: true });
  }
}

const bytes = (count) =>
  count < 1000 ? `${count} B` : count < 1e6 ? `${Math.round(count / 1e3)} KB` : `${(count / 1e6).toFixed(1)} MB`;

// Categories

function showCategories() {
  const total = state.categories.reduce((sum, category) => sum + category.stickers, 0);
  const entries = [{ id: "", title: "Newest", stickers: total }, ...state.categories];
  const list = page("categories");
  const old = new Map([...list.children].map((item) => [item.dataset.id, item]));
  fill(list, entries.map((category) => {
    const item = old.get(category.id) ?? categoryLink(category.id);
    const [image, name, count] = item.firstChild.children;
    const source = category.thumbnail ? local(category.thumbnail) : "_gallery/gallery.svg";
    if (image.getAttribute("src") !== source) image.setAttribute("src", source);
    name.textContent = category.title;
    // Nobody knows how many others have.
    count.textContent = category.foreign ? "" : category.stickers.toLocaleString("en");
    return item;
  }));
  markCategory();
}

function categoryLink(id) {
  return make("li", { "data-id": id }, make(
    "a", { href: id ? `#/${encodeURIComponent(id)}` : "#" },
    make("img", { alt: "", loading: "lazy" }), make("span", { class: "name", dir: "auto" }),
    make("span", { class: "count" })));
}

function markCategory() {
  const current = state.query && !isWithin() ? null : state.category ?? "";
  for (const item of page("categories").children) {
    const isCurrent = item.dataset.id === current;
    if (!isCurrent) {
      item.firstChild.removeAttribute("aria-current");
    } else if (!item.firstChild.hasAttribute("aria-current")) {
      item.firstChild.setAttribute("aria-current", "page");
      item.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

function showHeading() {
  const heading = page("heading");
  const category = state.query && !isWithin() ? undefined : chosen();
  const title = !state.query ? category?.title : `“${state.query}”${category ? ` – ${category.title}` : ""}`;
  heading.hidden = !title;
  document.title = title ? `${title} – Stickers` : "Stickers";
  page("heading-title").textContent = title ?? "";
  const lines = category && !category.foreign ? [
    counted(category.stickers, "sticker", "stickers")
      + (category.animated ? `, ${category.animated.toLocaleString("en")} of them animated` : ""),
    category.description, [category.publisher, category.licence].filter(Boolean).join(" · "),
  ] : [];
  page("heading-lines").replaceChildren(
    ...lines.filter(Boolean).map((line) => make("p", { dir: "auto" }, line)));
  const packs = page("packs");
  const ready = category?.packs.filter((pack) => pack.ready).length ?? 0;
  packs.hidden = !ready;
  if (packs.hidden || packs.dataset.category !== category.id) packs.open = false;
  if (packs.hidden) return;
  packs.dataset.category = category.id;
  page("packs-summary").textContent = `Packs for ${counted(ready, "app", "apps")}`;
  if (packs.open) showPacks();
}

/** The packs that are ready; whoever mends others does so elsewhere. */
async function showPacks() {
  const id = page("packs").dataset.category;
  let items;
  try {
    const { platforms } = await ask(`categories/${encodeURIComponent(id)}/packs`);
    items = platforms.filter((platform) => platform.ready).map(pack);
  } catch (error) {
    items = [make("li", { class: "lacking" }, said(error))];
  }
  if (page("packs").dataset.category === id) page("packs-list").replaceChildren(...items);
}

function pack(platform) {
  const files = platform.files.map((file) => make(
    "li", {}, make("a", { href: local(file.url), download: file.name }, file.name), ` ${bytes(file.bytes)}`));
  // Pictures in a folder are no download.
  if (!files.length) files.push(make("li", {}, "a folder, which the operator of this library hands out"));
  const stickers = platform.packs.reduce((sum, { stickers }) => sum + stickers, 0);
  return make(
    "li", {}, make("h3", {}, platform.title),
    `${counted(stickers, "sticker", "stickers")} in ${counted(platform.packs.length, "pack", "packs")}`,
    make("ul", {}, ...files));
}

// Stickers

function cell(sticker) {
  const image = make("img", {
    src: local(sticker.thumbnail), loading: "lazy", decoding: "async", alt: sticker.accessibilityText ?? "",
    srcset: !sticker.animated && !sticker.foreign && `${local(sticker.thumbnail)} 144w, ${local(sticker.url)} 512w`,
    sizes: !sticker.animated && !sticker.foreign && "128px",
  });
  const button = make(
    "button", { type: "button", class: "cell", tabindex: "-1", title: sticker.title, click: () => view(sticker.id) },
    image, make("span", { class: "title", dir: "auto" }, asWords(sticker.title)));
  button.sticker = sticker;
  if (sticker.pinned) {
    button.append(
      make("span", { class: "pinned", "aria-hidden": "true" }, "★"), make("span", { class: "hidden" }, "pinned"));
  }
  if (sticker.animated) {
    button.append(
      make("span", { class: "moves", "aria-hidden": "true" }, "▶"), make("span", { class: "hidden" }, "animated"));
    for (const event of ["pointerenter", "focus"]) {
      button.addEventListener(event, () => { if (!calm.matches) play(button, true); });
    }
    for (const event of ["pointerleave", "blur"]) {
      button.addEventListener(event, () => play(button, state.playsAll && button.isInSight));
    }
    sight.observe(button);
  }
  return make("li", { "data-id": sticker.id }, button, hand(sticker));
}

/** The link and the download of a sticker, without opening it. */
function hand(sticker) {
  const words = asWords(sticker.title);
  const copying = make(
    "button", { type: "button", title: "Copy the link", "aria-label": `Copy the link of ${words}` }, "Link");
  copying.addEventListener("click", async () => {
    const isCopied = await copy(sticker.url);
    copying.textContent = isCopied ? "✓" : "Link";
    page("news").textContent = isCopied ? "The link is copied." : sticker.url;
    setTimeout(() => { copying.textContent = "Link"; }, 2000);
  });
  const getting = sticker.foreign ? [] : [make("a", {
    class: "action", href: local(sticker.url), download: fileName(sticker, sticker.url), title: "Download",
    "aria-label": `Download ${words}`,
  }, "↓")];
  return make("div", { class: "hand" }, copying, ...getting);
}

const fileName = (sticker, url) => `${sticker.id}.${url.split(".").pop()}`;

/** Shows an animation, or the picture that stands for it. */
function play(button, isPlaying) {
  const address = local(isPlaying ? button.sticker.url : button.sticker.thumbnail);
  const image = button.querySelector("img");
  if (image.getAttribute("src") !== address) image.setAttribute("src", address);
  button.classList.toggle("playing", Boolean(isPlaying));
}

/** Only what is in sight moves. */
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    target.isInSight = isIntersecting;
    play(target, state.playsAll && isIntersecting);
  }
});

const viewName = () => JSON.stringify([state.category, state.query, isWithin()]);

/** Who has to be named beside the stickers, and what is missing of them. */
function showSources() {
  const sources = new Map();
  const category = state.query && !isWithin() ? undefined : chosen();
  for (const { attribution } of [category ?? {}, ...state.stickers]) {
    if (attribution) sources.set(attribution.text, attribution.url);
  }
  const items = [...sources].map(([text, url]) => make("li", {}, attributionOf({ text, url })));
  for (const { category, why, age } of state.incomplete) {
    const title = state.categories.find(({ id }) => id === category)?.title ?? category;
    const since = age > 60 ? ` These are ${counted(Math.round(age / 60), "minute", "minutes")} old.` : "";
    items.push(make("li", { class: "lacking" }, `${title}: ${why}.${since}`));
  }
  page("sources").hidden = !items.length;
  page("sources").replaceChildren(...items);
}

/** Shows these stickers, and returns the titles of those that came since the same view was shown last. */
function showStickers(stickers, { areMore = false } = {}) {
  const grid = page("grid");
  const isSameView = state.shown === viewName() && !areMore;
  const old = new Map([...grid.children].map((item) => [item.dataset.id, item]));
  const news = [];
  const items = stickers.map((sticker) => {
    const known = old.get(sticker.id);
    if (known && JSON.stringify(known.firstChild.sticker) === JSON.stringify(sticker)) return known;
    const item = cell(sticker);
    if (isSameView) item.firstChild.classList.add("new");
    if (isSameView && !known) news.push(asWords(sticker.title));
    return item;
  });
  [state.stickers, state.shown] = [stickers, viewName()];
  fill(grid, items);
  if (!grid.querySelector('.cell[tabindex="0"]')) grid.querySelector(".cell")?.setAttribute("tabindex", "0");
  page("more").hidden = !state.hasMore;
  page("changed").hidden = true;
  showSources();
  page("message").textContent = stickers.length ? "" : state.query || chosen()?.foreign
    ? "Nothing is found. Try fewer letters, or an emoji."
    : "Nothing is published here yet. Put pictures into a folder below a drop.";
  followOpenSticker();
  return news;
}

/** Loads the first `count` stickers of the view again, and returns the titles of new ones. */
async function load(count = pageSize) {
  const question = ++state.asked;
  state.isStale = true;
  try {
    const stickers = [];
    let hasMore = true;
    let incomplete = [];
    while (hasMore && stickers.length < count) {
      const part = await askForPart(stickers.length, Math.min(200, count - stickers.length));
      if (question !== state.asked) return [];
      stickers.push(...part.images);
      incomplete = part.incomplete ?? [];
      hasMore = part.has_more && part.images.length > 0;
      // Each further page of others costs a question to them: whoever wants it goes down.
      if (count <= pageSize && part.images.some((sticker) => sticker.foreign)) break;
    }
    [state.hasMore, state.isStale, state.incomplete] = [hasMore, false, incomplete];
    return showStickers(stickers);
  } catch (error) {
    if (question !== state.asked) return [];
    if (state.shown !== viewName()) {
      [state.shown, state.stickers, state.hasMore, state.incomplete] = [null, [], false, []];
      page("grid").replaceChildren();
      showSources();
      page("more").hidden = true;
    }
    page("message").textContent = explained(error);
    state.isStale = error.status !== 404;
    return [];
  }
}

/** Adds what follows. While the library changes, a sticker may come twice; the next look at all of them puts it right. */
async function showMore() {
  page("more").hidden = true;
  const question = ++state.asked;
  try {
    const part = await askForPart(state.stickers.length, pageSize);
    if (question !== state.asked) return;
    const known = new Set(state.stickers.map((sticker) => sticker.id));
    state.hasMore = part.has_more && part.images.length > 0;
    state.incomplete = part.incomplete ?? [];
    const more = part.images.filter((sticker) => !known.has(sticker.id));
    showStickers([...state.stickers, ...more], { areMore: true });
  } catch (error) {
    if (question !== state.asked) return;
    page("message").textContent = explained(error);
    page("more").hidden = false;
  }
}

// A category that went while it was shown is nobody's fault.
const explained = (error) => error.status === 404 ? "This category no longer exists." : said(error);

/** An error in words; a key that is lacking has a note of its own. */
function said(error) {
  if (error.status === 401) return "";
  return error.details?.error ? `${error.message}: ${error.remedy}` : error.sentence ?? error.message;
}

// One sticker

function view(id) {
  const index = state.stickers.findIndex((sticker) => sticker.id === id);
  const sticker = state.stickers[index];
  if (!sticker) return;
  [state.open, state.openIndex] = [sticker, index];
  const image = page("viewer-image");
  image.src = local(sticker.animated && calm.matches ? sticker.thumbnail : sticker.url);
  image.alt = sticker.accessibilityText ?? sticker.title;
  page("viewer-title").textContent = asWords(sticker.title);
  page("viewer-words").textContent = [...sticker.emojis, ...(sticker.keywords ?? [])].join(" ");
  const category = state.categories.find((category) => category.id === sticker.category);
  const facts = [["Category", category?.title ?? sticker.category], ["Id", sticker.id]];
  if (sticker.rating) facts.push(["Rating", sticker.rating]);
  if (sticker.pinned) facts.push(["Place", "pinned: before the newest"]);
  const { text, url } = sticker.attribution ?? {};
  if (text) facts.push(["From", attributionOf({ text, url })]);
  page("viewer-facts").replaceChildren(
    ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { dir: "auto" }, value)]));
  page("viewer-actions").replaceChildren(
    make("button", { type: "button", click: () => copyInViewer(sticker.url, "The link") }, "Copy link"),
    make("button", { type: "button", click: () => copyInViewer(sticker.id, "The id") }, "Copy id"),
    sticker.foreign
      ? make("a", { class: "action", href: sticker.url, target: "_blank", rel: "noopener noreferrer" }, "Open")
      : make("a", { class: "action", href: local(sticker.url), download: fileName(sticker, sticker.url) }, "Download"),
    ...(sticker.animated ? [make("button", { type: "button", click: toggleMotion }, "Play or stop")] : []),
    make("a", { class: "action", href: placing(sticker.id) }, "Place on a picture"));
  page("viewer-note").textContent = "";
  showStyles(sticker);
  showFiles(sticker);
  showSteps();
  if (!page("viewer").open) {
    // What was typed just now is a view of its own.
    clearTimeout(pause);
    search();
    if (!state.isLeaving) noteViewing();
    page("viewer").showModal();
    page("viewer-title").focus();
  }
}

/** A smart sticker in its styles; one that is chosen is shown large. */
function showStyles(sticker) {
  const styles = sticker.variants ? [{ style: sticker.style ?? "usual", webp: sticker.url }, ...sticker.variants] : [];
  page("viewer-styles").replaceChildren(...styles.map(({ style, webp }) => make(
    "button", {
      type: "button", title: style, "aria-label": `Style ${style}`,
      click: () => { page("viewer-image").src = local(webp); },
    },
    make("img", { src: local(webp), alt: "", loading: "lazy" }))));
}

/** Every file of a sticker of this library. */
async function showFiles(sticker) {
  page("viewer-files").replaceChildren();
  if (sticker.foreign) return;
  let files;
  try {
    ({ files } = await ask(`stickers/by-id/${encodeURIComponent(sticker.id)}`));
  } catch {
    // The sticker is shown without them.
    return;
  }
  if (state.open !== sticker) return;
  page("viewer-files").replaceChildren(...files.map((file) => make(
    "li", {},
    make("a", { href: local(file.url), download: fileName(sticker, file.url) },
      `${file.format.toUpperCase()} ${file.width} × ${file.height}`),
    [` ${bytes(file.bytes)}`, file.frames > 1 && `${file.frames} frames`].filter(Boolean).join(", "))));
}

/** The address of the page on which a sticker is placed. */
function placing(id) {
  const query = new URLSearchParams({ sticker: id });
  if (access.key) query.set("api_key", access.key);
  return `compose?${query}`;
}

/** The browser has an entry for an open sticker, so that Back closes what was opened last. */
function noteViewing() {
  if (!history.state?.isViewing) history.pushState({ isViewing: true }, "");
}

function showSteps() {
  page("viewer-back").disabled = state.openIndex <= 0;
  page("viewer-next").disabled = state.openIndex >= state.stickers.length - 1 && !state.hasMore;
}

/** What is open changes with the library. */
function followOpenSticker() {
  if (!page("viewer").open) return;
  const sticker = state.stickers.find((sticker) => sticker.id === state.open.id);
  if (!sticker) {
    page("viewer-actions").replaceChildren();
    page("viewer-note").textContent = "This sticker was removed.";
  } else if (JSON.stringify(sticker) !== JSON.stringify(state.open)) {
    view(sticker.id);
  } else {
    state.openIndex = state.stickers.indexOf(sticker);
  }
  showSteps();
}

function toggleMotion() {
  const image = page("viewer-image");
  const moving = local(state.open.url);
  image.src = image.getAttribute("src") === moving ? local(state.open.thumbnail) : moving;
}

/** Whether the clipboard took it: browsers give it only to https and to the own machine. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

async function copyInViewer(text, what) {
  page("viewer-note").textContent = await copy(text) ? `${what} is copied.` : text;
}

// Moving about

async function step(count) {
  const index = state.openIndex + count;
  if (index >= state.stickers.length && state.hasMore) await showMore();
  if (state.stickers[index]) view(state.stickers[index].id);
}

/** One sticker is in the order of the tabulator; arrows lead to the others. */
function moveFocus(event) {
  const buttons = [...page("grid").querySelectorAll(".cell")];
  const index = buttons.indexOf(document.activeElement);
  if (index < 0) return;
  const columns = buttons.findIndex((button) => button.offsetTop > buttons[0].offsetTop);
  const row = columns > 0 ? columns : buttons.length;
  const targets = {
    ArrowRight: index + 1, ArrowLeft: index - 1, ArrowDown: index + row, ArrowUp: index - row,
    Home: 0, End: buttons.length - 1,
  };
  const target = buttons[targets[event.key]];
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** The address tells the view: `#/cats` is a category, `#?happy` a search, `#/gifs?happy` one among those of others. */
function choose() {
  let place = "";
  try {
    place = decodeURIComponent(location.hash.slice(1));
  } catch {
    // Whoever wrote that address meant no place that there is.
  }
  const end = place.includes("?") ? place.indexOf("?") : place.length;
  state.category = place.startsWith("/") ? place.slice(1, end) || null : null;
  state.query = /^[/?]/.test(place) ? place.slice(end + 1).trim() : "";
  if (page("query").value.trim() !== state.query) page("query").value = state.query;
  show();
}

function search() {
  const query = page("query").value.trim();
  if (query === state.query) return;
  const within = state.category && (!query || chosen()?.foreign) ? `/${state.category}` : "";
  const address = `#${within}${query && `?${encodeURIComponent(query)}`}`;
  history.replaceState(null, "", address);
  state.query = query;
  show();
}

function show() {
  markCategory();
  showHeading();
  return load();
}

function setBackdrop(name) {
  document.body.dataset.backdrop = name;
  for (const input of page("backdrops").querySelectorAll("input")) input.checked = input.value === name;
}

function storedBackdrop() {
  try {
    return localStorage.getItem("backdrop");
  } catch {
    return null;
  }
}

function storeBackdrop(name) {
  try {
    localStorage.setItem("backdrop", name);
  } catch {
    // A browser that stores nothing begins afresh each time.
  }
}

// Following

/** Asks what has changed, one question after the other and no more than a few a second. */
const follower = {
  source: null, seen: null, isBusy: false, isDue: false,

  start() {
    this.stop();
    const query = access.key ? `?${new URLSearchParams({ api_key: access.key })}` : "";
    const source = this.source = new EventSource(`api/events${query}`);
    source.onopen = () => this.tell(true);
    source.onmessage = (event) => {
      if (event.data === this.seen && !state.isStale) return;
      this.seen = event.data;
      this.catchUp();
    };
    source.onerror = () => {
      this.tell(false);
      // A lost connection is opened again by the browser, but not one that was refused: the library is asked without it.
      if (source.readyState !== EventSource.CLOSED) return;
      this.catchUp();
      setTimeout(() => { if (source === this.source && page("key-form").hidden) this.start(); }, 5000);
    };
  },

  stop() {
    this.source?.close();
    this.source = null;
    this.tell(false);
  },

  tell(isLive) {
    page("live").classList.toggle("on", isLive);
    page("live").textContent = isLive ? "live" : "not connected";
  },

  async catchUp() {
    this.isDue = true;
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.isDue) {
      this.isDue = false;
      await refresh().catch((error) => {
        state.isStale = true;
        if (!state.stickers.length) page("message").textContent = said(error);
      });
      await new Promise((resume) => setTimeout(resume, 300));
    }
    this.isBusy = false;
  },
};

async function refresh() {
  const before = JSON.stringify(state.categories);
  state.categories = await askForCategories();
  const isChanged = before !== JSON.stringify(state.categories);
  if (isChanged) {
    showCategories();
    showHeading();
  }
  if (!isChanged && !state.isStale) return;
  if (state.stickers.length > reloadMax && state.shown === viewName()) {
    page("changed").hidden = false;
    return;
  }
  const news = await load(Math.max(pageSize, state.shown === viewName() ? state.stickers.length : 0));
  if (!news.length) return;
  page("news").textContent = `New: ${news.slice(0, 3).join(", ")}`
    + (news.length > 3 ? ` and ${news.length - 3} more` : "");
}

// Beginning

access.remedy = "this page tries again by itself";
access.onLack = askForKey;
// A page that is loaded again shows no sticker.
if (history.state?.isViewing) history.back();
setBackdrop(storedBackdrop() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "black" : "white"));
page("backdrops").addEventListener("change", (event) => {
  setBackdrop(event.target.value);
  storeBackdrop(event.target.value);
});
page("motion").addEventListener("click", (event) => {
  state.playsAll = !state.playsAll;
  event.target.setAttribute("aria-pressed", state.playsAll);
  for (const button of page("grid").querySelectorAll(".cell")) {
    if (button.sticker.animated) play(button, state.playsAll && button.isInSight);
  }
});
let pause;
page("query").addEventListener("input", () => {
  clearTimeout(pause);
  // Others answer few questions an hour: half a word is none.
  pause = setTimeout(search, state.categories.some((category) => category.foreign) ? 600 : 120);
});
page("skip").addEventListener("click", (event) => {
  event.preventDefault();
  page("stickers").focus();
});
page("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  access.key = page("key").value.trim();
  page("key-form").hidden = true;
  page("key-note").textContent = "";
  state.isStale = true;
  follower.start();
});
page("packs").addEventListener("toggle", () => { if (page("packs").open) showPacks(); });
page("grid").addEventListener("keydown", moveFocus);
page("grid").addEventListener("focusin", (event) => {
  for (const button of page("grid").querySelectorAll('.cell[tabindex="0"]')) button.tabIndex = -1;
  event.target.closest("li").querySelector(".cell").tabIndex = 0;
});
page("changed").addEventListener("click", () => load());
page("more").addEventListener("click", showMore);
new IntersectionObserver((entries) => {
  if (entries.some((entry) => entry.isIntersecting)) showMore();
}, { rootMargin: "600px" }).observe(page("more"));
page("viewer-close").addEventListener("click", () => page("viewer").close());
page("viewer-back").addEventListener("click", () => step(-1));
page("viewer-next").addEventListener("click", () => step(1));
page("viewer").addEventListener("click", (event) => { if (event.target === page("viewer")) page("viewer").close(); });
addEventListener("popstate", () => {
  if (!state.isLeaving) {
    if (!history.state?.isViewing) page("viewer").close();
    return;
  }
  // The entry of a sticker that was closed is left only now; another may be open already.
  state.isLeaving = false;
  if (page("viewer").open) noteViewing();
});
page("viewer").addEventListener("close", () => {
  if (history.state?.isViewing && !state.isLeaving) {
    state.isLeaving = true;
    history.back();
  }
  // The event comes a moment later; who writes into the search box by then goes on.
  if (document.activeElement === page("query")) return;
  page("grid").querySelector(`[data-id="${CSS.escape(state.open.id)}"] .cell`)?.focus();
});
page("viewer").addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") step(1);
  if (event.key === "ArrowLeft") step(-1);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches?.("input");
  if (event.key === "/" && !isTyping && !page("viewer").open) {
    event.preventDefault();
    page("query").focus();
  }
});
addEventListener("hashchange", choose);
// A browser has few connections for one server: pages that nobody sees leave theirs to the others.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) follower.stop();
  else follower.start();
});

showCategories();
choose();
if (!document.hidden) follower.start();
