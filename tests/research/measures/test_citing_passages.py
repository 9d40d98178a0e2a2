"""`python -m engine.research citing_passages`, on a small benchmark of our own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.encoders import registry
from engine.evaluation import load_benchmark
from engine.evaluation.systems import PRODUCT
from engine.research.measures import citing_passages
from engine.research.measures.citing_passages import WITH, WITHOUT
from engine.search.settings import SHIPPED
from tests.evaluation.small import QUERIES, split_queries, write_benchmark


def test_every_weight_is_measured_with_titles_and_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passages = [replace(query, title="A title", abstract=f"{query.abstract} [3]") for query in QUERIES]
    folder = write_benchmark(tmp_path / "data" / "small", queries=passages)
    split_queries(folder, passages)
    save = tmp_path / "report.json"
    weight = registry.ENTRIES["blend"].passage_weight
    line = ["--data", str(tmp_path / "data"), "--set", "small", "--save", str(save)]
    citing_passages.main([*line, "--weights", "0.75", str(weight)])
    report = json.loads(save.read_text())
    assert list(report["figures"]) == ["bm25", "0.75", f"{weight:g}"]
    assert report["passages"] == {
        f"{part}, {form}": count for part, count in (("valid", 3), ("all", 4)) for form in (WITH, WITHOUT)
    }
    searches = PRODUCT.measure(load_benchmark(folder, part="all"), "default").metrics["nDCG@10"]
    assert report["figures"][f"{weight:g}"][f"all, {WITH}"]["nDCG@10"] == pytest.approx(searches, abs=1e-4)
    assert report["chosen"] in ("0.75", f"{weight:g}")
    citing_passages.main([*line, "--weights", str(weight), "--times", "1", str(SHIPPED.citing_times)])
    report = json.loads(save.read_text())
    names = [f"{weight:g}, where they cite {times} times" for times in (1, SHIPPED.citing_times)]
    assert list(report["figures"]) == ["bm25", *names]
    assert report["figures"][names[1]][f"all, {WITH}"]["nDCG@10"] == pytest.approx(searches, abs=1e-4)
    assert save.with_suffix(".md").read_text() in capsys.readouterr().out


def test_the_largest_mean_over_both_forms_is_chosen() -> None:
    figures = {
        "bm25": {f"valid, {WITH}": {"nDCG@10": 0.9}, f"valid, {WITHOUT}": {"nDCG@10": 0.9}},
        "1": {f"valid, {WITH}": {"nDCG@10": 0.4}, f"valid, {WITHOUT}": {"nDCG@10": 0.2}},
        "2": {f"valid, {WITH}": {"nDCG@10": 0.35}, f"valid, {WITHOUT}": {"nDCG@10": 0.3}},
    }
    assert citing_passages.chosen(figures) == "2"
