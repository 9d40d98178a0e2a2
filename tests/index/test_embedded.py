"""The embedded index keeps the promises of every index, whatever the precision of its rows."""

from __future__ import annotations

from tests.contracts.index import IndexContract


class TestContract(IndexContract):
    kind = "embedded"


class TestHalfPrecision(IndexContract):
    kind = "embedded"
    precision = "float16"
    tolerance = 2**-11


class TestBytes(IndexContract):
    kind = "embedded"
    precision = "int8"
    tolerance = 0.5001 / 127
