"""The campaign measures what it should, and says what is over the mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile import campaign
from tests.hostile.campaign import Outcome, is_over, table, tried
from tests.hostile.inputs import Input


def test_what_is_read_and_what_is_refused(tmp_path: Path) -> None:
    read = tried(Input("text", "a.txt", b"A Kite\n\nAbstract\n\nKites fly.\n"), tmp_path)
    refused = tried(Input("text", "b.txt", b""), tmp_path)
    assert (read.result, refused.result) == ("read", "refused") and "found nothing in it" in refused.said
    assert 10e6 < read.peak_bytes < 500e6 and 0 < read.seconds < 15
    assert not list(tmp_path.iterdir())


def test_what_is_over_the_mark_is_kept_and_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "MOST_BYTES", 1_000_000)
    outcome = tried(Input("text", "a.txt", b"A Kite\n\nKites fly.\n"), tmp_path)
    assert outcome.result == "too much memory" and is_over(outcome)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    told = table([outcome, Outcome("pdf", "b.pdf", "read", 1.0, 100_000_000)])
    assert "over the mark: a.txt: too much memory" in told
    assert told.splitlines()[3].split() == ["all", "1", "0", "1", f"{max(1.0, outcome.seconds):.1f}", "100"]


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("raise ValueError('x')", "a traceback"),
        ("raise SystemExit(3)", "ended with 3"),
        ("while True: pass", "too slow"),
    ],
)
def test_what_breaks_off(code: str, result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine" / "cli").mkdir(parents=True)
    (tmp_path / "engine" / "__init__.py").touch()
    (tmp_path / "engine" / "cli" / "__init__.py").touch()
    (tmp_path / "engine" / "cli" / "main.py").write_text(code)
    monkeypatch.setattr(campaign, "_ROOT", tmp_path)
    monkeypatch.setattr(campaign, "MOST_SECONDS", 2.0)
    assert tried(Input("text", "a.txt", b"A"), tmp_path).result == result
