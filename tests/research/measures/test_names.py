"""`python -m engine.research names`: every name resolves, and every published method has an entry."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.measures import names
from engine.research.paper.named_systems import RUNS, STATES, SYSTEMS, Here
from engine.research.paper.published import cdssm, colde, ctpe, keyvec
from engine.research.paper.ways import as_row

REPORTS = Path(names.__file__).resolve().parents[1] / "reports"


def test_every_name_resolves_and_every_state_is_one_of_four() -> None:
    names.check(SYSTEMS)
    assert {system.here.state for system in SYSTEMS} == set(STATES)


def test_every_method_of_the_published_tables_has_an_entry() -> None:
    listed = {(system.paper, system.name) for system in SYSTEMS}
    for table in (ctpe.TABLES_2_AND_3, ctpe.TABLE_4, ctpe.METHODS, ctpe.TABLE_5, ctpe.TABLE_6):
        assert {("CTPE", name) for name in table} <= listed
    assert {("CoLDE", name) for name in colde.TABLE_2} <= listed
    assert {("KeyVec", name) for name in keyvec.ROWS.values()} <= listed
    assert {("C-DSSM", named.partition(": ")[2]) for named in cdssm.ROWS.values()} <= listed
    assert names.unlisted(SYSTEMS) == []


def test_a_name_that_leads_nowhere_is_an_error() -> None:
    wrong = replace(SYSTEMS[0], here=Here(RUNS, (as_row("randoms"),)))
    with pytest.raises(EvaluationError, match=r"doc2vec\(ran\): Expected a row of evaluate, got 'randoms'"):
        names.check([wrong, *SYSTEMS[1:]])


def test_a_method_without_an_entry_is_an_error() -> None:
    without = [system for system in SYSTEMS if system.name != "HAN"]
    with pytest.raises(EvaluationError, match="Expected an entry for every method of the published tables; CoLDE: HAN"):
        names.check(without)


def test_two_entries_of_one_name_are_an_error() -> None:
    with pytest.raises(
        EvaluationError, match="Expected one entry a system and place, got several of CTPE, tables 2 an"
    ):
        names.check([*SYSTEMS, SYSTEMS[0]])


def test_the_table_is_printed_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "names.json"
    names.main(["--save", str(file)])
    report = json.loads(file.read_text("utf-8"))
    assert report["command"] == "python -m engine.research names --save names.json"
    assert sum(report["counts"].values()) == len(report["systems"]) == len(SYSTEMS)
    lda = next(system for system in report["systems"] if system["name"] == "LDA")
    assert lda["run_by"] == [
        {"command": "evaluate --encoders lda-ctpe"},
        {"command": "tables --tables ctpe-2", "row": "lda-ctpe"},
    ]
    text = file.with_suffix(".md").read_text("utf-8")
    assert text == capsys.readouterr().out.removesuffix("\n")
    rows = [line for line in text.splitlines() if line.startswith("| C")]
    assert "| CTPE | tables 2 and 3 | TF-IDF | `evaluate --encoders tfidf`; `tables --tables ctpe-2` row tfidf " in text
    assert all(line.count(" | ") == 4 for line in rows)
    with pytest.raises(EvaluationError, match=r"Expected a name for the JSON, got names\.md"):
        names.main(["--save", str(file.with_suffix(".md"))])


def test_the_saved_report_is_what_the_command_says() -> None:
    report = json.loads((REPORTS / "names.json").read_text("utf-8"))
    said = "Run: python -m engine.research names --save engine/research/reports/names.json"
    assert report["systems"] == [names.as_json(system) for system in SYSTEMS], said
