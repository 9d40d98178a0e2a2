"""The terminal's bar, and where stderr is no terminal one line a stage, at its end."""

from __future__ import annotations

import sys

import pytest

from engine.cli.terminal import bar
from engine.progress import Progress


def test_a_stage_is_told_once_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    report = bar()
    for done in (1, 2, 3, 3):
        report(Progress("Encoding", done, 3, 1.0))
    report(Progress("Counting", 5, None, 1.0))
    assert capsys.readouterr().err.splitlines() == ["Encoding: 3 in 1.0 s"]


def test_a_terminal_gets_the_bar_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    report = bar()
    for done in (1, 3, 3):
        report(Progress("Encoding", done, 3, 1.0))
    shown = capsys.readouterr().err
    assert "3/3" in shown and "3 in 1.0 s" not in shown
