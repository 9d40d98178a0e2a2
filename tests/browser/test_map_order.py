"""The map's script by itself: it draws whatever comes first, its settings, its points or room for them."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from explorer.map import scatter
from tests.browser.app import Visitor
from tests.explorer.map.test_scatter import points

pytestmark = pytest.mark.browser

_SCENE = """
const [script, settings, bytes, answer] = arguments;
const host = document.createElement("div"), parent = host.attachShadow({ mode: "open" });
host.style.cssText = "width: 800px; height: 600px; display: block";
document.body.append(host);
const frames = async (count) => { for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame); };
const show = (map, data) => map.default({ data, parentElement: parent, setTriggerValue: () => {} });
(async () => {
  const map = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const sendSettings = () => show(map, settings), sendPoints = () => show(map, Uint8Array.from(bytes));
  %s
  await frames(4);
  const { drawn, zoom, whole } = parent.querySelector(".frame").dataset;
  host.remove();
  answer([drawn, zoom, whole]);
})().catch((error) => answer(String(error)));
"""
_ORDERS = {
    "the settings first": "sendSettings(); sendPoints();",
    "the points first": "sendPoints(); sendSettings();",
    "the points long after the map has its room": "sendSettings(); await frames(4); sendPoints();",
    "a press of the tools before there are points": (
        "sendSettings(); await frames(4); for (const tool of parent.querySelectorAll('.tools button:not([hidden])')) "
        "if (!tool.title.startsWith('Full')) tool.click(); sendPoints();"
    ),
    "room for the map last": (
        "host.style.display = 'none'; sendSettings(); sendPoints(); await frames(4); host.style.display = 'block';"
    ),
}


@pytest.mark.parametrize("order", _ORDERS.values(), ids=_ORDERS.keys())
def test_the_map_is_drawn_whatever_comes_first(visitor: Visitor, order: str) -> None:
    packed = scatter.pack(points(["One", "Two", "Three"]))
    settings = asdict(scatter.Settings()) | {"points": packed.key}
    visitor.driver.get(f"{visitor.address}/_stcore/health")  # a page of the app's origin without a map of its own
    found = visitor.driver.execute_async_script(_SCENE % order, scatter.script(), settings, list(packed.data))
    assert found == ["3", "1.00", "true"]
