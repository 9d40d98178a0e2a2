"""How far two encoders agree, in words."""

from __future__ import annotations

from engine.maps import Agreement
from explorer.map.agreement import agreement_help, agreement_sentence
from explorer.map.query import PlacedQuery
from explorer.shared.neighbours import Near
from tests.explorer.map.pairs import placed
from tests.made_readings import READ

ALL = Agreement(0.384, 500, 15, 0.0006)


def test_the_agreement_is_said_in_words() -> None:
    one, two = placed(["a", "b", "c"]), placed(["c", "d", "e"])
    marked = PlacedQuery(
        one.document, one.marker, tuple(Near(n.rank, n.document, READ, True, n.rank == 3) for n in one.near)
    )
    said = agreement_sentence(ALL, marked, two)
    assert "The two share <strong>38%</strong> of a document’s 15 nearest neighbours, and of the query’s" in said
    assert "<strong>1 of 3</strong>." in said
    assert agreement_sentence(ALL, None, None).endswith("nearest neighbours.")
    assert agreement_sentence(Agreement(0, 0, 0, 0), None, None) == ""
    assert "500 documents" in agreement_help(ALL)
    assert "0.1%" in agreement_help(ALL)
