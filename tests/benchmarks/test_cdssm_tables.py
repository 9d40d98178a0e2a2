"""`python -m benchmarks.cdssm_tables`, on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import cdssm_tables
from engine.encoders.tfidf import TfidfEncoder
from engine.errors import EvaluationError
from engine.evaluation.metrics import CDSSM
from engine.evaluation.metrics.f1 import harmonic_mean
from engine.evaluation.paper.published import cdssm as published
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark


def test_every_row_has_the_papers_columns_and_its_figures_beside(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    write_benchmark(tmp_path / "data" / "small")
    TfidfEncoder.fit(corpus()).save(tmp_path / "saved")
    line = ["--data", str(tmp_path / "data"), "--benchmarks", "small", "--save", str(tmp_path / "report.json")]
    cdssm_tables.main(
        [*line, "--encoders", f"lsa,lda,cdssm-words={tmp_path / 'saved'}", "--cache", str(tmp_path / "kept")]
    )
    report = json.loads((tmp_path / "report.json").read_text())
    small = report["benchmarks"]["small"]
    assert list(small["encoders"]) == ["lsa", "lda", "cdssm-words"]
    assert all(set(one["metrics"]) == set(CDSSM) for one in small["encoders"].values())
    metrics = small["encoders"]["lsa"]["metrics"]
    assert metrics["recall@1-cdssm"] == metrics["precision@1-cdssm"] == metrics["f1@1-cdssm"]
    assert metrics["precision@50-cdssm"] == pytest.approx(10 / 50, abs=1e-4)
    assert metrics["recall@50-cdssm"] == 1
    assert set(small["order_holds"]) == {"f1@1-cdssm", "f1@5-cdssm", "f1@10-cdssm"}
    assert str(tmp_path) not in report["command"]
    text = (tmp_path / "report.md").read_text()
    assert "(0.410)" in text
    assert "| cdssm-words (table 5: common layer and pre-trained words) |" in text
    assert text.strip() in capsys.readouterr().out


def test_the_papers_own_figures_are_in_its_order_and_pool_to_its_f1() -> None:
    assert set(cdssm_tables.order_holds(published.FIGURES).values()) == {True}
    backwards = dict(zip(published.FIGURES, reversed(published.FIGURES.values()), strict=True))
    assert set(cdssm_tables.order_holds(backwards).values()) == {False}
    assert set(cdssm_tables.order_holds({"lda": published.FIGURES["lda"]}).values()) == {None}
    for row, figures in published.FIGURES.items():
        for k in (1, 5, 10, 20, 30, 40, 50):
            recall, precision = figures[f"recall@{k}-cdssm"], figures[f"precision@{k}-cdssm"]
            assert figures[f"f1@{k}-cdssm"] == pytest.approx(harmonic_mean(recall, precision), abs=1.6e-3), (row, k)


def test_an_unknown_row_is_told_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected encoders among .*got nothing-such"):
        cdssm_tables.main(["--data", str(tmp_path), "--encoders", "nothing-such"])
