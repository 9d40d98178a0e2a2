"""Every format that we read, one entry each: detection, reading and the lists on screen come from here.

To add a format, write its reader in a new file, add an entry at its turn, and write its test. Formats are tried in this
order: those recognised by bytes first, then XML by its root, then other texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Protocol
from xml.etree.ElementTree import Element

from engine.documents import Document
from engine.reading.arxiv import read_entry
from engine.reading.base import ReadFile
from engine.reading.encoding import Warn
from engine.reading.latex.reader import looks_like_latex, read_latex
from engine.reading.limits import Limits
from engine.reading.patents.epo import read_ep_patent, read_epo_publication
from engine.reading.patents.greenbook import looks_like_greenbook, read_greenbook
from engine.reading.patents.uspto import read_application_2001, read_patdoc, read_patent
from engine.reading.patents.wipo import read_wipo_publication
from engine.reading.pubmed import looks_like_pubmed_abstracts, read_pubmed_abstracts, read_pubmed_record
from engine.reading.references.bibtex import looks_like_bibtex, read_bibtex
from engine.reading.references.managers import read_endnote_record, read_zotero_rdf
from engine.reading.references.tagged import ENDNOTE, MEDLINE, REFWORKS, RIS, WEB_OF_SCIENCE, Dialect
from engine.reading.signatures import looks_like_docx, looks_like_parquet, looks_like_pdf
from engine.reading.tables.delimited import looks_like_csv, read_csv
from engine.reading.tables.jsonl import looks_like_jsonl, read_jsonl
from engine.reading.tables.labelled import looks_like_labelled, read_labelled
from engine.reading.tables.parquet import read_parquet
from engine.reading.text.markdown import looks_like_markdown, read_markdown
from engine.reading.text.plain import read_plain
from engine.reading.web.reader import looks_like_html, read_html
from engine.reading.xml.jats import read_article
from engine.reading.xml.records import ElementReader
from engine.reading.xml.tei import read_tei


@dataclass(frozen=True, slots=True)
class FileHead:
    """The start of a file: its bytes, its text if it is text, and the name of its root if it is XML."""

    data: bytes
    text: str = ""
    root: str = ""


Detector = Callable[[FileHead, bool], bool]
"""Whether a file's head is in a format; the second argument is true if the file's name says so."""


class StreamReader(Protocol):
    """Reads the documents of an open file one by one; `warn` gets a sentence on what was left out."""

    def __call__(self, file: BinaryIO, name: str, limits: Limits, /, *, warn: Warn) -> Iterator[Document]:
        """Yield the documents; `name` names the file in messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """The fields of every format.

    `name` is its name in a `Reading`, `spoken` its name in a sentence. `extensions` promise this format; files may also
    have the extensions `also` of another format. `many` if its files usually hold many documents; `binary` if it is
    recognised by its bytes, whatever text they encode.
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
    """One document from a whole file: `reader` takes its bytes, name, identifier and the limits."""

    reader: Callable[[bytes, str, str, Limits], ReadFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat(Format):
    """One document from a whole text: `reader` takes the text, its name, identifier and the limits."""

    reader: Callable[[str, str, str, Limits], ReadFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedFormat(Format):
    """Documents in a stream: `reader` takes the open file, its name, the limits and the function to warn."""

    reader: StreamReader


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlFormat(Format):
    """XML records in a stream, possibly of several such formats: a reader for each root.

    `sets` are roots that hold many records, each with the roots of these.
    """

    roots: Mapping[str, ElementReader]
    sets: Mapping[str, tuple[str, ...]]


def _xml(
    name: str,
    spoken: str,
    extensions: tuple[str, ...],
    roots: Mapping[str, ElementReader],
    sets: Mapping[str, tuple[str, ...]] | None = None,
    *,
    many: bool = False,
) -> XmlFormat:
    sets = sets or {}
    return XmlFormat(
        name=name,
        spoken=spoken,
        extensions=extensions,
        many=many,
        detector=lambda head, _: head.root in roots or head.root in sets,
        roots=roots,
        sets=sets,
    )


def _tagged(
    name: str, spoken: str, extensions: tuple[str, ...], dialect: Dialect, *, also: tuple[str, ...] = ()
) -> StreamedFormat:
    return StreamedFormat(
        name=name,
        spoken=spoken,
        extensions=extensions,
        also=also,
        many=True,
        detector=lambda head, sure: dialect.opens(head.text, sure=sure),
        reader=dialect.read,
    )


def _each(read: Callable[[Element], Document]) -> ElementReader:
    """Return a reader whose document always carries its own identifier."""
    return lambda root, _: (read(root),)


def _read_pdf(data: bytes, name: str, _identifier: str, limits: Limits) -> ReadFile:
    """Read a PDF, which loads pdfium; its reader names it."""
    from engine.reading.pdf.reader import read_pdf

    return read_pdf(data, name, limits)


def _read_docx(data: bytes, name: str, identifier: str, limits: Limits) -> ReadFile:
    """Read a DOCX, by a module that no other format needs."""
    from engine.reading.docx.reader import read_docx

    return read_docx(data, name, identifier, limits)


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
        reader=_read_docx,
    ),
    StreamedFormat(
        name="parquet",
        spoken="Parquet",
        extensions=(".parquet",),
        many=True,
        binary=True,
        detector=lambda head, _: looks_like_parquet(head.data),
        reader=read_parquet,
    ),
    BytesFormat(
        name="html",
        spoken="HTML",
        extensions=(".html", ".htm", ".xhtml", ".mhtml", ".mht"),
        binary=True,
        detector=lambda head, sure: looks_like_html(head.data, sure=sure),
        reader=read_html,
    ),
    _xml(
        "jats",
        "JATS",
        (".xml", ".nxml"),
        {"article": lambda root, fingerprint: (read_article(root, fingerprint),)},
        {"pmc-articleset": ("article",), "OAI-PMH": ("article", "TEI")},
    ),
    _xml(
        "pubmed",
        "PubMed XML",
        (".xml",),
        {"PubmedArticle": _each(read_pubmed_record), "PubmedBookArticle": _each(read_pubmed_record)},
        {"PubmedArticleSet": ("PubmedArticle", "PubmedBookArticle"), "PubmedBookArticleSet": ("PubmedBookArticle",)},
        many=True,
    ),
    _xml("tei", "TEI", (".xml", ".tei"), {"TEI": read_tei}, {"teiCorpus": ("TEI",)}),
    _xml("atom", "Atom", (".xml", ".atom"), {"entry": read_entry}, {"feed": ("entry",)}, many=True),
    _xml(
        "endnote-xml",
        "EndNote XML",
        (".xml",),
        {"record": _each(read_endnote_record)},
        {"xml": ("record",), "records": ("record",)},
        many=True,
    ),
    _xml("zotero-rdf", "Zotero RDF", (".rdf",), {"RDF": lambda root, _: read_zotero_rdf(root)}, many=True),
    _xml(
        "uspto-grant",
        "USPTO XML",
        (".xml", ".sgm", ".sgml"),
        {"us-patent-grant": _each(read_patent), "PATDOC": _each(read_patdoc)},
    ),
    _xml(
        "uspto-application",
        "USPTO XML",
        (".xml",),
        {
            "us-patent-application": _each(read_patent),
            "patent-application-publication": _each(read_application_2001),
        },
    ),
    _xml(
        "epo",
        "EPO XML",
        (".xml",),
        {
            "patent-document": _each(read_epo_publication),
            "ep-patent-document": _each(read_ep_patent),
            "exchange-document": _each(read_epo_publication),
            "fulltext-document": _each(read_epo_publication),
        },
        {
            "world-patent-data": ("exchange-document", "fulltext-document"),
            "exchange-documents": ("exchange-document",),
            "patent-documents": ("patent-document",),
        },
    ),
    _xml(
        "wipo",
        "WIPO XML",
        (".xml",),
        dict.fromkeys(
            (
                "PatentPublication",
                "UnexaminedPatentPublication",
                "RegisteredPatentPublication",
                "InternationalPatentPublication",
                "SpecificationDocument",
                "ClaimsDocument",
                "PatentData",
            ),
            read_wipo_publication,
        ),
        {"PatentBulkData": ("PatentData",)},
    ),
    StreamedFormat(
        name="greenbook",
        spoken="Green Book",
        extensions=(".greenbook",),
        also=(".txt",),
        detector=lambda head, _: looks_like_greenbook(head.text),
        reader=read_greenbook,
    ),
    TextFormat(
        name="latex",
        spoken="LaTeX",
        extensions=(".tex",),
        detector=lambda head, sure: looks_like_latex(head.text, sure=sure),
        reader=read_latex,
    ),
    _tagged("ris", "RIS", (".ris",), RIS),
    StreamedFormat(
        name="pubmed-text",
        spoken="plain text",
        extensions=(".txt",),
        many=True,
        detector=lambda head, _: looks_like_pubmed_abstracts(head.text),
        reader=read_pubmed_abstracts,
    ),
    _tagged("medline", "MEDLINE", (".nbib",), MEDLINE, also=(".txt",)),
    _tagged("endnote", "EndNote", (".enw",), ENDNOTE, also=(".txt",)),
    _tagged("web-of-science", "Web of Science", (".ciw",), WEB_OF_SCIENCE, also=(".txt",)),
    _tagged("refworks", "RefWorks", (".txt",), REFWORKS),
    StreamedFormat(
        name="bibtex",
        spoken="BibTeX",
        extensions=(".bib",),
        many=True,
        detector=lambda head, sure: looks_like_bibtex(head.text, sure=sure),
        reader=read_bibtex,
    ),
    StreamedFormat(
        name="jsonl",
        spoken="JSONL",
        extensions=(".jsonl", ".json"),
        many=True,
        detector=lambda head, _: looks_like_jsonl(head.text),
        reader=read_jsonl,
    ),
    StreamedFormat(
        name="csv",
        spoken="CSV",
        extensions=(".csv", ".tsv"),
        many=True,
        detector=lambda head, sure: looks_like_csv(head.text, sure=sure),
        reader=read_csv,
    ),
    StreamedFormat(
        name="labelled",
        spoken="labelled records",
        extensions=(".ovd",),
        also=(".txt", ".net"),
        many=True,
        detector=lambda head, _: looks_like_labelled(head.text),
        reader=read_labelled,
    ),
    TextFormat(
        name="markdown",
        spoken="Markdown",
        extensions=(".md", ".markdown"),
        also=(".txt",),
        detector=lambda head, sure: looks_like_markdown(head.text, sure=sure),
        reader=lambda text, _name, identifier, limits: read_markdown(text, identifier, limits),
    ),
    TextFormat(
        name="text",
        spoken="plain text",
        extensions=(".txt",),
        also=(".md", ".markdown"),
        detector=lambda _head, _sure: True,
        reader=lambda text, _name, identifier, limits: read_plain(text, identifier, limits=limits),
    ),
)

NAMED: dict[str, Format] = {one.name: one for one in FORMATS}

BY_EXTENSION: dict[str, frozenset[str]] = {
    extension: frozenset(one.name for one in FORMATS if extension in (*one.extensions, *one.also))
    for each in FORMATS
    for extension in each.extensions
}
"""The names of the formats that each extension promises."""

_XML = tuple(one for one in FORMATS if isinstance(one, XmlFormat))

ROOTS: dict[str, ElementReader] = {root: reader for one in _XML for root, reader in one.roots.items()}
"""The reader of each root of XML."""

SETS: dict[str, tuple[str, ...]] = {root: members for one in _XML for root, members in one.sets.items()}
"""The roots of XML that hold many records, and the roots of these."""


def spoken(*, single: bool = False) -> str:
    """Return the formats in a sentence: those of one document, then, unless `single`, those of many."""
    told = [one for one in sorted(FORMATS, key=lambda one: one.many) if not (single and one.many)]
    *others, last = dict.fromkeys(one.spoken for one in told)
    return f"{', '.join(others)} or {last}"


def spoken_xml() -> str:
    """Return the formats of XML in a sentence, each with its roots."""
    roots: dict[str, list[str]] = {}
    for one in _XML:
        roots.setdefault(one.spoken, []).extend((*one.roots, *one.sets))
    *others, last = (f"{spoken} (root {', '.join(names)})" for spoken, names in roots.items())
    return f"{', '.join(others)} or {last}"
