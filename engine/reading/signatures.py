"""The first bytes of known formats, and what to do about those that we do not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import EncryptedFileError
from engine.documents.dates import RECENT_YEAR
from engine.documents.identifiers import ARXIV, DOI, DOI_PAGE
from engine.reading.encoding import is_binary

HEAD_BYTES = 1 << 16
"""How many bytes of a file tell its format."""
_PAGES = "Save it as PDF or paste its text."
_PICTURE = "A picture has no text: run text recognition (OCR) on it and give the PDF, or paste the text."
_ARCHIVE = "Unpack it first and give the files inside."


@dataclass(frozen=True, slots=True)
class Foreign:
    """A format that we know but do not read."""

    name: str
    advice: str


_FIRST_BYTES: tuple[tuple[bytes, Foreign], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Foreign("an old Office file (DOC, XLS or PPT)", _PAGES)),
    (b"{\\rtf", Foreign("RTF", _PAGES)),
    (b"%!PS", Foreign("PostScript", "Convert it to PDF, for example with ps2pdf.")),
    (b"AT&TFORM", Foreign("DjVu", "Convert it to PDF with text.")),
    (b"\x89PNG\r\n\x1a\n", Foreign("a PNG picture", _PICTURE)),
    (b"\xff\xd8\xff", Foreign("a JPEG picture", _PICTURE)),
    (b"GIF8", Foreign("a GIF picture", _PICTURE)),
    (b"II*\x00", Foreign("a TIFF picture", _PICTURE)),
    (b"MM\x00*", Foreign("a TIFF picture", _PICTURE)),
    (b"BM", Foreign("a BMP picture", _PICTURE)),
    (b"RIFF", Foreign("a WebP picture, or sound", _PICTURE)),
    (b"\x1f\x8b", Foreign("a gzip archive", _ARCHIVE)),
    (b"BZh", Foreign("a bzip2 archive", _ARCHIVE)),
    (b"\xfd7zXZ\x00", Foreign("an xz archive", _ARCHIVE)),
    (b"\x28\xb5\x2f\xfd", Foreign("a zstd archive", _ARCHIVE)),
    (b"7z\xbc\xaf\x27\x1c", Foreign("a 7z archive", _ARCHIVE)),
    (b"Rar!\x1a\x07", Foreign("a RAR archive", _ARCHIVE)),
    (b"SQLite format 3\x00", Foreign("an SQLite database", "Export its table as CSV.")),
    (b"\x7fELF", Foreign("a program", "Choose a paper or a patent.")),
    (b"MZ", Foreign("a program", "Choose a paper or a patent.")),
)
_RECORDS = "Export its references as RIS or BibTeX."
_CROSSREF = "Ask Crossref for JSON, or for BibTeX by content negotiation."
_PUBMED = "Ask PubMed for the articles as XML (efetch), or save them in the format PubMed."
FOREIGN_ROOTS: dict[str, Foreign] = {
    "collection": Foreign("MARC in XML", _RECORDS),
    "modsCollection": Foreign("MODS", _RECORDS),
    "mods": Foreign("MODS", _RECORDS),
    "Sources": Foreign("Word's list of sources", _RECORDS),
    "dblp": Foreign("dblp's XML", "Choose BibTeX or RIS on its pages."),
    "dblpperson": Foreign("dblp's XML", "Choose BibTeX or RIS on its pages."),
    "doi_records": Foreign("Crossref's Unixref", _CROSSREF),
    "doi_batch": Foreign("a deposit for Crossref", _CROSSREF),
    "crossref_result": Foreign("Crossref's XML", _CROSSREF),
    "CitaviExchangeData": Foreign("an exchange file of Citavi's", "Export the project from Citavi as RIS or BibTeX."),
    "file": Foreign("a list of references in XML, such as BibTeXML", _RECORDS),
    "dc": Foreign("Dublin Core", _RECORDS),
    "searchRetrieveResponse": Foreign("a library catalogue's answer (SRU)", _RECORDS),
    "eSummaryResult": Foreign("PubMed's summaries", _PUBMED),
    "eSearchResult": Foreign("a list of PubMed ids", _PUBMED),
    "search-results": Foreign("Scopus's answer in XML", "Choose RIS, BibTeX or CSV in its export."),
    "ONIXMessage": Foreign("ONIX", _RECORDS),
    "OutgoingDocument": Foreign("an office action of the USPTO", "Give the application's description or claims."),
    "rss": Foreign("an RSS feed", "Give the articles that it names."),
    "fault": Foreign("an error that a service answered with", "Ask the service again."),
    "error": Foreign("an error that a service answered with", "Ask the service again."),
}
"""XML that we know but do not read, by its roots."""

_BBL = "It holds what was printed of the references. Give the .bib file that it was made from."
_LOOK_UP = "Add them to Zotero by identifier, and export the items as RIS or BibTeX."
_NO_TEXT_BELOW = r"(?![\s\S]*\n(?:---|\.\.\.)[ \t]*+\n\s*+\S)"
_LISTS = (
    (r"Scopus\s{1,9}EXPORT DATE:", Foreign("Scopus's plain text", "Choose RIS, BibTeX or CSV in its export.")),
    (
        r"(?:=?LDR\b|000 +\d{5}[a-z]|\d{9} (?:LDR|FMT|\d{3})|0\d\d[A-Z@](?:/\d\d)? [$ƒ\x1f])",
        Foreign("a list of MARC records, or the like", "Export them as RIS or BibTeX."),
    ),
    (r"### \d{5}[^\n]{0,20}M2\.", Foreign("a list of MAB2 records", "Export them as RIS or BibTeX.")),
    (
        r"(?:\d{1,5}[.:] (?:[^\n]++\n){0,12}?[^\n]{0,2000}?PMID: ?\d++[^\n]*+(?:\n\s*+|\Z)){2}",
        Foreign("PubMed's summary of many papers", 'Choose the format "PubMed" or "Abstract (text)" when you save it.'),
    ),
    (
        rf"{_NO_TEXT_BELOW}(?:---[ \t]*+\n)?(?:references:[ \t]*+\n)?"
        r"- (?:id|title|type):[^\n]*+\n(?: {2}[^\n]*+\n){0,60}?- (?:id|title|type):",
        Foreign("a list of references in YAML", "Export them as CSL JSON, RIS or BibTeX."),
    ),
    (
        rf"{_NO_TEXT_BELOW}(?:(?:#[^\n]*+|---[ \t]*+)?\n)*+[\w./:+\"'-]{{1,80}}:[ \t]*+\n"
        r"(?:(?:[ \t][^\n]*+)?\n){0,8}?[ \t]++type: ?[\"']?(?i:article|book|chapter|entry|anthos|anthology|report|"
        r"thesis|web|reference|proceedings|periodical|misc|manuscript|patent|case|conference|newspaper|legislation|"
        r"original|repository|video|audio|artwork|scene|performance|exhibition|post|blog|thread)\b",
        Foreign("a list of references in YAML (Hayagriva)", "Export them as CSL JSON, RIS or BibTeX."),
    ),
    (
        rf"{_NO_TEXT_BELOW}(?:(?:#[^\n]*+|---[ \t]*+)?\n)*+(?:[a-z-]{{1,30}}:[^\n]*+\n(?:[ \t-][^\n]*+\n)*+){{0,20}}?"
        r"cff-version:",
        Foreign("a citation file (CITATION.cff)", 'Choose "Cite this repository" on GitHub, and give its BibTeX.'),
    ),
    (
        r"(?:[ \t]*+(?:#[^\n]*+)?\n)*+@?(?i:prefix|base)\s[^\n<]{0,80}<[^<>\s]++>",
        Foreign("RDF as Turtle", _RECORDS),
    ),
    (r"(?:<[^<>\s]++>|_:\S++) <[^<>\s]++> [^\n]+ \.[ \t]*\n", Foreign("RDF as N-Triples", _RECORDS)),
    (
        r"% \$ biblatex auxiliary file|"
        r"(?:%[^\n]*+\n|\s++)*+(?:\\(?:(?:re)?newcommand|providecommand|expandafter|def|let|ifx|fi|urlstyle|csname|"
        r"endcsname|else|makeatletter|makeatother|begingroup|providebibliographyfont)\b[^\n]*+\n(?: [^\n]*+\n|\s++)*+)"
        r"{0,60}+\\(?:begin\{thebibliography\}|bibitem\b|bib\{|refsection\{|datalist\[|sortlist\[)",
        Foreign("a bibliography of LaTeX's (.bbl)", _BBL),
    ),
    (
        r"(?:[*#:<>/\w={} -]{0,40}\n)?[*# ]*+(?:<ref[^<>\n]*+>)?\{\{ ?"
        r"(?i:v?cite [a-z]+|citation|literatur|ouvrage|article|lien web|cita [a-z]+|internetquelle)\s*\|",
        Foreign("citations in Wikipedia's templates", "Give Zotero the page's address, and export the items as RIS."),
    ),
    (
        r"TY {1,2}-[^\n]*+\s*+(?:ER {1,2}-\s*+)?\Z",
        Foreign("RIS without a field", "Export the references again; each needs its title."),
    ),
)
_LISTS_BY = tuple((re.compile(opening), found) for opening, found in _LISTS)
"""Lists of references in text that are known and not read, by how they begin."""
_NUMBERS = re.compile(
    rf"(?:{DOI_PAGE})?{DOI}\S++|(?:arxiv:)?{ARXIV}(?:v\d)?|PMC\d{{4,9}}|https?://\S++|(?:97[89]-?)?(?:\d-?){{9}}[\dX]|\d{{6,9}}",
    re.IGNORECASE,
)
_BETWEEN_NUMBERS = re.compile(
    r"(?:\s|[,;|](?=\s|\Z)|\b(?:dois?|pmids?|pmcids?|arxiv|isbns?):?(?=\s|\d)|\bdoi:|\bpmid:)+", re.IGNORECASE
)
_ENTRY = re.compile(r"(?:[\[(]?\d{1,4}[\]).:]{1,2}|[-*•])[ \t]+(?=\S)")
_PARTICLES = r"(?:(?:[Dd]e|[Vv]an|[Vv]on|[Dd]er|[Dd]en|[Ll][ae]|[Dd]i|[Aa]l)[ -]){0,3}"
_LIST_NAME = re.compile(
    r"\A(?:#+ )?(?:references?|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?)[: ]*\n\s*",
    re.IGNORECASE,
)
_CITED = re.compile(
    rf"(?:{_PARTICLES}[^\W\d_a-z][\w'’-]*+,? (?:[A-ZÀ-Þ]\.?[ -]?){{1,4}}|"
    rf"(?:[A-ZÀ-Þ]\. ?-?){{1,4}}{_PARTICLES}[^\W\d_a-z][\w'’-]++|"
    rf"{_PARTICLES}[^\W\d_a-z][\w'’-]*, [^\W\d_a-z][\w'’-]++(?: [A-ZÀ-Þ]\.)*+(?=[,.;]| and\b))"
    r"(?=[,.;&:( ]|et\b|and\b|$)"
)
_YEAR = re.compile(rf"(?<!\d){RECENT_YEAR}(?!\d)")
_FEWEST, _LONGEST = 3, 1_000

_MARC = re.compile(rb"\d{5}[acdnp][a-z][a-z ][a-z ]?[ a\d]{1,3}22\d{5}[ \w]{3}4500\d{12}")
"""The leader of MARC in bytes, and the first entry of its directory."""
_MEMBER = b"PK\x03\x04"
_ZIP = (_MEMBER, b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TEXT_LIKE = frozenset({b"BM", b"MZ", b"BZh", b"RIFF", b"GIF8"})
"""Signatures that a text may start with; they count only before bytes that never occur in text."""

_IN_ZIP: tuple[tuple[bytes, Foreign], ...] = (
    (b"xl/", Foreign("an Excel file (XLSX)", "Save its table as CSV.")),
    (b"ppt/", Foreign("a PowerPoint file (PPTX)", _PAGES)),
    (b"application/epub", Foreign("an EPUB book", _PAGES)),
    (b"application/vnd.oasis.opendocument", Foreign("an OpenDocument file", _PAGES)),
)


def is_pdf(file: bytes | Path) -> bool:
    """Tell whether a file in memory or on disk is a PDF."""
    if isinstance(file, bytes):
        return looks_like_pdf(file[:HEAD_BYTES])
    with file.open("rb") as opened:
        return looks_like_pdf(opened.read(HEAD_BYTES))


def looks_like_pdf(head: bytes) -> bool:
    """Tell whether a file starts with PDF's mark, or has it among bytes that never occur in text."""
    return head.lstrip().startswith(b"%PDF-") or (b"%PDF-" in head[:1024] and is_binary(head))


