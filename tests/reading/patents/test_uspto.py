"""The USPTO's grants and applications: XML, SGML, its portal's JSON, and the Greenbook's tagged lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError
from engine.documents import DocumentDate, Identifier, Reference, Section
from engine.documents.patents import claims, symbol
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.dispatch import iter_documents as iter_with_limits
from engine.reading.limits import Limits
from engine.reading.patents.uspto import is_wrapper, read_wrapper
from tests.reading.texts import APPLICATION, APPLICATION_2001, GRANT, GREENBOOK


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


PATDOC = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE PATDOC SYSTEM "ST32-US-Grant-025xml.dtd" [
<!ENTITY US06700001-20040302-D00001.TIF SYSTEM "US06700001-20040302-D00001.TIF" NDATA TIF>
]>
<PATDOC DTD="2.5" STATUS="Build 20020918">
<SDOBI>
<B100><B110><DNUM><PDAT>06700001</PDAT></DNUM></B110><B130><PDAT>B2</PDAT></B130>
<B140><DATE><PDAT>20040302</PDAT></DATE></B140><B190><PDAT>US</PDAT></B190></B100>
<B200><B210><DNUM><PDAT>10123456</PDAT></DNUM></B210><B211US><PDAT>10</PDAT></B211US>
<B220><DATE><PDAT>20020415</PDAT></DATE></B220></B200>
<B300><B310><DNUM><PDAT>101 17 000</PDAT></DNUM></B310><B320><DATE><PDAT>20010417</PDAT></DATE></B320>
<B330><CTRY><PDAT>DE</PDAT></CTRY></B330></B300>
<B500>
<B510><B511><PDAT>A47J 2721</PDAT></B511><B512><PDAT>A47J 36/06</PDAT></B512><B516><PDAT>7</PDAT></B516></B510>
<B520><B521><PDAT> 99403</PDAT></B521></B520>
<B540><STEXT><PDAT>Kettle of H</PDAT><HIL><SB><PDAT>2</PDAT></SB></HIL><PDAT>O with a &bgr; lid</PDAT></STEXT></B540>
<B560>
<B561><PCIT><DOC><DNUM><PDAT>D. 271298</PDAT></DNUM><DATE><PDAT>19831100</PDAT></DATE></DOC>
<PARTY-US><NAM><SNM><STEXT><PDAT>Rossi</PDAT></STEXT></SNM></NAM></PARTY-US></PCIT><CITED-BY-EXAMINER/></B561>
<B561><PCIT><DOC><DNUM><PDAT>96/25012</PDAT></DNUM><DATE><PDAT>19960800</PDAT></DATE>
<CTRY><PDAT>WO</PDAT></CTRY></DOC></PCIT><CITED-BY-OTHER/></B561>
<B562><NCIT><STEXT><PDAT>Kettles, </PDAT><HIL><ITALIC><PDAT>Steam</PDAT></ITALIC></HIL><PDAT> 1 (1999).* </PDAT></STEXT>
</NCIT><CITED-BY-OTHER/></B562>
</B560>
</B500>
<B700>
<B720><B721><PARTY-US><NAM><FNM><PDAT>Ada M.</PDAT></FNM><SNM><STEXT><PDAT>Lovelace</PDAT></STEXT></SNM></NAM>
</PARTY-US></B721><B721><PARTY-US><NAM><FNM><PDAT>Grace</PDAT></FNM><SNM><STEXT><PDAT>Hopper</PDAT></STEXT></SNM></NAM>
</PARTY-US></B721></B720>
<B730><B731><PARTY-US><NAM><ONM><STEXT><PDAT>Kettle &amp; Sons</PDAT></STEXT></ONM></NAM></PARTY-US></B731></B730>
<B740><B741><PARTY-US><NAM><ONM><STEXT><PDAT>Lawyers LLP</PDAT></STEXT></ONM></NAM></PARTY-US></B741></B740>
</B700>
</SDOBI>
<SDOAB><BTEXT><H LVL="1"><STEXT><PDAT>ABSTRACT</PDAT></STEXT></H>
<PARA ID="P-00001" LVL="0"><PTEXT><PDAT>A lid of 5 &mgr;m.</PDAT></PTEXT></PARA></BTEXT></SDOAB>
<SDODE>
<RELAPP><BTEXT><PARA ID="P-00002" LVL="0"><PTEXT><PDAT>A continuation.</PDAT></PTEXT></PARA></BTEXT></RELAPP>
<BRFSUM><BTEXT><H LVL="1"><STEXT><PDAT>BACKGROUND</PDAT></STEXT></H>
<PARA ID="P-00003" LVL="0"><PTEXT><PDAT>Kettles whistle; see </PDAT><FGREF ID="DRAWINGS"><PDAT>FIG. 1</PDAT></FGREF>\
<PDAT>.</PDAT></PTEXT></PARA></BTEXT></BRFSUM>
<DRWDESC><BTEXT><PARA ID="P-00004" LVL="0"><PTEXT><PDAT>FIG. 1 is a lid.</PDAT></PTEXT></PARA></BTEXT></DRWDESC>
<DETDESC><BTEXT><H LVL="1"><STEXT><PDAT>DETAILED DESCRIPTION</PDAT></STEXT></H>
<H LVL="2"><STEXT><PDAT>The lid</PDAT></STEXT></H>
<PARA ID="P-00005" LVL="0"><PTEXT><PDAT>It is quiet.</PDAT></PTEXT></PARA>
<CWU><TABLE-US><PDAT>12</PDAT></TABLE-US></CWU>
</BTEXT></DETDESC>
</SDODE>
<SDOCL><H LVL="1"><STEXT><PDAT>What is claimed is: </PDAT></STEXT></H><CL>
<CLM ID="CLM-00001"><PARA ID="P-00006" LVL="0"><PTEXT><PDAT>1. A kettle, comprising:</PDAT></PTEXT></PARA>
<CLMSTEP LVL="2"><PTEXT><PDAT>a lid; and</PDAT></PTEXT></CLMSTEP>
<CLMSTEP LVL="2"><PTEXT><PDAT>a spout.</PDAT></PTEXT></CLMSTEP></CLM>
<CLM ID="CLM-00002">
<PARA ID="P-00007" LVL="0"><PTEXT><PDAT>2. The kettle of </PDAT><CLREF ID="CLM-00001"><PDAT>claim 1</PDAT></CLREF>\
<PDAT>, of steel.</PDAT></PTEXT></PARA></CLM>
</CL></SDOCL>
<SDODR ID="DRAWINGS"><EMI ID="EMI-D00001" FILE="US06700001-20040302-D00001.TIF"/></SDODR>
</PATDOC>
"""

