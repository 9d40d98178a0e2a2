"""What an encoder's card says on a page, before and after it has read the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import registry
from engine.errors import StorageError
from explorer.shared import encoder_facts
from tests.explorer.conftest import Start, page_text


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_is_chosen_stands_in_the_link_with_its_card(app: Start) -> None:
    test = app()
    assert registry.card("tfidf").summary in page_text(test)
    test.selectbox(key="option-encoder").select("word2vec-mean").run()
    assert not test.exception
    assert test.query_params["encoder"] == "word2vec-mean"
    said = page_text(app(encoder="word2vec-mean"))
    assert registry.card("word2vec-mean").summary in said
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
    assert encoder_facts.encoder_card("tfidf").dim == 0
    with pytest.raises(StorageError, match="Expected an encoder of format"):
        registry.load("tfidf", folder=folder / "encoders" / "tfidf")
