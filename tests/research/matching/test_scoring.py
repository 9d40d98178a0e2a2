"""Rows to scores: rows by name, by folder and as mixes, each document once, and how a mix is learned."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from engine.compare import ReadDocument, Words, compare
from engine.compare.document_score import Calibration, Mix, PinnedEncoder, document_score
from engine.core.errors import EncoderError, EvaluationError, StorageError
from engine.core.rows import DenseRows, Rows
from engine.documents import Document, Section
from engine.encoders import Encoder, EncoderCard, minilm, registry
from engine.encoders.colde import ColdeEncoder
from engine.research.matching import scoring
from engine.research.matching.fitting import calibrate, common_words, fit_mix
from engine.research.matching.judging import Scored, choose_threshold, judge, mix, regression
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.research.matching.rows import (
    COMPARES,
    Row,
    bm25_scores,
    fingerprint_of,
    lsa_scores,
    names,
    parse_rows,
    tfidf_scores,
)
from engine.research.matching.scoring import Plan, compared_scores, encode, encoder_scores, kept_documents, score
from engine.search import PassageEncoder
from tests.contracts.encoder import SUBJECTS
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import lines, long_corpus, pair_set


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


WORDS = {"tfidf": tfidf_scores, "lsa": lsa_scores, "bm25": bm25_scores}


def body(name: str, text: str) -> Document:
    return Document(name, sections=(Section("Method", text),))


@pytest.mark.parametrize("name", WORDS)
def test_related_pairs_score_higher(name: str, tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small")
    scores = WORDS[name](pairs)
    assert scores[pairs.related].mean() > scores[~pairs.related].mean() + 0.1
    assert judge(score([Row(name)], pairs)[0], pairs).test.accuracy > 0.8


@pytest.mark.parametrize("name", WORDS)
def test_a_pair_scores_the_same_either_way_and_a_document_itself_is_one(name: str, tmp_path: Path) -> None:
    rows = ["steam0\tsteam4\t1\ttest", "steam4\tsteam0\t1\ttest", "steam0\tsteam0\t1\ttest"]
    there, back, itself = WORDS[name](pair_set(tmp_path / "small", rows))
    assert there == pytest.approx(back)
    assert 0 < there < 1
    assert itself == pytest.approx(1)


@pytest.mark.parametrize("name", WORDS)
def test_a_document_without_words_scores_nothing(name: str, tmp_path: Path) -> None:
    documents = [body("a", ""), body("b", "boiler valve piston"), body("c", "neural network layer")]
    pairs = pair_set(tmp_path / "small", ["a\tb\t0\ttest", "b\tb\t1\ttest", "a\ta\t1\ttest"], documents)
    np.testing.assert_allclose(WORDS[name](pairs), [0, 1, 0], atol=1e-6)


def test_tfidf_counts_by_their_logarithm_and_without_stop_words(tmp_path: Path) -> None:
    documents = [body("a", "boiler boiler boiler valve the of and"), body("b", "boiler valve valve the of and")]
    pairs = pair_set(tmp_path / "small", ["a\tb\t1\ttest"], documents)
    one, other = np.array([1 + np.log(3), 1]), np.array([1, 1 + np.log(2)])  # both words stand in both: equal rarity
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert tfidf_scores(pairs)[0] == pytest.approx(cosine)


def test_a_corpus_without_words_is_refused(tmp_path: Path) -> None:
    documents = [body("a", "the of and"), body("b", "")]
    pairs = pair_set(tmp_path / "small", ["a\tb\t1\ttest"], documents)
    with pytest.raises(EvaluationError, match="documents with words in small, found none but stop words"):
        tfidf_scores(pairs)
    single = pair_set(tmp_path / "one", ["a\ta\t1\ttest"], [body("a", "boiler valve")])
    with pytest.raises(EvaluationError, match="two documents with two words or more to fit lsa on, got fewer"):
        lsa_scores(single)


def test_each_row_of_words_has_its_fingerprint() -> None:
    assert len({fingerprint_of(name) for name in WORDS}) == 3


REFERENCE = {"tfidf": (0.847, 0.846, 0.911), "lsa": (0.829, 0.842, 0.920)}
"""Accuracy, F1 and AUC on the test pairs of acl-long, as measured elsewhere on the same files."""


def test_tfidf_gives_the_reference_point_on_papers(shared: Path) -> None:
    pairs = load_pair_set(shared / "data" / "acl-long" / "pairs.tsv")
    found = judge(score([Row("tfidf")], pairs)[0], pairs).test
    assert (found.accuracy, found.f1, found.auc) == pytest.approx(REFERENCE["tfidf"], abs=0.001)


def test_rows_by_name_are_words_encoders_and_minilm() -> None:
    assert names()[:3] == ("tfidf", "lsa", "bm25")
    assert {"word2vec-sif", "ctpe", "minilm", "minilm-chunks"} <= set(names())
    assert len(set(names())) == len(names())


def test_a_list_is_read_in_order_and_once(tmp_path: Path) -> None:
    given = f"tfidf, lsa,tfidf,own={tmp_path}, mix(own, tfidf)"
    assert parse_rows(given) == [
        Row("tfidf"),
        Row("lsa"),
        Row("own", tmp_path),
        Row("mix(own,tfidf)", parts=("own", "tfidf")),
    ]
    assert parse_rows("earlier,mix(earlier,bm25,lsa)", kept=("earlier",))[1].parts == ("earlier", "bm25", "lsa")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("tfidf,bert", r"among tfidf, .*, NAME=FOLDER, or mix\(NAME,NAME\); got bert\. Separate"),
        (",", "got none"),
        ("mix()", r"Expected mix\(\) to mix rows that are known, got ''"),
        ("a=nowhere", "Expected an encoder's folder, got nowhere; there is none"),
        ("tfidf,tfidf=.", "a name of its own for each row, got 'tfidf' more than once"),
        ("=.", "a name of its own for each row, got '' more than once or empty"),
        ("mix(tfidf,own)", r"Expected mix\(tfidf,own\) to mix rows that are known, got 'own'"),
        ("mix(tfidf,own=.)", "got 'own=.'. Give a folder its name in a row of its own"),
        ("mix(tfidf)", r"a mix of two rows or more, got mix\(tfidf\)"),
        ("mix(tfidf,tfidf)", "a mix of two rows or more"),
    ],
)
def test_other_rows_are_refused(given: str, told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        parse_rows(given)


def test_a_mix_weighs_what_tells_pairs_apart(fitting_pairs: PairSet) -> None:
    generator = np.random.default_rng(5)
    good = Scored("good", "g", fitting_pairs.related * 0.01 + generator.normal(0, 0.004, 40))
    noise = Scored("noise", "n", generator.normal(0, 100, 40))
    mixed = mix("mix(good,noise)", [good, noise], fitting_pairs)
    weights = mixed.facts["weights"]
    deviation = {one.name: one.scores[fitting_pairs.of("train")].std() for one in (good, noise)}
    assert weights["good"] * deviation["good"] > 3 * abs(weights["noise"] * deviation["noise"])
    wanted = weights["good"] * good.scores + weights["noise"] * noise.scores + mixed.facts["intercept"]
    np.testing.assert_allclose(mixed.scores, wanted)
    assert mixed.facts["fitted_on"] == "train"
    assert judge(mixed, fitting_pairs).test.accuracy > 0.8


def test_a_mix_reads_no_label_of_another_split(fitting_pairs: PairSet, tmp_path: Path) -> None:
    turned = [
        row if row.endswith("train") else row.replace("\t0\t", "\tx\t").replace("\t1\t", "\t0\t") for row in lines()
    ]
    other = pair_set(tmp_path / "other" / "small", [row.replace("\tx\t", "\t1\t") for row in turned])
    assert not np.array_equal(fitting_pairs.related, other.related)
    parts = [Scored(name, name, np.random.default_rng(seed).random(40)) for seed, name in enumerate("ab")]
    assert mix("m", parts, fitting_pairs).facts == mix("m", parts, other).facts
    assert mix("m", parts, fitting_pairs, split="valid").facts != mix("m", parts, fitting_pairs).facts


def test_a_constant_part_is_no_obstacle(fitting_pairs: PairSet) -> None:
    parts = [Scored("a", "a", fitting_pairs.related * 1.0), Scored("b", "b", np.full(40, 3.0))]
    assert np.isfinite(mix("m", parts, fitting_pairs).scores).all()


def test_a_mix_needs_both_classes_to_learn_from(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", [row for row in lines() if not row.endswith("0\ttrain")])
    with pytest.raises(EvaluationError, match="related and unrelated pairs of small in the split train, got 8 and 0"):
        mix("m", [Scored("a", "a", np.zeros(len(pairs.pairs)))], pairs)


@pytest.fixture(scope="module")
def fitting_encoder(tmp_path_factory: pytest.TempPathFactory) -> ColdeEncoder:
    folder = tmp_path_factory.mktemp("transformer")
    write_tiny_transformer(folder)
    return tiny.encoder(folder, late_share=1.0)


@pytest.fixture(scope="module")
def fitting_pairs(tmp_path_factory: pytest.TempPathFactory) -> PairSet:
    return pair_set(tmp_path_factory.mktemp("sets") / "small")


def test_the_mix_orders_pairs_as_its_regression_does(fitting_encoder: ColdeEncoder, fitting_pairs: PairSet) -> None:
    fitted = fit_mix(fitting_encoder, [fitting_pairs])
    share = fitted.mix.shares["paper, paper"].words
    assert 0 < share < 1 and fitted.mix.second is None
    weights = fitted.about["weights"]["paper, paper"]
    assert share == pytest.approx(weights["words"] / (weights["words"] + weights["similarity"]), abs=1e-3)
    assert fitted.about["sets"] == fitted.about["words_of"] == ["small"] and fitted.about["split"] == "valid"
    auc = fitted.about["auc"]["small"]
    assert auc["mixed"] >= auc["similarity"] and set(auc) == {"similarity", "words", "mixed"}
    mixed = fitting_encoder.with_facts({"mix": fitted.mix.as_facts()})
    kept = kept_documents(mixed, fitting_pairs.documents, np.unique(fitting_pairs.places))
    scores = np.array([document_score(mixed, kept[a], kept[b]).score for a, b in fitting_pairs.places.tolist()])
    test = fitting_pairs.of("test")
    threshold = choose_threshold(scores[fitting_pairs.of("valid")], fitting_pairs.related[fitting_pairs.of("valid")])
    assert ((scores[test] >= threshold) == fitting_pairs.related[test]).mean() > 0.8


def test_kinds_have_their_own_shares(fitting_encoder: ColdeEncoder, fitting_pairs: PairSet, tmp_path: Path) -> None:
    patents = [dataclasses.replace(document, kind="patent") for document in long_corpus()]
    second = PinnedEncoder.shipped("word2vec-sif")
    fitted = fit_mix(fitting_encoder, [fitting_pairs, pair_set(tmp_path / "patents", documents=patents)], second=second)
    shares, weights = fitted.mix.shares, fitted.about["weights"]
    assert set(shares) == set(weights) == {"paper, paper", "paper, patent", "patent, patent"}
    for kinds, one in shares.items():
        total = sum(weights[kinds][name] for name in ("similarity", "words", "second"))
        assert one.second == pytest.approx(weights[kinds]["second"] / total, abs=1e-3)
        assert one.words == pytest.approx(weights[kinds]["words"] / total, abs=1e-3)
        assert all(share == 0 or share >= 0.05 for share in (one.words, one.second))  # others are not worth telling
    assert shares["paper, paper"] == fit_mix(fitting_encoder, [fitting_pairs], second=second).mix.shares["paper, paper"]
    assert fitted.mix.second == second
    assert set(fitted.about["auc"]["patents"]) == {"similarity", "words", "second", "mixed"}


def test_every_set_counts_alike(fitting_encoder: ColdeEncoder, fitting_pairs: PairSet, tmp_path: Path) -> None:
    many = pair_set(tmp_path / "many", [row for row in lines() for _ in range(3)])
    one, twice = fit_mix(fitting_encoder, [fitting_pairs]), fit_mix(fitting_encoder, [fitting_pairs, many])
    shares = [found.mix.shares["paper, paper"].words for found in (one, twice)]
    assert shares[0] == pytest.approx(shares[1], abs=0.05)
    assert list(twice.about["auc"]) == ["small", "many"]


def test_common_words_are_those_of_the_train_documents(fitting_pairs: PairSet, tmp_path: Path) -> None:
    found = common_words([fitting_pairs])
    assert found["in"] == found["the"] == 1.0
    assert all(0.1 <= share <= 1 for share in found.values()) and list(found) == sorted(found)
    rows = [row for row in lines() if row.endswith("test")]
    assert common_words([pair_set(tmp_path / "untrained", rows)]) == {}
    steam = [row for row in lines() if row.startswith("steam") and not row.endswith("0\ttrain")]
    more = common_words([fitting_pairs, pair_set(tmp_path / "steam", steam)])
    assert more["boiler"] > found["boiler"]  # the largest share of any set


def test_sets_that_tell_nothing_are_refused(fitting_encoder: ColdeEncoder, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected sets of pairs to fit a mix on, got none\. Name one"):
        fit_mix(fitting_encoder, [])
    turned = [f"{a}\t{b}\t{1 - int(label)}\t{split}" for a, b, label, split in (row.split("\t") for row in lines())]
    with pytest.raises(EvaluationError, match=r"related pairs of turned; got weights of -.* and -.*\. Look at"):
        fit_mix(fitting_encoder, [pair_set(tmp_path / "turned", turned)])
    with pytest.raises(EvaluationError, match="in the split valid"):
        fit_mix(fitting_encoder, [pair_set(tmp_path / "few", [row for row in lines() if row.endswith("train")])])


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
