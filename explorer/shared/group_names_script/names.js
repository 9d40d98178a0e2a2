// Names of groups and of single buttons: Streamlit's containers have none, and may be built again at any time.

const watchers = new WeakMap(); // parent element -> what watches the page for it

function name(names) {
  for (const [key, said] of Object.entries(names)) {
    const found = document.querySelector(`.st-key-${CSS.escape(key)}`);
    if (!found) continue;
    const buttons = found.matches(".stElementContainer") ? [...found.querySelectorAll(".stButton button")] : [];
    for (const named of buttons.length ? buttons : [found]) { // one with a tip is there twice: for wide and narrow screens
      if (named.getAttribute("aria-label") === said) continue;
      if (named === found) named.setAttribute("role", "group");
      named.setAttribute("aria-label", said);
    }
  }
}

export default function ({ data, parentElement }) {
  watchers.get(parentElement)?.disconnect();
  const watcher = new MutationObserver(() => name(data));
  watchers.set(parentElement, watcher);
  watcher.observe(document.body, { childList: true, subtree: true });
  name(data);
  return () => watcher.disconnect();
}
