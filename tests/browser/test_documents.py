"""A document is found on the Library page, tagged, and excluded with a reason of one's own; the counts follow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from engine.library import Library
from tests.browser import audit, axe
from tests.browser.app import Visitor

pytestmark = pytest.mark.browser

TAG, REASON = "Of *one* case", "Wrong :red[topic] <b>"


@pytest.fixture
def unwritten(library: Path) -> Iterator[None]:
    """Other tests of this library find it as it was."""
    yield
    with Library.open(library) as opened:
        ids = opened.ids()
        opened.annotations.untag(ids, TAG)
        opened.screening.take_back(ids)


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
    visitor.shows(".ps-numbers", "Records identified")
    first = visitor.texts(".st-key-to-screen .ps-title")
    visitor.find("input[aria-label='Reason to exclude']").send_keys(REASON)
    visitor.click(".st-key-exclude-screen button")  # without Enter: leaving the field is enough
    visitor.sees("Reasons to exclude (1)")
    is_accessible(visitor)
    visitor.until(lambda _: visitor.texts(".st-key-to-screen .ps-title") not in ([], first), "expected the next one")
    visitor.click(".st-key-screen-reasons summary")
    visitor.shows("[aria-label='Reasons to exclude']", REASON)
