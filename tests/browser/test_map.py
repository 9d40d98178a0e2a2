"""The map in a real browser: drawn, zoomed, pointed at, selected from, restored by its link."""

from __future__ import annotations

from typing import cast

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests import topics
from tests.browser.app import Visitor
from tests.browser.map_hand import data, drag_around, frame_of, legend, status, tool

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("mapped")]

FORMATS = ["CSV", "JSON", "BibTeX", "RIS"]
DOCUMENTS = len(topics.TOPICS) * topics.EACH


def test_every_document_is_drawn_with_a_legend_that_hides_and_shows_without_a_run_of_the_app(visitor: Visitor) -> None:
    visitor.open("map?colour=kind")
    map_ = visitor.map()
    assert data(visitor, map_)["drawn"] == str(DOCUMENTS)
    assert legend(visitor, map_) == ["Papers 32", "Patents 32"]
    visitor.sees("This picture keeps")
    assert "trustworthiness" in visitor.text()
    press = "arguments[0].querySelector('.entry').click(); return arguments[0].querySelector('.entry').ariaPressed"
    assert visitor.driver.execute_script(press, map_) == "false"
    visitor.until(lambda _: status(visitor, map_).startswith("32 of 64"), "expected half of the documents")
    assert visitor.driver.execute_script(press, map_) == "true"
    visitor.until(lambda _: status(visitor, map_).startswith("64 documents"), "expected all documents again")


def test_the_keyboard_zooms_and_a_changed_colour_keeps_the_zoom(visitor: Visitor) -> None:
    visitor.open("map?colour=kind")
    map_ = visitor.map()
    frame = cast(WebElement, visitor.driver.execute_script("return arguments[0].querySelector('.frame')", map_))
    visitor.driver.execute_script("arguments[0].focus()", frame)
    frame.send_keys("+++")
    visitor.until(lambda _: float(data(visitor, map_)["zoom"]) > 3, "expected the map to be zoomed")
    visitor.click_on(".st-key-map-colour button", "Year")
    visitor.until(lambda _: "Papers 32" not in legend(visitor, map_), "expected the legend of years")
    assert float(data(visitor, map_)["zoom"]) > 3
    visitor.until(lambda driver: "colour=year" in driver.current_url, "expected the colour in the link")
    frame.send_keys("0")
    visitor.until(lambda _: data(visitor, map_)["zoom"] == "1.00", "expected the whole map")


def test_the_link_leads_to_the_same_stretch_of_the_map(visitor: Visitor) -> None:
    visitor.open("map?colour=kind")
    map_ = visitor.map()
    for _ in range(3):
        tool(visitor, map_, "Zoom in")
    visitor.until(lambda driver: "#at=" in driver.current_url, "expected the zoom in the link")
    visitor.click_on(".st-key-map-colour button", "Year")
    visitor.until(lambda driver: "colour=year" in driver.current_url, "expected the colour in the link")
    visitor.until(lambda driver: "#at=" in driver.current_url, "expected the zoom to stay in the link")
    link = visitor.driver.current_url
    before = data(visitor, map_)["zoom"]

    visitor.driver.get("about:blank")
    visitor.driver.get(link)
    map_ = visitor.map()
    assert data(visitor, map_)["zoom"] == before
    assert float(before) > 3
    tool(visitor, map_, "Show the whole map")
    visitor.until(lambda driver: "#" not in driver.current_url, "expected no zoom in the link")


def test_a_whole_map_stays_whole_in_another_window(visitor: Visitor) -> None:
    visitor.open("map?colour=kind")
    map_ = visitor.map()
    frame = frame_of(visitor, map_)
    wide, size = frame.size["width"], visitor.driver.get_window_size()
    try:
        visitor.driver.set_window_size(size["width"] - 300, size["height"])
        visitor.until(lambda _: frame.size["width"] < wide, "expected a smaller map")
        visitor.until(lambda _: data(visitor, map_)["whole"] == "true", "expected the whole map")
        tool(visitor, map_, "Zoom in")
        visitor.until(lambda _: data(visitor, map_)["whole"] == "false", "expected a part of the map")
    finally:
        visitor.driver.set_window_size(size["width"], size["height"])


def test_a_place_on_another_map_shows_the_whole_one(visitor: Visitor) -> None:
    visitor.open("map?colour=kind#at=deadbeef,0,0,9&at2=1,2,3,4&%E0%A4%A")
    assert data(visitor, visitor.map())["zoom"] == "1.00"


def test_a_box_selects_documents_and_offers_just_these(visitor: Visitor) -> None:
    visitor.open("map?kind=patent")
    map_ = visitor.map()
    tool(visitor, map_, "Box")
    drag_around(visitor, map_)
    visitor.sees("32 selected")
    visitor.until(
        lambda _: " ".join(visitor.texts(".st-key-map-downloads")).split() == FORMATS, "expected four formats"
    )
    visitor.until(lambda _: len(visitor.texts(".ps-picked li")) == 32, "expected a list of the selected titles")
    visitor.press("map-selection-clear")
    visitor.until(lambda _: "selected" not in status(visitor, map_), "expected the selection to be gone")
    visitor.until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, ".ps-picked"), "expected no list")


