"""The models page as its visitor uses it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from explorer.state.encoder_names import encoder_names, short
from tests.explorer.conftest import Start, page_text


def open_page(app: Start, name: str) -> AppTest:
    return app().switch_page(f"explorer/{name}/view.py").run()


@pytest.mark.usefixtures("folder")
def test_the_models_page_compares_all_and_picks_one(app: Start) -> None:
    test = open_page(app, "models")
    assert not test.exception
    for name in encoder_names():
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
