"""Where the parts of every page stand: one frame for all, whatever its options do."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest
from PIL import Image

from explorer.state.examples import EXAMPLE_PAIRS
from tests.browser import audit, compare_hand
from tests.browser.app import Visitor, screen
from tests.browser.conftest import DRAWING_SECONDS
from tests.browser.test_hit_list import listed

pytestmark = pytest.mark.browser
PAIR = f"compare?a=example:{EXAMPLE_PAIRS[0].first}&b=example:{EXAMPLE_PAIRS[0].second}"
PAGES = ("", "?example=rewired-random-walk", "compare", PAIR, "map", "evaluate", "library", "models")
MEASURED = "evaluate?on=subjects&row=bm25&row=default"
_PLACES = """
const left = (selector) => {
  const found = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length);
  return found ? found.getBoundingClientRect().left : null;
};
const main = document.querySelector('.stMainBlockContainer');
return {
  navigation: left('[data-testid="stTopNavLink"]'),
  logo: left('[data-testid="stHeaderLogo"], [data-testid="stSidebarLogo"], .stLogo'),
  title: left('.stMain h1'),
  content: main.getBoundingClientRect().left + parseFloat(getComputedStyle(main).paddingLeft),
};
"""
_ACROSS = "const main = document.querySelector('.stMain'); return main.scrollWidth - main.clientWidth"
_IS_SHUT = "return document.querySelector('.stSidebar').dataset.collapsed"
_SHUT, _OPEN = "[data-testid='stSidebarCollapseButton'] button", "[data-testid='stExpandSidebarButton']"
ROW_PIXELS = 10
_IN_ROW = """
const uses = [...document.querySelectorAll('.st-key-hit-uses :is(button, a)')];
const seen = uses.filter((one) => one.getClientRects().length).map((one) => one.getBoundingClientRect().top);
return Math.max(...seen) - Math.min(...seen);
"""
_CUT = """
const line = document.querySelector(arguments[0]).getBoundingClientRect();
return [...document.querySelectorAll(arguments[0] + ' > *')].filter((one) => {
  const { left, right } = one.getBoundingClientRect();
  return one.scrollWidth > one.clientWidth + 1 || right > line.right + 1 || left < line.left - 1;
}).map((one) => one.innerText);
"""
_DIGITS = """
return [...document.querySelectorAll('.st-key-section-heatmap .heatmap-label text')].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, ink: getComputedStyle(one).fill.match(/\\d+/g).map(Number) };
}).filter(({ y }) => y > 70 && y < innerHeight - 10);
"""
_WATCH = """
const [path] = arguments, lines = () => document.body.innerText.split("\\n").map((line) => line.trim()).filter(Boolean);
window.left = { before: lines(), after: new Set(), computed: false };
(function look() {
  if (location.pathname === path) {
    lines().forEach((line) => left.after.add(line));
    left.computed ||= Boolean(document.querySelector("[data-test-script-state='running']"));
  }
  window.watching = requestAnimationFrame(look);
})();
"""
_LEFT = """
cancelAnimationFrame(watching);
const now = new Set(document.body.innerText.split("\\n").map((line) => line.trim()));
return left.before.filter((line) => left.after.has(line) && !now.has(line));
"""
_LEFTS = """
const rows = [...document.querySelectorAll('.st-key-recent .stHorizontalBlock')];
return rows.flatMap((row) => [...row.querySelectorAll(`:scope > ${arguments[0]} p`)])
  .filter((one) => one.getClientRects().length).map((one) => Math.round(one.getBoundingClientRect().left));
