// The picture of a page at a zoom, in a region that scrolls: it opens at the passage, and stays where the reader scrolls.

const LEGIBLE = 0.75; // of a page's own size: below it, as on a phone, the passage is fitted to the width in place of the page

class Sheet {
  constructor(parent) {
    this.region = document.createElement("div");
    this.region.className = "sheet";
    this.region.tabIndex = 0;
    this.region.setAttribute("role", "region");
    this.picture = document.createElement("img");
    this.picture.decoding = "sync";
    this.picture.addEventListener("load", () => this.land());
    this.region.append(this.picture);
    parent.append(this.region);
    this.resized = new ResizeObserver(() => this.size());
    this.resized.observe(this.region);
  }

  update(data) {
    const turned = this.data?.zoom !== data.zoom;
    this.data = data;
    this.region.setAttribute("aria-label", data.label);
    this.picture.alt = data.alt;
    this.size();
    const source = `data:image/png;base64,${data.png}`;
    if (this.picture.src !== source) this.picture.src = source;
    else if (turned) this.land();
  }

  size() {
    const { zoom, width, at, span } = this.data || {}, room = this.region.clientWidth;
    if (!width) return;
    const fitted = room < LEGIBLE * width ? Math.min(Math.max(LEGIBLE * width, at && span ? (room - 24) / span : 0), width) : 0;
    this.picture.style.width = zoom ? `${width * zoom}px` : fitted ? `${fitted}px` : "100%";
  }

  /** Bring the passage into view, or the page's top where it holds none. */
  land() {
    const [left, top] = this.data.at ?? [0, 0];
    const { clientWidth, clientHeight } = this.picture;
    this.region.scrollTop = top * clientHeight - this.region.clientHeight / 4;
    this.region.scrollLeft = left * clientWidth - 12;
  }

  remove() {
    this.resized.disconnect();
    this.region.remove();
  }
}

export default function ({ data, parentElement }) {
  return keepView(parentElement, (parent) => new Sheet(parent), (view) => view.update(data));
}
