// One map on the page: its parts, its settings, and when to draw what.

class MapView extends Camera {
  constructor(root) {
    super();
    this.mode = "pan";
    this.points = this.settings = this.query = this.shape = this.drag = null;
    this.hovered = this.echoed = this.level = null; // echoed: the row that is pointed at on another map
    this.selected = new Set();
    this.paired = null; // the first of two documents to compare
    this.rope = null; // a drag from one document to another: { row, to }
    this.aiming = false; // the keys move the map under a cross in its middle
    this.found = null; // one byte a row: what the words that were typed light up
    this.off = new Set(); // legend entries switched off
    this.build(root);
    listen(this);
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(this.frame);
    this.frame.addEventListener("transitionend", () => this.redraw()); // the theme has changed
    watchers.add(this);
  }

  build(root) {
    this.root = element("div", "map", root);
    this.frame = element("div", "frame", this.root);
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "application"); // else a screen reader keeps the arrow keys for itself
    this.pointCanvas = element("canvas", "", this.frame);
    this.inkCanvas = element("canvas", "ink", this.frame);
    this.wait = element("div", "wait", this.frame, "Drawing the map…");
    this.tip = element("div", "tip", this.frame);
    this.tip.hidden = true;
    this.status = element("div", "status", this.frame);
    for (const line of [this.tip, this.status]) line.setAttribute("role", "status");
    this.tools = element("div", "tools", this.frame);
    this.buildTools(this.tools);
    buildFinder(this);
    buildYears(this);
    this.legend = element("div", "legend", this.root);
    this.legend.setAttribute("role", "group");
  }

  buildTools(tools) {
    tools.setAttribute("role", "toolbar");
    tools.setAttribute("aria-label", "Map tools");
    const names = { pan: "Move the map (drag)", lasso: "Lasso: draw around documents to select them (or hold Shift and drag)", box: "Box: drag a rectangle to select documents", pair: "Compare: drag a document onto another, or press both (c)" };
    this.modes = Object.entries(names).map(([mode, name]) => [mode, iconButton(tools, mode, name, () => this.setMode(mode))]);
    element("hr", "", tools);
    const middle = () => [this.width / 2, this.height / 2];
    iconButton(tools, "in", "Zoom in (+)", () => this.zoomAt(...middle(), 1.6));
    iconButton(tools, "out", "Zoom out (−)", () => this.zoomAt(...middle(), 1 / 1.6));
    iconButton(tools, "fit", "Show the whole map (0)", () => this.fit());
    this.toQuery = iconButton(tools, "query", "Go to the query and its neighbours", () => this.goToQuery());
    iconButton(tools, "full", "Full screen", () => (document.fullscreenElement ? document.exitFullscreen() : this.root.requestFullscreen()));
    element("hr", "", tools);
    for (const kind of ["png", "svg"]) wordButton(tools, kind.toUpperCase(), `Save the map as seen as ${kind.toUpperCase()}`, () => savePicture(this, kind));
    this.setMode("pan");
  }

  setMode(mode) {
    this.mode = mode;
    for (const [name, button] of this.modes) button.setAttribute("aria-pressed", String(name === mode));
    this.frame.dataset.mode = mode;
    if (this.points) dropPair(this);
  }

  /** Take over what Python asks for; the zoom stays unless another map is shown. */
  update(settings, trigger) {
    const before = this.settings;
    this.settings = settings;
    this.trigger = trigger;
    this.query = settings.query;
    if (settings.linked) this.root.dataset.linked = settings.linked;
    else delete this.root.dataset.linked;
    this.toQuery.hidden = !settings.query;
    for (const [mode, button] of this.modes) if (mode === "pair") button.hidden = !settings.pairs;
    this.frame.setAttribute("aria-label", settings.description);
    if (!before || before.colour !== settings.colour) this.off.clear();
    if (before && before.selected !== settings.selected) this.takeSelection();
    this.pointsArrived(settings.points);
  }

  /** Mark what the page holds as selected. */
  takeSelection() {
    const { selected } = this.settings, rows = [];
    if (selected && this.points) decodeBits(selected, this.points.count).forEach((bit, row) => bit && rows.push(row));
    this.selected = new Set(rows);
  }

  pointsArrived(key) {
    const points = stores.get(key);
    if (!this.settings || key !== this.settings.points || !points) return;
    const another = this.points !== points;
    this.points = points;
    if (another) {
      this.takeSelection();
      this.hovered = this.echoed = this.paired = this.rope = null;
      takeYears(this);
      this.strays = outside(points);
      this.levels = [...new Set(points.labels.map((label) => label.level))].sort((a, b) => a - b);
      this.shift = null;
      this.resize();
      this.look();
    }
    this.wait.hidden = true;
    this.brush = null;
    if (another || this.found) findWords(this, this.finder.value);
    this.filtered();
  }

  /** Show the points for the first time, as soon as there are both they and room for them. */
  look() {
    if (this.shift || !this.points || !this.width) return;
    this.fitFrame();
    takePlace(this);
  }

  applyFilters() {
    const { points, settings } = this;
    const passing = decodeBits(settings.passing, points.count);
    const { years } = points.arrays, kinds = points.arrays.kind, codes = points.arrays[settings.colour];
    const [from, to] = settings.years || [0, 65535];
    this.shown = new Uint8Array(points.count);
    this.passing = new Uint8Array(points.count); // what is let through by all filters but the years
    let count = 0;
    for (let i = 0; i < points.count; i += 1) {
      const wanted = passing[i] && (!settings.kinds || settings.kinds.includes(kinds[i])) && !this.off.has(codes[i]);
      this.passing[i] = wanted ? 1 : 0;
      this.shown[i] = wanted && (!settings.years || (years[i] >= from && years[i] <= to)) ? 1 : 0;
      count += this.shown[i];
    }
    this.shownCount = count;
    this.applyStates();
  }

  applyStates() {
    if (!this.shown) return;
    const any = this.selected.size > 0, { found } = this;
    const stateOf = (shown, i) => (!shown || (any && !this.selected.has(i)) || (found && !found[i]) ? FAINT : found ? LIT : PLAIN);
    this.states = Uint8Array.from(this.shown, stateOf);
    this.anyLit = Boolean(found);
  }

  showLegend() {
    const { title, entries } = this.points.legends[this.settings.colour];
    this.legend.replaceChildren();
    this.legend.setAttribute("aria-label", `${title}: show or hide`);
    element("span", "legend-title", this.legend, title);
    entries.forEach((entry, code) => {
      if (!entry.count || !entry.label) return;
      if (entry.gap) element("span", "gap", this.legend, "//").title = "No documents of the years between";
      const button = element("button", "entry", this.legend);
      button.type = "button";
      button.setAttribute("aria-pressed", String(!this.off.has(code)));
      button.title = "Show or hide";
      const swatch = element("span", "swatch", button);
      swatch.style.setProperty("--light", entry.light);
      swatch.style.setProperty("--dark", entry.dark);
      swatch.dataset.code = String(code);
      element("span", "", button, entry.label);
      element("span", "count", button, entry.count.toLocaleString("en"));
      button.addEventListener("click", () => this.toggle(code));
    });
  }

  toggle(code) {
    if (!this.off.delete(code)) this.off.add(code);
    this.filtered();
    shareLegend(this);
  }

  filtered() {
    this.applyFilters();
    this.showLegend();
    this.redraw();
  }

  resize() {
    const box = this.frame.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const before = [this.width, this.height], whole = this.shift && this.isWhole(), all = this.shift && this.isAt(this.all);
    [this.width, this.height] = [Math.round(box.width), Math.round(box.height)];
    if (before[0] === this.width && before[1] === this.height) return;
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    for (const canvas of [this.pointCanvas, this.inkCanvas]) {
      canvas.width = Math.round(this.width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
    if (!this.shift) this.look();
    else this.refit(before, whole, all);
    this.redraw();
  }

  /** Stay where the map stood, in a frame of another size. */
  refit(before, whole, all) {
    const place = [this.scale, this.shift];
    this.fitFrame();
    if (whole) return;
    if (all) return this.fitAll();
    [this.scale, this.shift] = place;
    this.panBy((this.width - before[0]) / 2, (this.height - before[1]) / 2);
  }

  goToQuery() {
    for (const view of [this, ...partnersOf(this).map(([other]) => other)]) if (view.query) view.fitQuery();
  }

  nearest(x, y, reach = HOVER_PIXELS) {
    let best = null, least = reach ** 2;
    for (let row = 0; row < this.points.count; row += 1) {
      if (!this.shown[row]) continue;
      const [px, py] = this.spotOf(row), distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [row, distance];
    }
    return best;
  }

  pointAt(x, y) {
    if (this.points) this.hover(this.nearest(x, y));
  }

  hover(row) {
    if (row === this.hovered) return;
    this.hovered = row;
    this.tip.hidden = row === null;
    if (row !== null) showTip(this, row);
    this.tell("hovered", row);
    this.redrawInk();
    shareHover(this, row);
  }

  /** Mark what is pointed at on another map. */
  echo(row) {
    if (row === this.echoed) return;
    this.echoed = row;
    this.tell("echoed", row);
    this.redrawInk();
  }

  /** Leave the title of a marked document where tests and style sheets see it. */
  tell(name, row) {
    if (row === null) delete this.frame.dataset[name];
    else this.frame.dataset[name] = this.points.titles[row];
  }

  /** Show what the keys point at, the document nearest to the middle, or show it no longer. */
  aim(is) {
    if (!is && !this.aiming) return;
    this.aiming = is;
    this.hover(is && this.points ? this.nearest(this.width / 2, this.height / 2, KEYS_PIXELS) : null);
    this.redrawInk();
  }

  click(x, y) {
    const row = this.points ? this.nearest(x, y) : null;
    if (this.mode === "pair") pairPress(this, row);
    else if (row !== null) this.trigger("picked", row);
    else if (this.selected.size) this.select([]);
  }

  select(rows) {
    this.mark(rows);
    shareSelection(this, rows);
    this.trigger("selected", rows);
  }

  /** Show rows as selected; the page is told by the map on which it was done. */
  mark(rows) {
    this.selected = new Set(rows);
    this.applyStates();
    this.redraw();
  }

  redraw() {
    if (this.frameDue) return;
    this.frameDue = requestAnimationFrame(() => {
      this.frameDue = 0;
      this.draw();
    });
  }

  redrawInk() {
    if (!this.frameDue && !this.inkDue) {
      this.inkDue = requestAnimationFrame(() => {
        this.inkDue = 0;
        this.drawInkNow();
      });
    }
  }

  draw() {
    if (!this.shift) return;
    this.theme = themeOf(this.root);
    this.root.dataset.theme = this.theme.dark ? "dark" : "light";
    const { ratio, scale, shift, theme } = this;
    const zoom = scale / this.wholeScale;
    const base = this.points.count > 50000 ? 1.3 : this.points.count > 15000 ? 1.7 : this.points.count > 3000 ? 2.4 : 4;
    const room = Math.min(1, Math.max(0.6, Math.min(this.width, this.height) / 480)); // smaller points on a small screen
    this.radius = Math.min(base * room * Math.max(zoom, 1) ** 0.3, 7);
    this.litRadius = Math.max(this.radius * 1.5, 3);
    this.faint = theme.dark ? { colour: [120, 124, 134], alpha: 46 } : { colour: [150, 154, 164], alpha: 56 };
    const side = theme.dark ? "dark" : "light";
    this.isDrawn = paintPoints(this.pointCanvas.getContext("2d", { alpha: false }), {
      points: this.points, states: this.states, codes: this.points.arrays[this.settings.colour],
      colours: this.points.legends[this.settings.colour].entries.map((entry) => rgb(entry[side])),
      background: theme.background, faint: this.faint.colour, faintAlpha: this.faint.alpha,
      litRadius: this.anyLit ? this.litRadius * ratio : 0, alpha: this.points.count > 15000 ? 190 : 225, radius: this.radius * ratio,
      most: this.moving ? MOST_MOVING : Infinity,
      scaleX: scale * ratio, scaleY: -scale * ratio, shiftX: shift[0] * ratio, shiftY: shift[1] * ratio,
    });
    this.frame.dataset.points = this.isDrawn ? "all" : "some";
    this.level = this.chosenLevel(zoom);
    this.drawInkNow();
    this.showStatus(zoom);
    notePlace(this);
    countYearsSoon(this);
    this.frame.dataset.drawn = String(this.points.count);
  }

  chosenLevel(zoom) {
    const { level } = this.settings;
    if (level === "none" || !this.levels.length) return null;
    if (level === "auto") return levelAtZoom(this.levels, zoom);
    return this.levels[Math.min(level, this.levels.length - 1)];
  }

  drawInkNow() {
    if (!this.shift || !this.theme) return;
    const pen = this.inkCanvas.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    drawInk(pen, this);
    if (this.hovered !== null) placeTip(this);
  }

  showStatus(zoom) {
    const all = this.points.count, count = this.shownCount.toLocaleString("en");
    const shown = this.shownCount === all ? `${count} documents` : `${count} of ${all.toLocaleString("en")} documents`;
    const selected = this.selected.size ? ` · ${this.selected.size.toLocaleString("en")} selected` : "";
    const { focus, linked } = this.settings;
    const away = this.isWhole() && this.strays ? ` · ${this.strays.toLocaleString("en")} outside: 0 shows all` : "";
    const pointed = linked && focus !== null ? ` · Below: ${this.points.titles[focus]}` : "";
    this.status.textContent = `${saidOfPair(this)}${shown}${selected} · ${zoom.toFixed(1)}×${away}${pointed}`;
    this.frame.dataset.level = String(this.level);
    this.frame.dataset.zoom = zoom.toFixed(2);
    this.frame.dataset.whole = String(this.isWhole());
  }

  remove() {
    watchers.delete(this);
    clearTimeout(this.noting);
    clearTimeout(this.moving);
    clearTimeout(this.countingYears);
    this.resizer.disconnect();
    this.root.remove();
  }
}
