"""The report as a person opens it: from a file, without a network, a cell opens its two passages."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from selenium.webdriver import Chrome

from engine.compare import Comparison
from engine.encoders import EncoderCard
from engine.encoders.keyvec import Salience
from engine.exports import SalientTexts, comparison_html
from tests.browser.app import GROUNDS, Visitor
from tests.compare.made import comparison, document

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def made() -> Comparison:
    """Large enough for squares, so that both kinds of heatmap are in the file."""
    return comparison(document("A", 3, 10), document("B", 2, 4))


@pytest.fixture(scope="module")
def visitor(driver: Chrome, made: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("report")
    (folder / "report.html").write_text(comparison_html(made, salient=_salient(made)), "utf-8")
    driver.get("about:blank")
    for kind in ("performance", "browser"):
        driver.get_log(kind)
    yield Visitor(driver, folder.as_uri())
    driver.get("about:blank")


def _salient(made: Comparison) -> SalientTexts:
    """The sentences of passages before all others, of which five are marked."""
    found = [
        Salience(own, np.array([0.9 if one in of_passages else 0.1 for one in own], np.float32), ())
        for own, of_passages in (
            (made.carriers.a[:40], {one.a for one in made.passages[:2]}),
            (made.carriers.b[:40], {one.b for one in made.passages[:2]}),
        )
    ]
    return SalientTexts(*found, EncoderCard("keyvec", "", 100, "f"))


def test_nothing_but_the_file_is_asked_for(visitor: Visitor) -> None:
    visitor.open("report.html")
    visitor.sees("How this was made")
    messages = [json.loads(entry["message"])["message"] for entry in visitor.driver.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    assert asked == [f"{visitor.address}/report.html"]
    assert visitor.driver.get_log("browser") == []


@pytest.mark.parametrize("cell", ["c-2-5", "s-2-1"])
def test_a_cell_opens_its_two_places_and_leads_back(visitor: Visitor, cell: str, made: Comparison) -> None:
    visitor.open("report.html")
    visitor.driver.execute_script("location.hash = ''")
    assert len(in_view(visitor, ".chunk")) == 38
    visitor.click(f"a[href='#{cell}'] rect, td a[href='#{cell}']")
    level, row, column = cell.split("-")
    if level == "c":
        assert in_view(visitor, ".chunk") == [f"a-{row}", f"b-{column}"]
        ours, theirs = made.carriers.pairs[int(row), int(column)]
        assert framed(visitor) == {made.carriers.a[ours].text, made.carriers.b[theirs].text}
    else:
        expected = [f"a-{n}" for n in range(20, 30)] + [f"b-{n}" for n in range(4, 8)]
        assert in_view(visitor, ".chunk") == expected
    visitor.click(f"#{cell} a")
    assert visitor.driver.execute_script("return document.querySelector(':target').id") == f"at-{cell}"


def test_a_tinted_passage_shows_the_other_side(visitor: Visitor, made: Comparison) -> None:
    visitor.open("report.html")
    visitor.driver.execute_script("arguments[0].click()", visitor.find(".words a.p1"))
    assert framed(visitor) >= {made.passages[1].a.text, made.passages[1].b.text}
    assert len(in_view(visitor, ".chunk")) == 2
    assert visitor.find("#t-1").text.startswith("Passage 2: closely related (71 %)")


def test_salient_sentences_are_underlined_where_they_are_tinted_and_where_not(visitor: Visitor) -> None:
    visitor.open("report.html")
    lines = "one => getComputedStyle(one).textDecorationLine"
    seen = visitor.driver.execute_script(f"return [...document.querySelectorAll('.words .salient')].map({lines})")
    assert len(seen) == 10 and set(seen) == {"underline"}
    others = visitor.driver.execute_script(
        f"return [...document.querySelectorAll('.words a:not(.salient)')].map({lines})"
    )
    assert set(others) == {"none"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone_in_either_theme(visitor: Visitor, theme: str) -> None:
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        visitor.open("report.html", theme=theme)
        assert visitor.driver.execute_script("return document.scrollingElement.scrollWidth") == 390
        assert visitor.ground("body") == GROUNDS[theme]
    finally:
        visitor.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def in_view(visitor: Visitor, selector: str) -> list[str]:
    """The ids of the elements that are shown."""
    return list(visitor.driver.execute_script(f"{_SHOWN}.map(one => one.id)", selector))


def framed(visitor: Visitor) -> set[str]:
    """The stretches of either text that have a frame."""
    outlined = f"{_SHOWN}.filter(one => getComputedStyle(one).outlineStyle === 'solid')"
    return set(visitor.driver.execute_script(f"{outlined}.map(one => one.textContent)", ".words > *"))


_SHOWN = "return [...document.querySelectorAll(arguments[0])].filter(one => one.checkVisibility())"
