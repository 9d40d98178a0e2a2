"""Every page as a screen reader, the keyboard and a small screen meet it, and the contrast of our texts."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import cast

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from engine.exports import Caption, MapPoints, comparison_html, coverage_html, map_page, search_html
from engine.library import Summaries
from engine.search import Question
from explorer.state.examples import EXAMPLE_PAIRS
from tests import topics
from tests.browser import audit, axe, compare_hand
from tests.browser.app import GROUNDS, Visitor, screen, serving
from tests.browser.conftest import DRAWING_SECONDS
from tests.browser.map_hand import PICKED, data, frame_of, status
from tests.compare.made import comparison, document
from tests.compare.test_coverage import COVERAGE
from tests.explorer.maps import DOCUMENTS, small_map
from tests.exports.test_search_report import QUERY, answer, result

pytestmark = pytest.mark.browser
COMPARED = f"compare?a=example:{EXAMPLE_PAIRS[0].first}&b=example:{EXAMPLE_PAIRS[0].second}&cell=s-6-6"
WIDTH, HEIGHT = 1024, 768

MAIN = {
    "?doc=astroph-0": ".ps-hit",
    f"compare?a=example:{EXAMPLE_PAIRS[0].first}&b=example:{EXAMPLE_PAIRS[0].second}": ".st-key-section-heatmap",
    "map": ".st-key-map-controls",
    "library": "[data-testid=stFileUploaderDropzone]",
    "models": ".stMain table",
    "evaluate": ".st-key-measure button",
}
"""Pages by their links, and what one comes to each for."""

_OVER = """
const main = document.querySelector('[data-testid=stMain]');
return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth);
"""

_TOP = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return box.width && box.height ? box.top : null;
"""


def _measured(visitor: Visitor) -> None:
    if "Query by query" not in visitor.text():  # else the library keeps it
        visitor.press("measure")
        visitor.until(lambda _: "Query by query" in visitor.text(), "expected a table", seconds=DRAWING_SECONDS)


def _seen(text: str) -> Callable[[Visitor], None]:
    return lambda visitor: visitor.sees(text)


def _placed(visitor: Visitor) -> None:
    visitor.map()
    visitor.sees("Its true neighbours")


PAGES: dict[str, Callable[[Visitor], object]] = {
    "": _seen("Or try an example"),
    "?doc=astroph-0&like=astroph-1": _seen("Take out"),
    "compare": _seen("Or try an example pair"),
    COMPARED: compare_hand.compared,
    "map": Visitor.map,
    "map?doc=astroph-0": _placed,
    "library": _seen("Imported files"),
    "models": _seen("Licence"),
    "evaluate": _seen("Measure"),
    "evaluate?on=subjects&row=bm25&row=default": _measured,
}


@pytest.mark.usefixtures("mapped")
@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_used_and_read_by_all_in_either_theme_on_either_screen(visitor: Visitor, page: str) -> None:
    with screen(visitor, 1400, 900):
        visitor.open(page)
        visitor.rests()
        PAGES[page](visitor)
        visitor.rests()
        visitor.until(lambda _: not audit.alike(visitor), f"expected controls to be told apart: {audit.alike(visitor)}")
        assert audit.named_by_icons(visitor) == []
        assert len(audit.headlines(visitor)) == 1
        assert visitor.ground() == GROUNDS["light"] and "Traceback" not in visitor.text()
        assert axe.findings(visitor) == [] and audit.faint(visitor) == []
        visitor.turn("dark")
        assert axe.findings(visitor, axe.CONTRAST) == [] and audit.faint(visitor) == []
    with screen(visitor, 420, 900):
        visitor.rests()
        assert axe.findings(visitor) == []
        visitor.turn("light")
        assert axe.findings(visitor, axe.CONTRAST) == []


def test_what_is_wrong_is_found(visitor: Visitor) -> None:
    visitor.open("models")
    visitor.sees("Licence")
    visitor.rests()
    wrong = """
    <button></button> <a href="/models"></a> <input> <h2>One</h2> <h6>Skipped</h6>
    <p style="color: #ccc; background: #fff">Faint</p>
    """
    script = "document.querySelector('.stMain').insertAdjacentHTML('afterbegin', arguments[0])"
    visitor.driver.execute_script(script, wrong)
    found = " ".join(axe.findings(visitor))
    for rule in (
        "critical button-name",
        "serious link-name",
        "critical label",
        "heading-order",
        "serious color-contrast",
    ):
        assert rule in found
    assert "button-name" not in " ".join(axe.findings(visitor, axe.CONTRAST))
    assert [one for one in audit.faint(visitor, every_text=True) if "Faint" in one]


