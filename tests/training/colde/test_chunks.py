"""The chunk vectors of a corpus, kept, and where a step takes them from."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from engine.documents import Document
from engine.encoders.colde import Backbone, ColdeHead, Cutter
from engine.training.colde import chunks
from engine.training.colde.chunks import ChunkVectors, KeptChunks, ReadChunks, read_chunk_vectors
from engine.training.colde.trainer import LongTask, Untrained
from engine.training.long_corpus import LongCorpus
from tests.training.long import recipe


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
    monkeypatch.setattr(chunks, "_SHARD", 16)
    first = read_chunk_vectors(corpus.documents, reader, sections=1, cache=tmp_path)
    asked: list[int] = []
    monkeypatch.setattr(chunks, "read_chunks", lambda _, documents: asked.append(len(documents)))
    again = read_chunk_vectors(corpus.documents, reader, sections=1, cache=tmp_path)
    assert asked == []
    assert again.names == first.names == tuple(document.id for document in corpus.documents)
    assert (again.rows == first.rows).all()
    nothing = read_chunk_vectors([], reader, sections=1, cache=tmp_path / "none")
    assert isinstance(nothing, ChunkVectors) and nothing.rows.shape == (0, 32)


def test_no_chunks_are_as_wide_as_others_and_stand_beside_them(reader: tuple[Backbone, Cutter]) -> None:
    backbone, cutter = copy.deepcopy(reader[0]).to("meta"), reader[1]
    read = ReadChunks(backbone, [cutter.cut(Document("none"))], tokens_at_once=64)
    for found in read.vectors([(0, np.zeros(0, np.int64))] * 2, sections=2):
        assert (found.shape, found.device.type) == ((0, backbone.dim), "meta")


def test_gradients_reach_the_embeddings_as_without_caching(data: Path, corpus: LongCorpus) -> None:
    start = Untrained.of(recipe(data, "backbone.trained=true"))
    backbone, made = start.modules["backbone"], start.modules["head"]
    assert isinstance(backbone, Backbone) and isinstance(made, ColdeHead)
    cutter = Cutter(Tokenizer.from_str(start.tokenizer), 8)
    cuts = [cutter.cut(document) for document in corpus.documents]
    found = []
    for tokens_at_once in (64, 100_000):
        task = LongTask(recipe(data), corpus, ReadChunks(backbone.eval(), cuts, tokens_at_once=tokens_at_once), made)
        backbone.zero_grad()
        task.loss(task.batches(0)[0]).backward()
        found.append([backbone.sections.weight.grad.clone(), backbone.chunks.weight.grad.clone()])
    for ours, whole in zip(*found, strict=True):
        assert ours.abs().sum() > 0
        torch.testing.assert_close(ours, whole, rtol=1e-3, atol=1e-6)
    assert not found[0][0][2:].any()  # two sections: the tables' other rows are not touched
    assert set(task.model.keys()) == {"head", "backbone"}
    assert [group["lr"] for group in task.groups()] == [0.01, 0.01, 0.01]
