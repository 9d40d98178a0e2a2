"""`python -m engine.research word_forms`, on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluation import load_benchmark
from engine.evaluation.systems import PRODUCT
from engine.research.measures import word_forms
from tests.evaluation.small import split_queries, write_benchmark


def test_every_form_is_measured_on_valid_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "data" / "small")
    split_queries(folder)
    save = tmp_path / "report.json"
    line = ["--data", str(tmp_path / "data"), "--sets", "small", "--encoders", "lsa", "blend", "--save", str(save)]
    word_forms.main(line)
    report = json.loads(save.read_text())
    assert report["sets"]["small"]["queries"] == report["sets"]["small"]["by stems"] == 3
    assert set(report["figures"]) == {"keywords alone", "lsa", "blend"}
    benchmark = load_benchmark(folder, part="valid")
    for row, name, form in (
        ("bm25", "keywords alone", "as written"),
        ("bm25-stems", "keywords alone", "by stems"),
        ("keywords", "keywords alone", "as searched"),
        ("default", "blend", "as searched"),
    ):
        metrics = PRODUCT.measure(benchmark, row).metrics
        found = report["figures"][name][form]["small"]
        assert found == {metric: round(metrics[metric], 4) for metric in word_forms.METRICS}
    assert save.with_suffix(".md").read_text() in capsys.readouterr().out


def test_a_table_has_the_mean_of_its_sets() -> None:
    of_sets = {"a": {"nDCG@10": 0.2, "R@100": 0.5}, "b": {"nDCG@10": 0.4, "R@100": 0.7}}
    text = word_forms.as_markdown({"blend": {"by stems": of_sets}}, {"commit": "c"})
    assert "## default ranking with blend, nDCG@10, valid queries" in text
    assert "| by stems | 0.2000 | 0.4000 | 0.3000 |" in text and "| by stems | 0.5000 | 0.7000 | 0.6000 |" in text
