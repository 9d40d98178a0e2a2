"""Rows to scores: every encoder, each document once, kept rows, sections, and mixes.

The rows of the documents of pairs, read once and kept.

Pairs scored as a comparison shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from engine.compare import ReadDocument, Words, compare
from engine.compare.document_score import Mix
from engine.core.errors import EncoderError, EvaluationError, StorageError
from engine.core.rows import DenseRows, Rows
from engine.documents import Document
from engine.encoders import Encoder, EncoderCard, minilm, registry
from engine.encoders.colde import ColdeEncoder
from engine.research.matching import scoring
from engine.research.matching.fitting import calibrate
from engine.research.matching.judging import Scored
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import COMPARES, Row, parse_rows
from engine.research.matching.scoring import Plan, compared_scores, encode, encoder_scores, kept_documents, score
from engine.search import PassageEncoder
from tests.contracts.encoder import SUBJECTS
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import pair_set


class Counting(Encoder):
    """Counts the subjects' words and remembers what it read; a query's row is a document's with its halves swapped."""

    def __init__(self, broken: str = "") -> None:
        self.read: list[str] = []
        self._broken = broken

    @property
    def card(self) -> EncoderCard:
        return EncoderCard("counting", "", 8, "counting-1")

    def encode_queries(self, documents: Sequence[Document]) -> Rows:
        return self.as_queries(self.encode_documents(documents))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        self.read += [document.id for document in documents]
        rows = np.zeros((len(documents), 8), np.float32)
        for row, document in zip(rows, documents, strict=True):
            held = document.text.split()
            row[:4] = [sum(word in held for word in words.split()) for words in SUBJECTS.values()]
            row[4:] = row[:4] * 2
            if document.id == self._broken:
                row[:] = np.nan
        return rows

    def as_queries(self, rows: Rows) -> Rows:
        return np.concatenate([rows[:, 4:], rows[:, :4]], axis=1)

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        raise NotImplementedError


def test_every_document_is_encoded_once_and_halves_are_swapped_for_queries(pairs: PairSet) -> None:
    encoder = Counting()
    scores = encoder_scores(encoder, pairs)
    assert sorted(encoder.read) == sorted(document.id for document in pairs.documents)
    rows = Counting().encode_documents(pairs.documents)
    a, b = pairs.places[0]
    assert scores[0] == pytest.approx(rows[a, 4:] @ rows[b, :4] + rows[a, :4] @ rows[b, 4:])


def test_kept_rows_are_not_read_again_but_for_other_texts(pairs: PairSet, tmp_path: Path) -> None:
    encoder = Counting()
    first = encode(encoder, pairs.documents, cache=tmp_path / "kept")
    again = encode(encoder, pairs.documents, cache=tmp_path / "kept")
    assert len(encoder.read) == 40
    assert np.array_equal(first, again)
    other = [Document("other", abstract="boiler"), *pairs.documents[1:]]
    encode(encoder, other, cache=tmp_path / "kept")
    assert len(encoder.read) == 72  # the block of thirty-two that the other document stands in
    assert encode(encoder, []).shape == (0, 8)


def test_damaged_rows_are_told(pairs: PairSet, tmp_path: Path) -> None:
    encode(Counting(), pairs.documents, cache=tmp_path / "kept")
    next((tmp_path / "kept").rglob("*.safetensors")).write_bytes(b"other")
    with pytest.raises(StorageError, match="it is damaged"):
        encode(Counting(), pairs.documents, cache=tmp_path / "kept")


def test_an_encoder_that_gives_no_number_is_told(pairs: PairSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "encoder_of", lambda row: Counting(broken="steam0"))
    with pytest.raises(EvaluationError, match="finite score of ctpe for each of 40 pairs, got NaN or infinity for 2"):
        score([Row("ctpe")], pairs)


MIX = Mix.alike(0.3, 30.0, {"boiler": 0.2})


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> ColdeEncoder:
    folder = tmp_path_factory.mktemp("transformer")
    write_tiny_transformer(folder)
    return tiny.encoder(folder, late_share=0.5)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> PairSet:
    return pair_set(tmp_path_factory.mktemp("small"))


