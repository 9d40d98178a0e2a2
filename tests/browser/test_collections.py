"""A hit is kept in a collection without losing one's place, and the collection is then looked at alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from engine.library import Library
from tests.browser.app import Visitor

pytestmark = pytest.mark.browser

NAME = "Prior art of *one* case"


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
