"""What the tests of the search page ask of it."""

from __future__ import annotations

import dataclasses
import re

from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import page_html

_ROW = re.compile('<button type="button" class="ps-hit".*?</button>', re.DOTALL)
_TITLE = re.compile('class="ps-hit-title">(.*?)</span>', re.DOTALL)


def rows(test: AppTest) -> list[str]:
    """The rows of the list, without those of documents that have just steered it."""
    return [row for row in _ROW.findall(page_html(test)) if "You asked for" not in row]


def titles(test: AppTest) -> list[str]:
    return [title for row in rows(test) for title in _TITLE.findall(row)]


def choose(test: AppTest, id_: str) -> AppTest:
    """The page with the details of another hit, as after a press on its row."""
    test.session_state["visit"] = dataclasses.replace(test.session_state["visit"], selected=id_)
    return test.run()
