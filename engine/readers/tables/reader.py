"""JSONL, CSV and Parquet into documents, streamed: one row is held at a time, a batch for Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from engine import arxiv
from engine.documents import Document
from engine.errors import InputTooLargeError, MalformedFileError, TruncatedFileError
from engine.readers.encoding import not_utf8, text_lines
from engine.readers.limits import LIMITS, Limits
from engine.readers.tables import openalex
from engine.readers.tables.columns import COLUMNS, as_ours
from engine.readers.tables.records import WITH_TEXT, Row, load_json, require_columns, to_document

_DELIMITERS = (",", "\t", ";")
_LINE_END = re.compile(r"[\r\n]")
_BATCH_ROWS = 256
_ADVICE = "Write one document a line."
_JSON_START = re.compile(r"\s*(?:\{\s*(?:\"|\}|\Z)|\[\s*\{)")
_FORMULAS = ("=", "+", "-", "@")


def looks_like_jsonl(text: str) -> bool:
    """Whether a text begins with a JSON object, or with a list of them."""
    return _JSON_START.match(text) is not None


def looks_like_csv(text: str, *, sure: bool) -> bool:
    """Whether the first line of a text is a header with columns of ours; with `sure` the name says that it is."""
    header = _split_header(_LINE_END.split(text.lstrip("\ufeff"), 1)[0])[0]
    known = set(as_ours(header)) & set(COLUMNS)
    return sure or (len(known) >= 2 and bool(known & set(WITH_TEXT)) and len(known) * 2 >= len(header))


def read_jsonl(file: BinaryIO, name: str, limits: Limits = LIMITS) -> Iterator[Document]:
    """Documents of JSON Lines; also of one JSON object or list of objects that is laid out over many lines.

    Records of arXiv and OpenAlex are recognised by content, and a page of OpenAlex's API gives its works.
    """
    lines = text_lines(file, name, limits, advice=_ADVICE)
    first = next((line for line in lines if line.strip()), "")
    place = f"row 1 of {name}"
    if not first.strip() or _complete(first, place, limits) is None:
        yield from _whole_json(first, lines, name, limits)
        return
    yield from _of_json(first, place, limits)
    number = 1
    for line in lines:
        if line.strip():
            number += 1
            yield from _of_json(line, f"row {number} of {name}", limits)


def read_csv(file: BinaryIO, name: str, limits: Limits = LIMITS) -> Iterator[Document]:
    """Documents of a CSV file with a header; comma, semicolon or tab, as the header shows."""
    csv.field_size_limit(max(csv.field_size_limit(), limits.max_record_bytes))
    lines = text_lines(file, name, limits, newline="", advice=_ADVICE)
    header, delimiter = _split_header(next(lines, "").rstrip("\r\n"))
    header = as_ours(header)
    require_columns(tuple(header), name)
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    for number, values in enumerate(_csv_rows(rows, name), start=1):
        place = f"row {number} of {name}"
        if len(values) != len(header):
            raise MalformedFileError(
                f"Expected {len(header)} columns in {place}, as its header has; found {len(values)}. "
                "Put quotation marks around values that contain the delimiter."
            )
        yield to_document(Row(dict(zip(header, map(_as_written, values), strict=True)), place), limits)


def _as_written(cell: str) -> str:
    """A cell without the mark that keeps a spreadsheet from reading a formula in it, which our export puts there."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in _FORMULAS else cell


def read_parquet(file: BinaryIO, name: str, limits: Limits = LIMITS) -> Iterator[Document]:
    """Documents of a Parquet file."""
    import pyarrow
    import pyarrow.parquet

    file.seek(-4, io.SEEK_END)
    if file.read(4) != b"PAR1":
        raise TruncatedFileError(
            f"Expected {name} to end with Parquet's mark PAR1; it stops before. Fetch or write the file again."
        )
    file.seek(0)
    try:
        table = pyarrow.parquet.ParquetFile(file)
        ours = dict(zip(table.schema_arrow.names, as_ours(table.schema_arrow.names), strict=True))
        require_columns(tuple(ours.values()), name)
        _check_row_groups(table, name, limits)
        columns = [column for column, name_of_ours in ours.items() if name_of_ours in COLUMNS]
        number = 0
        for batch in table.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
            for values in _batch_rows(batch, f"rows {number + 1:,} to {number + batch.num_rows:,} of {name}"):
                number += 1
                values = {ours[column]: value for column, value in values.items()}
                yield to_document(Row(values, f"row {number} of {name}"), limits)
    except UnicodeDecodeError as error:
        raise not_utf8(name, error) from None
    except (pyarrow.ArrowException, OSError) as error:
        raise MalformedFileError(
            f"Expected a whole Parquet file in {name}; it is damaged ({str(error)[:100]}). Fetch or write it again."
        ) from None