"""
RECENT = ("rewired-random-walk", "car-coupling")
_OPEN_ALL = "for (const part of document.querySelectorAll('details')) part.open = true"
BESIDE_PIXELS = 24
"""So far beside the middle of a number, nothing but the colour of its cell is seen."""
AA = 4.5
"""The contrast that WCAG 2 asks of small text."""


@pytest.fixture(autouse=True)
def options_as_at_first(visitor: Visitor) -> Iterator[None]:
    """Forget, before and after, whether the options were shut: the browser remembers it for the next test."""
    visitor.open("models")
    visitor.driver.execute_script("localStorage.clear()")
    yield
    visitor.open("models")
    visitor.driver.execute_script("localStorage.clear()")


def places(visitor: Visitor) -> dict[str, Any]:
    return cast(dict[str, Any], visitor.driver.execute_script(_PLACES))


def turn_sidebar(visitor: Visitor, button: str, *, shut: bool) -> None:
    visitor.driver.execute_script("document.querySelector(arguments[0]).click()", button)
    told = f"expected the options to be {'shut' if shut else 'open'}"
    visitor.until(lambda driver: driver.execute_script(_IS_SHUT) == str(shut).lower(), told)


@pytest.mark.parametrize("width", [1400, 1024, 420])
def test_navigation_and_titles_stand_at_one_place_on_all_pages(visitor: Visitor, width: int) -> None:
    with screen(visitor, width, 900):
        found = {}
        for page in PAGES:
            visitor.open(page)
            visitor.find(".stMain h1")
            visitor.rests()
            found[page] = places(visitor)
            assert visitor.driver.execute_script(_ACROSS) <= 0, page
        assert all(one == found[""] for one in found.values()), found


def test_options_shut_or_open_move_nothing_and_stay_so_through_a_search(visitor: Visitor) -> None:
    with screen(visitor, 1400, 900):
        visitor.open()
        visitor.rests()
        opened = places(visitor)
        turn_sidebar(visitor, _SHUT, shut=True)
        assert places(visitor) == opened
        visitor.press("try-rewired-random-walk")
        visitor.find(".ps-hit-near")
        visitor.rests()
        assert visitor.driver.execute_script(_IS_SHUT) == "true" and places(visitor) == opened
        turn_sidebar(visitor, _OPEN, shut=False)
        assert places(visitor) == opened


def test_the_uses_of_a_hit_stand_in_one_row_and_compare_leads_on(visitor: Visitor) -> None:
    with screen(visitor, 1400, 900):
        listed(visitor)
        assert visitor.driver.execute_script(_IN_ROW) < ROW_PIXELS
        for line in (".ps-query .ps-meta", ".ps-hit-facts"):
            assert visitor.driver.execute_script(_CUT, line) == []
        visitor.click(".st-key-hit-uses button")
        visitor.find(".st-key-compare-head")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_digits_are_readable_on_every_cell(visitor: Visitor, theme: str) -> None:
    with screen(visitor, 1400, 900):
        visitor.open(PAIR, theme=theme)
        compare_hand.compared(visitor)
        visitor.press("large-section")
        visitor.find(".st-key-section-heatmap .heatmap-label text")
        visitor.rests()
        visitor.driver.execute_script(
            "document.querySelector('.st-key-section-heatmap').scrollIntoView({block: 'center'})"
        )
        numbers = cast(list[dict[str, Any]], visitor.driver.execute_script(_DIGITS))
        picture = Image.open(io.BytesIO(visitor.driver.get_screenshot_as_png())).convert("RGB")
        assert len(numbers) >= 16
        for number in numbers:
            ground = picture.getpixel((round(number["x"]) - BESIDE_PIXELS, round(number["y"])))
            assert contrast(number["ink"], cast(tuple[int, ...], ground)) >= AA, number


def contrast(ink: Sequence[int], ground: Sequence[int]) -> float:
    """Return the contrast of two colours, by WCAG 2."""
    light, dark = sorted((_lightness(ink), _lightness(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _lightness(rgb: Sequence[int]) -> float:
    linear = [one / 255 / 12.92 if one <= 10 else ((one / 255 + 0.055) / 1.055) ** 2.4 for one in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_recent_titles_begin_at_one_place_each_on_a_line_of_its_own_on_a_phone(visitor: Visitor) -> None:
    with screen(visitor, 420, 900):
        for link in (f"?example={RECENT[0]}", f"?example={RECENT[1]}"):
            visitor.open(link)
            visitor.find(".ps-hit")
            visitor.rests()
        visitor.open()
        visitor.find(".st-key-recent")
        visitor.rests()
        title, when = (set(visitor.driver.execute_script(_LEFTS, part)) for part in (":first-child", ":nth-child(2)"))
        assert len(title) == 1 and title == when


def test_the_buttons_above_the_hits_stay_where_they_are_while_one_reads_how(visitor: Visitor) -> None:
    with screen(visitor, 1400, 900):
        listed(visitor)
        where = visitor.find(".st-key-summary button").rect["y"]
        visitor.click(".st-key-summary summary")
        visitor.find(".st-key-summary details[open]")
        assert abs(visitor.find(".st-key-summary button").rect["y"] - where) < ROW_PIXELS


def test_options_that_lie_over_a_small_screen_shut_once_one_is_chosen(visitor: Visitor) -> None:
    with screen(visitor, 420, 900):
        listed(visitor)
        turn_sidebar(visitor, _OPEN, shut=False)
        visitor.click_on(".st-key-option-ranking button", "Keywords")
        visitor.until(lambda driver: driver.execute_script(_IS_SHUT) == "true", "expected the options to shut")


def test_nothing_of_a_page_stays_on_the_next_even_while_that_computes(visitor: Visitor, mapped: None) -> None:
    listed(visitor)
    visitor.driver.execute_script(_WATCH, "/compare")
    visitor.click(".st-key-hit-uses button")
    has_gone(visitor)
    for page, path in (("Map", "/map"), ("Library", "/library"), ("Models", "/models"), ("Search", "/")):
        visitor.driver.execute_script(_WATCH, path)
        visitor.click_on("[data-testid='stTopNavLink']", page)
        has_gone(visitor)


def has_gone(visitor: Visitor) -> None:
    """Wait until the next page was seen as it was computed, and expect that it showed no line of the one before."""
    visitor.until(lambda driver: driver.execute_script("return left.computed"), "expected the next page")
    visitor.find(".stMain h1")
    visitor.rests()
    assert visitor.driver.execute_script(_LEFT) == []


@pytest.mark.parametrize("page", ["models", "map", "library", PAIR, MEASURED])
def test_no_table_is_much_wider_than_its_texts(visitor: Visitor, mapped: None, page: str) -> None:
    with screen(visitor, 1400, 900):
        visitor.open(page)
        visitor.find(".stMain h1")
        visitor.rests()
        if page == PAIR:
            compare_hand.compared(visitor)
        elif page == MEASURED and "Query by query" not in visitor.text():  # else the library keeps it
            visitor.press("measure")
            visitor.until(lambda _: "Query by query" in visitor.text(), "expected figures", seconds=DRAWING_SECONDS)
        visitor.driver.execute_script(_OPEN_ALL)
        visitor.until(lambda _: audit.tables(visitor), "expected a table")
        visitor.rests()
        assert audit.roomy(visitor, times=2 if page == MEASURED else 1.1) == []  # its bars take the room
