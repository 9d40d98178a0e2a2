"""Word files into documents; the archive's parts are read within limits, and what is damaged is refused."""

from __future__ import annotations

import io
import struct
import time
import zipfile

import pytest

from engine.core.errors import (
    EmptyInputError,
    EncryptedFileError,
    InputTooLargeError,
    MalformedFileError,
    TruncatedFileError,
    UnsafeXmlError,
    UnsupportedFormatError,
)
from engine.documents import Section, Translation
from engine.reading.dispatch import detect, read_bytes
from engine.reading.limits import Limits
from tests.reading.docx.writer import (
    ABSTRACT,
    METHOD,
    PAPER,
    STYLES,
    TITLE,
    archive,
    core,
    document,
    docx,
    item,
    paragraph,
    read,
    table,
)
from tests.reading.texts import ENGLISH, ENGLISH_BODY, SPANISH, SPANISH_BODY


def test_a_paper() -> None:
    reading = read(PAPER)
    document = reading.document
    assert (reading.format, reading.warnings) == ("docx", ())
    assert document.id.startswith("file:")
    assert document.title == "Kettles that do not whistle"
    assert document.abstract == "We make kettles quiet."
    assert document.sections == (
        Section("Method", "A lid rests on a seal.\n\n- cats\n- dogs"),
        Section("Measures", "lid | 3 dB\nnone | 80 dB"),
        Section("References", "Lind, A. Quiet lids. 1999.\n\nLovelace, A. Notes. 1843.", "references"),
    )


def test_content_decides_not_the_name() -> None:
    assert detect(PAPER, "a.zip") == "docx"
    reading = read_bytes(PAPER, "paper.pdf")
    assert reading.document.title == "Kettles that do not whistle"
    assert reading.warnings[0].startswith("The name paper.pdf promises another format; the content is DOCX")


@pytest.mark.parametrize(
    ("style", "properties"),
    [
        ("berschrift1", ""),
        ("Titre1", ""),
        ("Mine", ""),
        ("Heading2", ""),
        ("Kop1", ""),
        ("", '<w:outlineLvl w:val="0"/>'),
        ("Normal", '<w:outlineLvl w:val="1"/>'),
    ],
)
def test_headings_by_style_in_many_languages_or_by_outline_level(style: str, properties: str) -> None:
    found = read(docx(TITLE, *ABSTRACT, paragraph("Le joint", style, properties), paragraph("Il est plat."))).document
    assert found.sections == (Section("Le joint", "Il est plat."),)


@pytest.mark.parametrize(
    ("style", "properties"),
    [("Normal", ""), ("Loop", ""), ("Unknown", ""), ("berschrift1", '<w:outlineLvl w:val="9"/>')],
)
def test_what_is_no_heading(style: str, properties: str) -> None:
    found = read(docx(TITLE, *METHOD, paragraph("A line.", style, properties))).document
    assert [section.title for section in found.sections] == ["Method"]
    assert found.sections[0].text.endswith("A line.")


def test_the_title_comes_from_the_properties() -> None:
    parts = {"docProps/core.xml": core("Quiet kettles")}
    assert read(docx(*ABSTRACT, *METHOD, parts=parts)).document.title == "Quiet kettles"
    assert read(docx(TITLE, *METHOD, parts=parts)).document.title == "Kettles that do not whistle"


@pytest.mark.parametrize("junk", ["Microsoft Word - draft.doc", "Document1", "paper_v2.docx", "Elsevier template", ""])
def test_a_title_that_a_program_wrote_is_none(junk: str) -> None:
    reading = read(docx(*ABSTRACT, *METHOD, parts={"docProps/core.xml": core(junk)}))
    assert reading.document.title == ""
    assert reading.warnings == ("No title was found: neither a style nor the file's properties give one.",)


def test_the_first_heading_is_the_title_where_it_stands_above_the_rest() -> None:
    first = paragraph("Quiet kettles", "berschrift1")
    found = read(docx(first, paragraph("Words."), paragraph("Method", "berschrift2"), paragraph("More."))).document
    assert (found.title, [section.title for section in found.sections]) == ("Quiet kettles", ["Method"])
    assert found.abstract == "Words."


