"""Two maps side by side in a real browser: what is done on one is seen on the other."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from engine.encoders import registry
from explorer.state.handles import short
from tests import topics
from tests.browser.app import Visitor
from tests.browser.map_hand import data, drag_around, frame_of, legend, point_at_some, status, tool

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("paired")]

DOCUMENTS = len(topics.TOPICS) * topics.EACH

_LEGEND_HEIGHT = "return arguments[0].querySelector('.legend').offsetHeight"


def both(visitor: Visitor, more: str = "") -> tuple[WebElement, WebElement]:
    visitor.open(f"map?beside=tfidf{more}")
    first, second = visitor.map(0), visitor.map(1)
    visitor.rests()
    return first, second


def test_a_document_pointed_at_on_one_map_is_marked_on_the_other(visitor: Visitor) -> None:
    first, second = both(visitor)
    for here, there in ((first, second), (second, first)):
        title = point_at_some(visitor, here)
        assert title
        assert data(visitor, there)["echoed"] == title
        assert "hovered" not in data(visitor, there)
        ActionChains(visitor.driver, duration=20).move_to_element(visitor.find("h1")).perform()
        assert "echoed" not in data(visitor, there)


def test_what_a_box_selects_on_one_map_is_selected_on_the_other(visitor: Visitor) -> None:
    first, second = both(visitor, "&kind=patent")
    tool(visitor, second, "Box")
    drag_around(visitor, second)
    visitor.until(lambda _: "32 selected" in status(visitor, first), "expected the first map to follow")
    visitor.sees("32 selected")
    assert "32 selected" in status(visitor, second)
    titles = {str(record["title"]) for record in topics.records() if record["kind"] == "patent"}
    visitor.until(lambda _: set(visitor.texts(".ps-picked li")) == titles, "expected the titles of all patents")
    visitor.press("map-selection-clear")
    for map_ in (first, second):
        visitor.until(lambda _, map_=map_: "selected" not in status(visitor, map_), "expected no selection")


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


def test_the_legend_and_the_way_to_the_query_work_on_both(visitor: Visitor) -> None:
    first, second = both(visitor, "&colour=kind&doc=astroph-0")
    assert legend(visitor, first) == legend(visitor, second) == ["Papers 32", "Patents 32"]
    visitor.driver.execute_script("arguments[0].querySelector('.entry').click()", first)
    for map_ in (first, second):
        visitor.until(lambda _, map_=map_: status(visitor, map_).startswith("32 of 64"), "expected papers hidden")
    tool(visitor, second, "Go to the query")
    visitor.until(lambda _: float(data(visitor, first)["zoom"]) > 1.2, "expected the first map at the query")


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
