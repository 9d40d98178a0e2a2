"""Where a step takes its chunk vectors from."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from engine.documents import Document
from engine.encoders.colde import Backbone, ColdeHead, Cutter
from engine.training.colde.chunk_sources import ReadChunks
from engine.training.colde.task import LongTask
from engine.training.colde.trainer import Start
from engine.training.long_corpus import LongCorpus
from tests.training.long import recipe


def test_no_chunks_are_as_wide_as_others_and_stand_beside_them(reader: tuple[Backbone, Cutter]) -> None:
    backbone, cutter = copy.deepcopy(reader[0]).to("meta"), reader[1]
    read = ReadChunks(backbone, [cutter.cut(Document("none"))], tokens_at_once=64)
    for found in read.vectors([(0, np.zeros(0, np.int64))] * 2, sections=2):
        assert (found.shape, found.device.type) == ((0, backbone.dim), "meta")


def test_gradients_reach_the_embeddings_as_without_caching(data: Path, corpus: LongCorpus) -> None:
    start = Start.of(recipe(data, "backbone.trained=true"))
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
