"""Patents in the XML of the EPO and of WIPO, what they say in several languages, and the spellings of parties."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from engine.core.errors import UnsupportedFormatError
from engine.documents import DocumentDate, Identifier, Reference, Section, Translation
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.patents.wordings import (
    Wordings,
    by_language,
    companies,
    numbered_claims,
    paragraphs,
    parties,
    parts,
)

PUBLICATION = """<?xml version="1.0" encoding="UTF-8"?>
<patent-document lang="DE" ucid="EP-0488701-B1" country="EP" doc-number="0488701" kind="B1" date="19940602"
 family-id="77">
<bibliographic-data>
<publication-reference><document-id format="original"><country>EP</country><doc-number>0488701</doc-number>
<kind>B1</kind><date>19940602</date><lang>DE</lang></document-id></publication-reference>
<application-reference><document-id format="epo"><country>EP</country><doc-number>91101103</doc-number><kind>A</kind>
<date>19910302</date></document-id></application-reference>
<priority-claims><priority-claim><document-id format="epo"><country>DE</country><doc-number>4010061</doc-number>
<date>19900302</date></document-id></priority-claim></priority-claims>
<technical-data>
<classification-ipc><edition>5</edition><main-classification>A47J  27/21</main-classification></classification-ipc>
<classifications-ipcr><classification-ipcr>A47J  27/21        20060101C I20070721RMEP        </classification-ipcr>
<classification-ipcr>A47J  36/06        20060101A I20070721RMEP        </classification-ipcr></classifications-ipcr>
<classification-ecla><classification-symbol scheme="EC">A47J27/21B</classification-symbol></classification-ecla>
<invention-title lang="DE">Kessel</invention-title><invention-title lang="EN">Kettle</invention-title>
<invention-title lang="FR">BOUILLOIRE &#201;LECTRIQUE</invention-title>
<citations><patent-citations><patcit ucid="WO-1990010353-A1"><document-id format="epo"><country>WO</country>
<doc-number>1990010353</doc-number><kind>A1</kind></document-id></patcit></patent-citations>
<non-patent-citations><nplcit><text>Kettles, Steam 1.</text></nplcit></non-patent-citations></citations>
</technical-data>
<parties>
<applicants><applicant format="epo"><addressbook><name>KESSEL AG</name></addressbook></applicant></applicants>
<inventors><inventor format="epo"><addressbook><name>LOVELACE ADA</name></addressbook></inventor>
<inventor format="original"><addressbook><last-name>LOVELACE, ADA, DR.</last-name></addressbook></inventor></inventors>
<assignees><assignee format="original"><addressbook><last-name>Kessel AG</last-name></addressbook></assignee>
</assignees>
<agents><agent><addressbook><last-name>Anwalt, A.</last-name></addressbook></agent></agents>
</parties>
</bibliographic-data>
<abstract lang="EN"><p>A kettle.</p></abstract><abstract lang="DE"><p num="">Ein Kessel.</p></abstract>
<abstract lang="DE"><p>Ein anderer Wortlaut.</p></abstract>
<description lang="DE"><heading><u>Gebiet</u></heading><p num="0001">[0001] Kessel pfeifen.</p>
<p num="0002">Siehe <ref type="patent">EP 1</ref>.<tables><p>12</p></tables></p></description>
<claims lang="DE"><claim num="xx"><claim-text>1. Kessel.</claim-text></claim>
<claim num="xx"><claim-text>Kessel nach Anspruch 1,<claim-text>aus Stahl.</claim-text></claim-text></claim></claims>
<claims lang="EN"><claim><claim-text>A kettle.</claim-text></claim><claim><claim-text>Of steel.</claim-text></claim>
</claims>
</patent-document>
"""

MEMBER = """<exchange-document system="ops.epo.org" family-id="43" country="US" doc-number="2012057518" kind="{kind}">
<bibliographic-data>
<publication-reference><document-id document-id-type="docdb"><country>US</country><doc-number>2012057518</doc-number>
<kind>A1</kind><date>20120308</date></document-id><document-id document-id-type="epodoc"><doc-number>US2012057518
</doc-number><date>20120308</date></document-id></publication-reference>
<classifications-ipcr><classification-ipcr><text>H04W  84/    20            A I    </text></classification-ipcr>
</classifications-ipcr>
<patent-classifications><patent-classification><classification-scheme office="EP" scheme="CPCI"/><section>H</section>
<class>04</class><subclass>W</subclass><main-group>88</main-group><subgroup>04</subgroup></patent-classification>
<patent-classification><classification-scheme office="US" scheme="UC"/><section>4</section></patent-classification>
</patent-classifications>
<application-reference><document-id document-id-type="docdb"><country>US</country><doc-number>201113167</doc-number>
</document-id><document-id document-id-type="epodoc"><doc-number>US201113167</doc-number><date>20110623</date>
</document-id></application-reference>
<priority-claims><priority-claim><document-id document-id-type="epodoc"><doc-number>EP20100167109</doc-number>
<date>20100624</date></document-id></priority-claim></priority-claims>
<parties><applicants><applicant data-format="epodoc"><applicant-name><name>HOPPER GRACE [US]</name></applicant-name>
</applicant><applicant data-format="epodoc"><applicant-name><name>NETS OY [FI]</name></applicant-name></applicant>
<applicant data-format="original"><applicant-name><name>HOPPER GRACE, </name></applicant-name></applicant>
<applicant data-format="original"><applicant-name><name>Nets Oy</name></applicant-name></applicant></applicants>
<inventors><inventor data-format="epodoc"><inventor-name><name>HOPPER GRACE [US]</name></inventor-name></inventor>
<inventor data-format="original"><inventor-name><name>HOPPER, Grace, </name></inventor-name></inventor></inventors>
</parties>
<invention-title lang="fr">R&#201;SEAU</invention-title><invention-title lang="en">A NETWORK</invention-title>
<references-cited><citation><patcit><document-id document-id-type="epodoc"><doc-number>EP0488701</doc-number>
<name>KESSEL AG [DE]</name><date>19920603</date></document-id></patcit><category>A</category></citation>
</references-cited>
</bibliographic-data>
<abstract lang="en"><p>Nets of nets.</p></abstract></exchange-document>
"""

ANSWER = (
    '<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet type="text/xsl" href="style.xsl"?>\n'
    '<ops:world-patent-data xmlns="http://www.epo.org/exchange" xmlns:ops="http://ops.epo.org">\n{}\n'
    "</ops:world-patent-data>"
)
FULLTEXT = (
    '<ftxt:fulltext-documents xmlns="http://www.epo.org/fulltext" xmlns:ftxt="http://www.epo.org/fulltext">'
    '<ftxt:fulltext-document system="ops.epo.org"><bibliographic-data><publication-reference data-format="docdb">'
    "<document-id><country>EP</country><doc-number>2400812</doc-number><kind>A1</kind></document-id>"
    "</publication-reference></bibliographic-data>{}</ftxt:fulltext-document></ftxt:fulltext-documents>"
)


def test_a_publication_in_its_own_language() -> None:
    reading = read_bytes(PUBLICATION.encode(), "EP-0488701-B1.xml")
    document = reading.document
    assert (reading.format, reading.warnings) == ("epo", ())
    assert (document.kind, document.id, document.year, document.language) == ("patent", "EP0488701B1", 1994, "de")
    assert (document.title, document.abstract) == ("Kessel", "Ein Kessel.")
    assert document.claims == ("Kessel.", "Kessel nach Anspruch 1, aus Stahl.")
    assert document.sections == (Section("Gebiet", "Kessel pfeifen.\n\nSiehe EP 1."),)
    assert document.translations == (
        Translation("en", "Kettle", "A kettle.", ("A kettle.", "Of steel.")),
        Translation("fr", "Bouilloire électrique"),
    )
    assert document.authors == document.inventors == ("Ada Lovelace",)
    assert document.assignees == ("Kessel AG",)
    assert document.venue == "Kessel AG"
    assert document.categories == ("A47J 27/21", "A47J 36/06")
    assert document.family == "77"
    assert document.url == "https://patents.google.com/patent/EP0488701B1/en"
    assert document.dates == (
        DocumentDate("priority", "1990-03-02"),
        DocumentDate("filed", "1991-03-02"),
        DocumentDate("granted", "1994-06-02"),
    )
    assert document.references == (
        Reference("WO 1990010353 A1", identifiers=(Identifier("patent", "WO1990010353A1"),)),
        Reference("Kettles, Steam 1."),
    )


def test_the_family_is_the_application_where_no_other_is_said() -> None:
    for given in ("", ' family-id="-1"'):
        text = PUBLICATION.replace('\n family-id="77"', given)
        assert read_bytes(text.encode(), "a.xml").document.family == "EP-application-91101103"


def test_a_text_that_lacks_in_the_own_language_is_taken_from_another() -> None:
    text = PUBLICATION.replace('<abstract lang="DE"><p num="">Ein Kessel.</p></abstract>', "")
    text = text.replace('<abstract lang="DE"><p>Ein anderer Wortlaut.</p></abstract>', "").replace(
        'lang="DE"', 'lang="XX"'
    )
    document = read_bytes(text.encode(), "a.xml").document
    assert (document.language, document.title, document.abstract) == ("en", "Kettle", "A kettle.")
    text = PUBLICATION.replace(
        '<abstract lang="EN"><p>A kettle.</p></abstract>', '<abstract lang="FR"><p>Eau.</p></abstract>'
    )
    document = read_bytes(text.replace('<abstract lang="DE">', '<abstract lang="ol">').encode(), "a.xml").document
    assert (document.language, document.abstract) == ("de", "Eau.")


def test_members_of_an_answer(tmp_path: Path) -> None:
    members = (MEMBER.format(kind="A1"), MEMBER.format(kind="B2").replace("2012057518", "9648662"))
    family = "".join(f"<ops:family-member>{one}</ops:family-member>" for one in members)
    answer = ANSWER.format(f"<ops:patent-family>{family}</ops:patent-family>")
    (tmp_path / "family.xml").write_text(answer)
    first, second = iter_documents(tmp_path / "family.xml", warn=pytest.fail)
    assert (first.id, second.id) == ("US20120057518A1", "US9648662B2")
    assert first.family == second.family == "43"
    assert (first.title, first.abstract, first.language) == ("A network", "Nets of nets.", "en")
    assert first.translations == (Translation("fr", "Réseau"),)
    assert first.categories == ("H04W 84/20", "H04W 88/04")
    assert first.inventors == ("Grace Hopper",)
    assert first.assignees == ("Nets Oy",)
    assert first.dates == (
        DocumentDate("priority", "2010-06-24"),
        DocumentDate("filed", "2011-06-23"),
        DocumentDate("published", "2012-03-08"),
    )
    assert first.references == (
        Reference(
            "EP 0488701, KESSEL AG [DE], 1992-06-03",
            authors=("KESSEL AG [DE]",),
            year=1992,
            identifiers=(Identifier("patent", "EP0488701"),),
        ),
    )


def test_a_bulk_file_of_the_epo(tmp_path: Path) -> None:
    members = MEMBER.format(kind="A1").replace("<", "<exch:").replace("<exch:/", "</exch:")
    text = (
        f'<?xml version="1.0"?>\n<exch:exchange-documents xmlns:exch="urn:exch">{members * 2}</exch:exchange-documents>'
    )
    (tmp_path / "docdb.xml").write_text(text)
    assert [one.title for one in iter_documents(tmp_path / "docdb.xml", warn=pytest.fail)] == ["A network"] * 2


def test_a_member_that_is_damaged_is_left_out(tmp_path: Path) -> None:
    members = [MEMBER.format(kind="A1"), MEMBER.format(kind="A2").replace("</parties>", ""), MEMBER.format(kind="A9")]
    (tmp_path / "family.xml").write_text(ANSWER.format("".join(members)))
    warnings: list[str] = []
    found = [one.id for one in iter_documents(tmp_path / "family.xml", warn=warnings.append)]
    assert found == ["US20120057518A1", "US20120057518A9"]
    place = (tmp_path / "family.xml").read_text().splitlines().index("</bibliographic-data>", 40) + 1
    assert len(warnings) == 1 and f"Expected well-formed XML in family.xml; line {place}, " in warnings[0]


def test_claims_and_description_that_are_given_apart() -> None:
    texts = "<claim-text>1. A net:\na knot.</claim-text><claim-text>2. Two.</claim-text>"
    claims = f"<claims lang='EN'><claim>{texts}</claim></claims>"
    document = read_bytes(ANSWER.format(FULLTEXT.format(claims)).encode(), "claims.xml").document
    assert (document.id, document.title, document.language) == ("EP2400812A1", "", "en")
    assert document.claims == ("A net: a knot.", "Two.")
    text = (
        "<description lang='EN'><p>Field </p><p>[0001]  Nets.</p><p> Background </p><p>[0002] Knots.</p></description>"
    )
    document = read_bytes(ANSWER.format(FULLTEXT.format(text)).encode(), "description.xml").document
    assert document.sections == (Section("Field", "Nets."), Section("Background", "Knots."))


def test_a_publication_without_most_of_its_parts() -> None:
    document = read_bytes(
        b'<?xml version="1.0"?><patent-document country="JP" doc-number="H0123456" kind="A"/>', "a.xml"
    ).document
    assert (document.id, document.title, document.year, document.claims) == ("JPH0123456A", "", None, ())
    document = read_bytes(b'<?xml version="1.0"?><patent-document/>', "a.xml").document
    assert (document.title, document.language, document.family) == ("", "", "")


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


NAMES = (
    'xmlns:pat="http://www.wipo.int/standards/XMLSchema/ST96/Patent" '
    'xmlns:com="http://www.wipo.int/standards/XMLSchema/ST96/Common" '
    'xmlns:jppat="http://www.jpo.go.jp/standards/XMLSchema/ST96/JPPatent" '
    'xmlns:uspat="urn:us:gov:doc:uspto:patent" xmlns:uscom="urn:us:gov:doc:uspto:common"'
)

ST96 = f"""<?xml version="1.0" encoding="UTF-8"?>
<pat:PatentPublication {NAMES} com:languageCode="en"><pat:BibliographicData>
<pat:PatentPublicationIdentification><com:IPOfficeCode>EP</com:IPOfficeCode>
<pat:PublicationNumber>0488701</pat:PublicationNumber><com:PatentDocumentKindCode>B1</com:PatentDocumentKindCode>
<com:PublicationDate>1994-06-02</com:PublicationDate></pat:PatentPublicationIdentification>
<pat:ApplicationIdentification><com:IPOfficeCode>EP</com:IPOfficeCode><com:ApplicationNumber>
<com:ApplicationNumberText>91101103</com:ApplicationNumberText></com:ApplicationNumber>
<pat:FilingDate>1991-03-02</pat:FilingDate></pat:ApplicationIdentification>
<pat:PriorityClaimBag><pat:PriorityClaim><com:IPOfficeCode>DE</com:IPOfficeCode><com:ApplicationNumber>
<com:ApplicationNumberText>4010061</com:ApplicationNumberText></com:ApplicationNumber>
<pat:FilingDate>1990-03-02</pat:FilingDate></pat:PriorityClaim></pat:PriorityClaimBag>
<pat:PatentClassificationBag><pat:IPCRClassificationBag><pat:IPCRClassification><pat:Section>A</pat:Section>
<pat:Class>47</pat:Class><pat:Subclass>J</pat:Subclass><pat:MainGroup>27</pat:MainGroup><pat:Subgroup>21</pat:Subgroup>
</pat:IPCRClassification></pat:IPCRClassificationBag><pat:NationalClassification><pat:MainNationalClassification>
<pat:PatentClassificationText>A47J27/99,620</pat:PatentClassificationText></pat:MainNationalClassification>
</pat:NationalClassification></pat:PatentClassificationBag>
<pat:InventionTitleBag><pat:InventionTitle com:languageCode="en">Kettle</pat:InventionTitle>
<pat:InventionTitle com:languageCode="de">Kessel</pat:InventionTitle></pat:InventionTitleBag>
<pat:PartyBag><pat:ApplicantBag><pat:Applicant><com:PublicationContact><com:Name><com:OrganizationName>
<com:OrganizationStandardName>Kessel AG</com:OrganizationStandardName></com:OrganizationName></com:Name>
</com:PublicationContact></pat:Applicant></pat:ApplicantBag><pat:InventorBag><pat:Inventor><com:PublicationContact>
<com:Name><com:PersonName><com:PersonStructuredName><com:FirstName>Ada</com:FirstName><com:LastName>Lind</com:LastName>
</com:PersonStructuredName></com:PersonName></com:Name></com:PublicationContact></pat:Inventor></pat:InventorBag>
</pat:PartyBag>
<pat:ReferenceCitationBag><pat:ReferenceCitation><com:PatentCitation><pat:CitedPatentDocumentIdentification>
<com:IPOfficeCode>US</com:IPOfficeCode><pat:DocumentNumber>5093563</pat:DocumentNumber>
<com:PatentDocumentKindCode>A</com:PatentDocumentKindCode></pat:CitedPatentDocumentIdentification></com:PatentCitation>
</pat:ReferenceCitation><pat:ReferenceCitation><com:NPLCitation><com:NPLCitationText>Kettles, Steam 1.
</com:NPLCitationText></com:NPLCitation></pat:ReferenceCitation></pat:ReferenceCitationBag></pat:BibliographicData>
<pat:Abstract com:languageCode="en"><com:P>A kettle.</com:P></pat:Abstract>
<pat:Abstract com:languageCode="de"><com:P>Ein Kessel.</com:P></pat:Abstract>
<pat:Description com:languageCode="en"><com:Heading>Field</com:Heading>
<com:P com:pNumber="1">Kettles <com:I>whistle</com:I>.</com:P>
<com:Heading>Background</com:Heading><com:P>Some do not.</com:P></pat:Description>
<pat:Claims com:languageCode="en"><pat:Claim><pat:ClaimNumber>1</pat:ClaimNumber><pat:ClaimText>1. A kettle with
<pat:ClaimText>a lid.</pat:ClaimText></pat:ClaimText></pat:Claim><pat:Claim><pat:ClaimNumber>2</pat:ClaimNumber>
<pat:ClaimText>2. A lid.</pat:ClaimText></pat:Claim></pat:Claims></pat:PatentPublication>"""


def test_a_publication() -> None:
    found = read_bytes(ST96.encode(), "a.xml").document
    assert (found.id, found.kind, found.title, found.language) == ("EP0488701B1", "patent", "Kettle", "en")
    assert (found.abstract, found.year) == ("A kettle.", 1994)
    assert found.sections == (Section("Field", "Kettles whistle."), Section("Background", "Some do not."))
    assert found.claims == ("A kettle with a lid.", "A lid.")
    assert found.dates == (
        DocumentDate("priority", "1990-03-02"),
        DocumentDate("filed", "1991-03-02"),
        DocumentDate("granted", "1994-06-02"),
    )
    assert (found.inventors, found.assignees) == (("Ada Lind",), ("Kessel AG",))
    assert found.categories == ("A47J 27/21",)
    assert found.family == "EP-application-91101103"
    assert [(one.language, one.title, one.abstract) for one in found.translations] == [("de", "Kessel", "Ein Kessel.")]
    assert [one.text for one in found.references] == ["US 5093563 A", "Kettles, Steam 1."]


JAPANESE = f"""<jppat:UnexaminedPatentPublication {NAMES} com:languageCode="ja">
<jppat:UnexaminedPatentPublicationBibliographicData><jppat:PatentPublicationIdentification>
<com:IPOfficeCode>JP</com:IPOfficeCode><pat:PublicationNumber>2023123456</pat:PublicationNumber>
<com:PatentDocumentKindCode>A</com:PatentDocumentKindCode><com:PublicationDate>2023-09-05</com:PublicationDate>
</jppat:PatentPublicationIdentification><jppat:ApplicationIdentification><com:ApplicationNumber>
<com:ApplicationNumberText>2022027001</com:ApplicationNumberText></com:ApplicationNumber>
<pat:FilingDate>2022-02-24</pat:FilingDate></jppat:ApplicationIdentification><pat:IPCClassification>
<pat:MainClassification>A47J 27/21</pat:MainClassification></pat:IPCClassification>
<pat:InventionTitle>やかん</pat:InventionTitle>
<jppat:InventorBag><jppat:Inventor><jpcom:Contact xmlns:jpcom="j"><com:Name>
<com:EntityName>山田 太郎</com:EntityName></com:Name></jpcom:Contact></jppat:Inventor></jppat:InventorBag>
</jppat:UnexaminedPatentPublicationBibliographicData>
<jppat:Description><pat:TechnicalField><com:P com:pNumber="0001">やかんに関する。</com:P></pat:TechnicalField>
<pat:InventionSummary><pat:TechnicalProblem><com:P>沸騰を知らせる。</com:P></pat:TechnicalProblem></pat:InventionSummary>
</jppat:Description><pat:Claims><pat:Claim><pat:ClaimNumber>1</pat:ClaimNumber><pat:ClaimText>笛を備えるやかん。
</pat:ClaimText></pat:Claim></pat:Claims><pat:Abstract><com:P>笛付きのやかん。</com:P></pat:Abstract>
</jppat:UnexaminedPatentPublication>"""


def test_a_publication_of_japan_names_its_parts_by_elements() -> None:
    found = read_bytes(JAPANESE.encode(), "a.xml").document
    assert (found.id, found.title, found.language) == ("JP2023123456A", "やかん", "ja")
    assert (found.abstract, found.claims) == ("笛付きのやかん。", ("笛を備えるやかん。",))
    assert found.sections == (
        Section("Technical Field", "やかんに関する。"),
        Section("Technical Problem", "沸騰を知らせる。"),
    )
    assert (found.inventors, found.categories) == (("山田 太郎",), ("A47J 27/21",))


def filed(root: str, code: str, body: str) -> str:
    """A part of an application as the USPTO's portal gives it."""
    return (
        f'<uspat:{root} {NAMES} com:id="D"><uspat:DocumentMetadata><uscom:DocumentCode>{code}</uscom:DocumentCode>'
        "<uscom:ApplicationNumberText>16999555</uscom:ApplicationNumberText><uscom:OfficialDate>2023-01-15"
        f"</uscom:OfficialDate></uspat:DocumentMetadata>{body}</uspat:{root}>"
    )


