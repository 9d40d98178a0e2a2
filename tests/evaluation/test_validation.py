"""Scores on valid queries: the same as a whole evaluation gives, block by block."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders import registry
from engine.evaluation import validation
from engine.evaluation.benchmarks import load_benchmark
from engine.evaluation.measure import measure_systems
from engine.evaluation.validation import Validation
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark


def test_an_encoder_scores_what_the_evaluation_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("q-steam\tvalid\nq-graph\tvalid\n")
    monkeypatch.setattr(validation, "_DOCUMENTS_AT_ONCE", 7)
    scores = Validation.load(["small"], tmp_path, metric="nDCG@10")(registry.fit("lsa", corpus()))
    whole = measure_systems(load_benchmark(folder, part="valid"), "lsa")
    assert scores == {"small": pytest.approx(whole.metrics["nDCG@10"], abs=1e-6)}


def test_what_cannot_be_scored_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected a metric among P@20, .*, got 'P@3'"):
        Validation.load([], tmp_path, metric="P@3")
    with pytest.raises(EvaluationError, match=r"missing: corpus\.parquet"):
        Validation.load(["none"], tmp_path, metric="P@20")