SGML = (
    PATDOC.partition("\n")[2]
    .replace('SYSTEM "ST32-US-Grant-025xml.dtd"', 'PUBLIC "-//USPTO//DTD ST.32 US PATENT PATDOC V2.4 2000-09-20//EN"')
    .replace("/>", ">")
)

DESIGN = (
    PATDOC.replace("06700001</PDAT>", "D0453058</PDAT>")
    .replace(">B2<", ">S1<")
    .replace("A47J 2721", "0201")
    .replace("<B512><PDAT>A47J 36/06</PDAT></B512>", "")
)


def test_front_page() -> None:
    reading = read_bytes(PATDOC.encode(), "grant.xml")
    document = reading.document
    assert reading.format == "uspto-grant"
    assert reading.warnings == ()
    assert (document.kind, document.id, document.year) == ("patent", "US6700001B2", 2004)
    assert document.title == "Kettle of H2O with a β lid"
    assert document.abstract == "A lid of 5 \N{GREEK SMALL LETTER MU}m."
    assert document.authors == document.inventors == ("Ada M. Lovelace", "Grace Hopper")
    assert document.assignees == ("Kettle & Sons",)
    assert document.venue == "Kettle & Sons"
    assert document.categories == ("A47J 27/21", "A47J 36/06")
    assert document.family == "US-application-10123456"
    assert document.language == "en"
    assert document.url == "https://patents.google.com/patent/US6700001B2/en"
    assert document.dates == (
        DocumentDate("priority", "2001-04-17"),
        DocumentDate("filed", "2002-04-15"),
        DocumentDate("granted", "2004-03-02"),
    )


def test_citations() -> None:
    assert read_bytes(PATDOC.encode(), "grant.xml").document.references == (
        Reference(
            "US D.271298, Rossi, 1983-11",
            authors=("Rossi",),
            year=1983,
            identifiers=(Identifier("patent", "USD271298"),),
        ),
        Reference("WO 96/25012, 1996-08", year=1996, identifiers=(Identifier("patent", "WO1996025012"),)),
        Reference("Kettles, Steam 1 (1999)."),
    )


def test_description_is_cut_at_its_groups_and_headings() -> None:
    assert read_bytes(PATDOC.encode(), "grant.xml").document.sections == (
        Section("Other Patent Relations", "A continuation."),
        Section("BACKGROUND", "Kettles whistle; see FIG. 1."),
        Section("Brief Description of Drawings", "FIG. 1 is a lid."),
        Section("DETAILED DESCRIPTION", ""),
        Section("The lid", "It is quiet."),
    )