def test_parts_of_an_application() -> None:
    said = (
        "<uscom:Heading>WIDGET TITLE</uscom:Heading><uscom:Heading>BACKGROUND</uscom:Heading><uscom:P>Widgets are "
        'known.</uscom:P><uscom:BoundaryDataReference com:idref="B"/><uscom:Heading>SUMMARY</uscom:Heading>'
        "<uscom:P>One more.</uscom:P>"
    )
    found = read_bytes(filed("SpecificationDocument", "SPEC", said).encode(), "a.xml").document
    assert (found.title, found.kind, found.family) == ("Widget title", "patent", "US-application-16999555")
    assert found.sections == (Section("BACKGROUND", "Widgets are known."), Section("SUMMARY", "One more."))
    assert found.id.startswith("file:")
    said = "<uscom:Heading>ABSTRACT</uscom:Heading><uscom:P>A widget.</uscom:P>"
    assert read_bytes(filed("SpecificationDocument", "ABST", said).encode(), "a.xml").document.abstract == "A widget."
    said = (
        "<uspat:ClaimStatement>What is claimed is:</uspat:ClaimStatement><uspat:Claims><uspat:Claim>"
        "<pat:ClaimNumber>1</pat:ClaimNumber><uspat:ClaimText>1. (Currently Amended) A <pat:Del>red</pat:Del>"
        "<pat:Ins>blue</pat:Ins> widget:</uspat:ClaimText><uspat:ClaimText>a lid. </uspat:ClaimText>"
        "<uspat:ClaimStatusCategory>Original</uspat:ClaimStatusCategory></uspat:Claim><uspat:Claim>"
        "<pat:ClaimNumber>2</pat:ClaimNumber><uspat:ClaimText>2. (Canceled)</uspat:ClaimText></uspat:Claim>"
        "<uspat:Claim><pat:ClaimNumber>3</pat:ClaimNumber><uspat:ClaimText>"
        "3. The widget of claim <uspat:ClaimReference>1</uspat:ClaimReference>.</uspat:ClaimText></uspat:Claim>"
        "</uspat:Claims>"
    )
    found = read_bytes(filed("ClaimsDocument", "CLM", said).encode(), "a.xml").document
    assert found.claims == ("A blue widget: a lid.", "", "The widget of claim 1.")


