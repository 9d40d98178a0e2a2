"""An uploaded PDF's passage on its page in a real browser: boxed and in view, turned, zoomed, closed by a key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.browser.app import Visitor
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
