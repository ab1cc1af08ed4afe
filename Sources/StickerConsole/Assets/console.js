// Shows the page again when the library has changed, unless somebody is typing or choosing.
const live = document.getElementById('live');
let known = null;

const isBusy = () => document.hidden || ['INPUT', 'SELECT'].includes(document.activeElement?.tagName);

async function look() {
  try {
    const state = await (await fetch('/state', { cache: 'no-store' })).text();
    live.textContent = 'live';
    if (known !== null && state !== known && !isBusy()) await refresh();
    known = state;
  } catch {
    live.textContent = 'not connected';
  }
  setTimeout(look, 2000);
}

async function refresh() {
  const address = new URL(location.href);
  address.searchParams.delete('did');
  const answer = await fetch(address, { cache: 'no-store' });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = page.getElementById('main');
  if (main) document.getElementById('main').replaceWith(main);
}

look();
