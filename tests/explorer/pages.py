"""What tests of several pages do with a page, and what they read from it."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from engine.documents import Chunk
from engine.library import Library
from explorer.state.examples import EXAMPLE_PAIRS
from tests.documents.test_markup import HOSTILE
from tests.explorer.conftest import Start, page_html

PAIR = {"a": "example:car-coupling", "b": "example:duplex-telegraph-relay"}
COMPARED = {"a": f"example:{EXAMPLE_PAIRS[0].first}", "b": f"example:{EXAMPLE_PAIRS[0].second}"}
MARKDOWN = b"# Walks on graphs\n\n## Abstract\n\nA walk on a graph.\n\n## Method\n\nWe walk.\n"
EXAMPLE = "rewired-random-walk"
_ROW = re.compile('<button type="button" class="ps-hit".*?</button>', re.DOTALL)
_TITLE = re.compile('class="ps-hit-title">(.*?)</span>', re.DOTALL)


def rows(test: AppTest) -> list[str]:
    """Return the rows of the list, without those of documents that have just steered it."""
    return [row for row in _ROW.findall(page_html(test)) if "You asked for" not in row]


def titles(test: AppTest) -> list[str]:
    return [title for row in rows(test) for title in _TITLE.findall(row)]


def choose(test: AppTest, id_: str) -> AppTest:
    """Return the page with the details of another hit, as after a press on its row."""
    test.session_state["visit"] = dataclasses.replace(test.session_state["visit"], selected=id_)
    return test.run()


def part(app: Start, name: str, **link: str) -> AppTest:
    """Open the page with this part open, at a link whose parameters are given by name."""
    return app(part=name.lower(), **link).switch_page("explorer/library/view.py").run()


def charts(test: AppTest) -> list[dict[str, object]]:
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


def kept(folder: Path) -> dict[str, list[str]]:
    with Library.open(folder) as library:
        return {name: library.collections.ids(name) for name in library.collections.counts()}


def keep(folder: Path, name: str, *ids: str) -> None:
    with Library.open(folder) as library:
        library.collections.add(name, ids)


def opened(test: AppTest, *keys: str) -> AppTest:
    """Return the page with some popovers and rows open."""
    for key in keys:
        test.session_state[key] = True
    return test.run()


def chunk(text: str) -> Chunk:
    return Chunk("d", 0, HOSTILE, 0, len(text), text)
