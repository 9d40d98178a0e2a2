"""Patents' pages, as the server sends them and as browsers save them."""

from __future__ import annotations

from engine.documents import DocumentDate
from engine.reading.dispatch import read_bytes
from tests.reading.web import pages


def test_a_page_with_its_fields() -> None:
    reading = read_bytes(pages.GOOGLE_PATENT.encode(), "US7654321B2.html")
    document = reading.document
    assert reading.warnings == ()
    assert (document.id, document.kind, document.title) == ("US7654321B2", "patent", "Reef drift meter")
    assert document.abstract == "A meter shows how far a reef drifts."
    assert [(one.title, one.text) for one in document.sections] == [
        ("BACKGROUND", "Reefs drift."), ("SUMMARY", "The meter has a buoy."),
    ]  # fmt: skip
    assert document.claims == (
        "A meter comprising: a buoy; and a clock.",
        "The meter of claim 1, wherein the buoy floats.",
        "A method of drifting.",
    )
    assert (document.inventors, document.assignees) == (("Mara Osei", "Pieter Lund"), ("Drift Ltd",))
    assert (document.authors, document.venue) == (document.inventors, "Drift Ltd")
    assert document.dates == (
        DocumentDate("priority", "2006-12-27"), DocumentDate("filed", "2007-06-20"),
        DocumentDate("published", "2010-02-02"),
    )  # fmt: skip
    assert (document.year, document.categories) == (2010, ("G01C 13/00",))
    assert document.family == "US-application-11616520"
    assert document.url == "https://patents.google.com/patent/US7654321B2/en"


def test_a_page_as_a_browser_saves_it() -> None:
    document = read_bytes(pages.GOOGLE_PATENT_SHOWN.encode(), "a.html").document
    assert (document.id, document.title, document.inventors) == ("EP1234567B1", "Reef drift meter", ("Mara Osei",))
    assert document.abstract == "A meter shows drift."
    assert document.claims == ("A meter with a buoy.", "The meter of claim 1 with a clock.")
    assert [one.text for one in document.sections] == ["Reefs drift."]
    assert document.dates == (DocumentDate("filed", "2001-06-20"),)


def test_the_dates_that_a_browser_saves() -> None:
    line = '<div class="{} style-scope application-timeline">{}</div>'
    shown = line.format("priority", "2000-01-02") + line.format("publication", "2003-04-05")
    page = pages.GOOGLE_PATENT_SHOWN.replace('<section id="abstract">', f'{shown}<section id="abstract">')
    document = read_bytes(page.encode(), "a.html").document
    assert [one.day for one in document.dates] == ["2000-01-02", "2001-06-20", "2003-04-05"]
    assert document.year == 2003


def test_claims_in_one_block_and_a_page_without_claims() -> None:
    start, stop = (
        pages.GOOGLE_PATENT.index('<ol class="claims">'),
        pages.GOOGLE_PATENT.index('<section itemprop="family">'),
    )
    block = "<div class='claims'>1. A meter.<br>2. The meter of claim 1.</div></div></section>"
    page = pages.GOOGLE_PATENT[:start] + block + pages.GOOGLE_PATENT[stop:]
    assert read_bytes(page.encode(), "a.html").document.claims == ("A meter.", "The meter of claim 1.")
    bare = pages.GOOGLE_PATENT[: pages.GOOGLE_PATENT.index('<section itemprop="claims"')] + "</article></body></html>"
    reading = read_bytes(bare.encode(), "a.html")
    assert (reading.document.kind, reading.warnings) == ("patent", ("No claims were found on the page.",))
