"""What a card says of an encoder."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.encoders import registry
from engine.evaluation import MeasuredQuality
from engine.evaluation.quality import Quality
from explorer.models import card as encoder_card
from explorer.models.card import codes_sentence, lowered
from explorer.shared import encoder_facts


def result(
    benchmark: str = "cranfield", fingerprint: str = "", *, hidden: bool = False, **figures: float
) -> MeasuredQuality:
    bm25 = figures.pop("bm25", None)
    named = {name.replace("_", "@"): figure for name, figure in figures.items()}
    return MeasuredQuality(benchmark, "all", 1225, hidden, fingerprint, named, bm25)


def show(monkeypatch: pytest.MonkeyPatch, **results: tuple[MeasuredQuality, ...]) -> None:
    held = Quality({name.replace("_", "-"): found for name, found in results.items()}, {}, {})
    monkeypatch.setattr(encoder_card, "read_quality", lambda: held)


def test_quality_is_told_beside_bm25(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = result(nDCG_10=0.349, P_20=0.142, bm25=0.35)
    show(monkeypatch, tfidf=(plain, result(hidden=True, nDCG_10=0.36)), word2vec_sif=(result("my-own", P_20=0.1),))
    name = "Cranfield: questions on aerodynamics (cranfield)"
    assert encoder_card.quality_rows("tfidf") == [
        (name, "all, 1,225", "0.349", "–", "0.142", "–", "0.350"),
        (f"{name}, the citing paper itself left out", "all, 1,225", "0.360", "–", "–", "–", "–"),
    ]
    assert encoder_card.quality_rows("word2vec-sif") == [("my-own", "all, 1,225", "–", "–", "0.100", "–", "–")]
    assert encoder_card.quality_rows("lsa") == []


def test_figures_of_other_weights_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    present = encoder_facts.encoder_card("student").fingerprint
    show(monkeypatch, student=(result("now", present, nDCG_10=0.4), result("before", "another", nDCG_10=0.3)))
    assert [row[2] for row in encoder_card.quality_rows("student")] == ["0.400"]


@pytest.mark.usefixtures("empty_folder")
def test_a_fitted_encoder_keeps_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, tfidf=(result(nDCG_10=0.349),))
    assert len(encoder_card.quality_rows("tfidf")) == 1


@pytest.mark.usefixtures("empty_folder")
def test_an_encoder_made_of_two_takes_the_room_of_both() -> None:
    parts = encoder_facts.joined_encoders("blend")
    assert parts == ("ctpe", "student") and not encoder_facts.joined_encoders("ctpe")
    own = sum(path.stat().st_size for path in (registry.PRETRAINED / "blend").iterdir())
    assert encoder_facts.encoder_bytes("blend") == own + sum(map(encoder_facts.encoder_bytes, parts))
    assert "MB, with CTPE and Student" in encoder_card._size(encoder_facts.encoder_card("blend"))


def test_how_much_is_read_of_a_question_is_said_where_it_is_another_figure() -> None:
    assert encoder_card._reads(encoder_facts.encoder_card("student")) == "the first 96 tokens, of a question 256"
    assert encoder_card._reads(encoder_facts.encoder_card("keyvec")) == "the whole document"
    card = replace(encoder_facts.encoder_card("student"), max_tokens=256)
    assert encoder_card._reads(card) == "the first 256 tokens"


def test_a_model_cards_headings_stand_under_the_encoders_and_its_code_stays() -> None:
    card = "# CTPE\n\n## Use\n\n```sh\n# a comment\n```\n\n### More"
    assert lowered(card) == "### CTPE\n\n#### Use\n\n```sh\n# a comment\n```\n\n##### More"


def test_the_sentence_has_the_recall_of_a_library_at_least_as_large() -> None:
    assert "find 98.7 % of the ten nearest documents (recall@10, measured with ctpe on 100,000)" in codes_sentence(
        60_000
    )
    assert "find 93.9 % of" in codes_sentence(100_001)
    assert "find 93.9 % of" in codes_sentence(9_000_000)
