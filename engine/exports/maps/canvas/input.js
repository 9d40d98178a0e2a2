// Pointer, wheel and keyboard: pan, zoom, point at, click, lasso, box.

const CLICK_PIXELS = 4, HOVER_PIXELS = 9, KEYS_PIXELS = 60;

function listen(view) {
  const { frame } = view;
  const pointers = new Map();
  const at = (event) => {
    const box = view.inkCanvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  view.inkCanvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    view.aim(false);
    view.inkCanvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    const row = event.shiftKey ? null : pairFrom(view, ...at(event));
    const mode = event.shiftKey ? "lasso" : view.mode === "pair" && row === null ? "pan" : view.mode;
    view.drag = { mode, row, from: at(event), last: at(event), moved: false };
    view.shape = null;
  });
  view.inkCanvas.addEventListener("pointermove", (event) => {
    if (pointers.size === 2 && pointers.has(event.pointerId)) pinch(view, pointers, event.pointerId, at(event));
    else if (view.drag) dragTo(view, at(event));
    else view.pointAt(...at(event));
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, at(event));
  });
  const release = (event) => {
    pointers.delete(event.pointerId);
    if (view.drag) endDrag(view, event.type === "pointercancel");
  };
  view.inkCanvas.addEventListener("pointerup", release);
  view.inkCanvas.addEventListener("pointercancel", release);
  view.inkCanvas.addEventListener("pointerleave", () => view.drag || view.hover(null));
  view.inkCanvas.addEventListener("dblclick", (event) => view.zoomAt(...at(event), 2));
  view.inkCanvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoomAt(...at(event), 2 ** (-event.deltaY / (event.deltaMode ? 12 : 360)));
  }, { passive: false });
  frame.addEventListener("keydown", (event) => pressKey(view, event));
  frame.addEventListener("blur", () => view.aim(false));
}

function dragTo(view, [x, y]) {
  const { drag } = view;
  if (Math.hypot(x - drag.from[0], y - drag.from[1]) > CLICK_PIXELS) drag.moved = true;
  if (!drag.moved) return;
  view.hover(drag.mode === "pair" ? view.nearest(x, y) : null);
  if (drag.mode === "pair") view.rope = { row: drag.row, to: [x, y] };
  else if (drag.mode === "pan") view.panBy(x - drag.last[0], y - drag.last[1]);
  else if (drag.mode === "box") view.shape = [drag.from, [x, drag.from[1]], [x, y], [drag.from[0], y]];
  else view.shape = [...(view.shape || [drag.from]), [x, y]];
  drag.last = [x, y];
  view.redrawInk();
}

function endDrag(view, cancelled) {
  const { drag, shape } = view;
  view.drag = view.shape = null;
  if (cancelled) dropPair(view);
  else if (!drag.moved) view.click(...drag.from);
  else if (drag.mode === "pair") pairUp(view, drag.row, view.nearest(...drag.last));
  else if (shape) view.select(rowsWithin(view, shape));
}

function pinch(view, pointers, moving, now) {
  const [still] = [...pointers].filter(([id]) => id !== moving).map(([, spot]) => spot);
  const before = pointers.get(moving);
  const ratio = Math.hypot(now[0] - still[0], now[1] - still[1]) / Math.hypot(before[0] - still[0], before[1] - still[1]);
  view.drag = null;
  if (Number.isFinite(ratio) && ratio > 0) view.zoomAt(...still, ratio);
}

/** Rows of the shown points inside a closed shape on the screen (even-odd rule). */
function rowsWithin(view, shape) {
  const rows = [];
  for (let row = 0; row < view.points.count; row += 1) {
    if (!view.shown[row]) continue;
    const [x, y] = view.spotOf(row);
    let inside = false;
    for (let i = 0, j = shape.length - 1; i < shape.length; j = i, i += 1) {
      const [xi, yi] = shape[i], [xj, yj] = shape[j];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
    if (inside) rows.push(row);
  }
  return rows;
}

function pressKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== view.frame || !view.points) return;
  const step = 60, middle = [view.width / 2, view.height / 2];
  const actions = {
    ArrowLeft: () => view.panBy(step, 0), ArrowRight: () => view.panBy(-step, 0),
    ArrowUp: () => view.panBy(0, step), ArrowDown: () => view.panBy(0, -step),
    "+": () => view.zoomAt(...middle, 1.5), "=": () => view.zoomAt(...middle, 1.5), "-": () => view.zoomAt(...middle, 1 / 1.5),
    0: () => view.fit(), Escape: () => (view.paired === null ? view.select([]) : dropPair(view)),
    c: () => view.settings.pairs && view.aiming && view.hovered !== null && pairPress(view, view.hovered),
    Enter: () => view.aiming && view.hovered !== null && view.trigger("picked", view.hovered),
    " ": () => view.select(rowsWithin(view, [[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]])),
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
  view.aim(event.key !== "Escape");
}
