// Two texts beside each other: matches in turn, the other side aligned, the chosen cell in view.

const PAIR = ["texts", "labels", "matches", "chains", "pair"]; // what another two texts change

class TextsView {
  constructor(parent) {
    this.settings = null;
    this.current = null;
    this.extra = null; // places of a chart that are pointed at
    this.pointed = null; // what the cell under the pointer opens: { cell, pair }
    this.missed = null; // a choice whose table is on its way
    this.left = null; // what stood in the texts before the pointer came
    this.ahead = new Ahead();
    this.build(parent);
    readers.add(this);
    this.hear = ({ detail }) => this.heard(detail);
    document.addEventListener(CELL_EVENT, this.hear);
    this.resizer = new ResizeObserver(() => this.ready() && this.eachPane((pane) => pane.drawMap()));
    this.resizer.observe(this.root);
  }

  build(parent) {
    this.root = element("div", "texts", parent);
    const bar = element("div", "bar", this.root);
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Matches");
    this.before = this.button(bar, "←", "Previous match (p)", () => this.step(-1));
    this.after = this.button(bar, "→", "Next match (n)", () => this.step(1));
    this.above = this.button(bar, "↑", "Previous match of this run (Shift+P)", () => this.walk(-1));
    this.below = this.button(bar, "↓", "Next match of this run (Shift+N)", () => this.walk(1));
    this.status = element("span", "status", bar);
    this.status.setAttribute("role", "status");
    this.legend = element("span", "legend", bar);
    element("mark", "", this.legend, "matching passage").style.setProperty("--strength", "60%");
    this.salient = element("span", "salient", this.legend, "salient sentence");
    this.salient.title = "Likely to carry what an abstract would say: point at one to see how likely";
    this.alone = element("span", "alone", this.legend);
    this.acknowledged = element("mark", "acknowledged", this.legend, "quoted or cited");
    this.acknowledged.style.setProperty("--strength", "60%");
    const panes = element("div", "panes", this.root);
    this.panes = { a: new Pane(this, "a", panes), b: new Pane(this, "b", panes) };
    this.root.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { n: 1, p: -1 }[event.key];
      if (step) this.step(step);
      const walk = { N: 1, P: -1 }[event.key];
      if (walk) this.walk(walk);
    });
  }

  button(parent, sign, name, act) {
    const button = element("button", "step", parent, sign);
    button.type = "button";
    button.title = name;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    return button;
  }

  eachPane(act) {
    for (const side of ["a", "b"]) act(this.panes[side], side);
  }

  ready({ texts: names } = this.settings || {}) {
    return Boolean(names) && texts.has(names.a) && texts.has(names.b);
  }

  /** The cell that the texts show: the one pointed at, else the chosen one. */
  get cell() {
    return this.pointed ? this.pointed.cell : this.settings.cell;
  }

  /** The settings, with the two texts of the cell pointed at. */
  get shown() {
    return this.pointed?.pair ? { ...this.settings, ...this.pointed.pair } : this.settings;
  }

  update(settings, trigger) {
    const old = this.settings;
    if (this.ahead.isBehind(JSON.stringify(settings.cell?.at))) {
      settings = { ...settings, cell: old.cell };
      if (settings.pair !== old.pair) for (const field of PAIR) settings[field] = old[field];
    }
    this.settings = settings;
    this.trigger = trigger;
    const another = !old || JSON.stringify(old.texts) !== JSON.stringify(settings.texts);
    const changed = another || JSON.stringify(old.matches) !== JSON.stringify(settings.matches);
    const moved = JSON.stringify(old?.cell) !== JSON.stringify(settings.cell);
    const ofFormerCell = moved && this.current >= settings.matches.length; // its evidence was none of the matches
    if (changed || ofFormerCell) this.current = null;
    if (another || moved) this.extra = this.pointed = this.left = this.missed = null;
    this.due = { moved: moved || another };
    const { salient, alone } = settings, isAcknowledged = settings.matches.some((match) => match.acknowledged);
    this.legend.hidden = !salient && !alone && !isAcknowledged;
    this.acknowledged.hidden = !isAcknowledged;
    this.salient.hidden = !salient;
    this.alone.hidden = !(alone?.a.length || alone?.b.length);
    this.alone.textContent = alone?.called || "";
    this.textArrived();
  }

  textArrived() {
    if (!this.ready()) return;
    this.showTexts();
    this.mark();
    this.point(this.current); // parts that were drawn again have forgotten it
    const { moved } = this.due;
    this.due = { moved: false };
    if (moved) this.showCell();
    this.root.dataset.ready = String(this.settings.matches.length);
  }

  showTexts() {
    const { texts: names, labels, pair } = this.shown;
    this.texts = { a: texts.get(names.a), b: texts.get(names.b) };
    this.eachPane((pane, side) => pane.show(this.texts[side], labels[side], Boolean(pair)));
  }

  /** Every match, and at the end the evidence of the chosen cell where that is none of them. */
  all() {
    const { cell, shown: { matches } } = this;
    return cell?.evidence ? [...matches, cell.evidence] : matches;
  }

  /** Hand each pane its ranges: matches, the chosen cell, and what a chart points at. */
  mark() {
    const { cell } = this, matches = this.all();
    const scores = matches.map((match) => match.score);
    const low = Math.min(...scores, 1), wide = Math.max(...scores, 0) - low || 1;
    this.eachPane((pane, side) => {
      const found = matches.map((match, number) => {
        const [part, start, stop] = match[side];
        return { part, start, stop, kind: "match", number, strength: (match.score - low) / wide, acknowledged: match.acknowledged };
      });
      const wanted = [...(cell ? cell[side] : []), ...(this.extra ? [this.extra[side]] : [])];
      const places = wanted.map(([part, start, stop]) => ({ part, start, stop, kind: "cell" }));
      const salient = (this.settings.salient?.[side] || []).map(({ place: [part, start, stop], said }) => ({ part, start, stop, kind: "salient", said }));
      const alone = (this.settings.alone?.[side] || []).map(({ place: [part, start, stop], said, name }) => ({ part, start, stop, kind: "alone", said, name }));
      pane.mark([...found, ...places, ...salient, ...alone]);
    });
    this.eachPane((pane) => pane.drawMap()); // after both are marked, so that the browser lays them out once
  }

  /** A heatmap tells of a cell: "chosen", "pointed" at, or "left" by the pointer; it is told the cell in words. */
  heard(detail) {
    const table = tables.get(this.settings?.cells);
    this.missed = !table && detail.what === "chosen" ? detail : null;
    if (!table?.grids?.[detail.grid] || !this.ready()) return; // the server alone knows these cells
    const opened = detail.cell && openedBy(table, this.settings.matches, [detail.grid, ...detail.cell]);
    const isHere = opened && this.ready(opened.pair || this.settings);
    if (detail.what !== "chosen") this.pointAt(isHere && detail.what === "pointed" ? opened : null);
    else if (opened) {
      detail.said = opened.said;
      if (isHere) this.choose(opened);
    }
  }

  /** A cell that was chosen before its table was here is shown now. */
  tableArrived() {
    if (this.missed && tables.has(this.settings?.cells)) this.heard(this.missed);
  }

  /** Show a cell at once; the server hears of it by itself. */
  choose({ cell, pair }) {
    this.ahead.ask(JSON.stringify(cell.at));
    this.settings = { ...this.settings, ...pair, cell };
    this.extra = this.pointed = this.left = this.current = null;
    if (pair) this.showTexts();
    this.mark();
    this.showCell("instant");
  }

  /** Show what the cell under the pointer opens until it is left; then the texts stand as before. */
  pointAt(opened) {
    const same = (one, other) => JSON.stringify(one?.at) === JSON.stringify(other?.at);
    if (same(opened?.cell, this.pointed?.cell) || (!this.pointed && same(opened?.cell, this.settings.cell))) return;
    if (!this.left) this.left = { current: this.current, extra: this.extra, tops: [this.panes.a, this.panes.b].map((pane) => pane.scroller.scrollTop) };
    const { left } = this, isOfOthers = opened?.pair || this.pointed?.pair;
    this.pointed = opened;
    this.extra = opened ? null : left.extra;
    if (isOfOthers) this.showTexts();
    this.mark();
    if (opened) {
      this.bringCell("instant");
      return;
    }
    this.left = null;
    this.point(left.current);
    [this.panes.a, this.panes.b].forEach((pane, number) => pane.scroller.scrollTo({ top: left.tops[number], behavior: "instant" }));
  }

  /** Bring the chosen cell into view on both sides: its evidence where it has some. */
  showCell(how) {
    const { cell } = this.settings;
    if (!cell) {
      this.point(null);
      return;
    }
    if (!cell.evidence && cell.match !== null && cell.match === this.current) return; // this cell was chosen by a press on its match
    this.bringCell(how);
    if (!cell.unasked) this.intoWindow();
  }

  bringCell(how) {
    const { match } = this.cell;
    this.point(match);
    this.eachPane((pane) => {
      const pieces = match === null ? [] : pane.pieces(match);
      const target = pieces[0] || pane.textRoot.querySelector(".cell");
      if (target) pane.bring(target, pane.scroller.clientHeight / 3, how);
    });
  }

  /** The texts stand below the heatmaps: bring them into the window where most of them is out of it. */
  intoWindow() {
    const box = this.root.getBoundingClientRect();
    const seen = Math.min(box.bottom, window.innerHeight) - Math.max(box.top, 0);
    if (seen < 0.7 * Math.min(box.height, window.innerHeight)) this.root.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  point(number) {
    this.current = number;
    const found = {};
    this.eachPane((pane, side) => (found[side] = pane.point(number)));
    this.tell();
    return found;
  }

  /** A match was pressed on one side: align the other side with it. */
  pick(number, side) {
    const found = this.point(number), other = side === "a" ? "b" : "a";
    if (found[side] && found[other]) {
      const height = this.panes[other].scroller.clientHeight;
      const offset = Math.min(Math.max(this.panes[side].offsetOf(found[side]), 12), height - 60);
      this.panes[other].bring(found[other], offset);
    }
    this.picked(number);
  }

  /** Tell the server of a match, unless it has yet to hear which two texts these are. */
  picked(number) {
    const isUnknown = this.settings.pair && this.ahead.asked.length;
    if (number < this.settings.matches.length && !isUnknown) this.trigger("picked", number);
  }

  step(by) {
    const count = this.settings?.matches.length || 0;
    if (!count) return;
    const outside = this.current === null || this.current >= count;
    this.goTo(outside ? (by > 0 ? 0 : count - 1) : (this.current + by + count) % count);
  }

  goTo(number) {
    const found = this.point(number);
    this.eachPane((pane, side) => found[side] && pane.bring(found[side], pane.scroller.clientHeight / 3));
    this.picked(number);
  }

  /** The matches that follow one another in both texts and the current one's place among them; null where none do. */
  row() {
    const chain = this.settings && this.shown.chains?.find((one) => one.includes(this.current));
    return chain ? { chain, place: chain.indexOf(this.current) } : null;
  }

  /** Go along the matches that follow one another; without a current one, to the beginning of the heaviest row. */
  walk(by) {
    const row = this.row(), first = this.settings?.chains?.[0];
    const next = row ? row.chain[row.place + by] : this.current === null && first ? first[0] : undefined;
    if (next !== undefined) this.goTo(next);
  }

  /** Point at any two places, as a chart does. */
  showPlaces(places) {
    this.extra = places;
    this.point(null);
    this.mark();
    this.eachPane((pane, side) => {
      const [part, start, stop] = places[side];
      const pieces = [...pane.parts[part].section.querySelectorAll(".cell")];
      const wanted = stretch(this.texts[side].parts[part], start, stop).slice(0, 30);
      const target = pieces.find((piece) => wanted.startsWith(piece.textContent.slice(0, 30))) || pieces[0];
      if (target) pane.bring(target, pane.scroller.clientHeight / 3);
    });
    this.root.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  tell() {
    const { matches, chains } = this.shown, count = matches.length;
    for (const button of [this.before, this.after]) {
      button.disabled = !count;
      button.title = count ? button.ariaLabel : "No passage of these two texts matches";
    }
    const row = this.row(), begins = this.current === null && chains?.length > 0;
    this.above.hidden = this.below.hidden = !chains?.length;
    this.above.disabled = !row || row.place === 0;
    this.below.disabled = row ? row.place + 1 === row.chain.length : !begins;
    for (const button of [this.above, this.below]) {
      button.title = row || begins ? button.ariaLabel : "This match is not part of a run: none near it follows in both texts";
    }
    if (!count && this.current === null) this.status.textContent = "No passage of these two texts matches.";
    else if (this.current === null) this.status.textContent = `${count} matching passage${count > 1 ? "s" : ""}, the strongest first`;
    else if (this.current >= count) this.status.textContent = `${this.pointed ? "The cell pointed at" : "The chosen cell"} · ${["its nearest sentences", ...this.said(this.all()[this.current])].join(" · ")}`;
    else {
      const inRow = row ? ` · number ${row.place + 1} of a run of ${row.chain.length}` : "";
      this.status.textContent = [`Match ${this.current + 1} of ${count}${inRow}`, ...this.said(matches[this.current])].join(" · ");
    }
  }

  /** A match's word, and the pages where it stands as far as they are known. */
  said(match) {
    const pages = ["a", "b"].map((side) => {
      const [part, start] = match[side], page = pageAt(this.texts[side].parts[part], start);
      if (page === null) return "";
      return this.texts.a === this.texts.b ? `p. ${page}` : `p. ${page} of the ${side === "a" ? "first" : "second"}`;
    });
    return [match.word, match.acknowledged, ...pages].filter(Boolean);
  }

  remove() {
    readers.delete(this);
    document.removeEventListener(CELL_EVENT, this.hear);
    this.resizer.disconnect();
    this.root.remove();
  }
}
