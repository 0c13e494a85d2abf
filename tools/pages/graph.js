// The graph as a picture: a row of boxes for each distance from the inputs,
// those that run as part of another in its box's shade.
'use strict';
function ranksOf(nodes) {
  const ranks = new Array(nodes.length).fill(0);
  nodes.forEach((node, i) => {
    for (const from of node.inputs) ranks[i] = Math.max(ranks[i],
                                                        ranks[from] + 1);
  });
  return ranks;
}
// Each row in the order of the middle of what its boxes read.
function placesOf(nodes) {
  const rows = [], places = new Array(nodes.length);
  ranksOf(nodes).forEach((rank, i) => (rows[rank] = rows[rank] || []).push(i));
  rows.forEach((row, y) => {
    const middle = new Map(row.map(i => {
      const xs = nodes[i].inputs.map(from => places[from].x);
      return [i, xs.length ? xs.reduce((a, b) => a + b) / xs.length : 0];
    }));
    row.sort((a, b) => middle.get(a) - middle.get(b));
    let x = -Infinity;
    for (const i of row) {
      x = Math.max(x + 1, middle.get(i));
      places[i] = {x, y};
    }
    const off = row.reduce((sum, i) => sum + places[i].x - middle.get(i), 0) /
      row.length;
    for (const i of row) places[i].x -= off;
  });
  return places;
}
// Nodes are {name, text, inputs, fill, tip, faint}, in topological order.
function drawGraph(nodes) {
  const wide = 132, high = 44, places = placesOf(nodes);
  const at = places.map(p => [p.x * (wide + 14), p.y * high]);
  const xs = at.map(p => p[0]), ys = at.map(p => p[1]);
  const left = Math.min(...xs) - 10, right = Math.max(...xs) + wide + 10;
  const bottom = Math.max(...ys) + high;
  let lines = '', boxes = '';
  nodes.forEach((node, i) => {
    const [x, y] = at[i];
    for (const from of node.inputs) {
      const x0 = at[from][0] + wide / 2, y0 = at[from][1] + 30;
      const x1 = x + wide / 2;
      lines += `<path d="M${x0} ${y0}C${x0} ${y0 + 12} ${x1} ${y - 12} ` +
        `${x1} ${y}" fill="none" stroke="#999"/>`;
    }
    boxes += rect(x, y, wide, 30, node.fill, node.tip,
                  'rx="4" stroke="#888"' +
                  (node.faint ? ' stroke-dasharray="3 2"' : '')) +
      label(x + 6, y + 13, shorten(node.text, 22)) +
      label(x + 6, y + 25, shorten(node.name, 22), 'class="faint"');
  });
  // The whole width, and as much of the height as a screen shows.
  const width = Math.max(right - left, 1100);
  const x = (left + right - width) / 2;
  const shown = Math.min(bottom + 20, width * 0.9);
  return `<svg class="graph" viewBox="${x} -10 ${width} ${shown}">` +
    lines + boxes + '</svg>';
}
