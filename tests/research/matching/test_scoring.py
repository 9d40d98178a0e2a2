"""Rows to scores: every encoder, each document once, kept rows, sections, and mixes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import minilm, registry
from engine.encoders.base import Encoder, EncoderCard
from engine.errors import EncoderError, EvaluationError, StorageError
from engine.research.matching import encoding
from engine.research.matching.encoding import encode, encoder_scores
from engine.research.matching.judging import judge
from engine.research.matching.mixing import mix
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import Row, parse_rows
from engine.research.matching.scores import Scored
from engine.research.matching.scoring import Plan, score
from engine.rows import DenseRows, Rows
from tests.contracts.encoder import SUBJECTS
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import lines, pair_set


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


@pytest.fixture
def pairs(tmp_path: Path) -> PairSet:
    return pair_set(tmp_path / "small")


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
    monkeypatch.setattr(encoding, "encoder_of", lambda row: Counting(broken="steam0"))
    with pytest.raises(EvaluationError, match="finite score of ctpe for each of 40 pairs, got NaN or infinity for 2"):
        score([Row("ctpe")], pairs)


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


def test_kept_scores_are_taken_unless_a_folder_is_named(pairs: PairSet, tmp_path: Path) -> None:
    kept = {"tfidf": Scored("tfidf", "earlier", np.arange(40.0))}
    found = score(parse_rows("tfidf"), pairs, Plan(kept=kept))
    assert found[0].fingerprint == "earlier"
    registry.fit("tfidf", pairs.corpus).save(tmp_path / "tfidf")
    found = score(parse_rows(f"tfidf={tmp_path / 'tfidf'}"), pairs, Plan(kept=kept))
    assert found[0].fingerprint != "earlier"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("tiny") / "model", max_positions=256)


def test_colde_numbers_sections_as_asked(pairs: PairSet, tiny: Path, tmp_path: Path) -> None:
    import torch

    from engine.encoders.colde.encoder import ColdeEncoder
    from engine.encoders.colde.settings import ColdeSettings

    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, section_numbers=3, precision="float32")
    encoder = ColdeEncoder.untrained(tiny, settings)
    with torch.no_grad():
        encoder._parts.backbone.sections.weight.normal_()
    held = Scored("tfidf", "f", np.zeros(40))
    asked = [Row("colde", tmp_path / "colde"), Row("tfidf")]
    ColdeEncoder.from_parts(
        encoder._parts.backbone, encoder._parts.head, tokenizer=encoder._parts.tokenizer, settings=settings
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
    pairs: PairSet, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "folder", lambda: tiny)
    first, chunks = score(parse_rows("minilm,minilm-chunks"), pairs)
    assert (first.name, chunks.name) == ("minilm", "minilm-chunks")
    assert first.fingerprint != chunks.fingerprint
    np.testing.assert_allclose(chunks.scores, first.scores, atol=2e-2)  # short texts are one chunk


def test_a_mix_weighs_what_tells_pairs_apart(pairs: PairSet) -> None:
    generator = np.random.default_rng(5)
    good = Scored("good", "g", pairs.related * 0.01 + generator.normal(0, 0.004, 40))
    noise = Scored("noise", "n", generator.normal(0, 100, 40))
    mixed = mix("mix(good,noise)", [good, noise], pairs)
    weights = mixed.facts["weights"]
    deviation = {one.name: one.scores[pairs.of("train")].std() for one in (good, noise)}
    assert weights["good"] * deviation["good"] > 3 * abs(weights["noise"] * deviation["noise"])
    wanted = weights["good"] * good.scores + weights["noise"] * noise.scores + mixed.facts["intercept"]
    np.testing.assert_allclose(mixed.scores, wanted)
    assert mixed.facts["fitted_on"] == "train"
    assert judge(mixed, pairs).test.accuracy > 0.8


def test_a_mix_reads_no_label_of_another_split(pairs: PairSet, tmp_path: Path) -> None:
    turned = [
        row if row.endswith("train") else row.replace("\t0\t", "\tx\t").replace("\t1\t", "\t0\t") for row in lines()
    ]
    other = pair_set(tmp_path / "other" / "small", [row.replace("\tx\t", "\t1\t") for row in turned])
    assert not np.array_equal(pairs.related, other.related)
    parts = [Scored(name, name, np.random.default_rng(seed).random(40)) for seed, name in enumerate("ab")]
    assert mix("m", parts, pairs).facts == mix("m", parts, other).facts
    assert mix("m", parts, pairs, split="valid").facts != mix("m", parts, pairs).facts


def test_a_constant_part_is_no_obstacle(pairs: PairSet) -> None:
    parts = [Scored("a", "a", pairs.related * 1.0), Scored("b", "b", np.full(40, 3.0))]
    assert np.isfinite(mix("m", parts, pairs).scores).all()


def test_a_mix_needs_both_classes_to_learn_from(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", [row for row in lines() if not row.endswith("0\ttrain")])
    with pytest.raises(EvaluationError, match="related and unrelated pairs of small in the split train, got 8 and 0"):
        mix("m", [Scored("a", "a", np.zeros(len(pairs.pairs)))], pairs)


def test_colde_scores_pairs_by_its_own_similarity_from_chunks_that_are_kept(
    pairs: PairSet, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.encoders.colde.encoder import ColdeEncoder
    from engine.encoders.colde.settings import ColdeSettings
    from engine.training.colde import chunk_vectors

    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True, late_share=0.5, precision="float32")
    encoder = ColdeEncoder.untrained(tiny, settings)
    encoder.save(tmp_path / "colde")
    (found,) = score([Row("colde", tmp_path / "colde")], pairs, Plan(cache=tmp_path / "cache"))
    levels = [encoder.levels(long) for long in encoder.read(pairs.documents)]
    wanted = [encoder.similarity(levels[a], levels[b]) for a, b in pairs.places]
    np.testing.assert_allclose(found.scores, wanted, atol=1e-3)  # kept in half precision
    ColdeEncoder.untrained(tiny, replace(settings, dim=4), seed=2).save(tmp_path / "other")
    monkeypatch.setattr(chunk_vectors, "read_chunks", None)  # the chunks that the first one read
    (other,) = score([Row("other", tmp_path / "other")], pairs, Plan(cache=tmp_path / "cache"))
    assert other.fingerprint != found.fingerprint and not np.allclose(other.scores, found.scores)
