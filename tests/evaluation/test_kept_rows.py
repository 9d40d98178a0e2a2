"""Rows of a corpus: kept between runs, taken from a larger corpus, encoded where neither has them.

The passages of a corpus are read once for all evaluations, by document and text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import silent
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document
from engine.encoders import Word2vecMeanEncoder
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import load_benchmark
from engine.evaluation.kept_rows import RowFolders, key_of, matcher, rows_in
from engine.evaluation.systems import PRODUCT
from engine.search import cut_passages
from tests.evaluation.small import write_benchmark
from tests.halves import HalvesEncoder
from tests.search.hashed_words import HashedWords, paper

CORPUS = [Document(f"d{number}", title=title) for number, title in enumerate(["boiler", "valve", "boiler valve"])]


@pytest.fixture
def encoder() -> HalvesEncoder:
    return HalvesEncoder(["boiler", "valve"])


def test_without_a_folder_all_is_encoded_each_time(encoder: HalvesEncoder) -> None:
    for _ in range(2):
        index, whole = rows_in(RowFolders(), encoder, CORPUS, name="halves", report=silent)
        assert whole
        assert list(index.ids) == ["d0", "d1", "d2"]
        np.testing.assert_allclose(index.rows(["d1"]), encoder.encode_documents(CORPUS[1:2]), atol=1e-6)
    assert encoder.encoded == [3, 1, 3, 1]


def test_kept_rows_are_read_and_only_what_they_lack_is_encoded(tmp_path: Path, encoder: HalvesEncoder) -> None:
    places = RowFolders(own=tmp_path / "own")
    assert rows_in(places, encoder, CORPUS[:2], name="halves", report=silent)[1]
    index, whole = rows_in(places, encoder, CORPUS, name="halves", report=silent)
    assert (list(index.ids), whole) == (["d0", "d1", "d2"], False)
    assert rows_in(places, encoder, CORPUS, name="halves", report=silent)[1] is False
    assert encoder.encoded == [2, 1]
    other = HalvesEncoder(["boiler", "valve", "crank"])
    assert rows_in(places, other, CORPUS, name="halves", report=silent)[1], "another encoder has rows of its own"


def test_rows_of_a_larger_corpus_are_taken_and_kept(tmp_path: Path, encoder: HalvesEncoder) -> None:
    rows_in(RowFolders(own=tmp_path / "all"), encoder, CORPUS, name="halves", report=silent)
    more = [CORPUS[2], Document("new", title="valve valve"), CORPUS[0]]
    places = RowFolders(own=tmp_path / "own", among=tmp_path / "all")
    index, whole = rows_in(places, encoder, more, name="halves", report=silent)
    assert not whole, "only one of the three was encoded now"
    assert encoder.encoded == [3, 1]
    np.testing.assert_allclose(index.rows(["d2", "new", "d0"]), encoder.encode_documents(more), atol=1e-6)
    again, whole = rows_in(RowFolders(own=tmp_path / "own"), encoder, more, name="halves", report=silent)
    assert (set(again.ids), whole) == ({"d2", "new", "d0"}, False)


def test_a_larger_corpus_that_was_never_encoded_is_passed_over(tmp_path: Path, encoder: HalvesEncoder) -> None:
    for among in (tmp_path / "nowhere", tmp_path / "own"):
        places = RowFolders(own=tmp_path / "own", among=among)
        assert len(rows_in(places, encoder, CORPUS, name="halves", report=silent)[0]) == 3
    assert encoder.encoded == [3]
    assert not (tmp_path / "nowhere").exists()


def test_the_report_counts_what_is_left_to_encode(
    tmp_path: Path, encoder: HalvesEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_rows, "_DOCUMENTS_AT_ONCE", 1)
    places, said = RowFolders(own=tmp_path / "own"), []
    rows_in(places, encoder, CORPUS[:1], name="halves", report=silent)
    rows_in(places, encoder, CORPUS, name="halves", report=said.append)
    assert {(one.stage, one.total) for one in said} == {("encode by halves", 2)}
    assert said[-1].done == 2


def test_an_encoding_that_was_stopped_goes_on_and_other_corpora_keep_rows_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark_ = load_benchmark(write_benchmark(tmp_path / "small"))
    monkeypatch.setattr(kept_rows, "_DOCUMENTS_AT_ONCE", 10)
    monkeypatch.setattr(kept_rows, "_SECONDS_BETWEEN_WRITES", -1)
    encoded: list[int] = []
    plain = Word2vecMeanEncoder.encode_documents

    def counted(encoder: Word2vecMeanEncoder, documents: list[Document]) -> DenseRows:
        encoded.append(len(documents))
        if len(encoded) == 3:
            raise KeyboardInterrupt
        return plain(encoder, documents)

    monkeypatch.setattr(Word2vecMeanEncoder, "encode_documents", counted)
    with pytest.raises(KeyboardInterrupt):
        PRODUCT.measure(benchmark_, "word2vec-mean", cache=tmp_path / "kept")
    went_on = PRODUCT.measure(benchmark_, "word2vec-mean", cache=tmp_path / "kept")
    queries = [len(benchmark_.queries)]
    assert encoded == [10, 10, 10, 10, 10, *queries]
    assert went_on.documents_per_second is None
    assert went_on.metrics == PRODUCT.measure(benchmark_, "word2vec-mean").metrics
    more = load_benchmark(write_benchmark(tmp_path / "more", extra=[Document("more", title="boiler")]))
    assert PRODUCT.measure(more, "word2vec-mean", cache=tmp_path / "kept").documents_per_second is not None


PAPERS = [paper("a"), paper("b", body=120), paper("c", body=0)]


class Counting(HashedWords):
    def __init__(self) -> None:
        self.read: list[str] = []

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        self.read += [document.title for document, _ in read]
        return super().encode(read)


@pytest.fixture
def passage_encoder(monkeypatch: pytest.MonkeyPatch) -> Counting:
    made = Counting()
    monkeypatch.setattr(kept_rows, "_encoder", lambda: made)
    return made


def test_passages_are_kept_for_other_corpora_and_for_questions(passage_encoder: Counting, tmp_path: Path) -> None:
    first = matcher(PAPERS, tmp_path / "one")
    assert first is not None and set(first.view.number_of) == {"a", "b", "c"}
    assert passage_encoder.read == ["On a", "On b", "On c"]
    bare = [PAPERS[0], replace(PAPERS[1], sections=())]
    second = matcher(bare, tmp_path / "other")
    assert second is not None and set(second.view.number_of) == {"a", "b"}
    assert passage_encoder.read[3:] == ["On b"]  # its text is another
    assert second.view.counts[second.view.number_of["b"]] == len(cut_passages(bare[1]))
    asked = second.ask(PAPERS[1])
    assert asked is not None and len(asked.passages) == len(cut_passages(PAPERS[1])) and len(passage_encoder.read) == 4
    np.testing.assert_allclose(asked.rows, HashedWords().encode([(PAPERS[1], asked.passages)]), atol=0.01)
    second.ask(paper("new"))
    assert passage_encoder.read[4:] == ["On new"]


def test_without_a_folder_passages_are_read_for_this_run(passage_encoder: Counting) -> None:
    found = matcher(PAPERS, None)
    assert found is not None
    asked = found.ask(PAPERS[0])
    assert asked is not None and max(found.scores(asked, ["a", "b", "c"]).items(), key=lambda one: one[1])[0] == "a"


def test_nothing_is_read_without_what_reads_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_rows.PassageEncoder, "is_installed", lambda: False)
    assert matcher(PAPERS, None) is None


def test_a_key_names_a_document_with_its_text() -> None:
    keys = {key_of(one) for one in (*PAPERS, replace(PAPERS[0], sections=()), replace(PAPERS[0], id="z"))}
    assert len(keys) == 5 and key_of(PAPERS[0]) == key_of(paper("a"))
