from __future__ import annotations

import io
import zipfile

import pytest

from engine.errors import (
    BinaryTextError,
    EmptyInputError,
    TextEncodingError,
    UnsupportedFormatError,
    WrongExtensionError,
)
from engine.readers import detect, read_bytes
from engine.readers.detect import HEAD_BYTES
from tests.readers import texts


def zipped(member: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(member, "text")
    return held.getvalue()


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


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
        (zipped("other"), "a.zip", r"a ZIP archive\. Unpack it first"),
        (zipped("password/notes.txt"), "a.zip", r"a ZIP archive\. Unpack it first"),
        (zipped("[Content_Types].xml"), "a", r"a ZIP archive\. Unpack it first"),
        (zipped("xl/workbook.xml"), "a.xlsx", r"an Excel file \(XLSX\)\. Save its table as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "a.doc", r"an old Office file .*Save it as PDF or paste its text"),
        (b"{\\rtf1 text}", "a.rtf", r"RTF\. Save it as PDF or paste its text"),
        (b"<!DOCTYPE html><html><body>A", "a.html", r"an HTML page\. Print the page to PDF, or paste its text"),
        (b"<?xml version='1.0'?>\n<html xmlns='x'>", "a.xhtml", "an HTML page"),
        (PNG, "a.png", r"a PNG picture\. A picture has no text: run text recognition"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a.jpg", "a JPEG picture"),
        (b"\x1f\x8b\x08\x00", "a.xml.gz", r"a gzip archive\. Unpack it first"),
        (b"MZ\x90\x00\x03", "a.exe", "a program"),
        (b"\x00\x01\x02\x03", "a.bin", "is in none of these formats"),
        (b"\x00\x01\x02\x03", "", "is in none of these formats"),
        (b"<?xml version='1.0'?><svg/>", "a.xml", "found the root 'svg'. Save the document as PDF, or paste its text"),
        (b"<PATDOC>", "a.xml", "found the root 'PATDOC'"),
    ],
)
def test_formats_that_are_not_read_say_what_to_do(data: bytes, name: str, said: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=said):
        detect(data, name)


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (PNG, "paper.pdf", "The name paper.pdf promises PDF, and the content is a PNG picture, which is not read"),
        (b"<html><body>Log in", "paper.pdf", "promises PDF, and the content is an HTML page"),
        (zipped("xl/workbook.xml"), "paper.txt", r"promises \.txt text, and the content is an Excel file"),
        (zipped("ppt/slides.xml"), "paper.docx", "promises DOCX, and the content is a PowerPoint file"),
        (b"\x00\x01\x02", "paper.pdf", "promises PDF, and the content is not that nor anything else that is read"),
        (b"caf\xe9", "table.parquet", "promises Parquet, and the content is not that nor anything else"),
    ],
)
def test_wrong_extension(data: bytes, name: str, said: str) -> None:
    with pytest.raises(WrongExtensionError, match=said):
        detect(data, name)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.xml", "a.jsonl"])
def test_binary_as_text(name: str) -> None:
    with pytest.raises(BinaryTextError, match=f"Expected text in {name}, found binary bytes.*plain text in UTF-8"):
        detect(b"text \x00\x01 and not", name)


@pytest.mark.parametrize("name", ["a.txt", "", "a.csv"])
def test_latin_1_says_how_to_convert(name: str) -> None:
    said = "found the byte 0xe9 that UTF-8 does not allow.*iconv -f LATIN1 -t UTF-8"
    with pytest.raises(TextEncodingError, match=said):
        detect("Un café".encode("latin-1"), name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_utf8_and_marked_utf16_are_text(encoding: str) -> None:
    reading = read_bytes("Un café\n\nOn y boit, et bien.".encode(encoding), "a.txt")
    assert reading.document.title == "Un café"


def test_a_head_may_end_within_a_character() -> None:
    head = ("a" + "é" * HEAD_BYTES).encode()[:HEAD_BYTES]
    assert detect(head, "a.txt") == "text"


def test_a_pdf_that_is_jats_is_read_with_a_warning() -> None:
    reading = read_bytes(texts.JATS.encode(), "paper.pdf")
    assert reading.document.id == "PMC123456"
    said = "The name paper.pdf promises another format; the content is jats, and was read as that."
    assert reading.warnings == (said,)


@pytest.mark.parametrize(
    "opening",
    ["\n" * 5_000, " \n" * 5_000, "HHHHHT\n" * 5_000, "<!-- a -->" * 5_000],
    ids=["blank lines", "lines of spaces", "tape headers", "comments"],
)
def test_a_long_opening_does_not_keep_the_machine_busy(opening: str) -> None:
    assert detect(f"{opening}a word".encode()[:HEAD_BYTES], "") == "text"
