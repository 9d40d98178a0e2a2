// One document's text: paragraphs with their passages tinted, and a small map of where these stand.

const DRAWN_KEPT = 4; // texts that stay laid out where cells open several: a long one takes the browser a while

class Pane {
  constructor(view, side, parent) {
    this.view = view;
    this.side = side; // "a" or "b"
    this.text = null;
    this.drawn = new Map(); // text -> { root, parts }, the one that is shown at the end
    this.parts = []; // { section, paragraphs: [{ start, stop, root, turned, signature }] } by part
    this.root = element("section", "pane", parent);
    this.head = element("div", "pane-head", this.root);
    const body = element("div", "pane-body", this.root);
    this.scroller = element("div", "scroller", body);
    this.textRoot = this.scroller;
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "region");
    this.map = element("div", "mini", body);
    this.map.setAttribute("aria-hidden", "true"); // the same passages are reached with the buttons above
    this.window = element("div", "mini-window", this.map);
    this.scroller.addEventListener("scroll", () => this.moveWindow(), { passive: true });
    this.scroller.addEventListener("click", (event) => this.clicked(event.target));
    this.scroller.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && this.clicked(event.target)) event.preventDefault();
    });
    this.map.addEventListener("pointerdown", (event) => this.pressMap(event));
    this.map.addEventListener("pointermove", (event) => event.buttons && this.pressMap(event));
  }

  /** Show a text; where it is one of `several`, those that were shown stay laid out, out of sight. */
  show(text, label, several) {
    this.scroller.setAttribute("aria-label", `${label}: ${text.name}`);
    if (this.text === text) {
      this.head.firstChild.textContent = label; // a third document gives the first two other names
      return;
    }
    this.text = text;
    this.head.replaceChildren();
    element("span", "pane-label", this.head, label);
    element("span", "pane-name", this.head, text.name);
    const kept = this.drawn.get(text) || this.draw(text);
    this.drawn.delete(text);
    if (!several) this.drop(0);
    this.drop(DRAWN_KEPT - 1);
    for (const one of this.drawn.values()) one.root.classList.add("away");
    this.drawn.set(text, kept);
    kept.root.classList.remove("away");
    this.textRoot = kept.root;
    this.parts = kept.parts;
    this.scroller.scrollTop = 0;
  }

  /** Forget all but the last texts that were shown. */
  drop(most) {
    for (const old of [...this.drawn.keys()].slice(0, Math.max(0, this.drawn.size - most))) {
      this.drawn.get(old).root.remove();
      this.drawn.delete(old);
    }
  }

  draw(text) {
    const turns = turnsOf(text), root = element("div", "text", this.scroller);
    const parts = text.parts.map((part, number) => {
      const section = element("div", `part part-${part.role}`, root), isTitle = part.role === "title";
      if (part.title && !isTitle) element("h3", "section-title", section, part.title);
      const paragraphs = paragraphsOf(part).map(([start, stop]) => {
        const turned = new Map(turns[number].filter(([at]) => at >= start && at < stop));
        return { start, stop, turned, root: element(isTitle ? "h2" : "p", isTitle ? "document-title" : "", section), signature: null };
      });
      return { section, paragraphs };
    });
    return { root, parts };
  }

  /** Draw the paragraphs whose ranges have changed: the browser need not lay out a long text again for one of them.
   * A range is { start, stop, kind, number, strength, said, name }. */
  mark(ranges) {
    const byPart = new Map();
    for (const range of ranges) byPart.set(range.part, [...(byPart.get(range.part) || []), range]);
    this.text.parts.forEach((part, number) => {
      const own = byPart.get(number) || [];
      for (const paragraph of this.parts[number].paragraphs) {
        const within = own.filter((range) => range.start < paragraph.stop && range.stop > paragraph.start);
        const signature = JSON.stringify(within);
        if (paragraph.signature === signature) continue;
        paragraph.signature = signature;
        this.drawParagraph(paragraph, part, within);
      }
    });
  }

  drawParagraph({ start, stop, root, turned }, part, ranges) {
    root.replaceChildren();
    root.classList.toggle("in-cell", ranges.some((range) => range.kind === "cell"));
    const cuts = new Set([start, stop, ...turned.keys()]);
    for (const range of ranges) for (const cut of [range.start, range.stop]) if (cut > start && cut < stop) cuts.add(cut);
    const places = [...cuts].sort((a, b) => a - b);
    for (let i = 0; i + 1 < places.length; i += 1) {
      if (turned.has(places[i])) this.drawTurn(root, turned.get(places[i]));
      const over = ranges.filter((range) => range.start < places[i + 1] && range.stop > places[i]);
      this.drawPiece(root, stretch(part, places[i], places[i + 1]), over);
    }
  }

  /** Name the page that begins here; the name is none of the text, and is not copied with it. */
  drawTurn(paragraph, page) {
    const turn = element("span", "page", paragraph);
    turn.dataset.page = page;
    turn.setAttribute("role", "img");
    turn.setAttribute("aria-label", `page ${page}`);
  }

  drawPiece(paragraph, text, over) {
    if (!over.length) {
      paragraph.append(text);
      return;
    }
    const matches = over.filter((range) => range.kind === "match").sort((x, y) => y.strength - x.strength);
    const piece = element(matches.length ? "mark" : "span", "", paragraph, text);
    if (over.some((range) => range.kind === "cell")) piece.classList.add("cell");
    const salient = over.find((range) => range.kind === "salient");
    if (salient) {
      piece.classList.add("salient");
      piece.title = salient.said;
      piece.setAttribute("aria-description", salient.said);
    }
    const alone = over.find((range) => range.kind === "alone");
    if (alone) {
      piece.classList.add("alone", alone.name);
      if (!salient) piece.title = alone.said;
    }
    if (!matches.length) return;
    if (text.trim()) piece.setAttribute("role", "button"); // not the space between two
    const { acknowledged } = matches[0];
    if (acknowledged) piece.classList.add("acknowledged");
    piece.style.setProperty("--strength", `${Math.round(22 + 68 * matches[0].strength)}%`);
    piece.dataset.matches = matches.map((range) => range.number).join(" ");
    piece.tabIndex = -1;
    const press = matches.length > 1 ? `${matches.length} matches: press to go through them` : "Press to align the other text";
    piece.title = [press, acknowledged && `Given as another's: ${acknowledged}`, salient?.said, alone?.said].filter(Boolean).join("\n");
  }

  pieces(number) {
    return [...this.textRoot.querySelectorAll("mark")].filter((mark) => mark.dataset.matches.split(" ").includes(String(number)));
  }

  /** Show which match is the current one. */
  point(number) {
    for (const mark of this.textRoot.querySelectorAll("mark.current")) this.setCurrent(mark, false);
    const pieces = number === null ? [] : this.pieces(number);
    for (const mark of pieces) this.setCurrent(mark, true);
    if (pieces.length) pieces[0].tabIndex = 0; // the Tab key stops at the current match, the others are stepped to
    for (const tick of this.map.querySelectorAll(".tick")) tick.classList.toggle("current", tick.dataset.number === String(number));
    return pieces[0] || null;
  }

  setCurrent(mark, is) {
    mark.classList.toggle("current", is);
    mark.setAttribute("aria-current", String(is));
    if (!is) mark.tabIndex = -1;
  }

  clicked(target) {
    const mark = target.closest?.("mark");
    if (!mark) return false;
    const numbers = mark.dataset.matches.split(" ").map(Number);
    const next = numbers[(numbers.indexOf(this.view.current) + 1) % numbers.length];
    this.view.pick(next, this.side);
    return true;
  }

  /** How far below the top of the visible part an element stands, in pixels. */
  offsetOf(target) {
    return target.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top;
  }

  /** Scroll so that an element stands `offset` pixels below the top; a long way at once, or as `how` says. */
  bring(target, offset, how = null) {
    const by = this.offsetOf(target) - offset;
    const jump = Math.abs(by) > 2 * this.scroller.clientHeight || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.scroller.scrollTo({ top: this.scroller.scrollTop + by, behavior: how || (jump ? "instant" : "smooth") });
  }

  moveWindow() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.window.style.top = `${(100 * scrollTop) / Math.max(1, scrollHeight)}%`;
    this.window.style.height = `${(100 * clientHeight) / Math.max(1, scrollHeight)}%`;
  }

  pressMap(event) {
    const box = this.map.getBoundingClientRect(), { scrollHeight, clientHeight } = this.scroller;
    const place = (event.clientY - box.top) / box.height;
    this.scroller.scrollTop = place * scrollHeight - clientHeight / 2;
    event.preventDefault();
  }

  /** One tick a passage, where its first piece stands, and a bar at the edge for salient sentences. */
  drawMap() {
    const { scrollHeight } = this.scroller, top = this.scroller.getBoundingClientRect().top - this.scroller.scrollTop;
    const boxes = (selector) => [...this.textRoot.querySelectorAll(selector)].map((piece) => [piece, piece.getBoundingClientRect()]);
    const marks = boxes("mark"), salient = boxes(".salient"), cells = boxes(".cell"); // all are measured before any is drawn
    const drawn = document.createDocumentFragment(), seen = new Set();
    const add = (className, box) => {
      const made = element("div", className, drawn);
      made.style.top = `${(100 * (box.top - top)) / scrollHeight}%`;
      made.style.height = `${(100 * box.height) / scrollHeight}%`;
      return made;
    };
    for (const [mark, box] of marks) {
      for (const number of mark.dataset.matches.split(" ")) {
        if (seen.has(number)) continue;
        seen.add(number);
        const tick = add("tick", box);
        tick.dataset.number = number;
        tick.style.setProperty("--strength", mark.style.getPropertyValue("--strength"));
      }
    }
    for (const [, box] of salient) add("mini-salient", box);
    if (cells.length) {
      const first = cells[0][1].top, last = cells[cells.length - 1][1].bottom;
      add("mini-cell", { top: first, height: last - first });
    }
    this.map.replaceChildren(this.window, drawn);
    this.moveWindow();
  }
}
