"""How a comparison's mix is learned on pairs."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from engine.compare.document_score import Calibration, PinnedEncoder, document_score
from engine.core.errors import EvaluationError
from engine.encoders.colde import ColdeEncoder
from engine.research.matching.fitting import calibrate, common_words, fit_mix
from engine.research.matching.judging import Scored, choose_threshold, judge, mix, regression
from engine.research.matching.pair_set import PairSet
from engine.research.matching.scoring import encoder_scores, kept_documents
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import lines, long_corpus, pair_set
from tests.research.matching.test_scoring import Counting


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


UNRELATED = [f"steam{4 * one}\tneural{4 * other + 1}\t0\tvalid" for one in range(10) for other in range(10)]
OTHERS = ["steam0\tsteam4\t1\tvalid", "steam0\tprotein2\t0\ttest", "steam0\tgraph3\t0\ttrain"]


@pytest.fixture
def papers(tmp_path: Path) -> PairSet:
    return pair_set(tmp_path / "papers", [*UNRELATED, *OTHERS])


@pytest.fixture
def patents(tmp_path: Path) -> PairSet:
    documents = [dataclasses.replace(document, kind="patent") for document in long_corpus()]
    return pair_set(tmp_path / "patents", [*UNRELATED, *OTHERS], documents)


def test_unrelated_valid_pairs_are_kept_by_kinds(papers: PairSet, patents: PairSet) -> None:
    found = calibrate(Counting(), [papers, patents], between=150)
    assert {kinds: one.pairs for kinds, one in found.unrelated.items()} == {
        "paper, paper": 100,
        "paper, patent": 150,
        "patent, patent": 100,
    }
    scores = encoder_scores(Counting(), papers)[papers.of("valid") & ~papers.related]
    held = found.unrelated["paper, paper"].quantiles
    assert (held[0], held[-1]) == pytest.approx((scores.min(), scores.max()))
    np.testing.assert_allclose(np.median(held), np.median(scores), atol=0.5)


def test_what_is_kept_reads_a_score(papers: PairSet) -> None:
    facts = {"calibration": calibrate(Counting(), [papers]).as_facts()}
    reading = Calibration.from_facts(facts).read(1e9, ("paper", "paper"))
    assert reading.sentence == "Closer than every one of 100 unrelated pairs of papers."


def test_only_the_documents_asked_about_are_read_once(papers: PairSet, patents: PairSet) -> None:
    encoder = Counting()
    calibrate(encoder, [papers, patents])
    assert len(encoder.read) == 40
    assert not any(name.startswith(("protein", "graph")) for name in encoder.read)


def test_the_draw_is_the_same_again(papers: PairSet, patents: PairSet) -> None:
    one, again, other = (calibrate(Counting(), [papers, patents], between=120, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.unrelated["paper, patent"] != other.unrelated["paper, patent"]


def test_sets_without_unrelated_valid_pairs_are_refused(tmp_path: Path) -> None:
    few = pair_set(tmp_path / "few", OTHERS)
    with pytest.raises(EvaluationError, match=r"unrelated pairs in the split valid of few, found none\. Name a set"):
        calibrate(Counting(), [few])
    with pytest.raises(EvaluationError, match="in the split valid of a set, found none"):
        calibrate(Counting(), [])


def test_a_score_that_is_no_number_is_told(papers: PairSet) -> None:
    with pytest.raises(
        EvaluationError, match="finite score of counting for each of 100 pairs, got NaN or infinity for 10"
    ):
        calibrate(Counting(broken="steam0"), [papers])
