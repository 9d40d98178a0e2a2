// What tests/browser/audit.py asks a page: through shadow roots, as these hold the map and the two texts.

function* deep(root) {
  for (const e of root.querySelectorAll("*")) {
    yield e;
    if (e.shadowRoot) yield* deep(e.shadowRoot);
  }
}

function headlines() {
  return [...deep(document)].filter((e) => e.tagName === "H1" && e.checkVisibility()).map((e) => e.textContent);
}

const OURS = "[class*=ps-], .main-svg :is(.xtick, .ytick, .cbaxis)";
const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

function rgba(colour) {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));

/** Relative luminance, as WCAG defines it. */
function luminance(colour) {
  const parts = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/** The styles of an element and of all that it stands in. */
function stylesFrom(e) {
  const found = [];
  for (; e; e = e.assignedSlot || e.parentElement || e.getRootNode().host) found.push(getComputedStyle(e));
  return found;
}

/** The contrast of a text with what lies behind it; pictures behind it are not looked at. */
function contrastOf(e) {
  const styles = stylesFrom(e), [own] = styles;
  const ground = styles.map((style) => rgba(style.backgroundColor)).reduceRight((under, top) => over(top, under), [255, 255, 255]);
  const ink = rgba(e instanceof SVGElement ? own.fill : own.color);
  ink[3] *= styles.reduce((share, style) => share * style.opacity, 1);
  const [dim, bright] = [luminance(over(ink, ground)), luminance(ground)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

function isText(e) {
  if (e.closest("style, script, [disabled]") || !e.checkVisibility({ visibilityProperty: true })) return false;
  const { width, height } = e.getBoundingClientRect(); // what is said and not shown is a pixel large
  const says = [...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  return says && width > 1 && height > 1;
}

function faint(everyText) {
  const found = new Set();
  for (const e of deep(document.body)) {
    const isOurs = everyText || e.getRootNode() instanceof ShadowRoot || e.closest(OURS);
    if (!isOurs || !isText(e)) continue;
    const { fontSize, fontWeight } = getComputedStyle(e), size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
    const contrast = contrastOf(e);
    if (contrast < least) found.add(`${contrast.toFixed(2)} ${e.tagName} ${e.className}: ${e.textContent.trim().slice(0, 40)}`);
  }
  return [...found];
}

const tables = () => [...deep(document)].filter((e) => e.tagName === "TABLE" && e.checkVisibility());

/** Tables that are wider than their texts need, by more than this factor, with both widths. */
function roomy(times) {
  return tables().flatMap((table) => {
    const { width } = table.getBoundingClientRect(), style = table.style.cssText;
    table.style.cssText = "width: max-content !important; min-width: 0 !important";
    const needed = table.getBoundingClientRect().width;
    table.style.cssText = style;
    return width > times * needed ? [`${table.ariaLabel || table.textContent.slice(0, 40)}: ${width} for ${needed}`] : [];
  });
}
