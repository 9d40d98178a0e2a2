from __future__ import annotations

from engine.documents import DocumentDate, Identifier, Reference, Section
from engine.documents.patents import claims
from engine.reading.dispatch import read_bytes
from tests.reading.texts import APPLICATION, APPLICATION_2001, GRANT


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
    assert document.inventors == document.authors
    assert document.assignees == ("Kettle Works",)
    assert document.language == "en"
    assert document.dates == (DocumentDate("filed", "2013-01-02"), DocumentDate("granted", "2015-09-01"))


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
    assert document.inventors == ("Grace Hopper", "Alan M Turing")
    assert document.assignees == ("Handles Ltd",)
    assert document.dates == (DocumentDate("published", "2001-03-15"),)


def test_priorities_and_citations_of_a_grant() -> None:
    cited = (
        "<priority-claims><priority-claim><country>GB</country><doc-number>1200001.1</doc-number><date>20120103</date>"
        "</priority-claim></priority-claims><us-references-cited><us-citation><patcit><document-id><country>US</country>"
        "<doc-number>2003/0076485</doc-number><kind>A1</kind><name>Ruff et al.</name><date>20030400</date>"
        "</document-id></patcit></us-citation><us-citation><patcit><document-id><country>WO</country>"
        "<doc-number>WO 2005/080928</doc-number><kind>A1</kind></document-id></patcit></us-citation>"
        "<us-citation><nplcit><othercit>Whistles, "
        "<i>Tea</i> 3.</othercit></nplcit></us-citation></us-references-cited>"
    )
    grant = GRANT.replace("<invention-title", f"{cited}<invention-title")
    document = read_bytes(grant.encode(), "grant.xml").document
    assert document.dates[0] == DocumentDate("priority", "2012-01-03")
    assert document.references == (
        Reference(
            "US 2003/0076485 A1, Ruff et al., 2003-04",
            authors=("Ruff et al.",),
            year=2003,
            identifiers=(Identifier("patent", "US20030076485A1"),),
        ),
        Reference("WO 2005/080928 A1", identifiers=(Identifier("patent", "WO2005080928A1"),)),
        Reference("Whistles, Tea 3."),
    )


def test_a_reissue_without_its_deleted_words() -> None:
    old = GRANT[GRANT.index("<claim-text>1.") : GRANT.index('</claim>\n<claim id="CLM-2"')]
    new = (
        '<claim-text><?delete-start id="DEL-S-00001" date="20160510" ?>1. A lid.<?delete-end id="DEL-S-00001" ?>'
        "</claim-text>"
    )
    marked = (
        "<b>2</b>. The lid of <?delete-start?><claim-ref>claim 1</claim-ref>, of steel<?delete-end?><?insert-start?>"
        "brass<?insert-end?>.</claim-text>"
    )
    grant = (
        GRANT.replace(old, new)
        .replace("<b>2</b>. The lid of <claim-ref>claim 1</claim-ref>, of steel.</claim-text>", marked)
        .replace("A lid that does not whistle.", "A lid that <?delete-start?>does not whistle<?delete-end?>sings.")
        .replace("BACKGROUND", "BACK<?delete-start?>GROUND<?delete-end?>")
        .replace("a <i>quiet</i> lid", "a <?delete-start?><i>quiet</i> <?delete-end?>lid")
    )
    document = read_bytes(grant.encode(), "grant.xml").document
    assert document.claims == ("The lid of brass.",)
    assert document.abstract == "A lid that sings."
    assert document.sections[1].title == "BACK"
    assert document.title == "Kettle with a lid"


def test_the_plant_of_a_plant_patent() -> None:
    plant = "<us-botanic><latin-name>Rosa hybrida</latin-name><variety>Kettle</variety></us-botanic><invention-title"
    document = read_bytes(GRANT.replace("<invention-title", plant).encode(), "plant.xml").document
    assert document.keywords == ("Rosa hybrida", "Kettle")


def test_an_application_of_2001_with_names_of_iso() -> None:
    greek = APPLICATION_2001.replace("cool to the touch", "5 &mgr;m of &OHgr; &lsqb;cool&rsqb;")
    reading = read_bytes(greek.encode(), "application.xml")
    assert (
        reading.document.abstract == "A handle — 5 \N{GREEK SMALL LETTER MU}m of \N{GREEK CAPITAL LETTER OMEGA} [cool]."
    )
    assert reading.warnings == ()
