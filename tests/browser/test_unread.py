"""A library that is read in part, in a browser: a list at every share, a count of now, and a way to read the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from selenium.webdriver import Chrome

from engine.core.progress import silent
from engine.documents import Document
from engine.encoders import registry
from engine.library import Library
from engine.workspace.indexing import open_vectors
from engine.workspace.reading_state import reading_alone
from tests.browser.app import Visitor, screen, serving

pytestmark = pytest.mark.browser

NAME = "word2vec-sif"
WALKS = [Document(f"w{n}", title=f"A random walk of its own kind, part {n}") for n in range(99)]
ASKED = f"?encoder={NAME}&text={quote('An elevated railway above the street, on columns and girders.')}"
LINE = ".st-key-reading-line"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("walks", "walks.jsonl", [*WALKS, Document("US1", "patent", title="Elevated railway")])
    return tmp_path / "library"


@pytest.fixture
def newcomer(library: Path, driver: Chrome) -> Iterator[Visitor]:
    """A visitor of an app that was started without a reading."""
    with serving(library, library.parent / "app.log") as address:
        yield Visitor(driver, address)
        driver.get("about:blank")


def test_there_is_a_list_at_every_share_and_the_rest_is_read_on_demand(library: Path, newcomer: Visitor) -> None:
    encoder = registry.load(NAME)
    with Library.open(library) as held:
        for share in (1, 10, 50, 99):
            index = open_vectors(held, encoder)
            some = WALKS[len(index) : share]
            index.add([one.id for one in some], encoder.encode_documents(some))
            with reading_alone(held, silent):
                newcomer.open(ASKED)
                newcomer.sees("It is being read now.")
                index.flush()
                newcomer.shows(LINE, f"Read so far: {share} % of your library; ")  # without a click
            newcomer.shows(LINE, "Read the rest")
            newcomer.rests()
            assert newcomer.texts("[data-id]")[0].split("\n")[1] == "Elevated railway"
            assert "Nothing in this library" not in newcomer.text() and "other subjects" not in newcomer.text()
            with screen(newcomer, 420, 900):
                width = newcomer.driver.execute_script("return document.documentElement.scrollWidth")
                assert width <= 420
    newcomer.press("read-rest")
    newcomer.until(lambda _: "Read so far" not in newcomer.text(), "expected the rest to be read")
    newcomer.rests()
    assert newcomer.texts("[data-id]")[0].split("\n")[1] == "Elevated railway"
