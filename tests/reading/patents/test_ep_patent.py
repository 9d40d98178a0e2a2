"""European patents as the EPO publishes them in full."""

from __future__ import annotations

from engine.documents import DocumentDate, Identifier, Reference, Section, Translation
from engine.reading.dispatch import read_bytes

PATENT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE ep-patent-document PUBLIC "-//EPO//EP PATENT DOCUMENT 1.4//EN" "ep-patent-document-v1-4.dtd">
<ep-patent-document id="EP91101103B1" file="EP91101103NWB1.xml" lang="de" country="EP" doc-number="0488701" kind="B1"
 date-publ="19940602" status="n">
<SDOBI lang="de"><B000><eptags><B001EP>ATBECHDE</B001EP></eptags></B000>
<B100><B110>0488701</B110><B120><B121>EUROPÄISCHE PATENTSCHRIFT</B121></B120><B130>B1</B130>
<B140><date>19940602</date></B140>
<B190>EP</B190></B100>
<B200><B210>91101103.6</B210><B220><date>19910302</date></B220><B260>de</B260></B200>
<B300><B310>4010061</B310><B320><date>19900302</date></B320><B330><ctry>DE</ctry></B330></B300>
<B500><B510EP><classification-ipcr sequence="1"><text>A47J  27/21        20060101AFI20060310RMEP        </text>
</classification-ipcr></B510EP><B510><B511> 7A 47J  36/06   A</B511></B510>
<B540><B541>de</B541><B542>KESSEL</B542><B541>en</B541><B542>Kettle</B542></B540>
<B560><B561><text>EP-A- 0 123 456</text></B561><B562><text>Kettles, Steam 1.</text></B562></B560></B500>
<B700><B710><B711><snm>Kessel AG</snm></B711></B710><B720><B721><snm>LOVELACE, Ada</snm><adr><city>Ulm</city>
</adr></B721>
</B720><B730><B731><snm>Kessel GmbH</snm></B731></B730></B700></SDOBI>
<description id="desc" lang="de"><heading id="h1">Gebiet</heading><p id="p1" num="0001">Kessel pfeifen.</p>
</description>
<claims id="claims01" lang="de"><claim id="c1" num="0001"><claim-text>Kessel.</claim-text></claim></claims>
<claims id="claims02" lang="en"><claim id="d1" num="0001"><claim-text>Kettle.</claim-text></claim></claims>
</ep-patent-document>
"""


def test_a_european_patent() -> None:
    reading = read_bytes(PATENT.encode(), "EP91101103NWB1.xml")
    document = reading.document
    assert (reading.format, document.id, document.year) == ("epo", "EP0488701B1", 1994)
    assert (document.title, document.language, document.claims) == ("KESSEL", "de", ("Kessel.",))
    assert document.sections == (Section("Gebiet", "Kessel pfeifen."),)
    assert document.translations == (Translation("en", "Kettle", "", ("Kettle.",)),)
    assert (document.inventors, document.assignees) == (("Ada Lovelace",), ("Kessel GmbH",))
    assert document.categories == ("A47J 27/21", "A47J 36/06")
    assert document.family == "EP-application-91101103"
    assert document.dates == (
        DocumentDate("priority", "1990-03-02"),
        DocumentDate("filed", "1991-03-02"),
        DocumentDate("granted", "1994-06-02"),
    )
    assert document.references == (
        Reference("EP 0123456 A", identifiers=(Identifier("patent", "EP0123456A"),)),
        Reference("Kettles, Steam 1."),
    )


def test_an_application_names_its_applicants() -> None:
    text = PATENT.replace("<B730><B731><snm>Kessel GmbH</snm></B731></B730>", "")
    assert read_bytes(text.encode(), "a.xml").document.assignees == ("Kessel AG",)


def test_a_patent_without_its_data() -> None:
    document = read_bytes(
        b'<?xml version="1.0"?><ep-patent-document country="EP" doc-number="1" kind="A1"/>', "a.xml"
    ).document
    assert (document.id, document.title, document.family, document.dates) == ("EP0000001A1", "", "", ())
