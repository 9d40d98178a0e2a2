// Texts of documents, kept for the page: places count code points, as Python's do.

const TEXTS_KEPT = 40; // what the cells of one document against the library open, and some
const texts = new Map(); // key -> { name, kind, parts: [{ title, role, text, pages, letters }] }, the last used at the end
const readers = new Set(); // views that may wait for texts

function keepTexts(all) {
  for (const made of all) keepText(made);
  for (const key of [...texts.keys()].slice(0, -TEXTS_KEPT)) texts.delete(key);
  for (const view of readers) view.textArrived();
}

function keepText(made) {
  const kept = texts.get(made.key) || measured(made); // one that is shown stays the same object
  texts.delete(made.key);
  texts.set(made.key, kept);
}

function measured(made) {
  for (const part of made.parts) {
    part.letters = /[\ud800-\udfff]/.test(part.text) ? Array.from(part.text) : null;
    part.length = part.letters ? part.letters.length : part.text.length;
  }
  made.length = made.parts.reduce((sum, part) => sum + part.length, 0);
  return made;
}

function stretch(part, start, stop) {
  return part.letters ? part.letters.slice(start, stop).join("") : part.text.slice(start, stop);
}

/** Paragraphs of a part as [start, stop): what blank lines divide, without the blank lines. */
function paragraphsOf(part) {
  if (part.paragraphs) return part.paragraphs;
  const found = [];
  let place = 0, at = 0;
  for (const piece of part.text.split(/(\n\s*\n)/)) {
    const length = part.letters ? Array.from(piece).length : piece.length;
    if (at % 2 === 0 && piece.trim()) found.push([place, place + length]);
    place += length;
    at += 1;
  }
  return (part.paragraphs = found);
}

/** The page on which a place of a part stands; null where that is not known. */
function pageAt(part, place) {
  return part.pages.findLast(([start]) => start <= place)?.[1] ?? null;
}

/** Where the text goes on to another page, so that the page is worth naming: [start, page] by part. */
function turnsOf(text) {
  let page = null;
  return text.parts.map((part) => part.pages.filter((one) => {
    const turned = one[1] !== page;
    page = one[1];
    return turned;
  }));
}

function element(tag, className, parent, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  parent.append(made);
  return made;
}
