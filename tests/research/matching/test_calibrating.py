"""The scores of unrelated pairs that a comparison is read by."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from engine.compare import Calibration
from engine.core.errors import EvaluationError
from engine.research.matching.calibrating import calibrate
from engine.research.matching.encoding import encoder_scores
from engine.research.matching.pair_set import PairSet
from tests.research.matching.small_pairs import long_corpus, pair_set
from tests.research.matching.test_encoding import Counting

UNRELATED = [f"steam{4 * one}\tneural{4 * other + 1}\t0\tvalid" for one in range(10) for other in range(10)]
OTHERS = ["steam0\tsteam4\t1\tvalid", "steam0\tprotein2\t0\ttest", "steam0\tgraph3\t0\ttrain"]


@pytest.fixture
def papers(tmp_path: Path) -> PairSet:
    return pair_set(tmp_path / "papers", [*UNRELATED, *OTHERS])


@pytest.fixture
def patents(tmp_path: Path) -> PairSet:
    documents = [dataclasses.replace(document, kind="patent") for document in long_corpus()]
    return pair_set(tmp_path / "patents", [*UNRELATED, *OTHERS], documents)


def test_unrelated_valid_pairs_are_kept_by_kinds(papers: PairSet, patents: PairSet) -> None:
    found = calibrate(Counting(), [papers, patents], between=150)
    assert {kinds: one.pairs for kinds, one in found.unrelated.items()} == {
        "paper, paper": 100,
        "paper, patent": 150,
        "patent, patent": 100,
    }
    scores = encoder_scores(Counting(), papers)[papers.of("valid") & ~papers.related]
    held = found.unrelated["paper, paper"].quantiles
    assert (held[0], held[-1]) == pytest.approx((scores.min(), scores.max()))
    np.testing.assert_allclose(np.median(held), np.median(scores), atol=0.5)


def test_what_is_kept_reads_a_score(papers: PairSet) -> None:
    facts = {"calibration": calibrate(Counting(), [papers]).as_facts()}
    reading = Calibration.from_facts(facts).read(1e9, ("paper", "paper"))
    assert reading.sentence == "Closer than every one of 100 unrelated pairs of papers."


def test_only_the_documents_asked_about_are_read_once(papers: PairSet, patents: PairSet) -> None:
    encoder = Counting()
    calibrate(encoder, [papers, patents])
    assert len(encoder.read) == 40
    assert not any(name.startswith(("protein", "graph")) for name in encoder.read)


def test_the_draw_is_the_same_again(papers: PairSet, patents: PairSet) -> None:
    one, again, other = (calibrate(Counting(), [papers, patents], between=120, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.unrelated["paper, patent"] != other.unrelated["paper, patent"]


def test_sets_without_unrelated_valid_pairs_are_refused(tmp_path: Path) -> None:
    few = pair_set(tmp_path / "few", OTHERS)
    with pytest.raises(EvaluationError, match=r"unrelated pairs in the split valid of few, found none\. Name a set"):
        calibrate(Counting(), [few])
    with pytest.raises(EvaluationError, match="in the split valid of a set, found none"):
        calibrate(Counting(), [])


def test_a_score_that_is_no_number_is_told(papers: PairSet) -> None:
    with pytest.raises(
        EvaluationError, match="finite score of counting for each of 100 pairs, got NaN or infinity for 10"
    ):
        calibrate(Counting(broken="steam0"), [papers])
