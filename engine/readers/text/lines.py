"""The lines of a text file, streamed, decoded strictly and each bounded."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

from engine.errors import InputTooLargeError
from engine.readers.encoding import mark, not_utf8
from engine.readers.limits import LIMITS, Limits


def text_lines(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, newline: str | None = None, advice: str = "Break it."
) -> Iterator[str]:
    """The lines with their ends; `newline` as `open` takes it, `advice` for a line that is too long.

    Raises InputTooLargeError or TextEncodingError.
    """
    head = file.read(4)
    encoding, skip = mark(head)
    file.seek(skip)
    text = io.TextIOWrapper(file, encoding=encoding, errors="strict", newline=newline)
    try:
        while line := text.readline(limits.max_record_bytes + 1):
            if len(line) > limits.max_record_bytes:
                raise InputTooLargeError(
                    f"Expected lines of at most {limits.max_record_bytes >> 20} MiB in {name}; one is longer. {advice}"
                )
            yield line
    except UnicodeDecodeError as error:
        raise not_utf8(name, error) from None
    finally:
        if not text.closed:
            text.detach()  # the file is the caller's to close
