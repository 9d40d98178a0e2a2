// Names of groups and of single buttons: Streamlit's containers have none, and may be built again at any time.

const watchers = new WeakMap(); // parent element -> what watches the page for it

function name(names) {
  for (const [key, said] of Object.entries(names)) {
    const found = document.querySelector(`.st-key-${CSS.escape(key)}`);
    const button = found?.matches(".stElementContainer") ? found.querySelector(".stButton button") : null;
    const named = button ?? found;
    if (!named || named.getAttribute("aria-label") === said) continue;
    if (!button) named.setAttribute("role", "group");
    named.setAttribute("aria-label", said);
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
