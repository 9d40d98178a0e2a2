"""The blend of two encoders: its settings, the contract, its similarity by hand, short questions, storage."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError, StorageError
from engine.documents import Document, text
from engine.documents.questions import SHORT_BELOW_TOKENS
from engine.encoders import registry, storage
from engine.encoders.base import Encoder
from engine.encoders.blend import BlendEncoder
from engine.encoders.blend_settings import LARGE, METHOD, NAME, BlendSettings, name_of, summary_of
from engine.encoders.ctpe.settings import CtpeSettings
from engine.encoders.tfidf import TfidfEncoder
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.ctpe import tiny as ctpe
from tests.encoders.tiny_student import tiny as student

SETTINGS = BlendSettings(weight=0.5, short_weight=0.1, short_below_tokens=8)


QUESTION = Document("question", title="Which boiler needs a valve?")


def blend(settings: BlendSettings = SETTINGS, *, similarity: str = "whole") -> BlendEncoder:
    coupled = ctpe.averaging(CtpeSettings(similarity=similarity, whole_below_tokens=8))
    return BlendEncoder(coupled, student(), settings)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return blend()


class TestContractOfCoupledHalves(EncoderContract):
    """The first encoder changes its halves over between queries and documents."""

    @pytest.fixture
    def encoder(self) -> Encoder:
        return blend(similarity="coupled")


def test_one_product_weighs_both_similarities() -> None:
    encoder = blend()
    documents = corpus()[:6]
    coupled, general = ctpe.averaging(CtpeSettings(similarity="whole", whole_below_tokens=8)), student()
    for query, weight in ((documents[0], 0.5), (QUESTION, 0.1)):
        found = encoder.encode_queries([query]) @ encoder.encode_documents(documents).T
        parts = [one.encode_queries([query]) @ one.encode_documents(documents).T for one in (coupled, general)]
        lengths = np.sqrt(weight**2 / 0.5 + 1) * np.sqrt(0.5 + 1)
        np.testing.assert_allclose(found, (weight * parts[0] + parts[1]) / lengths, atol=1e-2)


def test_a_document_is_as_near_to_itself_as_can_be() -> None:
    encoder = blend()
    rows = encoder.encode_documents(corpus()[:3])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-2)
    np.testing.assert_allclose(np.sum(encoder.encode_queries(corpus()[:3]) * rows, axis=1), 1, atol=1e-2)


def test_a_short_document_remembers_how_it_asks() -> None:
    encoder = blend()
    documents = [QUESTION, *corpus()[:2]]
    np.testing.assert_allclose(
        encoder.as_queries(encoder.encode_documents(documents)), encoder.encode_queries(documents), atol=1e-3
    )
    assert encoder.encode_documents([QUESTION])[0, -1] > 0
    assert encoder.encode_documents(corpus()[:1])[0, -1] == 0
    never = blend(BlendSettings(short_below_tokens=0))
    assert never.encode_documents([QUESTION])[0, -1] == 0


def test_in_a_passage_that_cites_the_coupled_encoder_counts_what_was_chosen_for_it(tmp_path: Path) -> None:
    told = blend(replace(SETTINGS, passage_weight=0.3))
    words = "Walks on graphs mix fast, as was shown for expanders of every degree"
    passage, plain = (Document("p", "query", abstract=f"{words}{mark}.") for mark in (" [3]", ""))
    asked = [passage, plain, replace(passage, kind="paper"), QUESTION, Document("s", "query", abstract="Mix fast [3].")]
    np.testing.assert_allclose(told.query_weights(asked), [0.3, 0.5, 0.5, 0.1, 0.1])
    np.testing.assert_allclose(blend().query_weights(asked), [0.5, 0.5, 0.5, 0.1, 0.1])
    documents = corpus()[:6]
    np.testing.assert_array_equal(told.encode_documents(documents), blend().encode_documents(documents))
    found = told.encode_queries([passage]) @ told.encode_documents(documents).T
    as_weighed = blend(replace(SETTINGS, short_weight=0.3, short_below_tokens=100)).encode_queries([passage])
    np.testing.assert_allclose(found, as_weighed @ blend().encode_documents(documents).T, atol=1e-6)
    assert told.card.fingerprint != blend().card.fingerprint
    told.save(tmp_path / "blend")
    assert BlendEncoder.load(tmp_path / "blend").settings.passage_weight == pytest.approx(0.3)


def test_a_paper_and_a_patent_ask_each_by_its_own_weight_and_remember_it(tmp_path: Path) -> None:
    told = blend(replace(SETTINGS, paper_weight=0.2))
    paper = corpus()[0]
    patent, text = replace(paper, id="patent", kind="patent"), replace(paper, id="text", kind="query")
    asked = [paper, patent, text, QUESTION]
    np.testing.assert_allclose(told.query_weights(asked), [0.2, 0.5, 0.2, 0.1])
    rows = told.encode_documents(asked)
    np.testing.assert_array_equal(np.sign(rows[:, -1]), [0, -1, 0, 1])
    np.testing.assert_allclose(told.as_queries(rows), told.encode_queries(asked), atol=1e-3)
    np.testing.assert_array_equal(rows, blend().encode_documents(asked))
    told.save(tmp_path / "blend")
    loaded = BlendEncoder.load(tmp_path / "blend").settings
    assert loaded.paper_weight == pytest.approx(0.2) and loaded.passage_weight == pytest.approx(0.5)


def test_which_half_met_which_is_said_by_the_coupled_encoder() -> None:
    encoder = blend()
    query, *documents = corpus()[:3]
    coupled = ctpe.averaging(CtpeSettings(similarity="whole", whole_below_tokens=8))
    met = encoder.couplings(query, documents, encoder.encode_documents(documents))
    wanted = coupled.couplings(query, documents, coupled.encode_documents(documents))
    for ours, theirs in zip(met, wanted, strict=True):
        assert [(a.query_part, a.document_part) for a in ours] == [(b.query_part, b.document_part) for b in theirs]
        assert [a.similarity for a in ours] == pytest.approx([b.similarity for b in theirs], abs=1e-6)
    assert encoder.operations(documents) == coupled.operations(documents) + student().operations(documents)


def test_the_card_speaks_of_both() -> None:
    encoder = blend()
    coupled = ctpe.averaging(CtpeSettings(similarity="whole", whole_below_tokens=8))
    assert encoder.card.dim == coupled.card.dim + student().card.dim + 1
    assert encoder.card.max_tokens == max(coupled.card.max_tokens or 0, student().card.max_tokens or 0)
    assert encoder.card.fingerprint != blend(BlendSettings(weight=2)).card.fingerprint


def test_parts_may_lie_in_the_folder_or_beside_it(tmp_path: Path) -> None:
    encoder = blend()
    encoder.save(tmp_path / "whole")
    assert registry.load_folder(tmp_path / "whole").card == encoder.card
    encoder.save_beside(tmp_path / "blend")
    with pytest.raises(StorageError):
        BlendEncoder.load(tmp_path / "blend")
    for name in ("ctpe", "student"):
        (tmp_path / "whole" / name).rename(tmp_path / name)
    assert BlendEncoder.load(tmp_path / "blend").card == encoder.card


def test_other_parts_than_the_cards_are_refused(tmp_path: Path) -> None:
    encoder = blend()
    encoder.save(tmp_path / "blend")
    ctpe.averaging(CtpeSettings(similarity="whole", whole_below_tokens=9)).save(tmp_path / "blend" / "ctpe")
    with pytest.raises(StorageError, match="a blend of the encoders"):
        BlendEncoder.load(tmp_path / "blend")


@pytest.mark.parametrize("name", ["../ctpe", "/ctpe", "a/b"])
def test_a_part_outside_of_the_folders_is_refused(name: str, tmp_path: Path) -> None:
    blend(BlendSettings(coupled=name)).save_beside(tmp_path / "blend")
    with pytest.raises(StorageError, match="Expected the name of a folder in"):
        BlendEncoder.load(tmp_path / "blend")


def test_sparse_encoders_and_wrong_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="Expected encoders of dense rows, got tfidf of sparse ones"):
        BlendEncoder(TfidfEncoder.fit(corpus()), student())
    broken = blend()
    broken.settings = replace_unchecked(broken.settings, weight=-1.0)
    broken._keep(storage.StoredWeights(METHOD, broken._arrays, broken._names, broken._shape), broken.card, {})
    broken.save(tmp_path / "blend")
    with pytest.raises(StorageError, match="weight must be above 0"):
        BlendEncoder.load(tmp_path / "blend")


def replace_unchecked(settings: BlendSettings, *, weight: float) -> BlendSettings:
    changed = replace(settings)
    object.__setattr__(changed, "weight", weight)
    return changed


@pytest.mark.parametrize(
    ("general", "name"), [("student", "blend"), ("student-large", "blend-large"), ("lsa", "blend")]
)
def test_a_blend_with_the_large_student_has_a_name_of_its_own(general: str, name: str, tmp_path: Path) -> None:
    encoder = blend(replace(SETTINGS, general=general))
    encoder.save(tmp_path / "saved")
    assert encoder.card.name == name
    assert BlendEncoder.load(tmp_path / "saved").card == encoder.card
    assert ("six layers" in encoder.card.summary) == (name == "blend-large")


def test_values_outside_their_ranges_are_refused() -> None:
    for settings, said in (
        ({"weight": 0}, "weight must be above 0, got 0"),
        ({"short_weight": -1}, "short_weight must not be negative, got -1"),
        ({"short_below_tokens": -1}, "short_below_tokens must not be negative, got -1"),
        ({"passage_weight": -1}, "passage_weight must not be negative, got -1"),
        ({"paper_weight": -1}, "paper_weight must not be negative, got -1"),
        ({"coupled": "ctpe", "general": "ctpe"}, "must be two folders, got 'ctpe' twice"),
        ({"stored": "int3"}, "stored must be one of"),
    ):
        with pytest.raises(ValueError, match=said):
            BlendSettings(**settings)
    with pytest.raises(ValueError, match="weight must be above 0, got -2; short_weight must not be negative, got -1"):
        BlendSettings(weight=-2, short_weight=-1)


def test_values_at_the_ends_of_their_ranges_are_taken() -> None:
    edge = BlendSettings(weight=1e-9, short_weight=0, short_below_tokens=0, passage_weight=0, stored="float16")
    assert (edge.passage_weight, BlendSettings().passage_weight) == (0, None)
    assert BlendSettings().short_below_tokens == SHORT_BELOW_TOKENS, "one limit says what a short question is"


@pytest.mark.parametrize(("general", "name"), [("student", NAME), ("student-large", LARGE), ("lsa", NAME)])
def test_the_general_encoder_names_the_blend(general: str, name: str) -> None:
    assert name_of(general) == name


def test_each_blend_is_told_apart_in_two_sentences() -> None:
    assert summary_of(NAME) != summary_of(LARGE)
    assert "six layers" in summary_of(LARGE)
    assert summary_of("another") == summary_of(NAME)
    for name in (NAME, LARGE):
        assert registry.ENTRIES[name].summary == summary_of(name)
        assert len(text.sentences(summary_of(name))) == 2
