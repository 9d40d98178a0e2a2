"""The row default(NAME): the ranking of a search by another encoder than the default one.

Rows that name a folder: its own reading, another one, and names that stand for a folder elsewhere.

A library's own systems: prepared in its folder, and by which rows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EncoderError, EvaluationError
from engine.encoders import SentenceMeanEncoder, TransformerMeanEncoder, registry
from engine.encoders.sentence_transformer import SentenceTransformerEncoder
from engine.evaluation import systems
from engine.evaluation.benchmarks import load_benchmark
from engine.evaluation.systems import PRODUCT, fused_encoder, row_fingerprint
from engine.library import Library
from engine.workspace import Workspace
from tests.encoders.test_sentence_transformer import write
from tests.evaluation.judged import DOCUMENTS
from tests.evaluation.small import write_benchmark


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("readings") / "model")


def test_a_folder_is_read_as_it_says_or_as_the_row_says(folder: Path) -> None:
    assert isinstance(systems.load_given(str(folder)), SentenceTransformerEncoder)
    assert type(systems.load_given(f"{folder}:tokens")) is TransformerMeanEncoder
    assert isinstance(systems.load_given(f"{folder}:sentences"), SentenceMeanEncoder)


def test_readings_are_rows_of_their_own(folder: Path, tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    rows = systems.PRODUCT.rows_of(f"own={folder},tokens={folder}:tokens,sentences={folder}:sentences")
    measured = [PRODUCT.measure(benchmark, row) for row in rows]
    assert [one.name for one in measured] == ["own", "tokens", "sentences"]
    assert len({one.fingerprint for one in measured}) == 3
    named = [systems.without_place(row) for row in rows]
    assert named == ["own=model", "tokens=model:tokens", "sentences=model:sentences"]


def test_a_folder_whose_name_ends_like_a_reading_is_a_folder(tmp_path: Path) -> None:
    place = tmp_path / "model:tokens"
    place.mkdir()
    assert systems.split_folder(str(place)) == (place, "")
    assert systems.split_folder("model:other") == (Path("model:other"), "")
    assert systems.split_folder(":tokens") == (Path(":tokens"), "")


def test_a_models_name_stands_for_what_a_download_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"someone/model": folder}
    monkeypatch.setattr(systems, "local_folder", found.get)
    (row,) = systems.PRODUCT.rows_of("theirs=someone/model:tokens")
    assert type(systems.PRODUCT.trained_encoder(row)) is TransformerMeanEncoder
    assert systems.without_place(row) == "theirs=someone/model:tokens"
    with pytest.raises(EvaluationError, match="Expected an encoder's folder, got someone/other; there is none"):
        systems.PRODUCT.rows_of("theirs=someone/other")
    with pytest.raises(EncoderError, match="Nothing is downloaded"):
        systems.load_given("someone/other:tokens")


def test_the_default_encoder_named_so_is_the_default_ranking(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    usual, named = PRODUCT.measure(benchmark, "default"), PRODUCT.measure(benchmark, f"default({registry.DEFAULT})")
    assert named.fingerprint == usual.fingerprint
    assert named.by_query == usual.by_query
    assert named.name == f"default({registry.DEFAULT})"


@pytest.mark.parametrize("name", ["lsa", "ctpe"])  # one learns from the corpus
def test_another_encoder_is_fused_with_the_keywords(name: str, tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    fused, alone, usual = (PRODUCT.prepare(row, benchmark.corpus) for row in (f"default({name})", name, "default"))
    assert len({one.fingerprint for one in (fused, alone, usual)}) == 3
    first = [[hit.score for hit in one.system.rank(benchmark.queries, 9)[0]] for one in (fused, alone, usual)]
    assert first[0] != first[1] and first[0] != first[2]


def test_only_an_encoder_that_searches_is_known() -> None:
    assert (fused_encoder("default"), fused_encoder("default(lsa)")) == (registry.DEFAULT, "lsa")
    assert [fused_encoder(row) for row in ("lsa", "default(bm25)", "default(colde)", "default()")] == [None] * 4
    assert PRODUCT.rows_of("bm25, default(ctpe)") == ["bm25", "default(ctpe)"]
    with pytest.raises(EvaluationError, match=r"default\(NAME\) or NAME=FOLDER; got default\(bm25\)"):
        PRODUCT.rows_of("default(bm25)")


def test_a_row_says_beforehand_by_what_it_will_rank(library: Library) -> None:
    card = registry.find("word2vec-sif").card
    for row in ("bm25", "bm25-stems", "keywords", "default", "word2vec-sif"):
        prepared = PRODUCT.prepare_in(Workspace(library.folder), row, DOCUMENTS, encoder="word2vec-sif")
        assert row_fingerprint(row, card, passages=False) == prepared.fingerprint
    assert row_fingerprint("tfidf", registry.find("tfidf").card, passages=True) == ""