def test_a_click_on_a_point_shows_its_document_and_the_link_keeps_it(visitor: Visitor) -> None:
    visitor.open("map?doc=astroph-0")
    visitor.map()
    visitor.sees("Its true neighbours")
    visitor.press("near-show-1")
    visitor.find(".st-key-map-pointed")
    visitor.until(lambda driver: "hit=" in driver.current_url, "expected the document in the link")
    visitor.driver.refresh()
    visitor.map()
    visitor.find(".st-key-map-pointed")
    visitor.press("pointed-ask")
    visitor.until(lambda driver: "doc=astroph-0&" not in driver.current_url + "&", "expected another query")
    assert visitor.map().is_displayed()


def test_escape_drops_what_the_lasso_selected(visitor: Visitor) -> None:
    visitor.open("map")
    map_ = visitor.map()
    tool(visitor, map_, "Box")
    drag_around(visitor, map_)
    visitor.sees(f"{DOCUMENTS} selected")
    frame = cast(WebElement, visitor.driver.execute_script("return arguments[0].querySelector('.frame')", map_))
    visitor.driver.execute_script("arguments[0].focus()", frame)
    frame.send_keys(Keys.ESCAPE)
    visitor.until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, ".ps-picked"), "expected no list")


def test_an_open_map_follows_a_change_of_theme(visitor: Visitor) -> None:
    visitor.open("map", theme="light")
    map_ = visitor.map()
    assert map_.get_attribute("data-theme") == "light"
    visitor.prefer("dark")
    visitor.until(lambda _: visitor.map().get_attribute("data-theme") == "dark", "expected the map on dark ground")


def test_the_clusters_stand_in_a_table_too(visitor: Visitor) -> None:
    visitor.open("map")
    visitor.map()
    visitor.click_on("summary", "as a table")
    visitor.find(".ps-table td")


def test_a_document_on_the_map_can_be_searched_with_at_once(visitor: Visitor) -> None:
    visitor.open("map?hit=astroph-1")
    visitor.map()
    visitor.press("pointed-search")
    visitor.sees("What lies near")
    visitor.until(lambda driver: "doc=astroph-1" in driver.current_url, "expected the document as the query")


def test_the_map_has_the_whole_width_until_something_stands_beside_it(visitor: Visitor) -> None:
    visitor.open("map")
    map_ = visitor.map()
    visitor.rests()
    frame = frame_of(visitor, map_)
    room = visitor.find(".st-key-map-stage").size["width"]
    assert frame.size["width"] == room
    tool(visitor, map_, "Box")
    drag_around(visitor, map_)
    visitor.sees(f"{DOCUMENTS} selected")
    visitor.until(lambda _: frame.size["width"] < 0.8 * room, "expected room for the selection")
    visitor.shows(".ps-summary", "32 papers, 32 patents")
    visitor.press("map-selection-clear")
    visitor.until(lambda _: frame.size["width"] == room, "expected the whole width again")


def test_words_are_found_in_titles_at_once_and_by_keywords_on_enter(visitor: Visitor) -> None:
    visitor.open("map")
    map_ = visitor.map()
    visitor.rests()
    field = cast(WebElement, visitor.driver.execute_script("return arguments[0].querySelector('.find input')", map_))

    def said() -> str:
        return str(visitor.driver.execute_script("return arguments[0].querySelector('.found').textContent", map_))

    field.send_keys("turbine")
    visitor.until(lambda _: "title" in said() and "keywords" not in said(), "expected titles")
    field.send_keys(Keys.ENTER)
    visitor.until(lambda _: "by keywords" in said(), "expected what the keywords find")
    assert said() == "6 titles, 13 by keywords"
    field.send_keys(Keys.ESCAPE)
    visitor.until(lambda _: not said(), "expected no words")


def test_a_drag_over_the_years_is_the_filter_and_stands_in_the_link(visitor: Visitor) -> None:
    visitor.open("map")
    map_ = visitor.map()
    visitor.rests()
    years = cast(WebElement, visitor.driver.execute_script("return arguments[0].querySelector('.years canvas')", map_))
    visitor.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", years)
    wide = years.size["width"]
    drag = ActionChains(visitor.driver, duration=60).move_to_element_with_offset(years, -wide // 2 + 4, 0)
    drag.click_and_hold().move_by_offset(wide // 3, 0).release().perform()
    visitor.until(lambda driver: "to=" in driver.current_url, "expected the years in the link")
    visitor.until(lambda _: f"of {DOCUMENTS} documents" in status(visitor, map_), "expected fewer documents")
    visitor.driver.execute_script("arguments[0].querySelector('.all-years').click()", map_)
    visitor.until(lambda driver: "to=" not in driver.current_url, "expected all years")
