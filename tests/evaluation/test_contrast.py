"""Two systems compared query by query."""

from __future__ import annotations

import pytest

from engine.errors import EvaluationError
from engine.evaluation.contrast import Moved, contrast

NAMES = ("ctpe", "bm25")
OURS = {"q1": 0.9, "q2": 0.5, "q3": 0.1, "q4": 0.4}
THEIRS = {"q4": 0.4, "q3": 0.3, "q2": 0.1, "q1": 0.2}


def test_means_wins_and_the_queries_that_moved_most() -> None:
    compared = contrast(OURS, THEIRS, names=NAMES, metric="nDCG@10", most=2)
    assert (compared.ours, compared.theirs, compared.metric) == ("ctpe", "bm25", "nDCG@10")
    assert compared.means == pytest.approx((0.475, 0.25))
    assert compared.difference.mean == pytest.approx(0.225)
    assert compared.difference.low < 0.225 < compared.difference.high
    assert (compared.wins, compared.ties, compared.losses) == (2, 1, 1)
    assert compared.moved == (Moved("q1", 0.9, 0.2), Moved("q2", 0.5, 0.1))
    # Of the eight signs of .7, .4, -.2 those with a sum of .9 or more are +++, ++-, and their opposites.
    assert compared.p == 4 / 8


def test_queries_that_did_not_move_are_not_among_those_that_did() -> None:
    assert [moved.query for moved in contrast(OURS, THEIRS, names=NAMES, metric="P@20").moved] == ["q1", "q2", "q3"]


def test_other_queries_are_refused() -> None:
    with pytest.raises(EvaluationError, match="of ctpe and bm25, got 4 and 1; 'q2' is on one side only"):
        contrast(OURS, {"q1": 0.1}, names=NAMES, metric="P@20")
    with pytest.raises(EvaluationError, match=r"got 0 and 0\. Measure both on one benchmark"):
        contrast({}, {}, names=NAMES, metric="P@20")
