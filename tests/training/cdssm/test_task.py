"""What C-DSSM learns: the loss by plain loops, hidden words, the shares of several processes."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from engine.core.errors import TrainingError
from engine.encoders.cdssm import CdssmNetwork, Lexicon, begin_network
from engine.training.cdssm.corpus import WordCorpus
from engine.training.cdssm.trainer import RelatedTask
from engine.training.loop import ALONE, Processes
from engine.training.related import PairBatch, RelatedPairs
from tests.training.cdssm.small import recipe

WORDS = ["boiler", "valve", "steam", "gene", "cell", "graph", "tree", "vertex"]
LETTERS = ("#bo", "ile", "#va", "lve", "ste", "eam", "#ge", "ene", "cel", "gra", "aph", "#tr", "ree", "ver", "tex")
BATCH = PairBatch(np.array([[0, 1], [2, 3], [5, 4]]), (1, 0, 0))


def corpus() -> WordCorpus:
    generator = np.random.default_rng(3)
    starts = np.cumsum([0, 4, 1, 7, 3, 5, 2])
    names = [f"d{place}" for place in range(6)]
    flat = generator.integers(0, len(WORDS), starts[-1]).astype(np.int32)
    return WordCorpus(flat, starts, WORDS, names, [""] * 6, [""] * 6, {})


def pairs() -> RelatedPairs:
    """Documents 0 and 3 share a subject."""
    nothing = csr_array((6, 6), dtype=bool)
    return RelatedPairs([], np.ones(1), nothing, np.array([7, -1, -1, 7, -1, -1]), np.full(6, -1))


def task(*settings: str, processes: Processes = ALONE) -> RelatedTask:
    made = recipe(Path(), *settings)
    lexicon = Lexicon("trigrams", LETTERS)
    network = begin_network(made.network, len(LETTERS), seed=1)
    return RelatedTask(made, network, lexicon.bags(WORDS), examples=(corpus(), pairs()), processes=processes)


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(x * y for x, y in zip(one, other, strict=True))
    return product / math.sqrt(sum(x * x for x in one) * sum(y * y for y in other))


def vectors(network: CdssmNetwork, *, asks: bool) -> list[list[float]]:
    """Each document read alone, from its words."""
    held, lexicon = corpus(), Lexicon("trigrams", LETTERS)
    texts = [[WORDS[w] for w in held.flat[a:b]] for a, b in zip(held.starts[:-1], held.starts[1:], strict=True)]
    return [network(lexicon.read([text]), asks=asks)[0].tolist() for text in texts]


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_both_documents_of_a_pair_ask_among_all_strangers(towers: str) -> None:
    made = task(f"network.towers={towers}", "objective.asks=both", "objective.gamma=4.0")
    asks, answers = vectors(made.network, asks=True), vectors(made.network, asks=False)
    assert (asks == answers) == (towers == "shared")
    partner = {0: 1, 1: 0, 2: 3, 3: 2, 5: 4, 4: 5}
    total = 0.0
    for query, answer in partner.items():
        rivals = [one for one in partner if one != query and {one, query} != {0, 3}]
        scores = {one: math.exp(4 * cosine(asks[query], answers[one])) for one in rivals}
        total -= math.log(scores[answer] / sum(scores.values()))
    assert made.loss(BATCH).item() == pytest.approx(total / 6, abs=1e-5)


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_the_first_of_each_pair_asks_among_the_second_ones(towers: str) -> None:
    made = task(f"network.towers={towers}", "objective.asks=first", "objective.gamma=4.0")
    asks, answers = vectors(made.network, asks=True), vectors(made.network, asks=False)
    total = 0.0
    for query, answer in BATCH.pairs.tolist():
        rivals = [one for one in BATCH.pairs[:, 1].tolist() if {one, query} != {0, 3}]
        scores = {one: math.exp(4 * cosine(asks[query], answers[one])) for one in rivals}
        total -= math.log(scores[answer] / sum(scores.values()))
    assert made.loss(BATCH).item() == pytest.approx(total / 3, abs=1e-5)


def test_hidden_words_leave_every_document_some() -> None:
    made = task("objective.word_dropout=0.7")
    documents = np.arange(6)
    whole, starts = corpus().words_of(documents)
    lengths = []
    for step in range(200):
        words, ends = made._words(documents, (1, 0, step))
        again, _ = made._words(documents, (1, 0, step))
        np.testing.assert_array_equal(words, again)
        lengths.append(np.diff(ends))
        assert (np.diff(ends) > 0).all()
    assert np.mean(lengths, axis=0)[2] == pytest.approx(7 * (0.3 + 0.7**7), abs=0.4)
    kept, ends = task()._words(documents, (1, 0, 0))
    np.testing.assert_array_equal(kept, whole)
    np.testing.assert_array_equal(ends, starts)


@pytest.mark.parametrize(
    "settings", [["objective.word_dropout=0.3"], ["network.towers=two"], ["network.towers=two", "objective.asks=first"]]
)
def test_the_shares_of_two_processes_are_the_rows_of_one(settings: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[torch.Tensor] = []

    def gathered(self: Processes, share: torch.Tensor, rows: int) -> torch.Tensor:
        shares.append(share)
        return share.new_ones(rows, share.shape[1]) if self.count > 1 else share

    monkeypatch.setattr(Processes, "gathered", gathered)
    for processes in (ALONE, Processes(0, 2), Processes(1, 2)):
        task(*settings, processes=processes).loss(BATCH)
    calls = len(shares) // 3
    for call in range(calls):
        whole, even, odd = shares[call::calls]
        torch.testing.assert_close(even, whole[0::2])
        torch.testing.assert_close(odd, whole[1::2])


def test_more_processes_than_pairs_are_refused() -> None:
    told = (
        r"Expected a pair for each of 4 processes in every batch, got optimizer\.batch = 3\. Raise it, or start fewer"
    )
    with pytest.raises(TrainingError, match=told):
        task(processes=Processes(0, 4))
