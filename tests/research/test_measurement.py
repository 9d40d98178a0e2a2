"""What measuring commands share: who asks, tables, circumstances, and where the report goes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from engine.core import provenance
from engine.core.errors import StorageError
from engine.research import measurement


def test_a_table_has_a_line_of_heads_a_rule_and_an_empty_last_line() -> None:
    assert measurement.table(["row", "nDCG"], [["bm25", ".350"], ["lsa", ".310"]]) == [
        "| row | nDCG |",
        "|---|---|",
        "| bm25 | .350 |",
        "| lsa | .310 |",
        "",
    ]
    assert measurement.table(["row"], []) == ["| row |", "|---|", ""]


def test_the_circumstances_give_the_command_again() -> None:
    found = measurement.circumstances("kinds", ["--sets", "a b", "--data", "DIR"])
    assert found["command"] == "python -m engine.research kinds --sets 'a b' --data DIR"
    assert found["hardware"] == provenance.hardware() and found["commit"] == provenance.commit()


def test_facts_are_a_line_each() -> None:
    assert measurement.as_list({"seed": 1, "set": "npl"}) == ["* seed: 1", "* set: npl"]


def test_a_report_is_json_with_its_tables_beside_it(tmp_path: Path) -> None:
    measurement.save(tmp_path / "kinds.json", {"nDCG@10": 0.35}, "| Größe |\n")
    assert json.loads((tmp_path / "kinds.json").read_text("utf-8")) == {"nDCG@10": 0.35}
    assert (tmp_path / "kinds.md").read_text("utf-8") == "| Größe |\n"


def parsed(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    measurement.add_asking(parser, "passages", queries=7, k=3)
    measurement.add_output(parser)
    return parser.parse_args(given)


def test_what_is_not_said_is_as_the_measurement_has_it() -> None:
    assert vars(parsed()) == {"queries": 7, "k": 3, "seed": 0, "save": None, "json": False}
    assert parsed("--queries", "2", "-k", "1", "--seed", "5").queries == 2


def test_a_report_is_printed_as_text_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measurement.give({"speed": 3}, "three a second", parsed("--save", str(tmp_path / "report.json")))
    assert capsys.readouterr().out == "three a second\n"
    assert json.loads((tmp_path / "report.json").read_text()) == {"speed": 3}


def test_a_report_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    measurement.give({"speed": 3}, "three a second", parsed("--json"))
    assert json.loads(capsys.readouterr().out) == {"speed": 3}


def test_a_place_that_cannot_be_written_is_refused_first(tmp_path: Path) -> None:
    measurement.check_save(parsed())
    measurement.check_save(parsed("--save", str(tmp_path / "report.json")))
    with pytest.raises(StorageError):
        measurement.check_save(parsed("--save", str(tmp_path)))