def test_bulk_records_have_no_text(tmp_path: Path) -> None:
    record = (
        "<uspat:PatentData><uspat:PatentCaseMetadata><uscom:ApplicationNumberText>02022946</uscom:ApplicationNumberText>"
        "<pat:FilingDate>2001-02-03</pat:FilingDate><pat:InventionTitle>KETTLE</pat:InventionTitle>{}"
        "</uspat:PatentCaseMetadata></uspat:PatentData>"
    )
    grant = (
        "<uspat:PatentGrantIdentification><pat:PatentNumber>6543210</pat:PatentNumber><pat:GrantDate>2003-04-08"
        "</pat:GrantDate></uspat:PatentGrantIdentification>"
    )
    text = f"<uspat:PatentBulkData {NAMES}>{record.format('')}{record.format(grant)}</uspat:PatentBulkData>"
    (tmp_path / "a.xml").write_text(text)
    first, second = iter_documents(tmp_path / "a.xml")
    assert (first.id[:5], first.title, first.family) == ("file:", "Kettle", "US-application-02022946")
    assert (second.id, second.year) == ("US6543210", 2003)


def test_other_roots_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedFormatError, match=r"a\.xml is an office action of the USPTO"):
        read_bytes(f"<?xml version='1.0'?><uspat:OutgoingDocument {NAMES}/>".encode(), "a.xml")
    with pytest.raises(UnsupportedFormatError, match="found the root 'RequestDocument'"):
        read_bytes(f"<?xml version='1.0'?><pat:RequestDocument {NAMES}/>".encode(), "a.xml")


