"""The default against its peers on a small benchmark: every pair, corrected, with a verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import default_ranking
from engine.evaluation.contrast import contrast
from tests.evaluation.small import write_benchmark


def test_each_row_of_ours_is_held_against_each_peer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_benchmark(tmp_path / "small")
    saved = tmp_path / "report.json"
    words = ["--data", str(tmp_path), "--sets", "small", "--encoder", "lsa", "--peers", "bm25", "tfidf"]
    default_ranking.main([*words, "--hide-itself", "--save", str(saved)])
    report = json.loads(saved.read_text())
    found = [(one["ours"], one["metric"], one["theirs"]) for one in report["contrasts"]]
    assert found == [
        (row, metric, peer)
        for row in ("default", "lsa")
        for metric in ("nDCG@10", "R@100")
        for peer in ("bm25", "tfidf")
    ]
    assert {one["queries"] for one in report["contrasts"]} == {4}
    assert report["command"].endswith("--peers bm25 tfidf --hide-itself")
    assert set(report["sets"]["small"]["fingerprints"]) == {"default", "lsa", "bm25", "tfidf"}
    table = saved.with_suffix(".md").read_text()
    assert "## default, nDCG@10" in table and "| small | 4 | bm25 |" in table
    assert table in capsys.readouterr().out


def test_verdicts_follow_the_corrected_p() -> None:
    queries = [f"q{number}" for number in range(30)]
    low, high = dict.fromkeys(queries, 0.1), dict.fromkeys(queries, 0.4)
    one = contrast(high, low, names=("default", "bm25"), metric="nDCG@10")
    other = contrast(low, high, names=("default", "minilm"), metric="nDCG@10")
    same = contrast(low, low, names=("default", "twin"), metric="nDCG@10")
    assert [row["verdict"] for row in default_ranking.corrected({"ours": [one, other, same]})] == [
        "better",
        "worse",
        "the same",
    ]