def test_a_number_in_a_heading_is_its_own_unless_it_counts() -> None:
    texts = ("1 Introduction", "2. Lids", "2.1 Steel", "3 Pots", "9 Ways to Boil")
    inner = [part for text in texts for part in (paragraph(text, "berschrift2"), paragraph("Words."))]
    found = read(docx(paragraph("10 Quiet Kettles", "berschrift1"), *inner)).document
    assert found.title == "10 Quiet Kettles"
    assert [one.title for one in found.sections] == ["Introduction", "Lids", "Steel", "Pots", "9 Ways to Boil"]


def test_headings_by_hand_are_read_as_in_plain_text() -> None:
    blocks = (
        "Quiet kettles",
        "Abstract: We make kettles quiet.",
        "1 Introduction",
        "Kettles whistle.",
        "References",
        "A.",
    )
    found = read(docx(*map(paragraph, blocks)))
    assert found.format == "docx"
    assert found.document.title == "Quiet kettles"
    assert found.document.abstract == "We make kettles quiet."
    assert [(one.title, one.role) for one in found.document.sections] == [
        ("Introduction", "body"),
        ("References", "references"),
    ]


def test_run_in_words_and_own_styles() -> None:
    found = read(
        docx(TITLE, paragraph("Abstract. It is quiet.", "Abs"), paragraph("Keywords: lids, seals"), *METHOD)
    ).document
    assert (found.abstract, found.keywords) == ("It is quiet.", ("lids", "seals"))
    found = read(docx(TITLE, *METHOD, paragraph("Lind. 1999.", "Bib"), paragraph("Lovelace. 1843.", "Bib"))).document
    assert found.sections[-1] == Section("References", "Lind. 1999.\n\nLovelace. 1843.", "references")


@pytest.mark.parametrize(
    "styles",
    [
        ("papertitle", "author", "abstract", "heading1", "referenceitem"),
        ("paper title", "Author", "Abstract", "heading 1", "references"),
        ("MDPI_1.2_title", "MDPI_1.3_authornames", "MDPI_1.7_abstract", "MDPI_2.1_heading1", "MDPI_7.1_References"),
        ("Title_document", "AuthNotes", "Abstract", "Head1", "Bib_entry"),
        ("Title", "Date", "Abstract", "Heading 1", "Bibliography"),
    ],
)
def test_styles_of_publishers_and_programs(styles: tuple[str, ...]) -> None:
    texts = ("Quiet kettles", "Ada Lind, 2020", "We make kettles quiet.", "Method", "Lind. 1999.")
    named = "".join(f'<w:style w:styleId="s{n}"><w:name w:val="{name}"/></w:style>' for n, name in enumerate(styles))
    blocks = [paragraph(text, f"s{n}") for n, text in enumerate(texts)]
    blocks.insert(4, paragraph("A lid."))
    parts = {"word/styles.xml": STYLES.replace("</w:styles>", f"{named}</w:styles>")}
    found = read(docx(*blocks, parts=parts)).document
    assert (found.title, found.abstract) == ("Quiet kettles", "We make kettles quiet.")
    assert found.sections == (Section("Method", "A lid."), Section("References", "Lind. 1999.", "references"))


def test_a_subtitle_and_a_table_of_contents() -> None:
    named = '<w:style w:styleId="Sub"><w:name w:val="Subtitle"/></w:style></w:styles>'
    parts = {"word/styles.xml": STYLES.replace("</w:styles>", named)}
    found = read(docx(TITLE, paragraph("A study", "Sub"), *METHOD, parts=parts)).document
    assert found.title == "Kettles that do not whistle: A study"
    assert [section.title for section in found.sections] == ["Method"]


def test_claims_numbered_by_word_are_claims() -> None:
    found = read(
        docx(TITLE, *METHOD, paragraph("Claims", "berschrift1"), item("A lid."), item("The lid of claim 1."))
    ).document
    assert (found.kind, found.claims) == ("patent", ("A lid.", "The lid of claim 1."))


