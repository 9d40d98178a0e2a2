// Where the map is looked at from: scale and shift between the points' plane and the screen.

const TOOLS_PIXELS = 52;

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

  fit() {
    if (!this.points || !this.width) return;
    this.fitBox(this.points.bounds, 28);
    this.wholeScale = this.scale;
    this.wholeShift = this.shift;
  }

  /** Whether the whole map is shown, as `fit` shows it. */
  isWhole() {
    const moved = this.shift.some((at, axis) => Math.abs(at - this.wholeShift[axis]) > 1);
    return !moved && Math.abs(this.scale / this.wholeScale - 1) < 0.005;
  }

  fitQuery() {
    if (!this.shift) return;
    const spots = [[this.query.x, this.query.y], ...this.query.neighbours.map((row) => this.positionOf(row))];
    const xs = spots.map(([x]) => x), ys = spots.map(([, y]) => y), least = 60 / this.wholeScale;
    const grow = (low, high) => (high - low < least ? [(low + high - least) / 2, (low + high + least) / 2] : [low, high]);
    const [left, right] = grow(Math.min(...xs), Math.max(...xs)), [bottom, top] = grow(Math.min(...ys), Math.max(...ys));
    this.fitBox({ left, right, bottom, top }, 60);
  }

  panBy(dx, dy) {
    if (!this.shift) return;
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
    this.redraw();
  }

  zoomAt(x, y, factor) {
    if (!this.shift) return;
    const scale = Math.min(Math.max(this.scale * factor, this.wholeScale * SMALLEST_ZOOM), this.wholeScale * LARGEST_ZOOM);
    const ratio = scale / this.scale;
    this.shift = [x - (x - this.shift[0]) * ratio, y - (y - this.shift[1]) * ratio];
    this.scale = scale;
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
