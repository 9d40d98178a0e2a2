"""Word vectors on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.encoders.word_vectors import WordVectors
from tests.contracts.encoder import SUBJECTS


def vectors_of(vectors: Mapping[str, Sequence[float]], counts: Sequence[int] | None = None) -> WordVectors:
    """Word vectors by word; without counts every word was seen once."""
    seen = np.array([1] * len(vectors) if counts is None else counts, np.int64)
    return WordVectors(list(vectors), np.array(list(vectors.values()), np.float16), seen, int(seen.sum()))


def by_subject() -> WordVectors:
    """Vectors where the words of one subject point the same way; function words have none."""
    generator = np.random.default_rng(5)
    vectors = {}
    for subject in SUBJECTS.values():
        direction = generator.normal(size=12)
        for word in subject.split():
            vectors[word] = direction + 0.2 * generator.normal(size=12)
    return vectors_of(vectors)


def test_everything_comes_back(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "é"], np.eye(2, dtype=np.float16), np.array([5, 3]), 10, ("x",), {"seconds": 1.5})
    vectors.save(tmp_path / "saved")
    again = WordVectors.load(tmp_path / "saved")
    assert (again.words, again.tokens, again.trained_on, again.facts) == (["a", "é"], 10, ("x",), {"seconds": 1.5})
    np.testing.assert_array_equal(again.frequencies, [0.5, 0.3])
    assert again.card == vectors.card


def test_a_vector_too_few_is_told(tmp_path: Path) -> None:
    WordVectors(["a", "b"], np.ones((1, 2), np.float16), np.ones(2, np.int64), 2).save(tmp_path / "saved")
    with pytest.raises(StorageError, match="found 2 words, 1 vectors and 2 counts"):
        WordVectors.load(tmp_path / "saved")
