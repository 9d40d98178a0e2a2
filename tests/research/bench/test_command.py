"""The commands that measure speed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError, NotFittedError, StorageError
from engine.encoders import TransformerMeanEncoder, minilm, registry
from engine.library import Library
from engine.research.bench import command as bench
from engine.research.bench import encoding
from tests.contracts.encoder import corpus
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_benchmark
from tests.search.library import fill

Command = Callable[..., str]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    monkeypatch.setattr(encoding, "matrix_limit", lambda precision, *, size: 100.0)

    def run(*arguments: str) -> str:
        bench.main(["encode", *arguments])
        return capsys.readouterr().out

    return run


def test_the_command_prints_a_row_an_encoder_and_saves(command: Command, tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    save = ["--save", str(tmp_path / "reports" / "encode.json")]
    row = f"own={registry.PRETRAINED / 'word2vec'}"
    line = ["--benchmark", str(folder), "--encoders", row, "--documents", "8", "--rounds", "2"]
    printed = command(*line, *save)
    assert "8 documents of small" in printed and "2 rounds in turn" in printed
    assert [text.split()[0] for text in printed.splitlines()[2:]] == ["encoder", "own", "minilm"]
    value = json.loads((tmp_path / "reports" / "encode.json").read_text())
    assert {"hardware", "commit", "threads", "seed", "matrix_limit", "encoders", "peer"} <= value.keys()
    assert value["encoders"]["minilm"]["share_of_limit"] > 0
    assert json.loads(command(*line, "--json"))["encoders"]["own"]["times_the_peer"]["median"] > 0


def test_the_command_draws_from_a_library(command: Command, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("key", "texts", corpus())
    line = ["--library", str(tmp_path / "library"), "--encoders", "word2vec-mean", "--documents", "5", "--rounds", "1"]
    assert "5 documents of library" in command(*line)


def test_what_cannot_be_measured_or_saved_is_told_first(command: Command, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Expected to write"):
        command("--benchmark", "nowhere", "--save", str(tmp_path))
    with pytest.raises(NotFittedError, match="Expected the folder of a fitted tfidf"):
        command("--benchmark", "nowhere", "--encoders", "tfidf")


def test_the_command_reports_each_stage_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path)[0].close()
    saved, line = tmp_path / "reports" / "search.json", ["search", "--library", str(tmp_path), "--queries", "2"]
    bench.main([*line, "--save", str(saved)])
    text = capsys.readouterr().out
    assert "over 7 documents" in text
    for stage in ("read", "encode", "search", "evidence", "total"):
        assert f"\n{stage}" in text
    report = json.loads(saved.read_text("utf-8"))
    assert report["queries"] == 2
    assert report["stages"]["total"]["p95"] >= report["stages"]["search"]["p50"] > 0
    bench.main([*line, "--json"])
    assert json.loads(capsys.readouterr().out)["encoder"] == registry.DEFAULT


def test_files_or_documents_of_a_benchmark_ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("key", "texts", corpus())
    line = ["search", "--library", str(tmp_path / "library"), "--encoder", "word2vec-sif", "--json"]
    folder, files = write_benchmark(tmp_path / "small"), []
    for number in range(6):
        files.append(tmp_path / f"{number}.md")
        files[-1].write_text(f"# Of boilers {number}\n\nA valve and a gauge.")
    for asking in (files[:1], files[:5], files):
        bench.main([*line, "--files", *map(str, asking)])
        assert json.loads(capsys.readouterr().out)["queries"] == len(asking)
    bench.main([*line, "--benchmark", str(folder), "--queries", "4"])
    assert json.loads(capsys.readouterr().out)["queries"] == 4
    for more in (["--words", "9000", "9999"], ["--queries", "0"]):
        with pytest.raises(
            EvaluationError, match=r"Expected at least 1 query, and more than 5 documents of \d+ to \d+ words"
        ):
            bench.main([*line, "--benchmark", str(folder), *more])
