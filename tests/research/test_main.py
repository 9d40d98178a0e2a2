"""The commands of `python -m engine.research`: their list, their errors in one line, and what measuring ones share."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path

import pytest

from engine.core import provenance
from engine.core.errors import StorageError
from engine.research import __main__ as research
from engine.research import measurement


def test_the_commands_are_listed_with_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert research.main([]) == 0
    listed = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines()[2:])
    assert {"bench", "evaluate", "match", "quick", "salience", "tables", "train", "fusion", "run_files"} <= set(listed)
    assert set(listed) == set(research.commands())
    assert listed["tables"] == "The papers' tables on rebuilt data"


@pytest.mark.parametrize("name", research.commands())
def test_every_command_shows_how_it_is_used(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"engine.research.{research.commands()[name]}")
    with pytest.raises(SystemExit) as exit_:
        module.main(["--help"])
    assert exit_.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: python -m engine.research {name} ")


def test_a_users_error_is_one_line_and_exit_code_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert research.main(["bake"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert captured.err.startswith("python -m engine.research: Expected a command among bench, blend_weights, ")
    assert captured.err.endswith("got 'bake'.\n")
    with pytest.raises(SystemExit) as exit_:
        research.main(["tables"])
    assert exit_.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


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
