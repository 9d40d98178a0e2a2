// The list of hits: presses on its rows, its keys, and where the focus goes when the rows are drawn again.

const PAUSE_MILLISECONDS = 120; // a key that is held down chooses where it ends, not each hit on the way
const LIST = ".st-key-hits", ROW = `${LIST} .ps-hit`;
const DETAILS = "[class*='st-key-hit-details']";
const TYPED_IN = "input, textarea, select, [contenteditable=''], [contenteditable=true], [role=textbox], " +
  "[role=combobox], [role=slider], [role=application], [role=dialog]";
const USES = {
  o: [`${DETAILS} [class*='st-key-open-'] a`, `${DETAILS} [class*='st-key-more-'] summary`],
  c: [`${DETAILS} [class*='st-key-compare-'] button`],
  s: [`${DETAILS} [class*='st-key-keep-'] button`],
};
const TOUCHES = ["pointermove", "touchstart", "wheel", "focusin"];
const HELP = ".st-key-hit-help button";

class HitKeys {
  constructor() {
    this.press = (event) => this.pressed(event);
    this.click = (event) => this.clicked(event);
    window.addEventListener("keydown", this.press, true); // before Streamlit's own keys
    document.addEventListener("click", this.click);
    this.touch = (event) => this.touched(event);
    for (const name of TOUCHES) document.addEventListener(name, this.touch, { passive: true });
    this.wanted = null; // what was chosen and is not drawn yet
    this.next = null; // what to do once it is
  }

  update(settings, trigger) {
    this.settings = settings;
    this.trigger = trigger;
    const arrived = this.wanted === settings.selected || this.wanted === "";
    if (arrived) this.wanted = null;
    requestAnimationFrame(() => this.settle(arrived));
    setTimeout(() => this.settle(false), 60); // the rows may be drawn after this call
  }

  get rows() { return [...document.querySelectorAll(ROW)]; }
  get current() { return this.wanted || this.settings.selected; }
  get isNarrow() { return getComputedStyle(document.querySelector(LIST)).display !== "grid"; }
  rowOf(id) { return this.rows.find((row) => row.dataset.id === id); }

  mark() {
    for (const row of this.rows) row.setAttribute("aria-current", String(row.dataset.id === this.current));
  }

  settle(arrived) {
    if (!document.querySelector(LIST)) return;
    this.mark();
    const details = document.querySelector(DETAILS), row = this.rowOf(this.current);
    if (details) details.tabIndex = 0; // a part that scrolls can be reached
    if (this.held && [document.body, null].includes(document.activeElement)) row?.focus({ preventScroll: true });
    if (!arrived) return;
    details?.scrollTo(0, 0);
    row?.scrollIntoView({ block: this.isNarrow && this.settings.chosen ? "start" : "nearest" });
    const use = this.next;
    this.next = null;
    if (use) this.use(use);
  }

  /** Tell once that a hand has come to the list. */
  touched(event) {
    if (!this.settings?.watch || !event.target.closest?.(LIST)) return;
    this.settings = { ...this.settings, watch: false };
    this.trigger("touched", true);
  }

  choose(id, pause = 0) {
    this.wanted = id;
    this.held = true; // the focus is on a row, which is about to be drawn again
    this.mark();
    clearTimeout(this.due);
    this.due = setTimeout(() => this.trigger("chosen", id), pause);
  }

  clicked(event) {
    const row = event.target.closest?.(ROW);
    this.held = Boolean(row);
    if (!row) return;
    const isOpen = row.dataset.id === this.current && this.settings.chosen && this.isNarrow;
    if (isOpen) this.choose("");
    else if (row.dataset.id !== this.current || !this.settings.chosen) this.choose(row.dataset.id);
  }

  pressed(event) {
    const target = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.(TYPED_IN) || !this.rows.length) return;
    const isOnRow = Boolean(target.closest?.(ROW)), isNowhere = target === document.body;
    const act = {
      j: () => this.move(1),
      k: () => this.move(-1),
      Enter: isOnRow || isNowhere ? () => this.open(isOnRow ? target.closest(ROW).dataset.id : this.current) : null,
      "?": () => this.help(),
    }[event.key] || (event.key in USES && (() => this.use(event.key)));
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }

  move(step) {
    const rows = this.rows, at = rows.findIndex((row) => row.dataset.id === this.current);
    const isFirst = this.isNarrow && !this.settings.chosen && this.wanted === null; // nothing is open yet
    const row = rows[isFirst ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
    if (row.dataset.id !== this.current || isFirst) this.choose(row.dataset.id, PAUSE_MILLISECONDS);
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /** Open the list of keys under its button, which may be scrolled away; a narrow screen shows neither. */
  help() {
    const button = document.querySelector(HELP);
    if (!button?.checkVisibility()) return;
    button.scrollIntoView({ block: "nearest", behavior: "instant" });
    button.click();
  }

  open(id) {
    if (id === this.settings.selected && !this.wanted && (this.settings.chosen || !this.isNarrow)) return this.use("focus");
    this.next = "focus";
    this.choose(id);
  }

  use(key) {
    if (this.wanted !== null || (this.isNarrow && !this.settings.chosen)) {
      this.next = key;
      if (this.wanted === null) this.choose(this.current);
      return;
    }
    if (key === "focus") {
      this.held = false;
      document.querySelector(DETAILS)?.focus();
      return;
    }
    USES[key].map((one) => document.querySelector(one)).find(Boolean)?.click();
  }

  remove() {
    clearTimeout(this.due);
    window.removeEventListener("keydown", this.press, true);
    document.removeEventListener("click", this.click);
    for (const name of TOUCHES) document.removeEventListener(name, this.touch);
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  return keepView(parentElement, () => new HitKeys(), (keys) => keys.update(data, setTriggerValue));
}
