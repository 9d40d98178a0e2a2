// Two documents to compare: one is dragged onto the other, or both are pressed in turn, with the tool of that name or
// with the key "c" on what the keys point at.

/** The row from which a drag begins; null where no document lies there. */
function pairFrom(view, x, y) {
  return view.mode === "pair" && view.points ? view.nearest(x, y) : null;
}

/** Take a document as the first of the two, or compare it with the one that was. */
function pairPress(view, row) {
  if (row === null || row === view.paired) view.paired = null;
  else if (view.paired === null) view.paired = row;
  else return pairUp(view, view.paired, row);
  view.redraw();
}

/** Compare two documents; a document with itself, or with none, is dropped. */
function pairUp(view, row, other) {
  view.paired = view.rope = null;
  if (other !== null && other !== row) view.trigger("compared", [row, other]);
  view.redraw();
}

function dropPair(view) {
  view.paired = view.rope = null;
  view.redraw();
}

/** What to do next, while the tool is chosen or a document is taken. */
function saidOfPair(view) {
  if (view.paired !== null) return `“${view.points.titles[view.paired] || "(no title)"}” with: press another document · `;
  return view.mode === "pair" ? "Drag a document onto another, or press both · " : "";
}

/** A ring around the first document, and a line from it to the pointer or to the document under it. */
function drawPair(pen, view) {
  const row = view.rope ? view.rope.row : view.paired;
  if (row === null) return;
  const from = view.spotOf(row), { theme, hovered } = view;
  const to = hovered !== null && hovered !== row ? view.spotOf(hovered) : view.rope?.to;
  if (to) for (const [width, colour] of [[5, theme.halo], [2.2, theme.accent]]) drawLines(pen, from, [to], width, colour, 1);
  drawRing(pen, ...from, view.radius + 5, { ...theme, text: theme.accent });
}
