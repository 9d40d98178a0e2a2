"""The sparse index keeps the promises of every index, over CSR rows."""

from __future__ import annotations

from tests.contracts.index import IndexContract


class TestContract(IndexContract):
    kind = "sparse"
    sparse = True