def shown(encoder: ColdeEncoder, a: Document, b: Document) -> float:
    """The score that a comparison of two documents shows."""
    words = Words.shipped()
    return compare(ReadDocument.read(a, encoder, words), ReadDocument.read(b, encoder, words)).score


def test_a_pair_is_scored_as_a_comparison_shows_it(encoder: ColdeEncoder, pairs: PairSet) -> None:
    mixed = encoder.with_facts({"mix": MIX.as_facts()})
    for one in (encoder, mixed):
        found = compared_scores(one, pairs.documents, pairs.places[:3])
        documents = [[pairs.documents[place] for place in pair] for pair in pairs.places[:3]]
        assert found == pytest.approx([shown(one, a, b) for a, b in documents], abs=2e-3)  # kept in half precision


def test_the_row_is_of_the_shipped_encoder_or_of_a_folder(
    encoder: ColdeEncoder, pairs: PairSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def load(name: str) -> ColdeEncoder:
        asked.append(name)
        return encoder

    real = registry.load
    monkeypatch.setattr(registry, "load", lambda name: load(name) if name == COMPARES else real(name))
    plain = score([Row("compare")], pairs)[0]
    assert asked == [COMPARES]
    encoder.with_facts({"mix": MIX.as_facts()}).save(tmp_path / "mixed")
    mixed = score(parse_rows(f"compare={tmp_path / 'mixed'}"), pairs)[0]
    assert mixed.fingerprint != plain.fingerprint
    assert not np.allclose(mixed.scores, plain.scores)


def test_an_encoder_that_compares_no_long_documents_is_refused(pairs: PairSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "encoder_of", lambda _: registry.load("word2vec-sif"))
    told = r"compares long documents for the row compare, got word2vec-sif\. Give its folder another name"
    with pytest.raises(EvaluationError, match=told):
        score([Row("compare")], pairs)


def test_a_document_without_text_scores_nothing(encoder: ColdeEncoder, pairs: PairSet, tmp_path: Path) -> None:
    mixed = encoder.with_facts({"mix": MIX.as_facts()})
    documents = [Document("none"), pairs.documents[0]]
    assert compared_scores(mixed, documents, np.array([[0, 1], [0, 0]])).tolist() == [0, 0]
    kept = kept_documents(mixed, documents, np.array([1]), cache=tmp_path)
    assert list(kept) == [1] and kept[1].said.length > 10


def test_a_calibration_is_of_what_is_shown(encoder: ColdeEncoder, tmp_path: Path) -> None:
    rows = [f"steam{4 * one}\tneural{4 * other + 1}\t0\tvalid" for one in range(10) for other in range(10)]
    unrelated = pair_set(tmp_path / "unrelated", rows)
    mixed = encoder.with_facts({"mix": MIX.as_facts()})
    found = calibrate(mixed, [unrelated]).unrelated["paper, paper"]
    scores = compared_scores(mixed, unrelated.documents, unrelated.places)
    assert (found.quantiles[0], found.quantiles[-1]) == pytest.approx((scores.min(), scores.max()), abs=1e-5)


def test_rows_of_all_kinds_are_scored_in_the_order_asked_for(pairs: PairSet, tmp_path: Path) -> None:
    folder = tmp_path / "sif"
    registry.fit("tfidf", pairs.corpus).save(folder)
    rows = parse_rows(f"mix(own,bm25),word2vec-sif,own={folder},tfidf")
    found = score(rows, pairs)
    assert [one.name for one in found] == ["mix(own,bm25)", "word2vec-sif", "own", "tfidf"]
    assert len({one.fingerprint for one in found}) == 4
    assert all(one.scores.shape == (40,) for one in found)
    assert all(one.seconds is not None for one in found[1:])
    assert set(found[0].facts["weights"]) == {"own", "bm25"}


def test_ctpe_reads_bodies(pairs: PairSet) -> None:
    found = score([Row("ctpe")], pairs)[0]
    assert np.isfinite(found.scores).all()


def test_passages_match_both_ways_and_are_kept(pairs: PairSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = score([Row("passages")], pairs, Plan(cache=tmp_path))[0]
    assert found.scores[pairs.related].mean() > found.scores[~pairs.related].mean() + 0.05
    assert found.scores.max() <= 1 + 1e-3
    monkeypatch.setattr(PassageEncoder, "encode", None)
    again = score([Row("passages")], pairs, Plan(cache=tmp_path))[0]
    assert again.fingerprint == found.fingerprint and (again.scores == found.scores).all()


def test_kept_scores_are_taken_unless_a_folder_is_named(pairs: PairSet, tmp_path: Path) -> None:
    kept = {"tfidf": Scored("tfidf", "earlier", np.arange(40.0))}
    found = score(parse_rows("tfidf"), pairs, Plan(kept=kept))
    assert found[0].fingerprint == "earlier"
    registry.fit("tfidf", pairs.corpus).save(tmp_path / "tfidf")
    found = score(parse_rows(f"tfidf={tmp_path / 'tfidf'}"), pairs, Plan(kept=kept))
    assert found[0].fingerprint != "earlier"


@pytest.fixture(scope="module")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("tiny") / "model", max_positions=256)


def test_colde_numbers_sections_as_asked(pairs: PairSet, tiny_folder: Path, tmp_path: Path) -> None:
    import torch

    from engine.encoders.colde import ColdeEncoder, ColdeSettings

    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, section_numbers=3, precision="float32")
    encoder = ColdeEncoder.untrained(tiny_folder, settings)
    with torch.no_grad():
        encoder.model.backbone.sections.weight.normal_()
    held = Scored("tfidf", "f", np.zeros(40))
    asked = [Row("colde", tmp_path / "colde"), Row("tfidf")]
    ColdeEncoder.of(
        encoder.model.backbone, encoder.model.head, tokenizer=encoder.model.tokenizer, settings=settings
    ).save(tmp_path / "colde")
    one, _ = score(asked, pairs, Plan(kept={"tfidf": held}))
    two, words = score(asked, pairs, Plan(kept={"tfidf": held}, sections=2))
    assert (two.facts, words.facts) == ({"sections": 2}, {})
    assert one.fingerprint != two.fingerprint
    assert not np.allclose(one.scores, two.scores)
    with pytest.raises(
        EncoderError, match="Expected 1 to 3 sections, which this encoder's embeddings tell apart; got 4"
    ):
        score(asked, pairs, Plan(kept={"tfidf": held}, sections=4))
    with pytest.raises(EvaluationError, match="a row that CoLDE reads, to number its sections; got tfidf"):
        score([Row("tfidf")], pairs, Plan(kept={"tfidf": held}, sections=2))


