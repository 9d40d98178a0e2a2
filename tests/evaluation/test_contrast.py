"""Two systems compared query by query, and rows held to one of them, with p corrected for how many there are."""

from __future__ import annotations

import pytest

from engine.core.errors import EvaluationError
from engine.evaluation.contrast import Moved, against, as_json, as_markdown, contrast_runs
from engine.evaluation.measure import Measured

NAMES = ("ctpe", "bm25")
OURS = {"q1": 0.9, "q2": 0.5, "q3": 0.1, "q4": 0.4}
THEIRS = {"q4": 0.4, "q3": 0.3, "q2": 0.1, "q1": 0.2}


def test_means_wins_and_the_queries_that_moved_most() -> None:
    compared = contrast_runs(OURS, THEIRS, names=NAMES, metric="nDCG@10", most=2)
    assert (compared.ours, compared.theirs, compared.metric) == ("ctpe", "bm25", "nDCG@10")
    assert compared.means == pytest.approx((0.475, 0.25))
    assert compared.difference.mean == pytest.approx(0.225)
    assert compared.difference.low < 0.225 < compared.difference.high
    assert (compared.wins, compared.ties, compared.losses) == (2, 1, 1)
    assert compared.moved == (Moved("q1", 0.9, 0.2), Moved("q2", 0.5, 0.1))
    # Of the eight signs of .7, .4, -.2 those with a sum of .9 or more are +++, ++-, and their opposites.
    assert compared.p == 4 / 8


def test_queries_that_did_not_move_are_not_among_those_that_did() -> None:
    assert [moved.query for moved in contrast_runs(OURS, THEIRS, names=NAMES, metric="P@20").moved] == [
        "q1",
        "q2",
        "q3",
    ]


def test_other_queries_are_refused() -> None:
    with pytest.raises(EvaluationError, match="of ctpe and bm25, got 4 and 1; 'q2' is on one side only"):
        contrast_runs(OURS, {"q1": 0.1}, names=NAMES, metric="P@20")
    with pytest.raises(EvaluationError, match=r"got 0 and 0\. Measure both on one benchmark"):
        contrast_runs({}, {}, names=NAMES, metric="P@20")


QUERIES = [f"q{number}" for number in range(10)]


def row(name: str, *scores: float) -> Measured:
    by_query = {query: {"P": score, "R": score / 2} for query, score in zip(QUERIES, scores * 10, strict=False)}
    return Measured(name, "f", {}, by_query, None, None, 0.0, run={})


BASE, BETTER, SAME = row("base", 0.2, 0.4), row("better", 0.3, 0.5), row("same", 0.4, 0.2)


def test_every_other_row_is_compared_in_each_metric_and_its_p_corrected() -> None:
    found = against([BETTER, BASE, SAME], "base", ["P", "R"])
    assert [(one.contrast.ours, one.contrast.theirs, one.contrast.metric) for one in found] == [
        (ours, "base", metric) for metric in ("P", "R") for ours in ("better", "same")
    ]
    # Ten equal differences: only the two swaps of all or none reach their sum.
    assert found[0].contrast.p == 2 / 2**10
    assert found[0].p_holm == 4 / 2**10
    assert [one.verdict for one in found[:2]] == ["better", "too small to tell"]
    assert against([BETTER, BASE], "better", ["P"])[0].verdict == "worse"
    assert against([BASE, row("again", 0.2, 0.4)], "base", ["P"])[0].verdict == "the same"


def test_a_row_that_is_not_there_or_stands_alone_is_told() -> None:
    with pytest.raises(EvaluationError, match="compare with 'bm25', which must be one of them; got base, better"):
        against([BASE, BETTER], "bm25", ["P"])
    with pytest.raises(EvaluationError, match="compare with 'base'"):
        against([BASE], "base", ["P"])


def test_a_contrast_is_kept_and_shown_with_the_words_of_the_queries_that_moved() -> None:
    found = against([BETTER, BASE, SAME], "base", ["P", "R"])
    value = as_json(found[0])
    assert value["means"] == [0.4, 0.3]
    assert value["difference"] == pytest.approx(0.1)
    assert (value["wins"], value["ties"], value["losses"], value["verdict"]) == (10, 0, 0, "better")
    assert value["moved"][0] == {"query": "q0", "ours": 0.3, "theirs": 0.2}
    lines = as_markdown(found, {"q0": "a <b> | c\\ ![x](http://x.example)"})
    assert sum(line.startswith(("| better |", "| same |")) for line in lines) == 4
    assert "| q0 | a \\<b\\> \\| c\\\\ \\!\\[x\\](http://x.example) | 0.2000 | 0.3000 |" in lines
    assert sum(line.startswith("###") for line in lines) == 2
