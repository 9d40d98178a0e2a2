"""A link that a page cannot restore as a whole says so on that page."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import page_text

PAGES = Path(__file__).resolve().parents[2] / "explorer"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", ["search", "compare", "map", "evaluate"])
def test_each_page_that_a_link_opens_says_what_it_lost(page: str) -> None:
    test = AppTest.from_file(str(PAGES / page / "view.py"), default_timeout=60)
    test.query_params["case"] = "x" * 5000
    test.run()
    assert not test.exception
    assert page_text(test).count("A part of this link could not be restored") == 1
    assert "A part of this link" not in page_text(test.run())
