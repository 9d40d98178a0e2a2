"""Screening: decisions with reasons, what comes next, the numbers of the flow, and several reviews side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from engine.core.errors import LibraryError, UnknownDocumentError
from engine.library.filters import Filters
from engine.library.screening import Decision, Reviews, Screened
from engine.library.store import Library
from tests.library.records import BOX, DELTA, SLED


@pytest.fixture
def kites(library: Library) -> Library:
    """Three documents of five records: the first file repeats one, the second brings one again."""
    library.add_file("k1", "first.ris", [BOX, DELTA, replace(DELTA, id="delta again")])
    library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
    return library


def test_a_decision_replaces_the_one_before(kites: Library) -> None:
    assert kites.screening.of([BOX.id]) == [None]
    assert kites.screening.decide([BOX.id, DELTA.id], "excluded", "Wrong  wind") == 2
    assert kites.screening.decide([BOX.id], "excluded", "wrong WIND") == 0
    assert kites.screening.decide([DELTA.id], "included") == 1
    box, delta = kites.screening.of(["box again", DELTA.id])
    assert box is not None and (box.decision, box.reason) == ("excluded", "Wrong wind")
    assert delta is not None and (delta.decision, delta.reason) == ("included", "")
    assert kites.screening.take_back([BOX.id, SLED.id]) == 1
    assert kites.screening.of([BOX.id]) == [None]


def test_reasons_come_most_given_first(kites: Library) -> None:
    kites.screening.decide([BOX.id], "excluded", "No kite")
    kites.screening.decide([DELTA.id, SLED.id], "excluded", "Wrong wind")
    assert kites.screening.reasons() == ["Wrong wind", "No kite"]


@pytest.mark.parametrize(
    ("decision", "reason", "said"),
    [
        ("maybe", "", "Expected a decision, included or excluded, got 'maybe'"),
        ("included", "It flies", "for what is excluded, got 8 for what is included"),
        (
            "excluded",
            "x" * (Screened.MAX_REASON + 1),
            "Expected a reason of at most 200 characters for what is excluded, got 201",
        ),
    ],
)
def test_what_is_no_decision_is_refused(kites: Library, decision: str, reason: str, said: str) -> None:
    with pytest.raises(LibraryError, match=said):
        kites.screening.decide([BOX.id], cast(Decision, decision), reason)


def test_a_decision_on_what_is_not_held_is_none(kites: Library) -> None:
    with pytest.raises(UnknownDocumentError):
        kites.screening.decide([BOX.id, "p9"], "included")
    assert kites.screening.flow().screened == 0


def test_the_undecided_come_one_after_the_other_and_then_from_the_front(kites: Library) -> None:
    assert kites.screening.next() == BOX.id
    kites.screening.decide([BOX.id], "included")
    assert kites.screening.next() == DELTA.id
    assert kites.screening.next(after=DELTA.id) == SLED.id
    assert kites.screening.next(after=SLED.id) == DELTA.id
    assert kites.screening.next(Filters(lines=("sled",))) == SLED.id
    kites.screening.decide([SLED.id], "excluded")
    assert kites.screening.next(after=DELTA.id) is None
    kites.screening.decide([DELTA.id], "excluded")
    assert kites.screening.next() is None


def test_the_flow_adds_up(kites: Library) -> None:
    kites.screening.decide([BOX.id], "excluded", "Wrong wind")
    kites.screening.decide([SLED.id], "excluded")
    flow = kites.screening.flow()
    assert (flow.identified, flow.duplicates, flow.documents) == (5, 2, 3)
    assert (flow.screened, flow.excluded, flow.included, flow.undecided) == (2, 2, 0, 1)
    assert flow.reasons == {"": 1, "Wrong wind": 1}


def test_the_flow_of_some_documents_counts_their_records(kites: Library) -> None:
    kites.screening.decide([BOX.id], "included")
    first = kites.screening.flow(Filters(files=frozenset({"first.ris"})))
    assert (first.identified, first.duplicates, first.included, first.undecided) == (3, 1, 1, 1)
    delta = kites.screening.flow(Filters(lines=("delta",)))
    assert (delta.identified, delta.duplicates, delta.undecided) == (2, 1, 1)
    assert kites.screening.flow(Filters(lines=("glider",))).identified == 0


def test_a_removed_document_leaves_the_flow(kites: Library) -> None:
    kites.screening.decide([DELTA.id], "included")
    kites.remove([DELTA.id])
    flow = kites.screening.flow()
    assert (flow.identified, flow.duplicates, flow.included, flow.undecided) == (3, 1, 0, 2)


def test_lines_find_decisions(kites: Library) -> None:
    kites.screening.decide([BOX.id], "included")
    kites.screening.decide([DELTA.id], "excluded")
    found = {line: kites.ids(Filters(lines=(f"screen:{line}",))) for line in ("Included", "excluded", "undecided")}
    assert found == {"Included": [BOX.id], "excluded": [DELTA.id], "undecided": [SLED.id]}


@pytest.fixture
def reviewed(library: Library) -> Library:
    library.add_file("k1", "reviewed.ris", [BOX, DELTA, SLED])
    library.screening.decide([BOX.id, DELTA.id], "excluded", "Wrong wind")
    library.reviews.make("Beach  flights")
    return library


def test_each_review_decides_for_itself(reviewed: Library) -> None:
    beach = reviewed.screening.in_review("beach flights")
    assert beach.flow().undecided == 3 and beach.reasons() == [] and beach.next() == BOX.id
    beach.decide([BOX.id], "included")
    beach.decide([SLED.id], "excluded", "No beach")
    assert [one and one.decision for one in beach.of([BOX.id, DELTA.id, SLED.id])] == ["included", None, "excluded"]
    assert (beach.flow().included, beach.flow().reasons) == (1, {"No beach": 1})
    assert beach.reasons() == ["No beach"] and beach.next() == DELTA.id
    first = reviewed.screening
    assert (first.flow().included, first.flow().reasons, first.next()) == (0, {"Wrong wind": 2}, SLED.id)
    assert first.take_back([SLED.id]) == 0 and reviewed.reviews.counts() == {"Review 1": 2, "Beach flights": 2}


def test_rows_and_lines_show_the_decisions_of_one_review(reviewed: Library) -> None:
    reviewed.screening.in_review("Beach flights").decide([SLED.id], "included")
    shown = {
        name: [row.screened and row.screened.decision for row in reviewed.listing.in_review(name).page()]
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
    assert {line: reviewed.ids(Filters(lines=(line,))) for line in asked} == asked
    for line, ids in asked.items():
        flow = reviewed.screening.flow(Filters(lines=(line,)))
        assert flow.documents == len(ids) == flow.screened + flow.undecided


def test_a_review_that_goes_takes_its_decisions_along(reviewed: Library) -> None:
    reviewed.reviews.rename("Review 1", "Wind")
    reviewed.remove([BOX.id])
    assert reviewed.reviews.counts() == {"Wind": 1, "Beach flights": 0}
    assert reviewed.reviews.delete("wind") == 2
    assert reviewed.reviews.counts() == {"Beach flights": 0}
    reviewed.add_file("k2", "again.ris", [BOX])
    assert reviewed.screening.of([BOX.id]) == [None]  # the first review is another one now
    with pytest.raises(LibraryError, match="this is the only one"):
        reviewed.reviews.delete("Beach flights")


def test_a_removed_document_comes_back_with_the_decision_of_each_review(reviewed: Library) -> None:
    beach = reviewed.screening.in_review("Beach flights")
    beach.decide([BOX.id], "included")
    reviewed.remove([BOX.id])
    assert (beach.flow().included, reviewed.screening.flow().excluded) == (0, 1)
    reviewed.add_file("k2", "again.ris", [BOX])
    assert (beach.flow().included, reviewed.screening.flow().excluded) == (1, 2)


@pytest.mark.parametrize("name", ["", "  ", "x" * (Reviews.MAX_NAME + 1), "a/b", 'so "called"'])
def test_what_is_no_name_is_refused(reviewed: Library, name: str) -> None:
    with pytest.raises(LibraryError, match="Expected a review's name of 1 to 60 characters"):
        reviewed.reviews.make(name)


def test_two_reviews_have_two_names(reviewed: Library) -> None:
    for act in (
        lambda: reviewed.reviews.make("REVIEW 1"),
        lambda: reviewed.reviews.rename("Beach flights", "review 1"),
    ):
        with pytest.raises(LibraryError, match="one is called 'Review 1'"):
            act()
    assert reviewed.reviews.rename("Beach flights", "beach flights") == "beach flights"


def test_an_unknown_review_is_named(reviewed: Library) -> None:
    asked = reviewed.screening.in_review("Sea")
    for act in (asked.flow, asked.next, asked.reasons, lambda: asked.of([]), lambda: asked.decide([], "included")):
        with pytest.raises(LibraryError, match="got 'Sea'; the library has Review 1, Beach flights"):
            act()
