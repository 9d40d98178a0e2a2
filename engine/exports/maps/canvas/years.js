// How many of the documents in view are of each year; drag over it to limit the years.

const YEARS_MILLISECONDS = 200, YEARS_BASE = 17, GAP_SLOTS = 3;

/** Years side by side from the first to the last; where `gap` years or more are empty, a mark instead of them. */
function yearSlots(years, gap) {
  const known = [...new Set(years)].filter(Boolean).sort((a, b) => a - b), slots = [];
  known.forEach((year, n) => {
    const before = known[n - 1];
    if (n && year - before > gap) for (let i = 0; i < GAP_SLOTS; i += 1) slots.push(null);
    else if (n) for (let empty = before + 1; empty < year; empty += 1) slots.push(empty);
    slots.push(year);
  });
  return slots;
}

function buildYears(view) {
  view.years = element("div", "years", view.root);
  view.yearCanvas = element("canvas", "", view.years);
  view.yearCanvas.setAttribute("role", "img");
  view.yearCanvas.setAttribute("aria-label", "Years of the documents in view"); // until they are counted
  const head = element("div", "year-head", view.years); // at the left: the last years have most documents
  view.allYears = element("button", "all-years", head, "All years");
  view.yearText = element("span", "year-text", head);
  view.allYears.type = "button";
  view.allYears.hidden = true; // until the years are counted
  view.allYears.addEventListener("click", () => view.trigger("years", []));
  const canvas = view.yearCanvas;
  let from = null;
  const slotAt = (event) => {
    const box = canvas.getBoundingClientRect(), { slots } = view;
    return Math.min(Math.max(Math.floor(((event.clientX - box.left) / box.width) * slots.length), 0), slots.length - 1);
  };
  const range = (to) => {
    const within = view.slots.slice(Math.min(from, to), Math.max(from, to) + 1).filter((year) => year !== null);
    return within.length ? [within[0], within[within.length - 1]] : null;
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !view.slots?.length) return;
    canvas.setPointerCapture(event.pointerId);
    from = slotAt(event);
    view.brush = range(from);
    drawYears(view);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!view.slots?.length) return;
    if (from !== null) {
      view.brush = range(slotAt(event));
      drawYears(view);
    }
    tellYear(view, from === null ? view.slots[slotAt(event)] : null);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const chosen = range(slotAt(event));
    from = null;
    if (chosen) view.trigger("years", chosen);
  });
  canvas.addEventListener("pointercancel", () => {
    from = view.brush = null;
    drawYears(view);
  });
  canvas.addEventListener("pointerleave", () => from === null && tellYear(view, null));
}

function tellYear(view, year) {
  const range = view.brush || view.settings?.years;
  const count = view.yearCounts?.get(year) ?? 0;
  if (year) view.yearText.textContent = `${year}: ${count.toLocaleString("en")}`;
  else view.yearText.textContent = range ? `${Math.max(range[0], view.slots[0])}–${Math.min(range[1], view.slots[view.slots.length - 1])}` : "";
}

/** New points have other years. */
function takeYears(view) {
  view.slots = yearSlots(view.points.arrays.years, view.points.yearGap);
  view.years.hidden = view.slots.length < 2;
  view.brush = null;
}

/** Count once the map rests, not while it moves. */
function countYearsSoon(view) {
  clearTimeout(view.countingYears);
  view.countingYears = setTimeout(() => countYears(view), YEARS_MILLISECONDS);
}

/** Of the documents in view that neither a filter other than the years nor a selection nor words leave pale, how many are of each year. */
function countYears(view) {
  if (!view.shift || !view.slots?.length || !view.passing) return;
  const { points, passing, selected, found, scale, shift, width, height } = view, { positions, years } = points.arrays;
  const counts = new Map(), meant = (row) => passing[row] && (!selected.size || selected.has(row)) && (!found || found[row]);
  for (let row = 0; row < points.count; row += 1) {
    const x = positions[2 * row] * scale + shift[0], y = shift[1] - positions[2 * row + 1] * scale;
    if (meant(row) && x >= 0 && y >= 0 && x <= width && y <= height) counts.set(years[row], (counts.get(years[row]) || 0) + 1);
  }
  view.yearCounts = counts;
  drawYears(view);
}

