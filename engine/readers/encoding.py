"""Bytes to text, whole or line by line: UTF-8, UTF-16 with its mark, or what LaTeX source declares.

Text in any other encoding is refused by name.
"""

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

_DECLARED = re.compile(
    rb"^[^%\n]{0,200}\\(?:usepackage[ \t]*\[([\w-]{1,20})\][ \t]*\{inputenc\}|inputencoding[ \t]*\{([\w-]{1,20})\})",
    re.MULTILINE,
)
_LATEX_ENCODINGS = {
    **{"latin1": "latin-1", "latin2": "iso8859-2", "latin3": "iso8859-3", "latin4": "iso8859-4", "latin5": "iso8859-9"},
    **{"latin9": "iso8859-15", "latin10": "iso8859-16", "ansinew": "cp1252", "applemac": "mac-roman"},
    **{name: name for name in "cp437 cp850 cp852 cp855 cp858 cp865 cp866 cp1250 cp1251 cp1252 cp1257".split()},
    **{"koi8-r": "koi8-r", "koi8r": "koi8-r", "maccyr": "mac-cyrillic", "macce": "mac-latin2"},
}
"""Python's name for each encoding that LaTeX's package inputenc knows, other than UTF-8."""


def declared(data: bytes) -> str | None:
    """The encoding that LaTeX source says it is in, where that is one of single bytes."""
    match = _DECLARED.search(data, 0, 1 << 16)
    return _LATEX_ENCODINGS.get((match[1] or match[2]).decode("ascii")) if match is not None else None


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
        said = declared(data)
        if said is None:
            raise not_utf8(name, error) from None
        text = data.decode(said, errors="replace")
    if not text.strip():
        raise EmptyInputError(f"Expected text in {name}, found nothing but white space. Choose another file.")
    return text.replace("\r", "\n") if "\r" in text and "\n" not in text else text  # as old Macs end lines


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
