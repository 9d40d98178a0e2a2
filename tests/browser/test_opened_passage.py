"""A quote from far into a PDF finds its page: the list names it, and the text opens there."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator

import pytest

from engine.workspace import Workspace
from tests import topics
from tests.browser.app import Visitor, serving
from tests.browser.test_main_path import hits
from tests.browser.tiny_pdf import tiny_pdf

pytestmark = pytest.mark.browser

TITLE = "Harbours of the northern coast"
THINGS = "harbour quay warehouse crane ferry tide channel pilot lantern beacon rope barrel wharf customs cargo".split()
DEEDS = "shelters follows replaces crosses serves repairs outlasts marks loads guards".split()
PLACES = "Aldmouth Brenness Corvik Dunhaven Elmstad Fjellby Grimsey Holmvik".split()
TELLING = (
    "Basalt columns beneath the outer mole cool from their margins and crack into hexagons as they shrink. The divers "
    "counted ninety of them and drew each joint on slate. Where the swell reaches the joints the columns part, and the "
    "mole sinks by a hand in ten winters."
)
PAGES, TOLD_ON = 9, 7


def sentence(draw: random.Random) -> str:
    one, other, third = draw.sample(THINGS, 3)
    when = draw.randrange(1700, 1900)
    return f"In {when} the {one} of {draw.choice(PLACES)} {draw.choice(DEEDS)} the {other} beside an old {third}."


def page(number: int) -> tuple[tuple[int, str], ...]:
    """A page with a section of its own; the first begins with the title and an abstract."""
    draw = random.Random(number)
    said = [sentence(draw) for _ in range(34 if number > 1 else 24)]
    if number == TOLD_ON:
        said.insert(20, TELLING)
    body = [(11, line) for line in textwrap.wrap(" ".join(said), 92)]
    opening = [
        (20, TITLE),
        (11, "Ada Example, Ben Example"),
        (14, "Abstract"),
        (11, sentence(random.Random(0))),
        (0, ""),
    ]
    return (*(opening if number == 1 else ()), (14, f"{number} Ports of {PLACES[number % 8]}"), *body)


@pytest.fixture(scope="module")
def address(chromium_is_there: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app over a library that holds a PDF of nine pages among short records, with its passages read."""
    folder = tmp_path_factory.mktemp("opened")
    (folder / "harbours.pdf").write_bytes(tiny_pdf(*map(page, range(1, PAGES + 1))))
    with Workspace(folder / "library", create=True) as workspace:
        workspace.import_paths([topics.write(folder), folder / "harbours.pdf"], encoder="default")
        assert workspace.passages() is not None
    with serving(folder / "library", folder / "app.log") as found:
        yield found


@pytest.mark.parametrize("width", [1400, 420])
def test_a_quote_opens_its_paper_at_the_page(browser: Visitor, address: str, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        visitor = Visitor(browser.driver, address)
        visitor.open()
        visitor.paste(TELLING)
        first, place = hits(visitor)[0], f"Ports of {PLACES[TOLD_ON]}, p. {TOLD_ON}"
        assert TITLE in first and place in first
        visitor.click(".ps-hit")
        visitor.shows(".st-key-hit-details", f"In this one · {place}")
        visitor.shows(".st-key-hit-details", "A passage of it says most of your text")
        assert "Nothing in this library is near" not in visitor.text()
        visitor.rests()
        visitor.click_on(".st-key-hit-details summary", "Abstract, sections and scores")
        found = visitor.find(".st-key-hit-details .ps-found")
        assert found.text and found.text in TELLING
        visitor.until(
            lambda driver: driver.execute_script(_IS_IN_SIGHT, found), "expected the text to open at the quote"
        )
        visitor.shows(".st-key-hit-details .ps-scroll", f"p. {TOLD_ON}")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.driver.get("about:blank")


_IS_IN_SIGHT = """
const [found, frame] = [arguments[0], arguments[0].closest(".ps-scroll")].map((one) => one.getBoundingClientRect());
return arguments[0].closest(".ps-scroll").scrollTop > 100 && found.top >= frame.top && found.bottom <= frame.bottom;
"""
