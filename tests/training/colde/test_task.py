"""What CoLDE's task feeds the loop: sections, whole documents, chunks left out, gradients through the transformer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core.errors import TrainingError
from engine.encoders.colde import ColdeHead
from engine.training.colde.chunk_sources import KeptChunks
from engine.training.colde.chunk_vectors import ChunkVectors
from engine.training.colde.task import LongTask
from engine.training.colde.trainer import Start
from engine.training.long_corpus import LongCorpus
from engine.training.losses import supervised_contrastive
from engine.training.processes import Processes
from tests.training.long import recipe


def head(data: Path) -> ColdeHead:
    made = Start.of(recipe(data)).modules["head"]
    assert isinstance(made, ColdeHead)
    return made


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
    best = LongTask(recipe(data, "head.late_share=1.0", "head.late_best=0.5"), corpus, kept, head(data))
    np.testing.assert_allclose(best.similarities(pairs), [one.late(other, best=0.5), 1], rtol=1e-4)


def test_a_batch_that_processes_cannot_share_is_refused(data: Path, corpus: LongCorpus, kept: KeptChunks) -> None:
    with pytest.raises(TrainingError, match=r"a batch for each of 5 processes, got optimizer.batch = 8"):
        LongTask(recipe(data), corpus, kept, head(data), processes=Processes(0, 5))
