"""What is measured of pages, notes and screening."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.bench.command import main
from engine.research.bench.paging import measure_paging


def test_every_step_is_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "paging.json"
    main(["documents", "--documents", "200", "--repeats", "2", "--save", str(saved)])
    shown = capsys.readouterr().out
    report = json.loads(saved.read_text("utf-8"))
    assert (report["documents"], report["repeats"]) == (200, 2)
    for name, times in report["milliseconds"].items():
        assert name in shown and 0 <= times["p50"] <= times["p95"] <= times["max"]
    said = ("last page by year", "count, a word", "next undecided, the undecided", "one note kept")
    said += ("facets, just opened, patents", "facets, a title's word", "words within, each time all but another")
    assert set(said) < set(report["milliseconds"])


def test_too_few_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected at least 100 documents and 1 repeat, got 99 and 0"):
        measure_paging(99, repeats=0, seed=0)
