// Pixels of the points: discs blended by hand, which is fast on any machine, with or without a graphics card.

const FAINT = 1, PLAIN = 2, LIT = 3;

/** "#rrggbb" or "rgb(r, g, b)" to [r, g, b]. */
function rgb(colour) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour.trim());
  if (hex) return hex.slice(1).map((part) => parseInt(part, 16));
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour.trim());
  if (short) return short.slice(1).map((part) => parseInt(part + part, 16));
  const numbers = colour.match(/[\d.]+/g) || [255, 255, 255];
  return numbers.slice(0, 3).map(Number);
}

const luminance = ([r, g, b]) => (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;

/** The page's colours as they stand now, read from an element of the map. */
function themeOf(root) {
  const style = getComputedStyle(root);
  const read = (name, otherwise) => style.getPropertyValue(`--st-${name}`).trim() || otherwise;
  const background = rgb(read("background-color", "#ffffff"));
  const dark = luminance(background) < 0.4;
  return {
    background, dark, text: read("text-color", "#222222"), accent: dark ? "#ff9db5" : "#c2004e",
    halo: `rgb(${background.join(",")})`, font: read("font", "sans-serif"),
  };
}

/** Pixels of one disc with soft edges: dx, dy, cover (0..256) in turn. */
function discMask(radius) {
  const mask = [];
  const reach = Math.ceil(radius + 0.5);
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const cover = Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(dx, dy)));
      if (cover > 0) mask.push(dx, dy, Math.round(cover * 256));
    }
  }
  return { reach, cells: Int32Array.from(mask) };
}

/** Blend one disc into the pixels (little-endian RGBA in a Uint32Array); says whether it is in view. */
function blendDisc(pixels, width, height, x, y, mask, r, g, b, alpha) {
  const { cells, reach } = mask;
  if (x < -reach || y < -reach || x >= width + reach || y >= height + reach) return false;
  const inside = x >= reach && y >= reach && x < width - reach && y < height - reach;
  for (let m = 0; m < cells.length; m += 3) {
    const px = x + cells[m], py = y + cells[m + 1];
    if (!inside && (px < 0 || py < 0 || px >= width || py >= height)) continue;
    const at = py * width + px, old = pixels[at], a = (cells[m + 2] * alpha) >> 8, rest = 256 - a;
    const red = ((old & 255) * rest + r * a) >> 8;
    const green = (((old >> 8) & 255) * rest + g * a) >> 8;
    const blue = (((old >> 16) & 255) * rest + b * a) >> 8;
    pixels[at] = 0xff000000 | (blue << 16) | (green << 8) | red;
  }
  return true;
}

const images = new WeakMap(); // context -> its last image, to be filled again

function imageOf(context) {
  const { width, height } = context.canvas, held = images.get(context);
  if (held?.width === width && held.height === height) return held;
  images.set(context, context.createImageData(width, height));
  return images.get(context);
}

/** Draw every point: faint ones first, so that what is asked for lies on top; says whether all are drawn. Where those in
 * view would take more than `most` pixels, only that many: the points are shuffled, so that the first ones are as dense
 * everywhere as all are. */
function paintPoints(context, scene) {
  const { width, height } = context.canvas;
  const image = imageOf(context);
  const pixels = new Uint32Array(image.data.buffer);
  const [br, bg, bb] = scene.background;
  pixels.fill((0xff000000 | (bb << 16) | (bg << 8) | br) >>> 0);
  const { states, codes } = scene, { order, inOrder } = scene.points;
  const masks = { [FAINT]: discMask(scene.radius * 0.8), [PLAIN]: discMask(scene.radius), [LIT]: discMask(scene.litRadius) };
  let isWhole = true;
  for (const state of scene.litRadius ? [FAINT, LIT] : [FAINT, PLAIN]) { // points are lit or plain, never both
    const mask = masks[state];
    const alpha = state === FAINT ? scene.faintAlpha : scene.alpha;
    let left = scene.most / (mask.cells.length / 3) / (state === FAINT ? 2 : 1);
    for (let n = 0; n < order.length && left > 0; n += 1) {
      const i = order[n];
      if (states[i] !== state) continue;
      const [r, g, b] = state === FAINT ? scene.faint : scene.colours[codes[i]];
      const x = Math.round(inOrder[2 * n] * scene.scaleX + scene.shiftX);
      const y = Math.round(inOrder[2 * n + 1] * scene.scaleY + scene.shiftY);
      if (blendDisc(pixels, width, height, x, y, mask, r, g, b, alpha)) left -= 1;
    }
    if (left <= 0) isWhole = false;
  }
  context.putImageData(image, 0, 0);
  return isWhole;
}
