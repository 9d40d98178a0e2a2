"""CSV and its kin into documents, streamed: any of four delimiters, a header in one of the first rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from engine.core.errors import InputError, MalformedFileError, TruncatedFileError
from engine.documents import Document
from engine.documents.people import split_glued
from engine.reading.base import Omissions
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits
from engine.reading.tables.columns import COLUMNS, as_ours, is_of_patents, plain_name
from engine.reading.tables.labelled import has_fields_by_row
from engine.reading.tables.records import WITH_TEXT, TableRow, require_columns, to_document

_DELIMITERS = (",", "\t", ";", "|")
_SEPARATOR = re.compile(r"\ufeff?\"?sep=(.)\"?[;,\s]*", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n?|\n")
_HEAD_LINES, _HEAD_ROWS, _HEAD_CHARACTERS = 60, 30, 1 << 16
_FORMULAS = ("=", "+", "-", "@")
_MOST_LINES_AGAIN = 100_000
_SPRINGER = frozenset({"item title", "item doi"})
_PUBMED = frozenset({"pmid", "citation"})


class _Header(NamedTuple):
    """Where a table's header ends and how its cells are parted; `names` are ours where they are known."""

    cells: list[str]
    names: list[str]
    delimiter: str
    lines: int

    @property
    def plain(self) -> frozenset[str]:
        return frozenset(map(plain_name, self.cells))

    @property
    def known(self) -> int:
        return len(set(self.names) & set(COLUMNS))


def looks_like_csv(text: str, *, sure: bool) -> bool:
    """Return whether one of the first lines is a header with columns of ours; with `sure` the name says that it is."""
    if has_fields_by_row(text):
        return False
    if sure:
        return True
    header = _header([line + "\n" for line in _LINE_END.split(text.lstrip("\ufeff")[:_HEAD_CHARACTERS], _HEAD_LINES)])
    if header.delimiter == "|" and not header.cells[0]:
        return False  # a table of Markdown
    telling = header.known * 2 >= len(header.cells) or header.delimiter == "\t" or header.known >= 5
    return header.known >= 2 and bool(set(header.names) & set(WITH_TEXT)) and telling and header.lines <= 3