def test_what_is_left_out() -> None:
    runs = (
        "<w:p><w:r><w:t>Kept</w:t></w:r><w:r><w:tab/><w:t>text</w:t><w:footnoteReference w:id='1'/></w:r>"
        "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:ins><w:r><w:t>, inserted</w:t></w:r></w:ins>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>"
        "<w:r><w:drawing><w:t>drawn</w:t></w:drawing></w:r>"
        "<w:hyperlink><w:r><w:t>, linked</w:t></w:r></w:hyperlink></w:p>"
    )
    parts = {"word/footnotes.xml": document(paragraph("A footnote.")), "word/comments.xml": document(paragraph("No."))}
    found = read(docx(TITLE, paragraph("Method ... 1", "TOC1"), *METHOD[:1], runs, parts=parts)).document
    assert found.sections == (Section("Method", "Kept text, inserted, linked"),)


def test_a_table_that_lays_out_the_page() -> None:
    found = read(docx(TITLE, table(("".join(METHOD), paragraph("Aside."))))).document
    assert found.sections == (Section("Method", "A lid rests on a seal.\n\nAside."),)


def test_a_document_without_text() -> None:
    with pytest.raises(EmptyInputError, match=r"Expected text in a\.docx, found none in its pages"):
        read(docx(paragraph(" ")))


def test_deep_markup() -> None:
    with pytest.raises(
        MalformedFileError, match=r"Expected elements nested at most 200 deep in word/document\.xml of a\.docx"
    ):
        read(docx("<w:smartTag>" * 300 + "</w:smartTag>" * 300))


def test_steps_of_a_claim_are_no_claims() -> None:
    def step(text: str) -> str:
        return paragraph(text, properties='<w:numPr><w:ilvl w:val="1"/></w:numPr>')

    claims = (item("A lid comprising:"), step("a knob; and"), step("a rim."), item("The lid of claim 1, of steel."))
    found = read(docx(TITLE, *METHOD, paragraph("Claims", "berschrift1"), *claims)).document
    assert found.claims == ("A lid comprising: a knob; and a rim.", "The lid of claim 1, of steel.")


def test_names_and_addresses_under_the_title_are_no_abstract() -> None:
    lines = ("Jane Doe, John Roe", "Department of Physics, MIT, Cambridge", "jane@mit.edu")
    found = read(docx(TITLE, *(paragraph(line) for line in lines), *METHOD, *METHOD))
    assert found.document.abstract == ""
    assert any(said.startswith("Lines about authors were left out of the text: Jane Doe") for said in found.warnings)
    prose = paragraph("We make kettles quiet by lids of rubber.")
    found = read(docx(TITLE, *(paragraph(line) for line in lines), prose, *METHOD, *METHOD))
    assert found.document.abstract == "We make kettles quiet by lids of rubber."


COVER = tuple(paragraph(line) for line in ("UNIVERSITY OF TOWN", "Master Thesis"))
CONTENTS = (paragraph("Table of Contents", "berschrift1"), paragraph("1 Method 3"), paragraph("References 9"))


def run(text: str, marks: str) -> str:
    return f"<w:p><w:r><w:rPr>{marks}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    "title",
    [
        run("Quiet lids", '<w:b/><w:sz w:val="56"/>'),
        run("Quiet", '<w:sz w:val="40"/>') + run("lids", '<w:sz w:val="40"/>'),
        run("Quiet lids", "<w:b/>"),
    ],
)
@pytest.mark.parametrize("given", ["", "A template of the school"])
def test_the_title_of_a_thesis_is_not_its_table_of_contents(title: str, given: str) -> None:
    names = (paragraph("Ada Lind"), paragraph("Supervisor: Bo Ek"))
    found = read(docx(*COVER, title, *names, *CONTENTS, *ABSTRACT, *METHOD, parts={"docProps/core.xml": core(given)}))
    assert (found.document.title, found.document.abstract) == ("Quiet lids", "We make kettles quiet.")
    assert [one.title for one in found.document.sections] == ["Method"]
    assert "UNIVERSITY OF TOWN" in found.warnings[0]


def test_the_title_in_the_properties_counts_where_the_text_prints_it() -> None:
    parts = {"docProps/core.xml": core("Quiet Lids")}
    found = read(docx(*COVER, paragraph("Quiet lids"), *CONTENTS, *ABSTRACT, *METHOD, parts=parts)).document
    assert (found.title, [one.title for one in found.sections]) == ("Quiet lids", ["Method"])


