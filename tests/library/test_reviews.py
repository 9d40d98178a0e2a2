"""Several reviews side by side, each with decisions, reasons and counts of its own."""

from __future__ import annotations

import pytest

from engine.core.errors import LibraryError
from engine.library.filters import Filters
from engine.library.reviews import MAX_REVIEW_NAME
from engine.library.store import Library
from tests.library.noted import BOX, DELTA, SLED


@pytest.fixture
def kites(library: Library) -> Library:
    library.add_file("k1", "kites.ris", [BOX, DELTA, SLED])
    library.screening.decide([BOX.id, DELTA.id], "excluded", "Wrong wind")
    library.reviews.make("Beach  flights")
    return library


def test_each_review_decides_for_itself(kites: Library) -> None:
    beach = kites.screening.in_review("beach flights")
    assert beach.flow().undecided == 3 and beach.reasons() == [] and beach.next() == BOX.id
    beach.decide([BOX.id], "included")
    beach.decide([SLED.id], "excluded", "No beach")
    assert [one and one.decision for one in beach.of([BOX.id, DELTA.id, SLED.id])] == ["included", None, "excluded"]
    assert (beach.flow().included, beach.flow().reasons) == (1, {"No beach": 1})
    assert beach.reasons() == ["No beach"] and beach.next() == DELTA.id
    first = kites.screening
    assert (first.flow().included, first.flow().reasons, first.next()) == (0, {"Wrong wind": 2}, SLED.id)
    assert first.take_back([SLED.id]) == 0 and kites.reviews.counts() == {"Review 1": 2, "Beach flights": 2}


def test_rows_and_lines_show_the_decisions_of_one_review(kites: Library) -> None:
    kites.screening.in_review("Beach flights").decide([SLED.id], "included")
    shown = {
        name: [row.screened and row.screened.decision for row in kites.listing.in_review(name).page()]
        for name in ("", "Beach flights")
    }
    assert shown == {"": ["excluded", "excluded", None], "Beach flights": [None, None, "included"]}
    asked = {
        "screen:excluded": [BOX.id, DELTA.id],
        'screen:"Review 1/undecided"': [SLED.id],
        'screen:"beach flights/included"': [SLED.id],
        'screen:"Beach flights/undecided" delta': [DELTA.id],
        'screen:"unknown/included"': [],
    }
    assert {line: kites.ids(Filters(lines=(line,))) for line in asked} == asked
    for line, ids in asked.items():
        flow = kites.screening.flow(Filters(lines=(line,)))
        assert flow.documents == len(ids) == flow.screened + flow.undecided


def test_a_review_that_goes_takes_its_decisions_along(kites: Library) -> None:
    kites.reviews.rename("Review 1", "Wind")
    kites.remove([BOX.id])
    assert kites.reviews.counts() == {"Wind": 1, "Beach flights": 0}
    assert kites.reviews.delete("wind") == 2
    assert kites.reviews.counts() == {"Beach flights": 0}
    kites.add_file("k2", "again.ris", [BOX])
    assert kites.screening.of([BOX.id]) == [None]  # the first review is another one now
    with pytest.raises(LibraryError, match="this is the only one"):
        kites.reviews.delete("Beach flights")


def test_a_removed_document_comes_back_with_the_decision_of_each_review(kites: Library) -> None:
    beach = kites.screening.in_review("Beach flights")
    beach.decide([BOX.id], "included")
    kites.remove([BOX.id])
    assert (beach.flow().included, kites.screening.flow().excluded) == (0, 1)
    kites.add_file("k2", "again.ris", [BOX])
    assert (beach.flow().included, kites.screening.flow().excluded) == (1, 2)


@pytest.mark.parametrize("name", ["", "  ", "x" * (MAX_REVIEW_NAME + 1), "a/b", 'so "called"'])
def test_what_is_no_name_is_refused(kites: Library, name: str) -> None:
    with pytest.raises(LibraryError, match="Expected a review's name of 1 to 60 characters"):
        kites.reviews.make(name)


def test_two_reviews_have_two_names(kites: Library) -> None:
    for act in (lambda: kites.reviews.make("REVIEW 1"), lambda: kites.reviews.rename("Beach flights", "review 1")):
        with pytest.raises(LibraryError, match="one is called 'Review 1'"):
            act()
    assert kites.reviews.rename("Beach flights", "beach flights") == "beach flights"


def test_an_unknown_review_is_named(kites: Library) -> None:
    asked = kites.screening.in_review("Sea")
    for act in (asked.flow, asked.next, asked.reasons, lambda: asked.of([]), lambda: asked.decide([], "included")):
        with pytest.raises(LibraryError, match="got 'Sea'; the library has Review 1, Beach flights"):
            act()
