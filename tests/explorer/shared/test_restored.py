"""A link that a page restored in part."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.search.hits import titles


@pytest.mark.usefixtures("folder")
def test_a_link_that_cannot_be_restored_as_a_whole_says_so_once(app: Start) -> None:
    said = "A part of this link could not be restored"
    test = app(example="rewired-random-walk", venue="<b>" * 400)
    assert not test.exception
    assert page_text(test).count(said) == 1
    assert titles(test)
    assert "<b>" not in page_html(test)
    assert said not in page_text(test.run())
    assert said not in page_text(app(example="rewired-random-walk", venue="Annals of Walks", rank="default"))


PAGES = Path(__file__).resolve().parents[3] / "explorer"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", ["search", "compare", "map", "evaluate"])
def test_each_page_that_a_link_opens_says_what_it_lost(page: str) -> None:
    test = AppTest.from_file(str(PAGES / page / "view.py"), default_timeout=60)
    test.query_params["case"] = "x" * 5000
    test.run()
    assert not test.exception
    assert page_text(test).count("A part of this link could not be restored") == 1
    assert "A part of this link" not in page_text(test.run())
