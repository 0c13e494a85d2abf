// What the page of a vision processor's program has beside that of a profile.
const decades = (low, high) => {
  const list = [];
  for (let d = Math.floor(low); d <= Math.ceil(high); ++d) list.push(d);
  return list;
};

// Rates of layers over their intensities, under the roofs of engine and DDR.
function roofline() {
  const {gmacs, gbytes, points} = data.roofline;
  const width = 1150, high = 300, left = 60, log = Math.log10;
  const xs = [log(gmacs / gbytes), ...points.map(p => log(p.x))];
  const ys = [log(gmacs), ...points.map(p => log(p.y))];
  const [x0, x1] = [Math.floor(Math.min(...xs)), Math.ceil(Math.max(...xs))];
  const [y0, y1] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))];
  const px = x => left + (width - left - 10) * (log(x) - x0) / (x1 - x0 || 1);
  const py = y => 8 + (high - 40) * (y1 - log(y)) / (y1 - y0 || 1);
  let picture = '';
  for (const d of decades(x0, x1)) {
    picture += `<path class="axis" d="M${px(10 ** d)} 8V${high - 32}"/>` +
      label(px(10 ** d) + 2, high - 20, 10 ** d, 'class="faint"');
  }
  for (const d of decades(y0, y1)) {
    picture += `<path class="axis" d="M${left} ${py(10 ** d)}H${width}"/>` +
      label(4, py(10 ** d) + 4, 10 ** d, 'class="faint"');
  }
  const bend = gmacs / gbytes, start = Math.max(10 ** x0, 10 ** y0 / gbytes);
  picture += '<path fill="none" stroke="#c85a54" d="M' +
    `${px(start)} ${py(start * gbytes)}L${px(bend)} ${py(gmacs)}H${width}"/>`;
  for (const p of points) {
    picture += rect(px(p.x) - 4, py(p.y) - 4, 8, 8, colourOf(p.type),
                    `${p.name}\n${p.type}\n${p.y.toFixed(1)} GMAC/s at ` +
                    `${p.x.toFixed(1)} MAC a byte`, 'fill-opacity="0.7"');
  }
  return `<svg viewBox="0 0 ${width} ${high}">${picture}` +
    label(left, high - 5, 'MAC a byte of operands') +
    label(left + 4, 18, 'GMAC/s') + '</svg>';
}

// Buffers by their addresses, over the stages while they live.
function map(rows, size, high) {
  const width = 1150, w = width / data.map.stages;
  return `<svg viewBox="0 0 ${width} ${high}">` +
    `<rect width="${width}" height="${high}" fill="#f4f4f4"/>` +
    rows.map(r => rect(
      r.first * w, high * (1 - (r.offset + r.bytes) / size),
      (r.last - r.first + 1) * w, Math.max(1, high * r.bytes / size),
      colourOf(r.type), `${r.name}\n${bytesText(r.bytes)} at ${r.offset}` +
      (r.reason ? '\n' + r.reason : ''), 'stroke="#fff" stroke-width="0.5"'))
      .join('') + '</svg>';
}

function stages() {
  return '<table>' + data.program.map(s => `<tr><td class="n">${ms(s.ms)}` +
    `</td><td>${esc(s.lane)}</td><td>${esc(s.bound)}</td>` +
    `<td>${esc(s.name)}</td><td>${esc(s.reason)}</td></tr>`).join('') +
    '</table>';
}

if (data.roofline.points.length) section('Roofline',
  'layers of the engine: rate over multiply-adds a byte of operands, below ' +
  'what engine and DDR allow', roofline());
const inCmx = data.map.rows.filter(r => r.cmx);
const inDdr = data.map.rows.filter(r => !r.cmx);
const endOf = rows => Math.max(1, ...rows.map(r => r.offset + r.bytes));
section('CMX over the stages', `${bytesText(data.map.cmx)} of one executor`,
        map(inCmx, data.map.cmx, 200));
section('DDR over the stages', `${bytesText(endOf(inDdr))}, outputs that CMX ` +
        'does not hold', map(inDdr, endOf(inDdr), 120));
section('Stages', 'time, unit, what bounds it, why it is so', stages());
