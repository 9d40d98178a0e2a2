"""A saved table of matching can be judged and repeated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.research.matching.judging import FIGURES, judge
from engine.research.matching.report import MatchReport
from engine.research.matching.rows import parse_rows
from engine.research.matching.scoring import score
from tests.research.matching.small_pairs import lines, pair_set


@pytest.fixture
def report(tmp_path: Path) -> MatchReport:
    pairs = pair_set(tmp_path / "small", [*lines(), "steam0\tlost\t1\ttest"])
    judged = [judge(one, pairs) for one in score(parse_rows("tfidf,bm25,mix(tfidf,bm25)"), pairs)]
    return MatchReport(pairs, judged, command="python -m engine.research match")


def test_the_figures_are_of_test_with_the_threshold_of_valid(report: MatchReport) -> None:
    value = report.figures()
    assert value["pairs"] == "small"
    assert list(value["encoders"]) == ["tfidf", "bm25", "mix(tfidf,bm25)"]
    assert all(list(row) == [*FIGURES, "threshold"] for row in value["encoders"].values())
    assert value["counts"]["test"] == {"related": 8, "unrelated": 8, "left_out": 1}


def test_the_json_keeps_figures_and_circumstances(report: MatchReport, tmp_path: Path) -> None:
    report.save(tmp_path / "saved" / "small.json")
    value = json.loads((tmp_path / "saved" / "small.json").read_text())
    assert {"command", "sha256", "commit", "hardware", "seed", "threshold", "documents", "corpus"} <= value.keys()
    assert set(value["sha256"]) == {"pairs.tsv", "corpus.parquet"}
    row = value["encoders"]["bm25"]
    assert {"valid", "fingerprint", "seconds", "mcnemar"} <= row.keys()
    assert row["mcnemar"]["against"] == "tfidf"
    assert "mcnemar" not in value["encoders"]["tfidf"]
    assert set(value["encoders"]["mix(tfidf,bm25)"]["weights"]) == {"tfidf", "bm25"}


def test_the_table_has_a_row_a_system_and_says_what_is_left_out(report: MatchReport, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json")
    table = (tmp_path / "small.md").read_text().splitlines()
    rows = [line for line in table if line.startswith(("| |", "| tfidf", "| bm25", "| mix"))]
    assert len(rows) == 4
    assert len({row.count("|") for row in rows}) == 1
    assert any(line.startswith("* command: python -m engine.research match") for line in table)
    assert "* left out: 1 pairs (test 1) for want of 1 documents: lost" in table
    assert any(line.startswith("* mix(tfidf,bm25): weights tfidf ") for line in table)