@pytest.mark.parametrize("abstract", ["Zusammenfassung", "Résumé", "摘要", "Аннотация"])
@pytest.mark.parametrize("style", ["berschrift1", ""])
def test_an_abstract_in_another_language(abstract: str, style: str) -> None:
    parts = (paragraph(abstract, style), paragraph("Von Deckeln."), paragraph("Einleitung", "berschrift1"))
    found = read(
        docx(TITLE, *parts, paragraph("Text."), paragraph("Literatur", "berschrift1"), paragraph("Lind."))
    ).document
    assert found.abstract == "Von Deckeln."
    assert [(one.title, one.role) for one in found.sections] == [("Einleitung", "body"), ("Literatur", "references")]


def test_boxes_of_text_follow_their_paragraph() -> None:
    inner = paragraph("A box that says what lids are.") + paragraph("Label")
    box = f"<w:drawing><w:txbxContent>{inner}</w:txbxContent></w:drawing>"
    both = f"<w:AlternateContent><w:Choice>{box}</w:Choice><w:Fallback>{box}</w:Fallback></w:AlternateContent>"
    anchor = f"<w:p><w:r><w:t>Lids.</w:t>{both}</w:r></w:p>"
    found = read(docx(TITLE, METHOD[0], anchor)).document
    assert found.sections == (Section("Method", "Lids.\n\nA box that says what lids are."),)


def test_content_controls() -> None:
    def control(properties: str, *blocks: str) -> str:
        return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{''.join(blocks)}</w:sdtContent></w:sdt>"

    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    made = (control(gallery, *CONTENTS), control("<w:showingPlcHdr/>", paragraph("Type here")))
    found = read(docx(TITLE, *made, *METHOD, control("", paragraph("Kept.")))).document
    assert found.sections == (Section("Method", "A lid rests on a seal.\n\nKept."),)


def test_a_deleted_row_is_left_out() -> None:
    rows = "<w:tr><w:trPr><w:del/></w:trPr><w:tc>{}</w:tc></w:tr><w:tr><w:tc>{}</w:tc></w:tr>"
    lines = rows.format(paragraph("old"), paragraph("new"))
    found = read(docx(TITLE, METHOD[0], f"<w:tbl>{lines}</w:tbl>")).document
    assert found.sections == (Section("Method", "new"),)


def referring(text: str, *marks: str) -> str:
    """A paragraph with references to notes, such as "footnote 2"; "del" before one deletes it."""
    runs = "".join(
        f'<w:{mark.split()[-2]}Reference w:id="{mark.split()[-1]}"/>' if not mark.startswith("del") else ""
        for mark in marks
    )
    deleted = "".join(
        f'<w:del><w:r><w:{mark.split()[-2]}Reference w:id="{mark.split()[-1]}"/></w:r></w:del>'
        for mark in marks
        if mark.startswith("del")
    )
    return f"<w:p><w:r><w:t>{text}</w:t>{runs}</w:r>{deleted}</w:p>"


def notes(kind: str, *texts: str) -> str:
    """The part of a file that holds its notes, numbered from 1, after the line that stands above them."""
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    line = f'<w:{kind} w:id="0" w:type="separator"><w:p><w:r><w:t>---</w:t></w:r></w:p></w:{kind}>'
    held = "".join(
        f'<w:{kind} w:id="{number}">{paragraph(text)}{paragraph("And so on.")}</w:{kind}>'
        for number, text in enumerate(texts, start=1)
    )
    return f'<?xml version="1.0"?><w:{kind}s {names}>{line}{held}</w:{kind}s>'


@pytest.mark.parametrize("heading", ["berschrift1", ""])
def test_notes_are_a_section_in_the_order_of_the_text(heading: str) -> None:
    blocks = (
        paragraph("Kettles", "Title"),
        paragraph("1. Introduction", heading),
        referring("Kettles boil.", "footnote 2", "endnote 1"),
        referring("Lids rattle.", "footnote 1", "del footnote 3"),
        paragraph("References", heading),
        paragraph("[1] A. Lind. Lids. 2001."),
    )
    parts = {
        "word/footnotes.xml": notes("footnote", "Not all lids.", "Most kettles.", "A thought that was dropped."),
        "word/endnotes.xml": notes("endnote", "Written at night."),
    }
    found = read(docx(*blocks, parts=parts)).document
    assert [section.title for section in found.sections] == ["Introduction", "Notes", "References"]
    assert found.sections[1] == Section(
        "Notes", "Most kettles.\nAnd so on.\n\nNot all lids.\nAnd so on.\n\nWritten at night.\nAnd so on."
    )