def _batch_rows(batch: Any, place: str) -> Iterator[dict[str, Any]]:  # noqa: ANN401  pyarrow has no types
    """The rows of a batch; some of Arrow's times and dates lie outside Python's calendar."""
    import pyarrow

    columns = []
    for name, values in zip(batch.schema.names, batch.columns, strict=True):
        try:
            columns.append(values.to_pylist())
        except (UnicodeDecodeError, pyarrow.ArrowException):
            raise
        except (OverflowError, ValueError) as error:
            raise MalformedFileError(
                f"Expected values of the years 1 to 9999 in the column {name!r} of {place}; one cannot be read "
                f"({str(error)[:100]}). Write dates as text and years as whole numbers."
            ) from None
    for row in zip(*columns, strict=True):
        yield dict(zip(batch.schema.names, row, strict=True))


def _check_row_groups(table: Any, name: str, limits: Limits) -> None:  # noqa: ANN401  pyarrow has no types
    for place in range(table.metadata.num_row_groups):
        size = table.metadata.row_group(place).total_byte_size
        if size > limits.max_row_group_bytes:
            raise InputTooLargeError(
                f"Expected row groups of at most {limits.max_row_group_bytes >> 20} MiB in {name}; group {place + 1} "
                f"unpacks to {size >> 20} MiB. Write the file with smaller row groups."
            )


def _split_header(line: str) -> tuple[list[str], str]:
    """The columns of a header and the delimiter that gives the most; one within quotation marks cuts nothing."""
    found = ((next(csv.reader([line], delimiter=delimiter), []), delimiter) for delimiter in _DELIMITERS)
    header, delimiter = max(found, key=lambda one: len(one[0]))
    return [cell.strip().strip('"') for cell in header], delimiter


def _csv_rows(rows: Iterator[list[str]], name: str) -> Iterator[list[str]]:
    number = 0
    try:
        for values in rows:
            if values:
                number += 1
                yield values
    except csv.Error as error:
        if "unexpected end of data" in str(error):
            raise TruncatedFileError(
                f"Expected a closing quotation mark in row {number + 1} of {name}; the file stops before. "
                "Fetch or write it again."
            ) from None
        raise MalformedFileError(
            f"Expected CSV in row {number + 1} of {name}: {error}. Double the quotation marks inside values."
        ) from None


def _complete(line: str, place: str, limits: Limits) -> dict[str, Any] | None:
    """The object on a line; None where the line does not hold a whole object."""
    try:
        value = load_json(line, place, limits)
    except json.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _of_json(line: str, place: str, limits: Limits) -> Iterator[Document]:
    try:
        value = load_json(line, place, limits)
    except json.JSONDecodeError as error:
        raise _not_json(error, line, place) from None
    yield from _of_object(value, place, limits)


def _of_object(value: object, place: str, limits: Limits) -> Iterator[Document]:
    """The document of one object, or those of an answer of OpenAlex's API."""
    if not isinstance(value, dict):
        raise MalformedFileError(
            f"Expected a JSON object in {place}, found {type(value).__name__}. Write one object a line."
        )
    works = openalex.works_of(value)
    if works is None:
        yield to_document(_in_our_columns(Row(value, place)), limits)
        return
    for number, one in enumerate(works, start=1):
        yield from _of_object(one, f"result {number} in {place}", limits)


def _in_our_columns(row: Row) -> Row:
    """A record of arXiv or OpenAlex as a row of ours; any other row as it is."""
    if openalex.is_work(row.values):
        return Row(openalex.columns(row), row.place)
    if not arxiv.is_record(row.values):
        return Row(dict(zip(as_ours(list(row.values)), row.values.values(), strict=True)), row.place)
    try:
        return Row(arxiv.columns(row.values), row.place)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise MalformedFileError(
            f"Expected a whole record of arXiv's in {row.place}; it is not ({type(error).__name__}: {error}). Fetch it "
            "again, or name its columns otherwise."
        ) from None


def _whole_json(first: str, lines: Iterator[str], name: str, limits: Limits) -> Iterator[Document]:
    """Documents of JSON that is not one object a line: read whole, within the limit of one record."""
    parts, size = [first], len(first)
    for line in lines:
        parts.append(line)
        size += len(line)
        if size > limits.max_record_bytes:
            raise InputTooLargeError(
                f"Expected one JSON object a line in {name}, or at most {limits.max_record_bytes >> 20} MiB "
                "in another layout. Write it as JSON Lines."
            )
    text = "".join(parts)
    try:
        value = load_json(text, name, limits)
    except json.JSONDecodeError as error:
        raise _not_json(error, text, f"row 1 of {name}") from None
    for number, one in enumerate(value if isinstance(value, list) else [value], start=1):
        yield from _of_object(one, f"row {number} of {name}", limits)


def _not_json(error: json.JSONDecodeError, text: str, place: str) -> TruncatedFileError | MalformedFileError:
    """Truncated where the text ends too early, else malformed."""
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return TruncatedFileError(f"Expected whole JSON in {place}; it stops in the middle. Fetch or write it again.")
    return MalformedFileError(
        f"Expected JSON in {place}: {error.msg} at character {error.pos + 1}. Write one JSON object a line."
    )
