// The view of a widget between Streamlit's calls.
//
// Streamlit calls a widget again when its data change and ends the call before. Where that one has not answered yet, as
// the first one that waits for the script, it is ended only after the new call has begun, and must not end what the new
// one shows.

const keptViews = new WeakMap(); // parent element -> { view, turn }

/** Let `show` change the view of an element, which `make` makes at first; gives back what ends this call. */
function keepView(parent, make, show) {
  if (!keptViews.has(parent)) keptViews.set(parent, { view: make(parent), turn: 0 });
  const kept = keptViews.get(parent), turn = (kept.turn += 1);
  show(kept.view);
  return () => setTimeout(() => { // the next call may come in the same moment
    if (kept.turn !== turn || keptViews.get(parent) !== kept) return;
    keptViews.delete(parent);
    kept.view.remove();
  });
}
