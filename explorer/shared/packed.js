// Many whole numbers, as explorer/shared/heatmap.py sends them.

const PACKED_KINDS = { i1: Int8Array, i2: Int16Array, i4: Int32Array };

function unpacked({ kind, bytes }) {
  const held = atob(bytes), made = new Uint8Array(held.length);
  for (let place = 0; place < held.length; place += 1) made[place] = held.charCodeAt(place);
  return new PACKED_KINDS[kind](made.buffer);
}
