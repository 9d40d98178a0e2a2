// Two texts beside each other: matches in turn, the other side aligned, the chosen cell in view.

class TextsView {
  constructor(parent) {
    this.settings = null;
    this.current = null;
    this.extra = null; // places of a chart that are pointed at
    this.build(parent);
    readers.add(this);
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
    this.status = element("span", "status", bar);
    this.status.setAttribute("role", "status");
    this.legend = element("span", "legend", bar);
    element("mark", "", this.legend, "matching passage").style.setProperty("--strength", "60%");
    this.salient = element("span", "salient", this.legend, "salient sentence");
    this.salient.title = "Likely to carry what an abstract would say: point at one to see how likely";
    this.alone = element("span", "alone", this.legend);
    const panes = element("div", "panes", this.root);
    this.panes = { a: new Pane(this, "a", panes), b: new Pane(this, "b", panes) };
    this.root.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { n: 1, p: -1 }[event.key];
      if (step) this.step(step);
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

  ready() {
    return this.settings && texts.has(this.settings.texts.a) && texts.has(this.settings.texts.b);
  }

  update(settings, trigger) {
    const old = this.settings;
    this.settings = settings;
    this.trigger = trigger;
    const another = !old || JSON.stringify(old.texts) !== JSON.stringify(settings.texts);
    const changed = another || JSON.stringify(old.matches) !== JSON.stringify(settings.matches);
    const moved = JSON.stringify(old?.cell) !== JSON.stringify(settings.cell);
    const ofFormerCell = moved && this.current >= settings.matches.length; // its evidence was none of the matches
    if (changed || ofFormerCell) this.current = null;
    if (another || moved) this.extra = null;
    this.due = { moved: moved || another };
    const { salient, alone } = settings;
    this.legend.hidden = !salient && !alone;
    this.salient.hidden = !salient;
    this.alone.hidden = !(alone?.a.length || alone?.b.length);
    this.alone.textContent = alone?.called || "";
    this.textArrived();
  }

  textArrived() {
    if (!this.ready()) return;
    this.texts = { a: texts.get(this.settings.texts.a), b: texts.get(this.settings.texts.b) };
    this.eachPane((pane, side) => pane.show(this.texts[side], this.settings.labels[side]));
    this.mark();
    this.point(this.current); // parts that were drawn again have forgotten it
    const { moved } = this.due;
    this.due = { moved: false };
    if (moved) this.showCell();
    this.root.dataset.ready = String(this.settings.matches.length);
  }

  /** Every match, and at the end the evidence of the chosen cell where that is none of them. */
  all() {
    const { matches, cell } = this.settings;
    return cell?.evidence ? [...matches, cell.evidence] : matches;
  }

  /** Hand each pane its ranges: matches, the chosen cell, and what a chart points at. */
  mark() {
    const { cell } = this.settings, matches = this.all();
    const scores = matches.map((match) => match.score);
    const low = Math.min(...scores, 1), wide = Math.max(...scores, 0) - low || 1;
    this.eachPane((pane, side) => {
      const found = matches.map((match, number) => {
        const [part, start, stop] = match[side];
        return { part, start, stop, kind: "match", number, strength: (match.score - low) / wide };
      });
      const wanted = [...(cell ? cell[side] : []), ...(this.extra ? [this.extra[side]] : [])];
      const places = wanted.map(([part, start, stop]) => ({ part, start, stop, kind: "cell" }));
      const salient = (this.settings.salient?.[side] || []).map(({ place: [part, start, stop], said }) => ({ part, start, stop, kind: "salient", said }));
      const alone = (this.settings.alone?.[side] || []).map(({ place: [part, start, stop], said, name }) => ({ part, start, stop, kind: "alone", said, name }));
      pane.mark([...found, ...places, ...salient, ...alone]);
    });
  }

  /** Bring the chosen cell into view on both sides: its evidence where it has some. */
  showCell() {
    const { cell } = this.settings;
    if (!cell) {
      this.point(null);
      return;
    }
    if (!cell.evidence && cell.match !== null && cell.match === this.current) return; // this cell was chosen by a press on its match
    this.point(cell.match);
    this.eachPane((pane, side) => {
      const pieces = cell.match === null ? [] : pane.pieces(cell.match);
      const target = pieces[0] || pane.scroller.querySelector(".cell");
      if (target) pane.bring(target, pane.scroller.clientHeight / 3);
    });
    this.intoWindow();
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
    if (number < this.settings.matches.length) this.trigger("picked", number);
  }

  step(by) {
    const count = this.settings?.matches.length || 0;
    if (!count) return;
    const outside = this.current === null || this.current >= count;
    const next = outside ? (by > 0 ? 0 : count - 1) : (this.current + by + count) % count;
    const found = this.point(next);
    this.eachPane((pane, side) => found[side] && pane.bring(found[side], pane.scroller.clientHeight / 3));
    this.trigger("picked", next);
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
    const { matches } = this.settings, count = matches.length;
    for (const button of [this.before, this.after]) {
      button.disabled = !count;
      button.title = count ? button.ariaLabel : "No passage of these two texts matches";
    }
    if (!count && this.current === null) this.status.textContent = "No passage of these two texts matches.";
    else if (this.current === null) this.status.textContent = `${count} matching passage${count > 1 ? "s" : ""}, the strongest first`;
    else if (this.current >= count) this.status.textContent = `The chosen cell · ${this.said(this.all()[this.current])}`;
    else this.status.textContent = `Match ${this.current + 1} of ${count} · ${this.said(matches[this.current])}`;
  }

  /** A match's strength, and the pages where it stands as far as they are known. */
  said(match) {
    const pages = ["a", "b"].map((side) => {
      const [part, start] = match[side], page = pageAt(this.texts[side].parts[part], start);
      if (page === null) return "";
      return this.texts.a === this.texts.b ? `p. ${page}` : `p. ${page} of the ${side === "a" ? "first" : "second"}`;
    });
    return [`strength ${match.score.toFixed(2)}`, ...pages.filter(Boolean)].join(" · ");
  }

  remove() {
    readers.delete(this);
    this.resizer.disconnect();
    this.root.remove();
  }
}
