"""What an encoder's card says on a page, before and after it has read the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.encoders import registry
from explorer.shared import encoder_facts
from tests.explorer.conftest import Start, page_text


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
