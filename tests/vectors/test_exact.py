"""The exact index keeps the promises of every index, whatever the precision of its rows."""

from __future__ import annotations

from tests.contracts.index import IndexContract


class TestContract(IndexContract):
    kind = "exact"


class TestHalfPrecision(IndexContract):
    kind = "exact"
    precision = "float16"
    tolerance = 2**-11


class TestBytes(IndexContract):
    kind = "exact"
    precision = "int8"
    tolerance = 0.5001 / 127
