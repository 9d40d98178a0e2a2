"""Screening: decisions with reasons, what comes next, and the numbers of the review's flow."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from engine.core.errors import LibraryError, UnknownDocumentError
from engine.library.filters import Filters
from engine.library.screening import MAX_REASON, Decision
from engine.library.store import Library
from tests.library.noted import BOX, DELTA, SLED


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
            "x" * (MAX_REASON + 1),
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
