"""`python -m engine.research blind_feedback`, on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluation import load_benchmark
from engine.evaluation.systems import PRODUCT
from engine.research.measures import blind_feedback
from engine.search.settings import Blind
from tests.evaluation.small import split_queries, write_benchmark


def test_every_value_is_measured_on_valid_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "data" / "small")
    split_queries(folder)
    save = tmp_path / "report.json"
    line = ["--data", str(tmp_path / "data"), "--sets", "small", "--encoders", "lsa", "blend", "--save", str(save)]
    blind_feedback.main([*line, "--documents", "1", "3", "--betas", "0.5", "1"])
    report = json.loads(save.read_text())
    assert report["sets"]["small"]["queries"] == 3
    assert set(report["figures"]) == set(report["sets"]["small"]["fingerprints"]) == {"lsa", "blend"}
    tried = [(one["documents"], one["beta"]) for one in report["figures"]["blend"]]
    assert tried == [(3, 0.0), (1, 0.5), (1, 1.0), (3, 0.5), (3, 1.0)]
    searches = PRODUCT.measure(load_benchmark(folder, part="valid"), "default").metrics["nDCG@10"]
    as_searched = next(
        one for one in report["figures"]["blend"] if one["documents"] == 3 and one["beta"] == Blind().beta
    )
    assert as_searched["sets"]["small"] == pytest.approx(searches)
    assert save.with_suffix(".md").read_text() in capsys.readouterr().out


def test_the_largest_mean_is_chosen_and_of_equal_ones_the_first() -> None:
    none, some, more = Blind(beta=0), Blind(3, 0.5), Blind(5, 0.5)
    assert (
        blind_feedback.chosen({none: {"a": 0.4, "b": 0.2}, some: {"a": 0.1, "b": 0.6}, more: {"a": 0.35, "b": 0.35}})
        == some
    )
    text = blind_feedback.as_markdown({"lsa": {none: {"a": 0.4}, some: {"a": 0.5}}}, "nDCG@10", {"commit": "c"})
    assert "| none | 0.4000 | 0.4000 |" in text
    assert "| 3 documents, beta 0.5 | 0.5000 | **0.5000** |" in text
