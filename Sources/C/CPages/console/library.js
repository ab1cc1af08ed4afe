// Dropping pictures, choosing and ordering stickers, and emoji to choose from. Forms work without it, except for these.

// MARK: Pictures

/** How many pictures are sent at the same time. */
const sentAtOnce = 3;
const sending = { waiting: [], count: 0 };

function add(form, pictures) {
  const folder = form.querySelector('[name="folder"]');
  for (const item of form.querySelectorAll('.arriving .there')) item.remove();
  for (const { file, folder: own } of pictures) {
    const place = form.dataset.category ? { category: form.dataset.category } : { folder: own || folder?.value.trim() };
    const item = document.createElement('li');
    const words = document.createElement('span');
    const progress = document.createElement('progress');
    words.textContent = 'waits';
    item.append(`${file?.name ?? own}: `, progress, words);
    form.querySelector('.arriving').append(item);
    if (!file || place.folder === '') {
      words.textContent = file ? 'not sent: name the new category, and add it again' : 'cannot be read';
      item.className = 'bad';
      progress.remove();
      continue;
    }
    sending.waiting.push({ form, file, place, item, words, progress });
  }
  form.dataset.busy = '';
  if (sending.count || sending.waiting.length) sendNext(); else settle(form);
}

function sendNext() {
  while (sending.count < sentAtOnce && sending.waiting.length) {
    sending.count += 1;
    send(sending.waiting.shift());
  }
}

function send(task, replaced) {
  const { form, file, place, item, words, progress } = task;
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ ...place, name: file.name, ...(replaced ? { replace: replaced } : {}) });
  request.open('POST', `/drop?${query}`);
  request.setRequestHeader('X-Key', form.dataset.key);
  request.upload.onprogress = event => { if (event.lengthComputable) progress.value = event.loaded / event.total; };
  words.textContent = 'on its way';
  request.onloadend = () => {
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* The connection broke. */ }
    progress.remove();
    item.className = request.status !== 200 ? 'bad' : answer.state === 'there' ? 'there' : 'good';
    words.textContent = request.status === 200 ? told(answer) : refused(answer);
    if (answer.did) form.dataset.did = answer.did;
    if (request.status === 409 && answer.sha256) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Replace it';
      button.onclick = () => { button.remove(); item.append(progress); sending.count += 1; send(task, answer.sha256); };
      item.append(' ', button);
    }
    sending.count -= 1;
    sendNext();
    if (!sending.count && !sending.waiting.length) settle(form);
  };
  request.send(file);
}

function told(answer) {
  const state = { added: 'is here, and waits to become a sticker', cover: 'is here, and becomes the cover', replaced: 'took the place of the earlier one', there: 'is there already' };
  return state[answer.state] + (answer.twins ? `; the same picture as ${answer.twins}` : '');
}

const refused = answer => answer.error ? `${answer.error}; ${answer.remedy}` : 'not received: send it again';

/** Refusals, and pictures that were there, stay until they are read; without any, the page shows the new pictures. */
function settle(form) {
  form.querySelector('[type="file"]').value = '';
  if (!form.querySelector('.arriving :is(.bad, .there)')) {
    for (const input of form.querySelectorAll('input')) input.value = '';
    if (form.contains(document.activeElement)) document.activeElement.blur();
    delete form.dataset.busy;
    // The page says what can be undone.
    if (form.dataset.did) location.href = `${location.pathname}?did=${form.dataset.did}`;
    return;
  }
  if (form.querySelector('[data-read]')) return;
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: 'I have read that' });
  button.dataset.read = '';
  button.onclick = () => {
    button.remove();
    form.querySelector('.arriving').replaceChildren();
    settle(form);
  };
  form.append(button);
}

let isLeaving = false;
document.addEventListener('submit', event => { isLeaving = !event.defaultPrevented && !event.target.matches('[data-drop]'); });
addEventListener('beforeunload', event => {
  if (sending.count || sending.waiting.length || isFilledIn() && !isLeaving) event.preventDefault();
});

document.addEventListener('submit', event => {
  const form = event.target.closest('form[data-drop]');
  if (!form) return;
  event.preventDefault();
  add(form, [...form.querySelector('[type="file"]').files].map(file => ({ file })));
});

const bringsFiles = event => event.dataTransfer?.types.includes('Files') && document.querySelector('form[data-drop]');
document.addEventListener('dragover', event => {
  if (!bringsFiles(event)) return;
  event.preventDefault();
  document.querySelector('form[data-drop]').classList.add('over');
});
document.addEventListener('dragleave', event => {
  if (!event.relatedTarget) document.querySelector('form[data-drop]')?.classList.remove('over');
});
document.addEventListener('drop', async event => {
  if (!bringsFiles(event)) return;
  event.preventDefault();
  const form = document.querySelector('form[data-drop]');
  form.classList.remove('over');
  // Entries can be asked for only now, before anything is awaited.
  const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  const pictures = [];
  for (const entry of entries) await collect(entry, entry.isDirectory ? entry.name : '', pictures);
  add(form, pictures);
});

