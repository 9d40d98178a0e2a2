// Where the map is looked at from: scale and shift between the points' plane and the screen.

const TOOLS_PIXELS = 52;
const MOST_MOVING = 700000; // pixels of points drawn of a map under the hand; all of them once it rests
const REST_AFTER_MILLISECONDS = 140;

/** Whether two places, [scale, shift x, shift y], look the same. */
const near = ([scale, ...shift], [other, ...there]) =>
  Math.abs(scale / other - 1) < 0.005 && shift.every((at, axis) => Math.abs(at - there[axis]) <= 1);

class Camera {
  constructor() {
    this.shift = null; // until there is something to see
  }

  /** Show a box of the plane, with room at the side for the tools. */
  fitBox({ left, right, bottom, top }, margin) {
    const room = this.width - TOOLS_PIXELS;
    const wide = Math.max(right - left, 1e-6), tall = Math.max(top - bottom, 1e-6);
    this.scale = Math.min((room - 2 * margin) / wide, (this.height - 2 * margin) / tall);
    this.shift = [room / 2 - (this.scale * (left + right)) / 2, this.height / 2 + (this.scale * (bottom + top)) / 2];
    this.redraw();
  }

  /** Show what is looked at first: all points but the few that stray far off. */
  fitFirst() {
    if (!this.points || !this.width) return;
    this.fitBox(this.points.view, 28);
    this.wholeScale = this.scale;
    this.first = [this.scale, ...this.shift];
  }

  /** Show every point. */
  fitAll() {
    if (!this.points || !this.width) return;
    this.fitBox(this.points.bounds, 28);
    this.all = [this.scale, ...this.shift];
    this.leastScale = Math.min(this.scale, this.wholeScale * SMALLEST_ZOOM);
  }

  /** Every point and, where some stray far off, back to the others. */
  fit() {
    const strays = this.first && !near(this.first, this.all);
    if (strays && this.isAt(this.all)) this.fitFirst();
    else this.fitAll();
  }

  /** Both views of this frame, and a look at the first. */
  fitFrame() {
    this.fitFirst();
    this.fitAll();
    this.fitFirst();
  }

  isAt(place) {
    return Boolean(place) && near([this.scale, ...this.shift], place);
  }

  /** Whether the map stands as it is looked at first. */
  isWhole() {
    return this.isAt(this.first);
  }

  fitQuery() {
    this.fitSpots([[this.query.x, this.query.y], ...this.query.neighbours.map((row) => this.positionOf(row))]);
  }

  fitRows(rows) {
    this.fitSpots(rows.map((row) => this.positionOf(row)));
  }

  /** Show some places of the plane, with room around them. */
  fitSpots(spots) {
    if (!this.shift) return;
    const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity }, least = 60 / this.wholeScale;
    for (const [x, y] of spots) {
      [box.left, box.right] = [Math.min(box.left, x), Math.max(box.right, x)];
      [box.bottom, box.top] = [Math.min(box.bottom, y), Math.max(box.top, y)];
    }
    const grow = (low, high) => (high - low < least ? [(low + high - least) / 2, (low + high + least) / 2] : [low, high]);
    [[box.left, box.right], [box.bottom, box.top]] = [grow(box.left, box.right), grow(box.bottom, box.top)];
    this.fitBox(box, 60);
  }

  panBy(dx, dy) {
    if (!this.shift) return;
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
    this.move();
  }

  zoomAt(x, y, factor) {
    if (!this.shift) return;
    const scale = Math.min(Math.max(this.scale * factor, this.leastScale), this.wholeScale * LARGEST_ZOOM);
    const ratio = scale / this.scale;
    this.shift = [x - (x - this.shift[0]) * ratio, y - (y - this.shift[1]) * ratio];
    this.scale = scale;
    this.move();
  }

  /** Draw again under the hand: of a large map a sample, and all of it once no other move has come for a while. */
  move() {
    clearTimeout(this.moving);
    this.moving = setTimeout(() => {
      this.moving = 0;
      if (!this.isDrawn) this.redraw();
    }, REST_AFTER_MILLISECONDS);
    this.redraw();
  }

  positionOf(row) {
    const { positions } = this.points.arrays;
    return [positions[2 * row], positions[2 * row + 1]];
  }

  toScreen(x, y) {
    return [x * this.scale + this.shift[0], -y * this.scale + this.shift[1]];
  }

  spotOf(row) {
    return this.toScreen(...this.positionOf(row));
  }
}