def test_claims() -> None:
    document = read_bytes(PATDOC.encode(), "grant.xml").document
    assert document.claims == ("A kettle, comprising: a lid; and a spout.", "The kettle of claim 1, of steel.")


def test_a_design_has_a_class_of_locarno() -> None:
    document = read_bytes(DESIGN.encode(), "design.xml").document
    assert (document.id, document.categories) == ("USD453058S1", ("02-01",))


def test_deleted_words_of_a_reissue() -> None:
    marked = PATDOC.replace(
        "<PDAT>It is quiet.</PDAT>",
        '<PDAT>It is <DEL-S DATE="20040302" ID="DEL-S-00001"/>loud<DEL-E ID="DEL-S-00001"/>'
        '<INS-S DATE="20040302" ID="INS-S-00001"/>quiet</PDAT><HIL><ITALIC><PDAT>er</PDAT></ITALIC></HIL>'
        '<PDAT><INS-E ID="INS-S-00001"/>.</PDAT>',
    )
    assert read_bytes(marked.encode(), "grant.xml").document.sections[-1] == Section("The lid", "It is quieter.")


@pytest.mark.parametrize("name", ["week.sgm", "week.sgml", "week.xml"])
def test_sgml_of_2001(name: str, tmp_path: Path) -> None:
    assert "<?xml" not in SGML and "<CITED-BY-OTHER>" in SGML
    (tmp_path / name).write_text(SGML + SGML.replace(">06700001<", ">06700002<"))
    found = list(iter_documents(tmp_path / name, warn=pytest.fail))
    assert [one.id for one in found] == ["US6700001B2", "US6700002B2"]
    xml = read_bytes(PATDOC.encode(), "grant.xml").document
    assert found[0] == xml


def test_a_grant_without_most_of_its_parts() -> None:
    text = "<PATDOC><SDOBI><B100><B110><DNUM><PDAT>PP012345</PDAT></DNUM></B110></B100></SDOBI></PATDOC>"
    document = read_bytes(f'<?xml version="1.0"?>{text}'.encode(), "plant.xml").document
    assert (document.id, document.title, document.sections, document.claims) == ("USPP12345", "", (), ())


DATA: dict[str, Any] = {
    "inventionTitle": "KETTLE WITH A WHISTLE",
    "filingDate": "2019-03-02",
    "grantDate": "2021-05-04",
    "patentNumber": "10999999",
    "earliestPublicationNumber": "US20200210819A1",
    "earliestPublicationDate": "2020-07-09",
    "cpcClassificationBag": ["A47J  27/21", "A47J2027/006", 7],
    "inventorBag": [
        {"firstName": "Ada", "middleName": "B.", "lastName": "Lind", "inventorNameText": "LIND, Ada B."},
        {"inventorNameText": "Bo  Vik"},
        "nobody",
    ],
    "applicantBag": [{"applicantNameText": "Kettles Inc."}, {"applicantNameText": "Ada B. Lind"}],
}


def wrapper(**changed: object) -> dict[str, Any]:
    """A record whose metadata differ; None takes a value out."""
    data = {name: value for name, value in {**DATA, **changed}.items() if value is not None}
    return {
        "applicationNumberText": "16291234",
        "applicationMetaData": data,
        "foreignPriorityBag": [{"filingDate": "2018-03-05", "ipOfficeName": "SWEDEN"}],
        "eventDataBag": [{"eventCode": "X"}],
    }


def test_a_grant() -> None:
    found = read_wrapper(wrapper())
    assert (found.id, found.kind, found.title, found.year) == ("US10999999B2", "patent", "Kettle with a whistle", 2021)
    assert found.identifiers == (Identifier("patent", "US10999999B2"), Identifier("patent", "US20200210819A1"))
    assert found.dates == (
        DocumentDate("priority", "2018-03-05"),
        DocumentDate("filed", "2019-03-02"),
        DocumentDate("published", "2020-07-09"),
        DocumentDate("granted", "2021-05-04"),
    )
    assert found.inventors == found.authors == ("Ada B. Lind", "Bo Vik")
    assert (found.assignees, found.venue) == (("Kettles Inc.",), "Kettles Inc.")
    assert found.categories == ("A47J 27/21", "A47J 2027/006")
    assert (found.family, found.language) == ("US-application-16291234", "en")
    assert found.url == "https://patents.google.com/patent/US10999999B2/en"


