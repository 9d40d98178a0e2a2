"""Documents that hold scripts, handlers, `javascript:` links, outside pictures and Streamlit's own markup everywhere.

All of it is text on every page: nothing runs, nothing is asked for outside the app, and no mark is read as markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from selenium.webdriver.common.by import By

from engine.documents import Document
from engine.library import Library
from tests import topics
from tests.browser import compare_hand
from tests.browser.app import Visitor, serving
from tests.browser.conftest import DRAWING_SECONDS
from tests.browser.test_main_path import DETAILS, hits, open_upload
from tests.browser.test_nothing_leaves import asked

pytestmark = pytest.mark.browser

OUTSIDE = "outside.example"
MARKS = (
    "<script>window.owned=1</script>",
    f'<img src=http://{OUTSIDE}/i.png onerror="window.owned=2">',
    '<svg onload="window.owned=3"></svg>',
    "[click](javascript:window.owned=4)",
    f"![picture](http://{OUTSIDE}/m.png)",
    ":red[red] :blue-background[blue] :material/bolt: :streamlit: :small[s]",
    "$\\href{javascript:window.owned=5}{x}$ $$E=mc^2$$",
    f'"><iframe src=http://{OUTSIDE}/f></iframe>',
    f"<style>@import url(http://{OUTSIDE}/s.css);</style>",
    "'\" onmouseover='window.owned=6' **bold** `code` # heading",
)
ALL = " ".join(MARKS)
FILE = "![f](x) :red[f] $f$ <img src=x onerror=window.owned=7>.{}"
SEEN = ":red[red] :blue-background[blue] :material/bolt:"
LINK = f"https://{OUTSIDE}/paper"

FOUND = """
const outside = arguments[0];
const parts = [document];
for (let at = 0; at < parts.length; at += 1) {
  parts[at].querySelectorAll('*').forEach((one) => { if (one.shadowRoot) parts.push(one.shadowRoot); });
}
const all = (selector) => parts.flatMap((part) => [...part.querySelectorAll(selector)]);
return {
  owned: window.owned ?? null,
  links: all('a, area').map((one) => one.getAttribute('href') ?? '').filter((one) => /^\\s*javascript:/i.test(one)),
  handlers: all('[onerror], [onload], [onmouseover]').map((one) => one.outerHTML),
  frames: all('iframe, object, embed').map((one) => one.src || one.data || '').filter((one) => one.includes(outside)),
  pictures: all('img, svg image').map((one) => one.src || one.href.baseVal).filter((one) => one.includes(outside)),
  formulas: all('.katex').length,
  colours: all('.stMarkdownColoredText, .stMarkdownColoredBackground').length,
  icons: all('[data-testid="stIconMaterial"], [translate="no"]').filter((one) => one.textContent === 'bolt').length,
};
"""
NOTHING = {
    "owned": None,
    "links": [],
    "handlers": [],
    "frames": [],
    "pictures": [],
    "formulas": 0,
    "colours": 0,
    "icons": 0,
}


def rows() -> list[dict[str, object]]:
    """The topics' documents with these marks in every field; half of the links are good, and must not be followed."""
    found = topics.records()
    for number, row in enumerate(found):
        row |= {
            "id": f"{row['id']} {ALL}"[:300],
            "title": f"{row['title']} {ALL}",
            "abstract": f"{row['abstract']} {ALL}",
            "sections": [{"title": f"Method {ALL}", "text": f"{row['abstract']} {ALL}"}],
            "claims": [f"1. A device. {ALL}"] if row["kind"] == "patent" else [],
            "authors": [f"Ada {mark}" for mark in MARKS],
            "venue": f"Journal {ALL}",
            "keywords": list(MARKS),
            "categories": [*row["categories"], *MARKS],  # type: ignore[misc]
            "url": LINK if number % 2 else "javascript:window.owned=8",
        }
    return found


