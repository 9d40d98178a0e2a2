"""How a benchmark's report is written."""

from __future__ import annotations

import json
from pathlib import Path

from engine.core import provenance
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
