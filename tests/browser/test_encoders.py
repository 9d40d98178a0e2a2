"""Choosing an encoder in a real browser: named, explained, encoded with, and its hits say which half met which."""

from __future__ import annotations

from typing import cast

import pytest
from selenium.webdriver.common.by import By

from engine import encoders
from engine.encoders import registry
from explorer.state.examples import examples
from explorer.state.handles import choice_label
from tests import topics
from tests.browser.app import GROUNDS, PROJECT, Visitor
from tests.browser.map_hand import data

pytestmark = pytest.mark.browser

FIRST_SECONDS = 120
"""The first hits of an encoder load what it needs; on a busy machine that takes its time."""
_EDGES = """
const all = (place, name) => [...place.querySelectorAll(name)];
const of = (list, name, side) => all(list, name).map((found) => found.getBoundingClientRect()[side]);
return all(document, '.ps-couplings').map((list) => [of(list, 'strong', 'right'), of(list, '.ps-track', 'left')]);
"""
_STORE = """
keepLast(stores, 'shown', 0, () => false);
for (let n = 0; n < 9; n += 1) keepLast(stores, `map ${n}`, n, (key) => key === 'shown');
return [...stores.keys()];
"""


def choose(visitor: Visitor, key: str, option: str) -> None:
    """Choose from a list as a hand does: open it, and click on the option."""
    visitor.click(f".st-key-{key} input")
    visitor.click_on("[role=option]", option)
    visitor.rests()


def sees_halves(visitor: Visitor) -> list[tuple[list[float], list[float]]]:
    """Where the numbers of the chosen hit end and where its bars begin, line by line."""
    visitor.until(lambda _: "Which part met which" in visitor.text(), "expected couplings", seconds=FIRST_SECONDS)
    visitor.rests()
    return cast(list[tuple[list[float], list[float]]], visitor.driver.execute_script(_EDGES))


def example() -> str:
    return f"?example={next(iter(examples()))}"


def explained(visitor: Visitor, name: str) -> None:
    """Wait until the folded card beside the choice is this encoder's."""
    script = "return document.querySelector('.ps-choice')?.textContent ?? ''"
    told = registry.find(name).card.summary
    visitor.until(lambda driver: told in driver.execute_script(script), f"expected the card of {name}")


def test_an_encoder_is_chosen_explained_and_encoded_with(visitor: Visitor) -> None:
    visitor.open(example())
    visitor.sees("Closest passages")
    choose(visitor, "option-encoder", encoders.label("lsa"))
    explained(visitor, "lsa")
    visitor.sees("This encoder has not read your library yet")
    visitor.sees("on this machine")
    assert "encoder=lsa" in visitor.driver.current_url
    visitor.press("prepare")
    visitor.sees("Closest passages")
    assert "Which part met which" not in visitor.text()


def test_the_link_restores_the_encoder_and_its_card(visitor: Visitor) -> None:
    visitor.open("?encoder=word2vec-mean")
    explained(visitor, "word2vec-mean")
    visitor.driver.refresh()
    explained(visitor, "word2vec-mean")
    visitor.rests()
    visitor.click_on(".ps-choice summary", "About this encoder")
    visitor.sees(registry.find("word2vec-mean").card.summary)


def test_a_hit_says_which_half_met_which_in_either_theme(visitor: Visitor) -> None:
    visitor.open(example())
    for theme in GROUNDS:
        visitor.turn(theme)
        ((numbers, bars),) = sees_halves(visitor)
        assert "Their whole text met your abstract" in visitor.text()
        assert len(numbers) == 2
        assert bars == pytest.approx([bars[0]] * 2)


def test_a_narrow_window_shows_bars_and_numbers_within_its_width(visitor: Visitor) -> None:
    size = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        visitor.open(example(), theme="dark")
        visitor.find(".ps-hit-near")
        visitor.click(".ps-hit")  # on a narrow screen nothing is open yet
        ((numbers, bars),) = sees_halves(visitor)
        assert max(numbers) < 390
        assert bars == pytest.approx([bars[0]] * len(bars))
    finally:
        visitor.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.usefixtures("paired")
def test_the_map_of_each_encoder_is_drawn_as_often_as_it_is_chosen(visitor: Visitor) -> None:
    visitor.open("map")
    visitor.map()
    for name in ("tfidf", registry.DEFAULT, "tfidf"):
        choose(visitor, "map-encoder", choice_label(name))
        assert data(visitor, visitor.map())["drawn"] == str(len(topics.TOPICS) * topics.EACH)
    visitor.until(lambda driver: "encoder=tfidf" in driver.current_url, "expected the choice in the link")


def test_the_browser_keeps_the_maps_that_are_shown_and_a_few_of_before(visitor: Visitor) -> None:
    script = (PROJECT / "engine" / "exports" / "maps" / "canvas" / "points.js").read_text("utf-8")
    kept = visitor.driver.execute_script(script + _STORE)
    assert kept == ["shown", "map 5", "map 6", "map 7", "map 8"]


def test_the_curves_of_the_training_are_drawn_in_either_theme(visitor: Visitor) -> None:
    visitor.open("models?encoder=ctpe")
    visitor.rests()
    visitor.click_on(".st-key-training-ctpe summary", "How it was trained")
    for theme in GROUNDS:
        visitor.turn(theme)
        visitor.rests()
        visitor.until(
            lambda driver: len(driver.find_elements(By.CSS_SELECTOR, ".stVegaLiteChart svg.marks")) == 2,
            "expected two charts",
        )
        visitor.sees("Loss in training")
