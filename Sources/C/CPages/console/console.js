// Shows the page again when the library has changed, unless somebody looks elsewhere or is about to do something.
const live = document.getElementById('live');
const main = () => document.getElementById('main');
// A page that takes long is asked for seldom.
let pause = 2000;

document.addEventListener('input', () => tellOfChanges());
document.addEventListener('visibilitychange', () => { if (!document.hidden) look(false); });

function tell(words) {
  live.textContent = words;
  live.classList.toggle('on', words === 'live');
}

/** Whether a field holds something else than the page brought. */
function isChanged(field) {
  if (field.type === 'hidden') return false;
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked;
  if (field.tagName === 'SELECT') {
    const first = [...field.options].some(option => option.defaultSelected) ? -1 : 0;
    return [...field.options].some((option, index) => option.selected !== (option.defaultSelected || index === first));
  }
  return field.value !== field.defaultValue;
}

// Fields that were filled in, what was chosen or moved, and pictures on their way are not to be lost.
const isFilledIn = () => document.querySelector('[data-busy], form.bar:not([hidden]), dialog[open]') != null
  || [...document.querySelectorAll('main input, main select')].some(isChanged);

function tellOfChanges() { if (isFilledIn()) tell('waits for you'); }

const isBusy = () => document.hidden || isFilledIn() || document.querySelector('main details[open]') != null
  || document.activeElement?.closest('form, main summary') != null;

async function look(repeats) {
  try {
    const answer = await fetch('/state', { cache: 'no-store' });
    const state = answer.ok ? await answer.text() : '';
    if (!isFilledIn()) tell(answer.ok ? 'live' : answer.status === 401 ? '' : 'not connected');
    // What is not shown now is shown later; a page without a state stays as it is.
    if (![undefined, state].includes(main().dataset.state) && !isBusy()) await refresh();
  } catch {
    tell('not connected');
  }
  if (repeats) setTimeout(() => look(true), pause);
}

async function refresh() {
  const start = performance.now();
  const answer = await fetch(location.href, { cache: 'no-store' });
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('main');
  pause = Math.max(2000, 10 * (performance.now() - start));
  if (!next || isBusy()) return;
  const link = document.activeElement?.closest('main a')?.getAttribute('href');
  const isInside = document.activeElement === main();
  keepPictures(document.adoptNode(next));
  main().replaceWith(next);
  if (isInside) next.focus({ preventScroll: true });
  setClock();
  // Who goes through the page by keyboard stays where they are.
  if (link) main().querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
}

/** Moves pictures that are shown already into the page that replaces this one: new ones would flicker. */
function keepPictures(next) {
  const shown = new Map([...main().querySelectorAll('img')].map(picture => [picture.getAttribute('src'), picture]));
  for (const picture of next.querySelectorAll('img')) {
    const old = shown.get(picture.getAttribute('src'));
    if (!old?.naturalWidth || !shown.delete(picture.getAttribute('src'))) continue;
    old.alt = picture.alt;
    picture.replaceWith(old);
  }
}

// Files that no browser reads, and those that are gone, say so instead of showing a torn picture.
function say(picture) {
  const words = document.createElement('span');
  words.textContent = picture.alt && `${picture.alt}: not shown here`;
  picture.replaceWith(words);
}

/** The words of the server for a time: `8 s`, `3 min`, `2 h 10 min`, `4 d`. */
function asTime(seconds) {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.floor((seconds + 30) / 60)} min`;
  if (seconds >= 172800) return `${Math.floor(seconds / 86400)} d`;
  const minutes = Math.floor(seconds % 3600 / 60);
  return `${Math.floor(seconds / 3600)} h${minutes ? ` ${minutes} min` : ''}`;
}

/** What is said to be a while ago stays true on a page that nothing else changes, by the clock of the server. */
let skew = 0;
function setClock() { skew = Date.now() - Date.parse(main().dataset.now); }
function age() {
  for (const time of document.querySelectorAll('time.ago')) {
    const words = `${asTime(Math.max(0, Math.floor((Date.now() - skew - Date.parse(time.dateTime)) / 1000)))} ago`;
    if (time.textContent !== words) time.textContent = words;
  }
}

setClock();
setInterval(() => { if (!document.hidden) age(); }, 5000);

document.addEventListener('error', event => { if (event.target.tagName === 'IMG') say(event.target); }, true);
// The list is copied: pictures that are replaced leave document.images while it is walked through.
for (const picture of [...document.images]) if (picture.complete && !picture.naturalWidth) say(picture);
look(true);
