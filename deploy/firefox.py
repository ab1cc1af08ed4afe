"""Firefox, driven by Marionette, for the checks beside this file. Playwright has none for the systems they run on."""

import contextlib
import json
import re
import time

from marionette_driver.errors import MarionetteException, NoSuchElementException, StaleElementException
from marionette_driver.keys import Keys
from marionette_driver.marionette import Marionette

from checks import Program, fail, free_port

# A busy machine needs its time.
SECONDS_MAX = 60
# More than Tab reaches on any page.
TABS_MAX = 400
SCHEMES = {"dark": 0, "light": 1}

# Notes errors, warnings and broken policies of pages, and who asks whom; nothing of the browser itself, nor of scripts
# that come from here.
LISTEN = """
window.stickerdSeen = [];
Services.console.registerListener({ observe(message) {
  if (!(message instanceof Ci.nsIScriptError) || message.isFromChromeContext) return;
  if (!/^$|^(https?|file|data|blob):/.test(message.sourceName) && !/^CSP/.test(message.category)) return;
  stickerdSeen.push(`${message.category}: ${message.errorMessage} ${message.sourceName}:${message.lineNumber}`);
} });
Services.obs.addObserver(subject => {
  const channel = subject.QueryInterface(Ci.nsIChannel);
  if (!channel.loadInfo.triggeringPrincipal.isSystemPrincipal) stickerdSeen.push(`asks ${channel.URI.spec}`);
}, "http-on-modify-request");
"""
# The width of a phone is less than that of any window with an address bar.
RESIZE = """
const [width, height, hasTouch] = arguments;
const browser = gBrowser.selectedBrowser;
for (const [name, value] of [["width", width], ["height", height]])
  for (const least of ["", "min-", "max-"]) browser.style.setProperty(`${least}${name}`, `${value}px`);
if (hasTouch) {
  browser.browsingContext.inRDMPane = true;
  browser.browsingContext.setRDMPaneMaxTouchPoints(1);
  browser.browsingContext.touchEventsOverride = "enabled";
}
"""
# The sides on which the mark of the focus is cut off.
MARK = """
const style = getComputedStyle(arguments[0]), box = arguments[0].getBoundingClientRect();
if (style.outlineStyle === "none") return ["all sides"];
const beyond = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
for (let outer = arguments[0].parentElement; outer && outer !== document.body; outer = outer.parentElement) {
  if (getComputedStyle(outer).overflowX === "visible") continue;
  const around = outer.getBoundingClientRect();
  const [left, top] = [around.left + outer.clientLeft, around.top + outer.clientTop];
  const cut = { left: left - box.left, top: top - box.top,
                right: box.right - left - outer.clientWidth, bottom: box.bottom - top - outer.clientHeight };
  const sides = Object.keys(cut).filter((side) => cut[side] + beyond > 0.5);
  if (sides.length) return sides;
}
return [];
"""


