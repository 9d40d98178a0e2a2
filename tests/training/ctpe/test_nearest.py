"""The documents nearest by TF-IDF, against scikit-learn's whole matrix."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import Progress
from engine.training.ctpe import nearest
from engine.training.ctpe.corpus import PairCorpus
from engine.training.examples import PairTokens

WORDS = 60


def tokens(documents: int = 50) -> PairTokens:
    generator = np.random.default_rng(8)
    halves = [
        (generator.integers(0, WORDS, 4).tolist(), generator.integers(0, WORDS, 6).tolist()) for _ in range(documents)
    ]
    return PairTokens.of(halves, [str(number) for number in range(documents)])


def plain(held: PairTokens) -> np.ndarray:
    """Every cosine of rows (1 + ln tf) (1 + ln((1 + n) / (1 + df))) without the words in over a tenth of documents."""
    n = len(held)
    counts = np.zeros((n, WORDS))
    for i in range(n):
        np.add.at(counts[i], held.flat[held.starts[i] : held.starts[i + 1]], 1)
    df = (counts > 0).sum(axis=0)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * (1 + np.log((1 + n) / (1 + df)))
    weights[:, df > 0.1 * n] = 0
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    rows = np.divide(weights, lengths, out=np.zeros_like(weights), where=lengths > 0)
    return rows @ rows.T


@pytest.mark.parametrize("block", [7, 50])
def test_the_nearest_are_those_of_the_whole_matrix(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    held, untouched = tokens(), tokens()
    monkeypatch.setattr(nearest, "_PRODUCTS_AT_ONCE", block * len(held))
    reports: list[Progress] = []
    found = nearest.nearest_by_tfidf(held, count=5, report=reports.append)
    np.testing.assert_array_equal(held.starts, untouched.starts)
    similarities = plain(untouched)
    np.fill_diagonal(similarities, 0)
    for i, row in enumerate(found):
        wanted = [j for j in np.argsort(-similarities[i], kind="stable")[:5] if similarities[i, j] > 0]
        assert similarities[i, row[row >= 0]] == pytest.approx(similarities[i, wanted], abs=1e-5)
        assert (row >= 0).sum() == len(wanted)
        assert i not in row
    assert (found < 0).any()
    assert (reports[-1].done, reports[-1].total) == (50, 50)


def test_marks_between_sentences_are_no_words() -> None:
    held = tokens()
    halves = np.split(held.flat, np.sort([*held.starts[1:-1], *held.cuts]))
    marked = PairTokens.of(
        [([*former, -1], [*latter, -1]) for former, latter in zip(halves[::2], halves[1::2], strict=True)], held.names
    )
    np.testing.assert_array_equal(nearest.nearest_by_tfidf(marked, count=5), nearest.nearest_by_tfidf(held, count=5))


def test_a_second_run_reads_what_the_first_one_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = PairCorpus(tokens(), {}, "key")
    first = nearest.read_nearest(corpus, cache=tmp_path)
    assert first.shape == (50, 100)
    monkeypatch.setattr(nearest, "nearest_by_tfidf", None)
    np.testing.assert_array_equal(nearest.read_nearest(corpus, cache=tmp_path), first)
