"""Detects the format of a file, an upload or a pasted text by its content, and passes it to the format's reader.

A file's name is only a hint, and a promise to check.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePath
from typing import BinaryIO

from engine.core import errors
from engine.core.files import ABSENT, fingerprint, shown
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.reading.base import ReadFile, require_within
from engine.reading.encoding import Warn, decode, is_binary, mark
from engine.reading.formats import (
    BY_EXTENSION,
    FORMATS,
    NAMED,
    ROOTS,
    SETS,
    BytesFormat,
    FileHead,
    Format,
    StreamedFormat,
    TextFormat,
    XmlFormat,
    spoken,
    spoken_xml,
)
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.placeholders import without_placeholders
from engine.reading.signatures import FOREIGN_ROOTS, HEAD_BYTES, Foreign, find_foreign, is_locked_office, locked_error
from engine.reading.tables.labelled import unread_records
from engine.reading.xml.records import read_xml
from engine.reading.xml.tree import root_name, without_doctype

_TEXT_EXTENSIONS = frozenset(extension for one in FORMATS if not one.binary for extension in one.extensions)
_XML_EXTENSIONS = frozenset(extension for one in FORMATS if isinstance(one, XmlFormat) for extension in one.extensions)
_XML_START = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b|!--|[A-Za-z_])")
_XML_SURE = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b|[A-Za-z_][\w.:-]*+\s[^<>]{0,2000}?\bxmlns(?::\w+)?=)")
_NESTED = re.compile(r"\s*+<[^<>]++>\s*+<")
_log = logging.getLogger(__name__)
PASTED = "the pasted text"
_FEWEST_WORDS = 20
MOST_WARNINGS = 1_000
"""Of one file, as whole sentences."""


def read_file(path: Path, limits: Limits = LIMITS, *, report: Report = silent) -> ReadFile:
    """Read the one document of a file; `report` hears of its pages, and may raise to stop.

    Raises an InputError that says what to do; ManyDocumentsError where the file holds several.
    """
    with _open(path, limits) as file:
        return _read(file, path.name, Budget.of_file(limits, path.name, report))


def read_bytes(data: bytes, name: str, limits: Limits = LIMITS, *, report: Report = silent) -> ReadFile:
    """Read the one document of an upload; its name is only a hint."""
    return _read(io.BytesIO(data), name, Budget.of_file(limits, name, report))


def read_text(text: str, limits: Limits = LIMITS) -> ReadFile:
    """Read a pasted text, with its title, abstract, sections and claims; pasted XML is read as XML."""
    data = text.encode("utf-8", errors="replace")
    if not text.strip():
        raise errors.EmptyInputError("Expected a title, an abstract or a whole text, found nothing. Paste some text.")
    _require_size(len(data), PASTED, limits.max_file_bytes)
    found, budget = _pasted_format(data), Budget.of_file(limits, PASTED)
    if not isinstance(found, TextFormat):
        return _one(found, io.BytesIO(data), PASTED, budget)
    return _of_text(found, text, f"text:{fingerprint(data)}", PASTED, budget)


def iter_documents(
    path: Path, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning, report: Report = silent
) -> Iterator[Document]:
    """Yield the documents of a file, streamed: one from a PDF or a text, any number from tables and bulk files.

    `warn` gets a sentence on each entry that was left out, at most `MOST_WARNINGS`, and then their number. `report`
    hears of the pages or documents read, and may raise to stop.
    """
    with _open(path, limits) as file:
        head = file.read(HEAD_BYTES)
        found = NAMED[detect(head, path.name)]
        file.seek(0)
        budget = Budget.of_file(limits, path.name, report)
        for warning in _misnamed(found, path.name):
            warn(warning)
        if isinstance(found, BytesFormat | TextFormat):
            reading = _read_whole(found, file, path.name, budget)
            for warning in reading.warnings:
                warn(warning)
            yield reading.document
            return
        size = path.stat().st_size
        _require_size(size, path.name, limits.max_bulk_bytes)
        passed = _Warnings(warn, budget)
        for document in _stream(found, file, path.name, budget, passed):
            budget.meter.reach(file.tell() / size if size else 0.0)
            budget.renew()
            yield document
            budget.resume()
        passed.finish()


class _Warnings:
    """Passes on what was left out of a file of many entries; stops a file that is nothing else."""

    def __init__(self, warn: Warn, budget: Budget) -> None:
        self._warn, self._budget = warn, budget
        self._count = 0

    def __call__(self, sentence: str) -> None:
        """Take a sentence on an entry; the next one has the whole budget, but for time."""
        self._count += 1
        if self._count <= MOST_WARNINGS:
            self._warn(sentence)
        self._budget.forget_entry()

    def finish(self) -> None:
        """Say how many sentences were not passed on."""
        if self._count > MOST_WARNINGS:
            self._warn(f"{self._count - MOST_WARNINGS:,} more notes on {self._budget.name} are not listed.")


def _open(path: Path, limits: Limits) -> BinaryIO:
    """Open a file to read; a pipe is held in memory, because detection reads its start a second time.

    A folder, a missing file or a text in a file's place gives an error that says so.
    """
    try:
        file = path.open("rb")
        if file.seekable():
            return file
        with file:
            data = file.read(limits.max_file_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise errors.InputError(f"Expected a file at {shown(path)}; {ABSENT}. Check the name.") from None
    except OSError as error:
        raise errors.InputError(
            f"Expected a file that can be read at {shown(path)}: {error.strerror}. Choose another file."
        ) from None
    _require_size(len(data), path.name, limits.max_file_bytes)
    return io.BytesIO(data)


def _read(file: BinaryIO, name: str, budget: Budget) -> ReadFile:
    head = file.read(HEAD_BYTES)
    found = NAMED[detect(head, name)]
    file.seek(0)
    if isinstance(found, BytesFormat | TextFormat):
        reading = _read_whole(found, file, name, budget)
    else:
        reading = _one(found, file, name, budget)
    return replace(reading, warnings=(*_misnamed(found, name), *reading.warnings))


def _misnamed(found: Format, name: str) -> Iterator[str]:
    """Yield a warning where a file's name promises another format than its content has."""
    if not promise_kept(found.name, name):
        yield f"The name {name} promises another format; the content is {found.spoken}, and was read as that."