class Firefox:
    """A browser with an empty profile and one page, until the with block ends. It reaches nobody beyond this machine,
    as its proxy does not exist; `faults` lists the mistakes of its pages."""

    def __init__(self, folder, kind, scheme, size, allowed):
        self.folder, self.kind, self.size = folder, kind, size
        self.allowed, self.faults, self.actions = tuple(f"asks {base}" for base in allowed), [], 0
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True)
        self.port, proxy = free_port(), free_port()
        preferences = {
            "marionette.port": self.port,
            "layout.css.prefers-color-scheme.content-override": SCHEMES[scheme],
            "browser.download.dir": str(self.downloads), "browser.download.folderList": 2,
            "browser.download.useDownloadDir": True, "browser.download.alwaysOpenPanel": False,
            "browser.download.always_ask_before_handling_new_types": False,
            # Messages of pages to the console go into the log.
            "devtools.console.stdout.content": True,
            "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": proxy,
            "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": proxy,
        }
        (folder / "profile").mkdir()
        (folder / "profile/user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()))

    def __enter__(self):
        self.program = Program(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.folder / "profile", "--marionette",
             # Only the browser's own windows hear about the errors of pages.
             "--remote-allow-system-access"], self.folder)
        try:
            self.wire = Marionette(host="127.0.0.1", port=self.port, socket_timeout=2 * SECONDS_MAX)
            self.wire.raise_for_port(SECONDS_MAX, check_process_status=False)
            self.wire.start_session()
            self.wire.set_window_rect(width=max(self.size[0], 1000), height=self.size[1] + 200)
            self.inside(LISTEN)
            self.inside(RESIZE, *self.size, self.kind == "finger")
        except BaseException:
            self.program.stop()
            raise
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.faults += self.wrong()
            else:
                with contextlib.suppress(MarionetteException, OSError):
                    print(f"--- {self.kind}, {self.wire.get_url()}", self.text("body")[:2000], *self.wrong(), sep="\n")
        finally:
            self.program.stop()

    def inside(self, script, *arguments):
        """Runs a script in the browser's own window."""
        with self.wire.using_context("chrome"):
            return self.wire.execute_script(script, arguments, sandbox="system")

    def run(self, script, *arguments):
        """Runs a script in the page, whose policy does not count for it; returns its value."""
        return self.wire.execute_script(script, arguments)

    def seen(self):
        """All requests of the pages so far, and all that went wrong in them."""
        told = re.findall(r'^console\.(?:error|warn|assert|trace): ["(].*', self.program.said(), re.MULTILINE)
        return self.inside("return stickerdSeen") + told

    def wrong(self):
        """The part of it that no page should do."""
        return [line for line in self.seen() if not line.startswith(self.allowed)]

    # Looking

    def until(self, found, what):
        """Waits for what `found` returns. A page that is about to be replaced counts as one that lacks it."""
        end, last = time.monotonic() + SECONDS_MAX, None
        while True:
            try:
                last = found()
                if last:
                    return last
            except MarionetteException as error:
                last = error
            if time.monotonic() > end:
                fail(f"{self.kind}: never {what}; last: {last}")
            time.sleep(0.05)

    def all(self, css, name=None):
        """The visible elements of this name, as assistive technology hears it: a text, or a pattern."""
        def is_named(element):
            heard = element.computed_label.strip()
            return name is None or (heard == name if isinstance(name, str) else name.search(heard) is not None)
        return [one for one in self.wire.find_elements("css selector", css) if one.is_displayed() and is_named(one)]

    def one(self, css, name=None):
        return self.until(lambda: self.all(css, name), f"{css} {name or ''}")[0]

    def text(self, css):
        """The visible text of all elements of this kind, a line for each."""
        return self.run("return [...document.querySelectorAll(arguments[0])]"
                        ".map(one => one.innerText.replace(/\\s+/g, ' ').trim()).join('\\n')", css) or ""

    def sees(self, css, words):
        """Waits for a text, or a pattern."""
        pattern = words if isinstance(words, re.Pattern) else re.compile(re.escape(words))
        self.until(lambda: pattern.search(self.text(css)), f"“{pattern.pattern}” in {css}")

    def counts(self, css, count):
        self.until(lambda: len(self.wire.find_elements("css selector", css)) == count, f"{count} of {css}")

    # Acting

    def open(self, address):
        self.wire.navigate(address)

    def press(self, css, name=None):
        """Presses a button, a link or a box."""
        self.actions += 1
        self.act(css, name, self.use)

    def write(self, css, name, text):
        """Replaces the text of a field."""
        self.actions += 1
        self.act(css, name, self.reach if self.kind == "keys" else self.use)
        self.keys("a", held=Keys.CONTROL)
        self.keys(*text)

    def act(self, css, name, action):
        """Does it with the element that is there now: pages show themselves again, with elements of their own."""
        end = time.monotonic() + SECONDS_MAX
        while True:
            try:
                return action(self.one(css, name))
            except (StaleElementException, NoSuchElementException):
                if time.monotonic() > end:
                    raise

    def use(self, element):
        if self.kind == "keys":
            self.reach(element)
            self.keys(Keys.SPACE if element.get_attribute("type") == "checkbox" else Keys.ENTER)
        elif self.kind == "finger":
            self.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element)
            self.pointer("touch").pointer_move(0, 0, origin=element).pointer_down().pointer_up().perform()
        else:
            element.click()

    def reach(self, element):
        """Goes from where the keys are to an element, by Tab alone."""
        script = """const at = document.activeElement;
            if (at === arguments[0]) return 0;
            return at.compareDocumentPosition(arguments[0]) & Node.DOCUMENT_POSITION_PRECEDING ? -1 : 1;"""
        for _ in range(TABS_MAX):
            way = self.run(script, element)
            if way == 0:
                return self.see_the_mark(element)
            self.keys(Keys.TAB, held=Keys.SHIFT if way < 0 else None)
        fail(f"{self.kind}: Tab does not lead to {element.get_property('outerHTML')[:200]}")

    def see_the_mark(self, element):
        """Notes an element whose mark of the focus is missing, or cut off by what scrolls around it."""
        cut = self.run(MARK, element)
        if cut:
            self.faults.append(f"the mark of the focus is cut off at {', '.join(cut)} of "
                               f"{element.get_property('outerHTML')[:120]} on {self.wire.get_url()}")

    def keys(self, *keys, held=None):
        """Presses keys one after the other, all of them while `held` is down."""
        sequence = self.wire.actions.sequence("key", "keyboard")
        if held:
            sequence.key_down(held)
        for key in keys:
            sequence.key_down(key).key_up(key)
        if held:
            sequence.key_up(held)
        sequence.perform()

    def pointer(self, kind):
        return self.wire.actions.sequence("pointer", kind, {"pointerType": kind})

    def choose(self, css, *files):
        """Chooses files, as a dialog of the system does."""
        self.actions += 1
        field = self.wire.find_element("css selector", css)
        # Marionette gives files only to fields in sight, and not to those that a button stands for.
        was = self.run("const was = arguments[0].hidden; arguments[0].hidden = false; return was", field)
        field.send_keys("\n".join(map(str, files)))
        if was:
            self.run("arguments[0].hidden = true", field)

    def download(self, css, name=None):
        """The file that a button or a link saves, once it is whole."""
        before = set(self.downloads.iterdir())
        self.press(css, name)

        def saved():
            new = set(self.downloads.iterdir()) - before
            return not any(path.suffix == ".part" or path.stat().st_size == 0 for path in new) and list(new)
        return self.until(saved, f"saved by {css}")[0]

    def keep(self, pictures, name):
        """Notes a page that is wider than its screen, and keeps a picture of the page if somebody wants it."""
        if self.run("return document.documentElement.scrollWidth > innerWidth"):
            self.faults.append(f"{name} is wider than the screen")
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            (pictures / f"firefox-{name}.png").write_bytes(self.wire.screenshot(format="binary", full=True))
