"""The chunk vectors of a corpus, kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.encoders.colde import Backbone, Cutter
from engine.training.colde import chunk_vectors
from engine.training.colde.chunk_sources import KeptChunks, ReadChunks
from engine.training.colde.chunk_vectors import ChunkVectors, read_chunk_vectors
from engine.training.long_corpus import LongCorpus


def test_kept_chunks_are_those_that_the_transformer_gives(
    corpus: LongCorpus, reader: tuple[Backbone, Cutter], kept: KeptChunks
) -> None:
    backbone, cutter = reader
    cuts = [cutter.cut(document) for document in corpus.documents]
    read = ReadChunks(backbone, cuts, tokens_at_once=64)
    wanted = [(3, np.array([0, 2])), (17, np.array([1]))]
    with torch.no_grad():
        for ours, theirs in zip(kept.vectors(wanted, sections=1), read.vectors(wanted, sections=1), strict=True):
            torch.testing.assert_close(ours, theirs, rtol=2e-3, atol=2e-3)  # kept in half precision
    assert kept.count(3) == read.count(3) == len(cuts[3].chunks) > 2


def test_a_broken_reading_goes_on_where_it_stood(
    corpus: LongCorpus, reader: tuple[Backbone, Cutter], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_vectors, "_SHARD", 16)
    first = read_chunk_vectors(corpus.documents, reader, sections=1, cache=tmp_path)
    asked: list[int] = []
    monkeypatch.setattr(chunk_vectors, "read_chunks", lambda _, documents: asked.append(len(documents)))
    again = read_chunk_vectors(corpus.documents, reader, sections=1, cache=tmp_path)
    assert asked == []
    assert again.names == first.names == tuple(document.id for document in corpus.documents)
    assert (again.rows == first.rows).all()
    nothing = read_chunk_vectors([], reader, sections=1, cache=tmp_path / "none")
    assert isinstance(nothing, ChunkVectors) and nothing.rows.shape == (0, 32)
