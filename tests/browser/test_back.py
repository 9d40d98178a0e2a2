"""Back and Forward lead from one answer to the other, on every page, and never to a step between two of them."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from explorer.state.examples import EXAMPLE_PAIRS, examples
from tests.browser.app import Visitor

pytestmark = pytest.mark.browser

FIRST, SECOND = "How does a lazy walk mix on a graph?", "How much does a railway car weigh?"
EMPTY = "What lies near your document?"
LONG = """# Governors of steam engines

## Abstract

A governor holds the speed of a steam engine under a changing load by acting on its valve gear.

## Method

We describe the slotted link and the way in which it moves the valve.
"""


@pytest.fixture
def visitor(newcomer: Visitor) -> Visitor:
    return newcomer


def back(visitor: Visitor) -> None:
    visitor.driver.back()


def forward(visitor: Visitor) -> None:
    visitor.driver.forward()


def at_rest(visitor: Visitor) -> str:
    """The address, once the page has nothing left to do."""
    visitor.rests()
    return urlsplit(visitor.driver.current_url).path.strip("/")


def asked(visitor: Visitor, text: str) -> list[str]:
    """The hits of this text, once it is searched with."""
    visitor.shows(".ps-query", text)
    visitor.find(".ps-hit .ps-hit-near")
    visitor.rests()
    return visitor.texts(".ps-hit .ps-hit-title")


def lists(visitor: Visitor, text: str, hits: list[str]) -> None:
    """Wait until the page lists these hits of the text: those of the text before stay until they are drawn."""
    visitor.until(lambda _: asked(visitor, text) == hits, f"expected the hits of {text!r}")


def search(visitor: Visitor, text: str) -> list[str]:
    visitor.paste(text)
    return asked(visitor, text)


def start_again(visitor: Visitor) -> None:
    visitor.press("new-search")
    visitor.sees(EMPTY)
    visitor.rests()


def test_back_from_a_second_search_is_the_first_and_then_the_empty_page(visitor: Visitor) -> None:
    visitor.open()
    visitor.rests()
    first = search(visitor, FIRST)
    start_again(visitor)
    second = search(visitor, SECOND)
    assert first != second
    for _ in range(2):  # the way there and back again leaves the entries as they are
        back(visitor)
        lists(visitor, FIRST, first)
        back(visitor)
        visitor.sees(EMPTY)
        visitor.rests()
        forward(visitor)
        lists(visitor, FIRST, first)
        forward(visitor)
        lists(visitor, SECOND, second)


def test_back_from_the_empty_page_of_a_new_search_is_the_search(visitor: Visitor) -> None:
    visitor.open()
    visitor.rests()
    first = search(visitor, FIRST)
    start_again(visitor)
    back(visitor)
    lists(visitor, FIRST, first)


def test_back_from_a_file_that_was_checked_is_the_search_before(visitor: Visitor, tmp_path: Path) -> None:
    path = tmp_path / "governors.md"
    path.write_text(LONG, "utf-8")
    visitor.open("?k=20")
    visitor.rests()
    first = search(visitor, FIRST)
    start_again(visitor)
    visitor.click_on("[role=tab]", "Upload")
    visitor.upload(path)
    visitor.sees("Check what was read")
    visitor.rests()
    visitor.press("ask")
    asked(visitor, "Governors of steam engines")
    back(visitor)
    lists(visitor, FIRST, first)
    forward(visitor)
    asked(visitor, "Governors of steam engines")


def test_a_discarded_check_leaves_no_entry(visitor: Visitor, tmp_path: Path) -> None:
    path = tmp_path / "governors.md"
    path.write_text(LONG, "utf-8")
    visitor.open("library")
    visitor.rests()
    visitor.click_on("[data-testid='stTopNavLink']", "Search")
    visitor.sees(EMPTY)
    visitor.rests()
    visitor.click_on("[role=tab]", "Upload")
    visitor.upload(path)
    visitor.sees("Check what was read")
    visitor.rests()
    visitor.press("discard")
    visitor.sees(EMPTY)
    visitor.rests()
    back(visitor)
    visitor.until(lambda _: at_rest(visitor) == "library", "expected the page before")


@pytest.mark.usefixtures("mapped")
def test_a_switch_of_pages_keeps_the_question_and_is_one_step(visitor: Visitor) -> None:
    visitor.open()
    visitor.rests()
    first = search(visitor, FIRST)
    visitor.click_on("[data-testid='stTopNavLink']", "Map")
    visitor.shows(".st-key-map-query", FIRST)
    visitor.rests()
    back(visitor)
    lists(visitor, FIRST, first)
    assert at_rest(visitor) == ""
    forward(visitor)
    visitor.shows(".st-key-map-query", FIRST)
    visitor.map()
    assert at_rest(visitor) == "map"
    visitor.press("query-search")
    lists(visitor, FIRST, first)
    back(visitor)
    visitor.shows(".st-key-map-query", FIRST)


@pytest.mark.usefixtures("mapped")
def test_back_on_the_map_takes_the_second_query_and_then_the_first_away(visitor: Visitor) -> None:
    title = next(iter(examples().values())).title
    visitor.open("map")
    visitor.map()
    visitor.rests()
    visitor.press("map-query-choice")
    visitor.click(".st-key-map-example input")
    visitor.click_on("[role=option]", title)
    visitor.shows(".st-key-map-query", title)
    visitor.rests()
    visitor.click_on(".st-key-map-near button", "Show its neighbours")
    visitor.until(lambda _: title not in "".join(visitor.texts(".st-key-map-query")), "expected another query")
    visitor.rests()
    second = visitor.texts(".st-key-map-query")
    back(visitor)
    visitor.shows(".st-key-map-query", title)
    visitor.rests()
    back(visitor)
    visitor.until(lambda _: not visitor.texts(".st-key-map-query"), "expected the map without a query")
    visitor.rests()
    forward(visitor)
    visitor.shows(".st-key-map-query", title)
    visitor.rests()
    forward(visitor)
    visitor.until(lambda _: visitor.texts(".st-key-map-query") == second, "expected the second query")


def test_back_on_compare_is_the_pair_before_and_then_the_empty_page(visitor: Visitor) -> None:
    visitor.open("compare")
    visitor.sees("Compare two documents")
    visitor.rests()
    pair = EXAMPLE_PAIRS[0]
    visitor.press(f"pair-{pair.first}")
    visitor.find(".st-key-compare-head")
    visitor.rests()
    before = visitor.texts(".st-key-side-b")[0]
    visitor.press("change-b")
    visitor.click_on(".st-key-side-b [role=tab]", "Paste a text")
    visitor.find(".st-key-paste-text-b textarea").send_keys(SECOND)
    visitor.press("paste-read-b")
    visitor.shows(".st-key-side-b", SECOND)
    visitor.find(".st-key-compare-head")
    visitor.rests()
    back(visitor)
    visitor.until(lambda _: visitor.texts(".st-key-side-b") == [before], "expected the pair before")
    visitor.rests()
    back(visitor)
    visitor.sees("Compare two documents")
    visitor.rests()
    forward(visitor)
    visitor.until(lambda _: visitor.texts(".st-key-side-b") == [before], "expected the first pair")
    visitor.rests()
    forward(visitor)
    visitor.shows(".st-key-side-b", SECOND)


def open_part(visitor: Visitor) -> str:
    """The open part of the Library page, once the page is at rest."""
    visitor.rests()
    return next(iter(visitor.texts("[role=tablist]:first-of-type [role=tab][aria-selected=true]")), "")


def test_the_open_part_of_the_library_outlives_f5_and_back(visitor: Visitor) -> None:
    visitor.open("library")
    visitor.sees("Screening")
    for part in ("Documents", "Screening"):
        visitor.rests()
        visitor.click_on("[role=tab]", part)
        visitor.until(lambda driver, part=part: f"part={part.lower()}" in driver.current_url, "expected it in the link")
    visitor.rests()
    visitor.driver.refresh()
    visitor.sees("PRISMA")
    visitor.until(lambda _: open_part(visitor) == "Screening", "expected the screening")
    for part in ("Documents", "Overview"):
        back(visitor)
        visitor.until(lambda _, part=part: open_part(visitor) == part, f"expected {part}")
    forward(visitor)
    visitor.until(lambda _: open_part(visitor) == "Documents", "expected the documents")
    visitor.click_on("[data-testid='stTopNavLink']", "Models")
    visitor.sees("Card of")
    visitor.rests()
    back(visitor)
    visitor.until(lambda _: open_part(visitor) == "Documents", "expected the documents")
