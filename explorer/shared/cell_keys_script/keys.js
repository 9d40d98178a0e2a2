// The chosen cell in words, and the arrow keys on the heatmap above.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const PAUSE_MILLISECONDS = 150; // a key that is held down sends where it ends, not each cell on the way

class CellKeys {
  constructor(parent) {
    this.line = document.createElement("p");
    this.line.className = "line";
    this.line.setAttribute("role", "status");
    parent.append(this.line);
    this.press = (event) => this.pressed(event);
    this.focus = () => this.target.focus({ preventScroll: true }); // a click on the chart leaves the focus nowhere
    this.moved = null;
  }

  update(settings, trigger) {
    this.settings = settings;
    this.trigger = trigger;
    this.moved = null;
    this.line.textContent = settings.said;
    const target = document.querySelector(`.st-key-${settings.target}`);
    if (target !== this.target) {
      this.release();
      this.target = target;
      this.target?.addEventListener("keydown", this.press);
      this.target?.addEventListener("pointerdown", this.focus);
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
    this.moved = next;
    clearTimeout(this.due);
    this.due = setTimeout(() => this.trigger("moved", next), PAUSE_MILLISECONDS);
  }

  release() {
    clearTimeout(this.due);
    this.target?.removeEventListener("keydown", this.press);
    this.target?.removeEventListener("pointerdown", this.focus);
  }

  remove() {
    this.release();
    this.line.remove();
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  return keepView(parentElement, (parent) => new CellKeys(parent), (box) => box.update(data, setTriggerValue));
}
