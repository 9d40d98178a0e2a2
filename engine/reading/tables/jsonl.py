"""JSON and JSON Lines into documents, streamed where each line holds an object."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO

from engine.core.errors import InputError, InputTooLargeError, MalformedFileError, TruncatedFileError
from engine.documents import Document
from engine.documents.text import how_many
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits
from engine.reading.omissions import Omissions
from engine.reading.patents.file_wrapper import is_wrapper, read_wrapper
from engine.reading.patents.lens import is_lens_patent, read_lens_patent
from engine.reading.tables.envelopes import rows
from engine.reading.tables.records import (
    Row,
    end_of_deep,
    goes_deeper,
    load_json,
    number_too_long,
    to_document,
    too_deep,
)

_START = re.compile(r"\s*(?:\{\s*(?:\"|\}|\Z)|\[\s*\{)")
_GAP = re.compile(r"[\s,]*+")
_WORKS = re.compile(
    r'"(?:items|results|papers|records|documents|docs|data|works|articles|entries|publications|hits|patents)"'
    r"\s*+:\s*+\[\s*+(?=\{)"
)
_REST = re.compile(r"\s*+\Z")
_MOST_BROKEN = 1_000
_DECODER = json.JSONDecoder()
_NEXT = re.compile(r"\}[\s,]*+(?=\{)")


def looks_like_jsonl(text: str) -> bool:
    """Whether a text begins with a JSON object, or with a list of them."""
    return _START.match(text) is not None


def read_jsonl(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Documents of JSON Lines; also of JSON objects, or a list of them, that are laid out over many lines.

    Records of arXiv, OpenAlex, Crossref, Semantic Scholar and others are recognised by content, also within the answer
    of an API. An entry that cannot be read is left out, and `warn` is told.
    """
    omissions = Omissions(warn, limits)
    lines = (line for line in text_lines(file, name, limits, warn=warn, omit=omissions.entry) if line.strip())
    begun = list(islice(lines, 2))
    if any(_is_object(line, name, limits) for line in begun):
        values = _of_lines(chain(begun, lines), name, limits)
    else:
        values = _elements(_whole(chain(begun, lines), name, limits), name, limits)
    for number, value in enumerate(values, start=1):
        if isinstance(value, InputError):
            omissions.entry(value)
        else:
            place = f"row {number} of {name}"
            yield from omissions.documents(_documents(value, place, omissions, limits), place)
    omissions.finish()


def _documents(value: object, place: str, omissions: Omissions, limits: Limits) -> Iterator[Document]:
    """The documents of a value; one that cannot be read hinders none after it."""
    without_text = 0
    for row in rows(value, place):
        if isinstance(row, InputError):
            omissions.entry(row)
        else:
            without_text += is_wrapper(row.values)
            yield from omissions.documents(_document(row, omissions, limits), row.place)
    if without_text:
        omissions.tell(
            f"The USPTO gives {how_many(without_text, 'record')} in {place} without abstract, claims and description. "
            "Download the XML that its portal names beside the record, and import that for the text."
        )


def _document(row: Row, omissions: Omissions, limits: Limits) -> Iterator[Document]:
    if is_wrapper(row.values):
        yield read_wrapper(row.values)
    elif is_lens_patent(row.values):
        yield read_lens_patent(row.values)
    else:
        yield to_document(row, limits, omissions.value)


def _of_lines(lines: Iterable[str], name: str, limits: Limits) -> Iterator[object]:
    """The value of each line, or the error where it has none."""
    for number, line in enumerate(lines, start=1):
        try:
            yield _value(line, f"row {number} of {name}", limits)
        except InputError as error:
            yield error


def _value(line: str, place: str, limits: Limits) -> object:
    try:
        return load_json(line, place, limits)
    except json.JSONDecodeError as error:
        raise _not_json(error, line, place) from None


def _is_object(line: str, name: str, limits: Limits) -> bool:
    """Whether a line holds a whole object that can be read."""
    try:
        return isinstance(load_json(line, name, limits), dict)
    except (json.JSONDecodeError, InputError):
        return False


def _whole(lines: Iterable[str], name: str, limits: Limits) -> str:
    """The text of JSON that is not one object a line, within the limit of one record."""
    parts: list[str] = []
    size = 0
    for line in lines:
        parts.append(line)
        size += len(line)
        if size > limits.max_record_bytes:
            raise InputTooLargeError(
                f"Expected one JSON object a line in {name}, or at most {limits.max_record_bytes >> 20} MiB "
                "in another layout. Write it as JSON Lines."
            )
    return "".join(parts)


def _elements(text: str, name: str, limits: Limits) -> Iterator[object]:
    """The values of a list, or those that stand one after the other; an error in place of one that cannot be read.

    Where an object cannot be read that holds a list of works, as the answer of a service does, these are its values.
    """
    deep, inside = goes_deeper(text, limits), False
    at = _after_gap(text, 0)
    at = _after_gap(text, at + text.startswith("[", at))
    number = broken = 0
    while at < len(text) and text[at] != "]":
        number += 1
        value, end = _value_at(text, at, f"row {number} of {name}", limits, deep=deep)
        if isinstance(value, InputError):
            inner = _WORKS.search(text, at) if number == 1 and not inside and text[at] == "{" else None
            if inner is not None:
                inside, number, at = True, 0, inner.end()
                continue
            broken += 1
        yield value
        at = _after_gap(text, end)
        if broken > _MOST_BROKEN:
            yield MalformedFileError(
                f"Expected JSON in {name}; more than {_MOST_BROKEN:,} of its entries are broken, and those after row "
                f"{number:,} were not looked at. Write one JSON object a line."
            )
            return


def _value_at(text: str, at: int, place: str, limits: Limits, *, deep: bool) -> tuple[object, int]:
    """The value that begins at a place, or the error where it has none, and where what follows it begins.

    With `deep` it may be nested too deep.
    """
    wrong: InputError
    if deep and text[at] in "[{" and (end := end_of_deep(text, at, limits)):
        return too_deep(place, limits), end
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        wrong, failed = _not_json(error, text, place), error.pos
    except ValueError:
        wrong, failed = number_too_long(place), at
    following = _NEXT.search(text, failed)
    return wrong, len(text) if following is None else following.end()


def _after_gap(text: str, at: int) -> int:
    """The place after white space and commas."""
    gap = _GAP.match(text, at)
    return at if gap is None else gap.end()


def _not_json(error: json.JSONDecodeError, text: str, place: str) -> TruncatedFileError | MalformedFileError:
    """Truncated where the text ends too early, else malformed."""
    if _REST.match(text, error.pos) or error.msg.startswith("Unterminated string"):
        return TruncatedFileError(f"Expected whole JSON in {place}; it stops in the middle. Fetch or write it again.")
    where = f"character {error.colno}" if error.lineno == 1 else f"line {error.lineno}, character {error.colno}"
    return MalformedFileError(f"Expected JSON in {place}: {error.msg} at {where}. Write one JSON object a line.")