NONE: dict[str, str] = {}


def test_the_first_text_of_each_language_is_taken() -> None:
    assert by_language([("DE", ""), ("de", "a"), ("DE", "b"), ("xx", "c")]) == {"de": "a", "": "c"}


def test_the_language_is_the_one_said_if_a_text_is_in_it() -> None:
    titles = {"de": "Deckel", "en": "Lid"}
    assert Wordings(("FR", "DE"), titles, NONE, {}, NONE).language == "de"
    assert Wordings(("FR",), titles, NONE, {}, NONE).language == "en"
    assert Wordings(("FR",), titles, NONE, {"de": ("Deckel.",), "en": ("Lid.",)}, {"de": "Text"}).language == "de"


def test_what_is_said_in_other_languages_are_translations() -> None:
    found = Wordings(("de",), {"de": "Deckel", "en": "Lid"}, {"en": "A lid."}, {"fr": ("Couvercle.",)}, NONE)
    assert found.own(found.titles, "") == "Deckel"
    assert found.own(found.abstracts, "") == "A lid."
    assert list(found.translations()) == [
        Translation("en", "Lid", "A lid."),
        Translation("fr", claims=("Couvercle.",)),
    ]


def front(*given: tuple[str, str], role: str = "inventor") -> Element:
    people = "".join(f'<{role} format="{spelling}"><name>{name}</name></{role}>' for spelling, name in given)
    return fromstring(f"<a>{people}</a>")


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("SCHELLER, HANS-ULRICH, DR.", "Hans-Ulrich Scheller"),
        ("Müller, Prof. Dr.-Ing., Eva", "Eva Müller"),
        ("NADERHOFF, Thorsten, ", "Thorsten Naderhoff"),
        ("O'BRIEN, PAT, JR.", "Pat O'Brien JR."),
        ("KING, CHARLES, III", "Charles King III"),
        ("HERRALA SAMI [FI]", "Sami Herrala"),
        ("Ada Lovelace", "Ada Lovelace"),
        ("van den Berg, Jan", "Jan van den Berg"),
        ("The designation of the inventor has not yet been filed", ""),
    ],
)
def test_a_person_in_the_order_of_speech(written: str, spoken: str) -> None:
    assert parties(front(("original", written)), "inventor") == ((spoken,) if spoken else ())


