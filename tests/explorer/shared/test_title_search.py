"""Finding documents of the library by words of their titles."""

from __future__ import annotations

import pytest

from tests.explorer.conftest import Start, page_text
from tests.explorer.search.hits import titles


@pytest.mark.usefixtures("folder")
def test_a_document_of_the_library_can_be_picked(app: Start) -> None:
    test = app()
    test.text_input(key="pick-words").set_value("cover").run()
    test.button(key="pick-p1").click().run()
    assert not test.exception
    assert test.query_params["doc"] == "p1"
    assert "Cover times of random walks" not in titles(test)
    assert "itself in the library" in page_text(test)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("typed", ["hopper", "Grace Hop", "p1"])
def test_a_document_is_found_by_its_author_or_id(app: Start, typed: str) -> None:
    test = app()
    test.text_input(key="pick-words").set_value(typed).run()
    assert test.button(key="pick-p1").label == "Find what is near"
