// The picture of a page at a zoom, in a region that scrolls: it opens at the passage, and stays where the reader scrolls.

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
  }

  update(data) {
    const turned = this.data?.zoom !== data.zoom;
    this.data = data;
    this.region.setAttribute("aria-label", data.label);
    this.picture.alt = data.alt;
    this.picture.style.width = data.zoom ? `${data.width * data.zoom}px` : "100%";
    const source = `data:image/png;base64,${data.png}`;
    if (this.picture.src !== source) this.picture.src = source;
    else if (turned) this.land();
  }

  /** Bring the passage into view, or the page's top where it holds none. */
  land() {
    const [left, top] = this.data.at ?? [0, 0];
    const { clientWidth, clientHeight } = this.picture;
    this.region.scrollTop = top * clientHeight - this.region.clientHeight / 4;
    this.region.scrollLeft = left * clientWidth - 24;
  }

  remove() {
    this.region.remove();
  }
}

export default function ({ data, parentElement }) {
  return keepView(parentElement, (parent) => new Sheet(parent), (view) => view.update(data));
}
