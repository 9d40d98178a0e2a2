"""One document against the library in a real browser: a paper by sections, a patent by claims, a cell, the link."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.state.examples import every_example
from tests.browser import compare_hand
from tests.browser.app import Visitor

pytestmark = pytest.mark.browser

COVERING_SECONDS = 150
"""The first coverage of a process loads the encoder of passages; on a busy machine that takes its time."""
REAL = {"sections": "formats/jats/PMC7599108.xml", "claims": "formats/uspto/US08930553.xml"}
OURS = {"sections": "sentence-graph-duplicates", "claims": "infusion-occlusion"}


@pytest.mark.parametrize("rows", ["sections", "claims"])
def test_our_own_paper_and_patent_are_covered(visitor: Visitor, rows: str) -> None:
    covered_from_its_upload(visitor, every_example()[OURS[rows]].path, rows)


@pytest.mark.parametrize("rows", ["sections", "claims"])
def test_a_real_paper_and_a_real_patent_are_covered(visitor: Visitor, shared: Path, rows: str) -> None:
    covered_from_its_upload(visitor, shared / REAL[rows], rows)


def covered_from_its_upload(visitor: Visitor, path: Path, rows: str) -> None:
    """Upload a document, compare it with the library, open a cell, and drop it all for another document."""
    visitor.open("compare")
    compare_hand.upload(visitor, "a", path)
    visitor.find(".st-key-change-a")
    visitor.rests()
    visitor.press("against-library")
    heatmap(visitor)
    assert f"library={rows}" in visitor.driver.current_url
    assert "may be new" in visitor.text()
    compare_hand.click_cell(visitor, "coverage", (0.05, 0.02))
    visitor.until(lambda driver: "at=0%3A" in driver.current_url, "expected the cell in the link")
    assert all(compare_hand.in_view(visitor))
    assert "strength" in compare_hand.status(visitor)
    visitor.press("change-library")
    visitor.find(".st-key-against-library")


def test_the_link_opens_the_same_cell(visitor: Visitor) -> None:
    link = f"compare?a=example:{OURS['claims']}&library=claims&down=coverage"
    visitor.open(link)
    heatmap(visitor)
    compare_hand.click_cell(visitor, "coverage", (0.05, 0.02))
    visitor.until(lambda driver: "at=" in driver.current_url, "expected the cell in the link")
    both = compare_hand.in_view(visitor)
    address = visitor.driver.current_url
    visitor.driver.get("about:blank")
    visitor.driver.get(address)
    heatmap(visitor)
    assert compare_hand.in_view(visitor) == both


def test_a_cell_of_another_column_opens_before_the_server_has_heard_of_it(visitor: Visitor) -> None:
    visitor.open(f"compare?a=example:{OURS['claims']}&library=claims")
    heatmap(visitor)
    names = compare_hand.names(visitor)
    with compare_hand.unheard(visitor):
        compare_hand.click_cell(visitor, "coverage", (0.05, 0.95))
        visitor.until(lambda _: compare_hand.names(visitor) not in (names, []), "expected another document")
        assert compare_hand.names(visitor)[0] == names[0]
        assert all(compare_hand.in_view(visitor))
    shown = compare_hand.names(visitor)
    compare_hand.click_cell(visitor, "coverage", (0.5, 0.95))
    visitor.until(lambda driver: "at=" in driver.current_url, "expected the cell in the link")
    visitor.rests()
    assert compare_hand.names(visitor) == shown


def heatmap(visitor: Visitor) -> None:
    """Wait until the heatmap is on the page."""
    compare_hand.shape(visitor, "coverage", seconds=COVERING_SECONDS)
    visitor.rests()
