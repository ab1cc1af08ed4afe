// What this page and the app around it say to each other; docs/compose.md is the contract.

import { setting } from "./compose-page.js";

const version = 1;

/** The way to the app: the page that embeds this one, or the native program whose web view this is. */
export class Bridge {
  #receive;
  #origin = null;
  #native = nativeWay();

  /** `receive` gets messages of the app, by their type without `stickerd.`. */
  constructor(receive) {
    this.#receive = receive;
    if (this.#native) {
      addEventListener("message", (event) => {
        if (event.source === window && event.origin === location.origin) this.#take(event.data);
      });
      // A WebMessageListener of Android answers through its own object.
      if ("onmessage" in (this.#native.object ?? {})) {
        this.#native.object.onmessage = (event) => this.#take(parsed(event.data));
      }
    } else if (parent !== window) {
      this.#origin = embedder();
      addEventListener("message", (event) => {
        if (event.source !== parent || !setting.origins.includes(event.origin)) return;
        this.#origin = event.origin;
        this.#take(event.data);
      });
    }
  }

  /** Whether there is an app: without an entry in the list, no page can be around this one. */
  get isThere() { return this.isNative || (parent !== window && setting.origins.length > 0); }
  get isNative() { return Boolean(this.#native); }

  #take(message) {
    if (typeof message !== "object" || message === null || typeof message.type !== "string") return;
    if (!message.type.startsWith("stickerd.")) return;
    const type = message.type.slice("stickerd.".length);
    // What this page says itself comes back in a native view.
    if (["ready", "changed", "loaded", "exported", "error"].includes(type)) return;
    if (message.version !== undefined && message.version !== version) {
      const words = `version ${String(message.version).slice(0, 20)} is not known`;
      this.send("error", { id: message.id, message: words, remedy: `send version ${version}` });
      return;
    }
    this.#receive(type, message);
  }

  /** Says something to the app, and to nobody else. */
  send(type, content = {}) {
    const message = { type: `stickerd.${type}`, version, ...content };
    if (message.id === undefined) delete message.id;
    if (this.#native) {
      this.#native.post(message);
    } else if (parent !== window) {
      // Who embeds this page is one of them, as the browser lets nobody else; only in an old one it is not known which.
      for (const origin of this.#origin ? [this.#origin] : setting.origins) parent.postMessage(message, origin);
    }
  }
}

function parsed(text) {
  try {
    return typeof text === "string" ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function embedder() {
  const origins = [location.ancestorOrigins?.[0], document.referrer && new URL(document.referrer).origin];
  return origins.find((origin) => origin && setting.origins.includes(origin)) ?? null;
}

function nativeWay() {
  if (parent !== window) return null;
  const apple = window.webkit?.messageHandlers?.stickerd;
  if (apple) return { post: (message) => apple.postMessage(message) };
  const android = window.stickerdApp;
  if (typeof android?.postMessage === "function") {
    return { object: android, post: (message) => android.postMessage(JSON.stringify(message)) };
  }
  return null;
}
