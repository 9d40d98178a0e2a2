"""Pairs scored as a comparison shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.compare import Mix, ReadDocument, Words, compare
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import registry
from engine.encoders.colde import ColdeEncoder
from engine.research.matching import scoring
from engine.research.matching.fitting import calibrate
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import COMPARES, Row, parse_rows
from engine.research.matching.scoring import compared_scores, kept_documents, score
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import pair_set

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
