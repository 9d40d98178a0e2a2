"""`python -m engine.research fusion`, on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Hit
from engine.evaluation import PRODUCT
from engine.evaluation.systems import BM25
from engine.research.measures import fusion
from tests.contracts.encoder import corpus
from tests.evaluation.small import split_queries, write_benchmark


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    folder = write_benchmark(tmp_path / "data" / "small")
    split_queries(folder)
    return ["--data", str(tmp_path / "data"), "--sets", "small", "--save", str(tmp_path / "report.json")]


def test_each_encoder_is_measured_with_each_weight_on_valid_queries(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    fusion.main([*line, "--encoders", "tfidf", "lsa", "--weights", "1", "6", "1000"])
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["sets"]["small"]["queries"] == 3
    assert set(report["mean"]) == set(report["best"]) == set(report["fingerprints"]) == {"tfidf", "lsa"}
    for encoder, means in report["mean"].items():
        assert list(means) == ["encoder alone", "keywords alone", "1", "6", "1000"]
        assert means == pytest.approx(report["figures"][encoder]["small"], abs=1e-4)
        assert means["1000"] == pytest.approx(means["keywords alone"], abs=0.02)
        assert str(report["best"][encoder]) in ("1.0", "6.0", "1000.0")
    assert {"commit", "hardware", "keywords", "part", "metric"} <= report.keys()
    assert "tfidf: mean nDCG@10, keywords at encoder alone: " in capsys.readouterr().out


def test_a_figure_is_that_of_the_fused_ranking(line: list[str], tmp_path: Path) -> None:
    from engine.evaluation import load_benchmark

    benchmark = load_benchmark(tmp_path / "data" / "small", part="valid")
    prepared = PRODUCT.prepare("word2vec-sif", benchmark.corpus)
    found = fusion.curve(benchmark, prepared, PRODUCT.prepare(BM25, benchmark.corpus), [6.0], "nDCG@10")
    assert found["6"] == pytest.approx(PRODUCT.measure(benchmark, "default").metrics["nDCG@10"])


def test_systems_are_asked_once_for_all_weights() -> None:
    class Counted:
        asked = 0

        def rank(self, queries: list[Document], k: int) -> list[list[Hit]]:
            self.asked += 1
            first, second = ("a", "b") if isinstance(self, Other) else ("b", "a")
            return [[Hit(first, 1.0), Hit(second, 0.5)] for _ in queries]

    class Other(Counted): ...

    one, other = Counted(), Other()
    both = fusion.Fusion(one, other)
    for both.weight, first in ((0.1, "b"), (10.0, "a")):
        assert both.rank(corpus()[:2], 5)[0][0].id == first
    assert (one.asked, other.asked) == (1, 1)


def test_of_equal_weights_the_smallest_is_best() -> None:
    assert fusion.best_weight({"encoder alone": 9.0, "1": 0.3, "6": 0.4, "8": 0.4, "12": 0.2}) == 6


@pytest.mark.parametrize("weight", ["0", "-1", "inf"])
def test_a_weight_that_is_none_is_refused(line: list[str], weight: str) -> None:
    with pytest.raises(EvaluationError, match=f"Expected a weight above 0, got {weight}"):
        fusion.main([*line, "--encoders", "tfidf", f"--weights={weight}"])