def looks_like_parquet(head: bytes) -> bool:
    """Tell whether a file begins with Parquet's mark."""
    return head.startswith(b"PAR1")


def looks_like_docx(head: bytes, *, sure: bool) -> bool:
    """Tell whether a ZIP archive holds a folder "word"; where the name says DOCX, Office's list of parts will do."""
    if not head.startswith(_ZIP):
        return False
    names = list(_zip_names(head))
    office = any(name.startswith((b"xl/", b"ppt/")) for name in names)
    return any(name.startswith(b"word/") for name in names) or (
        sure and not office and any(name in (b"[Content_Types].xml", b"_rels/.rels") for name in names)
    )


def is_locked_office(head: bytes, *, sure: bool) -> bool:
    """Tell whether an Office file is encrypted, and so wrapped as old ones are; with `sure` the name says DOCX."""
    return head.startswith(_OLE) and (sure or "EncryptedPackage".encode("utf-16-le") in head)


def locked_error(name: str) -> EncryptedFileError:
    """Return the error for an Office file that needs a password."""
    return EncryptedFileError(
        f"Expected a file without a password in {name}; it is encrypted, or an old DOC under another name. "
        "Open it in Word, and save it as DOCX without a password."
    )


def format_in_archive(names: Iterable[str]) -> Foreign:
    """Return the format of an archive by the names of its members."""
    joined = "\n".join(names).encode()
    return next((found for inner, found in _IN_ZIP if inner in joined), Foreign("a ZIP archive", _ARCHIVE))


