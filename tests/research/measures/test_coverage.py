"""Planted paragraphs, covered by papers of our own: what is planted, and how finding it is counted."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from engine.compare.coverage import COVERED
from engine.compare.covering import WEIGHTS
from engine.evaluation import kept_rows
from engine.library import Library
from engine.research.measures import coverage
from engine.research.nearness.revisions import dropped
from engine.workspace import Workspace
from tests.compare.shelves import PAPERS, Reader, matcher, said
from tests.evaluation.small import write_table


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A library of papers, and the same papers as both sets; synonyms leave out words."""
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", PAPERS)
    for name in coverage.SETS:
        (tmp_path / name).mkdir()
        write_table(tmp_path / name / "corpus.parquet", PAPERS)
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher())
    monkeypatch.setattr(kept_rows, "_encoder", Reader)
    monkeypatch.setattr(coverage, "Synonyms", lambda _: None)
    monkeypatch.setattr(coverage, "changed", lambda text, draw, _: dropped(text, draw))
    words = ["--library", str(tmp_path / "library"), "--data", str(tmp_path), "--wordnet", "none"]
    return [*words, "--save", str(tmp_path / "report.json")]


def test_planted_paragraphs_are_found_and_the_report_is_saved(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    coverage.main([*line, "--count", "2", "--fit"])
    report = json.loads((tmp_path / "report.json").read_text())
    found = report["test"]["all"]
    assert found["as written"] == 1 and found["a third of the words dropped"] == 1
    assert set(report["test"]) == {"the library", "acl-long", "pmc-long", "all"}
    assert list(report["valid"]) == [f"{one:g}" for one in coverage.THRESHOLDS]
    told = capsys.readouterr().out
    assert "weights: [" in told and "| all | 100.0% | 100.0% |" in told
    assert "DIR" in report["command"] and str(tmp_path) not in report["command"]


def test_the_parts_share_no_document_and_both_are_used() -> None:
    parts = {one.id: coverage.part_of(one.id) for one in PAPERS}
    assert set(parts.values()) == {"valid", "test"}


def test_a_paragraph_is_sentences_in_a_row_of_at_least_eighty_words() -> None:
    found = coverage.paragraph(PAPERS[0], random.Random(1))
    assert any(found in part.text for part in PAPERS[0].parts)
    assert 80 <= len(found.split()) <= 92 and found.endswith(".")
    assert coverage.paragraph(PAPERS[0].__class__("short", abstract=said("kite", 1, 2)), random.Random(1)) == ""


def observed(column: int, contrast: float) -> coverage.Observed:
    """One document with a paragraph of each kind, whose match by column 0 stands out so far; others do not."""
    told = np.array([[1.0, 0.7, contrast, 0.9], [1.0, 0.4, 0.0, 0.1]])
    cold = np.array([[1.0, 0.4, 0.0, 0.1], [1.0, 0.4, 0.0, 0.1]])
    kinds = ("as written", "a third of the words dropped", "words changed for synonyms")
    planted = {kind: (told, column) for kind in kinds} | {coverage.UNRELATED: (cold, -1)}
    return coverage.Observed("the library", planted, np.array([cold, cold]))


def test_a_paragraph_counts_only_where_its_own_documents_cell_is_covered() -> None:
    right, wrong, gone = (coverage.shares([observed(column, 6.0)], COVERED) for column in (0, 1, -1))
    assert right["as written"] == 1 and wrong["as written"] == gone["as written"] == 0
    assert right[coverage.UNRELATED] == right[coverage.OWN] == 0


def test_fitted_weights_tell_what_stands_out() -> None:
    weights = np.array(coverage.fitted([observed(0, 4.0 + n) for n in range(6)]))
    assert len(weights) == len(WEIGHTS)
    assert np.array([1.0, 0.7, 5.0, 0.9]) @ weights > 0 > np.array([1.0, 0.4, 0.0, 0.1]) @ weights
