"""Rows that name a folder: its own reading, another one, and names that stand for a folder elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EncoderError, EvaluationError
from engine.encoders import SentenceMeanEncoder, TransformerMeanEncoder
from engine.encoders.sentence_transformer import SentenceTransformerEncoder
from engine.evaluation import encoder_folders, systems
from engine.evaluation.benchmarks import load_benchmark
from engine.evaluation.measure import measure_systems
from tests.encoders.test_sentence_transformer import write
from tests.evaluation.small import write_benchmark


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("readings") / "model")


def test_a_folder_is_read_as_it_says_or_as_the_row_says(folder: Path) -> None:
    assert isinstance(encoder_folders.load(str(folder)), SentenceTransformerEncoder)
    assert type(encoder_folders.load(f"{folder}:tokens")) is TransformerMeanEncoder
    assert isinstance(encoder_folders.load(f"{folder}:sentences"), SentenceMeanEncoder)


def test_readings_are_rows_of_their_own(folder: Path, tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    rows = systems.PRODUCT.rows_of(f"own={folder},tokens={folder}:tokens,sentences={folder}:sentences")
    measured = [measure_systems(benchmark, row) for row in rows]
    assert [one.name for one in measured] == ["own", "tokens", "sentences"]
    assert len({one.fingerprint for one in measured}) == 3
    named = [systems.without_place(row) for row in rows]
    assert named == ["own=model", "tokens=model:tokens", "sentences=model:sentences"]


def test_a_folder_whose_name_ends_like_a_reading_is_a_folder(tmp_path: Path) -> None:
    place = tmp_path / "model:tokens"
    place.mkdir()
    assert encoder_folders.split(str(place)) == (place, "")
    assert encoder_folders.split("model:other") == (Path("model:other"), "")
    assert encoder_folders.split(":tokens") == (Path(":tokens"), "")


def test_a_models_name_stands_for_what_a_download_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"someone/model": folder}
    monkeypatch.setattr(encoder_folders, "local_folder", found.get)
    (row,) = systems.PRODUCT.rows_of("theirs=someone/model:tokens")
    assert type(systems.PRODUCT.trained_encoder(row)) is TransformerMeanEncoder
    assert systems.without_place(row) == "theirs=someone/model:tokens"
    with pytest.raises(EvaluationError, match="Expected an encoder's folder, got someone/other; there is none"):
        systems.PRODUCT.rows_of("theirs=someone/other")
    with pytest.raises(EncoderError, match="Nothing is downloaded"):
        encoder_folders.load("someone/other:tokens")
