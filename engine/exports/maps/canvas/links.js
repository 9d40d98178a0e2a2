// Two maps of one library on a page: what is pointed at or selected on one is marked on the other.

const links = new Map(); // "key of one map's points, key of the other's" -> the other's row of each row, -1 for none

/** Read what packing.py's pack_link wrote: the rows of the second map, and back. */
function keepLink({ link: [first, second] }, body) {
  const there = new Int32Array(body.slice().buffer);
  const back = new Int32Array(there.reduce((most, row) => Math.max(most, row), -1) + 1).fill(-1);
  there.forEach((row, n) => { if (row >= 0) back[row] = n; });
  const shown = new Set([...watchers].map((view) => view.settings?.points));
  const isUsed = (pair) => pair.split(",").every((key) => shown.has(key));
  keepLast(links, `${first},${second}`, there, isUsed);
  keepLast(links, `${second},${first}`, back, isUsed);
  for (const view of watchers) view.redraw();
}

/** The other maps of the page with a function from this map's rows to theirs (null where they lack the document). */
function partnersOf(view) {
  const found = [];
  for (const other of watchers) {
    const rows = other !== view && view.points && other.points && links.get(`${view.points.key},${other.points.key}`);
    if (rows) found.push([other, (row) => (rows[row] >= 0 ? rows[row] : null)]);
  }
  return found;
}

function shareHover(view, row) {
  for (const [other, rowThere] of partnersOf(view)) other.echo(row === null ? null : rowThere(row));
}

function shareSelection(view, rows) {
  for (const [other, rowThere] of partnersOf(view)) other.mark(rows.map(rowThere).filter((row) => row !== null));
}

/** Switch off on the other maps what is off here; colours mean the same there, their numbers may not. */
function shareLegend(view) {
  const entriesOf = ({ points, settings }) => points.legends[settings.colour].entries;
  const off = new Set([...view.off].map((code) => entriesOf(view)[code].label));
  for (const [other] of partnersOf(view)) {
    if (other.settings.colour !== view.settings.colour) continue;
    other.off = new Set(entriesOf(other).flatMap(({ label }, code) => (label && off.has(label) ? [code] : [])));
    other.filtered();
  }
}