@pytest.mark.parametrize(
    ("changed", "identifier", "year"),
    [
        ({"earliestPublicationNumber": None}, "US10999999B1", 2021),
        ({"earliestPublicationNumber": "US 2014-0167116 A1"}, "US10999999B2", 2021),
        ({"patentNumber": "D0912345", "earliestPublicationNumber": None}, "USD912345S1", 2021),
        ({"patentNumber": "RE45678", "earliestPublicationNumber": None}, "USRE45678E1", 2021),
        ({"patentNumber": "PP33333"}, "USPP33333P3", 2021),
        ({"grantDate": "1999-02-02", "patentNumber": "5867890", "earliestPublicationNumber": None}, "US5867890", 1999),
        ({"grantDate": None, "patentNumber": None}, "US20200210819A1", 2020),
        (
            {"grantDate": None, "patentNumber": None, "earliestPublicationNumber": None},
            "US-application-16291234",
            None,
        ),
        ({"grantDate": 7, "patentNumber": [1], "earliestPublicationNumber": "soon"}, "US-application-16291234", None),
    ],
)
def test_numbers(changed: dict[str, object], identifier: str, year: int | None) -> None:
    found = read_wrapper(wrapper(**changed))
    assert (found.id, found.year) == (identifier, year)
    assert bool(found.url) == ("application" not in identifier)


def test_owners_where_the_inventors_applied() -> None:
    given = wrapper(applicantBag=[{"applicantNameText": "Ada B. Lind"}])
    given["assignmentBag"] = [
        {"conveyanceText": "SECURITY INTEREST ASSIGNED", "assigneeBag": [{"assigneeNameText": "BANK"}]},
        {
            "conveyanceText": "ASSIGNMENT OF ASSIGNOR'S INTEREST",
            "assignmentRecordedDate": "2022-01-01",
            "assigneeBag": [{"assigneeNameText": "LATER OWNER"}],
        },
        {
            "conveyanceText": "ASSIGNMENT OF ASSIGNOR'S INTEREST",
            "assignmentRecordedDate": "2019-04-01",
            "assigneeBag": [{"assigneeNameText": "KETTLES AB"}],
        },
    ]
    assert read_wrapper(given).assignees == ("KETTLES AB",)


def test_what_is_a_record() -> None:
    assert is_wrapper(wrapper())
    assert not is_wrapper({"applicationNumberText": "1", "eventDataBag": []})
    assert not is_wrapper({"applicationMetaData": "none", "applicationNumberText": "1"})


def test_an_answer_of_the_portal(tmp_path: Path) -> None:
    answer = {"count": 2, "patentFileWrapperDataBag": [wrapper(), wrapper(patentNumber="10999998"), None]}
    (tmp_path / "a.json").write_text(json.dumps(answer, indent=1))
    told: list[str] = []
    found = [one.id for one in iter_documents(tmp_path / "a.json", warn=told.append)]
    assert found == ["US10999999B2", "US10999998B2"]
    assert told == [
        "An entry was left out. Expected a JSON object in result 3 in row 1 of a.json, found NoneType. "
        "Write one object a line.",
        "The USPTO gives 2 records in row 1 of a.json without abstract, claims and description. Download the XML that "
        "its portal names beside the record, and import that for the text.",
    ]


def test_one_record_is_a_document_that_lacks_its_text() -> None:
    reading = read_bytes(json.dumps(wrapper()).encode(), "a.json")
    assert reading.document.id == "US10999999B2"
    assert reading.warnings[0] == "No abstract was found in the file."
    assert reading.warnings[1].startswith("The USPTO gives 1 record in row 1 of a.json without abstract")


def test_record_gives_its_front_page() -> None:
    reading = read_bytes(GREENBOOK.encode(), "patent.txt")
    document = reading.document
    assert reading.format == "greenbook"
    assert reading.warnings == ()
    assert (document.kind, document.id, document.year) == ("patent", "US3999999A", 1976)
    assert document.title == "Whistle for a kettle that can be heard"
    assert document.abstract == "A whistle with two notes."
    assert document.authors == ("Rosalind E. Franklin", "Emmy Noether")
    assert document.venue == "Whistle Company"
    assert document.categories == ("G10K 5/02", "A47J 27/21")
    assert document.family == "US-application-05123456"


def test_sections_take_headings_or_the_name_of_their_group() -> None:
    assert read_bytes(GREENBOOK.encode(), "patent.txt").document.sections == (
        Section("Brief Summary", "Text before a heading."),
        Section("BACKGROUND OF THE INVENTION", "Whistles have one note.\n\nSome have none."),
        Section("Detailed Description", "The whistle has two chambers."),
    )


