from __future__ import annotations

import pytest

from engine.documents import Section
from engine.readers import read_bytes
from engine.readers.patents import patent_id, symbol, unnumbered, year
from tests.readers.texts import APPLICATION, APPLICATION_2001, GRANT


def test_grant_gives_its_front_page() -> None:
    reading = read_bytes(GRANT.encode(), "grant.xml")
    document = reading.document
    assert reading.format == "uspto-grant"
    assert document.kind == "patent"
    assert document.id == "US9123456B2"
    assert document.title == "Kettle with a quiet lid"
    assert document.abstract == "A lid that does not whistle."
    assert document.year == 2015
    assert document.categories == ("G06F 17/30", "G06F 16/93")
    assert document.authors == ("Ada Lovelace",)
    assert document.venue == "Kettle Works"
    assert document.url == "https://patents.google.com/patent/US9123456B2/en"
    assert document.family == "US-application-14000001"


def test_grant_is_cut_at_its_headings() -> None:
    assert read_bytes(GRANT.encode(), "grant.xml").document.sections == (
        Section("Description", "This application claims nothing earlier."),
        Section("BACKGROUND", "Kettles whistle at 100° C, see FIG. 1.\n\nSome find it loud:\n\ncats\n\ndogs"),
        Section("SUMMARY", ""),
        Section("The lid", "It is quiet."),
        Section("DRAWINGS", "FIG. 1 is a lid."),
    )


def test_claims_lose_their_numbers_and_join_their_steps() -> None:
    assert read_bytes(GRANT.encode(), "grant.xml").document.claims == (
        "A lid comprising: a rim; and a seal.",
        "The lid of claim 1, of steel.",
    )


def test_application_of_2005() -> None:
    reading = read_bytes(APPLICATION.encode(), "application.xml")
    document = reading.document
    assert reading.format == "uspto-application"
    assert (document.id, document.year, document.title) == ("US20050000001A1", 2005, "Spout")
    assert document.categories == ("A47J 27/21", "A47J 36/06")
    assert (document.authors, document.venue) == (("Marie Curie",), "Spouts Inc.")
    assert document.sections == (Section("FIELD", "Spouts."),)
    assert document.claims == ("A spout.",)
    assert document.family == ""


def test_application_of_2001() -> None:
    reading = read_bytes(APPLICATION_2001.encode(), "application.xml")
    document = reading.document
    assert reading.format == "uspto-application"
    assert (document.id, document.year, document.title) == ("US20010000001A1", 2001, "Handle for a kettle")
    assert document.abstract == "A handle — cool to the touch."
    assert document.categories == ("A61F 2/06",)
    assert (document.authors, document.venue) == (("Grace Hopper", "Alan M Turing"), "Handles Ltd")
    assert document.sections == (
        Section("Background", "Handles get hot."),
        Section("Prior handles", "See FIG. 1 as drawn."),
    )
    assert document.claims == ("A handle comprising: a grip.",)
    assert document.family == "US-application-09725737"


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("G06F015/00", "G06F 15/00"),
        ("G06F 15/16", "G06F 15/16"),
        ("B60R  900", "B60R 9/00"),
        ("A61K 31415", "A61K 31/415"),
        ("A47J 2721", "A47J 27/21"),
        ("G10K  50", "G10K 5/00"),
        ("D2301", "D2301"),
        ("", ""),
    ],
)
def test_classification_codes_are_spelled_as_printed(given: str, printed: str) -> None:
    assert symbol(given) == printed


@pytest.mark.parametrize(
    ("number", "kind", "identifier"),
    [
        ("08930553", "B2", "US8930553B2"),
        ("D0612345", "S1", "USD612345S1"),
        ("RE028321", "E", "USRE28321E"),
        ("20050004437", "A1", "US20050004437A1"),
        ("2007/0140112", "A1", "US20070140112A1"),
    ],
)
def test_patent_ids(number: str, kind: str, identifier: str) -> None:
    assert patent_id("US", number, kind) == identifier


def test_only_a_number_at_the_start_is_taken_from_a_claim() -> None:
    assert unnumbered("12 . A device of claim 1.") == "A device of claim 1."
    assert unnumbered("A device. 2. Not a number.") == "A device. 2. Not a number."


def test_year_of_a_date() -> None:
    assert (year("20150901"), year("1976"), year("unknown"), year("00010101")) == (2015, 1976, None, None)
