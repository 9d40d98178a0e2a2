"""A document of the visitor's own outlives F5, a second window and a restart, and no link or log holds a word of it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.app import Visitor, serving

pytestmark = pytest.mark.browser

TITLE, WORD = "Zyxquartz walks on graphs", "zyxquartz"
PAPER = f"""# {TITLE}

## Abstract

How long a {WORD} walk needs to mix on a graph that rewires itself.

## Method

We bound the conductance of every {WORD} graph.
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(PAPER, "utf-8")
    return path


def link(visitor: Visitor) -> dict[str, list[str]]:
    """The parameters of the address; no part of it holds a word of the document."""
    address = visitor.driver.current_url
    assert WORD not in address.lower() and "conductance" not in address.lower()
    return parse_qs(urlsplit(address).query)


def named(visitor: Visitor, parameter: str) -> str:
    """The key that the link holds under a parameter, once it is there."""
    visitor.until(lambda _: parameter in link(visitor), f"expected {parameter} in the link")
    key = link(visitor)[parameter][0]
    assert re.fullmatch("(own:)?[0-9a-f]{32}", key)
    return key


def searched(visitor: Visitor, text: str) -> None:
    """Wait until the query of this text is searched with."""
    visitor.shows(".ps-query", text)
    visitor.find(".st-key-new-search")


@pytest.mark.usefixtures("mapped")
def test_an_upload_outlives_f5_a_window_and_a_restart(visitor: Visitor, paper: Path, library: Path) -> None:
    driver = visitor.driver
    visitor.open()
    visitor.upload(paper)
    visitor.sees("Check what was read")
    named(visitor, "check")
    driver.refresh()
    visitor.sees("Check what was read")  # before it was searched with
    visitor.press("ask")
    searched(visitor, TITLE)
    key = named(visitor, "own")
    driver.refresh()
    searched(visitor, TITLE)
    visitor.open(f"map?own={key}")  # a new session, as after F5
    visitor.shows(".st-key-map-query", TITLE)
    visitor.open(f"compare?a=own:{key}&b=example:rewired-random-walk")
    visitor.shows(".st-key-side-a", TITLE)
    assert named(visitor, "a") == f"own:{key}"
    window = driver.current_window_handle
    driver.switch_to.new_window("tab")
    visitor.open(f"?own={key}")
    searched(visitor, TITLE)
    driver.close()
    driver.switch_to.window(window)
    with serving(library, library.parent / "restarted.log") as address:
        driver.get(f"{address}/?own={key}")
        searched(visitor, TITLE)
        driver.get(f"{address}/")
        visitor.shows(".st-key-recent", TITLE)  # and it stands among the recent searches
    for log in ("app.log", "restarted.log"):
        assert WORD not in (library.parent / log).read_text("utf-8").lower()


def test_a_pasted_text_goes_by_its_key_and_back_restores_it(newcomer: Visitor, library: Path) -> None:
    visitor = newcomer
    visitor.open()
    visitor.paste(f"How does a {WORD} walk mix on a graph?")
    searched(visitor, WORD)
    first = named(visitor, "own")
    visitor.press("new-search")
    visitor.until(lambda _: "own" not in link(visitor), "expected the empty page's link")
    visitor.paste("How much does a railway car weigh?")
    searched(visitor, "railway car")
    visitor.until(lambda _: link(visitor).get("own", [first])[0] != first, "expected another key")
    visitor.driver.back()
    searched(visitor, WORD)
    visitor.until(lambda _: link(visitor).get("own") == [first], "expected the link of before")
    visitor.driver.refresh()
    searched(visitor, WORD)
    assert WORD not in (library.parent / "app.log").read_text("utf-8").lower()


def test_a_document_that_is_not_here_is_missed_in_words(visitor: Visitor) -> None:
    visitor.open(f"?own={'0' * 32}")
    visitor.sees("This link names a document of your own that is not on this machine")
    visitor.sees("Upload or paste it again.")
