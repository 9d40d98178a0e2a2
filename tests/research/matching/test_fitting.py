"""How a comparison's mix is learned on pairs."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from engine.compare.document_score import document_score
from engine.compare.mix import PinnedEncoder
from engine.core.errors import EvaluationError
from engine.encoders.colde import ColdeEncoder
from engine.research.matching.compared import kept_documents
from engine.research.matching.fitting import common_words, fit_mix
from engine.research.matching.judging import choose_threshold
from engine.research.matching.mixing import regression
from engine.research.matching.pair_set import PairSet
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import lines, long_corpus, pair_set


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> ColdeEncoder:
    folder = tmp_path_factory.mktemp("transformer")
    write_tiny_transformer(folder)
    return tiny.encoder(folder, late_share=1.0)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> PairSet:
    return pair_set(tmp_path_factory.mktemp("sets") / "small")


def test_the_mix_orders_pairs_as_its_regression_does(encoder: ColdeEncoder, pairs: PairSet) -> None:
    fitted = fit_mix(encoder, [pairs])
    share = fitted.mix.shares["paper, paper"].words
    assert 0 < share < 1 and fitted.mix.second is None
    weights = fitted.about["weights"]["paper, paper"]
    assert share == pytest.approx(weights["words"] / (weights["words"] + weights["similarity"]), abs=1e-3)
    assert fitted.about["sets"] == fitted.about["words_of"] == ["small"] and fitted.about["split"] == "valid"
    auc = fitted.about["auc"]["small"]
    assert auc["mixed"] >= auc["similarity"] and set(auc) == {"similarity", "words", "mixed"}
    mixed = encoder.with_facts({"mix": fitted.mix.as_facts()})
    kept = kept_documents(mixed, pairs.documents, np.unique(pairs.places))
    scores = np.array([document_score(mixed, kept[a], kept[b]).score for a, b in pairs.places.tolist()])
    test = pairs.of("test")
    threshold = choose_threshold(scores[pairs.of("valid")], pairs.related[pairs.of("valid")])
    assert ((scores[test] >= threshold) == pairs.related[test]).mean() > 0.8


def test_kinds_have_their_own_shares(encoder: ColdeEncoder, pairs: PairSet, tmp_path: Path) -> None:
    patents = [dataclasses.replace(document, kind="patent") for document in long_corpus()]
    second = PinnedEncoder.shipped("word2vec-sif")
    fitted = fit_mix(encoder, [pairs, pair_set(tmp_path / "patents", documents=patents)], second=second)
    shares, weights = fitted.mix.shares, fitted.about["weights"]
    assert set(shares) == set(weights) == {"paper, paper", "paper, patent", "patent, patent"}
    for kinds, one in shares.items():
        total = sum(weights[kinds][name] for name in ("similarity", "words", "second"))
        assert one.second == pytest.approx(weights[kinds]["second"] / total, abs=1e-3)
        assert one.words == pytest.approx(weights[kinds]["words"] / total, abs=1e-3)
        assert all(share == 0 or share >= 0.05 for share in (one.words, one.second))  # others are not worth telling
    assert shares["paper, paper"] == fit_mix(encoder, [pairs], second=second).mix.shares["paper, paper"]
    assert fitted.mix.second == second
    assert set(fitted.about["auc"]["patents"]) == {"similarity", "words", "second", "mixed"}


def test_every_set_counts_alike(encoder: ColdeEncoder, pairs: PairSet, tmp_path: Path) -> None:
    many = pair_set(tmp_path / "many", [row for row in lines() for _ in range(3)])
    one, twice = fit_mix(encoder, [pairs]), fit_mix(encoder, [pairs, many])
    shares = [found.mix.shares["paper, paper"].words for found in (one, twice)]
    assert shares[0] == pytest.approx(shares[1], abs=0.05)
    assert list(twice.about["auc"]) == ["small", "many"]


def test_common_words_are_those_of_the_train_documents(pairs: PairSet, tmp_path: Path) -> None:
    found = common_words([pairs])
    assert found["in"] == found["the"] == 1.0
    assert all(0.1 <= share <= 1 for share in found.values()) and list(found) == sorted(found)
    rows = [row for row in lines() if row.endswith("test")]
    assert common_words([pair_set(tmp_path / "untrained", rows)]) == {}
    steam = [row for row in lines() if row.startswith("steam") and not row.endswith("0\ttrain")]
    more = common_words([pairs, pair_set(tmp_path / "steam", steam)])
    assert more["boiler"] > found["boiler"]  # the largest share of any set


def test_sets_that_tell_nothing_are_refused(encoder: ColdeEncoder, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected sets of pairs to fit a mix on, got none\. Name one"):
        fit_mix(encoder, [])
    turned = [f"{a}\t{b}\t{1 - int(label)}\t{split}" for a, b, label, split in (row.split("\t") for row in lines())]
    with pytest.raises(EvaluationError, match=r"related pairs of turned; got weights of -.* and -.*\. Look at"):
        fit_mix(encoder, [pair_set(tmp_path / "turned", turned)])
    with pytest.raises(EvaluationError, match="in the split valid"):
        fit_mix(encoder, [pair_set(tmp_path / "few", [row for row in lines() if row.endswith("train")])])


def test_importance_is_how_often_a_pair_counts() -> None:
    drawn = np.random.default_rng(0)
    related = drawn.random(200) < 0.5
    scores = drawn.normal(size=(200, 2)) + related[:, None]
    often = np.r_[np.arange(200), np.arange(50)]
    importance = np.where(np.arange(200) < 50, 2.0, 1.0)
    one, other = regression(scores[often], related[often]), regression(scores, related, importance=importance)
    np.testing.assert_allclose(one[0], other[0], rtol=1e-4)
    assert one[1] == pytest.approx(other[1], rel=1e-3)
