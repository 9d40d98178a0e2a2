"""The map as one file, opened from a folder in a real browser without the app."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from engine.exports import Caption, MapPoints, map_page
from engine.library import Summaries
from tests.browser.app import Visitor
from tests.browser.map_frames import made_points
from tests.explorer.maps import DOCUMENTS, TOPIC_NAMES, small_map

pytestmark = pytest.mark.browser

HOSTILE = "</script><script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
_READY = "const frame = document.querySelector('.frame'); return frame && frame.dataset.drawn"
_DATA = "return { ...document.querySelector('.frame').dataset }"
_FIND = """
const field = document.querySelector('.find input');
field.value = arguments[0];
field.dispatchEvent(new Event('input'));
"""


@pytest.fixture(scope="module")
def opened(driver: Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("file")
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    titles = [HOSTILE, *(f"Title {number}" for number in range(1, DOCUMENTS))]
    years = list(range(1900, 1900 + DOCUMENTS))
    summaries = Summaries(ids, titles, years, ["paper"] * DOCUMENTS, [""] * DOCUMENTS, titles)
    page = map_page(MapPoints.of(small_map(ids, "f"), summaries), Caption("blend", 0.41, 0.93))
    (folder / "map.html").write_text(page, "utf-8")
    yield Visitor(driver, f"file://{folder}")
    driver.get("about:blank")


@pytest.fixture
def visitor(opened: Visitor) -> Visitor:
    opened.driver.get("about:blank")
    opened.driver.get_log("browser")
    opened.driver.get_log("performance")
    opened.open("map.html")
    opened.until(lambda driver: driver.execute_script(_READY), "expected the map to be drawn")
    return opened


def test_it_draws_every_document_and_asks_for_nothing(visitor: Visitor) -> None:
    visitor.sees(f"{DOCUMENTS} documents")
    visitor.sees(TOPIC_NAMES[0])  # in the legend
    visitor.sees("41\xa0% of each document’s 15 nearest neighbours")
    sent = [json.loads(entry["message"])["message"] for entry in visitor.driver.get_log("performance")]
    asked = {one["params"]["request"]["url"] for one in sent if one["method"] == "Network.requestWillBeSent"}
    assert {address for address in asked if not address.startswith(("blob:", "data:"))} == {
        f"{visitor.address}/map.html"
    }
    assert [entry["message"] for entry in visitor.driver.get_log("browser")] == []


def test_it_zooms_searches_and_keeps_the_place_in_its_address(visitor: Visitor) -> None:
    visitor.driver.execute_script(_FIND, "title 1")
    visitor.sees("16 titles")
    visitor.click("[aria-label^='Zoom in']")
    visitor.until(lambda driver: float(driver.execute_script(_DATA)["zoom"]) > 1.5, "expected the zoom")
    visitor.until(lambda driver: "#at=" in driver.current_url, "expected the place in the address")


def test_a_hostile_title_is_found_and_stays_a_title(visitor: Visitor) -> None:
    visitor.driver.execute_script(_FIND, "<img src=x")
    visitor.sees("1 title")
    visitor.driver.execute_script("document.querySelector('.find').requestSubmit()")
    visitor.until(lambda driver: float(driver.execute_script(_DATA)["zoom"]) > 1.5, "expected a look at what was found")
    visitor.driver.execute_script("document.querySelector('.frame').focus()")
    visitor.driver.execute_script(
        "document.querySelector('.frame').dispatchEvent(new KeyboardEvent('keydown', { key: '+' }))"
    )
    visitor.until(lambda driver: driver.execute_script(_DATA).get("hovered") == HOSTILE, "expected its title beside it")
    assert HOSTILE in visitor.text()
    assert visitor.driver.title == f"Map of {DOCUMENTS} documents"


def test_colours_and_years_are_chosen_without_the_app(visitor: Visitor) -> None:
    choose = """
    const list = document.querySelector('#controls select');
    list.value = 'kind';
    list.dispatchEvent(new Event('change'));
    """
    visitor.driver.execute_script(choose)
    visitor.sees("Papers")
    drag = """
    const canvas = document.querySelector('.years canvas'), box = canvas.getBoundingClientRect();
    canvas.setPointerCapture = () => {};
    for (const [kind, at] of [['pointerdown', 0.01], ['pointerup', 0.49]])
      canvas.dispatchEvent(new PointerEvent(kind, { clientX: box.left + box.width * at, clientY: box.top + 9 }));
    """
    visitor.driver.execute_script(drag)
    visitor.sees(f"{DOCUMENTS // 2} of {DOCUMENTS} documents")
    visitor.click(".all-years")
    visitor.until(lambda _: f"{DOCUMENTS // 2} of" not in visitor.text(), "expected all years")


def test_a_large_map_draws_a_sample_under_the_hand_and_all_points_once_it_rests(
    visitor: Visitor, tmp_path: Path
) -> None:
    (tmp_path / "large.html").write_text(map_page(made_points(90_000), Caption("made", 0.4, 0.9)), "utf-8")
    visitor.driver.get((tmp_path / "large.html").as_uri())
    points = "return document.querySelector('.frame')?.dataset.points"
    visitor.until(lambda driver: driver.execute_script(points) == "all", "expected the map")
    moving = """
    const ink = document.querySelector('.ink'), { left, top } = ink.getBoundingClientRect();
    const wheel = { clientX: left + 300, clientY: top + 200, deltaY: -4, cancelable: true };
    ink.dispatchEvent(new WheelEvent('wheel', wheel));
    const told = () => arguments[0](document.querySelector('.frame').dataset.points);
    requestAnimationFrame(() => requestAnimationFrame(told));
    """
    assert visitor.driver.execute_async_script(moving) == "some"
    visitor.until(lambda driver: driver.execute_script(points) == "all", "expected every point again")
