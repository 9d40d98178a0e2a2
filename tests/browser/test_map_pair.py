"""Two documents of the map compared: one dragged onto the other, both pressed in turn, or taken with the keys."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from engine.exports.maps import packing, palette
from tests.browser.app import Visitor
from tests.browser.map_hand import data, frame_of, status
from tests.browser.map_scene import scene
from tests.exports.test_maps import made_points

pytestmark = pytest.mark.browser

TITLES = ["Random graphs", "A relay", "Neutrinos"]
PAIRS = packing.Settings(pairs=True)
_START = """
sendSettings(); sendPoints(); await frames(4);
const found = [], frame = parent.querySelector(".frame"), ink = frame.querySelector(".ink"), spots = new Map();
const said = () => frame.querySelector(".status").textContent, box = () => ink.getBoundingClientRect();
const act = (name, [x, y]) => ink.dispatchEvent(
  new PointerEvent(name, { clientX: box().left + x, clientY: box().top + y, button: 0, pointerId: 1 }));
ink.setPointerCapture = () => {};
for (let y = 0; y < box().height; y += 4) for (let x = 0; x < box().width - 70; x += 4) {
  act("pointermove", [x, y]);
  if (frame.dataset.hovered && !spots.has(frame.dataset.hovered)) spots.set(frame.dataset.hovered, [x + 2, y + 2]);
}
const press = (spot) => { act("pointerdown", spot); act("pointerup", spot); };
const at = (title) => spots.get(title);
const drag = (from, to) => { act("pointerdown", from); act("pointermove", to); act("pointerup", to); };
const key = (name) => frame.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
const pairing = () => frame.querySelector('[aria-label^="Compare"]');
"""


def packed() -> packing.Packed:
    colourings = {"kind": palette.by_kind(["paper"] * 3), "year": palette.by_year([1990, 1991, 1992])}
    return packing.pack(made_points(TITLES, years=[1990, 1991, 1992], colourings=colourings, labels=[]))


def test_a_document_dragged_onto_another_is_compared_with_it(visitor: Visitor) -> None:
    steps = f"""{_START}
    pairing().click(); await frames(3);
    found.push(said());
    drag(at("A relay"), [at("A relay")[0] + 60, at("A relay")[1]]);
    found.push(told.length);
    drag(at("A relay"), at("Neutrinos"));
    found.push(told);"""
    hint, beside, compared = scene(visitor, packed(), steps, PAIRS)
    assert hint.startswith("Drag a document onto another, or press both")
    assert beside == 0  # it was dropped where no document lies
    assert compared == [["compared", [1, 2]]]


def test_without_the_tool_a_drag_moves_the_map(visitor: Visitor) -> None:
    steps = f"""{_START} drag(at("A relay"), at("Neutrinos")); await frames(3); found.push(told, data().whole);"""
    assert scene(visitor, packed(), steps, PAIRS) == [[], "false"]


def test_both_are_pressed_in_turn_and_escape_drops_the_first(visitor: Visitor) -> None:
    steps = f"""{_START}
    pairing().click();
    press(at("Neutrinos")); await frames(3);
    found.push(said());
    key("Escape"); await frames(3);
    found.push(said());
    press(at("Neutrinos")); press(at("Random graphs"));
    found.push(told);"""
    taken, dropped, compared = scene(visitor, packed(), steps, PAIRS)
    assert taken.startswith("“Neutrinos” with: press another document")
    assert "Neutrinos" not in dropped
    assert compared == [["compared", [2, 0]]]


def test_a_map_without_a_page_to_compare_on_has_no_such_tool(visitor: Visitor) -> None:
    steps = f"""{_START} found.push(pairing().hidden); key("c"); found.push(told);"""
    assert scene(visitor, packed(), steps) == [True, []]


@pytest.mark.usefixtures("mapped")
def test_the_keys_take_two_documents_and_open_compare_on_them(visitor: Visitor) -> None:
    visitor.open("map?doc=astroph-0")
    map_ = visitor.map()
    visitor.rests()
    visitor.driver.execute_script("arguments[0].focus()", frame_of(visitor, map_))
    first = _aimed_at(visitor, "")
    ActionChains(visitor.driver).send_keys("c").perform()
    visitor.until(lambda _: status(visitor, map_).startswith(f"“{first}” with:"), "expected the first document taken")
    second = _aimed_at(visitor, first)
    ActionChains(visitor.driver).send_keys("c").perform()
    visitor.until(lambda driver: "/compare?" in driver.current_url, "expected the Compare page")
    visitor.sees(first)
    visitor.sees(second)


def _aimed_at(visitor: Visitor, other: str) -> str:
    """Move the map with the arrow keys until another document than this lies near its middle; returns its title."""
    for step in (Keys.ARROW_UP, Keys.ARROW_LEFT) * 20:
        ActionChains(visitor.driver).send_keys(step).perform()
        title = data(visitor, visitor.map()).get("hovered")
        if title and title != other:
            return title
    raise AssertionError("expected the keys to reach another document")
