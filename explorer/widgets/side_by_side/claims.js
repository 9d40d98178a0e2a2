// The claim chart: each element of a claim beside the passages of the other document that come nearest.

function drawClaims(view, parent, claims) {
  parent.replaceChildren();
  parent.hidden = !claims.length;
  for (const side of ["a", "b"]) {
    const own = claims.filter((element) => element.side === side);
    if (own.length) drawChart(view, parent, own, side);
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
    for (const found of item.passages) {
      const button = element("button", "nearest", nearest);
      button.type = "button";
      button.title = "Show both places in the texts";
      element("span", "score", button, found.score.toFixed(2)).style.setProperty("--strength", `${Math.round(100 * found.score)}%`);
      element("span", "", button, textOf(view.texts[other], found.place));
      button.addEventListener("click", () => view.showPlaces({ [side]: item.element, [other]: found.place }));
    }
  }
}

function textOf(text, [part, start, stop]) {
  return stretch(text.parts[part], start, stop).replace(/\s+/g, " ");
}