/** The files of an entry; those of folders below belong to the outermost one. An entry that cannot be read has no file. */
async function collect(entry, folder, pictures) {
  try {
    if (entry.isFile) {
      pictures.push({ file: await new Promise((resolve, reject) => entry.file(resolve, reject)), folder });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      // A reader gives at most 100 at a time.
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const one of some) if (!one.name.startsWith('.')) await collect(one, folder, pictures);
    }
  } catch {
    pictures.push({ file: null, folder: entry.name });
  }
}

// MARK: Order and choice

let dragged = null;
const cardOf = element => element instanceof Element ? element.closest('.sortable > li') : null;
const bar = kind => document.querySelector(`form.bar.${kind}`);

function move(card, before) {
  if (before === card || before === card.nextElementSibling) return;
  card.parentElement.insertBefore(card, before);
  const paths = [...card.parentElement.children].map(other => other.dataset.path);
  bar('order').elements.order.value = JSON.stringify(paths);
  bar('order').hidden = false;
  showChoice();
}

function step(card, by) {
  const other = by < 0 ? card.previousElementSibling : card.nextElementSibling;
  if (!other) return;
  const focused = document.activeElement;
  move(card, by < 0 ? other : other.nextElementSibling);
  focused?.focus();
  card.scrollIntoView({ block: 'nearest' });
}

/** The page does not show itself again below a card that is held. */
function hold(card) {
  document.querySelector('.sortable[data-busy]')?.removeAttribute('data-busy');
  if (card) card.parentElement.dataset.busy = '';
}

document.addEventListener('pointerdown', event => hold(cardOf(event.target)));
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => hold(dragged));
document.addEventListener('dragstart', event => {
  dragged = cardOf(event.target);
  hold(dragged);
  if (dragged) { event.dataTransfer.setData('text/plain', dragged.dataset.path); event.dataTransfer.effectAllowed = 'move'; }
});
document.addEventListener('dragover', event => {
  const card = dragged && cardOf(event.target);
  if (!card) return;
  event.preventDefault();
  const box = card.getBoundingClientRect();
  const isBehind = event.clientX > box.left + box.width / 2;
  move(dragged, isBehind ? card.nextElementSibling : card);
});
document.addEventListener('drop', event => { if (dragged) event.preventDefault(); });
document.addEventListener('dragend', () => {
  dragged = null;
  hold(null);
});

document.addEventListener('keydown', event => {
  const card = cardOf(event.target);
  if (!card || !event.altKey) return;
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  step(card, by);
});

document.addEventListener('click', event => {
  const button = event.target.closest?.('[data-move], [data-discard], [data-all], [data-none]');
  if (!button) return;
  if (button.dataset.move) return step(cardOf(button), Number(button.dataset.move));
  if ('discard' in button.dataset) {
    isLeaving = true;
    return location.reload();
  }
  for (const box of document.querySelectorAll('.sortable [data-select]')) box.checked = 'all' in button.dataset;
  showChoice();
});

document.addEventListener('change', event => { if (event.target.matches?.('.sortable [data-select]')) showChoice(); });

/** The bar for all that are selected; a new order is saved or discarded first, as saving leads to another page. */
function showChoice() {
  const chosen = [...document.querySelectorAll('.sortable [data-select]:checked')].map(box => cardOf(box).dataset.id);
  const form = bar('many');
  form.hidden = !chosen.length || !bar('order').hidden;
  form.elements.stickers.value = chosen.join(',');
  form.querySelector('[data-count]').textContent = chosen.length;
  tellOfChanges();
}

// MARK: Emoji

let emoji = null;
/** The most emoji that are shown at once. */
const shownEmoji = 240;

function offerEmoji() {
  for (const input of document.querySelectorAll('input[data-emoji]:not([data-offers])')) {
    input.dataset.offers = '';
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: '☺', title: 'Choose emoji' });
    button.setAttribute('aria-label', `Choose emoji: ${input.getAttribute('aria-label') ?? 'Emoji'}`);
    button.className = 'offer';
    button.onclick = () => choose(input);
    input.after(button);
  }
}

