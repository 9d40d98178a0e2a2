// The claim chart: each element of a claim beside the passages of the other document that come nearest.

class ClaimsView {
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
    const { texts: keys, claims } = this.settings;
    if (!texts.has(keys.a) || !texts.has(keys.b)) return;
    const shown = JSON.stringify([keys, claims]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.texts = { a: texts.get(keys.a), b: texts.get(keys.b) };
    this.root.replaceChildren();
    for (const side of ["a", "b"]) {
      const own = claims.filter((item) => item.side === side);
      if (own.length) drawChart(this, this.root, own, side);
    }
  }

  /** Show an element and its passage in the texts above. */
  showPlaces(places) {
    for (const reader of readers) if (reader instanceof TextsView) reader.showPlaces(places);
  }

  remove() {
    readers.delete(this);
    this.root.remove();
  }
}

function drawChart(view, parent, elements, side) {
  const other = side === "a" ? "b" : "a", names = view.settings.labels;
  const details = element("details", "claims", parent);
  details.open = elements.length <= 14;
  element("summary", "", details, `Claim chart of the ${names[side].toLowerCase()} (${elements.length} elements)`);
  const table = element("table", "", details);
  const head = element("tr", "", element("thead", "", table));
  for (const title of ["Claim", "Element", `Nearest in the ${names[other].toLowerCase()}`]) {
    element("th", "", head, title).scope = "col";
  }
  const body = element("tbody", "", table);
  let before = null;
  for (const item of elements) {
    const row = element("tr", item.claim === before ? "" : "first", body);
    element("td", "number", row, item.claim === before ? "" : String(item.claim));
    element("td", "", row, textOf(view.texts[side], item.element));
    const nearest = element("td", "", row);
    before = item.claim;
    if (!item.passages.length) element("span", "none", nearest, "Nothing comes near.");
    item.passages.slice(0, 1).forEach((found) => drawNearest(view, nearest, item, side, found));
    if (item.passages.length < 2) continue;
    const more = element("details", "more", nearest);
    element("summary", "", more, `${item.passages.length - 1} more`);
    item.passages.slice(1).forEach((found) => drawNearest(view, more, item, side, found));
  }
}

/** One passage of the other document: a press shows it and the element in the texts. */
function drawNearest(view, parent, item, side, found) {
  const other = side === "a" ? "b" : "a";
  const button = element("button", "nearest", parent);
  button.type = "button";
  button.title = "Show both places in the texts";
  element("span", "score", button, found.score.toFixed(2)).style.setProperty("--strength", `${Math.round(100 * found.score)}%`);
  element("span", "", button, textOf(view.texts[other], found.place));
  button.addEventListener("click", () => view.showPlaces({ [side]: item.element, [other]: found.place }));
}

function textOf(text, [part, start, stop]) {
  return stretch(text.parts[part], start, stop).replace(/\s+/g, " ");
}
