"""What a figure keeps with it."""

from __future__ import annotations

import re
import subprocess
import sys

import psutil
import pytest
import torch

from engine.core import provenance


def test_the_commit_is_a_hash_or_nothing() -> None:
    assert re.fullmatch(r"([0-9a-f]{40}\+?)?", provenance.commit())


@pytest.fixture(autouse=True)
def unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No commit is named from outside."""
    monkeypatch.delenv(provenance.COMMIT_VARIABLE, raising=False)


def test_a_copy_without_its_history_is_told_its_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(provenance.COMMIT_VARIABLE, "0123abc")
    assert provenance.commit() == "0123abc"


def test_outside_a_checkout_there_is_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", fails)
    assert provenance.commit() == ""


def test_the_machine_is_told_in_words() -> None:
    assert re.search(r", \d+ cores, \d+ GiB", provenance.hardware())


def test_a_gpu_is_named_where_torch_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda number: f"Board {number}")
    assert provenance.hardware().endswith(" GiB memory, Board 0")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert provenance.hardware().endswith(" GiB memory")


def test_torch_is_not_read_for_the_name_of_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)  # an import of it fails
    assert provenance.hardware().endswith(" GiB memory")


def test_the_peak_of_memory_is_in_bytes_and_no_less_than_is_held_now() -> None:
    now = psutil.Process().memory_info().rss
    assert now * 0.9 < provenance.peak_memory_bytes() < now * 1_000


def test_the_peak_of_memory_is_unknown_where_the_system_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert provenance.peak_memory_bytes() is None
