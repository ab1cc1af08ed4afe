// Shows the page again when the library has changed, unless somebody looks elsewhere or is about to do something.
const live = document.getElementById('live');
let known = null;
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
    if (!answer.ok) throw new Error(answer.status);
    const state = await answer.text();
    if (!isFilledIn) live.textContent = 'live';
    // What could not be shown now is shown later.
    if (known === null || (state !== known && !isBusy() && await refresh())) known = state;
  } catch {
    live.textContent = 'not connected';
  }
  if (repeats) setTimeout(() => look(true), pause);
}

async function refresh() {
  const start = performance.now();
  const answer = await fetch(location.href, { cache: 'no-store' });
  const main = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('main');
  pause = Math.max(2000, 10 * (performance.now() - start));
  if (!answer.ok || !main || isBusy()) return false;
  document.getElementById('main').replaceWith(main);
  return true;
}

look(true);
