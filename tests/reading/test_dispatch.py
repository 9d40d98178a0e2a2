"""A format is detected by content, and its reader is given the file, the upload or the pasted text."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import (
    BinaryTextError,
    EmptyInputError,
    InputError,
    InputTooLargeError,
    UnsupportedFormatError,
    WrongExtensionError,
)
from engine.documents import Document
from engine.reading import formats
from engine.reading.dispatch import HEAD_BYTES, detect, iter_documents, read_bytes, read_file, read_text
from engine.reading.formats import BY_EXTENSION, FORMATS, NAMED, ROOTS, BytesFormat, StreamedFormat, TextFormat, spoken
from engine.reading.limits import Limits
from tests.reading import texts


def zipped(member: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(member, "text")
    return held.getvalue()


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def test_one_document_a_file(tmp_path: Path) -> None:
    for name, text in (("a.xml", texts.GRANT), ("a.txt", texts.PASTED), ("a.md", "# A\n\nB.\n")):
        (tmp_path / name).write_text(text)
        documents = list(iter_documents(tmp_path / name))
        assert documents == [read_file(tmp_path / name).document]


@pytest.mark.parametrize(
    ("text", "format_name"),
    [
        (texts.JATS, "jats"),
        (texts.GRANT, "uspto-grant"),
        (texts.GREENBOOK, "greenbook"),
        ('{"title": "A"}', "jsonl"),
        ("\\documentclass{x} A", "latex"),
        ("@misc{a, title={A}}", "bibtex"),
        ("TY  - JOUR\nTI  - A\n", "ris"),
    ],
)
def test_pasted_files_are_read_in_their_format(text: str, format_name: str) -> None:
    assert read_text(text).format == format_name


@pytest.mark.parametrize(
    "text", ["title,abstract\nA,B", "<html>A page", "{\\rtf a", "PK\x03\x04", "%PDF- in a text", "GIF89a"]
)
def test_pasted_text_that_looks_like_a_foreign_file_is_text(text: str) -> None:
    assert read_text(text).format == "text"


@pytest.mark.parametrize("text", ["", " \n "])
def test_pasting_nothing(text: str) -> None:
    with pytest.raises(
        EmptyInputError, match=r"Expected a title, an abstract or a whole text, found nothing. Paste some"
    ):
        read_text(text)


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").touch()
    with pytest.raises(EmptyInputError, match=r"Expected a document in a\.pdf, found nothing in it"):
        read_file(tmp_path / "a.pdf")


def test_a_set_without_articles() -> None:
    with pytest.raises(EmptyInputError, match=r"Expected article within the pmc-articleset of a\.xml, found nothing"):
        read_bytes(b"<pmc-articleset></pmc-articleset>", "a.xml")


def test_a_file_over_the_limit(tmp_path: Path) -> None:
    small = Limits(max_file_bytes=1 << 20, max_bulk_bytes=1 << 20)
    (tmp_path / "a.txt").write_bytes(b"words " * 200_000)
    with pytest.raises(InputTooLargeError, match=r"Expected at most 1 MiB in a\.txt; it is larger"):
        read_file(tmp_path / "a.txt", small)
    with pytest.raises(InputTooLargeError, match=r"Expected at most 1 MiB in the pasted text"):
        read_text("words " * 200_000, small)
    (tmp_path / "a.xml").write_bytes(b"<article>" + b" " * (2 << 20) + b"</article>")
    with pytest.raises(InputTooLargeError, match=r"Expected at most 1 MiB in a\.xml; it is larger"):
        read_file(tmp_path / "a.xml", small)
    (tmp_path / "a.jsonl").write_bytes(b'{"title": "A"}\n' * 100_000)
    with pytest.raises(InputTooLargeError, match=r"Expected at most 1 MiB in a\.jsonl"):
        list(iter_documents(tmp_path / "a.jsonl", small))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(max_characters=20), "at most 20 characters of text in a.xml, found"),
        (Limits(max_sections=2), "at most 2 sections in a.xml, found 5"),
        (Limits(max_claims=1), "at most 1 claims in a.xml, found 2"),
    ],
)
def test_a_document_over_the_limits(limits: Limits, said: str) -> None:
    with pytest.raises(InputTooLargeError, match=said):
        read_bytes(texts.GRANT.encode(), "a.xml", limits)


@pytest.mark.parametrize(("name", "found"), [("a.txt", "text"), ("a.md", "markdown"), ("a.tex", "latex")])
def test_a_text_over_the_limit_is_refused_before_it_is_read(
    name: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(formats.NAMED, found, replace(formats.NAMED[found], reader=None))
    data = b"\\documentclass{article}" if found == "latex" else b"# A\n" if found == "markdown" else b""
    data += b"a\n" * 50
    with pytest.raises(
        InputTooLargeError, match=rf"at most 20 characters of text in {name}, found {len(data)}\. Split"
    ):
        read_bytes(data, name, Limits(max_characters=20))


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected a file at .*none.pdf; there is none"):
        read_file(tmp_path / "none.pdf")
    with pytest.raises(InputError, match=r"Expected a file that can be read at .*: Is a directory"):
        list(iter_documents(tmp_path))


def test_a_path_below_a_file_and_a_question_in_a_path_s_place(tmp_path: Path) -> None:
    (tmp_path / "paper.txt").write_text("Kites.")
    with pytest.raises(InputError, match=r"Expected a file at .*paper\.txt/page; there is none\. Check the name"):
        read_file(tmp_path / "paper.txt" / "page")
    with pytest.raises(
        InputError, match=r"file that can be read at why why .* why \.\.\.: File name too long\. Choose another file"
    ):
        read_file(Path("why " * 100))


def test_a_file_that_is_closed_to_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"Expected a file that can be read at .*a\.txt: Permission denied"):
        read_file(tmp_path / "a.txt")


@pytest.mark.parametrize("text", [texts.GRANT, "title,abstract\nA,B\n", "# A\n\nB.\n"])
def test_a_pipe_is_read_as_its_content_is(text: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for read in (lambda: read_file(pipe).document, lambda: next(iter_documents(pipe))):
        writer = threading.Thread(target=pipe.write_text, args=(text,), daemon=True)
        writer.start()
        assert read() == read_bytes(text.encode(), "pipe").document
        writer.join()


def test_a_pipe_over_the_limit(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"words " * 180_000,), daemon=True)
    writer.start()
    with pytest.raises(InputTooLargeError, match=r"Expected at most 1 MiB in pipe; it is larger"):
        read_file(tmp_path / "pipe", Limits(max_file_bytes=1 << 20))


def test_binary_bytes_after_a_head_of_text() -> None:
    data = b"words " * 20_000 + b"\x00\x01\x02" * 1_000
    with pytest.raises(BinaryTextError, match=r"Expected text in a\.txt, found binary bytes"):
        read_bytes(data, "a.txt")


def test_only_so_many_notes_on_one_file_are_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reader(file: object, name: str, limits: Limits, warn: formats.Warn) -> Iterator[Document]:
        for number in range(1_205):
            warn(f"Entry {number} was left out.")
        yield Document(id="a", kind="paper", title="Kites", abstract="")

    (tmp_path / "a.ris").write_text("TY  - JOUR\nTI  - A\n")
    monkeypatch.setitem(formats.NAMED, "ris", replace(formats.NAMED["ris"], reader=reader))
    notes: list[str] = []
    assert len(list(iter_documents(tmp_path / "a.ris", warn=notes.append))) == 1
    assert len(notes) == 1_001 and notes[-1] == "205 more notes on a.ris are not listed."
    assert read_file(tmp_path / "a.ris").warnings[-1] == notes[-1]


def test_importing_the_readers_is_light() -> None:
    heavy = "pyarrow", "pypdfium2", "defusedxml", "markdown_it", "sklearn", "torch"
    code = f"import sys, engine.reading; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "data", "spoken"),
    [
        ("a.csv", b"TY  - JOUR\nTI  - Quiet lids\nER  - \n", "RIS"),
        ("a.ris", b"@article{a,\n  title = {Quiet lids}\n}\n", "BibTeX"),
        ("a.bib", b"title,abstract\nQuiet lids,Of lids.\n", "CSV"),
        ("a.txt", b'{"title": "Quiet lids"}\n', "JSONL"),
        ("a.docx", b"%0 Journal Article\n%T Quiet lids\n%A Ada Lind\n", "EndNote"),
        ("a.tex", b"<article><front><article-meta><title-group><article-title>Quiet lids</article-title></title-group>"
         b"</article-meta></front></article>", "JATS"),
        ("a.pdf", b"<!DOCTYPE html><html><head><title>Quiet lids</title></head><body><article><h1>Quiet lids</h1>"
         b"<p>" + b"Lids are quiet, and so they should be on every pot. " * 30 + b"</p></article></body></html>",
         "HTML"),
    ],
)  # fmt: skip
def test_a_misnamed_file_is_read_by_its_content_with_a_warning_on_import_too(
    tmp_path: Path, name: str, data: bytes, spoken: str
) -> None:
    (tmp_path / name).write_bytes(data)
    said = f"The name {name} promises another format; the content is {spoken}, and was read as that."
    told: list[str] = []
    [found] = iter_documents(tmp_path / name, warn=told.append)
    assert (found.title, told[0]) == ("Quiet lids", said)
    assert read_file(tmp_path / name).warnings[0] == said


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
        (b"\x00\x01\x02", "paper.pdf", "promises PDF, but the content is in none of the formats that are read"),
        (b"caf\xe9", "table.parquet", "promises Parquet, but the content is in none of the formats"),
    ],
)
def test_wrong_extension(data: bytes, name: str, said: str) -> None:
    with pytest.raises(WrongExtensionError, match=said):
        detect(data, name)


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"garbage", "a.pdf", r"promises PDF, but the content is in none of .*save it as PDF or paste its text"),
        (b"this is not a paper at all", "a.docx", r"promises DOCX, but the content is in none of the formats"),
        (b"TY  - JOUR", "a.ris", r"is RIS without a field, which is not read\. Export the references again"),
        (b"Please log in to export. " * 20, "a.ris", r"promises \.ris text.* and export its references again as RIS"),
        (b"Please log in to export. " * 20, "a.parquet", r"promises Parquet.* and export its references again as RIS"),
    ],
)
def test_words_are_not_what_a_name_promises(data: bytes, name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    for read in (read_file, lambda path: list(iter_documents(path))):
        with pytest.raises(WrongExtensionError, match=said):
            read(tmp_path / name)


def test_a_page_of_text_under_the_name_of_a_pdf_is_read() -> None:
    assert read_bytes(b"Lids rattle on pots in the night. " * 30, "a.pdf").format == "text"


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


@pytest.mark.parametrize("name", ["list.xml", "list.txt", "list"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<?xml version="1.0"?><modsCollection>', r"is MODS\. Export its references as RIS or BibTeX"),
        ('<m:mods xmlns:m="http://www.loc.gov/mods/v3">', r"is MODS\. Export its references"),
        ("<collection><record><leader/>", r"is MARC in XML\. Export its references"),
        ('<?xml version="1.0"?><dblp><article/></dblp>', r"is dblp's XML\. Choose BibTeX or RIS"),
        ("<doi_records><doi_record/></doi_records>", r"is Crossref's Unixref\. Ask Crossref for JSON"),
        ("<CitaviExchangeData><References/></CitaviExchangeData>", r"is an exchange file of Citavi's\. Export the pro"),
        ('<file xmlns="http://bibtexml.sf.net/"><entry/></file>', r"is a list .* BibTeXML\. Export its references as"),
        ("<eSearchResult><IdList/></eSearchResult>", r"is a list of PubMed ids\. Ask PubMed for the articles"),
        ('<?xml version="1.0"?><b:Sources xmlns:b="x">', r"is Word's list of sources\. Export its references"),
    ],
)
def test_reference_lists_in_xml_are_refused_by_name(text: str, said: str, name: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=rf"Expected PDF, .*; {name} {said}"):
        detect(text.encode(), name)


MARC = b"00124nam a2200073 a 4500001000200000100001400002245002500016\x1e1\x1e1 \x1f_aLind\x1e10\x1f_aLids\x1e\x1d"
GUIDE = " ".join((Path(__file__).resolve().parents[2] / "docs" / "library.md").read_text("utf-8").split())


def test_each_name_is_one_formats_and_each_format_has_an_extension_and_a_reader() -> None:
    assert len(NAMED) == len(FORMATS)
    assert all(one.extensions and one.spoken for one in FORMATS)
    readers = [one.reader for one in FORMATS if isinstance(one, BytesFormat | TextFormat | StreamedFormat)]
    assert all(map(callable, [*readers, *ROOTS.values()]))


def test_what_an_extension_promises() -> None:
    assert BY_EXTENSION[".xml"] == {
        *("jats", "pubmed", "tei", "atom", "uspto-grant", "uspto-application", "epo", "wipo", "endnote-xml"),
    }
    assert BY_EXTENSION[".nxml"] == {"jats"}
    tagged = {"medline", "endnote", "web-of-science", "refworks", "pubmed-text", "labelled"}
    assert BY_EXTENSION[".txt"] == {"text", "markdown", "greenbook", *tagged}
    assert BY_EXTENSION[".md"] == BY_EXTENSION[".markdown"] == {"markdown", "text"}
    assert BY_EXTENSION[".json"] == BY_EXTENSION[".jsonl"] == {"jsonl"}
    assert BY_EXTENSION[".csv"] == BY_EXTENSION[".tsv"] == {"csv"}
    once = {
        ".pdf",
        ".tei",
        ".sgm",
        ".greenbook",
        ".parquet",
        ".bib",
        ".ris",
        ".docx",
        ".tex",
        ".html",
        ".htm",
        ".xhtml",
        ".mhtml",
        ".mht",
        ".nbib",
        ".enw",
        ".ciw",
        ".atom",
        ".ovd",
        ".rdf",
    }
    assert {len(BY_EXTENSION[extension]) for extension in once} == {1}
    assert len(BY_EXTENSION) == 30


def test_the_formats_in_a_sentence() -> None:
    of_one = "PDF, DOCX, HTML, JATS, TEI, USPTO XML, EPO XML, WIPO XML, Green Book, LaTeX, Markdown"
    assert spoken(single=True) == f"{of_one} or plain text"
    assert (
        spoken() == f"{of_one}, plain text, Parquet, PubMed XML, Atom, EndNote XML, Zotero RDF, RIS, MEDLINE, EndNote, "
        "Web of Science, RefWorks, BibTeX, JSONL, CSV or labelled records"
    )
    with pytest.raises(UnsupportedFormatError, match=f"Expected {spoken()}; a.rtf is RTF"):
        detect(b"{\\rtf1 text}", "a.rtf")
    with pytest.raises(UnsupportedFormatError, match=f"Expected {spoken()}; a.bin is in none of these formats"):
        detect(b"\x00\x01\x02\x03", "a.bin")


def test_the_guide_names_every_format() -> None:
    assert spoken(single=True) in GUIDE
    assert [one.spoken for one in FORMATS if one.spoken not in GUIDE] == []


def test_a_reading_says_its_format() -> None:
    assert read_bytes(b"# Kettles\n\nThey boil.\n", "a").format in NAMED


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (zipped("other"), "a.zip", r"a ZIP archive\. Unpack it first"),
        (zipped("password/notes.txt"), "a.zip", r"a ZIP archive\. Unpack it first"),
        (zipped("[Content_Types].xml"), "a", r"a ZIP archive\. Unpack it first"),
        (zipped("xl/workbook.xml"), "a.xlsx", r"an Excel file \(XLSX\)\. Save its table as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "a.doc", r"an old Office file .*Save it as PDF or paste its text"),
        (b"{\\rtf1 text}", "a.rtf", r"RTF\. Save it as PDF or paste its text"),
        (PNG, "a.png", r"a PNG picture\. A picture has no text: run text recognition"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a.jpg", "a JPEG picture"),
        (b"\x1f\x8b\x08\x00", "a.xml.gz", r"a gzip archive\. Unpack it first"),
        (b"MZ\x90\x00\x03", "a.exe", "a program"),
        (b"\x00\x01\x02\x03", "a.bin", "is in none of these formats"),
        (b"\x00\x01\x02\x03", "", "is in none of these formats"),
        (b"<?xml version='1.0'?><svg/>", "a.xml", "found the root 'svg'. Save the document as PDF, or paste its text"),
        (b"<WEEK>", "a.xml", "found the root 'WEEK'.*; export a list of references as RIS or BibTeX"),
        (MARC, "a.mrc", r"MARC\. Export its references as RIS or BibTeX"),
    ],
)
def test_formats_that_are_not_read_say_what_to_do(data: bytes, name: str, said: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=said):
        detect(data, name)
