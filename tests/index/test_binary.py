"""The binary index keeps the promises of every index, with and without codes."""

from __future__ import annotations

from pathlib import Path

from engine.index.base import VectorIndex
from engine.index.binary import BinaryIndex
from engine.index.binary_codes import CodeSettings
from engine.index.binary_view import BinarySettings
from tests.contracts.index import DIM, IndexContract


class TestFewRows(IndexContract):
    kind = "binary"


class TestBytes(IndexContract):
    kind = "binary"
    precision = "int8"
    tolerance = 0.5001 / 127


EAGER = BinarySettings(candidates=2_000, rerank=150, fewest=3, codes=CodeSettings(code_bits=64, tables=3))
"""Codes from three rows on; of 200 rows of noise, whose neighbours share little, all are looked up, 150 compared."""


class TestCoded(IndexContract):
    kind = "binary"
    precision = "int8"
    tolerance = 0.5001 / 127

    def opened(self, folder: Path, **changed: object) -> VectorIndex:
        given = {"fingerprint": "f" * 16, "dim": DIM, "precision": self.precision, "settings": EAGER, **changed}
        return BinaryIndex(folder / "index", **given)  # type: ignore[arg-type]
