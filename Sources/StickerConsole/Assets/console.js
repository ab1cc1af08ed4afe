// Shows the page again when the library has changed, unless somebody looks elsewhere or fills a form in.
const live = document.getElementById('live');
let known = null;
let isFilledIn = false;

document.addEventListener('input', () => { isFilledIn = true; live.textContent = 'waits for you'; });
document.addEventListener('visibilitychange', () => { if (!document.hidden) look(false); });

const isBusy = () => document.hidden || isFilledIn || document.activeElement?.closest('form') != null;

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
  if (repeats) setTimeout(() => look(true), 2000);
}

async function refresh() {
  const answer = await fetch(location.href, { cache: 'no-store' });
  const main = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('main');
  if (!answer.ok || !main) return false;
  document.getElementById('main').replaceWith(main);
  return true;
}

look(true);
