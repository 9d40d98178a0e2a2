"""A PDF's passage in a real browser: found from a quote, opened there, and boxed on its page."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from engine.workspace import Workspace
from tests import topics
from tests.browser.app import Visitor, serving
from tests.browser.test_main_path import hits, open_upload
from tests.browser.tiny_pdf import tiny_pdf

pytestmark = pytest.mark.browser
TELLING = "We rank documents by the similarity of their word vectors and compare the ranking with keyword retrieval."
PAGE_PIXELS = 595 * 96 / 72
"""The width of a page of A4 at 100 %."""

PLAIN = "The harbour of Aldmouth shelters the ferry beside an old lantern."

_SHEET = """
const hosts = [...document.querySelectorAll('[role=dialog] [data-testid="stBidiComponentIsolated"]')];
const sheet = hosts.map((host) => host.shadowRoot?.querySelector('.sheet')).find(Boolean);
const picture = sheet?.querySelector('img');
if (!picture?.complete || !picture.naturalWidth) return null;
const canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
const pen = canvas.getContext('2d');
pen.drawImage(picture, 0, 0);
const pixels = pen.getImageData(0, 0, canvas.width, canvas.height).data;
let tinted = 0, row = 0;
for (let at = 0; at < pixels.length; at += 4) {
  if (pixels[at] > 250 && pixels[at + 2] < 160) {
    row = row || Math.floor(at / 4 / canvas.width);
    tinted += 1;
  }
}
const seen = sheet.getBoundingClientRect();
const line = picture.getBoundingClientRect().top + row / canvas.height * picture.clientHeight;
return {
  alt: picture.alt, label: sheet.getAttribute('aria-label'), stop: sheet.tabIndex, width: picture.clientWidth,
  room: sheet.clientWidth, tinted, inView: line >= seen.top && line < Math.min(seen.bottom, innerHeight),
};
"""

TITLE = "Harbours of the northern coast"
THINGS = "harbour quay warehouse crane ferry tide channel pilot lantern beacon rope barrel wharf customs cargo".split()
DEEDS = "shelters follows replaces crosses serves repairs outlasts marks loads guards".split()
PLACES = "Aldmouth Brenness Corvik Dunhaven Elmstad Fjellby Grimsey Holmvik".split()

QUOTE = (
    "Basalt columns beneath the outer mole cool from their margins and crack into hexagons as they shrink. The divers "
    "counted ninety of them and drew each joint on slate. Where the swell reaches the joints the columns part, and the "
    "mole sinks by a hand in ten winters."
)

PAGES, TOLD_ON = 9, 7


@pytest.fixture
def sized(visitor: Visitor) -> Iterator[Visitor]:
    """The visitor, whose window has its size again afterwards."""
    before = visitor.driver.get_window_size()
    yield visitor
    visitor.driver.set_window_size(before["width"], before["height"])


def sheet(visitor: Visitor, alt: str) -> dict[str, Any]:
    """What the dialog shows, once its picture is described by these words."""

    def shown(_: object) -> object:
        found = visitor.driver.execute_script(_SHEET)
        return found if found and alt in found["alt"] else None

    found = visitor.until(shown, f"expected a picture described by {alt!r}")
    assert isinstance(found, dict)
    return found


def pages() -> bytes:
    """A paper of three pages, whose second holds, far down, a sentence that the library holds, too."""
    first = (
        (20, "Ranking long documents by their word vectors"),
        (14, "Abstract"),
        (11, PLAIN),
        (14, "1 Introduction"),
    )
    second = (*[(11, PLAIN)] * 25, (11, TELLING), *[(11, PLAIN)] * 3)
    return tiny_pdf((*first, *[(11, PLAIN)] * 20), second, ((14, "2 Harbours"), *[(11, PLAIN)] * 20))


def test_the_passage_of_an_uploaded_pdf_is_boxed_on_its_page_in_wide_windows_and_narrow_ones(
    sized: Visitor, tmp_path: Path
) -> None:
    (tmp_path / "draft.pdf").write_bytes(pages())
    sized.driver.set_window_size(1400, 900)
    open_upload(sized)
    sized.upload(tmp_path / "draft.pdf")
    sized.sees("Check what was read")
    sized.press("ask")
    hits(sized)
    look_at_the_page(sized)

    sized.press("page-after")
    assert sheet(sized, "Page 3 of 3")["tinted"] == 0
    sized.press("page-back")
    sized.until(lambda _: sheet(sized, "Page 2 of 3")["inView"], "expected the passage in view")
    sized.click_on("[role=dialog] button", "200 %")
    sized.until(lambda _: sheet(sized, "Page 2 of 3")["width"] > 1_580, "expected 595 points at 200 %")
    sized.until(lambda _: sheet(sized, "Page 2 of 3")["inView"], "expected the passage in view")
    leave(sized)

    sized.driver.set_window_size(420, 900)
    assert look_at_the_page(sized)["width"] >= 0.74 * PAGE_PIXELS  # of the dialog's width it would be too small to read
    leave(sized)


def look_at_the_page(visitor: Visitor) -> dict[str, Any]:
    """Open the page of the uploaded document's passage, which is boxed and in view, at least at the dialog's width."""
    wanted = "[class*='st-key-page-'] button"
    visitor.click_on(wanted, "in your document (p. 2)")
    shown = sheet(visitor, "Page 2 of 3")
    assert "We rank documents by the similarity" in shown["alt"]
    assert "Page 2 of Ranking long documents" in shown["label"] and shown["stop"] == 0
    assert shown["tinted"] > 2_000
    visitor.until(lambda _: sheet(visitor, "Page 2 of 3")["inView"], "expected the passage in view")
    assert shown["width"] >= shown["room"]
    return shown


def leave(visitor: Visitor) -> None:
    """Close the dialog by the keyboard, once it has the focus: its opening moves the focus last."""
    inside = "return document.querySelector('[role=dialog]').contains(document.activeElement)"
    visitor.until(lambda driver: driver.execute_script(inside), "expected the focus in the dialog")
    ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()
    visitor.until(lambda driver: not driver.find_elements("css selector", "[role=dialog]"), "expected it to close")


def sentence(draw: random.Random) -> str:
    one, other, third = draw.sample(THINGS, 3)
    when = draw.randrange(1700, 1900)
    return f"In {when} the {one} of {draw.choice(PLACES)} {draw.choice(DEEDS)} the {other} beside an old {third}."


def page(number: int) -> tuple[tuple[int, str], ...]:
    """A page with a section of its own; the first begins with the title and an abstract."""
    draw = random.Random(number)
    said = [sentence(draw) for _ in range(34 if number > 1 else 24)]
    if number == TOLD_ON:
        said.insert(20, QUOTE)
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
        visitor.paste(QUOTE)
        first, place = hits(visitor)[0], f"Ports of {PLACES[TOLD_ON]}, p. {TOLD_ON}"
        assert TITLE in first and place in first
        visitor.click(".ps-hit")
        visitor.shows(".st-key-hit-details", f"In this one · {place}")
        visitor.shows(".st-key-hit-details", "A passage of it says most of your text")
        assert "Nothing in this library is near" not in visitor.text()
        visitor.rests()
        visitor.click_on(".st-key-hit-details summary", "Abstract, sections and scores")
        found = visitor.find(".st-key-hit-details .ps-found")
        assert found.text and found.text in QUOTE
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
