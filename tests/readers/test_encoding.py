"""Bytes decoded as text, or refused."""

from __future__ import annotations

import pytest

from engine.errors import (
    BinaryTextError,
    TextEncodingError,
)
from engine.readers import detect, read_bytes
from engine.readers.detect import HEAD_BYTES
from engine.readers.encoding import decode


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


@pytest.mark.parametrize(
    ("encoding", "named"), [("latin-1", "latin1"), ("cp1252", "ansinew"), ("koi8-r", "koi8-r"), ("iso8859-2", "latin2")]
)
def test_latex_source_declares_its_encoding(encoding: str, named: str) -> None:
    word = "шум" if encoding == "koi8-r" else "tüßé"
    text = f"\\documentclass{{a}}\n\\usepackage[{named}]{{inputenc}}\n{word}"
    assert decode(text.encode(encoding), "a.tex") == text
    with pytest.raises(TextEncodingError):
        decode(text.replace("\\usepackage", "% \\usepackage").encode(encoding), "a.tex")


@pytest.mark.parametrize(
    ("name", "text", "format_name"),
    [
        ("a.ris", "TY  - JOUR\nTI  - Quiet lids\nAB  - Of lids.\nER  - \n", "ris"),
        ("a.bib", "@article{a,\n title={Quiet lids},\n abstract={Of lids.}\n}\n", "bibtex"),
        ("a.csv", "title,abstract\nQuiet lids,Of lids.\n", "csv"),
        ("a.jsonl", '{"title": "Quiet lids",\n"abstract": "Of lids."}\n'.replace(",\n", ", "), "jsonl"),
        ("a.md", "# Quiet lids\n\n## Abstract\n\nOf lids.\n", "markdown"),
        ("a.txt", "Quiet lids\n\nAbstract\n\nOf lids.\n\n1 Introduction\n\nText.\n", "text"),
        (
            "a.tex",
            "\\documentclass{article}\n% no title\n\\title{Quiet lids}\n\\begin{document}\n"
            "\\begin{abstract}\nOf lids.\n\\end{abstract}\n\\end{document}\n",
            "latex",
        ),
        ("a.txt", "1. Lids. 2021;1:1.\n\nQuiet lids\n\nLind A.\n\nOf lids.\n\nPMID: 1\n", "pubmed-text"),
    ],
)
def test_lines_that_end_as_on_old_macs(name: str, text: str, format_name: str) -> None:
    reading = read_bytes(text.replace("\n", "\r").encode(), name)
    assert (reading.format, reading.document.title, reading.document.abstract) == (
        format_name,
        "Quiet lids",
        "Of lids.",
    )
