"""Encoders by the names that people use."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import registry
from explorer.state.encoder_names import encoder_name, encoder_names, offered, search_names, short, spoken
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.explorer.conftest import Start, open_card, page_text


@pytest.mark.usefixtures("folder")
def test_encoders_have_names_for_people_and_the_default_is_marked(app: Start) -> None:
    test = app()
    options = test.selectbox(key="option-encoder").options
    assert options == [offered(name) for name in search_names()]
    assert [option for option in options if option.endswith("(default)")] == [options[0]]
    assert spoken("tfidf") == "TF-IDF"
    assert spoken("a new one") == "a new one"
    assert short("ctpe") == "CTPE"


@pytest.mark.usefixtures("folder")
def test_an_encoder_for_two_documents_is_no_choice_to_search_by(
    app: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "pretrained"
    shipped.mkdir()
    for path in registry.PRETRAINED.iterdir():
        if path.name != "colde":
            (shipped / path.name).symlink_to(path)
    monkeypatch.setattr(registry, "PRETRAINED", shipped)
    tiny.encoder(write_tiny_transformer(tmp_path / "model")).save(shipped / "colde")
    assert "colde" in encoder_names()
    assert encoder_name("colde") == registry.DEFAULT
    test = app()
    assert spoken("colde") not in " ".join(test.selectbox(key="option-encoder").options)
    test = open_card(app, "colde")
    assert not test.exception
    said = page_text(test)
    assert spoken("colde") in said
    assert registry.card("colde").summary in said
    assert "Compares two documents; a library is not searched by it." in said
    assert {button.key for button in test.button} & {"use-colde", "measure-colde"} == set()
    assert "use-tfidf" in {button.key for button in open_card(app, "tfidf").button}
