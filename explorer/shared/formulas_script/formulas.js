// Formulas: Streamlit's HTML drops MathML, so it stands in an attribute and is put in place here.

const ATTRIBUTES = /^(accent|accentunder|columnalign|display|displaystyle|fence|form|linethickness|mathvariant|maxsize|minsize|movablelimits|scriptlevel|stretchy|width)$/;

function isPlain(node) {
  const known = node instanceof MathMLElement && [...node.attributes].every(({ name }) => ATTRIBUTES.test(name));
  return known && [...node.children].every(isPlain);
}

function set(place) {
  const page = new DOMParser().parseFromString(place.dataset.math, "text/html");
  const formula = page.body.firstElementChild;
  place.removeAttribute("data-math");
  if (formula && isPlain(formula)) place.replaceChildren(document.importNode(formula, true));
}

function setAll() {
  document.querySelectorAll(".ps-tex[data-math]").forEach(set);
}

let watcher; // one for the page: Streamlit mounts the script again on every page

export default function () {
  watcher?.disconnect();
  watcher = new MutationObserver(setAll);
  watcher.observe(document.body, { childList: true, subtree: true });
  setAll();
  return () => watcher.disconnect();
}
