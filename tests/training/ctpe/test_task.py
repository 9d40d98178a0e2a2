"""What CTPE's task gives the loop: the loss of a batch as plain loops over its pairs compute it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cosine_similarity

from engine.core.config import from_mapping
from engine.core.errors import TrainingError
from engine.encoders.ctpe import PairNetwork, WordEmbeddings
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.ctpe.task import PairTask
from engine.training.examples import Batch, PairTokens, Sampling
from engine.training.losses import in_batch_softmax, neighbour_divergence, whole
from engine.training.processes import Processes

WORDS, DIM = 40, 4


def recipe(**objective: object) -> CtpeRecipe:
    values = {"data": {"corpora": ["x"]}, "schedule": {"epochs": 1}, "objective": objective, "optimizer": {"batch": 5}}
    return from_mapping(values, CtpeRecipe, origin="test")


def tokens() -> PairTokens:
    generator = np.random.default_rng(2)
    halves = [
        (generator.integers(0, WORDS, 1 + i % 4).tolist(), generator.integers(0, WORDS, 3 + i % 5).tolist())
        for i in range(9)
    ]
    return PairTokens.of(halves, [str(i) for i in range(9)])


def task(given: CtpeRecipe, *, places: NDArray[np.float16] | None = None, **more: Processes) -> PairTask:
    torch.manual_seed(1)
    rows = np.random.default_rng(3).normal(size=(WORDS, DIM)).astype(np.float32)
    embedding = WordEmbeddings([f"w{i}" for i in range(WORDS)], rows)
    examples = (tokens(), Sampling(batch=given.optimizer.batch))
    return PairTask(given, embedding, PairNetwork(DIM, 3), examples=examples, places=places, **more)


def half(of: PairTask, document: int, is_former: bool) -> Tensor:
    held = tokens()
    start, stop = (
        (held.starts[document], held.cuts[document]) if is_former else (held.cuts[document], held.starts[document + 1])
    )
    vectors = of.embedding.encode_ids(held.flat[start:stop], np.array([0, stop - start]))
    return of.network(*vectors)[0]


def test_the_margin_loss_reads_the_drawn_negatives() -> None:
    made = task(recipe(margin=0.5))
    for batch in made.batches(0):
        losses = []
        for i, j, swaps in zip(batch.documents, batch.other, batch.swaps_former, strict=True):
            f, b = half(made, i, True), half(made, i, False)
            negative = (half(made, j, True), b) if swaps else (f, half(made, j, False))
            y = cosine_similarity(f, b, dim=0) - cosine_similarity(*negative, dim=0)
            losses.append(max(0.0, 0.5 - y.item()))
        assert made.loss(batch).item() == pytest.approx(np.mean(losses), abs=1e-5)


def test_the_softmax_has_the_batchs_other_documents_as_negatives() -> None:
    made = task(recipe(kind="softmax", temperature=0.2))
    for batch in made.batches(0):
        f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) for is_former in (True, False))
        expected = in_batch_softmax(f, b, temperature=0.2)
        assert made.loss(batch).item() == pytest.approx(expected.item(), abs=1e-5)


def test_a_softmax_with_near_strangers_has_the_drawn_halves_as_negatives_too() -> None:
    made = task(recipe(kind="softmax", temperature=0.2, sampling="tfidf"))
    for batch in made.batches(0):
        f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) for is_former in (True, False))
        drawn = list(zip(batch.other, batch.swaps_former, strict=True))
        sides = [
            torch.stack([half(made, j, side) for j, swaps in drawn if swaps == side] or [f[0]])[
                : sum(swaps == side for _, swaps in drawn)
            ]
            for side in (True, False)
        ]
        expected = in_batch_softmax(f, b, temperature=0.2, strangers=(sides[0], sides[1]))
        assert made.loss(batch).item() == pytest.approx(expected.item(), abs=1e-5)
        assert made.loss(batch).item() > in_batch_softmax(f, b, temperature=0.2).item()


def test_a_teachers_places_are_learnt_beside_the_halves() -> None:
    places = np.random.default_rng(8).normal(size=(9, 5)).astype(np.float16)
    values = {
        "data": {"corpora": ["x"]},
        "schedule": {"epochs": 1},
        "objective": {"kind": "softmax", "temperature": 0.2},
        "places": {"source": "minilm", "weight": 3.0, "temperature": 0.1},
        "optimizer": {"batch": 5},
    }
    made = task(from_mapping(values, CtpeRecipe, origin="test"), places=places)
    for batch in made.batches(0):
        f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) for is_former in (True, False))
        taught = torch.from_numpy(places[batch.documents].astype(np.float32))
        expected = in_batch_softmax(f, b, temperature=0.2) + 3 * neighbour_divergence(
            whole(f, b), taught, temperature=0.1
        )
        assert made.loss(batch).item() == pytest.approx(expected.item(), abs=1e-5)


def test_a_half_is_read_in_parts_as_the_encoder_reads_it() -> None:
    values = {"data": {"corpora": ["x"]}, "schedule": {"epochs": 1}, "pairs": {"part_tokens": 2}}
    made = task(from_mapping(values, CtpeRecipe, origin="test"))
    held, (document,) = tokens(), [7]
    start, stop = held.cuts[document], held.starts[document + 1]  # five tokens: parts of 1, 2 and 2
    bounds = [start, start + 1, start + 3, stop]
    parts = made.network(*made.embedding.encode_ids(held.flat[start:stop], np.array(bounds) - start))
    latter = made._encode(np.array([document]), np.array([False]), None)
    torch.testing.assert_close(latter[0], torch.nn.functional.normalize(parts).sum(0))


@pytest.mark.parametrize("dim", [5, 20])
def test_a_learnt_projection_comes_between_halves_and_loss(dim: int) -> None:
    values = {
        "data": {"corpora": ["x"]},
        "schedule": {"epochs": 1},
        "objective": {"kind": "softmax", "temperature": 0.2},
        "reduction": {"kind": "learnt", "dim": dim},
    }
    made = task(from_mapping(values, CtpeRecipe, origin="test"))
    assert made.projection is not None
    weight = made.projection.weight.detach()  # (d, 12)
    assert weight.shape == (dim, 12)
    assert torch.allclose(weight @ weight.T if dim < 12 else weight.T @ weight, torch.eye(min(dim, 12)), atol=1e-5)
    (batch,) = made.batches(0)
    f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) @ weight.T for is_former in (True, False))
    plain = in_batch_softmax(f, b, temperature=0.2)
    assert made.loss(batch).item() == pytest.approx(plain.item(), abs=1e-4)
    assert "projection.weight" in made.model.state_dict()


def test_halves_are_those_of_the_network() -> None:
    made = task(recipe())
    former, latter = made.halves(4)
    assert former.shape == latter.shape == (4, 12)
    drawn = np.random.default_rng(1).permutation(9)[:4]
    np.testing.assert_allclose(former[2], half(made, drawn[2], True).detach(), atol=2e-2)
    np.testing.assert_allclose(latter[2], half(made, drawn[2], False).detach(), atol=2e-2)


def test_word_dropout_hides_the_same_tokens_at_the_same_step() -> None:
    made, plain = task(recipe(margin=2.0, word_dropout=0.5)), task(recipe(margin=2.0))
    first, second = made.batches(0)
    assert made.loss(first).item() == made.loss(first).item()
    assert made.loss(first).item() != plain.loss(first).item()
    masks = [made._hidden(batch, 3) for batch in (first, second)]
    assert masks[0] is not None and masks[0].shape == (3 * len(first.documents), 200)
    assert 0.4 < masks[0].float().mean() < 0.6


def test_the_shares_of_two_processes_hide_what_one_process_hides() -> None:
    given = recipe(word_dropout=0.5)
    whole = task(given)
    batch: Batch = whole.batches(0)[0]
    rows = len(batch.documents)
    hidden = whole._hidden(batch, 3)
    assert hidden is not None
    for rank in (0, 1):
        share = task(given, processes=Processes(rank, 2))._hidden(batch, 3)
        assert share is not None
        assert torch.equal(share, hidden.view(3, rows, -1)[:, rank::2].flatten(0, 1))


def test_trained_words_have_a_rate_of_their_own() -> None:
    values = {
        "data": {"corpora": ["x"]},
        "schedule": {"epochs": 1},
        "network": {"train_words": True},
        "optimizer": {"words_learning_rate": 0.25},
    }
    made = task(from_mapping(values, CtpeRecipe, origin="test"))
    assert [group["lr"] for group in made.groups()] == [1e-3, 0.25]
    assert "words.table" in made.model.state_dict()
    assert "words.table" not in task(recipe()).model.state_dict()


def test_more_processes_than_pairs_in_a_batch_are_refused() -> None:
    with pytest.raises(TrainingError, match=r"a pair for each of 5 processes in every batch, the smallest has 4\."):
        task(recipe(), processes=Processes(0, 5))
