"""What CoLDE's task feeds the loop: sections, whole documents, chunks left out, gradients through the transformer."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from engine.documents import Document
from engine.encoders.colde.backbone import Backbone
from engine.encoders.colde.cutting import Cutter
from engine.encoders.colde.head import ColdeHead
from engine.encoders.transformer import Transformer
from engine.errors import TrainingError
from engine.training.colde import chunk_vectors
from engine.training.colde.chunk_sources import KeptChunks, ReadChunks
from engine.training.colde.chunk_vectors import ChunkVectors, read_chunk_vectors
from engine.training.colde.task import LongTask
from engine.training.colde.trainer import Start
from engine.training.long_corpus import LongCorpus, read_long_corpora
from engine.training.losses import supervised_contrastive
from engine.training.processes import Processes
from tests.training.long import recipe, write_long_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("long"))


@pytest.fixture(scope="module")
def corpus(data: Path) -> LongCorpus:
    return read_long_corpora(["ours", "more"], data)


@pytest.fixture(scope="module")
def reader(data: Path) -> tuple[Backbone, Cutter]:
    opened = Transformer.open(data / "tiny", precision="float32")
    modules = Start.of(recipe(data)).modules
    backbone = modules["backbone"]
    assert isinstance(backbone, Backbone)
    return backbone.eval(), Cutter(Tokenizer.from_str(opened.tokenizer), 8)


@pytest.fixture(scope="module")
def kept(corpus: LongCorpus, reader: tuple[Backbone, Cutter], tmp_path_factory: pytest.TempPathFactory) -> KeptChunks:
    cache = tmp_path_factory.mktemp("chunks")
    return KeptChunks(read_chunk_vectors(corpus.documents, reader, sections=1, cache=cache), torch.device("cpu"))


def head(data: Path) -> ColdeHead:
    made = Start.of(recipe(data)).modules["head"]
    assert isinstance(made, ColdeHead)
    return made


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


def test_no_chunks_are_as_wide_as_others_and_stand_beside_them(reader: tuple[Backbone, Cutter]) -> None:
    backbone, cutter = copy.deepcopy(reader[0]).to("meta"), reader[1]
    read = ReadChunks(backbone, [cutter.cut(Document("none"))], tokens_at_once=64)
    for found in read.vectors([(0, np.zeros(0, np.int64))] * 2, sections=2):
        assert (found.shape, found.device.type) == ((0, backbone.dim), "meta")


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


def test_the_loss_is_that_of_the_sections_with_their_labels(data: Path, corpus: LongCorpus, kept: KeptChunks) -> None:
    made = head(data).eval()
    task = LongTask(recipe(data), corpus, kept, made)
    batch = task.batches(0)[0]
    sections, labels = [], []
    for place in batch.documents.tolist():
        rows = kept.vectors([(place, np.arange(kept.count(place)))], sections=2)[0]
        middle = int((np.arange(len(rows)) * 2 // len(rows) == 0).sum())
        padded = torch.zeros(1, 2, max(middle, len(rows) - middle), rows.shape[1])
        inside = torch.zeros(padded.shape[:3], dtype=torch.bool)
        for number, part in enumerate((rows[:middle], rows[middle:])):
            padded[0, number, : len(part)], inside[0, number, : len(part)] = part, True
        sections += list(made(padded, inside)[0])
        labels += [place, place]
    same = torch.from_numpy(corpus.same_label(np.array(labels)))
    wanted = supervised_contrastive(torch.stack(sections), same, temperature=0.1)
    assert task.loss(batch).item() == pytest.approx(wanted.item(), rel=1e-4)


def test_sections_without_chunks_are_no_examples(data: Path, corpus: LongCorpus) -> None:
    counts = [1] * len(corpus.documents)
    rows = np.random.default_rng(0).standard_normal((len(counts), 32)).astype(np.float16)
    one_each = KeptChunks(ChunkVectors(("",) * len(counts), rows, np.arange(len(counts) + 1)), torch.device("cpu"))
    losses = []
    for sections in (1, 2, 5):
        task = LongTask(recipe(data, f"objective.sections={sections}"), corpus, one_each, head(data).eval())
        losses.append(task.loss(task.batches(0)[0]).item())
    np.testing.assert_allclose(losses, losses[0], rtol=1e-5)


def test_documents_without_chunks_are_scored(data: Path, corpus: LongCorpus) -> None:
    count = len(corpus.documents)
    nothing = ChunkVectors(("",) * count, np.zeros((0, 32), np.float16), np.zeros(count + 1, np.int64))
    task = LongTask(recipe(data), corpus, KeptChunks(nothing, torch.device("cpu")), head(data))
    assert all(not level.document.any() for level in task.levels(np.arange(3)))
    assert set(task.scores()) == {"ours", "more"}


@pytest.mark.parametrize(
    "settings",
    [
        ["objective.sections=1"],
        ["objective.sections=5"],
        ["objective.whole=true", "objective.chunk_dropout=0.5"],
        ["objective.kind=cosine", "objective.sections=1"],
        ["head.aggregation=mean"],
        ["objective.max_tokens=8"],
        ["head.space_dim=8", "objective.late=1.0", "objective.chunk_dropout=0.3"],
    ],
)
def test_every_form_has_a_loss_with_gradients(
    data: Path, corpus: LongCorpus, kept: KeptChunks, settings: list[str]
) -> None:
    chosen = recipe(data, *settings)
    made = Start.of(chosen).modules["head"]
    assert isinstance(made, ColdeHead)
    task = LongTask(chosen, corpus, kept, made)
    batches = task.batches(0)
    assert len(batches) == task.steps()
    loss = task.loss(batches[0])
    loss.backward()
    assert 0 < loss.item() < 20
    assert all(torch.isfinite(one.grad).all() for one in made.parameters() if one.grad is not None)
    assert task.loss(batches[0]).item() == loss.item()  # a step's draws follow from its key


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
    assert [group["lr"] for group in task.groups()] == [0.01, 0.01]


def test_valid_pairs_are_scored_by_documents_in_one_piece(data: Path, corpus: LongCorpus, kept: KeptChunks) -> None:
    task = LongTask(recipe(data), corpus, kept, head(data))
    scores = task.scores()
    assert set(scores) == {"ours", "more"} and all(0 <= score <= 1 for score in scores.values())
    one, other = task.levels(np.array([4, 30]))
    np.testing.assert_allclose(np.linalg.norm(one.document), 1, rtol=1e-5)
    pairs = np.array([[4, 30], [4, 4]])
    np.testing.assert_allclose(task.similarities(pairs), [one.document @ other.document, 1], rtol=1e-4)
    late = LongTask(recipe(data, "head.late_share=1.0"), corpus, kept, head(data))
    np.testing.assert_allclose(late.similarities(pairs), [one.late(other), 1], rtol=1e-4)


def test_a_batch_that_processes_cannot_share_is_refused(data: Path, corpus: LongCorpus, kept: KeptChunks) -> None:
    with pytest.raises(TrainingError, match=r"a batch for each of 5 processes, got optimizer.batch = 8"):
        LongTask(recipe(data), corpus, kept, head(data), processes=Processes(0, 5))
