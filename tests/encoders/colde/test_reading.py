"""Chunks read by the transformer: padding, batches, numbers of sections and chunks, memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.encoders.colde import network
from engine.encoders.colde.long_documents import CutDocument
from engine.encoders.colde.network import Backbone, Numbered, numbered, padded, read_chunks, stretch_of
from engine.encoders.transformer import batches
from tests.encoders.colde import tiny


def drawn(*lengths: int, seed: int = 0) -> tuple[tuple[int, ...], ...]:
    """Token ids of chunks of these lengths."""
    generator = np.random.default_rng(seed)
    return tuple(tuple(generator.integers(5, 40, length).tolist()) for length in lengths)


def of(tokens: tuple[tuple[int, ...], ...], section: int = 0, first: int = 0) -> Numbered:
    """Chunks of one section, numbered from `first` on."""
    return Numbered(tokens, np.full(len(tokens), section), np.arange(len(tokens)) + first)


def test_other_documents_in_the_batch_change_nothing(backbone: Backbone) -> None:
    ours, others = of(drawn(9, 2, 5)), of(drawn(60, 1, 30, seed=1), section=1)
    alone = read_chunks(backbone, [ours])[0]
    together = read_chunks(backbone, [others, ours, others])
    assert [len(one) for one in together] == [3, 3, 3]
    np.testing.assert_allclose(together[1], alone, atol=1e-4)


@pytest.mark.parametrize(
    ("sections", "expected", "chunks"),
    [
        (1, [0] * 7, [0, 1, 2, 3, 4, 5, 6]),
        (2, [0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 0, 1, 2]),
        (5, [0, 0, 1, 2, 2, 3, 4], [0, 1, 0, 0, 1, 0, 0]),
    ],
)
def test_a_document_is_numbered_in_equal_stretches(sections: int, expected: list[int], chunks: list[int]) -> None:
    found = numbered(CutDocument(("all",), (), (), drawn(*range(1, 8))), sections=sections)
    assert (found.sections.tolist(), found.chunks.tolist()) == (expected, chunks)


def test_few_chunks_fill_the_first_stretches() -> None:
    assert stretch_of(1, 5).tolist() == [0]
    assert stretch_of(0, 5).tolist() == []
    assert numbered(CutDocument((), (), (), ()), sections=3).chunks.tolist() == []


def test_documents_without_chunks_have_no_rows(backbone: Backbone) -> None:
    assert read_chunks(backbone, []) == []
    nothing = of(())
    assert [one.shape for one in read_chunks(backbone, [nothing, of(drawn(3)), nothing])] == [(0, 32), (1, 32), (0, 32)]


def test_a_long_document_is_read_in_many_batches(backbone: Backbone, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_chunks(backbone, [of(drawn(*[5, 9] * 20))])[0]
    monkeypatch.setattr(network, "batches", lambda lengths, most: batches(lengths, 30))
    done: list[int] = []
    np.testing.assert_allclose(read_chunks(backbone, [of(drawn(*[5, 9] * 20))], done=done.append)[0], whole, atol=1e-5)
    assert sum(done) == 40
    assert max(done) == 6


def test_chunks_are_read_in_halves_where_a_gpu_has_no_memory_for_all(backbone: Backbone) -> None:
    long = of(drawn(40, 3, 17, 5, 9))
    (whole,) = read_chunks(backbone, [long])

    def refuse(_: object, given: tuple[torch.Tensor, ...]) -> None:
        if len(given[0]) > 1:
            raise torch.OutOfMemoryError

    hook = backbone.register_forward_pre_hook(refuse)
    try:
        (halved,) = read_chunks(backbone, [long])
    finally:
        hook.remove()
    np.testing.assert_allclose(halved, whole, atol=1e-5)


def test_chunk_vectors_are_padded_with_their_mask() -> None:
    rows, inside = padded([np.ones((2, 3), np.float32), np.full((1, 3), 2, np.float32)])
    assert rows.tolist() == [[[1] * 3, [1] * 3], [[2] * 3, [0] * 3]]
    assert inside.tolist() == [[True, True], [True, False]]


def test_weights_that_no_vector_reads_are_not_kept(folder: Path) -> None:
    assert not [name for name in tiny.backbone(folder).state_dict() if "pooler" in name]
