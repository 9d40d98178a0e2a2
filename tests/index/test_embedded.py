"""The embedded index keeps the promises of every index."""

from __future__ import annotations

from tests.contracts.index import IndexContract


class TestContract(IndexContract):
    kind = "embedded"
