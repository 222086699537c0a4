'use strict';
(() => {
const $ = s => document.querySelector(s), $$ = s => [...document.querySelectorAll(s)];
const data = JSON.parse($('#data').textContent), { classes } = data;
const canvas = $('#map');

// ---- Colour: canvas needs resolved values, so a probe asks the style sheet ------------------------
const probe = document.body.appendChild(document.createElement('i'));
probe.hidden = true;
const token = name => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
let ink;
const readColours = () => { ink = { paper: token('paper'), text: token('ink'), soft: token('ink-3'), given: token('given'), hue: [0, 1, 2, 3, 4, 5].map(i => token('h' + i)) }; };
const colourOf = c => c.given ? ink.given : ink.hue[c.hue];

// ---- Rows in typed arrays, those of a class side by side ------------------------------------------
const rows = data.rows, n = rows.x.length, SEED = 1, ABSTAIN = 2;
const of = Uint32Array.from(rows.c), certain = Uint8Array.from(rows.p), status = Uint8Array.from(rows.s);
const [first, byClass] = bucket(of, classes.length);
const px = new Float32Array(n), py = new Float32Array(n);

/** Sort numbers into buckets: where each bucket begins, and the members of all, one bucket after the other. */
function bucket(key, count) {
  const starts = new Uint32Array(count + 1), members = new Uint32Array(key.length);
  for (const k of key) starts[k + 1]++;
  for (let k = 0; k < count; k++) starts[k + 1] += starts[k];
  const next = starts.slice();
  for (let i = 0; i < key.length; i++) members[next[key[i]]++] = i;
  return [starts, members];
}

// ---- Map --------------------------------------------------------------------------------------------
const view = { chosen: null, hover: null, mode: 'class' };        // one small state; draw() reads it, nothing else does
const CELL = 10, REACH = 9;                                       // pixels: a cell of the grid, and how far the pointer reaches
let ctx, W, H, across, cellFirst, byCell;

function layout() {
  const box = canvas.getBoundingClientRect(), dpr = window.devicePixelRatio || 1, pad = 14;
  W = box.width; H = box.height; canvas.width = W * dpr; canvas.height = H * dpr; ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  const [w, h] = data.extent, scale = Math.min((W - 2 * pad) / w, (H - 2 * pad) / h);
  const left = (W - scale * w) / 2, top = (H - scale * h) / 2;
  across = Math.floor(W / CELL) + 1;
  const cells = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    px[i] = left + scale * rows.x[i]; py[i] = top + scale * rows.y[i];
    cells[i] = Math.floor(py[i] / CELL) * across + Math.floor(px[i] / CELL);
  }
  [cellFirst, byCell] = bucket(cells, across * (Math.floor(H / CELL) + 1));
  classes.forEach((c, k) => place(c, k, left + scale * c.x, top + scale * c.y));
}

/** A label's place: over, under or on the bulk of its class; what strayed far from its middle does not count. */
function place(c, k, x, y) {
  const own = byClass.subarray(first[k], first[k + 1]), away = i => Math.hypot(px[i] - x, py[i] - y);
  const bulk = Math.max(60, Math.min(140, 1.5 * (Float32Array.from(own, away).sort()[own.length >> 1] ?? 0)));
  const ys = Float32Array.from(own.filter(i => away(i) < bulk), i => py[i]).sort();
  c.px = x; c.py = y; c.shown = ys.length > 0;
  c.top = (ys[Math.floor(ys.length * .03)] ?? y) - 11; c.bottom = (ys[Math.floor(ys.length * .97)] ?? y) + 11;
}

/** The more rows, the smaller the dots; small ones are squares, which are drawn ten times faster. */
const radius = () => Math.max(.7, Math.min(3.4, 2.1 * (6000 / Math.max(n, 1)) ** (n > 6000 ? .5 : .2)) * Math.max(.5, Math.min(1, W / 820)));
function dotAt(i, r) {
  if (r < 1.3) { ctx.fillRect(px[i] - r, py[i] - r, 2 * r, 2 * r); return; }
  ctx.beginPath(); ctx.arc(px[i], py[i], r, 0, 7); ctx.fill();
}
function ringAt(i, r) { ctx.beginPath(); ctx.arc(px[i], py[i], r, 0, 7); ctx.stroke(); }

let asked = 0;
const draw = () => { asked ||= requestAnimationFrame(() => { asked = 0; paint(); }); };       // many wishes, one drawing

function paint() {
  if (!ctx || !W) return;
  ctx.clearRect(0, 0, W, H);
  const focus = view.hover ?? view.chosen, near = focus === null ? null : classes[focus].near;
  // Given (or everything unfocused) first, found over it, the focused class last: ink follows attention.
  const layer = k => focus === null ? (classes[k].given ? 0 : 1) : k === focus ? 2 : k === near ? 1 : 0;
  for (const pass of [0, 1, 2]) classes.forEach((c, k) => { if (layer(k) === pass) paintClass(c, k, focus, pass); });
  ctx.globalAlpha = 1;
  labels(focus === null ? classes : [classes[focus], ...(near === null ? [] : [classes[near]])], focus === null ? null : classes[focus]);
}

function paintClass(c, k, focus, pass) {
  const on = focus === null || pass === 2, r = radius() * (on && focus !== null ? 1.4 : 1), unsure = view.mode === 'sure' && on;
  const colour = unsure ? ink.text : on || pass === 1 ? colourOf(c) : ink.given, alpha = on ? (focus === null ? .8 : .95) : pass === 1 ? .45 : .22;
  const ringed = [];
  ctx.fillStyle = ctx.strokeStyle = colour; ctx.globalAlpha = alpha; ctx.lineWidth = Math.min(1.1, .7 * r);
  for (let at = first[k]; at < first[k + 1]; at++) {
    const i = byClass[at];
    if (unsure) ctx.globalAlpha = status[i] === SEED ? .06 : .06 + .94 * (1 - certain[i] / 100) ** 1.6;
    if (status[i] === ABSTAIN && on) ringAt(i, Math.max(r * 1.2, 1.2));                             // fits no class: hollow
    else { dotAt(i, r); if (status[i] === SEED && on && !unsure) ringed.push(i); }
  }
  ctx.globalAlpha = 1; ctx.lineWidth = Math.min(1.3, .6 * r); ctx.strokeStyle = ink.text;
  for (const i of ringed) ringAt(i, Math.max(r, 1.1));                                         // your label: ringed
}

/** Write names where they fit: largest class first, a name that would touch another is left out. */
function labels(list, focus) {
  const taken = [], most = W < 500 ? 20 : 30;
  ctx.textBaseline = 'middle'; ctx.lineJoin = 'round';
  for (const c of list.filter(c => c.shown).sort((a, b) => (b === focus) - (a === focus) || a.given - b.given || b.size - a.size)) {
    ctx.font = `${c.given ? 400 : 500} ${c === focus ? 14 : 11.5}px Inter, system-ui, sans-serif`;
    const letters = [...c.name], text = letters.length > most && c !== focus ? letters.slice(0, most - 2).join('').trimEnd() + '…' : c.name;
    const w = ctx.measureText(text).width, x = Math.max(4, Math.min(W - w - 4, c.px - w / 2));
    const y = [c.top, c.bottom, c.py].find(y => y > 6 && y < H - 6 && !taken.some(t => x < t.x + t.w + 10 && t.x < x + w + 10 && Math.abs(t.y - y) < 17));
    if (y === undefined) continue;
    taken.push({ x, y, w });
    ctx.lineWidth = 4; ctx.strokeStyle = ink.paper; ctx.strokeText(text, x, y);
    ctx.fillStyle = c.given || (focus !== null && c !== focus) ? ink.soft : ink.text; ctx.fillText(text, x, y);
  }
}

/** The row under the pointer: only the cells around it are looked through. */
function rowAt(x, y) {
  let best = -1, gap = REACH ** 2;
  const row = Math.floor(y / CELL), column = Math.floor(x / CELL), last = cellFirst.length / across;
  for (let v = Math.max(row - 1, 0); v <= row + 1 && v < last; v++) for (let u = Math.max(column - 1, 0); u <= column + 1 && u < across; u++) {
    for (let at = cellFirst[v * across + u]; at < cellFirst[v * across + u + 1]; at++) {
      const i = byCell[at], d = (px[i] - x) ** 2 + (py[i] - y) ** 2;
      if (d < gap && (view.chosen === null || of[i] === view.chosen)) { gap = d; best = i; }
    }
  }
  return best;
}

const el = (tag, ...inside) => { const e = document.createElement(tag); e.append(...inside); return e; };   // text nodes only: rows are hostile input
const dot = c => { const d = el('span'); d.className = 'dot' + (c.given ? ' given' : ''); d.style.setProperty('--c', c.given ? 'var(--given)' : `var(--h${c.hue})`); return d; };
const probability = p => p === 100 ? '1' : '.' + String(p).padStart(2, '0');

function showText(i) {
  const tip = $('#tip'), ring = $('#ring');
  tip.hidden = ring.hidden = i < 0;
  if (i < 0) return;
  const c = classes[of[i]], said = ['certainty ' + probability(certain[i]), 'your label', 'fits no class well'][status[i]];
  const name = el('span', el('bdi', c.name), ', ' + said);
  name.firstChild.style.display = 'inline';
  tip.replaceChildren(...(rows.t[i] ? [el('bdi', rows.t[i])] : []), el('small', dot(c), name));
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(0, Math.min(W - w, px[i] + 14 + w > W ? px[i] - w - 14 : px[i] + 14)) + 'px';
  tip.style.top = canvas.offsetTop + (py[i] + h + 20 > H ? py[i] - h - 12 : py[i] + 14) + 'px';
  ring.style.transform = `translate(${px[i] - 7}px, ${canvas.offsetTop + py[i] - 7}px)`;      // moving a ring is free; redrawing the map is not
}

function isolate(k) {
  view.chosen = k; view.hover = null;
  if (!canvas) return;
  draw(); showText(-1);
  $$('.index button').forEach(b => b.setAttribute('aria-pressed', String(+b.dataset.c === k)));
  const peek = $('#peek'); peek.hidden = k === null;
  $('#hint').replaceChildren(...(k === null ? ['Click a class to isolate it'] : [Object.assign(el('a', 'Read its card'), { href: '#c' + k }), ' · Esc shows all']));
  if (k !== null) peek.replaceChildren(...about(classes[k]));
  peek.classList.toggle('right', k !== null && classes[k].px < 340 && classes[k].py < 200);       // never over the class that it tells of
  $$('.ice [data-c]').forEach(p => p.classList.toggle('on', +p.dataset.c === k));
}
const toggle = k => isolate(view.chosen === k ? null : k);

/** A class in a few lines. */
function about(c) {
  const lines = [el('b', dot(c), el('bdi', c.name)), `${c.size.toLocaleString('en')} ${c.size === 1 ? 'row' : 'rows'}, ${c.given ? 'given by you' : 'found'}`];
  if (c.terms.length) lines.push(el('br'), el('bdi', c.terms.join(', ')));
  if (c.near !== null) lines.push(el('br'), 'Nearest: ', el('bdi', classes[c.near].name));
  return lines;
}

if (canvas) {
  ctx = canvas.getContext('2d');
  let last = -1;
  const point = e => { const i = rowAt(e.offsetX, e.offsetY); if (i !== last) { last = i; showText(i); } return i; };
  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerleave', () => { last = -1; showText(-1); });
  canvas.addEventListener('click', e => { const i = rowAt(e.offsetX, e.offsetY); isolate(i < 0 || of[i] === view.chosen ? null : of[i]); last = -1; point(e); });
  addEventListener('keydown', e => { if (e.key === 'Escape') isolate(null); });

  // The index beside the map: also the map's keyboard and screen-reader twin
  $$('.index button').forEach(b => {
    const k = +b.dataset.c, peek = on => { view.hover = on ? k : null; draw(); };
    b.addEventListener('click', () => toggle(k));
    b.addEventListener('pointerenter', () => peek(true)); b.addEventListener('pointerleave', () => peek(false));
  });
  $('#find').addEventListener('input', e => {
    const asked = e.target.value.trim().toLowerCase();
    const left = $$('.index li').filter(li => !(li.hidden = !li.textContent.toLowerCase().includes(asked)));
    $$('.index h3').forEach(h => { h.hidden = !left.some(li => li.parentNode === h.nextElementSibling); });
    $('#none').hidden = left.length > 0;
  });
  $$('[name=mode]').forEach(r => r.addEventListener('change', () => { view.mode = r.value; draw(); }));
  $$('.ice path').forEach(p => p.addEventListener('click', () => toggle(+p.dataset.c)));

  const redraw = () => { readColours(); layout(); paint(); };
  new ResizeObserver(redraw).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  const theme = document.documentElement.dataset;
  addEventListener('beforeprint', () => { theme.theme = 'light'; redraw(); });                // paper is white
  addEventListener('afterprint', () => { delete theme.theme; redraw(); });
  redraw();
}

// ---- What is wider than a small screen scrolls, by keyboard too -----------------------------------------
const wide = new ResizeObserver(seen => seen.forEach(({ target: t }) => t.scrollWidth > t.clientWidth ? t.setAttribute('tabindex', '0') : t.removeAttribute('tabindex')));
$$('.wide, .tablewrap').forEach(t => wide.observe(t));

// ---- Cards: show, sort, and no more than a page of them at a time --------------------------------------
const cards = $$('.card'), perPage = +$('.cards').dataset.page, more = $('#more');
const by = { size: (a, b) => b.dataset.size - a.dataset.size, map: (a, b) => a.dataset.order - b.dataset.order, stab: (a, b) => a.dataset.stab - b.dataset.stab };
let limit = perPage;
function showCards() {
  const kind = $('#show')?.value ?? 'all', wanted = cards.filter(c => kind === 'all' || kind === c.dataset.kind);
  const shown = new Set(wanted.slice(0, limit));
  cards.forEach(c => { c.hidden = !shown.has(c); });
  more.hidden = wanted.length <= limit;
  more.textContent = `Show ${Math.min(perPage, wanted.length - limit)} more`;
  if ($('#shown')) $('#shown').textContent = more.hidden ? '' : `the first ${limit} of ${wanted.length}`;
}
$('#sort')?.addEventListener('change', e => { $('.cards').append(...cards.sort(by[e.target.value])); limit = perPage; showCards(); });
$('#show')?.addEventListener('change', () => { limit = perPage; showCards(); });
more.addEventListener('click', () => { const next = cards.find(c => c.hidden); limit += perPage; showCards(); next?.querySelector('a')?.focus(); });

/** A link to a card that is not shown shows it. */
function reveal() {
  const card = cards.find(c => '#' + c.id === location.hash);
  if (!card?.hidden) return;
  if ($('#show')) $('#show').value = 'all';
  limit = Math.max(limit, perPage * Math.ceil((cards.indexOf(card) + 1) / perPage));
  showCards(); card.scrollIntoView();
}
addEventListener('hashchange', reveal);
showCards(); reveal();
})();