def _read_whole(found: BytesFormat | TextFormat, file: BinaryIO, name: str, limits: Limits) -> ReadFile:
    """Read a file of a format that has one document a file."""
    data = file.read(limits.max_file_bytes + 1)
    _require_size(len(data), name, limits.max_file_bytes)
    if found.name == "text" and not _may_be_text(data, name):
        raise _unknown(name)
    identifier = f"file:{fingerprint(data)}"
    if isinstance(found, TextFormat):
        warnings: list[str] = []
        reading = _of_text(found, decode(data, name, warn=warnings.append), identifier, name, limits)
        return replace(reading, warnings=(*warnings, *reading.warnings))
    return _bounded(found.reader(data, name, identifier, limits), name, limits)


def _may_be_text(data: bytes, name: str) -> bool:
    """Tell whether a plain text may be what was meant by a name that promises another format, such as a saved page.

    Nobody gives a list of references so, nor a paper of a few words.
    """
    promised = [NAMED[one] for one in BY_EXTENSION.get(_extension(name), ("text",))]
    if any(isinstance(one, TextFormat) for one in promised):
        return True
    return not all(one.many for one in promised) and len(data.split(maxsplit=_FEWEST_WORDS)) > _FEWEST_WORDS


def _of_text(found: TextFormat, text: str, identifier: str, name: str, limits: Limits) -> ReadFile:
    """Read a text by its format; refuse an overlong one first."""
    limits.require("characters", len(text), name)
    return _bounded(found.reader(text, name, identifier, limits), name, limits)


def _one(found: Format, file: BinaryIO, name: str, budget: Budget) -> ReadFile:
    """Read the single document of a format that may hold many."""
    warnings: list[str] = []
    passed = _Warnings(warnings.append, budget)
    documents = list(islice(_stream(found, file, name, budget, passed), 2))
    passed.finish()
    if not documents:
        raise errors.EmptyInputError(f"Expected a document in {name}, found none. Choose another file.")
    if len(documents) > 1:
        raise errors.ManyDocumentsError(
            f"Expected one document in {name}, found several. Import it instead, and search in the library."
        )
    return ReadFile(documents[0], found.name, (*_missing(documents[0]), *warnings))


def _missing(document: Document) -> Iterator[str]:
    if not document.title:
        yield "No title was found in the file."
    if not document.abstract:
        yield "No abstract was found in the file."


def _stream(found: Format, file: BinaryIO, name: str, limits: Limits, warn: Warn = _log.warning) -> Iterator[Document]:
    if isinstance(found, StreamedFormat):
        return found.reader(file, name, limits, warn=warn)
    return read_xml(file, name, limits, readers=ROOTS, sets=SETS, warn=warn)


def _pasted_format(data: bytes) -> Format:
    """Return the format of a pasted text; what only looks like a table or a binary file is read as text."""
    try:
        found = NAMED[detect(data[:HEAD_BYTES], "")]
    except errors.UnsupportedFormatError:
        return NAMED["text"]
    is_cut = found.name == "jsonl" and data.rstrip()[-1:] not in b"}]"  # a text that begins with a formula's brace
    return NAMED["text"] if found.binary or found.name == "csv" or is_cut else found


def _bounded(reading: ReadFile, name: str, limits: Limits) -> ReadFile:
    return replace(reading, document=without_placeholders(require_within(reading.document, name, limits)))


def _require_size(size: int, name: str, limit: int) -> None:
    if size > limit:
        raise errors.InputTooLargeError(
            f"Expected at most {limit >> 20} MiB in {name}; it is larger. Split it, or paste a part."
        )


