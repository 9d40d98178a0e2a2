// Where Streamlit calls: bytes are a text, kept for the page; claims are a chart, anything else says what to show of two texts.

export default function ({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    keepText(data);
    return undefined;
  }
  const View = data.claims ? ClaimsView : TextsView;
  return keepView(parentElement, (parent) => new View(parent), (view) => view.update(data, setTriggerValue));
}
