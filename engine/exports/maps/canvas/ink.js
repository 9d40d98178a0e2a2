// What lies over the points: cluster labels, the query with its neighbours, the lasso.

const LABEL_FONTS = [
  { size: 16, weight: 700, line: 19 },
  { size: 14, weight: 600, line: 17 },
  { size: 12, weight: 600, line: 15 },
];
const LABEL_SHIFTS = [0, -1, 1, -1.8, 1.8]; // where its own place is taken, a label may stand this many lines beside it
const ZOOM_OF_LEVEL = [0, 1.9, 4.2]; // from this zoom on, a level's labels have room

function levelAtZoom(levels, zoom) {
  let chosen = levels[0];
  levels.forEach((level, rank) => {
    if (zoom >= (ZOOM_OF_LEVEL[rank] ?? ZOOM_OF_LEVEL[2] * 2 ** (rank - 2))) chosen = level;
  });
  return chosen;
}

/** Two lines at most, cut near the middle, so that a label stays over its cluster. */
function wrapLabel(text) {
  if (text.length <= 18) return [text];
  const words = text.split(" ");
  let best = [text];
  for (let cut = 1, least = Infinity; cut < words.length; cut += 1) {
    const lines = [words.slice(0, cut).join(" "), words.slice(cut).join(" ")];
    const longest = Math.max(lines[0].length, lines[1].length);
    if (longest < least) [best, least] = [lines, longest];
  }
  return best;
}

const overlaps = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Draw the labels of one level, largest cluster first; one that would cover another waits for more zoom. */
function drawLabels(pen, view, taken) {
  const { points, theme } = view;
  const rank = Math.min(view.levels.indexOf(view.level), LABEL_FONTS.length - 1);
  const font = LABEL_FONTS[Math.max(rank, 0)];
  pen.font = `${font.weight} ${font.size}px ${theme.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  for (const label of points.labels) {
    if (label.level !== view.level) continue;
    const [x, y] = view.toScreen(label.x, label.y);
    if (x < -80 || y < -20 || x > view.width + 80 || y > view.height + 20) continue;
    const lines = wrapLabel(label.text);
    const half = Math.max(...lines.map((line) => pen.measureText(line).width)) / 2 + 5;
    const middle = Math.min(Math.max(x, half + 2), view.width - half - 2);
    const tall = (lines.length * font.line) / 2 + 3;
    const boxAt = (at) => ({ left: middle - half, right: middle + half, top: at - tall, bottom: at + tall });
    const free = LABEL_SHIFTS.map((shift) => y + shift * font.line).find((at) => !taken.some((other) => overlaps(boxAt(at), other)));
    if (free === undefined) continue;
    taken.push(boxAt(free));
    lines.forEach((line, n) => haloText(pen, line, middle, free + (n - (lines.length - 1) / 2) * font.line, theme));
  }
}

function haloText(pen, text, x, y, theme) {
  pen.strokeStyle = theme.halo;
  pen.lineWidth = 4;
  pen.strokeText(text, x, y);
  pen.fillStyle = theme.text;
  pen.fillText(text, x, y);
}

/** Lines from the query to its true neighbours, and a ring with its rank around each of them. */
function drawNeighbours(pen, view, taken) {
  const { query, theme } = view;
  const centre = view.toScreen(query.x, query.y);
  const spots = query.neighbours.map((row) => view.spotOf(row));
  const apart = new Set(query.apart); // those that only this map's encoder finds
  const [alone, shared] = [true, false].map((only) => spots.filter((_, n) => apart.has(query.neighbours[n]) === only));
  drawLines(pen, centre, spots, 4, theme.halo, 0.55);
  pen.setLineDash([5, 4]);
  drawLines(pen, centre, alone, 1.4, theme.accent, 0.9);
  pen.setLineDash([]);
  drawLines(pen, centre, shared, 1.8, theme.accent, 0.9);
  spots.forEach(([x, y]) => drawRing(pen, x, y, view.radius + 3, theme));
  pen.font = `700 11px ${theme.font}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  const numbered = [];
  spots.forEach(([x, y]) => taken.push({ left: x - 7, right: x + 7, top: y - 7, bottom: y + 7 }));
  spots.forEach(([x, y], rank) => {
    const box = { left: x + 5, right: x + 22, top: y - 15, bottom: y - 2 };
    if (numbered.some((other) => overlaps(box, other))) return;
    numbered.push(box);
    haloText(pen, String(rank + 1), box.left + 2, y - 9, theme);
  });
}

