"""The map's scripts by themselves, on a page of the app's origin without a map of its own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from engine.exports.maps import packing
from explorer.shared.markup import joined_scripts
from tests.browser.app import Visitor

_SCENE = """
const [script, style, settings, bytes, answer] = arguments;
const host = document.createElement("div"), parent = host.attachShadow({ mode: "open" });
host.style.cssText = "width: 800px; height: 600px; display: block";
document.body.append(host);
parent.append(Object.assign(document.createElement("style"), { textContent: style }));
const told = [];
const frames = async (count) => { for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame); };
const show = (map, data) => map.default({ data, parentElement: parent, setTriggerValue: (...said) => told.push(said) });
const data = () => ({ ...parent.querySelector(".frame").dataset });
(async () => {
  const map = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const sendSettings = () => show(map, settings), sendPoints = () => show(map, Uint8Array.from(bytes));
  %s
  host.remove();
  return found;
})().then(answer, (error) => answer(String(error.stack || error)));
"""


def scene(visitor: Visitor, packed: packing.Packed, steps: str, settings: packing.Settings | None = None) -> Any:  # noqa: ANN401
    """What `steps`, which make the constant `found`, find on a map of these points."""
    visitor.driver.get(f"{visitor.address}/_stcore/health")
    sent = asdict(settings or packing.Settings()) | {"points": packed.key}
    style = (packing.CANVAS / "map.css").read_text("utf-8")
    script = joined_scripts(packing.CANVAS, (*packing.SCRIPTS, "mount.js"))
    return visitor.driver.execute_async_script(_SCENE % steps, script, style, sent, list(packed.data))
