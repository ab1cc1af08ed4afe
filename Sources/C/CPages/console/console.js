// Shows the page again when the library has changed, unless somebody looks elsewhere or is about to do something.
const live = document.getElementById('live');
const main = () => document.getElementById('main');
let isFilledIn = false;
// A page that takes long is asked for seldom.
let pause = 2000;

document.addEventListener('input', () => { isFilledIn = true; live.textContent = 'waits for you'; });
document.addEventListener('visibilitychange', () => { if (!document.hidden) look(false); });

const isBusy = () => document.hidden || isFilledIn || document.querySelector('main details[open]') != null
  || document.activeElement?.closest('form') != null;

async function look(repeats) {
  try {
    const answer = await fetch('/state', { cache: 'no-store' });
    const state = answer.ok ? await answer.text() : '';
    if (!isFilledIn) live.textContent = answer.ok ? 'live' : answer.status === 401 ? '' : 'not connected';
    // What is not shown now is shown later; a page without a state stays as it is.
    if (![undefined, state].includes(main().dataset.state) && !isBusy()) await refresh();
  } catch {
    live.textContent = 'not connected';
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
  main().replaceWith(next);
  // Who goes through the page by keyboard stays where they are.
  if (link) main().querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
}

// Files that no browser reads, and those that are gone, say so instead of showing a torn picture.
function say(picture) {
  const words = document.createElement('span');
  words.textContent = picture.alt && `${picture.alt}: not shown here`;
  picture.replaceWith(words);
}

document.addEventListener('error', event => { if (event.target.tagName === 'IMG') say(event.target); }, true);
// The list is copied: pictures that are replaced leave document.images while it is walked through.
for (const picture of [...document.images]) if (picture.complete && !picture.naturalWidth) say(picture);
look(true);
