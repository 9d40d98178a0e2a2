// What each cell of the heatmaps opens, kept for the page: a cell's name is [heatmap, row, column].

const TABLES_KEPT = 4;
const tables = new Map(); // key -> { said, sentences, numbers, grids }, the last used at the end

function keepTable({ key, cells }) {
  tables.delete(key);
  tables.set(key, cells);
  for (const old of [...tables.keys()].slice(0, -TABLES_KEPT)) tables.delete(old);
  for (const view of readers) view.tableArrived?.();
}

/** The cell at a share of a heatmap's height and width, or null outside. */
function cellAt(grid, [down, right]) {
  const i = Math.floor(down * grid.a.length), j = Math.floor(right * grid.b.length);
  const isWithin = i >= 0 && j >= 0 && i < grid.a.length && j < grid.b.length;
  return isWithin ? [grid.first[0] + i, grid.first[1] + j] : null;
}

/** What a cell opens, as the server would say it, and the cell in words; null where the table does not hold it. */
function openedBy({ said, sentences, numbers, grids }, matches, at) {
  const grid = grids[at[0]], i = at[1] - grid.first[0], j = at[2] - grid.first[1], ours = grid.a[i], theirs = grid.b[j];
  if (!ours || !theirs) return null;
  const [score, a, b, match, number] = grid.cells[i * grid.b.length + j];
  const isExtra = match < 0 && a >= 0;
  const cell = {
    at,
    a: ours[1],
    b: theirs[1],
    match: isExtra ? matches : match < 0 ? null : match,
    evidence: isExtra ? { score, a: sentences[a], b: sentences[b] } : null,
  };
  const words = { a: ours[0], b: theirs[0], number: numbers[number] };
  return { cell, said: said.replace(/\{(\w+)\}/g, (_, name) => words[name]) };
}
