"""How a score is read beside those of unrelated pairs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.compare.document_score import CALIBRATION_FACT, Calibration, Unrelated, kinds_of


def measured(count: int = 1_000) -> Calibration:
    return Calibration.measured({"paper, paper": np.linspace(0, 1, count).tolist(), "paper, patent": [0.5] * 99})


@pytest.mark.parametrize(
    ("score", "percentile", "sentence"),
    [
        (0.9725, 97.2, "Closer than 97 % of 1,000 unrelated pairs of papers."),
        (0.995, 99.5, "Closer than 99.5 % of 1,000 unrelated pairs of papers."),
        (0.003, 0.3, "Closer than 0.3 % of 1,000 unrelated pairs of papers."),
        (1.5, 100.0, "Closer than every one of 1,000 unrelated pairs of papers."),
        (1.0, 99.9, "Closer than 99.9 % of 1,000 unrelated pairs of papers."),  # one pair is as close
        (0.99999, 99.9, "Closer than 99.9 % of 1,000 unrelated pairs of papers."),
        (0.00001, 0.1, "Closer than 0.1 % of 1,000 unrelated pairs of papers."),
        (0.0, 0.0, "No closer than any of 1,000 unrelated pairs of papers."),
        (-0.5, 0.0, "No closer than any of 1,000 unrelated pairs of papers."),
    ],
)
def test_a_score_is_read_by_the_share_of_unrelated_pairs_below_it(
    score: float, percentile: float, sentence: str
) -> None:
    found = measured().read(score, ("paper", "query"))
    assert (found.percentile, found.sentence) == (pytest.approx(percentile, abs=0.11), sentence)


def test_unknown_kinds_are_said_to_be_unknown() -> None:
    found = measured().read(0.5, ("patent", "paper"))  # ninety-nine pairs are too few
    assert found.percentile is None
    assert found.sentence == "No unrelated pairs of a paper and a patent were measured, so the score stands alone."
    assert Calibration().read(0.5, ("patent", "patent")).sentence.startswith("No unrelated pairs of patents were")


def test_a_calibration_is_kept_as_json() -> None:
    facts = json.loads(json.dumps({CALIBRATION_FACT: measured(250).as_facts()}))
    assert Calibration.from_facts(facts).read(0.4, ("paper", "paper")) == measured(250).read(0.4, ("paper", "paper"))
    assert len(facts[CALIBRATION_FACT]["paper, paper"]["quantiles"]) == 250
    assert Calibration.from_facts({}) == Calibration()


def test_kinds_have_one_name_in_either_order() -> None:
    assert kinds_of("patent", "paper") == kinds_of("paper", "patent") == kinds_of("query", "patent") == "paper, patent"


def test_equal_scores_share_a_place() -> None:
    same = Unrelated(200, (0.2,) * 200)
    assert (same.share_below(0.2), same.share_below(0.3), same.share_below(0.1)) == (0.0, 1.0, 0.0)