def test_the_keyboard_opens_and_selects_on_the_map(visitor: Visitor, mapped: None) -> None:
    visitor.open("map?doc=astroph-0")
    map_ = visitor.map()
    frame = frame_of(visitor, map_)
    visitor.driver.execute_script("arguments[0].focus()", frame)
    _type(visitor, "+")
    visitor.until(lambda _: float(data(visitor, map_)["zoom"]) > 1, "expected the map to be zoomed")
    _type(visitor, "0 ")
    visitor.until(lambda _: len(visitor.texts(PICKED)) == len(topics.TOPICS) * topics.EACH, "expected all")
    aimed_at = _aim_at_some(visitor, map_)
    said = visitor.driver.execute_script("return arguments[0].querySelector('.tip[role=status]').textContent", frame)
    assert aimed_at in str(said)
    _type(visitor, Keys.ENTER)
    visitor.shows(".st-key-map-pointed .ps-title", aimed_at)


def test_what_the_legend_hides_stays_legible(visitor: Visitor, mapped: None) -> None:
    visitor.open("map?colour=kind")
    visitor.driver.execute_script("arguments[0].querySelector('.entry').click()", visitor.map())
    visitor.until(lambda _: status(visitor, visitor.map()).startswith("32 of"), "expected half of the documents")
    assert audit.faint(visitor) == []


def _type(visitor: Visitor, keys: str) -> None:
    """Type where the focus is; an element's own send_keys would take the focus away and back."""
    ActionChains(visitor.driver).send_keys(keys).perform()


def _aim_at_some(visitor: Visitor, map_: WebElement) -> str:
    """Move the map with the arrow keys until a document lies near its middle; returns its title."""
    for step in (Keys.ARROW_UP, Keys.ARROW_LEFT) * 12:  # the topics lie in the corners
        _type(visitor, step)
        if title := data(visitor, map_).get("hovered"):
            return title
    raise AssertionError("expected the keys to reach a document")


def test_the_tab_key_stops_at_the_current_match_and_enter_presses_it(visitor: Visitor) -> None:
    visitor.open(COMPARED)
    compare_hand.compared(visitor)
    match = compare_hand.tab_into(visitor, 0)
    assert match.get_attribute("role") == "button" and match.get_attribute("aria-current") == "true"
    assert match.text in " ".join(compare_hand.in_view(visitor))
    _type(visitor, Keys.ENTER)
    visitor.until(lambda driver: "cell=c-" in driver.current_url, "expected the match's cell in the link")


def _opens_keys(visitor: Visitor) -> None:
    visitor.open("?example=rewired-random-walk")
    visitor.find(".ps-hit-near")
    visitor.rests()
    _type(visitor, "?")
    visitor.sees("keep it in a collection")


def _opens_limits(visitor: Visitor) -> None:
    visitor.open("?example=rewired-random-walk")  # asked, so that something is recent
    visitor.find(".ps-hit-near")
    visitor.open()
    visitor.press("limits")
    visitor.sees("Kept now:")


def _opens_reviews(visitor: Visitor) -> None:
    visitor.open("library?part=screening")
    visitor.rests()
    if "No review has begun" in visitor.text():
        visitor.click_on("button", "Begin the review")
    visitor.press("reviews")
    visitor.sees("Name of this review")


@pytest.mark.parametrize("opens", [_opens_keys, _opens_limits, _opens_reviews])
def test_what_opens_over_a_page_can_be_used_and_read_by_all(visitor: Visitor, opens: Callable[[Visitor], None]) -> None:
    opens(visitor)
    visitor.rests()
    assert axe.findings(visitor) == []
    visitor.prefer("dark")
    assert axe.findings(visitor, axe.CONTRAST) == []