def test_the_best_spelling_that_names_most() -> None:
    given = (("epo", "HOPPER GRACE"), ("epo", "LOVELACE ADA"), ("intermediate", "HOPPER, GRACE"))
    assert parties(front(*given, ("intermediate", "LOVELACE, ADA")), "inventor") == ("Grace Hopper", "Ada Lovelace")
    assert parties(front(*given, ("original", "Hopper, Grace M.")), "inventor") == ("Grace Hopper", "Ada Lovelace")


def test_a_party_that_is_written_twice_counts_once() -> None:
    given = (("epodoc", "KYLMAENEN JARI"), ("original", "KYLMAENEN, JARI"), ("original", "KYLMÄNEN, JARI"))
    assert parties(front(*given), "inventor") == ("Jari Kylmaenen",)


def test_companies_stay_as_they_are_written() -> None:
    given = (("original", "NETS OY, "), ("original", "Nets Oy"), ("original", "Kettle, Lid &amp; Co."))
    assert parties(front(*given, role="applicant"), "applicant") == ("Nets Oy", "Kettle, Lid & Co.")


def test_applicants_who_are_inventors_are_no_companies() -> None:
    assert companies(["HOPPER GRACE", "Nets Oy"], ["Grace Hopper"]) == ("Nets Oy",)


