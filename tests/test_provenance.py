"""What a figure keeps with it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from engine import provenance


def test_the_commit_is_a_hash_or_nothing() -> None:
    assert re.fullmatch(r"([0-9a-f]{40}\+?)?", provenance.commit())


def test_outside_a_checkout_there_is_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", fails)
    assert provenance.commit() == ""


def test_the_machine_is_told_in_words() -> None:
    assert re.search(r", \d+ cores, \d+ GiB", provenance.hardware())


def test_the_peak_of_memory_grows_with_what_is_held_and_is_unknown_where_the_system_keeps_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = provenance.peak_memory_bytes()
    held = b"x" * (before + (64 << 20))
    assert provenance.peak_memory_bytes() - before > 32 << 20
    del held
    monkeypatch.setitem(sys.modules, "resource", None)
    assert provenance.peak_memory_bytes() is None