def detect(head: bytes, name: str) -> str:
    """Return the name of a file's format, one of `FORMATS`, from its first `HEAD_BYTES`.

    Raises EmptyInputError, UnsupportedFormatError, WrongExtensionError, EncryptedFileError, BinaryTextError,
    TextEncodingError, UnsafeXmlError or TruncatedFileError.
    """
    if not head.strip():
        raise errors.EmptyInputError(f"Expected a document in {name}, found nothing in it. Choose another file.")
    extension = _extension(name)
    given = FileHead(head)
    for one in (one for one in FORMATS if one.binary):
        if one.detector(given, extension in one.extensions):
            return one.name
    if is_locked_office(head, sure=extension == ".docx"):
        raise locked_error(name)
    found = find_foreign(head)
    if found is not None:
        raise _refusal(found, name)
    given = _with_text(head, name)
    chosen = next(one for one in FORMATS if not one.binary and one.detector(given, extension in one.extensions))
    if isinstance(chosen, TextFormat) and (records := unread_records(given.text)) is not None:
        raise _refusal(records, name)
    return chosen.name


def promise_kept(format_name: str, name: str) -> bool:
    """Tell whether a file's extension promises its format, or nothing."""
    promised = BY_EXTENSION.get(_extension(name))
    return promised is None or format_name in promised


def _with_text(head: bytes, name: str) -> FileHead:
    """Return the head with its text, and its root if it is XML that we read; other XML is refused."""
    text = _head_text(head, name)
    if _XML_START.match(text):
        root = root_name(text)
        if root in ROOTS or root in SETS:
            return FileHead(head, text, root)
        known = root in FOREIGN_ROOTS and _NESTED.match(text)
        if known or _XML_SURE.match(text) or _extension(name) in _XML_EXTENSIONS:
            raise _foreign_xml(text, root, name)
    return FileHead(head, text)


def _foreign_xml(text: str, root: str, name: str) -> errors.UnsupportedFormatError | errors.TruncatedFileError:
    """Return the error for XML of another root; raises UnsafeXmlError first, as that is the worse news."""
    rest = without_doctype(text, name)
    if (known := FOREIGN_ROOTS.get(root)) is not None:
        return errors.UnsupportedFormatError(f"Expected {spoken()}; {name} is {known.name}. {known.advice}")
    if not rest.strip():
        return errors.TruncatedFileError(
            f"Expected a root element in {name}; the file stops before. Fetch the file again."
        )
    return errors.UnsupportedFormatError(
        f"Expected {spoken_xml()} in {name}, found the root {root or 'none'!r}. "
        "Save the document as PDF, or paste its text; export a list of references as RIS or BibTeX."
    )


def _head_text(head: bytes, name: str) -> str:
    """Return the head as text; XML may name another encoding, but its markup is ASCII in all that we read."""
    if re.match(rb"\s*<\?xml\b", head) and not mark(head)[1] and not is_binary(head):
        return head.decode("latin-1")
    extension = _extension(name)
    doubts: list[str] = []
    try:
        text = decode(head, name, cut=len(head) >= HEAD_BYTES, warn=doubts.append)
    except errors.BinaryTextError:
        if extension in _TEXT_EXTENSIONS:
            raise
        raise _unknown(name) from None
    except errors.TextEncodingError:
        if extension in _TEXT_EXTENSIONS or not extension:
            raise
        raise _unknown(name) from None
    if doubts and extension and extension not in _TEXT_EXTENSIONS:
        raise _unknown(name)
    return text


def _refusal(found: Foreign, name: str) -> errors.UnsupportedFormatError | errors.WrongExtensionError:
    extension = _extension(name)
    if extension in BY_EXTENSION:
        return errors.WrongExtensionError(
            f"The name {name} promises {_spell(extension)}, and the content is {found.name}, which is not read. "
            f"{found.advice}"
        )
    return errors.UnsupportedFormatError(f"Expected {spoken()}; {name} is {found.name}. {found.advice}")


def _unknown(name: str) -> errors.UnsupportedFormatError | errors.WrongExtensionError:
    extension = _extension(name)
    if extension in BY_EXTENSION:
        many = all(NAMED[one].many for one in BY_EXTENSION[extension])
        again = "export its references again as RIS or BibTeX" if many else "save it as PDF or paste its text"
        return errors.WrongExtensionError(
            f"The name {name} promises {_spell(extension)}, but the content is in none of the formats that are read. "
            f"Open it in the program that made it, and {again}."
        )
    return errors.UnsupportedFormatError(
        f"Expected {spoken()}; {name} is in none of these formats. Save it as PDF or paste its text."
    )


def _extension(name: str) -> str:
    return PurePath(name).suffix.lower()


def _spell(extension: str) -> str:
    """Return what a file of an extension is, in a sentence."""
    promised = {NAMED[name].spoken for name in BY_EXTENSION[extension]}
    spelled = promised.pop() if len(promised) == 1 else ""
    if extension in _XML_EXTENSIONS:
        return f"{spelled} XML".strip()
    return f"{extension} text" if extension in _TEXT_EXTENSIONS else spelled
