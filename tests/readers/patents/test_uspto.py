from __future__ import annotations

from engine.documents import Section
from engine.readers import read_bytes
from engine.readers.patent_fields import claims
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


def test_patents_of_cancelled_claims_have_none() -> None:
    assert list(claims(["1-20. (canceled)"])) == []
    assert list(claims(["", "2. A lid.", "3. (canceled)", "(canceled)"])) == ["A lid."]


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
