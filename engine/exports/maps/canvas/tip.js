// The card beside the document that is pointed at.

function showTip(view, row) {
  const { tip, query } = view, { arrays, names, titles } = view.points;
  const year = arrays.years[row];
  const rank = query ? query.neighbours.indexOf(row) + 1 : 0;
  const facts = [names.kinds[arrays.kind[row]], year ? String(year) : "year unknown", names.categories[arrays.categories[row]]];
  if (view.settings.colour === "cluster") facts.push(view.points.legends.cluster.entries[arrays.cluster[row]].label);
  if (rank) facts.push(`neighbour ${rank} of the query`);
  tip.replaceChildren();
  element("div", "tip-title", tip, titles[row] || "(no title)");
  element("div", "tip-facts", tip, facts.filter(Boolean).join(" · "));
}

/** Put the card beside its document, also when the map has moved or is of another size. */
function placeTip(view) {
  const { tip } = view, [x, y] = view.spotOf(view.hovered);
  tip.style.left = `${Math.min(x + 14, view.width - tip.offsetWidth - 8)}px`;
  const under = y + 16 + tip.offsetHeight < view.height;
  tip.style.top = `${under ? y + 14 : y - 14 - tip.offsetHeight}px`;
}
