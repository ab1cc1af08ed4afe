"use strict";

// Texts of stickers are only ever set as text, never as markup.

const page = (id) => document.getElementById(id);
const bases = document.documentElement.dataset.bases.split(" ").filter(Boolean);
const key = new URLSearchParams(location.search).get("api_key");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pageSize = 120;
const platformNames = {
  whatsapp: "WhatsApp", imgly: "IMG.LY", tuikit: "TUIKit", signal: "Signal", telegram: "Telegram",
  discord: "Discord", slack: "Slack", matrix: "Matrix", mastodon: "Mastodon", misskey: "Misskey",
  zulip: "Zulip", imessage: "iMessage", line: "LINE",
};

const state = {
  categories: [], category: null, query: "", stickers: [], hasMore: false, generation: null,
  playsAll: false, asked: 0, open: null,
};

// Asking

/** Answers of this server, as objects. */
async function ask(path, parameters = {}) {
  const query = new URLSearchParams(parameters);
  if (key) query.set("api_key", key);
  const response = await fetch(`api/${path}?${query}`);
  const body = await response.json();
  if (!response.ok) throw new Error(`${body.error}: ${body.remedy}`);
  return body;
}

/** The address below this page of a file whose public address begins with one of the bases. */
function local(url) {
  const base = bases.find((base) => url.startsWith(base));
  return base ? `./${url.slice(base.length)}` : url;
}

/** Stickers of the present view, from `offset` on. */
function askForStickers(offset, limit) {
  const parameters = { format: "webp", offset, limit };
  if (state.query) return ask("stickers/search", { ...parameters, q: state.query });
  if (state.category) {
    return ask(`categories/${encodeURIComponent(state.category)}/stickers`, parameters);
  }
  return ask("stickers/trending", parameters);
}

async function askForCategories() {
  const categories = [];
  for (let hasMore = true; hasMore; ) {
    const part = await ask("categories", { offset: categories.length });
    categories.push(...part.categories);
    hasMore = part.has_more && part.categories.length > 0;
  }
  return categories;
}

// Making elements

/** An element; `attributes` may hold functions for events. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

const counted = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

const bytes = (count) =>
  count < 1000 ? `${count} B` : count < 1e6 ? `${Math.round(count / 1e3)} KB` : `${(count / 1e6).toFixed(1)} MB`;

// Categories

function showCategories() {
  const total = state.categories.reduce((sum, category) => sum + category.stickers, 0);
  const entries = [{ id: null, title: "Newest", stickers: total }, ...state.categories];
  page("categories").replaceChildren(
    ...entries.map((category) => {
      const isCurrent = !state.query && category.id === state.category;
      const image = make("img", {
        src: category.thumbnail ? local(category.thumbnail) : "_gallery/gallery.svg", alt: "", loading: "lazy",
      });
      return make("li", {}, make(
        "a", { href: category.id ? `#${category.id}` : "#", "aria-current": isCurrent && "page" },
        image, make("span", { class: "name" }, category.title),
        make("span", { class: "count" }, category.stickers.toLocaleString("en"))));
    }));
}

function showHeading() {
  const heading = page("heading");
  const category = state.categories.find((category) => category.id === state.category);
  heading.hidden = !state.query && !category;
  if (state.query) {
    heading.replaceChildren(make("h2", {}, `“${state.query}”`));
  } else if (category) {
    const by = [category.publisher, category.licence].filter(Boolean).join(" · ");
    heading.replaceChildren(
      make("h2", {}, category.title),
      make("p", {}, counted(category.stickers, "sticker", "stickers")
        + (category.animated ? `, ${category.animated.toLocaleString("en")} of them animated` : "")),
      ...(category.description ? [make("p", {}, category.description)] : []),
      ...(by ? [make("p", {}, by)] : []),
      ...(category.packs.length ? [packs(category)] : []));
  }
}

function packs(category) {
  const ready = category.packs.filter((pack) => pack.ready).length;
  const list = make("ul", { class: "packs" });
  return make("details", {
    toggle: async (event) => {
      if (!event.target.open) return;
      try {
        const { platforms } = await ask(`categories/${encodeURIComponent(category.id)}/packs`);
        list.replaceChildren(...platforms.map((platform) => pack(category, platform)));
      } catch (error) {
        list.replaceChildren(make("li", { class: "lacking" }, error.message));
      }
    },
  }, make("summary", {}, `Packs: ${ready} of ${category.packs.length} ready`), list);
}

function pack(category, platform) {
  const files = platform.files.map((file) => make(
    "li", {}, make("a", { href: local(file.url), download: file.name }, file.name), ` ${bytes(file.bytes)}`));
  if (platform.ready && !files.length) {
    files.push(make(
      "li", {}, "a folder, written by ",
      make("code", {}, `stickerctl export ${category.id} --for ${platform.platform} --to FOLDER`)));
  }
  const findings = platform.findings.map((finding) => make(
    "li", { class: finding.severity },
    [finding.sticker, finding.detail].filter(Boolean).join(": ") + figures(finding) + ". ",
    make("span", { class: "remedy" }, finding.remedy)));
  return make(
    "li", {}, make("h3", {}, platformNames[platform.platform] ?? platform.platform),
    make("span", { class: platform.ready ? "ready" : "lacking" }, platform.ready ? "✓ ready" : "✗ not ready"),
    make("ul", {}, ...files, ...findings));
}

const figures = ({ measured, limit }) => {
  const known = [measured && `found ${measured}`, limit && `allowed ${limit}`].filter(Boolean);
  return known.length ? ` (${known.join(", ")})` : "";
};

// Stickers

function cell(sticker) {
  const image = make("img", {
    src: local(sticker.thumbnail), loading: "lazy", decoding: "async", width: 144, height: 144,
    alt: sticker.accessibilityText ?? "",
    srcset: !sticker.animated && `${local(sticker.thumbnail)} 144w, ${local(sticker.url)} 512w`,
    sizes: !sticker.animated && "128px",
  });
  const button = make(
    "button", { type: "button", tabindex: "-1", title: sticker.title, click: () => view(sticker.id) },
    image, make("span", { class: "title" }, sticker.title));
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
  button.sticker = sticker;
  return make("li", { "data-id": sticker.id }, button);
}

/** Shows an animation, or the picture that stands for it. */
function play(button, isPlaying) {
  const address = local(isPlaying ? button.sticker.url : button.sticker.thumbnail);
  const image = button.querySelector("img");
  if (image.getAttribute("src") !== address) image.setAttribute("src", address);
  button.classList.toggle("playing", isPlaying);
}

