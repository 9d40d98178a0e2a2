from __future__ import annotations

import pytest

from engine.documents import Section
from engine.readers import read_bytes
from engine.readers.patent_fields import cancelled, claims, patent_id, symbol, unnumbered, year
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


def test_claims_after_cancelled_ones_keep_their_numbers() -> None:
    old = '<claim id="c1"><claim-text><b>1</b>. A spout.</claim-text></claim>'
    assert old in APPLICATION
    new = (
        "<claim><claim-text><b>1</b>.-<b>3</b>. (canceled)</claim-text></claim>"
        "<claim><claim-text><b>4</b>. A spout.</claim-text></claim>"
        "<claim><claim-text><b>5</b>. (Cancelled)</claim-text></claim>"
        "<claim><claim-text><b>6</b>. The spout of <claim-ref>claim 4</claim-ref>.</claim-text></claim>"
        "<claim><claim-text><b>7</b>. (canceled)</claim-text></claim>"
    )
    document = read_bytes(APPLICATION.replace(old, new).encode(), "a.xml").document
    assert document.claims == ("", "", "", "A spout.", "", "The spout of claim 4.")
    shown = [(part.title, part.text) for part in document.parts if part.role == "claim" and part.text]
    assert shown == [("Claim 4", "A spout."), ("Claim 6", "The spout of claim 4.")]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1.-20. (canceled)", range(1, 21)),
        ("1-20. (canceled)", range(1, 21)),
        ("1 . - 20 . (canceled)", range(1, 21)),
        ("1–20 [CANCELLED]", range(1, 21)),
        ("1 through 3. (previously canceled)", range(1, 4)),
        ("Claims 4 and 5 (canceled)", range(4, 6)),
        ("7. Canceled.", range(7, 8)),
        ("(canceled without prejudice)", range(1)),
        ("1-99999. (canceled)", range(0)),
        ("1-9999. (canceled)", range(1, 2)),
        ("9-2. (canceled)", range(9, 10)),
        ("1. A canceled cheque.", range(0)),
        (f"1{' ' * 100_000}", range(0)),
    ],
)
def test_ways_to_say_that_claims_are_cancelled(text: str, numbers: range) -> None:
    assert cancelled(text) == numbers


def test_patents_of_cancelled_claims_have_none() -> None:
    assert list(claims(["1-20. (canceled)"])) == []
    assert list(claims(["", "2. A lid.", "3. (canceled)", "(canceled)"])) == ["A lid."]


def test_cancelled_claims_take_the_places_that_their_numbers_say() -> None:
    assert list(claims(["1. A lid.", "3-4. (canceled)", "5. A pot."])) == ["A lid.", "", "", "", "A pot."]
    assert list(claims(["(canceled)", "(canceled)", "3. A pot."])) == ["", "", "A pot."]
    assert len(list(claims([*["1-999. (canceled)"] * 1000, "A pot."]))) == 1000 + 999


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