def test_claims_join_their_paragraphs() -> None:
    assert read_bytes(GREENBOOK.encode(), "patent.txt").document.claims == (
        "A whistle comprising: a first chamber; and a second chamber.",
        "The whistle of claim 1, of brass.",
    )


def test_the_one_claim_of_a_design() -> None:
    design = GREENBOOK.replace("APT  1", "APT  4").replace("WKU  039999991", "WKU  D02424831")
    design = design[: design.index("CLMS")] + "DCLM\nPAR  The ornamental design for a whistle, as shown.\n"
    document = read_bytes(design.encode(), "design.txt").document
    assert (document.id, document.claims) == ("USD242483S", ("The ornamental design for a whistle, as shown.",))


def test_many_records_are_streamed_past_the_header_of_the_tape(tmp_path: Path) -> None:
    second = GREENBOOK.replace("039999991", "040000001")
    (tmp_path / "week.txt").write_text("HHHHHT   APS1 ISSUE - 761228\n" + GREENBOOK + second)
    assert [one.id for one in iter_documents(tmp_path / "week.txt")] == ["US3999999A", "US4000000A"]


@pytest.mark.parametrize("key", ["WKU  039999991\n", "TTL  Whistle for a kettle that\n      can be heard\n"])
def test_record_without_number_or_title(key: str) -> None:
    with pytest.raises(
        MalformedFileError, match=r"patent number \(WKU\) and a title \(TTL\).*record of line 1 of a.txt"
    ):
        read_bytes(GREENBOOK.replace(key, "").encode(), "a.txt")


def test_a_record_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_text(GREENBOOK + GREENBOOK.replace("TTL  ", "TXL  ") + GREENBOOK)
    warnings: list[str] = []
    found = [one.id for one in iter_documents(tmp_path / "week.txt", warn=warnings.append)]
    assert found == ["US3999999A", "US3999999A"]
    assert warnings == [
        "An entry was left out. Expected a patent number (WKU) and a title (TTL) after PATN in the record of line 42 "
        "of week.txt; one is missing. Check that the record is whole."
    ]


@pytest.mark.parametrize("number", ["9" * 5000, "123", "\N{SUPERSCRIPT TWO}", "A"])
def test_a_series_that_is_no_number_gives_no_family(number: str) -> None:
    document = read_bytes(GREENBOOK.replace("SRC  5", f"SRC  {number}").encode(), "patent.txt").document
    assert document.family == ""
    read_bytes(GREENBOOK.replace("  1234567", f"  {'9' * 5000}").replace("19761228", "9" * 5000).encode(), "patent.txt")


def test_dates_and_citations() -> None:
    cited = "FREF\nPNO  496271\nISD  19730100\nCNT  CH\nOREF\nPAL  Whistles, Tea 3.\nABST"
    document = read_bytes(
        GREENBOOK.replace("ABST", cited).replace("TTL", "APD  19741029\nTTL").encode(), "a.txt"
    ).document
    assert document.dates == (DocumentDate("filed", "1974-10-29"), DocumentDate("granted", "1976-12-28"))
    assert document.references == (
        Reference("US 1234567, Somebody", authors=("Somebody",), identifiers=(Identifier("patent", "US1234567"),)),
        Reference("CH 496271, 1973-01", year=1973, identifiers=(Identifier("patent", "CH496271"),)),
        Reference("Whistles, Tea 3."),
    )
    assert document.inventors == document.authors
    assert document.assignees == ("Whistle Company",)


def test_record_over_the_limit(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_text(GREENBOOK)
    with pytest.raises(InputTooLargeError, match=r"at most 0 MiB in the record of line 1 of week[.]txt; it is larger"):
        list(iter_with_limits(tmp_path / "week.txt", Limits(max_file_bytes=400)))


def test_bytes_that_are_not_utf8_far_into_the_file(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_bytes(GREENBOOK.encode() * 80 + b"PAR  caf\xe9\n")
    told: list[str] = []
    assert len(list(iter_documents(tmp_path / "week.txt", warn=told.append))) == 80
    assert "It was read as Windows-1252" in told[0]


def test_raised_figures_are_no_numbers() -> None:
    text = GREENBOOK.replace("SRC  5", "SRC  ²", 1)
    assert text != GREENBOOK
    assert read_bytes(text.encode(), "a.txt").document.family == ""
    assert symbol("B60R  ²00") == "B60R ²00"


def test_a_file_of_nothing_but_damaged_records_ends_in_time() -> None:
    with pytest.raises(InputTooLargeError, match="within 1 seconds"):
        read_bytes(b"PATN\n" * 1_000_000, "a.greenbook", Limits(max_seconds=1))
