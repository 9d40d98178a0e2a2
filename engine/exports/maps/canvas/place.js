// Where on the map somebody looks, kept behind the # of the page's address: no run of the app is needed for it.
//
// "at" is of the page's one or first map, "at2" of its second: the first letters of the points' key (a place of other
// points is none), the plane's x and y in the middle of the frame, and how many times the whole map is enlarged.

const KEY_LETTERS = 8, NOTE_MILLISECONDS = 400, LARGEST_ZOOM = 200, SMALLEST_ZOOM = 0.5;
const nameOf = (view) => (view.settings.linked === "second" ? "at2" : "at");
const held = () => new URLSearchParams(window.location.hash.slice(1));

/** Look where the address says, if it speaks of these points; says whether it does. */
function takePlace(view) {
  const [key, ...numbers] = (held().get(nameOf(view)) || "").split(",");
  const [x, y, zoom] = numbers.map(Number);
  if (key !== view.points.key.slice(0, KEY_LETTERS) || numbers.length !== 3 || ![x, y, zoom].every(Number.isFinite)) return false;
  view.scale = Math.min(Math.max(view.wholeScale * zoom, view.leastScale), view.wholeScale * LARGEST_ZOOM);
  view.shift = [view.width / 2 - x * view.scale, view.height / 2 + y * view.scale];
  view.redraw();
  return true;
}

/** Note where a view looks, once it rests; the whole map needs no note. */
function notePlace(view) {
  clearTimeout(view.noting);
  view.noting = setTimeout(() => {
    if (!view.points || !view.width || !view.root.isConnected) return;
    const notes = held(), before = String(notes);
    if (view.isWhole()) notes.delete(nameOf(view));
    else {
      const { scale, shift } = view;
      const place = [(view.width / 2 - shift[0]) / scale, (shift[1] - view.height / 2) / scale, scale / view.wholeScale];
      const key = view.points.key.slice(0, KEY_LETTERS);
      notes.set(nameOf(view), [key, ...place.map((number) => Number(number.toPrecision(5)))].join(","));
    }
    if (String(notes) === before) return;
    const { pathname, search } = window.location;
    const hash = String(notes) && `#${notes}`.replaceAll("%2C", ",");
    window.history.replaceState(window.history.state, "", pathname + search + hash);
  }, NOTE_MILLISECONDS);
}
