"""The map's script by itself: it draws whatever comes first, its settings, its points or room for them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.exports.maps import packing
from tests.browser.app import Visitor
from tests.browser.map_scene import scene
from tests.exports.test_maps import made_points

pytestmark = pytest.mark.browser

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
    packed = packing.pack(made_points(["One", "Two", "Three"]))
    found = scene(visitor, packed, f"{order} await frames(4); const found = data();")
    assert (found["drawn"], found["zoom"], found["whole"]) == ("3", "1.00", "true")


@pytest.mark.parametrize("place", ["at=deadbeef,0,0,9", "at=deadbeef,x,0", "at=,,,", "at2=1,2,3,4", "%E0%A4%A"])
def test_only_a_place_on_this_map_is_looked_at_from_the_start(visitor: Visitor, place: str) -> None:
    packed = packing.pack(made_points(["One", "Two", "Three"]))
    steps = "location.hash = '#{}'; sendSettings(); sendPoints(); await frames(4); const found = data().zoom;"
    assert scene(visitor, packed, steps.format(place)) == "1.00"
    assert scene(visitor, packed, steps.format(f"at={packed.key[:8]},0,0,9")) == "9.00"


def test_strays_leave_the_first_view_and_0_shows_them_and_goes_back(visitor: Visitor) -> None:
    places = np.random.default_rng(0).normal(size=(600, 2))
    places[0] = (900, 900)
    packed = packing.pack(made_points(["T"] * 600, positions=places.astype(np.float32)))
    steps = """
    sendSettings(); sendPoints(); await frames(4);
    const found = [], frame = parent.querySelector(".frame"), status = parent.querySelector(".status");
    const look = () => found.push([Number(data().zoom), data().whole, status.textContent]);
    const key = new KeyboardEvent("keydown", { key: "0" });
    const press = async () => { frame.dispatchEvent(key); await frames(4); look(); };
    look(); await press(); await press();
    """
    first, everything, back = scene(visitor, packed, steps)
    assert first[:2] == [1, "true"]
    assert " outside: 0 shows all" in first[2]
    assert everything[0] < 0.05
    assert everything[1] == "false"
    assert back == first
