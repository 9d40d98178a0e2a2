"""The USPTO's grants of 2001 to 2004, in XML and SGML."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import DocumentDate, Identifier, Reference, Section
from engine.reading.dispatch import iter_documents, read_bytes

GRANT = """<?xml version="1.0" encoding="UTF-8"?>
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
    GRANT.partition("\n")[2]
    .replace('SYSTEM "ST32-US-Grant-025xml.dtd"', 'PUBLIC "-//USPTO//DTD ST.32 US PATENT GRANT V2.4 2000-09-20//EN"')
    .replace("/>", ">")
)

DESIGN = (
    GRANT.replace("06700001</PDAT>", "D0453058</PDAT>")
    .replace(">B2<", ">S1<")
    .replace("A47J 2721", "0201")
    .replace("<B512><PDAT>A47J 36/06</PDAT></B512>", "")
)


def test_front_page() -> None:
    reading = read_bytes(GRANT.encode(), "grant.xml")
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
    assert read_bytes(GRANT.encode(), "grant.xml").document.references == (
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
    assert read_bytes(GRANT.encode(), "grant.xml").document.sections == (
        Section("Other Patent Relations", "A continuation."),
        Section("BACKGROUND", "Kettles whistle; see FIG. 1."),
        Section("Brief Description of Drawings", "FIG. 1 is a lid."),
        Section("DETAILED DESCRIPTION", ""),
        Section("The lid", "It is quiet."),
    )


def test_claims() -> None:
    document = read_bytes(GRANT.encode(), "grant.xml").document
    assert document.claims == ("A kettle, comprising: a lid; and a spout.", "The kettle of claim 1, of steel.")


def test_a_design_has_a_class_of_locarno() -> None:
    document = read_bytes(DESIGN.encode(), "design.xml").document
    assert (document.id, document.categories) == ("USD453058S1", ("02-01",))


def test_deleted_words_of_a_reissue() -> None:
    marked = GRANT.replace(
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
    xml = read_bytes(GRANT.encode(), "grant.xml").document
    assert found[0] == xml


def test_a_grant_without_most_of_its_parts() -> None:
    text = "<PATDOC><SDOBI><B100><B110><DNUM><PDAT>PP012345</PDAT></DNUM></B110></B100></SDOBI></PATDOC>"
    document = read_bytes(f'<?xml version="1.0"?>{text}'.encode(), "plant.xml").document
    assert (document.id, document.title, document.sections, document.claims) == ("USPP12345", "", (), ())