/** The year colour of each year, as the legend has it. */
function yearColours(view) {
  const { years, year: codes } = view.points.arrays, { entries } = view.points.legends.year;
  if (!view.points.yearCodes) {
    view.points.yearCodes = new Map();
    years.forEach((year, row) => view.points.yearCodes.set(year, codes[row]));
  }
  return (year) => entries[view.points.yearCodes.get(year)]?.[view.theme.dark ? "dark" : "light"];
}

function drawYears(view) {
  const box = view.yearCanvas.getBoundingClientRect();
  if (!box.width || !view.yearCounts || !view.theme) return;
  const { slots, theme, ratio } = view, pen = view.yearCanvas.getContext("2d");
  view.yearCanvas.width = Math.round(box.width * ratio);
  view.yearCanvas.height = Math.round(box.height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const wide = box.width / slots.length, room = box.height - YEARS_BASE - 2;
  const most = Math.max(1, ...slots.map((year) => view.yearCounts.get(year) || 0));
  const colour = view.points.legends.year ? yearColours(view) : () => theme.text;
  const [from, to] = view.brush || view.settings.years || [0, 65535];
  slots.forEach((year, n) => {
    const count = year === null ? 0 : view.yearCounts.get(year) || 0;
    if (!count) return;
    const tall = Math.max(1.5, (room * count) / most);
    pen.globalAlpha = year >= from && year <= to ? 1 : 0.2;
    pen.fillStyle = colour(year) || theme.text;
    pen.fillRect(n * wide + Math.min(0.5, wide / 8), 2 + room - tall, Math.max(wide - Math.min(1, wide / 4), 0.75), tall);
  });
  pen.globalAlpha = 1;
  drawYearAxis(pen, view, wide, box);
  view.allYears.hidden = !view.settings.years;
  const total = [...view.yearCounts].reduce((sum, [year, count]) => sum + (year ? count : 0), 0);
  view.yearCanvas.setAttribute("aria-label", `Years of the ${total.toLocaleString("en")} documents in view, ${slots[0]} to ${slots[slots.length - 1]}; the filters above limit them, too`);
  view.years.dataset.total = String(total);
  tellYear(view, null);
}

/** A line with round years, and a break where years are left out. */
function drawYearAxis(pen, view, wide, { width, height }) {
  const { slots, theme } = view, base = height - YEARS_BASE;
  pen.font = `11px ${theme.font}`;
  pen.textBaseline = "top";
  pen.strokeStyle = pen.fillStyle = theme.text;
  pen.lineWidth = 1;
  const taken = [];
  const write = (text, middle) => {
    const half = pen.measureText(text).width / 2, at = Math.min(Math.max(middle, half), width - half);
    if (taken.some(([low, high]) => at - half - 8 < high && low < at + half + 8)) return;
    taken.push([at - half, at + half]);
    pen.textAlign = "center";
    pen.fillText(text, at, base + 5);
  };
  slots.forEach((year, n) => { // where a row of years begins or ends, before the round ones
    if (year !== null && (slots[n - 1] ?? null) === null) write(String(year), (n + 0.5) * wide);
    if (year !== null && (slots[n + 1] ?? null) === null) write(String(year), (n + 0.5) * wide);
  });
  slots.forEach((year, n) => year !== null && year % 10 === 0 && write(String(year), (n + 0.5) * wide));
  slots.forEach((year, n) => {
    if (year === null && slots[n - 1] !== null) {
      const middle = (n + GAP_SLOTS / 2) * wide;
      drawLines(pen, [middle - 4, base + 4], [[middle, base - 6]], 1.2, theme.text, 0.8);
      drawLines(pen, [middle, base + 4], [[middle + 4, base - 6]], 1.2, theme.text, 0.8);
    } else if (year !== null) drawLines(pen, [n * wide, base], [[(n + 1) * wide, base]], 1, theme.text, 0.35);
  });
}
