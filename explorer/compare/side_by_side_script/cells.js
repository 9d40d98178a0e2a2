// What each cell of the heatmaps opens, kept for the page: a cell's name is [heatmap, row, column].

const TABLES_KEPT = 4;
const tables = new Map(); // key -> { said, scoreDigits, grids, pairs }, the last used at the end

const PACKED = ["scores", "ours", "theirs", "matches", "words"]; // one number a cell, row by row

function keepTable({ key, cells }) {
  for (const grid of Object.values(cells.grids)) for (const name of PACKED) grid[name] = unpacked(grid[name]);
  tables.delete(key);
  tables.set(key, cells);
  for (const old of [...tables.keys()].slice(0, -TABLES_KEPT)) tables.delete(old);
  for (const view of readers) view.tableArrived?.();
}

/** What a cell opens, as the server would say it: `cell`, the two texts it is of where these change (`pair`), and how it
 * is `said`. Null where the table does not hold it. `matches` belong to the texts that are shown. */
function openedBy({ said, scoreDigits, grids, pairs }, matches, at) {
  const grid = grids[at[0]], i = at[1] - grid.first[0], j = at[2] - grid.first[1], ours = grid.a[i], theirs = grid.b[j];
  if (!ours || !theirs) return null;
  const place = i * grid.b.length + j, match = grid.matches[place];
  const a = grid.sentences.a[grid.ours[place]], b = grid.sentences.b[grid.theirs[place]]; // undefined at -1, for none
  const pair = pairs[`${ours[2]}-${theirs[2]}`] || null, isExtra = Boolean(match < 0 && a);
  const number = grid.told[grid.words[place]];
  const cell = {
    at,
    a: ours[1] || (a ? [a] : []),
    b: theirs[1] || (b ? [b] : []),
    match: isExtra ? (pair?.matches || matches).length : match < 0 ? null : match,
    evidence: isExtra ? { score: grid.scores[place] / 10 ** scoreDigits, a, b, word: pair && number } : null,
  };
  const named = { a: ours[0], b: theirs[0], number };
  return { cell, pair, said: said.replace(/\{(\w+)\}/g, (_, name) => named[name]) };
}
