"""Documents ranked by their best passage, by words and by vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.encoders import TransformerMeanEncoder, minilm
from engine.evaluation.kept_rows import read_by
from engine.research.baselines import passage_rows
from engine.research.baselines.passage_rows import (
    BM25_PASSAGES,
    COLDE_PASSAGES,
    MINILM_PASSAGES,
    PASSAGES,
    EncoderReader,
    NearestPassage,
)
from engine.research.baselines.rows import ROWS
from engine.search import cut_passages, passage_text
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.search.hashed_words import HashedWords, sentences

SUBJECTS = {"a": "boiler", "b": "valve", "c": "crank"}
CORPUS = [
    *(Document(name, sections=(Section("Trials", sentences(40, word=word)),)) for name, word in SUBJECTS.items()),
    Document("empty"),
]


def quote(name: str) -> Document:
    """The last passage of a paper, as a question."""
    document = next(one for one in CORPUS if one.id == name)
    return Document("q", "query", abstract=passage_text(document, cut_passages(document)[-1]))


def test_the_document_of_the_nearest_passage_comes_first() -> None:
    system = NearestPassage(read_by(HashedWords(), CORPUS, None))
    hits = system.rank([quote("b"), Document("q", "query")], 2)
    assert hits[0][0].id == "b" and len(hits[0]) == 2 and hits[1] == []
    assert hits[0][0].score == pytest.approx(1, abs=0.01)


def test_the_document_of_the_best_passage_by_words_comes_first(tmp_path: Path) -> None:
    prepared = ROWS.prepare(BM25_PASSAGES, CORPUS, keep=tmp_path)
    (hits,) = prepared.system.rank([quote("c")], 3)
    assert hits[0].id == "c" and len({hit.id for hit in hits}) == len(hits)
    assert prepared.name == BM25_PASSAGES and prepared.summary.endswith(".")


@pytest.mark.parametrize("row", [PASSAGES, MINILM_PASSAGES, "passages(student)", COLDE_PASSAGES])
def test_rows_of_passages_are_kept_by_what_read_them(row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    prepared = ROWS.prepare(row, CORPUS[:2], keep=tmp_path / "kept" / "corpus")
    assert (tmp_path / "kept" / "passages" / prepared.fingerprint).is_dir()
    (hits,) = prepared.system.rank([quote("a")], 2)
    assert {hit.id for hit in hits} == {"a", "b"}


def test_another_model_and_another_cut_have_other_fingerprints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    reader = EncoderReader(minilm.load)
    assert reader.dim == tiny.card.dim and reader.fingerprint != tiny.card.fingerprint
    monkeypatch.setattr(passage_rows, "cutting_fingerprint", lambda: "cut otherwise")
    assert EncoderReader(minilm.load).fingerprint != reader.fingerprint
