"""What a figure keeps with it."""

from __future__ import annotations

import re
import subprocess

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
