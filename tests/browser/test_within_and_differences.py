"""One paper within itself, a patent's two versions, and three documents, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.state.examples import EXAMPLE_PAIRS
from tests.browser import compare_hand
from tests.browser.app import Visitor
from tests.browser.tiny_pdf import TITLE, tiny_pdf

pytestmark = pytest.mark.browser

DRAFT = """# Coupling for a tidal turbine

## Abstract

A clutch joins the shaft of a turbine to a generator while the tide runs, and parts them at slack water.

## Description

The shaft turns in two bearings of bronze that sea water keeps cool. A clutch of three plates joins it to the generator.

The blades are cast of steel and turn with the tide. Each of them is held to the hub by six bolts of the same length.

A float lifts the whole frame to the surface when the blades have to be cleaned of weed and shells.

Cables of copper carry the current along the sea bed to a station on the shore, where it is transformed.
"""
NEW = "Anodes of zinc protect the frame from rust for at least ten years."
SECOND = DRAFT.replace(
    "Each of them is held to the hub by six bolts of the same length.", "Six equal bolts hold each to the hub."
).replace("A float lifts the whole frame", f"{NEW} A float lifts the whole frame")


def test_one_paper_is_shown_within_itself_and_a_cell_opens_both_passages(visitor: Visitor, tmp_path: Path) -> None:
    paper = tmp_path / "turbines.pdf"
    paper.write_bytes(tiny_pdf())
    visitor.open("compare")
    compare_hand.upload(visitor, "a", paper)
    compare_hand.compared(visitor, "Within this document")
    texts = visitor.find(".st-key-texts")
    visitor.driver.execute_script("arguments[0].scrollIntoView({ block: 'start' })", texts)
    compare_hand.press_in_texts(visitor, "[aria-label^='Next match']")
    visitor.until(lambda driver: "cell=c-" in driver.current_url, "expected the match's cell in the link")
    ours, theirs = compare_hand.in_view(visitor)
    assert ours != theirs and compare_hand.status(visitor).startswith("Match 1 of")
    compare_hand.click_cell(visitor, "section", (0.1, 0.9))
    visitor.until(lambda driver: "cell=s-0-" in driver.current_url, "expected the cell in the link")
    assert TITLE in visitor.text()
    visitor.open("compare?a=example:" + EXAMPLE_PAIRS[0].first + "&matrix=attention")
    compare_hand.compared(visitor, "Within this document")
    visitor.sees("Chunks, by attention")


def test_versions_are_offered_and_what_changed_is_listed_and_marked(visitor: Visitor, tmp_path: Path) -> None:
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.write_text(DRAFT, "utf-8")
    second.write_text(SECOND, "utf-8")
    visitor.open("compare")
    compare_hand.upload(visitor, "a", first)
    visitor.find(".st-key-change-a")
    visitor.rests()
    compare_hand.upload(visitor, "b", second)
    compare_hand.compared(visitor)
    visitor.sees("These look like two versions of one text")
    visitor.click(".st-key-compare-versions label")
    visitor.until(lambda driver: "versions=on" in driver.current_url, "expected the choice in the link")
    visitor.until(lambda _: compare_hand.charts(visitor), "expected the list of changes")
    visitor.rests()
    told = compare_hand.charts(visitor)
    assert told[0].startswith("New: ") and NEW in told[0]
    assert any(chart.startswith("Rewritten: ") and "Six equal bolts" in chart for chart in told)
    assert compare_hand.marked(visitor, "new") == [NEW]


def test_what_a_patent_says_alone_is_counted_and_listed_with_the_nearest_miss(visitor: Visitor) -> None:
    pair = EXAMPLE_PAIRS[0]
    visitor.open(f"compare?a=example:{pair.first}&b=example:{pair.second}")
    compare_hand.compared(visitor)
    visitor.sees("Not in the other: ")
    visitor.until(lambda _: len(compare_hand.charts(visitor)) >= 2, "expected both lists of differences")
    told = [chart for chart in compare_hand.charts(visitor) if "not in the other" in chart]
    assert [chart.startswith(f"In the {name} document") for chart, name in zip(told, ("first", "second"), strict=True)]
    assert all(" words (" in chart for chart in told)
    counts = compare_hand.numbers(visitor)
    assert counts and all(counts)


def test_a_third_document_joins_two_on_one_scale(visitor: Visitor, tmp_path: Path) -> None:
    pair, third = EXAMPLE_PAIRS[0], tmp_path / "third.md"
    third.write_text(DRAFT, "utf-8")
    visitor.open(f"compare?a=example:{pair.first}&b=example:{pair.second}")
    compare_hand.compared(visitor)
    visitor.press("add-third")
    visitor.rests()
    compare_hand.upload(visitor, "c", third)
    compare_hand.compared(visitor, "Three documents on one scale")
    assert compare_hand.labels(visitor) == ["Document A", "Document B"]
    compare_hand.click_cell(visitor, "section", (0.05, 0.95))
    visitor.until(lambda driver: "cell=s-0-" in driver.current_url, "expected the cell in the link")
    visitor.until(lambda _: "Document C" in compare_hand.labels(visitor), "expected the third document's text")
