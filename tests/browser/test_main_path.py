"""What a first visitor does: bring a document, read why its neighbours are near, meet a bad file, live on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests import topics
from tests.browser.app import GROUNDS, Visitor, serving
from tests.browser.tiny_pdf import TITLE, tiny_pdf

pytestmark = pytest.mark.browser

ABSTRACT = (
    "Finding earlier work with long queries\n\n"
    "Abstract\n"
    "We rank documents by the similarity of their word vectors and fuse the ranking with keyword retrieval. Judged "
    "queries over a large collection show that recall grows, and that the citations of a document add to it."
)
DETAILS = "[class*='st-key-hit-details']"
VIGNETTES = Path("/usr/lib/R/site-library")


def open_upload(visitor: Visitor) -> None:
    visitor.open()
    visitor.click_on("[role=tab]", "Upload")


def typed(visitor: Visitor) -> list[str]:
    """What stands in the form's one-line fields."""
    fields = visitor.driver.find_elements(By.CSS_SELECTOR, ".st-key-draft-form input")
    return [field.get_attribute("value") or "" for field in fields]


def hits(visitor: Visitor) -> list[str]:
    """What each row of the list shows."""
    visitor.find(".ps-hit .ps-hit-near")  # rows by words alone may come before
    visitor.rests()
    return visitor.texts(".ps-hit")


def details(visitor: Visitor) -> str:
    """What is shown of the chosen hit."""
    return visitor.texts(DETAILS)[0]


FAR = "Monastic charters of the twelfth century: seals, witnesses and dating clauses of Benedictine abbeys in Normandy."


def test_a_question_of_another_field_is_told_that_nothing_is_near(visitor: Visitor) -> None:
    visitor.open()
    visitor.paste(FAR)
    visitor.sees("Nothing in this library is near")
    visitor.sees("No document holds: monastic")
    rulers = visitor.driver.find_elements(By.CSS_SELECTOR, f"{DETAILS} .ps-ruler")
    assert rulers and all(one.is_displayed() for one in rulers)


_MIXED_STEPS = """
const there = (key) => document.querySelector(`.st-key-${key} button`) !== null;
window.mixedSteps = false;
new MutationObserver(() => { window.mixedSteps ||= there("ask") && there("correct"); })
  .observe(document.body, { childList: true, subtree: true });
"""


def test_a_pasted_abstract_gets_ten_neighbours_with_their_evidence(visitor: Visitor) -> None:
    """At once; and after a correction no button of that step stands above them, not even for a moment."""
    visitor.open()
    visitor.paste(ABSTRACT)
    assert len(hits(visitor)) == 10
    visitor.press("correct")
    visitor.sees("Check what was read")
    title = visitor.find("input[aria-label='Title']")
    assert title.get_attribute("value") == "Finding earlier work with long queries"
    visitor.rests()
    visitor.driver.execute_script(_MIXED_STEPS)
    visitor.press("ask")
    found = hits(visitor)
    assert len(found) == 10
    assert visitor.driver.execute_script("return window.mixedSteps") is False
    assert all(re.search(r"(related|field|only|unrelated|same) \d+\xa0%", row) for row in found)
    assert "Shared terms" in details(visitor) and "Closest passages" in details(visitor)


def test_a_pdf_shows_its_sections_and_is_searched(visitor: Visitor, tmp_path: Path) -> None:
    path = tmp_path / "turbines.pdf"
    path.write_bytes(tiny_pdf())
    open_upload(visitor)
    visitor.upload(path)
    visitor.sees("Check what was read")
    visitor.until(lambda _: TITLE in typed(visitor), "expected the title as it was read")
    visitor.rests()
    assert [value for value in typed(visitor) if "Introduction" in value or "Control of the blades" in value] != []
    visitor.press("ask")
    assert len(hits(visitor)) == 10
    assert "Patent" in hits(visitor)[0]


def test_a_real_paper_of_many_pages_is_read_and_searched(visitor: Visitor) -> None:
    path = VIGNETTES / "zoo" / "doc" / "zoo.pdf"
    if not path.exists():
        pytest.skip(f"Debian's package r-cran-zoo is not installed: expected {path}")
    open_upload(visitor)
    visitor.upload(path)
    visitor.sees("Check what was read")
    visitor.sees("pages")
    visitor.press("ask")
    assert len(hits(visitor)) == 10
    assert re.search(r"In your document · .+, p\. \d+", details(visitor))


@pytest.mark.usefixtures("mapped")
def test_the_query_is_seen_on_the_map_among_its_neighbours(visitor: Visitor) -> None:
    visitor.open("?example=" + example_name())
    assert len(hits(visitor)) == 10
    link = visitor.find(".st-key-hit-uses [data-testid='stPageLink'] a")
    visitor.driver.execute_script("arguments[0].click()", link)
    visitor.map()
    visitor.sees("Its true neighbours")
    visitor.sees("true neighbours are also among the")
    visitor.rests()
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".ps-near")) == 15


def example_name() -> str:
    from explorer.state.examples import examples

    return next(iter(examples()))


def test_a_bad_file_shows_its_sentence_and_the_page_lives_on(visitor: Visitor, tmp_path: Path) -> None:
    bad = {
        "empty.pdf": (b"", "empty"),
        "notes.pdf": (b"\x00\x01\x02\x03" * 400, "PDF"),
        "cut.pdf": (tiny_pdf()[:300], "PDF"),
    }
    for name, (data, sentence) in bad.items():
        (tmp_path / name).write_bytes(data)
        open_upload(visitor)
        visitor.upload(tmp_path / name)
        visitor.shows("[role=alert]", sentence)
        visitor.shows("[role=alert]", name)
        assert "Traceback" not in visitor.text()
    (tmp_path / "good.pdf").write_bytes(tiny_pdf())
    open_upload(visitor)
    visitor.upload(tmp_path / "good.pdf")
    visitor.sees("Check what was read")


@pytest.mark.usefixtures("mapped")
def test_a_hostile_title_is_text_wherever_it_stands(visitor: Visitor) -> None:
    visitor.open("map?doc=F03B-0")
    visitor.map()
    visitor.sees("<script>document.title='owned'</script>")
    assert visitor.driver.title != "owned"
    visitor.open("?doc=F03B-0")
    visitor.sees("<script>document.title='owned'</script>")
    assert visitor.driver.title != "owned"
    assert topics.HOSTILE_TITLE.split(">")[-1].strip() in visitor.text()


@pytest.mark.parametrize("path", ["", "compare", "map", "evaluate", "library", "models"])
def test_each_page_opens_in_the_dark_theme_without_an_error(visitor: Visitor, path: str) -> None:
    """The light one, and a change while a page is open, are looked at with each page's names and contrast."""
    visitor.open(path, theme="dark")
    visitor.find("h1")
    visitor.rests()
    assert visitor.ground() == GROUNDS["dark"]
    assert "Traceback" not in visitor.text()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_whose_app_has_stopped_says_how_to_go_on(
    host: str, driver: Chrome, library: Path, tmp_path: Path
) -> None:
    with serving(library, tmp_path / "app.log") as address:
        visitor = Visitor(driver, address.replace("127.0.0.1", host))
        visitor.open("models")
        visitor.sees("Card of")
        visitor.rests()
    visitor.sees("The app has stopped. Start it again in its terminal")
    said = visitor.texts(".stDialog")[0]
    assert "streamlit run streamlit_app.py" in said and "internet" not in said and "yourscript" not in said
    driver.get("about:blank")
