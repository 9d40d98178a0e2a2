"""Documents as rows of numbers, and batches of them, by hand."""

from __future__ import annotations

import numpy as np
import torch

from engine.research.matchers.masked_texts import Read, batches, padded

CPU = torch.device("cpu")
TWO_ROWS, ONE_ROW, NOTHING = Read.of([[1, 2], [], [3]]), Read.of([[4, 5, 6]]), Read.of([[], []])


def weighed(read: Read, *weights: float) -> Read:
    return Read(read.numbers, read.lengths, np.array(weights, np.float32))


def test_rows_stand_end_to_end_and_empty_ones_are_skipped() -> None:
    assert TWO_ROWS.numbers.tolist() == [1, 2, 3]
    assert TWO_ROWS.lengths.tolist() == [2, 1]
    assert (len(TWO_ROWS), len(NOTHING), NOTHING.lengths.tolist()) == (3, 0, [])


def test_thinning_keeps_numbers_with_their_weights_and_drops_rows_that_are_empty_then() -> None:
    read = weighed(TWO_ROWS, 0.1, 0.2, 0.3)
    for kept, numbers, lengths in (
        ([True, False, True], [1, 3], [1, 1]),
        ([False, True, False], [2], [1]),
        ([False, False, True], [3], [1]),
        ([True, True, True], [1, 2, 3], [2, 1]),
    ):
        thin = read.thinned(np.array(kept))
        assert (thin.numbers.tolist(), thin.lengths.tolist()) == (numbers, lengths)
        assert thin.weights is not None
        np.testing.assert_allclose(thin.weights, np.array(numbers) / 10)
    assert TWO_ROWS.thinned(np.array([True, False, False])).weights is None
    assert read.thinned(np.zeros(3, bool)) is read, "no document loses its last word"


def test_a_batch_is_padded_to_its_longest_row() -> None:
    batch = padded([TWO_ROWS, ONE_ROW], CPU)
    assert batch.numbers.tolist() == [[1, 2, 0], [3, 0, 0], [4, 5, 6]]
    assert (batch.lengths.tolist(), batch.rows.tolist(), batch.weights) == ([2, 1, 3], [2, 1], None)
    assert batch.inside.tolist() == [[True, True, False], [True, False, False], [True, True, True]]


def test_weights_lie_where_their_numbers_do() -> None:
    batch = padded([weighed(TWO_ROWS, 1, 2, 3), weighed(ONE_ROW, 4, 5, 6)], CPU)
    assert batch.weights is not None
    assert batch.weights.tolist() == batch.numbers.tolist() == [[1, 2, 0], [3, 0, 0], [4, 5, 6]]


def test_batches_hold_documents_of_like_size_and_none_without_a_word() -> None:
    long, pair, short = Read.of([[1, 2, 3, 4]]), Read.of([[1], [2]]), Read.of([[9]])
    reads = [long, NOTHING, pair, short]
    assert list(batches(reads, 4)) == [[3, 2], [0]]
    assert list(batches(reads, 16)) == [[3, 2, 0]], "three rows and one, four wide"
    assert list(batches(reads, 1)) == [[3], [2], [0]], "a document that is too large is read alone"
    assert list(batches([NOTHING], 4)) == []


def test_no_batch_is_larger_than_asked_and_no_document_is_left_out() -> None:
    generator = np.random.default_rng(4)
    reads = [Read.of([[7] * int(width) for width in generator.integers(0, 9, 5)]) for _ in range(60)]
    found = list(batches(reads, 200))
    assert sorted(place for batch in found for place in batch) == [n for n, read in enumerate(reads) if len(read)]
    for batch in found:
        assert padded([reads[place] for place in batch], CPU).numbers.numel() <= 200
    assert len(found) < 15
