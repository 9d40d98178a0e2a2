// Where Streamlit calls: bytes are kept for the page, texts or a table of cells; charts are drawn below, anything else says
// what to show of two texts.

export default function ({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    const made = JSON.parse(new TextDecoder().decode(data));
    if (made.cells) keepTable(made);
    else keepTexts(Array.isArray(made) ? made : [made]);
    return undefined;
  }
  const View = data.charts ? ChartsView : TextsView;
  return keepView(parentElement, (parent) => new View(parent), (view) => view.update(data, setTriggerValue));
}
