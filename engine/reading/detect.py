"""Detects the format of bytes by content; a file's name is a hint, and a promise to check."""

from __future__ import annotations

import re
from pathlib import PurePath

from engine.core.errors import (
    BinaryTextError,
    EmptyInputError,
    TextEncodingError,
    TruncatedFileError,
    UnsupportedFormatError,
    WrongExtensionError,
)
from engine.reading.encoding import decode, is_binary, mark
from engine.reading.formats import BY_EXTENSION, FORMATS, NAMED, ROOTS, SETS, Head, XmlFormat, spoken, spoken_xml
from engine.reading.signatures import FOREIGN_ROOTS, Foreign, foreign, is_locked_office, locked
from engine.reading.xml.tree import root_name, without_doctype

HEAD_BYTES = 1 << 16
"""How many bytes of a file `detect` needs."""

_TEXT_EXTENSIONS = frozenset(extension for one in FORMATS if not one.binary for extension in one.extensions)
_XML_EXTENSIONS = frozenset(extension for one in FORMATS if isinstance(one, XmlFormat) for extension in one.extensions)
_XML_START = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b|!--|[A-Za-z_])")
_XML_SURE = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b)")


def detect(head: bytes, name: str) -> str:
    """The name of a file's format, one of `FORMATS`, from its first `HEAD_BYTES`.

    Raises EmptyInputError, UnsupportedFormatError, WrongExtensionError, EncryptedFileError, BinaryTextError,
    TextEncodingError, UnsafeXmlError or TruncatedFileError.
    """
    if not head.strip():
        raise EmptyInputError(f"Expected a document in {name}, found nothing in it. Choose another file.")
    extension = _extension(name)
    given = Head(head)
    for one in (one for one in FORMATS if one.binary):
        if one.detector(given, extension in one.extensions):
            return one.name
    if is_locked_office(head, sure=extension == ".docx"):
        raise locked(name)
    found = foreign(head)
    if found is not None:
        raise _refusal(found, name)
    given = _with_text(head, name)
    return next(one.name for one in FORMATS if not one.binary and one.detector(given, extension in one.extensions))


def promise_kept(format_name: str, name: str) -> bool:
    """Whether a file's extension promises its format, or nothing."""
    promised = BY_EXTENSION.get(_extension(name))
    return promised is None or format_name in promised


def _with_text(head: bytes, name: str) -> Head:
    """The head with its text, and its root if it is XML that we read; other XML is refused."""
    text = _head_text(head, name)
    if _XML_START.match(text):
        root = root_name(text)
        if root in ROOTS or root in SETS:
            return Head(head, text, root)
        if _XML_SURE.match(text) or _extension(name) in _XML_EXTENSIONS:
            raise _foreign_xml(text, root, name)
    return Head(head, text)


def _foreign_xml(text: str, root: str, name: str) -> UnsupportedFormatError | TruncatedFileError:
    """The error for XML of another root; raises UnsafeXmlError first, as that is the worse news."""
    rest = without_doctype(text, name)
    if (known := FOREIGN_ROOTS.get(root)) is not None:
        return UnsupportedFormatError(f"Expected {spoken()}; {name} is {known.name}. {known.advice}")
    if not rest.strip():
        return TruncatedFileError(f"Expected a root element in {name}; the file stops before. Fetch the file again.")
    return UnsupportedFormatError(
        f"Expected {spoken_xml()} in {name}, found the root {root or 'none'!r}. "
        "Save the document as PDF, or paste its text."
    )


def _head_text(head: bytes, name: str) -> str:
    """The head as text; XML may name another encoding, but its markup is ASCII in all that we read."""
    if re.match(rb"\s*<\?xml\b", head) and not mark(head)[1] and not is_binary(head):
        return head.decode("latin-1")
    extension = _extension(name)
    doubts: list[str] = []
    try:
        text = decode(head, name, cut=len(head) >= HEAD_BYTES, warn=doubts.append)
    except BinaryTextError:
        if extension in _TEXT_EXTENSIONS:
            raise
        raise _unknown(name) from None
    except TextEncodingError:
        if extension in _TEXT_EXTENSIONS or not extension:
            raise
        raise _unknown(name) from None
    if doubts and extension and extension not in _TEXT_EXTENSIONS:
        raise _unknown(name)
    return text


def _refusal(found: Foreign, name: str) -> UnsupportedFormatError | WrongExtensionError:
    extension = _extension(name)
    if extension in BY_EXTENSION:
        return WrongExtensionError(
            f"The name {name} promises {_spelled(extension)}, and the content is {found.name}, which is not read. "
            f"{found.advice}"
        )
    return UnsupportedFormatError(f"Expected {spoken()}; {name} is {found.name}. {found.advice}")


def _unknown(name: str) -> UnsupportedFormatError | WrongExtensionError:
    extension = _extension(name)
    if extension in BY_EXTENSION:
        return WrongExtensionError(
            f"The name {name} promises {_spelled(extension)}, and the content is not that nor anything else that is "
            "read. Open it in the program that made it, and save it as PDF or paste its text."
        )
    return UnsupportedFormatError(
        f"Expected {spoken()}; {name} is in none of these formats. Save it as PDF or paste its text."
    )


def _extension(name: str) -> str:
    return PurePath(name).suffix.lower()


def _spelled(extension: str) -> str:
    """What a file of an extension is, in a sentence."""
    promised = {NAMED[name].spoken for name in BY_EXTENSION[extension]}
    spelled = promised.pop() if len(promised) == 1 else ""
    if extension in _XML_EXTENSIONS:
        return f"{spelled} XML".strip()
    return f"{extension} text" if extension in _TEXT_EXTENSIONS else spelled
