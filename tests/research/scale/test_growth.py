"""How figures grow with a library: exponents, the table, the plots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import EvaluationError
from engine.research.scale.command import main
from engine.research.scale.growth import exponent, growths, reckoned


def report(documents: int) -> dict[str, Any]:
    times = {"p50": documents**0.5, "p95": documents**1.5, "max": 1e9}
    stages = {"build": {"import s": documents / 2, "load": 1}, "pages": {"count ms": times, f"only {documents} s": 1}}
    facts = {"commit": "a", "hardware": "two cores", "threads": 2, "passages": 0}
    return {**facts, "documents": documents, "stages": stages}


def test_the_exponent_is_the_slope_over_logarithms() -> None:
    assert exponent([10, 100, 1000], [3, 30, 300]) == 1
    assert exponent([10, 100], [5, 5]) == 0
    assert exponent([10, 100], [0, 5]) is None


def test_what_is_reckoned_lies_on_the_line_through_the_two_largest() -> None:
    assert reckoned([1, 10, 20], [0, 5, 6], 100) == pytest.approx(14)


def test_what_every_report_has_grows() -> None:
    grown = growths([report(10), report(1000)])
    assert {one.said: one.exponent for one in grown} == {"import s": 1, "count ms, p50": 0.5, "count ms, p95": 1.5}
    assert [one.unit for one in grown] == ["s", "ms", "ms"]


def test_one_size_says_nothing_of_growth() -> None:
    with pytest.raises(EvaluationError, match=r"^Expected reports of at least 2 sizes, got \[10, 10\]\. Measure"):
        growths([report(10), report(10)])


def test_the_command_draws_and_saves_the_same_each_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for documents in (1000, 10):
        (tmp_path / f"{documents}.json").write_text(json.dumps(report(documents)))
    given = ["growth", str(tmp_path / "1000.json"), str(tmp_path / "10.json"), "--to", "1990", "--save"]
    for save in ("one", "two"):
        main([*given, str(tmp_path / f"{save}.json")])
    saved = json.loads((tmp_path / "one.json").read_text())
    assert saved["documents"] == [10, 1000] and saved["commit"] == "a"
    assert saved["growth"]["build"]["import s"]["value"] == {"10": 5, "1,000": 500, "1,990": 995, "exponent": 1}
    assert saved["growth"]["pages"]["count ms"]["p95"]["exponent"] == 1.5
    assert "| import s | 5 | 500 | 995 | 1.00 |" in capsys.readouterr().out
    pictures = [(tmp_path / f"{save}-pages.svg").read_bytes() for save in ("one", "two")]
    assert pictures[0] == pictures[1] and b"count ms" in pictures[0]
