"""Gives a file, an upload or a pasted text to the reader of its format."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import Element

from engine.documents import Document
from engine.errors import EmptyInputError, InputError, InputTooLargeError, ManyDocumentsError, UnsupportedFormatError
from engine.files import fingerprint
from engine.readers.base import Reading
from engine.readers.detect import HEAD_BYTES, detect, promise_kept
from engine.readers.docx.reader import read_docx
from engine.readers.encoding import decode
from engine.readers.found import ABSENT, shown
from engine.readers.latex.reader import read_latex
from engine.readers.limits import LIMITS, Limits
from engine.readers.patents import bulk, uspto, uspto_2001
from engine.readers.references.bibtex import read_bibtex
from engine.readers.references.ris import read_ris
from engine.readers.tables import reader
from engine.readers.text.markdown import read_markdown
from engine.readers.text.plain import read_plain
from engine.readers.xml.jats import read_article
from engine.readers.xml.tei import read_tei
from engine.readers.xml.tree import parse

_log = logging.getLogger(__name__)

PASTED = "the pasted text"
_XML_FORMATS = frozenset({"jats", "tei", "uspto-grant", "uspto-application"})
_TABLES: dict[str, Callable[[BinaryIO, str, Limits], Iterator[Document]]] = {
    "jsonl": reader.read_jsonl,
    "csv": reader.read_csv,
    "parquet": reader.read_parquet,
}
_REFERENCES = {"bibtex": read_bibtex, "ris": read_ris}
_STREAMED = frozenset({*_XML_FORMATS, *_TABLES, *_REFERENCES, "greenbook"})
_OTHER_RECORDS = frozenset({"sequence-cwu"})
"""Roots in the USPTO's weekly files that are no patents: gene sequences, which belong to the patent before."""


def read_file(path: Path, limits: Limits = LIMITS) -> Reading:
    """Read the one document of a file.

    Raises an InputError that says what to do; ManyDocumentsError where the file holds several.
    """
    with _open(path, limits) as file:
        return _read(file, path.name, limits)


def read_bytes(data: bytes, name: str, limits: Limits = LIMITS) -> Reading:
    """Read the one document of an upload; its name is only a hint."""
    return _read(io.BytesIO(data), name, limits)


def read_text(text: str, limits: Limits = LIMITS) -> Reading:
    """Read a pasted text: it finds its own title, abstract, sections and claims; pasted XML is read as XML."""
    data = text.encode("utf-8", errors="replace")
    if not text.strip():
        raise EmptyInputError("Expected a title, an abstract or a whole text, found nothing. Paste some text.")
    _require_size(len(data), PASTED, limits.max_file_bytes)
    found = _pasted_format(data)
    if found in _STREAMED:
        return _one(found, io.BytesIO(data), PASTED, limits)
    identifier = f"text:{fingerprint(data)}"
    return _bounded(_of_text(found, text, identifier, PASTED, limits), PASTED, limits)


