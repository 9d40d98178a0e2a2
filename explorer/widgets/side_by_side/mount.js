// Where Streamlit calls: bytes are a text, kept for the page; claims are a chart, anything else says what to show of two texts.

const views = new WeakMap(); // parent element -> its view

export default function ({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    keepText(data);
    return undefined;
  }
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = new (data.claims ? ClaimsView : TextsView)(parentElement)));
  view.update(data, setTriggerValue);
  return () => {
    view.remove();
    views.delete(parentElement);
  };
}
