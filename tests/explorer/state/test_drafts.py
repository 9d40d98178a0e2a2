"""What was read of a text, a file, an example or a link, before and after it is searched with."""

from __future__ import annotations

import pytest

from tests.explorer.conftest import Start, page_text
from tests.explorer.search.hits import titles


@pytest.mark.usefixtures("folder")
def test_a_draft_gives_way_to_another_query(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "where they were read wrongly" in page_text(test)
    del test.query_params["check"]
    test.query_params["example"] = "rewired-random-walk"
    test.run()
    assert not test.exception
    assert "where they were read wrongly" not in page_text(test) and titles(test)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("like", ["like", "unlike"])
def test_a_seed_that_the_library_lost_is_said_and_left_out(app: Start, like: str) -> None:
    test = app(example="rewired-random-walk", **{like: "stranger"})
    assert not test.exception
    assert "it does not hold stranger" in page_text(test)
    assert titles(test)
    assert like not in test.query_params


@pytest.mark.usefixtures("folder")
def test_an_example_that_there_is_not_is_said(app: Start) -> None:
    test = app(example="nobody")
    assert not test.exception
    assert "got 'nobody'. Choose one below" in page_text(test)
    assert "Or try an example" in [heading.value for heading in test.header]
    assert "example" not in test.query_params
