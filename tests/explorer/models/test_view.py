"""The models page as its visitor uses it, and the table of all rankings."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from engine import encoders
from engine.documents.markup import element
from engine.evaluation import MeasuredQuality
from engine.evaluation.quality import Quality
from explorer.models import view
from explorer.state import handles
from explorer.state.handles import short
from tests.explorer.conftest import Start, page_text


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


def result(
    benchmark: str, figure: float, *, part: str = "all", fingerprint: str = "", hidden: bool = False
) -> MeasuredQuality:
    return MeasuredQuality(benchmark, part, 10, hidden, fingerprint, {"nDCG@10": figure}, None)


def show(monkeypatch: pytest.MonkeyPatch, **results: tuple[MeasuredQuality, ...]) -> None:
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
    questions = tuple(result(name, figure) for name, figure in (("cranfield", 0.3), ("cacm", 0.4), ("npl", 0.5)))
    show(
        monkeypatch,
        tfidf=(result("arxiv-subject", 0.1), *questions),
        lsa=(result("arxiv-subject", 0.2), *questions[1:]),
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
        result("arxiv-subject", 0.1, part="test", fingerprint=present),
        result("arxiv-subject", 0.2, fingerprint="of other weights"),
        result("arxiv-subject", 0.3, fingerprint=present, hidden=True),
    )
    show(monkeypatch, ctpe=others)
    assert view.task_figure("ctpe", ("arxiv-subject",)) is None
    show(monkeypatch, ctpe=(*others, result("arxiv-subject", 0.4, fingerprint=present)))
    assert view.task_figure("ctpe", ("arxiv-subject",)) == 0.4
