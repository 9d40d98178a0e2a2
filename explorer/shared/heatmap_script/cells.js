// The cells of a heatmap over its chart: the chosen one and the one pointed at are framed and said, and the arrow keys
// and presses choose another, which the page can follow before the server has heard of it.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const PAUSE_MILLISECONDS = 150; // a key that is held down sends where it ends, not each cell on the way
const REST_MILLISECONDS = 20; // a pointer that crosses the heatmap opens where it rests, not each cell on the way
const SMALLEST_FRAME = 10; // pixels: the cells of long documents are too small to be seen framed
const AREA = ".nsewdrag"; // the part of a chart where its cells are

const grids = new Map(); // heatmap -> { first, what, shape, numbers (row by row, in hundredths), leftOut, openings }
const heatmaps = new Set(); // views that show them
const EMPTY = { first: [0, 0], shape: [0, 0], numbers: [], openings: [[], []] };

const sameCell = (one, other) => Boolean(one && other) && one[0] === other[0] && one[1] === other[1];

const APART_PIXELS = 1; // letters have some air around them in their boxes

/** The corners of a name on the screen, also of one that is turned. */
function cornersOf(name) {
  const { x, y, width, height } = name.getBBox(), matrix = name.getScreenCTM();
  const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
  return corners.map(([left, top]) => new DOMPoint(left, top).matrixTransform(matrix));
}

/** Whether two boxes, turned or not, lie apart: along a side of one of them they do not meet. */
function areApart(one, other) {
  return [one, other].some((box) => [0, 1].some((side) => {
    const [from, to] = [box[side], box[side + 1]], length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const along = (corners) => corners.map(({ x, y }) => (x * (to.x - from.x) + y * (to.y - from.y)) / length);
    const [a, b] = [along(one), along(other)];
    return Math.max(...a) <= Math.min(...b) + APART_PIXELS || Math.max(...b) <= Math.min(...a) + APART_PIXELS;
  }));
}

const NAMES_SHARE = 1 / 3; // of a chart's width is the most that a name takes
const cuts = new WeakMap(); // chart -> axis -> { full, cut }: the names of its rows or columns, whole and as drawn
const SIGNS = { "&amp;": "&", "&lt;": "<", "&gt;": ">" }; // as Plotly reads them

/** As much of a name as has room; `wide` measures. */
function cutName(name, room, wide) {
  const signs = name.match(/&(?:amp|lt|gt);|[^]/gu) ?? [], said = (some) => some.map((sign) => SIGNS[sign] ?? sign).join("");
  if (wide(said(signs)) <= room) return name;
  let kept = signs.length - 1;
  while (kept > 1 && wide(`${said(signs.slice(0, kept))}…`) > room) kept -= 1;
  return `${signs.slice(0, kept).join("").trimEnd()}…`;
}

/** Draw names that take too much of the chart's width again, shorter, so that the cells get the room. */
function cutNames(chart) {
  const drawn = chart.querySelector(".ytick text"), redraw = window.Plotly?.relayout, changes = {};
  if (!drawn || !redraw) return;
  const pen = document.createElement("canvas").getContext("2d"), { fontSize, fontFamily } = getComputedStyle(drawn);
  pen.font = `${fontSize} ${fontFamily}`;
  const axes = cuts.get(chart) ?? {}, wide = (text) => pen.measureText(text).width;
  for (const axis of ["xaxis", "yaxis"]) {
    const now = [...(chart.layout?.[axis]?.ticktext ?? [])], known = axes[axis];
    const full = known && String(known.cut) === String(now) ? known.full : now; // else the page has named them again
    const cut = full.map((name) => cutName(name, chart.clientWidth * NAMES_SHARE, wide));
    axes[axis] = { full, cut };
    if (String(cut) !== String(now)) changes[`${axis}.ticktext`] = cut;
  }
  cuts.set(chart, axes);
  if (Object.keys(changes).length) redraw(chart, changes);
}

