from __future__ import annotations

import pytest

from engine.core.errors import EmptyInputError, UnsupportedFormatError, WrongExtensionError
from engine.reading.detect import HEAD_BYTES, detect
from engine.reading.dispatch import read_bytes
from tests.reading import texts
from tests.reading.zips import PNG, zipped


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "pdf"),
        (b"\x00junk\n%PDF-1.4\n", "pdf"),
        (b"PAR1\x15\x04", "parquet"),
        (texts.GRANT.encode(), "uspto-grant"),
        (texts.APPLICATION.encode(), "uspto-application"),
        (texts.APPLICATION_2001.encode(), "uspto-application"),
        (texts.JATS.encode(), "jats"),
        (texts.JATS.encode("utf-16"), "jats"),
        (texts.TEI.encode(), "tei"),
        (texts.GREENBOOK.encode(), "greenbook"),
        (b"HHHHHT   APS1\n\nPATN\nWKU  1", "greenbook"),
        (b'{"title": "A"}\n', "jsonl"),
        (b'[\n  {"title": "A"}]', "jsonl"),
        (b"id,title,abstract\n1,A,B\n", "csv"),
        (b"\xef\xbb\xbfid;title;abstract\n1;A;B\n", "csv"),
        (zipped("word/document.xml"), "docx"),
        (b"<!DOCTYPE html><html><body>A", "html"),
        (b"\xef\xbb\xbf\n<!-- saved from url=(0014)about:internet -->\n<HTML>", "html"),
        (b"<?xml version='1.0'?>\n<!-- a --><html xmlns='http://www.w3.org/1999/xhtml'>", "html"),
        ("<!doctype html><title>A".encode("utf-16"), "html"),
        (b"<html><body>caf\xe9 \x82\xa0", "html"),
        (
            b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n boundary=x\r\n\r\n",
            "html",
        ),
        (b"% a note\n\\documentclass{article}", "latex"),
        (b"\\RequirePackage{x}\n\\documentstyle[a]{article}", "latex"),
        (b"@article{key,\n title = {A}}", "bibtex"),
        (b"\xef\xbb\xbf% a note\r\n\r\n@Misc {key, title = {A}}", "bibtex"),
        (b"TY  - JOUR\nTI  - A\nER  - \n", "ris"),
        (b"\xef\xbb\xbfProvider: A\r\n\r\nTY  - JOUR\r\nTI  - A", "ris"),
        (b"@ada wrote {this}, and @article is a word", "text"),
        (b"TY stands for type", "text"),
        (b"Write \\documentclass{article} first.", "text"),
        (b"# A title\n\nText.\n", "markdown"),
        (b"---\ntitle: A\n---\nText.", "markdown"),
        (b"A plain text, with abstract and title.", "text"),
        (b"<script>alert(1)</script> text", "text"),
        (b"title, subtitle, and more words of a sentence", "text"),
        (b"[1] A reference, not JSON", "text"),
        (b"The mark %PDF- stands in this text.", "text"),
        (b"MZ and BM begin words, too", "text"),
    ],
)
@pytest.mark.parametrize("name", ["", "upload", "wrong.pdf"])
def test_content_decides(data: bytes, expected: str, name: str) -> None:
    assert detect(data, name) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a.md", "markdown"), ("a.csv", "csv"), ("a.txt", "text"), ("A.MARKDOWN", "markdown")]
)
def test_the_name_decides_only_where_content_does_not(name: str, expected: str) -> None:
    assert detect(b"words alone", name) == expected


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"Made by JabRef.\n\n@article{a, title={A}}", "a.bib", "bibtex"),
        (b"Made by JabRef.\n\n@article{a, title={A}}", "a.txt", "text"),
        (b"<div><h1>A</h1>", "a.htm", "html"),
        (b"<div><h1>A</h1>", "a.txt", "text"),
        (b"\\section{Method}\nText.", "a.tex", "latex"),
        (b"\\section{Method}\nText.", "a.txt", "text"),
        (zipped("[Content_Types].xml"), "a.docx", "docx"),
    ],
)
def test_a_name_makes_a_format_sure(data: bytes, name: str, expected: str) -> None:
    assert detect(data, name) == expected


@pytest.mark.parametrize("data", [b"", b" \n\t"])
def test_nothing(data: bytes) -> None:
    with pytest.raises(EmptyInputError, match=r"Expected a document in a\.txt, found nothing in it"):
        detect(data, "a.txt")


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (PNG, "paper.pdf", "The name paper.pdf promises PDF, and the content is a PNG picture, which is not read"),
        (zipped("xl/workbook.xml"), "paper.txt", r"promises \.txt text, and the content is an Excel file"),
        (zipped("ppt/slides.xml"), "paper.docx", "promises DOCX, and the content is a PowerPoint file"),
        (b"\x00\x01\x02", "paper.pdf", "promises PDF, and the content is not that nor anything else that is read"),
        (b"caf\xe9", "table.parquet", "promises Parquet, and the content is not that nor anything else"),
    ],
)
def test_wrong_extension(data: bytes, name: str, said: str) -> None:
    with pytest.raises(WrongExtensionError, match=said):
        detect(data, name)


def test_a_pdf_that_is_jats_is_read_with_a_warning() -> None:
    reading = read_bytes(texts.JATS.encode(), "paper.pdf")
    assert reading.document.id == "PMC123456"
    said = "The name paper.pdf promises another format; the content is JATS, and was read as that."
    assert reading.warnings[0] == said


@pytest.mark.parametrize(
    "opening",
    ["\n" * 5_000, " \n" * 5_000, "HHHHHT\n" * 5_000, "<!-- a -->" * 5_000],
    ids=["blank lines", "lines of spaces", "tape headers", "comments"],
)
def test_a_long_opening_does_not_keep_the_machine_busy(opening: str) -> None:
    assert detect(f"{opening}a word".encode()[:HEAD_BYTES], "") == "text"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="x">',
            r"is RDF, as Zotero exports it\. Export its references as RIS",
        ),
        ('<?xml version="1.0"?><xml><records><record>', r"is EndNote XML\. Export its references as RIS or BibTeX"),
        ('<?xml version="1.0"?><modsCollection>', r"is MODS\. Export its references"),
        ('<?xml version="1.0"?><b:Sources xmlns:b="x">', r"is Word's list of sources\. Export its references"),
    ],
)
def test_reference_lists_in_xml_are_refused_by_name(text: str, said: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=rf"Expected PDF, .*; list\.xml {said}"):
        detect(text.encode(), "list.xml")
