"""One entry a format: the names of people's sentences, extensions and readers all come from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import UnsupportedFormatError
from engine.reading.dispatch import detect, read_bytes
from engine.reading.formats import BY_EXTENSION, FORMATS, NAMED, ROOTS, BytesFormat, StreamedFormat, TextFormat, spoken

GUIDE = " ".join((Path(__file__).resolve().parents[2] / "docs" / "library.md").read_text("utf-8").split())


def test_each_name_is_one_formats_and_each_format_has_an_extension_and_a_reader() -> None:
    assert len(NAMED) == len(FORMATS)
    assert all(one.extensions and one.spoken for one in FORMATS)
    readers = [one.reader for one in FORMATS if isinstance(one, BytesFormat | TextFormat | StreamedFormat)]
    assert all(map(callable, [*readers, *ROOTS.values()]))


def test_what_an_extension_promises() -> None:
    assert BY_EXTENSION[".xml"] == {"jats", "pubmed", "tei", "atom", "uspto-grant", "uspto-application", "epo", "wipo"}
    assert BY_EXTENSION[".nxml"] == {"jats"}
    tagged = {"medline", "endnote", "web-of-science", "refworks", "pubmed-text"}
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
    }
    assert {len(BY_EXTENSION[extension]) for extension in once} == {1}
    assert len(BY_EXTENSION) == 28


def test_the_formats_in_a_sentence() -> None:
    of_one = "PDF, DOCX, HTML, JATS, TEI, USPTO XML, EPO XML, WIPO XML, Green Book, LaTeX, Markdown"
    assert spoken(single=True) == f"{of_one} or plain text"
    assert (
        spoken()
        == f"{of_one}, plain text, Parquet, PubMed XML, Atom, RIS, MEDLINE, EndNote, Web of Science, RefWorks, BibTeX, "
        "JSONL or CSV"
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