/** Let a name that is cut say the whole of it to a pointer that rests on it. */
function tellWhole(chart) {
  for (const [axis, tick] of [["xaxis", "xtick"], ["yaxis", "ytick"]]) {
    const { full = [], cut = [] } = cuts.get(chart)?.[axis] ?? {};
    for (const name of chart.querySelectorAll(`.${tick} text`)) {
      const at = cut.indexOf(name.dataset.unformatted), whole = at >= 0 && full[at] !== cut[at] ? full[at] : "";
      if (!whole || name.querySelector("title")) continue;
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = whole.replace(/&(?:amp|lt|gt);/gu, (sign) => SIGNS[sign]);
      name.append(title);
      name.style.pointerEvents = "all";
    }
  }
}

/** How light a colour is, as WCAG 2 reckons it, from 0 to 1. */
function lightness(rgb) {
  const linear = rgb.map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

const SAME_CONTRAST = 0.179; // of a ground on which black and white are read equally well, at 4.58 to 1

/** Set each number black or white, whichever is read better on its cell. */
function inkNumbers(chart, numbers) {
  const { colorscale: steps, zmin, zmax } = chart._fullData?.[0] ?? {};
  if (!steps || !numbers.length) return;
  const pen = document.createElement("canvas").getContext("2d");
  const ground = steps.map(([, colour]) => {
    pen.fillStyle = colour;
    return [1, 3, 5].map((at) => parseInt(pen.fillStyle.slice(at, at + 2), 16));
  });
  for (const number of numbers) {
    const value = Number(number.textContent.replace("\u2212", "-"));
    const at = Math.min(Math.max((value - zmin) / (zmax - zmin), 0), 1) * (ground.length - 1), low = Math.floor(at);
    const [from, to] = [ground[low], ground[Math.min(low + 1, ground.length - 1)]];
    number.style.fill = lightness(from.map((one, n) => one + (to[n] - one) * (at - low))) > SAME_CONTRAST ? "#000" : "#fff";
  }
}

/** Hide the names of rows and columns that have no room: over another name, or beyond the chart's edge. Where one
 * number is wider than its cell, all numbers are hidden. */
function thin(chart, cell) {
  const numbers = [...chart.querySelectorAll(".heatmap-label text")];
  const widest = Math.max(0, ...numbers.map((number) => number.getBBox().width));
  for (const number of numbers) number.style.visibility = widest < cell ? "" : "hidden";
  inkNumbers(chart, numbers);
  const edge = chart.getBoundingClientRect();
  const isWithin = ({ x, y }) => x >= edge.left - 1 && x <= edge.right + 1 && y >= edge.top - 1 && y <= edge.bottom + 1;
  for (const axis of ["xtick", "ytick"]) {
    const shown = [];
    for (const name of chart.querySelectorAll(`.${axis} text`)) {
      if (!name.checkVisibility()) continue; // the chart itself has hidden it
      const corners = cornersOf(name), fits = corners.every(isWithin) && shown.every((other) => areApart(corners, other));
      name.style.visibility = fits ? "" : "hidden";
      if (fits) shown.push(corners);
    }
  }
}

class HeatmapCells {
  constructor(parent) {
    this.root = this.made("div", "cells", parent);
    this.line = this.made("p", "line", this.root);
    this.line.setAttribute("role", "status");
    this.frames = { chosen: this.made("div", "frame", this.root), pointed: this.made("div", "frame pointed", this.root) };
    this.tip = this.made("div", "tip", this.root);
    this.tip.setAttribute("aria-hidden", "true"); // the line says the same of the chosen cell
    for (const one of [...Object.values(this.frames), this.tip]) one.hidden = true;
    this.listening = {
      keydown: (event) => this.pressed(event),
      pointerdown: () => this.target.focus({ preventScroll: true }), // a click on the chart leaves the focus nowhere
      click: (event) => this.clicked(event),
      pointermove: (event) => event.pointerType === "mouse" && this.point(this.cellUnder(event), event),
      pointerleave: () => this.point(null),
    };
    this.chosen = null;
    this.pointed = null;
    this.ahead = new Ahead();
    this.hear = ({ detail }) => { // another heatmap has the choice now
      if (detail.what !== "chosen" || detail.grid === this.settings.target) return;
      this.ahead = new Ahead();
      this.chosen = null;
      this.draw();
    };
    document.addEventListener(CELL_EVENT, this.hear);
    heatmaps.add(this);
    this.resized = new ResizeObserver(() => this.fit());
    this.redrawn = new MutationObserver(() => this.fit()); // the chart draws its parts again when it changes
  }

  made(tag, className, parent) {
    const made = document.createElement(tag);
    made.className = className;
    parent.append(made);
    return made;
  }

  update(settings, trigger) {
    const isBehind = this.ahead.isBehind(JSON.stringify(settings.cell));
    this.settings = settings;
    this.trigger = trigger;
    if (!isBehind) {
      this.chosen = settings.cell;
      this.line.textContent = settings.said;
    }
    const target = document.querySelector(`.st-key-${settings.target}`);
    if (target !== this.target) {
      this.release();
      this.target = target;
      for (const [name, act] of Object.entries(this.listening)) target?.addEventListener(name, act);
    }
    if (!this.target) return;
    this.target.tabIndex = 0;
    this.target.setAttribute("role", "application"); // else a screen reader keeps the arrow keys for itself
    this.target.setAttribute("aria-label", settings.description);
    this.resized.observe(this.target);
    const moves = { attributes: true, attributeFilter: ["transform", "x", "y"] }; // names, when they get more room
    this.redrawn.observe(this.target, { childList: true, subtree: true, ...moves }); // the chart may come later
    this.fit();
  }

  /** Draw again where the chart has changed, with the names that have room; once for all that changes at a time. */
  fit() {
    this.draw();
    cancelAnimationFrame(this.fitting);
    this.fitting = requestAnimationFrame(() => {
      const chart = this.target?.querySelector(".js-plotly-plot");
      if (!chart) return;
      cutNames(chart);
      thin(chart, (this.area?.width ?? 0) / Math.max(1, this.shape[1]));
      tellWhole(chart);
    });
  }

  pressed(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { rows, columns, start } = this.settings, from = this.chosen;
    const within = (place, count) => Math.min(Math.max(place, 0), count - 1);
    const next = from ? [within(from[0] + step[0], rows), within(from[1] + step[1], columns)] : start;
    if (!sameCell(next, from)) this.choose(next, PAUSE_MILLISECONDS);
  }

  clicked(event) {
    const cell = this.cellUnder(event);
    if (cell) this.choose(cell, 0);
  }

  /** Frame a cell and tell the page of it at once, and the server after a pause in which no other is chosen. */
  choose(cell, pause) {
    clearTimeout(this.resting);
    this.chosen = cell;
    this.draw();
    this.ahead.ask(JSON.stringify(cell));
    const { said } = this.tell("chosen", cell);
    if (said) this.line.textContent = said;
    clearTimeout(this.due);
    this.due = setTimeout(() => this.trigger("chosen", cell), pause);
  }

  point(cell, event) {
    if (cell) this.showTip(cell, event);
    else this.tip.hidden = true;
    if (cell ? sameCell(cell, this.pointed) : !this.pointed) return;
    this.pointed = cell;
    this.draw();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(cell ? "pointed" : "left", cell), REST_MILLISECONDS);
  }

  /** Tell the page of a cell; whoever opens it adds the words for it. */
  tell(what, cell) {
    const detail = { grid: this.settings.target, what, cell };
    document.dispatchEvent(new CustomEvent(CELL_EVENT, { detail }));
    return detail;
  }

  get area() {
    return this.target?.querySelector(AREA)?.getBoundingClientRect();
  }

  /** The cells that are shown; their numbers may still be on their way. */
  get grid() {
    return grids.get(this.settings?.target) || EMPTY;
  }

  /** The shown rows and columns. */
  get shape() {
    return this.grid.shape;
  }

  /** The cell under the pointer; null where that is outside. */
  cellUnder({ clientX, clientY }) {
    const { area, shape: [n, m], grid: { first } } = this;
    if (!area || !m || clientX < area.left || clientX >= area.right || clientY < area.top || clientY >= area.bottom) return null;
    const i = Math.floor((n * (clientY - area.top)) / area.height), j = Math.floor((m * (clientX - area.left)) / area.width);
    return [first[0] + i, first[1] + j];
  }

  draw() {
    const { area, root, shape: [n, m], grid: { first } } = this, corner = root.getBoundingClientRect();
    root.dataset.shape = m ? [n, m].join() : "";
    for (const [name, frame] of Object.entries(this.frames)) {
      const cell = this[name], i = cell && cell[0] - first[0], j = cell && cell[1] - first[1];
      frame.hidden = !area || !cell || i < 0 || j < 0 || i >= n || j >= m;
      if (frame.hidden) continue;
      const sizes = [area.width / m, area.height / n], [wide, tall] = sizes.map((size) => Math.max(size, SMALLEST_FRAME));
      frame.dataset.cell = cell.join();
      frame.style.left = `${area.left - corner.left + (j + 0.5) * sizes[0] - wide / 2}px`;
      frame.style.top = `${area.top - corner.top + (i + 0.5) * sizes[1] - tall / 2}px`;
      frame.style.width = `${wide}px`;
      frame.style.height = `${tall}px`;
    }
  }

  /** The number of a cell and how its two parts start, beside the pointer. */
  showTip([row, column], { clientX, clientY }) {
    const { numbers, shape, leftOut, openings: [ours, theirs], first, what } = this.grid, i = row - first[0], j = column - first[1];
    const number = numbers[i * shape[1] + j], { tip } = this;
    if (tip.hidden || !sameCell([row, column], this.pointed)) {
      tip.replaceChildren();
      this.made("b", "", tip).textContent = number === leftOut ? "left out" : (number / 100).toFixed(2);
      tip.append(` ${what}`);
      this.made("p", "", tip).textContent = `${row + 1} · ${ours[i]}`;
      this.made("p", "", tip).textContent = `× ${column + 1} · ${theirs[j]}`;
      tip.hidden = false;
      this.tipSize = [tip.offsetWidth, tip.offsetHeight];
    }
    const [wide, tall] = this.tipSize, isRight = clientX + 16 + wide < innerWidth, isUnder = clientY + 16 + tall < innerHeight;
    tip.style.left = `${isRight ? clientX + 16 : Math.max(4, clientX - 16 - wide)}px`;
    tip.style.top = `${isUnder ? clientY + 16 : Math.max(4, clientY - 16 - tall)}px`;
  }

  release() {
    clearTimeout(this.due);
    clearTimeout(this.resting);
    cancelAnimationFrame(this.fitting);
    this.resized.disconnect();
    this.redrawn.disconnect();
    for (const [name, act] of Object.entries(this.listening)) this.target?.removeEventListener(name, act);
  }

  remove() {
    this.release();
    document.removeEventListener(CELL_EVENT, this.hear);
    heatmaps.delete(this);
    this.root.remove();
  }
}

/** Numbers are kept for the heatmap of their name; anything else says what is chosen there. */
export default function ({ data, parentElement, setTriggerValue }) {
  if (data.of) {
    grids.set(data.of, { ...data, numbers: unpacked(data.numbers) });
    for (const view of heatmaps) if (view.settings?.target === data.of) view.draw();
    return undefined;
  }
  return keepView(parentElement, (parent) => new HeatmapCells(parent), (box) => box.update(data, setTriggerValue));
}
