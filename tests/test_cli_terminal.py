"""The terminal's bar where stderr is no terminal: one line a stage, at its end."""

from __future__ import annotations

import pytest

from engine.cli.terminal import bar
from engine.progress import Progress


def test_a_stage_is_told_once_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    report = bar()
    for done in (1, 2, 3, 3):
        report(Progress("Encoding", done, 3, 1.0))
    report(Progress("Counting", 5, None, 1.0))
    assert capsys.readouterr().err.splitlines() == ["Encoding: 3 in 1.0 s"]