def iter_documents(
    path: Path, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    """The documents of a file, streamed: one of a PDF or a text, as many as there are of tables and bulk files.

    `warn` is told in a sentence what was left out of a file of references.
    """
    with _open(path, limits) as file:
        head = file.read(HEAD_BYTES)
        found = detect(head, path.name)
        file.seek(0)
        if found not in _STREAMED:
            yield _read_whole(found, file, path.name, limits).document
            return
        _require_size(path.stat().st_size, path.name, limits.max_bulk_bytes)
        for document in _stream(found, file, path.name, limits, warn):
            yield require_within(document, path.name, limits)


def require_within(document: Document, name: str, limits: Limits) -> Document:
    """The document, if its text and lists are within the limits."""
    counts = (
        (sum(len(part.text) for part in document.parts), limits.max_characters, "characters of text"),
        (len(document.sections), limits.max_sections, "sections"),
        (len(document.claims), limits.max_claims, "claims"),
    )
    for count, limit, what in counts:
        _require_count(count, limit, what, name)
    return document


def _require_count(count: int, limit: int, what: str, name: str) -> None:
    if count > limit:
        raise InputTooLargeError(
            f"Expected at most {limit:,} {what} in {name}, found {count:,}. Split it, or paste a part."
        )


def _open(path: Path, limits: Limits) -> BinaryIO:
    """Open a file to read; a pipe is held in memory, since a format is told by a beginning that is read twice.

    A folder, a missing file or a text in a file's place is the person's mistake, and said so.
    """
    try:
        file = path.open("rb")
        if file.seekable():
            return file
        with file:
            data = file.read(limits.max_file_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"Expected a file at {shown(path)}; {ABSENT}. Check the name.") from None
    except OSError as error:
        raise InputError(
            f"Expected a file that can be read at {shown(path)}: {error.strerror}. Choose another file."
        ) from None
    _require_size(len(data), path.name, limits.max_file_bytes)
    return io.BytesIO(data)


def _read(file: BinaryIO, name: str, limits: Limits) -> Reading:
    head = file.read(HEAD_BYTES)
    found = detect(head, name)
    file.seek(0)
    reading = _one(found, file, name, limits) if found in _STREAMED else _read_whole(found, file, name, limits)
    if promise_kept(found, name):
        return reading
    warning = f"The name {name} promises another format; the content is {found}, and was read as that."
    return replace(reading, warnings=(warning, *reading.warnings))


def _read_whole(found: str, file: BinaryIO, name: str, limits: Limits) -> Reading:
    """A format of one document a file."""
    data = file.read(limits.max_file_bytes + 1)
    _require_size(len(data), name, limits.max_file_bytes)
    if found == "pdf":
        from engine.readers.pdf.reader import read_pdf

        return _bounded(read_pdf(data, name, limits), name, limits)
    identifier = f"file:{fingerprint(data)}"
    if found == "docx":
        return _bounded(read_docx(data, name, identifier, limits), name, limits)
    return _bounded(_of_text(found, decode(data, name), identifier, name, limits), name, limits)


def _of_text(found: str, text: str, identifier: str, name: str, limits: Limits) -> Reading:
    """A text by its format: LaTeX, Markdown or plain; one that is too long is refused before the work on it."""
    _require_count(len(text), limits.max_characters, "characters of text", name)
    if found == "latex":
        return read_latex(text, name, identifier, limits)
    return read_markdown(text, identifier) if found == "markdown" else read_plain(text, identifier)


def _one(found: str, file: BinaryIO, name: str, limits: Limits) -> Reading:
    """The one document of a format that may hold many."""
    warnings: list[str] = []
    documents = list(islice(_stream(found, file, name, limits, warnings.append), 2))
    if not documents:
        raise EmptyInputError(f"Expected a document in {name}, found none. Choose another file.")
    if len(documents) > 1:
        raise ManyDocumentsError(
            f"Expected one document in {name}, found several. Import it instead, and search in the library."
        )
    return _bounded(Reading(documents[0], found, (*_missing(documents[0]), *warnings)), name, limits)


def _missing(document: Document) -> Iterator[str]:
    if not document.title:
        yield "No title was found in the file."
    if not document.abstract:
        yield "No abstract was found in the file."


def _stream(
    found: str, file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    if found in _XML_FORMATS:
        for record in bulk.xml_records(file, name, limits):
            yield from _of_xml(record, name, limits)
    elif found == "greenbook":
        yield from bulk.read_greenbook(file, name, limits)
    elif found in _REFERENCES:
        yield from _REFERENCES[found](file, name, limits, warn=warn)
    else:
        yield from _TABLES[found](file, name, limits)


def _of_xml(record: bytes, name: str, limits: Limits) -> Iterator[Document]:
    """The documents of one XML record, told by its root."""
    root = parse(record, name, limits)
    if root.tag == "article":
        yield read_article(root, fingerprint(record))
    elif root.tag == "pmc-articleset":
        for number, article in enumerate(root.iter("article")):
            yield read_article(article, fingerprint(record, str(number)))
    elif root.tag == "TEI":
        yield read_tei(root, fingerprint(record))
    elif root.tag in _OTHER_RECORDS:
        _log.info("%s: left out a record of %s, which is no patent", name, root.tag)
    else:
        yield _patent(root, name)


def _patent(root: Element, name: str) -> Document:
    if root.tag in uspto.ROOTS:
        return uspto.read_patent(root)
    if root.tag in uspto_2001.ROOTS:
        return uspto_2001.read_application(root)
    raise UnsupportedFormatError(
        f"Expected USPTO patents, JATS or TEI in {name}, found a record of {root.tag!r}. Take that record out."
    )


def _pasted_format(data: bytes) -> str:
    """The format of a pasted text; what only looks like a file that we do not read is text."""
    try:
        found = detect(data[:HEAD_BYTES], "")
    except UnsupportedFormatError:
        return "text"
    return "text" if found in ("csv", "pdf", "parquet", "docx") else found


def _bounded(reading: Reading, name: str, limits: Limits) -> Reading:
    require_within(reading.document, name, limits)
    return reading


def _require_size(size: int, name: str, limit: int) -> None:
    if size > limit:
        raise InputTooLargeError(
            f"Expected at most {limit >> 20} MiB in {name}; it is larger. Split it, or paste a part."
        )