@pytest.fixture(scope="module")
def hostile(chromium_is_there: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The app over a library of such documents, and its folder."""
    from tests.browser.conftest import small_library

    folder = tmp_path_factory.mktemp("hostile")
    data = "".join(json.dumps(row) + "\n" for row in rows())
    (folder / FILE.format("jsonl")).write_text(data, "utf-8")
    small_library(folder / "library", folder / FILE.format("jsonl"))
    with Library.open(folder / "library") as library:
        library.record_failure(FILE.format("pdf"), f"Expected a document, found {ALL}.")
        first, second = library.ids()[:2]
        library.collections.add(FILE.format("collection"), [first, second])
        library.judgements.judge(Document(f"own {ALL}", title=ALL, abstract=ALL), first, 1)
    with serving(folder / "library", folder / "app.log") as address:
        yield address, folder / "library"


@pytest.fixture
def guest(hostile: tuple[str, Path], browser: Visitor) -> Iterator[Visitor]:
    """A visitor of that app; when the test is over, nothing has run and nothing outside was asked for."""
    found = Visitor(browser.driver, hostile[0])
    browser.driver.get("about:blank")
    browser.driver.get_log("performance")
    yield found
    assert {one for one in asked(found) if urlsplit(one).netloc != urlsplit(found.address).netloc} == set()
    browser.driver.get("about:blank")


def is_text(visitor: Visitor, *, seen: str = SEEN) -> None:
    """The marks stand on the page as they were written, and did nothing."""
    visitor.rests()
    visitor.sees(seen)
    assert visitor.driver.execute_script(FOUND, OUTSIDE) == NOTHING
    assert "Traceback" not in visitor.text()


def ids(library: Path) -> list[str]:
    with Library.open(library) as opened:
        return opened.ids()


def test_search(guest: Visitor, hostile: tuple[str, Path]) -> None:
    guest.open("?doc=" + quote(ids(hostile[1])[0]))
    guest.until(lambda _: guest.texts(".ps-hit-near"), "expected hits", seconds=DRAWING_SECONDS)
    assert len(hits(guest)) == 10
    for summary in guest.driver.find_elements(By.CSS_SELECTOR, "[data-testid='stExpander'] summary"):
        guest.driver.execute_script("arguments[0].click()", summary)
    is_text(guest)
    assert {
        one.get_attribute("href") for one in guest.driver.find_elements(By.CSS_SELECTOR, f"{DETAILS} a[href^='http']")
    } <= {LINK}


def test_a_file_that_is_read(guest: Visitor, tmp_path: Path) -> None:
    path = tmp_path / FILE.format("md")
    path.write_text(f"# {ALL}\n\n## Abstract\n\n{ALL}\n\n## {ALL}\n\n{ALL}\n", "utf-8")
    open_upload(guest)
    guest.upload(path)
    guest.sees("Check what was read")
    is_text(guest, seen=":red[f]")
    guest.press("ask")
    hits(guest)
    is_text(guest)


def test_a_file_that_is_refused(guest: Visitor, tmp_path: Path) -> None:
    path = tmp_path / FILE.format("pdf")
    path.write_bytes(b"\0\1\2\3" * 400)
    open_upload(guest)
    guest.upload(path)
    guest.find("[role=alert]")
    is_text(guest, seen=":red[f]")


def test_compare(guest: Visitor, hostile: tuple[str, Path]) -> None:
    first, second = ids(hostile[1])[:2]
    guest.open(f"compare?a={quote(f'library:{first}')}&b={quote(f'library:{second}')}")
    compare_hand.compared(guest)
    is_text(guest)


def test_map(guest: Visitor, hostile: tuple[str, Path]) -> None:
    guest.open("map")
    guest.sees("No map drawn yet")
    guest.press("draw-map")
    guest.map(seconds=DRAWING_SECONDS)
    guest.open("map?colour=venue&doc=" + quote(ids(hostile[1])[0]))
    guest.map()
    is_text(guest)


def test_library(guest: Visitor) -> None:
    guest.open("library")
    guest.sees("Not imported (1)")
    for summary in guest.driver.find_elements(By.CSS_SELECTOR, "[data-testid='stExpander'] summary"):
        guest.driver.execute_script("arguments[0].click()", summary)
    guest.sees("Imported files (1)")
    is_text(guest)
    is_text(guest, seen=FILE.format("jsonl"))


def test_models(guest: Visitor) -> None:
    guest.open("models")
    is_text(guest, seen="Models")


def test_evaluate(guest: Visitor, hostile: tuple[str, Path]) -> None:
    guest.open("evaluate?on=judged&row=bm25&row=bm25-stems")
    guest.sees("Judged queries (1)")
    for summary in guest.driver.find_elements(By.CSS_SELECTOR, "[data-testid='stExpander'] summary"):
        guest.driver.execute_script("arguments[0].click()", summary)
    is_text(guest)
    guest.open("evaluate?on=subjects&row=bm25&row=bm25-stems&case=" + quote(ids(hostile[1])[0]))
    guest.sees("Your library’s subjects")
    guest.rests()
    guest.press("measure")
    guest.sees("Query by query")
    guest.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, ".ps-run"), "expected both rankings")
    is_text(guest)
