// Words typed over the map: the documents whose title holds them light up at once, on Enter those that keywords find.

const FIND_MILLISECONDS = 80;

function buildFinder(view) {
  const form = element("form", "find", view.frame);
  form.setAttribute("role", "search");
  const field = element("input", "", form);
  field.type = "search";
  field.placeholder = "Find titles";
  field.setAttribute("aria-label", "Words of a title to mark on the map");
  view.foundCount = element("span", "found", form);
  view.foundCount.setAttribute("role", "status");
  let due = 0;
  const find = () => {
    clearTimeout(due);
    findWords(view, field.value);
    for (const [other] of partnersOf(view)) findWords(other, field.value, true);
  };
  field.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(find, FIND_MILLISECONDS);
  });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the page's own keys are not meant
    if (event.key !== "Escape") return;
    field.value = "";
    find();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
    if (view.words) view.trigger("searched", field.value.trim());
  });
  view.finder = field;
}

/** Mark the documents whose title holds every word; none without words. */
function findWords(view, text, follow = false) {
  if (!view.points) return;
  if (follow) view.finder.value = text;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  view.words = words.join(" ");
  view.found = null;
  if (words.length) {
    const { points } = view;
    points.lower ??= points.titles.map((title) => title.toLowerCase());
    view.found = Uint8Array.from(points.lower, (title) => Number(words.every((word) => title.includes(word))));
  }
  view.titleCount = view.found ? view.found.reduce((sum, one) => sum + one, 0) : 0;
  addKeywords(view);
  view.applyStates();
  view.redraw();
}

/** Join what the library's keywords found for the same words, and tell how many there are. */
function addKeywords(view) {
  const { settings, titleCount } = view, said = [];
  const many = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  if (view.found) said.push(many(titleCount, "title"));
  const asked = settings.found;
  if (view.found && asked && asked.words.toLowerCase().split(/\s+/).join(" ") === view.words) {
    decodeBits(asked.rows, view.points.count).forEach((bit, row) => { view.found[row] |= bit; });
    said.push(`${asked.count.toLocaleString("en")} by keywords`);
  }
  view.foundCount.textContent = said.join(", ");
}

/** Look at what was found. */
function fitFound(view) {
  const rows = [...(view.found || [])].flatMap((one, row) => (one ? [row] : []));
  if (rows.length) view.fitRows(rows);
}