def test_nobody_is_named() -> None:
    assert parties(Element("a"), "inventor") == ()


def test_marked_headings_are_the_only_ones() -> None:
    text = "<description><heading>Field</heading><p>NETS</p><p>[0001] Knots</p><p/></description>"
    assert list(parts(fromstring(text), "")) == [
        ("heading", "Field"),
        ("text", "NETS"),
        ("text", "Knots"),
        ("text", ""),
    ]


def test_headings_by_their_words_or_capitals() -> None:
    lines = ["A NET OF KNOTS", "Background of the invention", "Nets have knots.", "SUMMARY", "Nets without", "OK."]
    text = "".join(f'<p num="p{place}">{one}</p>' for place, one in enumerate(lines))
    assert list(parts(fromstring(f"<description>{text}</description>"), "A net of knots")) == [
        ("heading", "Background of the invention"),
        ("text", "Nets have knots."),
        ("heading", "SUMMARY"),
        ("text", "Nets without"),
        ("text", "OK."),
    ]


def test_a_short_line_among_numbered_ones_is_a_heading() -> None:
    text = "<p>Technisches Gebiet</p><p>[0001] Netze.</p><p>(0002) Knoten</p><p>Und so weiter.</p>"
    assert list(parts(fromstring(f"<description>{text}</description>"), "")) == [
        ("heading", "Technisches Gebiet"),
        ("text", "Netze."),
        ("text", "Knoten"),
        ("text", "Und so weiter."),
    ]


