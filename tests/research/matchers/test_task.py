"""What a matcher learns, against plain numpy: the loss of a batch, and the scores of valid pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.research.matchers.build import build
from engine.research.matchers.lexicon import Lexicon
from engine.research.matchers.network import MatcherNetwork, encode_reads
from engine.research.matchers.task import MatcherTask
from engine.training.long_corpus import LongCorpus, read_long_corpora
from tests.research.matchers.small_training import recipe, write_data
from tests.training.small import word_vectors


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("task") / "data")


def made(data: Path, *settings: str) -> tuple[MatcherTask, MatcherNetwork, LongCorpus, np.ndarray]:
    """A task with its network and corpus, and every document's row at unit length."""
    given, words = recipe("arc-i", data, *settings), word_vectors()
    lexicon = Lexicon(words.words, words.vectors)
    network = build("arc-i", given.network, lexicon, seed=1)
    corpus = read_long_corpora(given.data.corpora, data)
    reads = [lexicon.read(document, "arc-i", given.network) for document in corpus.documents]
    with torch.no_grad():
        rows = encode_reads(network, reads).numpy().astype(np.float64)
    task = MatcherTask(given, network, corpus=corpus, reads=reads)
    return task, network, corpus, rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_loss_is_the_squared_distance_of_cosines_from_labels(data: Path) -> None:
    task, _, corpus, rows = made(data)
    batches = task.batches(0)
    assert len(batches) == task.steps()
    seen = []
    for batch in batches:
        pairs = batch.documents[batch.pairs.places]
        wanted = np.mean([(rows[a] @ rows[b] - y) ** 2 for (a, b), y in zip(pairs, batch.pairs.related, strict=True)])
        assert task.loss(batch).item() == pytest.approx(wanted, abs=1e-5)
        seen += [tuple(pair) for pair in pairs.tolist()]
    assert sorted(seen) == sorted(tuple(pair) for one in corpus.train.values() for pair in one.places.tolist())


def test_scores_count_pairs_that_are_ranked_right(data: Path) -> None:
    task, _, corpus, rows = made(data)
    for name, pairs in corpus.valid.items():
        cosines = np.array([rows[a] @ rows[b] for a, b in pairs.places])
        right = [(x > y) + (x == y) / 2 for x in cosines[pairs.related] for y in cosines[~pairs.related]]
        assert task.scores()[name] == pytest.approx(np.mean(right), abs=1e-6)


def test_hidden_words_follow_from_the_step_alone(data: Path) -> None:
    task, network, _, _ = made(data, "optimizer.word_dropout=0.4")
    first, second, *_ = task.batches(0)
    assert task.loss(first).item() == task.loss(first).item()
    plain, _, _, _ = made(data)
    assert task.loss(first).item() != pytest.approx(plain.loss(first).item(), abs=1e-7)
    assert task.loss(second).item() != task.loss(first).item()
    (group,) = task.groups()
    assert (len(group["params"]), group["lr"]) == (len(list(network.parameters())), 0.01)
