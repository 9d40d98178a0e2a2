"""The map in a real browser: drawn, zoomed, pointed at, selected from, searched, saved, restored by its link."""

from __future__ import annotations

import base64
import io
from typing import cast

import defusedxml.ElementTree
import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from engine.exports.maps import packing, palette
from tests import topics
from tests.browser.app import Visitor
from tests.browser.map_hand import (
    PICKED,
    data,
    drag_around,
    frame_of,
    legend,
    point_at_some,
    scene,
    status,
    tip,
    tool,
)
from tests.exports.test_maps import made_points

pytestmark = pytest.mark.browser

FORMATS = ["CSV", "JSON", "BibTeX", "RIS"]
DOCUMENTS = len(topics.TOPICS) * topics.EACH
TITLES = ["Random graphs", "A relay for telegraphs", "GRAPHS of <b>relays</b> & more", "Neutrinos", "Neutrino mass"]
CARD_PIXELS = 30
"""No farther from its point than this is what lies beside it."""
YEARS = [1880, 1881, 1890, 2020, 0]

_START = """
sendSettings(); sendPoints(); await frames(4);
const rest = () => new Promise((resolve) => setTimeout(resolve, 300)), found = [];
const at = (selector) => parent.querySelector(selector);
const type = async (words) => {
  at(".find input").value = words;
  at(".find input").dispatchEvent(new Event("input"));
  await rest();
};
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


@pytest.mark.usefixtures("mapped")
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


@pytest.mark.usefixtures("mapped")
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


@pytest.mark.usefixtures("mapped")
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


@pytest.mark.usefixtures("mapped")
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


@pytest.mark.usefixtures("mapped")
def test_a_place_on_another_map_shows_the_whole_one(visitor: Visitor) -> None:
    visitor.open("map?colour=kind#at=deadbeef,0,0,9&at2=1,2,3,4&%E0%A4%A")
    assert data(visitor, visitor.map())["zoom"] == "1.00"


@pytest.mark.usefixtures("mapped")
def test_a_box_selects_documents_and_offers_just_these(visitor: Visitor) -> None:
    visitor.open("map?kind=patent")
    map_ = visitor.map()
    tool(visitor, map_, "Box")
    drag_around(visitor, map_)
    visitor.sees("32 selected")
    visitor.until(
        lambda _: " ".join(visitor.texts(".st-key-map-downloads")).split() == FORMATS, "expected four formats"
    )
    visitor.until(lambda _: len(visitor.texts(PICKED)) == 32, "expected a list of the selected titles")
    visitor.press("map-selection-clear")
    visitor.until(lambda _: "selected" not in status(visitor, map_), "expected the selection to be gone")
    visitor.until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, ".st-key-map-picked"), "expected no list")


@pytest.mark.usefixtures("mapped")
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


@pytest.mark.usefixtures("mapped")
def test_the_card_at_a_clicked_point_is_of_that_point_and_stays_beside_it(visitor: Visitor) -> None:
    visitor.open("map")
    map_ = visitor.map()
    visitor.rests()
    wide = frame_of(visitor, map_).size["width"]
    title = point_at_some(visitor, map_)
    ActionChains(visitor.driver).click().perform()
    visitor.shows(".st-key-map-pointed", title)
    visitor.until(lambda _: frame_of(visitor, map_).size["width"] < wide, "expected room for the document")
    visitor.rests()
    shown, away = tip(visitor, map_)
    assert shown == title and away < CARD_PIXELS


@pytest.mark.usefixtures("mapped")
def test_escape_drops_what_the_lasso_selected(visitor: Visitor) -> None:
    visitor.open("map")
    map_ = visitor.map()
    tool(visitor, map_, "Box")
    drag_around(visitor, map_)
    visitor.sees(f"{DOCUMENTS} selected")
    frame = cast(WebElement, visitor.driver.execute_script("return arguments[0].querySelector('.frame')", map_))
    visitor.driver.execute_script("arguments[0].focus()", frame)
    frame.send_keys(Keys.ESCAPE)
    visitor.until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, ".st-key-map-picked"), "expected no list")


@pytest.mark.usefixtures("mapped")
def test_an_open_map_follows_a_change_of_theme(visitor: Visitor) -> None:
    visitor.open("map", theme="light")
    map_ = visitor.map()
    assert map_.get_attribute("data-theme") == "light"
    visitor.prefer("dark")
    visitor.until(lambda _: visitor.map().get_attribute("data-theme") == "dark", "expected the map on dark ground")


@pytest.mark.usefixtures("mapped")
def test_the_clusters_stand_in_a_table_too(visitor: Visitor) -> None:
    visitor.open("map")
    visitor.map()
    visitor.click_on("summary", "as a table")
    visitor.find(".ps-table td")


@pytest.mark.usefixtures("mapped")
def test_a_document_on_the_map_can_be_searched_with_at_once(visitor: Visitor) -> None:
    visitor.open("map?hit=astroph-1")
    visitor.map()
    visitor.press("pointed-search")
    visitor.sees("What lies near")
    visitor.until(lambda driver: "doc=astroph-1" in driver.current_url, "expected the document as the query")


@pytest.mark.usefixtures("mapped")
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


@pytest.mark.usefixtures("mapped")
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


@pytest.mark.usefixtures("mapped")
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


def packed() -> packing.Packed:
    colourings = {"kind": palette.by_kind(["paper"] * 5), "year": palette.by_year(YEARS)}
    labels = [packing.Label(0, "graphs, <i>trees</i>", 2.0, 3.0, 5)]
    return packing.pack(made_points(TITLES, years=YEARS, colourings=colourings, labels=labels))


def test_words_light_up_the_titles_that_hold_them_all(visitor: Visitor) -> None:
    steps = f"""{_START}
    for (const words of ["graphs", "graphs RELAY", "nothing at all", "neutrino", ""]) {{
      await type(words);
      found.push(at(".found").textContent);
    }}"""
    assert scene(visitor, packed(), steps) == ["3 titles", "2 titles", "0 titles", "2 titles", ""]


def test_enter_asks_the_library_and_its_answer_is_counted_for_these_words_alone(visitor: Visitor) -> None:
    rows = packing.row_bits([False, True, False, True, False])
    asked = packing.Settings(found=packing.Found("Random", rows, 2))
    steps = f"""{_START}
    await type("random");
    found.push(at(".found").textContent);
    at(".find").requestSubmit();
    found.push(told);
    await type("random g");
    found.push(at(".found").textContent);"""
    assert scene(visitor, packed(), steps, asked) == ["1 title, 2 by keywords", [["searched", "random"]], "1 title"]


def test_lit_points_are_drawn_larger_and_the_others_pale(visitor: Visitor) -> None:
    steps = f"""{_START}
    const inks = () => {{
      const canvas = at(".frame canvas"), pen = canvas.getContext("2d");
      const {{ data }} = pen.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) count += data[i + 2] - data[i] > 60;
      return count;
    }};
    for (const words of ["", "neutrino", "zzz"]) {{
      await type(words);
      await frames(2);
      found.push(inks());
    }}"""
    plain, lit, none = scene(visitor, packed(), steps)
    assert 0 < lit < plain
    assert lit > plain * 2 / 5
    assert none == 0


def test_years_are_counted_in_view_and_a_drag_over_them_limits_them(visitor: Visitor) -> None:
    steps = f"""{_START}
    await rest();
    const canvas = at(".years canvas"), box = canvas.getBoundingClientRect(), slots = 11 + 3 + 1;
    const send = (kind, slot) => canvas.dispatchEvent(new PointerEvent(kind, {{
      clientX: box.left + (box.width * (slot + 0.5)) / slots, clientY: box.top + 5, button: 0, pointerId: 1,
    }}));
    canvas.setPointerCapture = () => {{}};
    found.push(at(".years").dataset.total);
    send("pointermove", 1); found.push(at(".year-text").textContent);
    send("pointerdown", 0); send("pointermove", 6); send("pointerup", 12);
    send("pointerdown", 14); send("pointerup", 14);
    found.push(told);"""
    assert scene(visitor, packed(), steps) == ["4", "1881: 1", [["years", [1880, 1890]], ["years", [2020, 2020]]]]


def test_all_years_are_let_through_again_by_a_button(visitor: Visitor) -> None:
    steps = f"""{_START}
    found.push(at(".all-years").hidden);
    await rest();
    found.push(at(".status").textContent, at(".years").dataset.total, at(".all-years").hidden);
    at(".all-years").click();
    found.push(told);"""
    before, said, total, hidden, told = scene(visitor, packed(), steps, packing.Settings(years=(1880, 1890)))
    assert said.startswith("3 of 5 documents")
    assert (before, total, hidden) == (True, "4", False)  # the years themselves leave no bar out
    assert told == [["years", []]]


_SAVE = """
const saved = [];
HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
at(`[aria-label="Save the map as seen as ${"%s"}"]`).click();
while (!saved.length) await frames(1);
const [[name, address]] = saved;
const blob = await (await fetch(address)).blob();
const content = new Uint8Array(await blob.arrayBuffer());
found.push(name, btoa(Array.from(content, (byte) => String.fromCharCode(byte)).join("")));
"""


def test_the_map_as_seen_is_saved_as_a_picture_with_its_legend(visitor: Visitor) -> None:
    name, data = scene(visitor, packed(), _START + _SAVE % "PNG")
    assert name == "priorscope-map.png"
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        wide, tall = picture.size
        blue = np.asarray(picture.convert("RGB")).astype(int)
    assert wide == 800
    below = blue[tall - 40 :]  # the legend's line
    assert ((below[..., 2] - below[..., 0]) > 60).any()


def test_the_map_as_seen_is_saved_as_svg_with_its_texts_as_texts(visitor: Visitor) -> None:
    name, data = scene(visitor, packed(), _START + _SAVE % "SVG")
    assert name == "priorscope-map.svg"
    root = defusedxml.ElementTree.fromstring(base64.b64decode(data))
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text or "" for text in root.iter(f"{space}text")]
    assert any("<i>trees</i>" in text for text in texts)
    assert any(text.startswith("Papers") for text in texts)
    dots = [path.get("d") or "" for path in root.iter(f"{space}path") if path.get("stroke-linecap") == "round"]
    assert sum(path.count("h0") for path in dots) == 5
    assert not list(root.iter(f"{space}script"))


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
