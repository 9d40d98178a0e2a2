"""`python -m benchmarks.ctpe_tables`, on a small benchmark of our own under the name of a real one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import ctpe_runs, ctpe_tables
from benchmarks.ctpe_runs import OWN, Average, Runs, Size, drawn
from engine.encoders import registry
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.errors import EvaluationError, StorageError
from engine.evaluation.benchmarks import load_benchmark
from engine.evaluation.paper.published import ctpe as published
from engine.training import ctpe
from tests.contracts.encoder import EMPTY, corpus
from tests.encoders.ctpe import tiny
from tests.encoders.test_word_vectors import by_subject
from tests.evaluation.small import write_benchmark

NAME = "arxiv-subject"


@pytest.fixture(autouse=True)
def few_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Word vectors of the tests' corpus in the place of the shipped ones, which take seconds to store."""
    by_subject().save(tmp_path / "pretrained" / "word2vec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = write_benchmark(tmp_path / "data" / NAME)
    (folder / "query-splits.tsv").write_text("q-steam\tvalid\n")
    return tmp_path / "data"


@pytest.fixture
def line(data: Path, tmp_path: Path) -> list[str]:
    places = ["--data", str(data), "--runs", str(tmp_path / "runs"), "--save", str(tmp_path / "report.json")]
    return [*places, "--benchmarks", NAME, "--channels", "4", "--epochs", "2", "--set", "optimizer.batch=10"]


def test_three_tables_with_the_papers_figures_beside_ours(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ctpe_tables.main([*line, "--embeddings", "word2vec(full)", "sentence means"])
    report = json.loads((tmp_path / "report.json").read_text())
    tables = report["benchmarks"][NAME]
    full, sentences = tables["table 4"]
    assert full["paper"] == {"avg": 0.1345, "CTPE_0": 0.1093, "CTPE": 0.1645}
    assert (sentences["beside"], sentences["paper"]["CTPE"]) == ("Skip-thoughts", 0.0623)
    assert [cell["epochs"] for cell in full["cells"]] == [None, 0, 2]
    assert all(0 <= value <= 1 for row in tables["table 4"] for value in row["F1@20"].values())
    assert [row["position"] for row in tables["table 5"]] == ["20%", "40%", "60%", "80%", "meaningful"]
    assert tables["table 5"][4]["paper"] == {"p": 0.3066, "r": 0.1124, "f1": 0.1645}
    with_tfidf, uniform = tables["table 6"]
    assert (with_tfidf["sampling"], with_tfidf["paper"]["epochs"]) == ("CTPE_T", 3)
    assert {with_tfidf["epochs"], uniform["epochs"]} <= {1, 2}
    assert uniform["cells"] == [full["cells"][2]] == tables["table 5"][4]["cells"]
    assert {"commit", "hardware", "command", "size"} <= report.keys()
    assert "corpus.parquet" in report["benchmarks"][NAME]["sha256"]
    printed = capsys.readouterr().out
    assert "(0.1645)" in printed and "the paper's arXiv" in printed
    assert str(tmp_path) not in printed + (tmp_path / "report.json").read_text()
    assert (tmp_path / "report.md").read_text() in printed
    assert "* avg above CTPE_0: 0 of 2; in the paper 2 of 2" in printed  # ours are equal: every document is found
    assert "* in the paper: 40%, 20%, 60%, meaningful, 80%" in printed


def test_what_was_trained_is_found_again(line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ctpe_tables.main([*line, "--tables", "6"])
    first = (tmp_path / "report.json").read_text()
    monkeypatch.setattr(ctpe, "train", None)
    ctpe_tables.main([*line, "--tables", "6"])
    assert (tmp_path / "report.json").read_text() == first
    with pytest.raises(TypeError):
        ctpe_tables.main([*line, "--tables", "6", "--channels", "5"])


def test_a_training_that_was_stopped_goes_on(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(data, NAME, tmp_path / "runs", Size(channels=4, epochs=2, settings=("optimizer.batch=10",)))
    monkeypatch.setattr(ctpe_runs, "score", None)
    with pytest.raises(TypeError):
        runs.ctpe("CTPE")
    monkeypatch.undo()
    cell = runs.ctpe("CTPE")
    assert cell.epochs == 2
    again = Runs(data, NAME, tmp_path / "others", runs.size).ctpe("CTPE")
    assert (again.fingerprint, again.metrics) == (cell.fingerprint, cell.metrics)


def test_own_random_and_subword_vectors_are_made_once(data: Path, tmp_path: Path) -> None:
    runs = Runs(data, NAME, tmp_path / "runs", Size(channels=4, epochs=1, documents=20))
    own = runs.average(OWN)
    assert own.metrics["nDCG@10"] > 0.5
    others = [runs.average(name) for name in (ctpe_runs.RANDOM, ctpe_runs.SUBWORDS)]
    assert len({own.fingerprint, *(one.fingerprint for one in others)}) == 3
    assert others[1].metrics["nDCG@10"] > 0.5
    assert {"words-own", "words-random", "words-subwords"} <= {
        path.name for path in (tmp_path / "runs" / NAME).iterdir()
    }
    assert runs.average(OWN) == own


def test_fewer_documents_are_drawn_evenly_and_queries_stay_held_out(data: Path, tmp_path: Path) -> None:
    folder = drawn(data / NAME, tmp_path / "drawn", 10)
    whole = load_benchmark(data / NAME).corpus
    (folder / NAME / "qrels.tsv").write_text("q-steam\tsteam0\t1\n")
    fewer = load_benchmark(folder / NAME)
    assert [document.id for document in fewer.corpus] == [document.id for document in whole[::4]]
    assert (folder / NAME / "queries.parquet").exists()


def test_the_average_is_that_of_the_encoder_of_word_means() -> None:
    documents = [*corpus(), EMPTY]
    expected = Word2vecMeanEncoder(by_subject()).encode_documents(documents)
    found = Average(tiny.words(), 1_000).encode_documents(documents)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_orders_are_compared_and_missing_rows_said() -> None:
    assert ctpe_tables._same_order([0.3, 0.1, 0.2], [3, 1, 2]) is True
    assert ctpe_tables._same_order([0.3, 0.1, 0.2], [3, 2, 1]) is False
    assert ctpe_tables._same_order([0.3], []) is None
    assert set(published.TABLE_4["BERT"]) == set(published.DATASETS.values())


def test_what_cannot_be_is_told_first(line: list[str], tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected embeddings among .*; got glove"):
        ctpe_tables.main([*line, "--embeddings", "glove"])
    with pytest.raises(StorageError, match="Expected to write"):
        ctpe_tables.main([*line, "--save", str(tmp_path)])