def find_list(text: str) -> Foreign | None:
    """Return what list of references a text is that we do not read: by its beginning, or as each line is a number."""
    begun = text.lstrip()
    if (found := next((found for opening, found in _LISTS_BY if opening.match(begun)), None)) is not None:
        return found
    numbers = list(filter(None, _BETWEEN_NUMBERS.split(begun)))
    if begun and all(map(_NUMBERS.fullmatch, numbers)) and numbers:
        return Foreign("a list of numbers, such as DOIs or PubMed ids", _LOOK_UP)
    if _is_printed_list(begun):
        return Foreign("a printed list of references", "Export it from where it was made, as RIS or BibTeX.")
    return None


def _is_printed_list(text: str) -> bool:
    """Tell whether a text is nothing but references, one a paragraph, each with a name and a year."""
    entries: list[str] = []
    text = _LIST_NAME.sub("", text)
    numbered = _ENTRY.match(text) is not None
    for line in text.splitlines():
        begins = _ENTRY.match(line) if numbered else line.strip()
        if begins:
            entries.append(line[begins.end() :] if isinstance(begins, re.Match) else line.strip())
        elif numbered and line.strip():
            entries[-1] += f" {line.strip()}"
    told = sum(_CITED.match(one) is not None and _YEAR.search(one) is not None for one in entries)
    return len(entries) >= _FEWEST and told * 5 >= len(entries) * 4 and max(map(len, entries)) < _LONGEST


def find_foreign(head: bytes) -> Foreign | None:
    """Return the format of a file's first bytes where it is one that we do not read."""
    if head.startswith(_ZIP):
        inside = (found for inner, found in _IN_ZIP if inner in head)
        return next(inside, Foreign("a ZIP archive", _ARCHIVE))
    binary = is_binary(head)
    if _MARC.match(head):
        return Foreign("MARC", _RECORDS)
    for first, found in _FIRST_BYTES:
        if head.startswith(first) and (binary or first not in _TEXT_LIKE):
            return found
    return None


def _zip_names(head: bytes) -> Iterator[bytes]:
    """Yield the names of an archive's first members, from the header that stands before each."""
    at = head.find(_MEMBER)
    while at >= 0:
        length = int.from_bytes(head[at + 26 : at + 28], "little")
        yield head[at + 30 : at + 30 + length]
        at = head.find(_MEMBER, at + 4)
