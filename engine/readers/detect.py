"""Which format some bytes are in, told by the bytes; the name is a hint, and a promise to check."""

from __future__ import annotations

import re
from pathlib import PurePath

from engine.errors import (
    BinaryTextError,
    EmptyInputError,
    TextEncodingError,
    TruncatedFileError,
    UnsupportedFormatError,
    WrongExtensionError,
)
from engine.readers.encoding import decode, is_binary, mark
from engine.readers.latex.reader import looks_like_latex
from engine.readers.patents import uspto, uspto_2001
from engine.readers.references.bibtex import looks_like_bibtex
from engine.readers.references.ris import looks_like_ris
from engine.readers.signatures import Foreign, foreign, is_locked_office, locked, looks_like_docx
from engine.readers.tables.reader import looks_like_csv
from engine.readers.text.markdown import looks_like_markdown
from engine.readers.xml.doctype import root_name, without_doctype

HEAD_BYTES = 1 << 16
"""How much of a file `detect` needs."""

BY_EXTENSION: dict[str, frozenset[str]] = {
    ".pdf": frozenset({"pdf"}),
    ".xml": frozenset({"jats", "tei", "uspto-grant", "uspto-application"}),
    ".nxml": frozenset({"jats"}),
    ".tei": frozenset({"tei"}),
    ".txt": frozenset({"text", "markdown", "greenbook"}),
    ".md": frozenset({"markdown", "text"}),
    ".markdown": frozenset({"markdown", "text"}),
    ".greenbook": frozenset({"greenbook"}),
    ".jsonl": frozenset({"jsonl"}),
    ".json": frozenset({"jsonl"}),
    ".csv": frozenset({"csv"}),
    ".tsv": frozenset({"csv"}),
    ".parquet": frozenset({"parquet"}),
    ".bib": frozenset({"bibtex"}),
    ".ris": frozenset({"ris"}),
    ".docx": frozenset({"docx"}),
    ".tex": frozenset({"latex"}),
}
"""What each extension promises."""

READABLE_EXTENSIONS: tuple[str, ...] = tuple(BY_EXTENSION)

_TEXT_EXTENSIONS = frozenset(BY_EXTENSION) - {".pdf", ".parquet", ".docx"}
_ROOTS = {"article": "jats", "pmc-articleset": "jats", "TEI": "tei", **uspto.ROOTS, **uspto_2001.ROOTS}
_XML_START = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b|!--|[A-Za-z_])")
_XML_SURE = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b)")
_JSON_START = re.compile(r"\s*(?:\{\s*(?:\"|\}|\Z)|\[\s*\{)")
_PATN = re.compile(r"\A(?:HHHHHT.*\n|[^\S\n]*+\n)*+PATN\s*$", re.MULTILINE)
_READABLE = (
    "PDF, DOCX, LaTeX, JATS, TEI or USPTO XML, Green Book, Markdown, plain text, BibTeX, RIS, JSONL, CSV or Parquet"
)


def detect(head: bytes, name: str) -> str:
    """The format of a file from its first `HEAD_BYTES`.

    One of pdf, docx, latex, jats, tei, uspto-grant, uspto-application, greenbook, bibtex, ris, jsonl,
    csv, parquet, markdown, text. Raises EmptyInputError, UnsupportedFormatError, WrongExtensionError,
    EncryptedFileError, BinaryTextError, TextEncodingError, UnsafeXmlError or TruncatedFileError.
    """
    if not head.strip():
        raise EmptyInputError(f"Expected a document in {name}, found nothing in it. Choose another file.")
    if head.lstrip().startswith(b"%PDF-") or (b"%PDF-" in head[:1024] and is_binary(head)):
        return "pdf"
    if head.startswith(b"PAR1"):
        return "parquet"
    if looks_like_docx(head, sure=_extension(name) == ".docx"):
        return "docx"
    if is_locked_office(head, sure=_extension(name) == ".docx"):
        raise locked(name)
    found = foreign(head, binary=is_binary(head))
    if found is not None:
        raise _refusal(found, name)
    return _of_text(_head_text(head, name), name)


def promise_kept(format_name: str, name: str) -> bool:
    """Whether a file's extension promises the format that it is in, or promises nothing."""
    promised = BY_EXTENSION.get(_extension(name))
    return promised is None or format_name in promised


def _of_text(text: str, name: str) -> str:
    if _XML_START.match(text):
        root = root_name(text)
        if root in _ROOTS:
            return _ROOTS[root]
        if _XML_SURE.match(text) or _extension(name) in (".xml", ".nxml", ".tei"):
            raise _foreign_xml(text, root, name)
    if _PATN.search(text):
        return "greenbook"
    if looks_like_latex(text, sure=_extension(name) == ".tex"):
        return "latex"
    if looks_like_ris(text):
        return "ris"
    if looks_like_bibtex(text, sure=_extension(name) == ".bib"):
        return "bibtex"
    if _JSON_START.match(text):
        return "jsonl"
    if looks_like_csv(text, sure=_extension(name) in (".csv", ".tsv")):
        return "csv"
    return "markdown" if looks_like_markdown(text, sure=_extension(name) in (".md", ".markdown")) else "text"


def _foreign_xml(text: str, root: str, name: str) -> UnsupportedFormatError | TruncatedFileError:
    """The error for XML of another root; raises UnsafeXmlError first, as that is the worse news."""
    rest = without_doctype(text, name)
    if not rest.strip():
        return TruncatedFileError(f"Expected a root element in {name}; the file stops before. Fetch the file anew.")
    return UnsupportedFormatError(
        f"Expected JATS (root article), TEI or USPTO XML in {name}, found the root {root or 'none'!r}. "
        "Save the document as PDF, or paste its text."
    )


def _head_text(head: bytes, name: str) -> str:
    """The head as text; XML may name an encoding of its own, and its structure is ASCII in all we read."""
    if re.match(rb"\s*<\?xml\b", head) and not mark(head)[1] and not is_binary(head):
        return head.decode("latin-1")
    try:
        return decode(head, name, cut=len(head) >= HEAD_BYTES)
    except BinaryTextError:
        extension = _extension(name)
        if extension in _TEXT_EXTENSIONS:
            raise
        raise _unknown(name) from None
    except TextEncodingError:
        if _extension(name) in _TEXT_EXTENSIONS or not _extension(name):
            raise
        raise _unknown(name) from None


def _refusal(found: Foreign, name: str) -> UnsupportedFormatError | WrongExtensionError:
    extension = _extension(name)
    if extension in BY_EXTENSION:
        return WrongExtensionError(
            f"The name {name} promises {_spelled(extension)}, and the content is {found.name}, which is not read. "
            f"{found.advice}"
        )
    return UnsupportedFormatError(f"Expected {_READABLE}; {name} is {found.name}. {found.advice}")


def _unknown(name: str) -> UnsupportedFormatError | WrongExtensionError:
    extension = _extension(name)
    if extension in BY_EXTENSION:
        return WrongExtensionError(
            f"The name {name} promises {_spelled(extension)}, and the content is not that nor anything else that is "
            "read. Open it in the program that made it, and save it as PDF or paste its text."
        )
    return UnsupportedFormatError(
        f"Expected {_READABLE}; {name} is in none of these formats. Save it as PDF or paste its text."
    )


def _extension(name: str) -> str:
    return PurePath(name).suffix.lower()


def _spelled(extension: str) -> str:
    spelled = {".pdf": "PDF", ".parquet": "Parquet", ".xml": "XML", ".nxml": "JATS XML", ".docx": "DOCX"}
    return spelled.get(extension, f"{extension} text")