def read_csv(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Yield the documents of a CSV file with a header, which shows the delimiter: comma, semicolon, tab or stroke.

    A row that cannot be read is left out, and `warn` is told.
    """
    csv.field_size_limit(max(csv.field_size_limit(), limits.max_record_bytes))
    omissions = Omissions(warn, limits)
    lines = text_lines(file, name, limits, warn=warn, newline="", omit=omissions.entry)
    begun = list(islice(lines, _HEAD_LINES))
    header = _header(begun)
    require_columns(header.names, name)
    rows = _Rows(chain(begun[header.lines :], lines), header, name, omissions, at=header.lines)
    for line, cells in rows:
        place = f"line {line} of {name}"
        yield from omissions.documents(_document(cells, header, place, omissions, limits), place)
    omissions.finish()


def _document(
    cells: list[str], header: _Header, place: str, omissions: Omissions, limits: Limits
) -> Iterator[Document]:
    names = header.names
    if len(cells) > len(names) and not any(cell.strip() for cell in cells[len(names) :]):
        cells = cells[: len(names)]
    if len(cells) > len(names):
        raise MalformedFileError(
            f"Expected {len(names)} columns in {place}, as its header has; found {len(cells)}. "
            "Put quotation marks around values that contain the delimiter."
        )
    values: dict[str, object] = dict(zip(names, map(_as_written, cells), strict=False))
    if len(cells) < len(names) and not any(str(values.get(column, "")).strip() for column in WITH_TEXT):
        raise MalformedFileError(
            f"Expected {len(names)} columns in {place}, as its header has; found {len(cells)} without title and text. "
            "Fill the row, or take it out."
        )
    if authors := str(values.get("authors", "")):
        values["authors"] = _authors(authors, header)
    row = TableRow(dict.fromkeys(names, "") | values, place, is_of_patents(header.cells))
    yield to_document(row, limits, omissions.value)


def _authors(text: str, header: _Header) -> object:
    """Return the authors; SpringerLink parts them by no mark, and PubMed ends them with a dot."""
    if _SPRINGER <= header.plain:
        return split_glued(text)
    return text.removesuffix(".") if _PUBMED <= header.plain else text


def _as_written(cell: str) -> str:
    """Return a cell without the mark that our export puts before a formula, to keep a spreadsheet from running it."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in _FORMULAS else cell


def _header(lines: list[str]) -> _Header:
    """Return the row among the first ones that has the most columns of ours; the first where none has any with text.

    One line may name the delimiter, as Excel's "sep=;" does, and others may tell of the search.
    """
    told = _SEPARATOR.fullmatch(lines[0].rstrip("\r\n")) if lines else None
    skipped = 1 if told is not None else 0
    delimiters = (told[1],) if told is not None else _DELIMITERS
    found = [_Header([], [], ",", 0)]
    for delimiter in delimiters:
        found += _candidates(lines[skipped:], delimiter, skipped)
    with_text = [one for one in found if set(WITH_TEXT) & set(one.names)]
    if with_text:
        return max(with_text, key=lambda one: (one.known, -one.lines, len(one.cells)))
    return max(found, key=lambda one: (-one.lines if one.lines else -_HEAD_LINES, len(one.cells)))


def _candidates(lines: list[str], delimiter: str, skipped: int) -> Iterator[_Header]:
    """Yield the first rows as headers; what breaks off in the middle ends them."""
    rows = csv.reader(io.StringIO("".join(lines)[:_HEAD_CHARACTERS], newline=""), delimiter=delimiter)
    try:
        for cells in islice(rows, _HEAD_ROWS):
            named = [cell.strip().strip("\ufeff").strip('"').strip() for cell in cells]
            if any(named):
                yield _Header(named, as_ours(named), delimiter, skipped + rows.line_num)
    except csv.Error:
        return


class _Rows:
    """The rows of a table below its header, each with its line; one that cannot be read is left out.

    A quotation mark that does not close swallows the lines after it. They are read once more without the first.
    """

    def __init__(self, lines: Iterable[str], header: _Header, name: str, omissions: Omissions, at: int) -> None:
        self._lines = iter(lines)
        self._delimiter, self._name, self._omissions = header.delimiter, name, omissions
        self._at, self._again = at, 0
        self._taken: list[str] = []
        self._given_back: list[str] = []

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        rows = self._reader()
        while True:
            begun = self._at + 1
            self._taken = []
            try:
                cells = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                self._omissions.entry(self._error(error, begun))
                rows = self._resumed(begun)
                continue
            if any(cell.strip() for cell in cells):
                yield begun, cells

    def _reader(self) -> Iterator[list[str]]:
        return csv.reader(self._counted(), delimiter=self._delimiter, strict=True)

    def _counted(self) -> Iterator[str]:
        while line := self._given_back.pop() if self._given_back else next(self._lines, ""):
            self._at += 1
            self._taken.append(line)
            yield line

    def _resumed(self, begun: int) -> Iterator[list[str]]:
        """Return a reader from the line after the one where the broken row began."""
        again = self._taken[1:]
        self._again += len(again)
        if self._again <= _MOST_LINES_AGAIN:
            self._given_back += reversed(again)
            self._at = begun
        return self._reader()

    def _error(self, error: csv.Error, line: int) -> InputError:
        if "unexpected end of data" in str(error):
            return TruncatedFileError(
                f"Expected a closing quotation mark in line {line} of {self._name} or below; the file stops before. "
                "Close it, or fetch the file again."
            )
        return MalformedFileError(
            f"Expected CSV in line {line} of {self._name}: {error}. Double the quotation marks inside values."
        )
