// Where Streamlit calls: bytes are kept for all maps of the page, settings belong to one map.

const views = new WeakMap(); // parent element -> its view

export default function ({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    keepBytes(data);
    return undefined;
  }
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = new MapView(parentElement)));
  view.update(data, setTriggerValue);
  return () => {
    view.remove();
    views.delete(parentElement);
  };
}