def test_minilm_is_read_from_its_package_either_way(
    pairs: PairSet, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "minilm_folder", lambda: tiny_folder)
    first, chunks = score(parse_rows("minilm,minilm-chunks"), pairs)
    assert (first.name, chunks.name) == ("minilm", "minilm-chunks")
    assert first.fingerprint != chunks.fingerprint
    np.testing.assert_allclose(chunks.scores, first.scores, atol=2e-2)  # short texts are one chunk


def test_colde_scores_pairs_by_its_own_similarity_from_chunks_that_are_kept(
    pairs: PairSet, tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.encoders.colde import ColdeEncoder, ColdeSettings
    from engine.training.colde import chunks as chunk_vectors

    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True, late_share=0.5, precision="float32")
    encoder = ColdeEncoder.untrained(tiny_folder, settings)
    encoder.save(tmp_path / "colde")
    (found,) = score([Row("colde", tmp_path / "colde")], pairs, Plan(cache=tmp_path / "cache"))
    levels = [encoder.levels(long) for long in encoder.read(pairs.documents)]
    wanted = [encoder.similarity(levels[a], levels[b]) for a, b in pairs.places]
    np.testing.assert_allclose(found.scores, wanted, atol=1e-3)  # kept in half precision
    ColdeEncoder.untrained(tiny_folder, replace(settings, dim=4), seed=2).save(tmp_path / "other")
    monkeypatch.setattr(chunk_vectors, "read_chunks", None)  # the chunks that the first one read
    (other,) = score([Row("other", tmp_path / "other")], pairs, Plan(cache=tmp_path / "cache"))
    assert other.fingerprint != found.fingerprint and not np.allclose(other.scores, found.scores)
