// What the pages draw with: texts, colours, bars, pictures that can be moved.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const escapes = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};
const esc = text => String(text).replace(/[&<>"]/g, c => escapes[c]);
const palette = ['#4878a8', '#e49444', '#5b9f5b', '#c85a54', '#8a6bb0',
  '#94725e', '#d083b3', '#8a8a8a', '#b3ad3a', '#4bacb8'];
const kinds = new Map();
// One colour a type, the first types the plainest ones.
function colourOf(type) {
  if (!kinds.has(type)) kinds.set(type, palette[kinds.size % palette.length]);
  return kinds.get(type);
}
// From nearly white to red, by a share from 0 to 1.
function heat(share) {
  const s = Math.sqrt(Math.min(1, Math.max(0, share)));
  return `rgb(${Math.round(252 - 18 * s)},${Math.round(246 - 140 * s)},` +
    `${Math.round(238 - 165 * s)})`;
}
function bytesText(n) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let i = 0;
  while (n >= 1024 && i < 3) { n /= 1024; ++i; }
  return (i ? n.toFixed(1) : n) + ' ' + units[i];
}
function add(html) {
  const part = document.createElement('div');
  part.innerHTML = html;
  document.getElementById('page').append(part);
  return part;
}
const shorten = (text, n) => text.length > n ?
  text.slice(0, n / 2) + '…' + text.slice(-n / 2 + 1) : text;
const section = (title, note, body) =>
  add(`<h2>${esc(title)} <small>${esc(note)}</small></h2>${body}`);
const rect = (x, y, w, h, fill, tip, more = '') =>
  `<rect class="hit" x="${x}" y="${y}" width="${Math.max(w, 0.2)}" ` +
  `height="${h}" fill="${fill}" data-tip="${esc(tip)}" ${more}/>`;
const label = (x, y, text, more = '') =>
  `<text x="${x}" y="${y}" ${more}>${esc(text)}</text>`;
function facts(title, rows) {
  add(`<h1>${esc(title)}</h1><table class="facts">` + rows.map(
    ([k, v]) => `<tr><td>${esc(k)}</td><td>${esc(v)}</td></tr>`).join('') +
    '</table>');
}
// Bars of {name, value, text, fill, tip}, the names at the left.
function bars(items, width) {
  const most = Math.max(...items.map(i => i.value), 1e-12), h = 17;
  const left = width * 0.42, room = width - left - 105;
  return `<svg viewBox="0 0 ${width} ${items.length * h + 6}">` +
    items.map((item, i) => {
      const w = room * item.value / most, y = i * h + 4;
      return label(left - 6, y + 11, shorten(item.name, 34),
                   'text-anchor="end"') +
        rect(left, y, w, h - 4, item.fill, item.tip) +
        label(left + w + 5, y + 11, item.text);
    }).join('') + '</svg>';
}
// Dragging moves a picture, the wheel makes it larger or smaller; `across`
// alone for one whose rows stay where they are.
function canMove(svg, across) {
  const whole = svg.viewBox.baseVal, box = [whole.x, whole.y, whole.width,
    whole.height];
  const show = () => svg.setAttribute('viewBox', box.join(' '));
  svg.classList.add('pan');
  svg.addEventListener('wheel', event => {
    event.preventDefault();
    const at = svg.getBoundingClientRect(), by = event.deltaY < 0 ? 0.8 : 1.25;
    const x = (event.clientX - at.left) / at.width;
    const y = (event.clientY - at.top) / at.height;
    box[0] += box[2] * x * (1 - by);
    box[2] *= by;
    if (!across) { box[1] += box[3] * y * (1 - by); box[3] *= by; }
    show();
  }, {passive: false});
  let from = null;
  svg.addEventListener('pointerdown', e => { from = [e.clientX, e.clientY]; });
  window.addEventListener('pointerup', () => { from = null; });
  svg.addEventListener('pointermove', event => {
    if (!from) return;
    const at = svg.getBoundingClientRect();
    box[0] -= (event.clientX - from[0]) * box[2] / at.width;
    if (!across) box[1] -= (event.clientY - from[1]) * box[3] / at.height;
    from = [event.clientX, event.clientY];
    show();
  });
}
const tip = document.getElementById('tip');
document.addEventListener('pointermove', event => {
  const text = event.target.dataset && event.target.dataset.tip;
  tip.style.display = text ? 'block' : 'none';
  if (!text) return;
  tip.textContent = text;
  const left = event.clientX + 14 + tip.offsetWidth > innerWidth ?
    event.clientX - 14 - tip.offsetWidth : event.clientX + 14;
  tip.style.left = Math.max(0, left) + 'px';
  tip.style.top = Math.min(event.clientY + 14,
                           innerHeight - tip.offsetHeight) + 'px';
});
