// Questions of pages to their server.

const bases = (document.documentElement.dataset.bases ?? "").split(" ").filter(Boolean);

/** A refusal by the server, or of a file, with its remedy. */
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

export const access = {
  key: new URLSearchParams(location.search).get("api_key"),
  /** Called if the server wants a key, or another one. */
  onLack() {},
  /** The advice if the server does not answer. */
  remedy: "try again in a moment",
};

/** An answer of this server, as an object. */
export async function ask(path, parameters = {}, options = {}) {
  const query = new URLSearchParams(parameters);
  if (access.key) query.set("api_key", access.key);
  const address = [`api/${path}`, String(query)].filter(Boolean).join("?");
  let response;
  // A silent server must not keep the page waiting; sending pictures may take longer.
  const ends = [options.signal, options.method === "POST" ? null : AbortSignal.timeout?.(30_000)].filter(Boolean);
  const signal = ends.length > 1 && AbortSignal.any ? AbortSignal.any(ends) : ends[0];
  try {
    response = await fetch(address, { ...options, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("the server does not answer", access.remedy);
  }
  if (!response.headers.get("Content-Type")?.startsWith("application/json")) {
    if (response.ok && response.status === 204) return {};
    throw new Refused(`the server is away (${response.status})`, access.remedy, response.status);
  }
  const body = await response.json();
  if (response.ok) return body;
  if (response.status === 401 && !options.headers?.Authorization) access.onLack();
  throw new Refused(body.error ?? "the server refuses that", body.remedy, response.status, body);
}

/** All categories. */
export async function askForCategories() {
  const categories = [];
  for (let hasMore = true; hasMore; ) {
    const part = await ask("categories", { offset: categories.length });
    categories.push(...part.categories);
    hasMore = part.has_more && part.categories.length > 0;
  }
  return categories;
}

/** Stickers of a view, from `offset` on: the newest ones, or those of a category. A query looks through all of them, or
 * through the category alone if `isWithin`. */
export function askForStickers({ category, query, isWithin = false }, offset, limit) {
  const parameters = { format: "webp", offset, limit };
  if (query && !isWithin) return ask("stickers/search", { ...parameters, q: query });
  if (!category) return ask("stickers/trending", parameters);
  if (isWithin) parameters.q = query;
  return ask(`categories/${encodeURIComponent(category)}/stickers`, parameters);
}

/** The address below this page of a file whose public address begins with one of the bases. */
export function local(url) {
  const base = bases.find((base) => url.startsWith(base));
  return base ? `./${url.slice(base.length)}` : url;
}
