"""Choosing an encoder beside a search."""

from __future__ import annotations

import pytest

from engine.encoders import registry
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
