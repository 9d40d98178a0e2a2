// Where Streamlit calls: bytes are a text, kept for the page; charts are drawn below, anything else says what to show of two texts.

export default function ({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    keepText(data);
    return undefined;
  }
  const View = data.charts ? ChartsView : TextsView;
  return keepView(parentElement, (parent) => new View(parent), (view) => view.update(data, setTriggerValue));
}
