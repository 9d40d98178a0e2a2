"""The Models page: the table of all rankings, what a card says of an encoder, and a model of the visitor's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine import encoders
from engine.core.errors import DownloadError
from engine.documents.markup import element
from engine.encoders import KeptModel, model_folder, registry
from engine.evaluation import MeasuredQuality
from engine.evaluation.quality import Quality
from explorer.models import card, own_model, view
from explorer.models import card as encoder_card
from explorer.models.card import as_toml, codes_sentence, lowered, results_table
from explorer.state import handles
from explorer.state.handles import short
from tests.encoders.tiny_sentences import write
from tests.explorer.conftest import Start, finished, open_card, page_text


def open_page(app: Start, name: str) -> AppTest:
    return app().switch_page(f"explorer/{name}/view.py").run()


@pytest.mark.usefixtures("folder")
def test_the_models_page_compares_all_and_picks_one(app: Start) -> None:
    test = open_page(app, "models")
    assert not test.exception
    for name in encoders.encoder_names():
        assert short(name) in page_text(test)
    assert test.selectbox(key="models-shown").value == "tfidf"  # in use
    test.selectbox(key="models-shown").set_value("lsa").run()
    test.button(key="use-lsa").click().run()
    assert not test.exception
    assert test.query_params["encoder"] == test.query_params["card"] == "lsa"
    assert test.button(key="use-lsa").disabled


@pytest.mark.usefixtures("folder")
def test_speed_is_measured_on_the_library(app: Start) -> None:
    test = open_page(app, "models")
    test.selectbox(key="models-shown").set_value("tfidf").run()
    test.button(key="measure-tfidf").click().run()
    assert not test.exception
    assert "documents a second, measured on 6 of your library" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_the_model_card_of_shipped_weights_can_be_read(app: Start) -> None:
    test = open_page(app, "models")
    test.selectbox(key="models-shown").set_value("word2vec-mean").run()
    test.session_state["notes-word2vec-mean"] = True
    test.run()
    assert not test.exception
    assert any("model card" in block.value for block in test.markdown)


@pytest.mark.usefixtures("folder")
def test_a_link_opens_a_card_and_an_unknown_one_opens_the_card_in_use(app: Start) -> None:
    def shown(card: str) -> object:
        return app(card=card).switch_page("explorer/models/view.py").run().selectbox(key="models-shown").value

    assert shown("lsa") == "lsa"
    assert shown("none-of-ours") == "tfidf"


def ranked(
    benchmark: str, figure: float, *, part: str = "all", fingerprint: str = "", hidden: bool = False
) -> MeasuredQuality:
    return MeasuredQuality(benchmark, part, 10, hidden, fingerprint, {"nDCG@10": figure}, None)


def show_table(monkeypatch: pytest.MonkeyPatch, **results: tuple[MeasuredQuality, ...]) -> None:
    held = Quality(results, {}, {"tfidf": 3816.1, "blend": 150.5})
    monkeypatch.setattr(view, "read_quality", lambda: held)


@pytest.mark.usefixtures("empty_folder")
def test_every_ranking_has_a_row_the_default_first() -> None:
    made = view.overview_rows()
    assert [row[0] for row in made] == ["Both (default)", "Keywords", *map(short, encoders.encoder_names())]
    assert all(row[1].endswith(".") for row in made)


@pytest.mark.usefixtures("empty_folder")
def test_the_shipped_figures_show_the_default_and_the_keywords() -> None:
    for name in ("default", "keywords", encoders.encoder_names()[0]):
        assert all(view.task_figure(name, sets) for sets in view._TASKS.values())


@pytest.mark.usefixtures("empty_folder")
def test_a_task_is_the_mean_of_its_sets_and_the_best_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = tuple(ranked(name, figure) for name, figure in (("cranfield", 0.3), ("cacm", 0.4), ("npl", 0.5)))
    show_table(
        monkeypatch,
        tfidf=(ranked("arxiv-subject", 0.1), *questions),
        lsa=(ranked("arxiv-subject", 0.2), *questions[1:]),
    )
    by_name = {row[0]: row for row in view.overview_rows()}
    best = element("strong", "0.400")
    assert by_name["TF-IDF"][2:7] == ("0.100", "–", "–", best, "3,816")
    assert by_name["LSA"][2:7] == (element("strong", "0.200"), "–", "–", "–", "–")
    assert by_name["Both (default)"][6] == "150"  # it reads with the default encoder


@pytest.mark.usefixtures("empty_folder")
def test_only_all_queries_of_the_shipped_weights_count(monkeypatch: pytest.MonkeyPatch) -> None:
    present = handles.workspace().encoder_card("ctpe").fingerprint
    others = (
        ranked("arxiv-subject", 0.1, part="test", fingerprint=present),
        ranked("arxiv-subject", 0.2, fingerprint="of other weights"),
        ranked("arxiv-subject", 0.3, fingerprint=present, hidden=True),
    )
    show_table(monkeypatch, ctpe=others)
    assert view.task_figure("ctpe", ("arxiv-subject",)) is None
    show_table(monkeypatch, ctpe=(*others, ranked("arxiv-subject", 0.4, fingerprint=present)))
    assert view.task_figure("ctpe", ("arxiv-subject",)) == 0.4


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
    assert "These weights lie 30\xa0% of the way from one trained transformer to another of the same shape." in said
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


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    folder = write(tmp_path / "tiny")
    (folder / "README.md").write_text("---\nlicense: mit\n---\n![picture](https://example.org/a.png)\n")
    return folder


@pytest.mark.usefixtures("folder")
def test_a_model_is_looked_at_measured_offered_used_and_removed(
    app: Start, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = app().switch_page("explorer/models/view.py").run()
    test.text_input(key="own-model-place").set_value(str(tiny))
    test.button(key="own-model-look").click().run()
    assert not test.exception
    assert "<dt>Licence</dt><dd>mit</dd>" in page_text(test)
    assert not KeptModel.read_all()  # nothing is loaded or kept before it is asked for
    test = finished(test.button(key="own-model-measure-found").click().run())
    assert not test.exception
    said = page_text(test)
    assert "The small set that comes with Priorscope: 12 questions over 60 documents" in said
    assert "not offered yet" in said and "Documents a second here" in said
    assert "keywords count 0.75 where tiny counts 1, as beside the sentence encoders that come with" in said
    assert "tiny" not in registry.search_names()
    test.button(key="own-model-offer-tiny").click().run()
    assert not test.exception and "tiny" in registry.search_names()
    test.selectbox(key="models-shown").set_value("tiny").run()
    test.session_state["notes-tiny"] = True
    test.run()
    assert any("https://example.org/a.png" in block.value for block in test.code)  # shown as written, never fetched
    assert not any("example.org" in block.value for block in test.markdown)
    test.button(key="use-tiny").click().run()
    assert test.query_params["encoder"] == "tiny"
    row = next(row for row in view.overview_rows() if row[0] == "tiny")
    assert row[2] == "–" and row[6] == f"{view.own_speed('tiny'):,.0f}" and row[7] == "128"
    test.button(key="own-model-remove-tiny").click().run()
    assert not test.exception and not KeptModel.read_all()


@pytest.mark.usefixtures("folder", "tiny")
def test_a_hub_that_cannot_be_reached_is_told_on_the_page(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> None:
        raise DownloadError(f"Expected to reach the Hugging Face hub for {name}; it cannot be reached.")

    monkeypatch.setattr(model_folder, "local_folder", lambda name: None)
    monkeypatch.setattr(model_folder, "facts_on_hub", fails)
    test = app().switch_page("explorer/models/view.py").run()
    test.text_input(key="own-model-place").set_value("owner/model")
    test.button(key="own-model-look").click().run()
    assert "Expected to reach the Hugging Face hub for owner/model; it cannot be reached." in page_text(test)


@pytest.mark.usefixtures("folder")
def test_only_questions_with_answers_are_offered(tiny: Path) -> None:
    assert own_model.offered_questions() == ["small", "subjects"]
    library = handles.library()
    library.judgements.judge(next(iter(library.iter_documents())), "p2", 1)
    assert own_model.offered_questions() == ["small", "judged", "subjects"]
