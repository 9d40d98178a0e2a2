// The map as seen, as a file: PNG from what is drawn, SVG drawn once more by the same hand into text.

const LEGEND_LINE = 24, LEGEND_FONT = 13;

/** Names of legend entries under a map, left to right, line by line; gives back how tall they are. */
function drawLegend(pen, view, top) {
  const { title, entries } = view.points.legends[view.settings.colour], { theme } = view;
  const shown = entries.flatMap((entry, code) => (entry.count && entry.label && !view.off.has(code) ? [entry] : []));
  let x = 10, y = top + LEGEND_LINE;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.font = `600 ${LEGEND_FONT}px ${theme.font}`;
  pen.fillStyle = theme.text;
  pen.fillText(title, x, y);
  x += pen.measureText(title).width + 18;
  pen.font = `400 ${LEGEND_FONT}px ${theme.font}`;
  for (const entry of shown) {
    const text = `${entry.label}  ${entry.count.toLocaleString("en")}`, wide = pen.measureText(text).width + 34;
    if (x + wide > view.width && x > 10) [x, y] = [10, y + LEGEND_LINE];
    pen.beginPath();
    pen.arc(x + 6, y, 6, 0, 2 * Math.PI);
    pen.fillStyle = entry[theme.dark ? "dark" : "light"];
    pen.fill();
    pen.fillStyle = theme.text;
    pen.fillText(text, x + 17, y);
    x += wide;
  }
  return y + LEGEND_LINE - top;
}

/** A canvas of the points, what lies over them, and the legend. */
function pictureOf(view) {
  const { ratio, width, height, theme } = view, made = document.createElement("canvas");
  const tall = drawLegend(made.getContext("2d"), view, 0); // measured on a scrap
  made.width = view.pointCanvas.width;
  made.height = Math.round((height + tall) * ratio);
  const pen = made.getContext("2d");
  pen.fillStyle = theme.halo;
  pen.fillRect(0, 0, made.width, made.height);
  pen.drawImage(view.pointCanvas, 0, 0);
  pen.drawImage(view.inkCanvas, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawLegend(pen, view, height);
  return made;
}

const escaped = (text) => String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const short = (number) => String(Math.round(number * 10) / 10);

/** What ink.js needs of a canvas's pen, written down as SVG. */
class SvgPen {
  constructor() {
    this.parts = [];
    this.measure = document.createElement("canvas").getContext("2d");
    this.path = "";
    this.dash = [];
    this.globalAlpha = 1;
    this.lineWidth = 1;
    this.moves = [];
  }
  measureText(text) {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }
  setTransform() {}
  clearRect() {}
  save() {
    this.moves.push("");
  }
  restore() {
    this.moves.pop();
  }
  translate(x, y) {
    this.moves[this.moves.length - 1] += `translate(${short(x)} ${short(y)}) `;
  }
  rotate(angle) {
    this.moves[this.moves.length - 1] += `rotate(${(angle * 180) / Math.PI}) `;
  }
  setLineDash(dash) {
    this.dash = dash;
  }
  beginPath() {
    this.path = "";
  }
  moveTo(x, y) {
    this.path += `M${short(x)} ${short(y)}`;
  }
  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${short(x)} ${short(y)}`;
  }
  /** A whole circle, the only arc that is drawn. */
  arc(x, y, radius) {
    const r = short(radius);
    this.path += `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0`;
  }
  closePath() {
    this.path += "Z";
  }
  add(tag, more, text) {
    const moved = this.moves.join("").trim(), alpha = this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : "";
    this.parts.push(`<${tag} ${more}${alpha}${moved ? ` transform="${moved}"` : ""}${text === undefined ? "/>" : `>${escaped(text)}</${tag}>`}`);
  }
  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash}"` : "";
    this.add("path", `d="${this.path}" fill="none" stroke="${escaped(this.strokeStyle)}" stroke-width="${this.lineWidth}"${dash}`);
  }
  fill() {
    this.add("path", `d="${this.path}" fill="${escaped(this.fillStyle)}"`);
  }
  words(text, x, y, paint) {
    const anchor = this.textAlign === "center" ? "middle" : "start";
    const place = `x="${short(x)}" y="${short(y)}" text-anchor="${anchor}" dominant-baseline="central"`;
    const [, weight, size, family] = /^(\d+) ([\d.]+px) (.*)$/.exec(this.font);
    this.add("text", `${place} font-weight="${weight}" font-size="${size}" font-family="${escaped(family)}" ${paint}`, text);
  }
  strokeText(text, x, y) {
    this.words(text, x, y, `fill="none" stroke="${escaped(this.strokeStyle)}" stroke-width="${this.lineWidth}" stroke-linejoin="round"`);
  }
  fillText(text, x, y) {
    this.words(text, x, y, `fill="${escaped(this.fillStyle)}"`);
  }
}

/** Points in view as one path a colour: each a dot of its stroke's round ends. */
function svgPoints(view) {
  const { points, states, theme, radius, settings } = view, { order, count } = points;
  const codes = points.arrays[settings.colour], { entries } = points.legends[settings.colour];
  const paths = new Map();
  for (let n = 0; n < count; n += 1) {
    const row = order[n], [x, y] = view.spotOf(row);
    if (x < -radius || y < -radius || x > view.width + radius || y > view.height + radius) continue;
    const group = states[row] === FAINT ? "faint" : `${states[row]},${codes[row]}`;
    paths.set(group, `${paths.get(group) || ""}M${short(x)} ${short(y)}h0`);
  }
  const groups = [...paths.keys()].sort((a, b) => (a === "faint" ? -1 : b === "faint" ? 1 : a.localeCompare(b)));
  return groups.map((group) => {
    const [state, code] = group.split(",");
    const colour = group === "faint" ? `rgb(${view.faint.colour})` : entries[code][theme.dark ? "dark" : "light"];
    const wide = 2 * (group === "faint" ? radius * 0.8 : Number(state) === LIT ? view.litRadius : radius);
    const alpha = group === "faint" ? view.faint.alpha / 256 : 0.85;
    return `<path d="${paths.get(group)}" stroke="${colour}" stroke-width="${short(wide)}" stroke-opacity="${alpha.toFixed(2)}" stroke-linecap="round" fill="none"/>`;
  });
}

function svgOf(view) {
  const pen = new SvgPen();
  drawInk(pen, view);
  const tall = view.height + drawLegend(pen, view, view.height);
  const clip = `<clipPath id="frame"><rect width="${view.width}" height="${view.height}"/></clipPath>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${tall}" viewBox="0 0 ${view.width} ${tall}">`,
    `<title>${escaped(view.settings.description)}</title>`, clip,
    `<rect width="${view.width}" height="${tall}" fill="${view.theme.halo}"/>`,
    `<g clip-path="url(#frame)">`, ...svgPoints(view), "</g>", ...pen.parts, "</svg>", "",
  ].join("\n");
}

function saveFile(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Save the map as seen, as "png" or "svg"; nothing before it is drawn. */
function savePicture(view, kind) {
  if (!view.shift || !view.theme) return;
  const name = `priorscope-map.${kind}`;
  if (kind === "svg") saveFile(name, new Blob([svgOf(view)], { type: "image/svg+xml" }));
  else pictureOf(view).toBlob((blob) => saveFile(name, blob), "image/png");
}
