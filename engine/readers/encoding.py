"""Bytes to text: UTF-8, or UTF-16 with its mark; anything else is refused by name."""

from __future__ import annotations

import codecs
import re

from engine.errors import BinaryTextError, EmptyInputError, TextEncodingError

_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def mark(data: bytes) -> tuple[str, int]:
    """The encoding that a byte order mark names and the mark's length; UTF-8 and 0 without one."""
    for bom, encoding in _MARKS:
        if data.startswith(bom):
            return encoding, len(bom)
    return "utf-8", 0


def is_binary(data: bytes) -> bool:
    """Whether bytes without a UTF-16 mark hold characters that no text holds."""
    encoding, _ = mark(data)
    return encoding == "utf-8" and _BINARY.search(data) is not None


def decode(data: bytes, name: str, *, cut: bool = False) -> str:
    """Decode text strictly.

    With `cut` the bytes may end within a character, as the head of a file does. Raises
    EmptyInputError, BinaryTextError or TextEncodingError.
    """
    if is_binary(data):
        raise BinaryTextError(
            f"Expected text in {name}, found binary bytes. Open it in the program that made it, "
            "and save it as PDF or as plain text in UTF-8."
        )
    encoding, skip = mark(data)
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(data[skip:], final=not cut)
    except UnicodeDecodeError as error:
        raise not_utf8(name, error) from None
    if not text.strip():
        raise EmptyInputError(f"Expected text in {name}, found nothing but white space. Choose another file.")
    return text


def not_utf8(name: str, error: UnicodeDecodeError) -> TextEncodingError:
    """The error for text in another encoding."""
    byte = error.object[error.start]
    return TextEncodingError(
        f"Expected UTF-8 text in {name}, found the byte 0x{byte:02x} that UTF-8 does not allow there. "
        "If it is Latin-1, convert it with: iconv -f LATIN1 -t UTF-8 OLD > NEW, or save it anew as UTF-8."
    )
