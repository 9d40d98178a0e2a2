// Names of groups: Streamlit's containers have none, and may be built again at any time.

const watchers = new WeakMap(); // parent element -> what watches the page for it

function name(names) {
  for (const [key, said] of Object.entries(names)) {
    const group = document.querySelector(`.st-key-${CSS.escape(key)}`);
    if (!group || group.getAttribute("aria-label") === said) continue;
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", said);
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
