// Points of a map, decoded once and shared by every view of the page.

const KEPT = 4; // maps, or links between maps, that the browser keeps besides those that are shown
const stores = new Map(); // key -> points, the one that came last at the end
const watchers = new Set(); // views that may be waiting for points

const ARRAY_TYPES = { f4: Float32Array, u1: Uint8Array, u2: Uint16Array };

/** Keep what packing.py packed: length, JSON header, and what the header describes. */
function keepBytes(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  (header.link ? keepLink : keepPoints)(header, bytes.subarray(4 + length));
}

/** Points from arrays and titles. */
function decodePoints(header, body) {
  const points = { ...header, arrays: {} };
  for (const [name, { type, start, stop }] of Object.entries(header.arrays)) {
    points.arrays[name] = new ARRAY_TYPES[type](body.slice(start, stop).buffer);
  }
  points.titles = new TextDecoder().decode(body.subarray(...header.titles)).split("\n");
  points.order = shuffledOrder(points.count);
  points.inOrder = positionsIn(points.order, points.arrays.positions);
  points.bounds = boundsOf(points.arrays.positions);
  return points;
}

/** Base64 of one bit a row to one byte a row; null lets every row through. */
function decodeBits(text, count) {
  if (text === null) return new Uint8Array(count).fill(1);
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return Uint8Array.from({ length: count }, (_, row) => (bytes[row >> 3] >> (7 - (row & 7))) & 1);
}

/** A fixed shuffle: drawn in library order, whatever was imported last would hide the rest. */
function shuffledOrder(count) {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  let seed = 12345;
  for (let i = count - 1; i > 0; i -= 1) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const j = seed % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Places in the order in which they are drawn: read one after the other, a large map's are found much faster. */
function positionsIn(order, positions) {
  const found = new Float32Array(positions.length);
  order.forEach((row, n) => found.set(positions.subarray(2 * row, 2 * row + 2), 2 * n));
  return found;
}

function boundsOf(positions) {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (let i = 0; i < positions.length; i += 2) {
    box.left = Math.min(box.left, positions[i]);
    box.right = Math.max(box.right, positions[i]);
    box.bottom = Math.min(box.bottom, positions[i + 1]);
    box.top = Math.max(box.top, positions[i + 1]);
  }
  return box;
}

/** How many points lie outside of what is looked at first. */
function outside({ count, view, arrays: { positions } }) {
  let found = 0;
  for (let row = 0; row < count; row += 1) {
    const x = positions[2 * row], y = positions[2 * row + 1];
    if (x < view.left - 1e-4 || x > view.right + 1e-4 || y < view.bottom - 1e-4 || y > view.top + 1e-4) found += 1;
  }
  return found;
}

/** Put a value at the end of a map, and drop the first ones that nothing uses. */
function keepLast(map, key, value, isUsed) {
  map.delete(key);
  map.set(key, value);
  const unused = [...map.keys()].filter((other) => !isUsed(other));
  for (const other of unused.slice(0, -KEPT)) map.delete(other);
}

function keepPoints(header, body) {
  const points = decodePoints(header, body);
  const shown = new Set([...watchers].map((view) => view.settings?.points));
  keepLast(stores, points.key, points, (key) => shown.has(key));
  for (const view of watchers) view.pointsArrived(points.key);
}
