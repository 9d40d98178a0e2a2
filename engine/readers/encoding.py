"""Bytes to text, whole or line by line: UTF-8, or UTF-16 with its mark; other encodings are refused by name."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from engine.errors import BinaryTextError, EmptyInputError, InputTooLargeError, TextEncodingError
from engine.readers.limits import LIMITS, Budget, Limits

_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def mark(data: bytes) -> tuple[str, int]:
    """The encoding that a byte order mark names and the mark's length; UTF-8 and 0 without one."""
    for bom, encoding in _MARKS:
        if data.startswith(bom):
            return encoding, len(bom)
    return "utf-8", 0


def is_binary(data: bytes) -> bool:
    """Whether bytes without a UTF-16 mark hold characters that never occur in text."""
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


def text_lines(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, newline: str | None = None, advice: str = "Break it."
) -> Iterator[str]:
    """The lines of a text file with their ends, streamed and each bounded.

    `newline` is as `open` takes it; `advice` says what to do about a line that is too long. Raises InputTooLargeError
    or TextEncodingError.
    """
    head = file.read(4)
    encoding, skip = mark(head)
    file.seek(skip)
    text = io.TextIOWrapper(file, encoding=encoding, errors="strict", newline=newline)
    budget = Budget.within(limits, name)
    try:
        while line := text.readline(limits.max_record_bytes + 1):
            if len(line) > limits.max_record_bytes:
                raise InputTooLargeError(
                    f"Expected lines of at most {limits.max_record_bytes >> 20} MiB in {name}; one is longer. {advice}"
                )
            budget.check()
            yield line
    except UnicodeDecodeError as error:
        raise not_utf8(name, error) from None
    finally:
        if not text.closed:
            text.detach()  # the file is the caller's to close


def not_utf8(name: str, error: UnicodeDecodeError) -> TextEncodingError:
    """The error for text in another encoding."""
    byte = error.object[error.start]
    return TextEncodingError(
        f"Expected UTF-8 text in {name}, found the byte 0x{byte:02x} that UTF-8 does not allow there. "
        "If it is Latin-1, convert it with: iconv -f LATIN1 -t UTF-8 OLD > NEW, or save it again as UTF-8."
    )
