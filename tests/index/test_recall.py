"""The default index finds what the exact one finds, on vectors of real documents and of our own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import registry
from engine.index import open_index
from tests.contracts.encoder import corpus


def recall_at_10(documents: list[Document], queries: list[Document], folder: Path) -> float:
    """The share of the exact ten nearest that the default index finds too."""
    encoder = registry.load("word2vec-mean")
    found = []
    for kind in ("exact", "embedded"):
        index = open_index(folder / kind, fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind=kind)  # type: ignore[arg-type]
        index.add([document.id for document in documents], encoder.encode_documents(documents))
        found.append([{hit.id for hit in hits} for hits in index.search(encoder.encode_queries(queries), 10)])
    return float(np.mean([len(exact & other) / len(exact) for exact, other in zip(*found, strict=True)]))


@pytest.mark.parametrize("benchmark_", ["cranfield", "npl"])
def test_on_real_documents(benchmark_: str, shared: Path, tmp_path: Path) -> None:
    from engine.evaluation.benchmarks import load_benchmark

    real = load_benchmark(shared / "data" / benchmark_)
    assert recall_at_10(list(real.corpus), list(real.queries), tmp_path) >= 0.98


def test_on_our_own_documents(tmp_path: Path) -> None:
    assert recall_at_10(corpus(), corpus()[:12], tmp_path) >= 0.98
