"""The default index finds what the exact one finds, on vectors of real documents and of our own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import registry
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.exact import DenseIndex, EmbeddedIndex
from tests.contracts.encoder import corpus


def recall_at_10(documents: list[Document], queries: list[Document], folder: Path) -> float:
    """The share of the exact ten nearest that the default index finds too."""
    encoder = registry.load("word2vec-mean")
    found = []
    for kind in (DenseIndex, EmbeddedIndex):
        index = kind(folder / kind.__name__, fingerprint=encoder.card.fingerprint, dim=encoder.card.dim)
        index.add([document.id for document in documents], encoder.encode_documents(documents))
        found.append([{hit.id for hit in hits} for hits in index.search(encoder.encode_queries(queries), 10)])
    return float(np.mean([len(exact & other) / len(exact) for exact, other in zip(*found, strict=True)]))


@pytest.mark.parametrize("benchmark_", ["cranfield", "npl"])
def test_on_real_documents(benchmark_: str, shared: Path, tmp_path: Path) -> None:
    from engine.evaluation import load_benchmark

    real = load_benchmark(shared / "data" / benchmark_)
    assert recall_at_10(list(real.corpus), list(real.queries), tmp_path) >= 0.98


def test_by_binary_codes_on_real_documents(shared: Path, tmp_path: Path) -> None:
    """Our own rows' twin is in test_binary."""
    from engine.evaluation import load_benchmark

    real, encoder = load_benchmark(shared / "data" / "npl"), registry.load("word2vec-mean")
    card, settings = encoder.card, BinarySettings(candidates=3_000, rerank=400, fewest=2_000)
    index = BinaryIndex(tmp_path / "i", fingerprint=card.fingerprint, dim=card.dim, settings=settings)
    rows = encoder.encode_documents(real.corpus)
    index.add([document.id for document in real.corpus], rows)
    queries = np.asarray(encoder.encode_queries(real.queries))
    found = [{hit.id for hit in hits} for hits in index.search(queries, 10)]
    exact = [{real.corpus[place].id for place in np.argsort(-row, kind="stable")[:10]} for row in queries @ rows.T]
    assert np.mean([len(one & other) / 10 for one, other in zip(found, exact, strict=True)]) >= 0.9
    assert max(index.looked_up(queries)) <= 3_000


def test_on_our_own_documents(tmp_path: Path) -> None:
    assert recall_at_10(corpus(), corpus()[:12], tmp_path) >= 0.98
