"""Small products on one thread, and all threads again afterwards."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from threadpoolctl import threadpool_info

from engine.core import threads
from engine.core.threads import OneBlasThread
from engine.vectors import exact, open_index


def blas_threads() -> list[int]:
    """The threads of numpy's own products; other packages bring libraries of their own, some of them later."""
    own = Path(np.__file__).parent.name
    libraries = [
        one for one in threadpool_info() if one["user_api"] == "blas" and own in Path(one["filepath"]).parent.name
    ]
    return [int(one["num_threads"]) for one in libraries]


def test_the_last_one_out_puts_back_what_was_before() -> None:
    before, limit = blas_threads(), OneBlasThread()
    assert before
    with limit:
        with limit:
            assert blas_threads() == [1] * len(before)
        assert blas_threads() == [1] * len(before)
    assert blas_threads() == before
    with pytest.raises(ZeroDivisionError), limit:
        raise ZeroDivisionError
    assert blas_threads() == before


def test_one_query_takes_one_thread_and_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).normal(size=(3_000, 40)).astype(np.float32)
    index = open_index(tmp_path / "index", fingerprint="f", dim=40, kind="embedded", precision="int8")
    index.add([f"d{n}" for n in range(len(rows))], rows)
    limit = OneBlasThread()
    monkeypatch.setattr(exact, "ONE_BLAS_THREAD", limit)
    seen: list[int] = []
    products = exact.PackedRows.products
    monkeypatch.setattr(
        exact.PackedRows, "products", lambda held, queries: seen.append(limit._inside) or products(held, queries)
    )
    alone = [index.search(rows[n : n + 1], 5)[0] for n in range(3)]
    together = index.search(rows[:3], 5)
    assert seen == [1, 1, 1, 0]
    assert [[hit.id for hit in one] for one in alone] == [[hit.id for hit in one] for one in together]


def test_torch_takes_one_thread_for_the_while_only() -> None:
    with threads.one_torch_thread():
        pass  # another test's thread may have had one when this one began: from here on it has the usual number
    before = torch.get_num_threads()
    assert before == threads._usual_torch_threads()
    with threads.one_torch_thread():
        assert torch.get_num_threads() == 1
    with threads.one_torch_thread(when=False):
        assert torch.get_num_threads() == before
    with pytest.raises(ZeroDivisionError), threads.one_torch_thread():
        raise ZeroDivisionError
    assert torch.get_num_threads() == before


def test_torch_is_not_loaded_to_be_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch")
    with threads.one_torch_thread():
        assert "torch" not in sys.modules