def test_notes_that_cite_are_a_reference_list() -> None:
    blocks = (
        paragraph("Introduction", "berschrift1"),
        referring("Kettles boil.", "endnote 1", "endnote 2", "endnote 3"),
    )
    listed = notes("endnote", "Lind, Lids (Oxford 1999) 12.", "Ibid., 14.", "So they say.")
    found = read(docx(*blocks, parts={"word/endnotes.xml": listed})).document
    assert [(one.title, one.role) for one in found.sections] == [("Introduction", "body"), ("Notes", "references")]


@pytest.mark.parametrize("styled", [True, False])
@pytest.mark.parametrize("own", ["en", "es"])
def test_an_abstract_in_two_languages(own: str, styled: bool) -> None:
    heading = "berschrift1" if styled else ""
    both = {"en": ("Abstract", ENGLISH), "es": ("Resumen", SPANISH)}
    other = "es" if own == "en" else "en"
    blocks = [paragraph("Arrecifes", "Title")]
    for language in (own, other):
        name, text = both[language]
        blocks += [paragraph(name, heading), paragraph(text)]
    blocks += [paragraph("1. Introducción" if own == "es" else "1. Introduction", heading)]
    blocks += [paragraph(SPANISH_BODY if own == "es" else ENGLISH_BODY)]
    found = read(docx(*blocks)).document
    assert (found.language, found.abstract) == (own, both[own][1])
    assert found.translations == (Translation(other, abstract=both[other][1]),)


def test_two_paragraphs_in_the_style_of_an_abstract() -> None:
    found = read(
        docx(
            paragraph("Reefs", "Title"),
            paragraph(ENGLISH, "Abs"),
            paragraph(SPANISH, "Abs"),
            paragraph("Introduction", "berschrift1"),
            paragraph(ENGLISH_BODY),
        )
    ).document
    assert (found.abstract, found.translations) == (ENGLISH, (Translation("es", abstract=SPANISH),))


def test_comments_that_are_left_out_are_told() -> None:
    commented = '<w:p><w:r><w:t>Kettles boil.</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>'
    reading = read(docx(paragraph("Kettles", "Title"), paragraph("Tea", "berschrift1"), commented))
    assert reading.document.sections == (Section("Tea", "Kettles boil."),)
    assert reading.warnings[-1] == "Left out of the text: 1 comment."


def test_an_encrypted_docx() -> None:
    wrapped = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)
    for data, name in ((wrapped, "a.bin"), (wrapped[:300], "a.docx")):
        with pytest.raises(EncryptedFileError, match=f"Expected a file without a password in {name}; it is encrypted"):
            read_bytes(data, name)


def test_an_encrypted_member() -> None:
    data = bytearray(PAPER)
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    data[at + 8] |= 1
    with pytest.raises(
        EncryptedFileError, match=r"Expected a file without a password in a\.docx; it is encrypted\. Open"
    ):
        read(bytes(data))


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_truncated_docx(kept: float) -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a\.docx to end with its list of members; it stops before"):
        read(PAPER[: int(len(PAPER) * kept)])


def test_a_damaged_docx() -> None:
    data = bytearray(PAPER)
    at = data.index(b"word/document.xml") + len("word/document.xml") + 5
    data[at : at + 40] = bytes(40)
    with pytest.raises(MalformedFileError, match=r"Expected a whole DOCX in a\.docx; it is damaged \("):
        read(bytes(data))


def test_a_damaged_list_of_members() -> None:
    data = bytearray(PAPER)
    at = data.rindex(b"PK\x05\x06")
    struct.pack_into("<L", data, at + 16, 0xFFFFFF)
    with pytest.raises(MalformedFileError, match=r"it is damaged"):
        read(bytes(data))


def test_an_unknown_way_of_packing() -> None:
    data = bytearray(PAPER)
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    struct.pack_into("<H", data, at + 10, 99)
    with pytest.raises(MalformedFileError, match=r"it is damaged \(packed by method 99, which no DOCX uses"):
        read(bytes(data))


