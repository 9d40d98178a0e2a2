"""Documents in a real browser: found, tagged, excluded, collected, and one's own kept after F5 and a restart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from engine.library import Library
from tests.browser import audit, axe
from tests.browser.app import Visitor, serving

pytestmark = pytest.mark.browser
TAG, REASON = "Of *one* case", "Wrong :red[topic] <b>"
NAME = "Prior art of *one* case"
TITLE, WORD = "Zyxquartz walks on graphs", "zyxquartz"

PAPER = f"""# {TITLE}

## Abstract

How long a {WORD} walk needs to mix on a graph that rewires itself.

## Method

We bound the conductance of every {WORD} graph.
"""


@pytest.fixture
def unwritten(library: Path) -> Iterator[None]:
    """Nothing is tagged or reviewed, whatever other tests of this library did, and these find it so."""
    _forget(library)
    yield
    _forget(library)


def _forget(library: Path) -> None:
    with Library.open(library) as opened:
        opened.annotations.untag(opened.ids(), TAG)
        for name in opened.reviews.counts():
            opened.reviews.delete(name)


def open_part(visitor: Visitor, name: str) -> None:
    def clicked(_: object) -> bool:
        tabs = visitor.driver.find_elements(By.CSS_SELECTOR, "[role='tab']")
        next(tab for tab in tabs if tab.text == name).click()
        return True

    visitor.sees(name)
    visitor.until(clicked, f"expected the part {name}")


def is_accessible(visitor: Visitor) -> None:
    """Every control has a name, no two the same among their groups, no heading is skipped, and texts are legible."""
    visitor.rests()
    visitor.until(lambda _: not audit.alike(visitor), f"expected controls to be told apart: {audit.alike(visitor)}")
    assert audit.named_by_icons(visitor) == []
    assert axe.findings(visitor) == []
    assert audit.faint(visitor) == []


@pytest.mark.usefixtures("unwritten")
def test_a_document_is_tagged_and_screened(visitor: Visitor) -> None:
    visitor.open("library")
    open_part(visitor, "Documents")
    visitor.press("open-document-0")
    visitor.find("[class*='st-key-tags-'] input").send_keys(TAG + Keys.ENTER)
    visitor.shows(".ps-document-row", TAG)
    is_accessible(visitor)

    open_part(visitor, "Screening")
    visitor.sees("No review has begun")
    visitor.driver.switch_to.active_element.send_keys("eil")  # nothing is decided unasked
    is_accessible(visitor)
    visitor.click_on("button", "Begin the review")
    visitor.shows(".ps-numbers", "Records identified")
    visitor.rests()
    assert "Undecided" in visitor.text() and "Reasons to exclude" not in visitor.text()
    first = visitor.texts(".st-key-to-screen .ps-title")
    visitor.find("input[aria-label='Reason to exclude']").send_keys(REASON)
    visitor.click(".st-key-exclude-screen button")  # without Enter: leaving the field is enough
    visitor.sees("Reasons to exclude (1)")
    is_accessible(visitor)
    visitor.until(lambda _: visitor.texts(".st-key-to-screen .ps-title") not in ([], first), "expected the next one")
    visitor.click(".st-key-screen-reasons summary")
    visitor.shows("[aria-label='Reasons to exclude']", REASON)


@pytest.fixture
def no_collections(library: Path) -> Iterator[None]:
    """Other tests of this library find it as it was."""
    yield
    with Library.open(library) as opened:
        for name in opened.collections.counts():
            opened.collections.delete(name)


@pytest.mark.usefixtures("no_collections")
def test_a_hit_is_kept_and_the_collection_searched_alone(visitor: Visitor) -> None:
    visitor.open("?example=rewired-random-walk")
    visitor.sees("Shared terms")
    visitor.rests()
    visitor.click(".st-key-hit-uses [class*='st-key-keep-'] button")
    visitor.find("input[aria-label='New collection']").send_keys(NAME + Keys.ENTER)
    visitor.sees(f"Kept in {NAME}")
    visitor.sees(f"{NAME} (1)")  # the choices are still open
    assert visitor.driver.find_element(By.CSS_SELECTOR, "[class*='st-key-kept-'] input").is_selected()

    visitor.open("library")
    visitor.sees("1 document")
    visitor.press("search-in-0")
    visitor.sees("What lies near your document?")
    visitor.until(lambda driver: "in=Prior" in driver.current_url, "expected the link to name the collection")
    visitor.open(f"?in={quote(NAME)}&example=rewired-random-walk")
    visitor.sees("Shared terms")
    visitor.rests()
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".ps-hit")) == 1


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
