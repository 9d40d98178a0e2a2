// Where a map that is a file of its own starts: its points, its settings, and the two controls that the app draws itself.

const part = (id) => document.getElementById(id);

/** The points, which the file holds as base64 of gzip. */
async function unpacked(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function choice(name, options, chosen, change) {
  const label = element("label", "", part("controls"), name);
  const list = element("select", "", label);
  for (const [value, text] of options) element("option", "", list, text).value = value;
  list.value = chosen;
  list.addEventListener("change", () => change(list.value));
}

/** What the visitor does to the map, which the app would answer. */
function answer(view, name, value) {
  const { settings } = view, change = (more) => view.update({ ...settings, ...more }, view.trigger);
  if (name === "picked") change({ focus: value === settings.focus ? null : value });
  if (name === "years") change({ years: value.length ? value : null });
  if (name === "searched") fitFound(view);
}

async function start() {
  const settings = JSON.parse(part("settings").textContent), view = new MapView(part("map"));
  const bytes = await unpacked(part("points").textContent);
  keepBytes(bytes);
  view.update(settings, (name, value) => answer(view, name, value));
  const show = (more) => view.update({ ...view.settings, ...more }, view.trigger);
  const colours = ["cluster", "kind", "year", "category"].map((name) => [name, view.points.legends[name].title]);
  choice("Colour by", colours, settings.colour, (colour) => show({ colour }));
  const levels = [["auto", "Follow the zoom"], ["0", "Regions"], ["1", "Topics"], ["2", "Details"], ["none", "None"]];
  choice("Labels", levels, settings.level, (level) => show({ level: /\d/.test(level) ? Number(level) : level }));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.redraw());
}

start().catch((error) => { part("map").textContent = `This map could not be drawn: ${error.message}`; });
