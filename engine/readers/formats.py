"""Every format that is read, one entry each: detection, reading, and the lists that people see come from here.

To add a format, write its reader in a file of its own, add an entry where it is to be tried, and write its test.
Formats are tried in their order here: those told by their bytes first, then XML by its root, then the other texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from engine.documents import Document
from engine.readers.base import Reading
from engine.readers.docx.reader import read_docx
from engine.readers.latex.reader import looks_like_latex, read_latex
from engine.readers.limits import Limits
from engine.readers.patents.greenbook import looks_like_greenbook, read_greenbook
from engine.readers.patents.uspto import read_application_2001, read_patent
from engine.readers.references.bibtex import looks_like_bibtex, read_bibtex
from engine.readers.references.ris import looks_like_ris, read_ris
from engine.readers.signatures import looks_like_docx, looks_like_parquet, looks_like_pdf
from engine.readers.tables.reader import looks_like_csv, looks_like_jsonl, read_csv, read_jsonl, read_parquet
from engine.readers.text.markdown import looks_like_markdown, read_markdown
from engine.readers.text.plain import read_plain
from engine.readers.xml.jats import read_article
from engine.readers.xml.records import ElementReader
from engine.readers.xml.tei import read_tei


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file: its bytes, its text if it is one, and the name of its root if it is XML."""

    data: bytes
    text: str = ""
    root: str = ""


Detector = Callable[[Head, bool], bool]
"""Whether a file is in a format by its head; true beside it where the file's name says so."""

Warn = Callable[[str], None]
"""Is told in a sentence what was left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """What every format has.

    `name` is what a `Reading` calls it, `spoken` what a sentence calls it. Its own `extensions` say that a file is in
    it; under those of `also`, which are another format's, it may stand, too. `many` where files of it usually hold
    many documents; `binary` where it is recognised by bytes that are not text.
    """

    name: str
    spoken: str
    extensions: tuple[str, ...]
    detector: Detector
    also: tuple[str, ...] = ()
    many: bool = False
    binary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BytesFormat(Format):
    """One document, read from a whole file: `reader` takes its bytes, name, identifier and the limits."""

    reader: Callable[[bytes, str, str, Limits], Reading]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat(Format):
    """One document, read from a whole text: `reader` takes the text, its name, identifier and the limits."""

    reader: Callable[[str, str, str, Limits], Reading]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedFormat(Format):
    """Documents one after another: `reader` takes the open file, its name, the limits and whom to warn."""

    reader: Callable[[BinaryIO, str, Limits, Warn], Iterator[Document]]


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlFormat(Format):
    """XML records one after another, which may be of several such formats: a reader for each of its roots."""

    roots: Mapping[str, ElementReader]


def _xml(name: str, spoken: str, extensions: tuple[str, ...], roots: Mapping[str, ElementReader]) -> XmlFormat:
    return XmlFormat(
        name=name, spoken=spoken, extensions=extensions, detector=lambda head, _: head.root in roots, roots=roots
    )


def _read_pdf(data: bytes, name: str, _identifier: str, limits: Limits) -> Reading:
    """Read a PDF, which loads pdfium; its reader names it."""
    from engine.readers.pdf.reader import read_pdf

    return read_pdf(data, name, limits)


FORMATS: tuple[Format, ...] = (
    BytesFormat(
        name="pdf",
        spoken="PDF",
        extensions=(".pdf",),
        binary=True,
        detector=lambda head, _: looks_like_pdf(head.data),
        reader=_read_pdf,
    ),
    BytesFormat(
        name="docx",
        spoken="DOCX",
        extensions=(".docx",),
        binary=True,
        detector=lambda head, sure: looks_like_docx(head.data, sure=sure),
        reader=read_docx,
    ),
    StreamedFormat(
        name="parquet",
        spoken="Parquet",
        extensions=(".parquet",),
        many=True,
        binary=True,
        detector=lambda head, _: looks_like_parquet(head.data),
        reader=lambda file, name, limits, _: read_parquet(file, name, limits),
    ),
    _xml("jats", "JATS", (".xml", ".nxml"), {"article": read_article, "pmc-articleset": read_article}),
    _xml("tei", "TEI", (".xml", ".tei"), {"TEI": read_tei}),
    _xml("uspto-grant", "USPTO XML", (".xml",), {"us-patent-grant": lambda root, _: read_patent(root)}),
    _xml(
        "uspto-application",
        "USPTO XML",
        (".xml",),
        {
            "us-patent-application": lambda root, _: read_patent(root),
            "patent-application-publication": lambda root, _: read_application_2001(root),
        },
    ),
    StreamedFormat(
        name="greenbook",
        spoken="Green Book",
        extensions=(".greenbook",),
        also=(".txt",),
        detector=lambda head, _: looks_like_greenbook(head.text),
        reader=lambda file, name, limits, _: read_greenbook(file, name, limits),
    ),
    TextFormat(
        name="latex",
        spoken="LaTeX",
        extensions=(".tex",),
        detector=lambda head, sure: looks_like_latex(head.text, sure=sure),
        reader=read_latex,
    ),
    StreamedFormat(
        name="ris",
        spoken="RIS",
        extensions=(".ris",),
        many=True,
        detector=lambda head, _: looks_like_ris(head.text),
        reader=lambda file, name, limits, warn: read_ris(file, name, limits, warn=warn),
    ),
    StreamedFormat(
        name="bibtex",
        spoken="BibTeX",
        extensions=(".bib",),
        many=True,
        detector=lambda head, sure: looks_like_bibtex(head.text, sure=sure),
        reader=lambda file, name, limits, warn: read_bibtex(file, name, limits, warn=warn),
    ),
    StreamedFormat(
        name="jsonl",
        spoken="JSONL",
        extensions=(".jsonl", ".json"),
        many=True,
        detector=lambda head, _: looks_like_jsonl(head.text),
        reader=lambda file, name, limits, _: read_jsonl(file, name, limits),
    ),
    StreamedFormat(
        name="csv",
        spoken="CSV",
        extensions=(".csv", ".tsv"),
        many=True,
        detector=lambda head, sure: looks_like_csv(head.text, sure=sure),
        reader=lambda file, name, limits, _: read_csv(file, name, limits),
    ),
    TextFormat(
        name="markdown",
        spoken="Markdown",
        extensions=(".md", ".markdown"),
        also=(".txt",),
        detector=lambda head, sure: looks_like_markdown(head.text, sure=sure),
        reader=lambda text, _name, identifier, _limits: read_markdown(text, identifier),
    ),
    TextFormat(
        name="text",
        spoken="plain text",
        extensions=(".txt",),
        also=(".md", ".markdown"),
        detector=lambda _head, _sure: True,
        reader=lambda text, _name, identifier, _limits: read_plain(text, identifier),
    ),
)

NAMED: dict[str, Format] = {one.name: one for one in FORMATS}

BY_EXTENSION: dict[str, frozenset[str]] = {
    extension: frozenset(one.name for one in FORMATS if extension in (*one.extensions, *one.also))
    for each in FORMATS
    for extension in each.extensions
}
"""The names of the formats that each extension promises."""

ROOTS: dict[str, ElementReader] = {
    root: reader for one in FORMATS if isinstance(one, XmlFormat) for root, reader in one.roots.items()
}
"""The reader of each root of XML."""


def spoken(*, single: bool = False) -> str:
    """The formats as a sentence lists them: those of one document, then, unless `single`, those of many."""
    told = [one for one in sorted(FORMATS, key=lambda one: one.many) if not (single and one.many)]
    *others, last = dict.fromkeys(one.spoken for one in told)
    return f"{', '.join(others)} or {last}"