/** Only what is in sight moves. */
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    target.isInSight = isIntersecting;
    play(target, state.playsAll && isIntersecting);
  }
});

/** Shows these stickers; what is there already stays, so that nothing flickers. */
function showStickers(stickers, { marksNew = false } = {}) {
  const grid = page("grid");
  const focused = document.activeElement?.closest("#grid li")?.dataset.id;
  const old = new Map([...grid.children].map((item) => [item.dataset.id, item]));
  const news = [];
  const items = stickers.map((sticker) => {
    const known = old.get(sticker.id);
    if (known && known.firstChild.sticker.url === sticker.url && known.firstChild.sticker.title === sticker.title) {
      known.firstChild.sticker = sticker;
      return known;
    }
    const item = cell(sticker);
    if (marksNew) {
      item.firstChild.classList.add("new");
      news.push(sticker.title);
    }
    return item;
  });
  state.stickers = stickers;
  const isSame = items.length === grid.children.length && items.every((item, index) => item === grid.children[index]);
  if (!isSame) {
    grid.replaceChildren(...items);
    if (focused) grid.querySelector(`[data-id="${CSS.escape(focused)}"] button`)?.focus({ preventScroll: true });
  }
  if (!grid.querySelector('button[tabindex="0"]')) grid.querySelector("button")?.setAttribute("tabindex", "0");
  page("more").hidden = !state.hasMore;
  page("message").textContent = stickers.length ? "" : state.query
    ? "Nothing is found. Try fewer letters, or an emoji."
    : "Nothing is published here yet. Put pictures into a folder below a drop.";
  return news;
}

/** Loads the view anew; an answer that is overtaken by another question is dropped. */
async function load({ count = pageSize, marksNew = false } = {}) {
  const question = ++state.asked;
  try {
    const stickers = [];
    let hasMore = true;
    while (hasMore && stickers.length < count) {
      const part = await askForStickers(stickers.length, Math.min(200, count - stickers.length));
      if (question !== state.asked) return [];
      stickers.push(...part.images);
      hasMore = part.has_more && part.images.length > 0;
    }
    state.hasMore = hasMore;
    return showStickers(stickers, { marksNew });
  } catch (error) {
    if (question === state.asked) page("message").textContent = error.message;
    return [];
  }
}

async function showMore() {
  page("more").hidden = true;
  await load({ count: state.stickers.length + pageSize });
}

// One sticker