@pytest.fixture
def held(library: Path, tmp_path: Path, chromium_is_there: None) -> Iterator[str]:
    """The address of an app whose imports wait: another process, this one, is writing to its library."""
    own = tmp_path / "library"
    shutil.copytree(library, own)
    writing = sqlite3.connect(own / "library.sqlite3", isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    try:
        with serving(own, tmp_path / "app.log") as address:
            yield address
    finally:
        writing.close()


def test_jobs_that_run_and_wait_can_be_told_apart_and_read_by_all(held: str, driver: Chrome, tmp_path: Path) -> None:
    visitor = Visitor(driver, held)
    with screen(visitor, 1400, 900):
        visitor.open("library")
        visitor.rests()
        for number, name in enumerate(("kites.md", "pumps.md", "walks.md"), start=1):
            (tmp_path / name).write_text(f"# {name}\n\n## Abstract\n\nSomething flies over a field.\n", "utf-8")
            visitor.click_on("[role=tab]", "A folder on this machine")
            _write_path(visitor, str(tmp_path / name))
            visitor.press("import-folder")
            visitor.sees("1 running" + (f", {number - 1} waiting" if number > 1 else ""))
        _is_read_by_all(visitor)
        visitor.press("job-list")
        visitor.sees("Waits for “Importing pumps.md”.")
        _is_read_by_all(visitor)
        buttons = {one.name for one in audit.controls(visitor) if one.role == "button"}
        assert buttons >= {
            "Cancel “Importing kites.md”",
            "Cancel “Importing pumps.md”",
            "Cancel “Importing walks.md”",
            "Move up “Importing walks.md”",
        }
        visitor.click("[aria-label='Cancel “Importing kites.md”']")
        visitor.find("[aria-label='Stopping “Importing kites.md”']")
        _is_read_by_all(visitor)
        visitor.prefer("dark")
        assert axe.findings(visitor, axe.CONTRAST) == []
    with screen(visitor, 420, 900):
        assert axe.findings(visitor) == []
        visitor.prefer("light")
    driver.get("about:blank")


def _write_path(visitor: Visitor, path: str) -> None:
    field = visitor.find(".st-key-import-path input")
    field.send_keys(Keys.CONTROL + "a")
    field.send_keys(path + Keys.ENTER)
    ready = ".st-key-import-folder button:not([disabled])"
    visitor.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, ready), "expected the path to be read")


def _is_read_by_all(visitor: Visitor) -> None:
    visitor.until(lambda _: not audit.alike(visitor), f"expected controls to be told apart: {audit.alike(visitor)}")
    assert audit.named_by_icons(visitor) == []
    assert axe.findings(visitor) == [] and audit.faint(visitor) == []


_MAP_READY = "return document.querySelector('.frame')?.dataset.drawn"


def _search_report() -> str:
    return search_html(Question(QUERY), answer(result(), result(rank=2)), made_on=date(2026, 1, 31))


def _coverage_report() -> str:
    return coverage_html(COVERAGE, held=26_033, made_on=date(2026, 5, 3))


def _map_file() -> str:
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    titles, years = [f"Title {number}" for number in range(DOCUMENTS)], list(range(1900, 1900 + DOCUMENTS))
    summaries = Summaries(ids, titles, years, ["paper"] * DOCUMENTS, [""] * DOCUMENTS, titles)
    return map_page(MapPoints.of(small_map(ids, "f"), summaries), Caption("blend", 0.41, 0.93))


@pytest.mark.parametrize("made", [_search_report, _coverage_report, _map_file])
def test_a_file_that_stands_by_itself_can_be_used_and_read_by_all(
    visitor: Visitor, tmp_path: Path, made: Callable[[], str]
) -> None:
    (tmp_path / "file.html").write_text(made(), "utf-8")
    file = Visitor(visitor.driver, tmp_path.as_uri())
    for theme in GROUNDS:
        file.open("file.html", theme=theme)
        if made is _map_file:
            file.until(lambda driver: driver.execute_script(_MAP_READY), "expected the map to be drawn")
        file.driver.execute_script("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert len(audit.headlines(file)) == 1
        assert axe.findings(file) == [] and audit.faint(file, every_text=True) == []


@pytest.mark.parametrize("theme", GROUNDS)
def test_the_report_is_named_ordered_and_legible(visitor: Visitor, tmp_path: Path, theme: str) -> None:
    """With numbers in one heatmap and squares in the other."""
    (tmp_path / "report.html").write_text(
        comparison_html(comparison(document("A", 3, 10), document("B", 2, 4))), "utf-8"
    )
    report = Visitor(visitor.driver, tmp_path.as_uri())
    report.open("report.html", theme=theme)
    report.driver.execute_script("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert report.ground("body") == GROUNDS[theme]
    assert len(audit.headlines(report)) == 1
    assert axe.findings(report) == []
    for place in ("", "#c-0-0", "#s-0-0"):
        report.driver.execute_script("location.hash = arguments[0]", place)
        assert audit.faint(report, every_text=True) == []


@pytest.mark.usefixtures("mapped")
@pytest.mark.parametrize("page", MAIN)
def test_a_page_has_room_and_what_it_is_for_in_the_first_screen(visitor: Visitor, page: str) -> None:
    with screen(visitor, WIDTH, HEIGHT):
        visitor.open(page)
        visitor.find(MAIN[page])
        visitor.rests()
        for theme in ("light", "dark"):
            visitor.prefer(theme)
            assert cast(int, visitor.driver.execute_script(_OVER)) <= 0
            top = visitor.driver.execute_script(_TOP, MAIN[page])
            assert top is not None and 0 <= cast(float, top) < HEIGHT - 100
