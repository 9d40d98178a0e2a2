"""Two at a time on the map: two maps side by side, and two documents that are compared by hand or keys."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from engine.encoders import registry
from engine.exports.maps import packing, palette
from explorer.state.handles import short
from tests import topics
from tests.browser.app import Visitor
from tests.browser.map_hand import PICKED, data, drag_around, frame_of, legend, point_at_some, scene, status, tool
from tests.exports.test_maps import made_points

pytestmark = pytest.mark.browser

DOCUMENTS = len(topics.TOPICS) * topics.EACH
_LEGEND_HEIGHT = "return arguments[0].querySelector('.legend').offsetHeight"
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


def both(visitor: Visitor, more: str = "") -> tuple[WebElement, WebElement]:
    visitor.open(f"map?beside=tfidf{more}")
    first, second = visitor.map(0), visitor.map(1)
    visitor.rests()
    return first, second


@pytest.mark.usefixtures("paired")
def test_a_document_pointed_at_on_one_map_is_marked_on_the_other(visitor: Visitor) -> None:
    first, second = both(visitor)
    for here, there in ((first, second), (second, first)):
        title = point_at_some(visitor, here)
        assert title
        assert data(visitor, there)["echoed"] == title
        assert "hovered" not in data(visitor, there)
        ActionChains(visitor.driver, duration=20).move_to_element(visitor.find("h1")).perform()
        assert "echoed" not in data(visitor, there)


@pytest.mark.usefixtures("paired")
def test_what_a_box_selects_on_one_map_is_selected_on_the_other(visitor: Visitor) -> None:
    first, second = both(visitor, "&kind=patent")
    tool(visitor, second, "Box")
    drag_around(visitor, second)
    visitor.until(lambda _: "32 selected" in status(visitor, first), "expected the first map to follow")
    visitor.sees("32 selected")
    assert "32 selected" in status(visitor, second)
    titles = {str(record["title"]) for record in topics.records() if record["kind"] == "patent"}
    visitor.until(lambda _: set(visitor.texts(PICKED)) == titles, "expected the titles of all patents")
    visitor.press("map-selection-clear")
    for map_ in (first, second):
        visitor.until(lambda _, map_=map_: "selected" not in status(visitor, map_), "expected no selection")


@pytest.mark.usefixtures("paired")
def test_a_selection_stays_when_the_second_map_comes(visitor: Visitor) -> None:
    visitor.open("map")
    map_ = visitor.map()
    tool(visitor, map_, "Box")
    drag_around(visitor, map_)
    visitor.sees(f"{DOCUMENTS} selected")
    choice = visitor.find(".st-key-map-beside-encoder input")
    visitor.driver.execute_script(
        "arguments[0].scrollIntoView({ block: 'center' })", choice
    )  # from under the app's bar
    choice.click()
    choice.send_keys("TF-IDF", Keys.ENTER)
    second = visitor.map(1)
    visitor.until(lambda _: f"{DOCUMENTS} selected" in status(visitor, second), "expected it on the new map")
    assert f"{DOCUMENTS} selected" in status(visitor, visitor.map(0))


@pytest.mark.usefixtures("paired")
def test_the_legend_and_the_way_to_the_query_work_on_both(visitor: Visitor) -> None:
    first, second = both(visitor, "&colour=kind&doc=astroph-0")
    assert legend(visitor, first) == legend(visitor, second) == ["Papers 32", "Patents 32"]
    visitor.driver.execute_script("arguments[0].querySelector('.entry').click()", first)
    for map_ in (first, second):
        visitor.until(lambda _, map_=map_: status(visitor, map_).startswith("32 of 64"), "expected papers hidden")
    tool(visitor, second, "Go to the query")
    visitor.until(lambda _: float(data(visitor, first)["zoom"]) > 1.2, "expected the first map at the query")


@pytest.mark.usefixtures("paired")
def test_both_maps_are_named_and_stand_one_above_the_other_on_a_narrow_screen(visitor: Visitor) -> None:
    first, second = both(visitor)
    names = [frame_of(visitor, map_).get_attribute("aria-label") or "" for map_ in (first, second)]
    assert f"under the encoder {short(registry.DEFAULT)}" in names[0]
    assert "under the encoder TF-IDF" in names[1]
    assert all("marked on the other map" in name for name in names)
    assert first.location["x"] < second.location["x"]
    size = visitor.driver.get_window_size()
    try:
        visitor.driver.set_window_size(500, 900)
        visitor.until(lambda _: first.location["y"] < second.location["y"], "expected one above the other")
        assert first.location["x"] == second.location["x"]
        seen = [visitor.driver.execute_script(_LEGEND_HEIGHT, map_) for map_ in (first, second)]
        assert seen[0] > 0
        assert seen[1] == 0  # the same colours: one legend is enough
    finally:
        visitor.driver.set_window_size(size["width"], size["height"])


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
