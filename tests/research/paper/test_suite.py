"""`python -m engine.research tables` on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.__main__ import main
from engine.research.paper import suite
from engine.research.paper.work import Work


def test_what_cannot_be_had_is_said(cdssm_line: list[str], tmp_path: Path) -> None:
    main([*cdssm_line, "--tables", "cdssm-6"])
    (panel,) = json.loads((tmp_path / "report.json").read_text())["tables"]["cdssm-6"]["panels"]
    assert [one["name"] for one in panel["lines"]] == ["lda", "cdssm-words", "tfidf"]
    assert [one["name"] for one in panel["skipped"]] == ["cdssm-two-towers", "cdssm-trigrams"]
    assert "arxiv-abstracts" in panel["skipped"][0]["why"]


def test_a_set_that_is_not_there_is_skipped(cdssm_line: list[str], tmp_path: Path) -> None:
    main([*cdssm_line, "--tables", "cdssm-2,cdssm-6", "--set", 'cdssm.sets=["nowhere"]'])
    tables = json.loads((tmp_path / "report.json").read_text())["tables"]
    for table in tables.values():
        (panel,) = table["panels"]
        assert panel["lines"] == [] and "missing" in panel["skipped"][0]["why"]
    assert "left out" in (tmp_path / "report.md").read_text()


def test_tables_are_picked_by_name_and_by_paper() -> None:
    assert suite.tables_of("cdssm-6, cdssm-2") == ["cdssm-2", "cdssm-6"]
    assert suite.tables_of("cdssm") == [f"cdssm-{number}" for number in (1, 2, 3, 4, 5, 6)]
    assert suite.tables_of("all") == list(suite.TABLES)
    with pytest.raises(EvaluationError, match=r"Expected tables among .*; got table-9\. Separate"):
        suite.tables_of("cdssm-2,table-9")
    with pytest.raises(EvaluationError, match="got none"):
        suite.tables_of(" ")


def test_every_table_says_what_it_lacks_where_no_data_are(tmp_path: Path) -> None:
    made = suite.run(suite.tables_of("all"), Work(tmp_path / "nowhere", tmp_path / "cache"))
    assert [table.name for table in made] == list(suite.TABLES)
    assert all(panel.skipped and not panel.lines for table in made for panel in table.panels)