function view(id) {
  const sticker = state.stickers.find((sticker) => sticker.id === id);
  if (!sticker) return;
  state.open = id;
  const image = page("viewer-image");
  image.src = local(sticker.animated && calm.matches ? sticker.thumbnail : sticker.url);
  image.alt = sticker.accessibilityText ?? sticker.title;
  page("viewer-title").textContent = sticker.title;
  page("viewer-words").textContent = [...sticker.emojis, ...(sticker.keywords ?? [])].join(" ");
  const category = state.categories.find((category) => category.id === sticker.category);
  const facts = [["Category", category?.title ?? sticker.category], ["Id", sticker.id]];
  if (sticker.rating) facts.push(["Rating", sticker.rating]);
  page("viewer-facts").replaceChildren(
    ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  page("viewer-actions").replaceChildren(
    make("button", { type: "button", click: () => copy(sticker.url, "The link") }, "Copy link"),
    make("button", { type: "button", click: () => copy(sticker.id, "The id") }, "Copy id"),
    make("a", { class: "action", href: local(sticker.url), download: `${sticker.id}.webp` }, "Download"),
    ...(sticker.animated ? [make("button", { type: "button", click: toggleMotion }, "Play or stop")] : []));
  page("viewer-note").textContent = "";
  if (!page("viewer").open) {
    page("viewer").showModal();
    page("viewer-title").focus();
  }
}

function toggleMotion() {
  const sticker = state.stickers.find((sticker) => sticker.id === state.open);
  const image = page("viewer-image");
  const moving = local(sticker.url);
  image.src = image.getAttribute("src") === moving ? local(sticker.thumbnail) : moving;
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    page("viewer-note").textContent = `${what} is copied.`;
  } catch {
    // Pages without TLS from elsewhere have no clipboard.
    page("viewer-note").textContent = text;
  }
}

// Moving about

function step(count) {
  const index = state.stickers.findIndex((sticker) => sticker.id === state.open);
  const next = state.stickers[index + count];
  if (next) view(next.id);
}

/** One sticker is in the order of the tabulator; arrows lead to the others. */
function moveFocus(event) {
  const buttons = [...page("grid").querySelectorAll("button")];
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

function choose() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === "sticker-list") return;
  state.category = id || null;
  state.query = "";
  page("query").value = "";
  showCategories();
  showHeading();
  load();
}

function setBackdrop(name) {
  document.body.dataset.backdrop = name;
  for (const input of page("backdrops").querySelectorAll("input")) input.checked = input.value === name;
}

// Following

async function refresh() {
  const before = state.categories;
  state.categories = await askForCategories();
  if (JSON.stringify(before) === JSON.stringify(state.categories)) return;
  showCategories();
  // Opened packs are read on, unless the category itself has changed.
  const facts = (list) => JSON.stringify(list.find((category) => category.id === state.category));
  if (facts(before) !== facts(state.categories)) showHeading();
  const news = await load({ count: Math.max(pageSize, state.stickers.length), marksNew: true });
  if (news.length) {
    page("news").textContent = `New: ${news.slice(0, 3).join(", ")}`
      + (news.length > 3 ? ` and ${news.length - 3} more` : "");
  }
}

function follow() {
  const source = new EventSource(`api/events${key ? `?${new URLSearchParams({ api_key: key })}` : ""}`);
  let isBusy = false;
  let isDue = false;
  const told = (state) => {
    page("live").classList.toggle("on", state === "live");
    page("live").setAttribute("aria-label", state);
    page("live").title = state;
  };
  const catchUp = async () => {
    isDue = true;
    if (isBusy) return;
    isBusy = true;
    while (isDue) {
      isDue = false;
      // The next event tries again.
      await refresh().catch(() => { state.generation = null; });
    }
    isBusy = false;
  };
  source.onopen = () => told("live");
  source.onerror = () => {
    told("not connected");
    // A lost connection is opened again by itself, but not one that was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 5000);
  };
  source.onmessage = (event) => {
    if (event.data === state.generation) return;
    state.generation = event.data;
    catchUp();
  };
}

// Beginning

setBackdrop(matchMedia("(prefers-color-scheme: dark)").matches ? "black" : "white");
page("backdrops").addEventListener("change", (event) => setBackdrop(event.target.value));
page("motion").addEventListener("click", (event) => {
  state.playsAll = !state.playsAll;
  event.target.setAttribute("aria-pressed", state.playsAll);
  for (const button of page("grid").querySelectorAll("button")) {
    if (button.sticker.animated) play(button, state.playsAll && button.isInSight);
  }
});
let pause;
page("query").addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => {
    state.query = page("query").value.trim();
    showCategories();
    showHeading();
    load();
  }, 120);
});
page("grid").addEventListener("keydown", moveFocus);
page("grid").addEventListener("focusin", (event) => {
  for (const button of page("grid").querySelectorAll('button[tabindex="0"]')) button.tabIndex = -1;
  event.target.closest("button").tabIndex = 0;
});
page("more").addEventListener("click", showMore);
new IntersectionObserver((entries) => {
  if (entries.some((entry) => entry.isIntersecting)) showMore();
}, { rootMargin: "600px" }).observe(page("more"));
page("viewer-close").addEventListener("click", () => page("viewer").close());
page("viewer").addEventListener("click", (event) => { if (event.target === page("viewer")) page("viewer").close(); });
page("viewer").addEventListener("close", () => {
  // The event comes a moment later; who writes into the search box by then goes on.
  if (document.activeElement === page("query")) return;
  page("grid").querySelector(`[data-id="${CSS.escape(state.open ?? "")}"] button`)?.focus();
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

askForCategories()
  .then((categories) => { state.categories = categories; })
  .catch((error) => { page("message").textContent = error.message; })
  .finally(() => {
    choose();
    follow();
  });
