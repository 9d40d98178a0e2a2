"""Choosing an encoder in a real browser: named, explained, encoded with, and then its hits say which half met which."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from selenium.webdriver.common.by import By

from engine.encoders import registry
from engine.library import Library
from engine.readers import read_file
from explorer.encoder_names import offered, spoken
from explorer.examples import examples
from explorer.widgets.scatter import _SOURCE as CANVAS
from tests import topics
from tests.browser.app import Visitor, chromium, serving
from tests.browser.conftest import small_library
from tests.browser.map_hand import data
from tests.explorer.small_ctpe import ship

pytestmark = pytest.mark.browser

FIRST_SECONDS = 120
_EDGES = """
const all = (name) => [...document.querySelectorAll(`.ps-couplings ${name}`)];
const of = (name, side) => all(name).map((found) => found.getBoundingClientRect()[side]);
return { numbers: of('strong', 'right'), bars: of('.ps-track', 'left') };
"""
_STORE = """
keepLast(stores, 'shown', 0, () => false);
for (let n = 0; n < 9; n += 1) keepLast(stores, `map ${n}`, n, (key) => key === 'shown');
return [...stores.keys()];
"""


@pytest.fixture(scope="module")
def coupled(app: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A visitor to an app that ships a small CTPE, which has not read the library yet."""
    folder = tmp_path_factory.mktemp("coupled")
    small_library(folder / "library", topics.write(folder))
    with Library.open(folder / "library") as library:
        held = [*library.iter_documents(), *(read_file(example.path).document for example in examples().values())]
    pretrained = ship(folder / "pretrained", held)
    with (
        serving(folder / "library", folder / "app.log", pretrained=pretrained) as address,
        chromium(folder / "profile") as driver,
    ):
        yield Visitor(driver, address)


def choose(visitor: Visitor, key: str, option: str) -> None:
    """Choose from a list as a hand does: open it, and click on the option."""
    visitor.find(f".st-key-{key} input").click()
    visitor.click_on("[role=option]", option)
    visitor.rests()


def halves_met(visitor: Visitor) -> None:
    """Wait for the first hits of an encoder that loads a large library first."""
    visitor.until(lambda _: "Which half met which" in visitor.text(), "expected couplings", seconds=FIRST_SECONDS)


def test_the_chosen_encoder_is_explained_encoded_with_and_says_which_half_met_which(coupled: Visitor) -> None:
    coupled.open(f"?example={next(iter(examples()))}")
    coupled.sees("Closest passages")
    assert "Which half met which" not in coupled.text()
    choose(coupled, "option-encoder", spoken("ctpe"))
    coupled.sees("This encoder has not read your library yet")
    coupled.sees("on this machine")
    assert "encoder=ctpe" in coupled.driver.current_url
    coupled.press("prepare")
    halves_met(coupled)
    coupled.sees("Their title met your abstract")
    coupled.rests()
    edges = cast(dict[str, list[float]], coupled.driver.execute_script(_EDGES))
    assert len(edges["numbers"]) == 20
    first, second = edges["numbers"][::2], edges["numbers"][1::2]
    assert first == pytest.approx(second)
    assert edges["bars"][::2] == pytest.approx(edges["bars"][1::2])


def test_the_link_restores_the_encoder_and_its_card(coupled: Visitor) -> None:
    coupled.open("?encoder=lsa")
    coupled.sees(registry.card("lsa").summary)
    coupled.driver.refresh()
    coupled.sees(registry.card("lsa").summary)


def test_a_narrow_window_shows_bars_and_numbers_within_its_width(coupled: Visitor) -> None:
    size = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    coupled.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        coupled.open(f"?example={next(iter(examples()))}&encoder=ctpe", theme="dark")
        halves_met(coupled)
        edges = cast(dict[str, list[float]], coupled.driver.execute_script(_EDGES))
        assert max(edges["numbers"]) < 390
    finally:
        coupled.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.usefixtures("paired")
def test_the_map_of_each_encoder_is_drawn_as_often_as_it_is_chosen(visitor: Visitor) -> None:
    visitor.open("map")
    visitor.map()
    for name in ("tfidf", registry.DEFAULT, "tfidf"):
        choose(visitor, "map-encoder", offered(name))
        visitor.sees(registry.card(name).summary)
        assert data(visitor, visitor.map())["drawn"] == str(len(topics.TOPICS) * topics.EACH)
    visitor.until(lambda driver: "encoder=tfidf" in driver.current_url, "expected the choice in the link")


def test_the_browser_keeps_the_maps_that_are_shown_and_a_few_of_before(visitor: Visitor) -> None:
    script = (Path(CANVAS) / "points.js").read_text("utf-8")
    kept = visitor.driver.execute_script(script + _STORE)
    assert kept == ["shown", "map 5", "map 6", "map 7", "map 8"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_curve_of_the_training_is_drawn(coupled: Visitor, theme: str) -> None:
    coupled.open("models", theme=theme)
    coupled.rests()
    coupled.click_on(".st-key-training-ctpe summary", "How it was trained")
    coupled.until(
        lambda driver: len(driver.find_elements(By.CSS_SELECTOR, "[data-testid=stVegaLiteChart] canvas")) == 2,
        "expected two charts",
    )
    coupled.sees("Loss in training: 0.0912 after epoch 1")
