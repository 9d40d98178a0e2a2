"""How what a version changes is measured: what is made is known, and what is said is counted against it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from engine.compare.differences import Thresholds
from engine.research.measures import differences
from engine.research.measures.differences import COVERED, UNCOVERED, as_markdown, rates
from tests.evaluation.small import write_table
from tests.research.nearness.test_revisions import long_document


def test_rates_count_words_said_and_words_true() -> None:
    counts = Counter({("new", "new"): 6, ("", "new"): 2, ("new", ""): 4, ("", ""): 100})
    assert rates(counts, "new") == {"precision": 0.75, "recall": 0.6, "f1": pytest.approx(2 * 6 / 18)}
    assert rates(Counter(), "new") == {"precision": 0, "recall": 0, "f1": 0}


def test_the_command_saves_precision_and_recall_of_every_kind(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    corpus = [long_document(f"d{number}", number) for number in range(4)]
    write_table(folder / "corpus.parquet", corpus)
    pairs = [("d0", "d1", 0, "test"), ("d2", "d3", 1, "test"), ("d1", "d0", 0, "valid"), ("d3", "d2", 0, "train")]
    lines = ["id-a\tid-b\tlabel\tsplit", *("\t".join(map(str, pair)) for pair in pairs)]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    save = tmp_path / "report.json"
    differences.main(["--data", str(tmp_path), "--sets", "small", "--count", "2", "--save", str(save)])
    report = json.loads(save.read_text("utf-8"))
    kinds = report["figures"]["small"]["kinds"]
    assert list(kinds) == ["new", "rewritten", "moved", "dropped"]
    assert all(0 < kinds[kind]["precision"] <= 1 and 0 < kinds[kind]["recall"] <= 1 for kind in kinds)
    assert kinds["moved"]["f1"] > 0.9 and kinds["new"]["f1"] > 0.8
    assert report["thresholds"] == {**asdict(Thresholds()), "versions": 0.5}
    assert report["commit"] and report["hardware"] and "--count 2" in report["command"]
    assert "| small | moved |" in save.with_suffix(".md").read_text("utf-8")


def test_the_table_names_where_sentences_are_covered() -> None:
    rate = {"precision": 1.0, "recall": 0.5, "f1": 0.667}
    figures = {
        "documents": 2,
        "kinds": {"new": rate},
        "between versions": {UNCOVERED: rate},
        "in unrelated documents": {COVERED: rate},
        "least same words of versions": 0.8,
        "most same words of unrelated documents": 0.1,
    }
    told = "\n".join(as_markdown({"acl": figures}))
    assert "| acl | between versions | not covered | 1.000 | 0.500 | 0.667 |" in told
