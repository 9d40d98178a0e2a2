"""The commands that measure speed, and what is measured of maps, pages, notes and screening."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import EmptyLibraryError, EvaluationError, NotFittedError, StorageError
from engine.encoders import TransformerMeanEncoder, minilm, registry
from engine.library import Library
from engine.research.bench import command as bench
from engine.research.bench import encoding
from engine.research.bench.command import main
from engine.research.bench.mapping import measure_map
from engine.research.bench.paging import measure_paging
from engine.vectors import open_index
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


def test_every_step_is_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "paging.json"
    main(["documents", "--documents", "200", "--repeats", "2", "--save", str(saved)])
    shown = capsys.readouterr().out
    report = json.loads(saved.read_text("utf-8"))
    assert (report["documents"], report["repeats"]) == (200, 2)
    for name, times in report["milliseconds"].items():
        assert name in shown and 0 <= times["p50"] <= times["p95"] <= times["max"]
    said = ("last page by year", "count, a word", "next undecided, the undecided", "one note kept")
    said += ("facets, just opened, patents", "facets, a title's word", "words within, each time all but another")
    assert set(said) < set(report["milliseconds"])


def test_too_few_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected at least 100 documents and 1 repeat, got 99 and 0"):
        measure_paging(99, repeats=0, seed=0)


def test_fits_and_placements_are_measured(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        speed = measure_map(library, encoder, index, fits=3, placements=4)
    assert (speed.documents, speed.placements, len(speed.seconds_warm_fits)) == (7, 4, 2)
    times = speed.milliseconds_to_place
    assert 0 <= times.p50 <= times.p95 <= times.max
    assert 0 <= speed.kept <= 1
    assert speed.as_json()["fingerprint"] == encoder.card.fingerprint


def test_errors_are_named(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path / "full")
    with (
        library,
        pytest.raises(EvaluationError, match="at least 2 fits, the second of them warm, and 1 placement; got 1"),
    ):
        measure_map(library, encoder, index, fits=1)
    nothing = open_index(tmp_path / "none", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind="sparse")
    with Library.open(tmp_path / "empty", create=True) as empty, pytest.raises(EmptyLibraryError):
        measure_map(empty, encoder, nothing)
