"""Rows in groups, and binary indexes of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.codes import CodeSettings
from engine.vectors.exact import DenseIndex

SMALL = BinarySettings(candidates=1_000, rerank=200, fewest=1_000, codes=CodeSettings(code_bits=128, learn_rows=2_000))


def grouped_rows(size: int, dim: int = 40) -> np.ndarray:
    """Rows in 60 groups whose members are spread along few directions, as rows of documents are."""
    chance = np.random.default_rng(11)
    centres, inner = chance.normal(size=(60, dim)), chance.normal(size=(12, dim)) / 3
    rows = centres[chance.integers(60, size=size)] + chance.normal(size=(size, 12)) @ inner
    rows += 0.1 * chance.normal(size=(size, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def opened(folder: Path, settings: BinarySettings = SMALL, dim: int = 40) -> BinaryIndex:
    return BinaryIndex(folder, fingerprint="f", dim=dim, precision="int8", settings=settings)


def filled(folder: Path, rows: np.ndarray, settings: BinarySettings = SMALL) -> BinaryIndex:
    index = opened(folder, settings, rows.shape[1])
    index.add([f"doc{number}" for number in range(len(rows))], rows)
    return index


def exactly(rows: np.ndarray, queries: np.ndarray, k: int, within: list[str] | None = None) -> list[list[str]]:
    """Ids of the reference's answer."""
    with tempfile.TemporaryDirectory() as folder:
        index = DenseIndex(Path(folder) / "i", fingerprint="f", dim=rows.shape[1], precision="int8")
        index.add([f"doc{number}" for number in range(len(rows))], rows)
        return [[hit.id for hit in hits] for hits in index.search(queries, k, within=within)]


def share_found(index: BinaryIndex, queries: np.ndarray, expected: list[list[str]], k: int = 10) -> float:
    found = [{hit.id for hit in hits} for hits in index.search(queries, k)]
    assert all(len(ids) == k for ids in found)
    return float(np.mean([len(ids & set(true)) / k for ids, true in zip(found, expected, strict=True)]))
