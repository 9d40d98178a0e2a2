"""What a card says of an encoder, and how its weights were trained."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine import encoders
from engine.encoders import registry
from engine.evaluation import MeasuredQuality
from engine.evaluation.quality import Quality
from explorer.models import card
from explorer.models import card as encoder_card
from explorer.models.card import as_toml, codes_sentence, lowered, results_table
from explorer.state import handles
from tests.explorer.conftest import Start, open_card, page_text


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
    present = handles.workspace().encoder_card("student").fingerprint
    show(monkeypatch, student=(result("now", present, nDCG_10=0.4), result("before", "another", nDCG_10=0.3)))
    assert [row[2] for row in encoder_card.quality_rows("student")] == ["0.400"]


@pytest.mark.usefixtures("empty_folder")
def test_a_fitted_encoder_keeps_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, tfidf=(result(nDCG_10=0.349),))
    assert len(encoder_card.quality_rows("tfidf")) == 1


@pytest.mark.usefixtures("empty_folder")
def test_an_encoder_made_of_two_takes_the_room_of_both() -> None:
    parts = encoders.find("blend").joins
    assert parts == ("ctpe", "student") and not encoders.find("ctpe").joins
    own = sum(path.stat().st_size for path in (registry.PRETRAINED / "blend").iterdir())
    assert handles.workspace().encoder_bytes("blend") == own + sum(
        handles.workspace().encoder_bytes(part) for part in parts
    )
    assert "MB, with CTPE and Student" in encoder_card._size(handles.workspace().encoder_card("blend"))


def test_how_much_is_read_of_a_question_is_said_where_it_is_another_figure() -> None:
    assert encoder_card._reads(handles.workspace().encoder_card("student")) == "the first 96 tokens, of a question 256"
    assert encoder_card._reads(handles.workspace().encoder_card("keyvec")) == "the whole document"
    card = replace(handles.workspace().encoder_card("student"), max_tokens=256)
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


FACTS: dict[str, Any] = {
    "recipe": {"seed": 1, "data": {"metric": "MAP@20"}, "network": {"channels": 16}},
    "corpora_sha256": {"arxiv-subject": "0" * 64},
    "hardware": "a machine of a test",
    "left_out": {"a benchmark's query": 3},
    "curve": [
        {"epoch": 1, "loss": 0.0912, "scores": {"arxiv-subject": 0.101, "npl": 0.2}, "seconds": 100.0},
        {"epoch": 2, "loss": 0.0534, "scores": {"arxiv-subject": 0.127, "npl": 0.2}, "seconds": 80.0},
    ],
    "results": [{"benchmark": "arxiv-subject", "ndcg@10": 0.154, "P@20": 0.131}],
    "overlaps": ["No query stands in the training text."],
}


def _told(app: Start, monkeypatch: pytest.MonkeyPatch, facts: dict[str, Any]) -> AppTest:
    """The page with the card of `ctpe` open, as if these were the facts of its training."""
    monkeypatch.setattr(card, "shipped_facts", lambda name: facts if name == "ctpe" else {})
    test = open_card(app, "ctpe")
    test.session_state["training-ctpe"] = True
    test.run()
    assert not test.exception
    return test


@pytest.mark.usefixtures("folder")
def test_the_models_page_tells_how_shipped_weights_were_trained(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "shipped_facts", lambda name: FACTS if name == "ctpe" else {})
    test = open_card(app, "ctpe")
    assert not test.exception
    assert encoders.label("ctpe") in page_text(test)
    test.session_state["training-ctpe"] = True
    test.run()
    assert not test.exception
    assert len(test.get("vega_lite_chart")) == 2
    said = page_text(test)
    assert "Loss: 0.0912 after the first epoch, 0.0534 after the last of 2." in said
    assert "arxiv-subject: 0.101 after the first epoch, 0.127 after the last of 2." in said
    assert "MAP@20 on the validation queries" in said
    assert '<td class="ps-number">0.154</td>' in said
    assert "<dt>Left out</dt><dd>a benchmark's query: 3</dd>" in said
    assert "<dt>Time</dt><dd>3 min</dd>" in said
    assert "No query stands in the training text." in said
    assert "channels = 16" in "".join(block.value for block in test.code)


@pytest.mark.usefixtures("folder")
def test_long_tables_among_the_facts_are_told_by_their_length(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {f"word{number}": 0.2 for number in range(1_234)}
    mix = {"shares": {"paper, paper": {"words": 0.6}}, "common": words, "sets": ["acl-long", "pmc-long"]}
    facts = {**FACTS, "mix": mix}
    test = _told(app, monkeypatch, facts)
    said = page_text(test)
    shares = "shares (paper, paper (words: 0.600))"
    assert f"<dt>Mix</dt><dd>{shares}, common: 1,234 entries, sets: acl-long, pmc-long</dd>" in said
    assert "word7" not in said


@pytest.mark.usefixtures("folder")
def test_of_weights_between_two_both_trainings_are_told(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"commit": "0123abc", "between": {"share": 0.3, "of": [FACTS, {**FACTS, "documents": 77}]}}
    test = _told(app, monkeypatch, both)
    assert len(test.get("vega_lite_chart")) == 4
    said = page_text(test)
    assert "These weights lie 30% of the way from one trained transformer to another of the same shape." in said
    assert said.count("<dd>0123abc</dd>") == 1 and said.count("<dd>77</dd>") == 1
    assert "<dt>Between</dt>" not in said


@pytest.mark.usefixtures("folder")
def test_a_transformer_that_learnt_before_its_head_tells_how(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {**FACTS, "transformer": {**FACTS, "hardware": "another machine"}}
    test = _told(app, monkeypatch, facts)
    said = page_text(test)
    assert said.index("a machine of a test") < said.index("Its transformer, which learnt before")
    assert said.index("Its transformer, which learnt before") < said.index("another machine")
    assert "<dt>Transformer</dt>" not in said


@pytest.mark.usefixtures("folder")
def test_what_really_shipped_tells_how_it_was_trained(app: Start) -> None:
    shipped = [name for name in encoders.encoder_names() if registry.find(name).folder]
    test = open_card(app, shipped[0])
    for name in shipped:
        test.session_state[f"training-{name}"] = True
        test.selectbox(key="models-shown").select(name).run()
        assert not test.exception
        assert "<dt>Hardware</dt>" in page_text(test), name


def test_a_result_without_a_measure_has_a_dash() -> None:
    results = [
        {"benchmark": "arxiv-subject", "ndcg@10": 0.154},
        {"benchmark": "cacm", "ndcg@10": None, "queries": 1000},
    ]
    html = results_table(results)
    assert ">nDCG@10</th>" in html
    assert '<th scope="row">cacm</th><td class="ps-number">–</td><td class="ps-number">1,000' in html


def test_a_recipe_is_written_as_in_its_file() -> None:
    assert as_toml({"data": {"corpora": ["a"]}, "seed": 1}) == 'seed = 1\n\n[data]\ncorpora = ["a"]'
