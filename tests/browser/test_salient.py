"""What to read first in a real browser: of the query, of its hits, and underlined in two compared texts."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By

from explorer.state.examples import EXAMPLE_PAIRS
from tests.browser import compare_hand
from tests.browser.app import GROUNDS, Visitor

pytestmark = pytest.mark.browser

FIRST_SECONDS = 120
"""The first hits of a process load the encoders; on a busy machine that takes its time."""
_PAIR = f"compare?a=example:{EXAMPLE_PAIRS[0].first}&b=example:{EXAMPLE_PAIRS[0].second}"
_DECORATION = "return getComputedStyle(document.querySelector('.ps-text mark.ps-salient')).textDecorationLine"


def test_the_query_and_its_hits_say_what_to_read_first_in_either_theme(visitor: Visitor) -> None:
    visitor.open(f"?example={EXAMPLE_PAIRS[0].first}")
    visitor.until(lambda _: visitor.texts(".ps-salient-part"), "expected a hit's part", seconds=FIRST_SECONDS)
    visitor.rests()
    visitor.click_on(".st-key-read-query summary", "Read the query")
    visitor.find(".ps-query-reading")
    assert "the average sentence of this text" not in visitor.text()  # folded away, so that hits stand near
    visitor.click_on(".ps-query-reading summary", "Read this first")
    for theme in GROUNDS:
        visitor.turn(theme)
        visitor.rests()
        visitor.sees("the average sentence of this text has 0.")
        first = visitor.texts(".ps-query-reading .ps-first li > span:last-child > span:first-child")
        assert len(first) == 5
        keywords = visitor.texts(".ps-query-reading .ps-keywords li")
        assert 3 <= len(keywords) <= 10
        visitor.until(lambda _: visitor.texts(".ps-text mark.ps-salient"), "expected marks in the text")
        marked = [" ".join(text.split()) for text in visitor.texts(".ps-text mark.ps-salient")]
        assert [sentence for sentence in marked if sentence in first] == first
        read = " ".join(visitor.texts(".ps-text")).lower()
        assert all(word.partition(" (")[0].lower() in read for word in keywords)  # without the abbreviation in brackets
        assert visitor.driver.execute_script(_DECORATION) == "underline"
        assert "Traceback" not in visitor.text()


def test_compared_texts_are_underlined_until_that_is_switched_off(visitor: Visitor) -> None:
    visitor.open(_PAIR)
    compare_hand.compared(visitor)
    visitor.until(lambda _: all(compare_hand.underlined(visitor)), "expected salient sentences on both sides")
    assert compare_hand.legend(visitor) == "matching passage, salient sentence, not in the other"
    visitor.driver.find_element(By.CSS_SELECTOR, ".st-key-compare-salient input").send_keys(" ")
    visitor.until(lambda _: not any(compare_hand.underlined(visitor)), "expected no underlines")
    visitor.until(lambda driver: "salient=off" in driver.current_url, "expected the choice in the link")
    assert compare_hand.legend(visitor) == "matching passage, not in the other"
    assert visitor.driver.execute_script("return document.title").startswith("Compare")
