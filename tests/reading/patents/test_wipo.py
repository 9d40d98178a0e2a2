"""Patents in WIPO ST.96, in the shapes that were read about."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import UnsupportedFormatError
from engine.documents import DocumentDate, Section
from engine.reading.dispatch import iter_documents, read_bytes

NAMES = (
    'xmlns:pat="http://www.wipo.int/standards/XMLSchema/ST96/Patent" '
    'xmlns:com="http://www.wipo.int/standards/XMLSchema/ST96/Common" '
    'xmlns:jppat="http://www.jpo.go.jp/standards/XMLSchema/ST96/JPPatent" '
    'xmlns:uspat="urn:us:gov:doc:uspto:patent" xmlns:uscom="urn:us:gov:doc:uspto:common"'
)

PUBLICATION = f"""<?xml version="1.0" encoding="UTF-8"?>
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
    found = read_bytes(PUBLICATION.encode(), "a.xml").document
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
