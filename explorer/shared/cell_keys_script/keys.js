// The chosen cell in words, and what chooses another on the heatmap above: the arrow keys, and presses that the page
// can follow before the server has heard of them.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const PAUSE_MILLISECONDS = 150; // a key that is held down sends where it ends, not each cell on the way
const REST_MILLISECONDS = 20; // a pointer that crosses the heatmap opens where it rests, not each cell on the way
const CELLS = ".nsewdrag"; // the part of a chart where its cells are

class CellKeys {
  constructor(parent) {
    this.line = document.createElement("p");
    this.line.className = "line";
    this.line.setAttribute("role", "status");
    parent.append(this.line);
    this.listening = {
      keydown: (event) => this.pressed(event),
      pointerdown: () => this.target.focus({ preventScroll: true }), // a click on the chart leaves the focus nowhere
      click: (event) => this.tell("chosen", { share: this.shareOf(event) }),
      pointermove: (event) => event.pointerType === "mouse" && this.points("pointed", { share: this.shareOf(event) }),
      pointerleave: () => this.points("left"),
    };
    this.moved = null;
    this.ahead = new Ahead();
    this.hear = ({ detail }) => { // another heatmap has the choice now
      if (detail.what === "chosen" && detail.grid !== this.settings.target) this.ahead = new Ahead();
    };
    document.addEventListener(CELL_EVENT, this.hear);
  }

  update(settings, trigger) {
    const isBehind = this.ahead.isBehind(JSON.stringify(settings.cell));
    this.settings = settings;
    this.trigger = trigger;
    if (!isBehind) {
      this.moved = null;
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
  }

  pressed(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { rows, columns, cell, first } = this.settings, from = this.moved || cell;
    const within = (place, low, count) => Math.min(Math.max(place, low), low + count - 1);
    const next = from ? [within(from[0] + step[0], 0, rows), within(from[1] + step[1], 0, columns)] : first;
    if (from && next[0] === from[0] && next[1] === from[1]) return;
    this.tell("chosen", { place: next });
    this.moved = next;
    clearTimeout(this.due);
    this.due = setTimeout(() => this.trigger("moved", next), PAUSE_MILLISECONDS);
  }

  /** Where an event is within the cells, as a share of their height and width; null where that is outside. */
  shareOf({ clientX, clientY }) {
    const box = this.target.querySelector(CELLS)?.getBoundingClientRect();
    if (!box || clientX < box.left || clientX >= box.right || clientY < box.top || clientY >= box.bottom) return null;
    return [(clientY - box.top) / box.height, (clientX - box.left) / box.width];
  }

  points(what, where = {}) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(what, where), REST_MILLISECONDS);
  }

  /** Tell the page of a cell; where something opens it, say it here, too, and count on the server to follow. */
  tell(what, where) {
    if (what === "chosen") clearTimeout(this.resting);
    const detail = { grid: this.settings.target, what, ...where };
    document.dispatchEvent(new CustomEvent(CELL_EVENT, { detail }));
    if (!detail.cell) return;
    this.moved = detail.cell;
    this.line.textContent = detail.said;
    this.ahead.ask(JSON.stringify(detail.cell));
  }

  release() {
    clearTimeout(this.due);
    clearTimeout(this.resting);
    for (const [name, act] of Object.entries(this.listening)) this.target?.removeEventListener(name, act);
  }

  remove() {
    this.release();
    document.removeEventListener(CELL_EVENT, this.hear);
    this.line.remove();
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  return keepView(parentElement, (parent) => new CellKeys(parent), (box) => box.update(data, setTriggerValue));
}
