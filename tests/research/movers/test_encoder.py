"""Learnt words: the contract, what function words and weights do, and how they move."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.documents import Document, text
from engine.encoders import Encoder, storage
from engine.evaluation import load_benchmark
from engine.research.baselines.rows import ROWS
from engine.research.movers.encoder import METHOD, SupervisedMoverEncoder
from tests.contracts.encoder import EncoderContract
from tests.encoders.test_word_vectors import by_subject
from tests.evaluation.small import write_benchmark


def learnt(*, weight: float = 1.0) -> SupervisedMoverEncoder:
    """The vectors of the tests' corpus as if they were mapped; the first word has another weight."""
    words = by_subject()
    weights = np.ones(len(words.words), np.float32)
    weights[0] = weight
    return SupervisedMoverEncoder(words.words, words.vectors, weights, trained_on=("ours",))


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return learnt()


def test_a_weight_counts_in_the_mean_and_in_the_distance_and_names_another_encoder() -> None:
    plain, heavy = learnt(), learnt(weight=9.0)
    first, other = [word for word in plain.moved_words.words if word not in text.STOP_WORDS][:2]
    assert plain.moved_words.words[0] == first
    document = [Document("a", title=f"{first} {other}")]
    rows = {encoder: encoder.encode_documents(document)[0] for encoder in (plain, heavy)}
    vectors = plain.moved_words.vectors[[plain.moved_words.words.index(word) for word in (first, other)]]
    mean = 9 * vectors[0] + vectors[1]
    np.testing.assert_allclose(rows[heavy], mean / np.linalg.norm(mean), atol=1e-6)
    assert not np.allclose(rows[plain], rows[heavy])
    assert heavy.moved_words.weights[0] == 9 and heavy.moved_words.power == 2
    assert plain.card.fingerprint != heavy.card.fingerprint


def test_function_words_count_nothing() -> None:
    encoder = SupervisedMoverEncoder(["the", "boiler"], np.eye(2, dtype=np.float16), np.ones(2, np.float32))
    row = encoder.encode_documents([Document("a", title="the boiler the")])
    np.testing.assert_array_equal(row, [[0, 1]])


def test_a_folder_of_them_is_a_row_and_is_moved(tmp_path: Path) -> None:
    learnt().save(tmp_path / "learnt")
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    rows = [f"swmd={tmp_path / 'learnt'}", f"wmd(swmd)={tmp_path / 'learnt'}"]
    assert ROWS.rows_of(",".join(rows)) == rows
    mean, moved = (ROWS.measure(benchmark, row) for row in rows)
    assert (mean.name, moved.name) == ("swmd", "wmd(swmd)")
    assert mean.fingerprint != moved.fingerprint
    assert moved.metrics["nDCG@10"] > 0.9


def test_a_word_too_few_is_told(tmp_path: Path) -> None:
    arrays = {"vectors": np.ones((2, 3), np.float16), "weights": np.ones(1, np.float32)}
    card = learnt().card
    made = storage.fingerprint_of(METHOD, arrays, ["a", "b"])
    storage.write(
        tmp_path / "bad",
        method=METHOD,
        card=card.__class__(card.name, card.summary, 3, made),
        arrays=arrays,
        words=["a", "b"],
    )
    with pytest.raises(StorageError, match="found 2 words, 2 vectors and 1 weights"):
        SupervisedMoverEncoder.load(tmp_path / "bad")