def test_no_description() -> None:
    assert list(parts(None, "")) == []


@pytest.mark.parametrize(
    ("inside", "claims"),
    [
        ("<claim><claim-text>1. A net.</claim-text></claim><claim><claim-text>2. Of silk.</claim-text></claim>", 2),
        ("<claim><claim-text>1. A net.</claim-text><claim-text>2. Of silk.</claim-text></claim>", 2),
        ("<claim><claim-text>1. A net:\na knot.\n2. Of silk,\n3 metres long.\n3. Two.</claim-text></claim>", 3),
        ("<claim>1. A net. 2. Of silk.</claim>", 1),
        ("<claim><claim-text/><claim-text>AMENDED CLAIMS</claim-text><claim-text>1. A net.</claim-text></claim>", 1),
        ("<claim><claim-text>A net of<claim-text>a) knots, b) ropes.</claim-text></claim-text></claim>", 1),
        ("<claim/>", 0),
        ("", 0),
    ],
)
def test_claims_that_one_element_holds(inside: str, claims: int) -> None:
    found = numbered_claims(fromstring(f"<claims>{inside}</claims>"))
    assert len(found) == claims
    assert not any(one.startswith(("1.", "AMENDED")) for one in found)


def test_steps_of_a_single_claim_stay_together() -> None:
    text = (
        "<claims><claim><claim-text>A net of<claim-text>a) knots,</claim-text>and ropes.</claim-text></claim></claims>"
    )
    assert numbered_claims(fromstring(text)) == ("A net of a) knots, and ropes.",)


def test_paragraphs_of_an_abstract() -> None:
    assert (
        paragraphs(fromstring("<abstract><heading>Abstract</heading><p>A.</p><s><p>B.</p></s></abstract>"))
        == "A.\n\nB."
    )
    assert paragraphs(fromstring("<abstract>Bare.</abstract>")) == "Bare."
