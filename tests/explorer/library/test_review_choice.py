"""Several reviews on the Library page, and tags that are renamed."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.library import Library
from tests.explorer.conftest import Start, page_text
from tests.explorer.library.pages import part
from tests.explorer.library.test_review import counted, shown


def opened(test: AppTest, key: str) -> AppTest:
    test.session_state[key] = True
    return test.run()


@pytest.fixture
def screened(app: Start, folder: Path) -> AppTest:
    assert folder.is_dir()
    return part(app, "Screening").button(key="include-screen").click().run()


def begun(test: AppTest, name: str) -> AppTest:
    test = opened(test, "reviews")
    test.text_input(key="review-new").set_value(name)
    return next(button for button in test.button if button.label == "Begin it").click().run()


def test_another_review_begins_without_decisions(screened: AppTest, folder: Path) -> None:
    assert counted(screened, "Included") == "1" and not screened.selectbox
    test = begun(screened, "Tides <b>")
    assert not test.exception and test.selectbox(key="review-chosen").value == "Tides <b>"
    assert (counted(test, "Included"), shown(test)) == ("0", "Cover times of random walks")
    test = test.text_input(key="reason-screen-p1").set_value("Dry").run()
    test = test.button(key="exclude-screen").click().run()
    test = test.selectbox(key="review-chosen").select("Review 1").run()
    assert (counted(test, "Included"), counted(test, "Excluded")) == ("1", "0")
    assert not [button for button in test.button if button.key == "screen-undo"]  # the last decision is the other's
    with Library.open(folder) as library:
        assert library.reviews.counts() == {"Review 1": 1, "Tides <b>": 1}


def test_a_review_is_renamed_and_removed_when_that_is_meant(screened: AppTest, folder: Path) -> None:
    test = begun(screened, "Tides")
    test = opened(test, "reviews")
    test.text_input(key="review-to-Tides").set_value("review 1")
    test = next(button for button in test.button if button.label == "Rename it").click().run()
    assert "one is called 'Review 1'" in page_text(test)
    test = test.selectbox(key="review-chosen").select("Review 1").run()
    assert test.button(key="review-remove").disabled
    assert "on 1 document may be lost" in test.checkbox(key="review-sure-Review 1").label
    test = test.checkbox(key="review-sure-Review 1").check().run()
    test = test.button(key="review-remove").click().run()
    assert not test.exception and counted(test, "Included") == "0"
    with Library.open(folder) as library:
        assert library.reviews.counts() == {"Tides": 0}


def test_a_tag_is_renamed_in_the_list(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.tag(library.ids()[:2], "to read")
    test = opened(part(app, "Documents"), "tags")
    test.text_input(key="tag-to-to read").set_value("soon")
    test = next(button for button in test.button if button.label == "Rename it").click().run()
    assert not test.exception
    with Library.open(folder) as library:
        assert library.annotations.tags() == {"soon": 2}
