// What each cell of the heatmaps opens, kept for the page: a cell's name is [heatmap, row, column].

const TABLES_KEPT = 4;
const tables = new Map(); // key -> { said, sentences, words, grids, pairs }, the last used at the end

function keepTable({ key, cells }) {
  tables.delete(key);
  tables.set(key, cells);
  for (const old of [...tables.keys()].slice(0, -TABLES_KEPT)) tables.delete(old);
  for (const view of readers) view.tableArrived?.();
}

/** What a cell opens, as the server would say it: `cell`, the two texts it is of where these change (`pair`), and how it
 * is `said`. Null where the table does not hold it. `matches` are those of the texts that are shown. */
function openedBy({ said, sentences, words, grids, pairs }, matches, at) {
  const grid = grids[at[0]], i = at[1] - grid.first[0], j = at[2] - grid.first[1], ours = grid.a[i], theirs = grid.b[j];
  if (!ours || !theirs) return null;
  const [score, a, b, match, number] = grid.cells[i * grid.b.length + j];
  const pair = pairs[`${ours[2]}-${theirs[2]}`] || null, isExtra = match < 0 && a >= 0;
  const own = (place) => (place < 0 ? [] : [sentences[place]]);
  const cell = {
    at,
    a: ours[1] || own(a),
    b: theirs[1] || own(b),
    match: isExtra ? (pair?.matches || matches).length : match < 0 ? null : match,
    evidence: isExtra ? { score, a: sentences[a], b: sentences[b] } : null,
  };
  const named = { a: ours[0], b: theirs[0], number: words[number] };
  return { cell, pair, said: said.replace(/\{(\w+)\}/g, (_, name) => named[name]) };
}
