"""What measurements have in common: who asks, and where the report goes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.research.bench import output


def parsed(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    output.add_asking(parser, "passages", queries=7, k=3)
    output.add_output(parser)
    return parser.parse_args(given)


def test_what_is_not_said_is_as_the_measurement_has_it() -> None:
    assert vars(parsed()) == {"queries": 7, "k": 3, "seed": 0, "save": None, "json": False}
    assert parsed("--queries", "2", "-k", "1", "--seed", "5").queries == 2


def test_a_report_is_printed_as_text_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output.give({"speed": 3}, "three a second", parsed("--save", str(tmp_path / "report.json")))
    assert capsys.readouterr().out == "three a second\n"
    assert json.loads((tmp_path / "report.json").read_text()) == {"speed": 3}


def test_a_report_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    output.give({"speed": 3}, "three a second", parsed("--json"))
    assert json.loads(capsys.readouterr().out) == {"speed": 3}


def test_a_place_that_cannot_be_written_is_refused_first(tmp_path: Path) -> None:
    output.check_place(parsed())
    output.check_place(parsed("--save", str(tmp_path / "report.json")))
    with pytest.raises(StorageError):
        output.check_place(parsed("--save", str(tmp_path)))