async function choose(input) {
  emoji ??= await (await fetch('/_console/emoji.json')).json();
  const dialog = document.createElement('dialog');
  dialog.className = 'emoji';
  dialog.setAttribute('aria-label', 'Emoji');
  const search = document.createElement('input');
  Object.assign(search, { type: 'search', placeholder: 'Search: cat, heart, party' });
  search.setAttribute('aria-label', 'Search emoji');
  const list = document.createElement('div');
  const close = document.createElement('button');
  Object.assign(close, { type: 'button', textContent: 'Done', className: 'main', onclick: () => dialog.close() });
  const chosen = document.createElement('output');
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = emoji.filter(([, name]) => words.every(word => ` ${name}`.includes(` ${word}`)));
    list.replaceChildren(...found.slice(0, shownEmoji).map(([text, name]) => {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', textContent: text, title: name });
      button.setAttribute('aria-label', name);
      button.onclick = () => {
        const had = input.value.split(/\s+/).filter(Boolean);
        input.value = (had.includes(text) ? had.filter(other => other !== text) : [...had, text]).join(' ');
        chosen.textContent = input.value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      };
      return button;
    }));
    if (!found.length) list.textContent = 'No emoji has these words in its English name.';
  };
  search.oninput = event => { event.stopPropagation(); show(); };
  const head = document.createElement('p');
  chosen.textContent = input.value;
  head.append(search, ' ', close);
  dialog.append(head, chosen, list);
  dialog.onclose = () => { dialog.remove(); input.focus(); };
  document.body.append(dialog);
  show();
  dialog.showModal();
  search.focus();
}

// MARK: Look

/** How long to wait for further changes before a look is drawn, in milliseconds. */
const lookPause = 300;
/** How often a look is asked for while another one is drawn. */
const lookAttempts = 40;
const looks = { timer: 0, asked: null };

/** Draws what is filled in, one picture after another; a newer look ends an older one. */
async function tryLook(form) {
  looks.asked?.abort();
  const asked = looks.asked = new AbortController();
  const said = form.querySelector('[data-said]');
  if (!said) return;
  said.className = 'quiet';
  said.textContent = 'draws…';
  const fields = new FormData(form);
  const unused = [...form.querySelectorAll('.marks li')].filter(mark => !mark.querySelector('[type="checkbox"]').checked)
    .flatMap(mark => [...mark.querySelectorAll('[type="number"]')].map(field => field.name));
  for (const name of ['key', 'part', 'try', ...unused]) fields.delete(name);
  try {
    for (const place of form.querySelectorAll('[data-preview]')) {
      const address = `${place.dataset.preview}?${new URLSearchParams(fields)}`;
      let answer = await fetch(address, { signal: asked.signal });
      // One look is drawn at a time.
      for (let again = 0; answer.status === 503 && again < lookAttempts; again += 1) {
        await new Promise(done => setTimeout(done, 2 * lookPause));
        answer = await fetch(address, { signal: asked.signal });
      }
      if (!answer.ok) throw new Error((await answer.json()).error);
      await answer.blob();
      // Pictures that could not be shown gave way to words.
      for (const picture of place.querySelectorAll('img')) picture.src = address;
    }
    said.textContent = 'as it would be published; nothing is saved yet';
  } catch (error) {
    if (asked.signal.aborted) return;
    said.className = 'bad';
    said.textContent = error.message;
  }
}

function tryLater(event) {
  const form = event.target.closest?.('form.look');
  if (!form) return;
  if (event.target.matches('.marks li :is(input, select)')) form.elements.marks.value = 'own';
  clearTimeout(looks.timer);
  looks.timer = setTimeout(() => tryLook(form), lookPause);
}

document.addEventListener('input', tryLater);
document.addEventListener('click', event => {
  if (!event.target.matches?.('form.look [data-try]')) return;
  event.preventDefault();
  tryLook(event.target.form);
});

/** A colour is also chosen from the field of the system. */
function offerColors() {
  for (const input of document.querySelectorAll('input[data-color]:not([data-offers])')) {
    input.dataset.offers = '';
    const chooser = document.createElement('input');
    chooser.type = 'color';
    chooser.className = 'offer';
    chooser.setAttribute('aria-label', `Choose: ${input.parentElement.querySelector('span').textContent}`);
    const show = () => {
      chooser.value = input.value || input.placeholder;
      // The browser writes colours its own way, and nobody has filled this field in.
      chooser.defaultValue = chooser.value;
    };
    chooser.oninput = () => { input.value = chooser.value.toUpperCase(); };
    input.addEventListener('input', show);
    show();
    input.after(chooser);
  }
}

function offer() {
  offerEmoji();
  offerColors();
}

// Pages that show themselves again bring new fields.
new MutationObserver(offer).observe(document.body, { childList: true });
offer();
