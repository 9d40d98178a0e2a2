// Charts below the texts: passages of one document, each beside the passages of the other that come nearest.

class ChartsView {
  constructor(parent) {
    this.root = element("div", "charts", parent);
    readers.add(this);
  }

  update(settings) {
    this.settings = settings;
    this.textArrived();
  }

  /** Draw what is new, once both texts are here. */
  textArrived() {
    const { texts: keys, charts } = this.settings;
    if (!texts.has(keys.a) || !texts.has(keys.b)) return;
    const shown = JSON.stringify([keys, charts]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.texts = { a: texts.get(keys.a), b: texts.get(keys.b) };
    this.root.replaceChildren();
    for (const chart of charts) drawChart(this, this.root, chart);
  }

  /** Show a passage and the one beside it in the texts above. */
  showPlaces(places) {
    for (const reader of readers) if (reader instanceof TextsView) reader.showPlaces(places);
  }

  remove() {
    readers.delete(this);
    this.root.remove();
  }
}

/**
 * A chart names its `side`, `title` and `heads`; equal names of neighbouring items without a place are said once. What
 * stands `under` another name is folded away below it.
 */
function drawChart(view, parent, { side, title, heads, items }) {
  const details = element("details", "claims", parent);
  details.open = items.filter((item) => !item.under).length <= 14;
  element("summary", "", details, title);
  const table = element("table", "", details);
  const head = element("tr", "", element("thead", "", table));
  for (const name of heads) element("th", "", head, name).scope = "col";
  let body = element("tbody", "", table), before = null, fold = "";
  for (const item of items) {
    if (item.under !== fold) {
      if (item.under) drawFold(body, items.filter((one) => one.under === item.under), item.under);
      body = element("tbody", "", table);
      body.hidden = Boolean((fold = item.under));
    }
    const again = item.name === before && !("where" in item); // counts of words are not names: each is said
    const row = element("tr", again ? "" : "first", body);
    element("td", "number", row, again ? "" : item.name);
    const own = element("td", "", row), nearest = element("td", "", row);
    if (item.where) element("span", "where", own, item.where);
    element("span", "", own, textOf(view.texts[side], item.element));
    before = item.name;
    if (!item.passages.length) element("span", "none", nearest, "Nothing comes near.");
    item.passages.slice(0, 1).forEach((found) => drawNearest(view, nearest, item, side, found));
    if (item.passages.length < 2) continue;
    const more = element("details", "more", nearest);
    element("summary", "", more, `${item.passages.length - 1} more`);
    item.passages.slice(1).forEach((found) => drawNearest(view, more, item, side, found));
  }
}

/** The row that opens and shuts the part of the table that comes after it. */
function drawFold(body, items, under) {
  const cell = element("td", "", element("tr", "fold", body));
  cell.colSpan = 3;
  const count = new Set(items.map((item) => item.name)).size;
  const button = element("button", "", cell, `${count} ${count === 1 ? "claim depends" : "claims depend"} on claim ${under}`);
  button.type = "button";
  button.ariaExpanded = "false";
  button.addEventListener("click", () => {
    const below = body.nextElementSibling;
    below.hidden = !below.hidden;
    button.ariaExpanded = String(!below.hidden);
  });
}

/** One passage of the other document: a press shows it and the element in the texts. */
function drawNearest(view, parent, item, side, found) {
  const other = side === "a" ? "b" : "a";
  const button = element("button", "nearest", parent);
  button.type = "button";
  button.title = "Show both places in the texts";
  if (found.word) element("span", "score", button, found.word).style.setProperty("--strength", `${Math.round(80 * found.near)}%`);
  const said = element("span", "", button);
  if (found.where) element("span", "where", said, found.where);
  element("span", "", said, textOf(view.texts[other], found.place));
  button.addEventListener("click", () => view.showPlaces({ [side]: item.element, [other]: found.place }));
}

function textOf(text, [part, start, stop]) {
  return stretch(text.parts[part], start, stop).replace(/\s+/g, " ");
}
