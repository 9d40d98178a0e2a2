"""The default against its peers on a small benchmark: every pair, corrected, with a verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import files
from engine.encoders import TransformerMeanEncoder, registry
from engine.evaluation import EvaluationReport, load_benchmark
from engine.evaluation.significance import contrast_runs
from engine.evaluation.systems import PRODUCT
from engine.research.measures import default_ranking
from engine.search import ranking_fingerprint
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import QUERIES, write_benchmark


def test_each_row_of_ours_is_held_against_each_peer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_benchmark(tmp_path / "small")
    saved = tmp_path / "report.json"
    words = ["--data", str(tmp_path), "--sets", "small", "--encoder", "lsa", "--peers", "bm25", "tfidf"]
    default_ranking.main([*words, "--hide-itself", "--save", str(saved)])
    report = json.loads(saved.read_text())
    found = [(one["ours"], one["metric"], one["theirs"]) for one in report["contrasts"]]
    assert found == [
        (row, metric, peer)
        for row in ("default(lsa)", "lsa")
        for metric in ("nDCG@10", "R@100")
        for peer in ("bm25", "tfidf")
    ]
    assert {one["queries"] for one in report["contrasts"]} == {4}
    assert report["command"].endswith("--peers bm25 tfidf --hide-itself")
    assert set(report["sets"]["small"]["fingerprints"]) == {"default(lsa)", "lsa", "bm25", "tfidf"}
    table = saved.with_suffix(".md").read_text()
    assert "## default(lsa), nDCG@10" in table and "| small | 4 | bm25 |" in table
    assert table in capsys.readouterr().out


def test_a_peers_scores_are_taken_from_a_report_of_the_same_data(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    benchmark, kept = load_benchmark(folder), tmp_path / "small-word2vec-mean.json"
    measured = PRODUCT.measure(benchmark, "word2vec-mean")
    EvaluationReport(benchmark, [measured]).save(kept, by_query=True)
    words = ["--data", str(tmp_path), "--sets", "small", "--encoder", "lsa", "--peers", "word2vec-mean"]
    for name in ("now", "then"):
        default_ranking.main(
            [
                *words,
                "--save",
                str(tmp_path / name / "r.json"),
                "--kept",
                str(tmp_path if name == "then" else tmp_path / "none"),
            ]
        )
    now, then = (files.read_json(tmp_path / name / "r.json") for name in ("now", "then"))
    assert (now["sets"]["small"]["kept"], then["sets"]["small"]["kept"]) == ({}, {"word2vec-mean": kept.name})
    assert now["contrasts"] == then["contrasts"]  # scores that were rounded tie with those that were not

    report = files.read_json(kept)
    assert default_ranking.kept_row(kept, "word2vec-mean", benchmark) is not None
    assert default_ranking.kept_row(tmp_path / "none.json", "word2vec-mean", benchmark) is None
    for change in ({"part": "test"}, {"sha256": {}}, {"queries_own_works_hidden": 3}):
        files.write_json(kept, {**report, **change})
        assert default_ranking.kept_row(kept, "word2vec-mean", benchmark) is None
    for key, value in (("fingerprint", "another"), ("by_query", None)):
        row = {name: held for name, held in {**report["encoders"]["word2vec-mean"], key: value}.items() if held}
        files.write_json(kept, {**report, "encoders": {"word2vec-mean": row}})
        assert default_ranking.kept_row(kept, "word2vec-mean", benchmark) is None


def test_a_fused_rankings_scores_are_taken_whatever_kinds_a_set_holds(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = PRODUCT.measure(benchmark, "default(word2vec-sif)")
    for mixed in (False, True):
        fingerprint = ranking_fingerprint(registry.find("word2vec-sif").card, mixed=mixed)
        EvaluationReport(benchmark, [replace(measured, fingerprint=fingerprint)]).save(
            tmp_path / "small-x.json", by_query=True
        )
        assert default_ranking.kept_row(tmp_path / "small-x.json", "default(word2vec-sif)", benchmark) is not None


def test_of_a_report_on_all_queries_those_that_are_asked_are_taken(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("".join(f"{query.id}\tvalid\n" for query in QUERIES[:2]))
    every, some = load_benchmark(folder), load_benchmark(folder, part="valid")
    measured, kept = PRODUCT.measure(every, "word2vec-mean"), tmp_path / "small-word2vec-mean.json"
    EvaluationReport(every, [measured]).save(kept, by_query=True)
    row = default_ranking.kept_row(kept, "word2vec-mean", some)
    assert row is not None and list(row.by_query) == [query.id for query in QUERIES[:2]]
    assert row.mean("nDCG@10") == pytest.approx(PRODUCT.measure(some, "word2vec-mean").metrics["nDCG@10"], abs=1e-4)
    EvaluationReport(some, [PRODUCT.measure(some, "word2vec-mean")]).save(kept, by_query=True)
    assert default_ranking.kept_row(kept, "word2vec-mean", every) is None  # some are not all
    report = files.read_json(kept)
    files.write_json(kept, {**report, "part": "all"})
    assert default_ranking.kept_row(kept, "word2vec-mean", every) is None  # scores are missing


def test_verdicts_follow_the_corrected_p() -> None:
    queries = [f"q{number}" for number in range(30)]
    low, high = dict.fromkeys(queries, 0.1), dict.fromkeys(queries, 0.4)
    one = contrast_runs(high, low, names=("default", "bm25"), metric="nDCG@10")
    other = contrast_runs(low, high, names=("default", "minilm"), metric="nDCG@10")
    same = contrast_runs(low, low, names=("default", "twin"), metric="nDCG@10")
    assert [row["verdict"] for row in default_ranking.corrected({"ours": [one, other, same]})] == [
        "better",
        "worse",
        "the same",
    ]


def test_minilm_s_scores_count_in_either_number_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"), precision="float32")
    other = TransformerMeanEncoder.open(tmp_path / "tiny", precision="bfloat16")
    made = {"float32": opened, "bfloat16": other}
    monkeypatch.setattr(default_ranking.minilm, "load", lambda precision: made[precision])
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = PRODUCT.measure(benchmark, "bm25")
    for encoder, counts in ((opened, True), (other, True), (None, False)):
        fingerprint = "another" if encoder is None else encoder.card.fingerprint
        EvaluationReport(benchmark, [replace(measured, name="minilm", fingerprint=fingerprint)]).save(
            tmp_path / "kept.json", by_query=True
        )
        assert (default_ranking.kept_row(tmp_path / "kept.json", "minilm", benchmark) is not None) == counts


def test_a_set_is_ranked_by_the_weights_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_benchmark(tmp_path / "small")
    chosen = {"keywords": 0.25, "patents": 2.0, "questions": 0.0, "papers": 0.5}
    monkeypatch.setattr(default_ranking.blend_weights, "chosen_without", lambda path, name: chosen)
    saved = tmp_path / "report.json"
    words = ["--data", str(tmp_path), "--sets", "small", "--peers", "bm25"]
    default_ranking.main([*words, "--left-out", str(tmp_path / "weights.json"), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert {one["ours"] for one in report["contrasts"]} == {default_ranking.LEFT_OUT}
    assert report["sets"]["small"]["choice"] == chosen and "--left-out weights.json" in report["command"]
    with pytest.raises(SystemExit):
        default_ranking.main([*words, "--left-out", "weights.json", "--encoder", "lsa"])
    assert "expected --left-out without --encoder: it weighs the parts of blend" in capsys.readouterr().err