def test_a_bomb() -> None:
    data = archive({"word/document.xml": document(paragraph("a" * (64 << 20)))})
    begun = time.perf_counter()
    with pytest.raises(
        InputTooLargeError,
        match=r"Expected word/document\.xml of a\.docx to unpack to at most 200 times its packed size, found 64\.0 MiB",
    ):
        read(data)
    assert time.perf_counter() - begun < 2


def test_all_members_that_are_read_unpack_from_one_budget() -> None:
    text = "".join(chr(97 + (number * number * 7919) % 26) for number in range(400_000))
    data = docx(paragraph(text), parts={"word/styles.xml": f"<styles><!--{text}--></styles>"})
    assert read(data, Limits(max_decoded_bytes=1 << 20)).document.text
    with pytest.raises(InputTooLargeError, match=r"Expected at most 0 MiB once unpacked in a\.docx, it holds more"):
        read(data, Limits(max_decoded_bytes=600_000))


def test_a_member_that_lies_about_its_size() -> None:
    data = bytearray(archive({"word/document.xml": document(paragraph("a" * (8 << 20)))}))
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    struct.pack_into("<L", data, at + 24, 1000)
    with pytest.raises((MalformedFileError, TruncatedFileError)):
        read(bytes(data))


def test_ten_thousand_members() -> None:
    data = archive(
        {"word/document.xml": document(TITLE), **{f"word/media/{number}.png": "" for number in range(10_000)}}
    )
    with pytest.raises(InputTooLargeError, match=r"Expected at most 5,000 members in a\.docx, found 10,002"):
        read(data)


def test_members_with_odd_paths_are_never_touched() -> None:
    data = docx(TITLE, *METHOD, parts={"../../etc/passwd": "x", "/abs": "x", "word/embeddings/a.zip": "x"})
    assert read(data).document.title == "Kettles that do not whistle"


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml", "docProps/core.xml"])
def test_entities_are_refused_in_every_part(part: str) -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    with pytest.raises(UnsafeXmlError, match=f"{part} of a.docx"):
        read(docx(*ABSTRACT, *METHOD, parts={part: bomb}))


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"xl/workbook.xml": ""}, r"an Excel file \(XLSX\)\. Save its table as CSV"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, r"a ZIP archive\. Unpack it first"),
        ({"word/notes.txt": "a folder of mine"}, r"it is a ZIP archive\. Unpack it first"),
    ],
)
def test_other_archives_say_what_to_do(parts: dict[str, str], said: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=said):
        read_bytes(archive(parts), "a.zip")


def relations(*targets: tuple[str, str]) -> str:
    """A list of relations, each by the end of its type and its target."""
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    each = "".join(f'<Relationship Type="{kinds}/{kind}" Target="{target}"/>' for kind, target in targets)
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{each}</Relationships>'


@pytest.mark.parametrize(
    ("target", "styles"), [("word/document2.xml", "styles2.xml"), ("/word/document2.xml", "/word/styles2.xml")]
)
def test_the_main_part_may_have_another_name(target: str, styles: str) -> None:
    parts = {
        "_rels/.rels": relations(("extended-properties", "docProps/app.xml"), ("officeDocument", target)),
        "word/document2.xml": document(TITLE, *ABSTRACT, *METHOD),
        "word/_rels/document2.xml.rels": relations(("styles", styles)),
        "word/styles2.xml": STYLES,
    }
    reading = read(archive(parts))
    assert (reading.format, reading.document.title) == ("docx", "Kettles that do not whistle")
    assert reading.document.sections == (Section("Method", "A lid rests on a seal."),)


@pytest.mark.parametrize("target", ["word/../secret.xml", "../word/a.xml", "secret.xml", "word/none.xml", ""])
def test_a_main_part_is_looked_for_in_its_folder_only(target: str) -> None:
    text = document(TITLE, *METHOD)
    parts = {"_rels/.rels": relations(("officeDocument", target)), "secret.xml": text, "word/../secret.xml": text}
    with pytest.raises(UnsupportedFormatError, match=r"Expected word/document\.xml in a\.docx, as a DOCX has; it is"):
        read(archive(parts))


def test_an_opendocument_text_says_what_to_do() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.text")
    with pytest.raises(UnsupportedFormatError, match=r"an OpenDocument file\. Save it as PDF or paste its text"):
        read_bytes(held.getvalue(), "a.odt")
