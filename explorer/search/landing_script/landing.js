// Opens the text of a hit at what was found in it, once; from then on the reader scrolls.

const landed = new WeakSet();
const watchers = new WeakMap(); // parent element -> what watches the page for it

function land() {
  for (const found of document.querySelectorAll(".ps-scroll .ps-found")) {
    const scroll = found.closest(".ps-scroll");
    if (landed.has(found) || !scroll.clientHeight) continue; // a folded text has no height yet
    landed.add(found);
    const first = scroll.querySelector(".ps-found");
    if (found !== first) continue; // the stretch goes over a page or a paragraph
    const above = found.getBoundingClientRect().top - scroll.getBoundingClientRect().top;
    scroll.scrollTop += above - scroll.clientHeight / 3;
  }
}

export default function ({ parentElement }) {
  watchers.get(parentElement)?.disconnect();
  const watcher = new MutationObserver(land);
  watchers.set(parentElement, watcher);
  watcher.observe(document.body, { childList: true, subtree: true });
  land();
  return () => watcher.disconnect();
}
