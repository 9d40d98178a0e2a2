"""An encoder beside a search: its choice, what its card says, and what is offered until it has read the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.encoders import registry
from engine.workspace import Workspace
from explorer.state import handles
from tests.explorer.conftest import Start, finished, page_text
from tests.explorer.pages import titles


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_is_chosen_stands_in_the_link_with_its_card(app: Start) -> None:
    test = app()
    assert registry.find("tfidf").card.summary in page_text(test)
    test.selectbox(key="option-encoder").select("word2vec-mean").run()
    assert not test.exception
    assert test.query_params["encoder"] == "word2vec-mean"
    said = page_text(app(encoder="word2vec-mean"))
    assert registry.find("word2vec-mean").card.summary in said
    assert "<dt>Vector</dt><dd>100 numbers, 4 bytes each</dd>" in said
    assert "<dt>Trained on</dt><dd>arXiv abstracts, ACM papers, patent abstracts, patents</dd>" in said
    assert "<dt>Licence</dt><dd>Apache-2.0</dd>" in said
    assert "<dt>Your library</dt><dd>not encoded yet</dd>" in said


@pytest.mark.usefixtures("folder")
def test_the_card_of_an_encoder_that_learnt_from_the_library_says_so(app: Start) -> None:
    said = page_text(app())
    assert "<dt>Trained on</dt><dd>your library</dd>" in said
    assert "<dt>Vector</dt><dd>a number for each of" in said
    assert "<dt>Your library</dt><dd>encoded, " in said


def test_a_damaged_card_is_that_of_an_encoder_yet_to_learn(folder: Path) -> None:
    (folder / "encoders" / "tfidf" / "card.json").write_text("{}")
    assert handles.workspace().encoder_card("tfidf").dim == 0
    with pytest.raises(StorageError, match="Expected an encoder of format"):
        registry.load("tfidf", folder=folder / "encoders" / "tfidf")


def test_damaged_vectors_can_be_made_anew(folder: Path, app: Start) -> None:
    for path in folder.glob("vectors/tfidf/*/rows.safetensors"):
        path.write_bytes(b"no rows")
    test = app(example="rewired-random-walk")
    assert not test.exception
    assert "vectors are damaged" in page_text(test)
    test.button(key="prepare").click().run()
    assert not test.exception
    assert titles(finished(test))


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_has_not_read_the_library_offers_to(app: Start) -> None:
    test = app(example="rewired-random-walk", encoder="lsa")
    assert "has not read your library yet" in page_text(test)
    test.button(key="prepare").click().run()
    assert not test.exception
    assert titles(finished(test))


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_has_not_read_the_library_says_what_that_costs(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = {None: "how long is being measured", 2.1: "about 5 s", 42.0: "about 40 s", 300.0: "about 5 min"}
    for seconds, said in costs.items():
        monkeypatch.setattr(Workspace, "reading_seconds", lambda self, name, seconds=seconds: seconds)
        test = app(encoder="lsa")
        assert not test.exception
        assert f"The encoder needs to read 6 documents once ({said}" in page_text(test)
        assert "Every page can be used meanwhile." in page_text(test)


@pytest.mark.usefixtures("folder")
def test_the_library_is_encoded_from_the_first_page(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workspace, "reading_seconds", lambda self, name: 0.0)
    test = app(encoder="lsa")
    assert "The encoder needs to read 6 documents once. Every page" in page_text(test)
    test = finished(test.button(key="prepare").click().run())
    assert not test.exception
    assert "Your library is encoded with LSA." in page_text(test)
    assert "has not read your library yet" not in page_text(test)
    assert "<dt>Your library</dt><dd>encoded, " in page_text(test)


@pytest.mark.usefixtures("folder")
def test_keywords_need_no_encoder(app: Start) -> None:
    test = app(encoder="lsa")
    test.button(key="use-keywords").click().run()
    assert test.query_params["rank"] == "keywords"
    assert "has not read your library yet" not in page_text(test)
