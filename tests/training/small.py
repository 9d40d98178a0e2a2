"""A corpus and word vectors of our own, small enough to train CTPE on in a test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from safetensors.numpy import load_file
from torch import Tensor

from engine.core.config import from_mapping, with_settings
from engine.documents import Document, text
from engine.encoders import WordVectors
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.ctpe.recipe import CtpeRecipe
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark, write_table

DIM = 6

BEYOND_THE_PAPER = [
    "objective.kind=softmax",
    "network.mean_dim=4",
    "network.train_words=true",
    "pairs.similarity=whole",
    "related={share = 0.6, batch = 3, files = [{corpus = 'ours'}], subjects = ['ours']}",
]
"""Settings for the mean of the words, whole documents, and related ones."""


def word_vectors() -> WordVectors:
    """A random vector for every word of the corpus: those of one subject lie near each other only after training."""
    words = sorted({token for document in corpus() for token in text.tokens(document.text)})
    vectors = np.random.default_rng(5).normal(size=(len(words), DIM)).astype(np.float16)
    return WordVectors(words, vectors, np.ones(len(words), np.int64), len(words), ("ours",))


def write_data(folder: Path, *, documents: list[Document] | None = None) -> Path:
    """A folder with the corpus "ours", the benchmark "small" and word vectors; all its queries are valid ones.

    A document's subject is its category, and three pairs of documents of one subject are named as related.
    """
    (folder / "ours").mkdir(parents=True)
    ours = [replace(one, categories=(one.id.rstrip("0123456789"),)) for one in documents or corpus()]
    write_table(folder / "ours" / "corpus.parquet", ours)
    pairs = "id-a\tid-b\nsteam0\tsteam4\ngraph3\tgraph7\nneural1\tneural5\n"
    (folder / "ours" / "train-pairs.tsv").write_text(pairs)
    benchmark = write_benchmark(folder / "small")
    queries = [line.split("\t")[0] for line in (benchmark / "qrels.tsv").read_text().splitlines()[1:]]
    (benchmark / "query-splits.tsv").write_text("".join(f"{query}\tvalid\n" for query in dict.fromkeys(queries)))
    word_vectors().save(folder / "words")
    return folder


def recipe(data: Path, *settings: str) -> CtpeRecipe:
    """A recipe for the small corpus: three channels, batches of eight, two epochs."""
    values: dict[str, Any] = {
        "method": "ctpe",
        "device": "cpu",
        "data": {"corpora": ["ours"]},
        "pairs": {"max_tokens": 20},
        "network": {"channels": 3, "source": str(data / "words")},
        "optimizer": {"learning_rate": 0.01, "batch": 8},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), CtpeRecipe, origin="test")


def cdssm_recipe(data: Path, *settings: str) -> CdssmRecipe:
    """Eight channels over letters, batches of three pairs of "ours", two epochs of five steps."""
    values: dict[str, Any] = {
        "method": "cdssm",
        "device": "cpu",
        "data": {"subjects": ["ours"], "files": [{"corpus": "ours"}], "steps": 5},
        "network": {"channels": 8, "dim": 6, "max_tokens": 20, "trigrams": 100},
        "vectors": {"source": str(data / "words")},
        "optimizer": {"learning_rate": 0.01, "batch": 3},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), CdssmRecipe, origin="test")


def break_off(monkeypatch: pytest.MonkeyPatch, task: type[Any], steps: int, run: Callable[[], object]) -> None:
    """Run a training, and interrupt it after this many of the task's steps."""
    loss, calls = task.loss, 0

    def breaks(self: object, batch: object) -> Tensor:
        nonlocal calls
        calls += 1
        if calls > steps:
            raise KeyboardInterrupt
        return cast(Tensor, loss(self, batch))

    with monkeypatch.context() as patched:
        patched.setattr(task, "loss", breaks)
        with pytest.raises(KeyboardInterrupt):
            run()


def require_same_weights(first: Path, second: Path) -> None:
    """Compare what two run folders hold, to the last bit."""
    for name in ("checkpoint/model", "checkpoint/optimizer", "best/model"):
        one, other = (load_file(run / f"{name}.safetensors") for run in (first, second))
        assert one.keys() == other.keys()
        for key, array in one.items():
            assert array.tobytes() == other[key].tobytes(), key
