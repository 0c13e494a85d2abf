// The page of a profile: where the time goes, and the memory.
'use strict';
const ms = value => value >= 0.1 ? value.toFixed(2) + ' ms' :
  (value * 1000).toFixed(1) + ' µs';
const share = value => (100 * value / Math.max(data.ms, 1e-12)).toFixed(1) +
  ' %';
data.types.forEach(type => colourOf(type.name));
facts(data.title, data.facts);

function timeline() {
  const width = 1150, left = 130, h = 22;
  const ends = data.rows.flatMap(r => r.spans.map(s => s[1] + s[2]));
  if (!ends.length) return '<p>No layer says when it began.</p>';
  const end = Math.max(...ends), scale = (width - left) / end;
  const high = data.rows.length * h + 22;
  let names = '', spans = '';
  data.rows.forEach((row, i) => {
    names += label(4, i * h + 15, shorten(row.process + ': ' + row.name, 21));
    for (const [name, start, length, type, kernel] of row.spans) {
      const x = start * scale, w = length * scale;
      spans += rect(x, i * h + 3, w, h - 5, type ? colourOf(type) : '#c9d3dd',
                    `${name}\n${type} ${kernel}\n${ms(length / 1000)} from ` +
                    ms(start / 1000));
    }
  });
  let axis = '';
  for (let i = 0; i <= 10; ++i) {
    const x = end * scale * i / 10;
    axis += `<path class="axis" d="M${x} 0V${high - 14}"/>` + label(
      x + 2, high - 4, ms(end * i / 10000), 'class="faint"');
  }
  return `<div style="display:flex"><svg style="width:${left}px;flex:none" ` +
    `viewBox="0 0 ${left} ${high}">${names}</svg><svg class="time" ` +
    `preserveAspectRatio="none" style="height:${high}px" viewBox="0 0 ` +
    `${width - left} ${high}">${axis + spans}</svg></div>`;
}

function layerBars() {
  const top = [...data.layers].sort((a, b) => b.ms - a.ms).slice(0, 30);
  return bars(top.map(l => ({name: l.name, value: l.ms, text: ms(l.ms) + ', ' +
    share(l.ms), fill: colourOf(l.type), tip: `${l.name}\n${l.type} ` +
    `${l.kernel}\n${ms(l.ms)}, ${share(l.ms)}`})), 560);
}

function typeBars() {
  return bars(data.types.map(t => ({name: t.name, value: t.ms, text: ms(t.ms) +
    ', ' + share(t.ms), fill: colourOf(t.name), tip: t.name})), 560);
}

function stageTable() {
  return '<table>' + data.stages.map(s => `<tr><td>${esc(s.name)}</td>` +
    `<td class="n">${ms(s.ms)}</td><td>${esc(s.counter || '')}</td></tr>`)
    .join('') + '</table>';
}

function graph() {
  const most = Math.max(...data.graph.map(n => n.ms), 1e-12);
  return drawGraph(data.graph.map(n => ({
    name: n.name, inputs: n.inputs, faint: n.into !== '',
    text: n.type + (n.ms ? ' ' + ms(n.ms) : ''),
    fill: n.into ? '#f4f4f4' : heat(n.ms / most),
    tip: `${n.name}\n${n.type} ${n.kernel} ${n.precision}\n` +
      (n.into ? `computed with ${n.into}` : ms(n.ms) + ', ' + share(n.ms)) +
      (n.layouts ? `\nstores ${n.layouts}` : '')})));
}

// A column a step; in it the tensors that live then, one above the other.
function memory() {
  const width = 1150, high = 240;
  const steps = Math.max(...data.memory.map(t => t.last)) + 1;
  const sums = new Array(steps).fill(0);
  for (const t of data.memory) {
    for (let i = t.first; i <= t.last; ++i) sums[i] += t.bytes;
  }
  const peak = Math.max(...sums, 1), at = sums.indexOf(peak);
  const floor = new Array(steps).fill(0), w = width / steps;
  let picture = '';
  for (const t of data.memory) {
    for (let i = t.first; i <= t.last; ++i) {
      const h = t.bytes * (high - 18) / peak;
      floor[i] += h;
      picture += rect(i * w, high - floor[i], w + 0.3, h, colourOf(t.type),
                      `${t.name}\n${bytesText(t.bytes)} from step ${t.first} ` +
                      `to ${t.last}\nat step ${i}: ${bytesText(sums[i])}`);
    }
  }
  return `<svg viewBox="0 0 ${width} ${high}">${picture}` +
    label(4, 12, `peak ${bytesText(peak)} at step ${at}`) + '</svg>';
}

const hex = n => '0x' + n.toString(16);
// The most that regions of an arena need at one step, and at which.
function mostAtOnce(regions, steps) {
  const sums = new Array(steps).fill(0);
  for (const [, , bytes, first, last] of regions) {
    for (let i = first; i <= last; ++i) sums[i] += bytes;
  }
  const most = Math.max(...sums);
  return [most, sums.indexOf(most)];
}
// A band an arena, in it what lies where: steps across, addresses downwards.
function places() {
  const width = 1150, left = 90, {arenas, regions} = data.places;
  const steps = Math.max(...regions.map(r => r[4])) + 1;
  const w = (width - left) / steps;
  let y = 0, picture = '';
  arenas.forEach((size, arena) => {
    const own = regions.filter(r => r[0] === arena);
    if (!own.length) return;
    const high = Math.max(60, 280 * size / Math.max(...arenas));
    const [most, at] = mostAtOnce(own, steps), top = y + 18;
    picture += label(left, y + 12, `arena ${arena}: ${bytesText(size)}; at ` +
      `step ${at} ${bytesText(most)} of it are in use, the most of all`);
    picture += `<rect x="${left}" y="${top}" width="${width - left}" ` +
      `height="${high}" fill="#f4f4f4"/>`;
    for (let i = 0; i <= 4; ++i) {
      picture += label(left - 6, top + high * i / 4 + 4,
                       hex(Math.round(size * i / 4)),
                       'text-anchor="end" class="faint"');
    }
    for (const [, offset, bytes, first, last, type, name] of own) {
      picture += rect(left + first * w, top + high * offset / size,
                      (last - first + 1) * w, high * bytes / size,
                      type === 'scratch' ? '#dddddd' : colourOf(type),
                      `${name}\n${type}, ${bytesText(bytes)}\n${hex(offset)} ` +
                      `to ${hex(offset + bytes)}\nsteps ${first} to ${last}`,
                      'stroke="#fff" stroke-width="0.5"');
    }
    y = top + high + 8;
  });
  return `<svg viewBox="0 0 ${width} ${y}">${picture}</svg>`;
}

section('Timeline', 'the last inferences; drag, wheel', timeline());
const columns = section('Where the time goes',
  `${ms(data.ms)} of layers an inference, the mean of ${data.inferences}`,
  `<div class="columns"><div><h2>by layer</h2>${layerBars()}</div>` +
  `<div><h2>by type</h2>${typeBars()}<h2>by stage</h2>${stageTable()}` +
  '</div></div>');
if (data.places) section('Memory over time',
  'what lies where in each arena of a request, by its first writer; grey: ' +
  'scratch', places());
else if (data.memory.length) section('Memory over time',
  'tensors between layers that live at each step, by their writers', memory());
if (data.graph.length) section('Graph',
  'redder: slower; dashed: computed with another; drag, wheel', graph());
document.querySelectorAll('svg.time').forEach(svg => canMove(svg, true));
document.querySelectorAll('svg.graph').forEach(svg => canMove(svg, false));
