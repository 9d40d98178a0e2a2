// Cells that the page opens ahead of the server: what a heatmap tells of, and which answers come late.

/** On the document; its detail is { grid, what, cell }, and who opens the cell adds the words for it. */
const CELL_EVENT = "priorscope-cell";

/** What was chosen here until the server has caught up: its answers to earlier choices change nothing. */
class Ahead {
  constructor() {
    this.asked = [];
    this.told = undefined;
  }

  ask(name) {
    this.asked.push(name);
  }

  /** Whether an answer that shows `name` is of before the last choice. */
  isBehind(name) {
    const at = this.asked.lastIndexOf(name), isOld = at >= 0 ? at < this.asked.length - 1 : name === this.told;
    this.told = name;
    const isBehind = this.asked.length > 0 && isOld;
    this.asked = isBehind ? this.asked.slice(at + 1) : [];
    return isBehind;
  }
}
