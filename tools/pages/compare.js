// The page of a comparison: which layer is off, and how the error goes through
// the network.
'use strict';
const short = value => value === null ? '∞' : value === 0 ? '0' :
  value.toExponential(1);
const number = value => value === null ? 'not finite' :
  String(Number(value.toPrecision(6)));
data.layers.forEach(layer => colourOf(layer.type));
facts(data.title, data.facts);
const first = data.first_off < 0 ? null : data.layers[data.first_off];
add(first ? `<p class="wrong">The first layer that is off: ${esc(first.type)} ` +
  `${esc(first.name)}, by ${short(first.own.relative)} of its greatest ` +
  'value.</p>' : '<p class="good">No layer is off by itself.</p>');

// A logarithmic scale from what f32 cannot hold to more than the value itself.
function errorPlot() {
  const width = 1150, high = 260, left = 46, low = -9, top = 2;
  const n = data.layers.length, w = (width - left) / Math.max(1, n);
  const y = value => {
    const e = value === null ? top : Math.log10(Math.max(value, 1e-9));
    return 8 + (high - 24) * (top - Math.min(top, e)) / (top - low);
  };
  let picture = '';
  for (let e = low; e <= top; ++e) {
    const at = y(10 ** e);
    picture += `<path class="axis" d="M${left} ${at}H${width}"/>` +
      label(4, at + 4, e === low ? '0' : '1e' + e, 'class="faint"');
  }
  const limit = y(data.tolerance);
  picture += `<path d="M${left} ${limit}H${width}" stroke="#b3261e" ` +
    'stroke-dasharray="5 3"/>' +
    label(width - 4, limit - 4, 'tolerance', 'text-anchor="end" fill="#b3261e"');
  let line = '';
  data.layers.forEach((layer, i) => {
    const x = left + i * w, at = y(layer.own.relative);
    picture += rect(x, at, Math.max(1, w - 1), high - 16 - at,
                    layer.off ? '#c8372d' : colourOf(layer.type),
                    `${layer.type} ${layer.name}\nits own: ` +
                    `${short(layer.own.relative)}\nthrough the network: ` +
                    short(layer.through.relative));
    line += `${i ? 'L' : 'M'}${x + w / 2} ${y(layer.through.relative)}`;
  });
  return `<svg viewBox="0 0 ${width} ${high}">${picture}` +
    `<path d="${line}" fill="none" stroke="#111" stroke-width="1.5" ` +
    'pointer-events="none"/></svg>';
}

function layerTable() {
  const cell = d => `<td class="n">${short(d.relative)}</td>` +
    `<td class="n">${short(d.largest)}</td>`;
  const places = d => d.problem ? esc(d.problem) : d.worst.map(
    p => esc(`${p.position}: ${number(p.got)}, want ${number(p.want)}`)
  ).join('<br>');
  return '<table><tr><th>type</th><th>layer</th><th class="n">its own</th>' +
    '<th class="n">largest</th><th class="n">through</th><th class="n">largest' +
    '</th><th>worst places of its own</th></tr>' + data.layers.map((l, i) =>
    `<tr class="${i === data.first_off ? 'first' : l.off ? 'bad' : ''}">` +
    `<td>${esc(l.type)}</td><td>${esc(l.name)}</td>${cell(l.own)}` +
    `${cell(l.through)}<td>${places(l.own)}</td></tr>`).join('') + '</table>';
}

function outputTable() {
  return '<table><tr><th>output</th><th class="n">relative</th>' +
    '<th class="n">largest</th></tr>' + data.outputs.map(o => `<tr class="${
      o.off ? 'bad' : ''}"><td>${esc(o.name)}</td><td class="n">` +
    `${short(o.difference.relative)}</td><td class="n">` +
    `${short(o.difference.largest)}</td></tr>`).join('') + '</table>';
}

section('Error through the network',
  'bars: each layer with right inputs; line: with all that came before',
  errorPlot());
section('Outputs', 'of the model as it is', outputTable());
section('Layers', 'in the order of the graph; differences in parts of the ' +
  'greatest value', layerTable());