function drawLines(pen, from, spots, width, colour, alpha) {
  pen.lineWidth = width;
  pen.strokeStyle = colour;
  pen.globalAlpha = alpha;
  for (const [x, y] of spots) {
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(x, y);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

function drawRing(pen, x, y, radius, theme) {
  for (const [width, colour] of [[4.5, theme.halo], [2, theme.text]]) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.stroke();
  }
}

/** The query: a star within a ring, unlike anything else on the map, with its name beside it. */
function drawQuery(pen, view, taken) {
  const { theme, query } = view;
  const [x, y] = view.toScreen(query.x, query.y);
  pen.beginPath();
  pen.arc(x, y, 15, 0, 2 * Math.PI);
  pen.fillStyle = theme.halo;
  pen.globalAlpha = 0.85;
  pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = 3;
  pen.strokeStyle = theme.accent;
  pen.stroke();
  pen.beginPath();
  for (let corner = 0; corner < 10; corner += 1) {
    const reach = corner % 2 ? 4.2 : 10.5, angle = (corner * Math.PI) / 5 - Math.PI / 2;
    pen.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  pen.closePath();
  pen.fillStyle = theme.accent;
  pen.fill();
  pen.font = `700 13px ${theme.font}`;
  const wide = pen.measureText(query.label).width;
  const [left, middle] = placeBeside(view, x, y, wide);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  taken.push({ left: x - 17, right: x + 17, top: y - 17, bottom: y + 17 });
  taken.push({ left, right: left + wide, top: middle - 10, bottom: middle + 10 });
  haloText(pen, query.label, left, middle, theme);
}

/** Where the query's name has room: at its right, at its left, else under it. */
function placeBeside(view, x, y, wide) {
  const end = view.width - TOOLS_PIXELS;
  if (x + 21 + wide <= end) return [x + 21, y];
  if (x - 22 - wide >= 4) return [x - 22 - wide, y];
  return [Math.max(4, Math.min(x - wide / 2, end - wide)), y + 27];
}

/** The document that the page points at: two rings, so that it differs from a neighbour's one. */
function drawFocus(pen, view) {
  const [x, y] = view.spotOf(view.settings.focus);
  drawRing(pen, x, y, view.radius + 4, view.theme);
  drawRing(pen, x, y, view.radius + 9, { ...view.theme, text: view.theme.accent });
}

/** The document that is pointed at on the other map; where it lies outside the view, an arrow to it at the edge. */
function drawEcho(pen, view) {
  const { theme, width, height } = view, edge = 16;
  const [x, y] = view.spotOf(view.echoed);
  const [left, top] = [Math.min(Math.max(x, edge), width - edge), Math.min(Math.max(y, edge), height - edge)];
  if (left === x && top === y) {
    drawLines(pen, [x, 0], [[x, height]], 1, theme.accent, 0.45);
    drawLines(pen, [0, y], [[width, y]], 1, theme.accent, 0.45);
    drawRing(pen, x, y, view.radius + 6, { ...theme, text: theme.accent });
    return;
  }
  pen.save();
  pen.translate(left, top);
  pen.rotate(Math.atan2(y - top, x - left));
  pen.beginPath();
  [[12, 0], [-7, -9], [-3, 0], [-7, 9]].forEach(([dx, dy]) => pen.lineTo(dx, dy));
  pen.closePath();
  pen.strokeStyle = theme.halo;
  pen.lineWidth = 4;
  pen.stroke();
  pen.fillStyle = theme.accent;
  pen.fill();
  pen.restore();
}

/** The middle of the map, where the keys point. */
function drawCross(pen, { width, height, theme }) {
  const [x, y] = [width / 2, height / 2], reach = 9;
  for (const [wide, colour] of [[5, theme.halo], [2, theme.accent]]) {
    drawLines(pen, [x - reach, y], [[x + reach, y]], wide, colour, 1);
    drawLines(pen, [x, y - reach], [[x, y + reach]], wide, colour, 1);
  }
}

function drawShape(pen, shape, theme) {
  if (!shape || shape.length < 2) return;
  pen.beginPath();
  shape.forEach(([x, y]) => pen.lineTo(x, y));
  pen.closePath();
  pen.fillStyle = theme.accent;
  pen.globalAlpha = 0.14;
  pen.fill();
  pen.globalAlpha = 1;
  pen.setLineDash([5, 4]);
  pen.lineWidth = 1.5;
  pen.strokeStyle = theme.accent;
  pen.stroke();
  pen.setLineDash([]);
}

function drawInk(pen, view) {
  pen.clearRect(0, 0, view.width, view.height);
  const taken = [view.tools, view.finder.form].map(({ offsetLeft: left, offsetTop: top, offsetWidth: wide, offsetHeight: tall }) => (
    { left, top, right: left + wide, bottom: top + tall })); // no label under the tools
  if (view.query) {
    drawNeighbours(pen, view, taken);
    drawQuery(pen, view, taken);
  }
  if (view.level !== null) drawLabels(pen, view, taken);
  if (view.settings.focus !== null) drawFocus(pen, view);
  if (view.echoed !== null) drawEcho(pen, view);
  if (view.hovered !== null) drawRing(pen, ...view.spotOf(view.hovered), view.radius + 4, view.theme);
  drawPair(pen, view);
  if (view.aiming) drawCross(pen, view);
  drawShape(pen, view.shape, view.theme);
}
