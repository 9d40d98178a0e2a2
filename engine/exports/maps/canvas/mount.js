// Where Streamlit calls: bytes are kept for all maps of the page, settings belong to one map.

export default function ({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    keepBytes(data);
    return undefined;
  }
  return keepView(parentElement, (parent) => new MapView(parent), (view) => view.update(data, setTriggerValue));
}
