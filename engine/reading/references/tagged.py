"""Records of tagged lines, streamed: RIS, MEDLINE, EndNote and Web of Science each with a dialect of their own.

rispy 0.10 (MIT) reads RIS and Web of Science: it holds the whole file, drops a last record without `ER` and what stands
outside records in silence, makes an item of a list of each wrapped line, and names no line in an error. nbib 0.3 (MIT),
for MEDLINE, holds the whole file, too, and refuses it at the first line that it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from engine.documents import Document
from engine.documents.text import how_many
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits, record_too_large
from engine.reading.omissions import Omissions
from engine.reading.references.documents import Reference, documents

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one program writes records.

    `tagged` matches a line that begins a value, with its tag and its text as groups. A record begins with a tag of
    `begins`; where `ends` names tags that end one, nothing outside belongs to a record, and `around` are the tags that
    may stand there. Without them a record also begins after a blank line, with the tag that the one before began with.
    `gap` joins the lines of a value, and `notes` are lines of the provider within records. Where `paragraphs` names
    tags, only their values go on after a blank line.
    """

    tagged: re.Pattern[str]
    begins: frozenset[str]
    ends: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    gap: str = "\n"
    notes: re.Pattern[str] = re.compile(r"(?!)")
    paragraphs: frozenset[str] = frozenset()


@dataclass(slots=True)
class Record:
    """One record: the lines of each value by its tag, in the order of the file, and the line where it begins."""

    line: int
    place: str
    gap: str
    fields: dict[str, list[list[str]]] = field(default_factory=dict)
    size: int = 0

    def grow(self, size: int, limits: Limits) -> bool:
        """Count a line; whether the record is too large by now. Of such a one only the tags are kept."""
        self.size += size + 1
        if self.size <= limits.max_record_bytes:
            return False
        self.fields = {tag: [] for tag in self.fields}
        return True

    def within(self, limits: Limits, omissions: Omissions) -> Iterator[Record]:
        """The record, unless it is too large, which is told."""
        if self.size <= limits.max_record_bytes:
            yield self
        else:
            omissions.entry(record_too_large(self.place, limits.max_record_bytes))

    def all(self, *tags: str) -> list[str]:
        """The values of some tags that are not empty, in the order of the tags."""
        values = (self.gap.join(lines).strip() for tag in tags for lines in self.fields.get(tag, ()))
        return [value for value in values if value]

    def first(self, *tags: str) -> str:
        """The first value that is not empty."""
        return next(iter(self.all(*tags)), "")

    def lines(self, *tags: str) -> list[str]:
        """The lines of the values of some tags, where each line is a value of its own."""
        return [line for tag in tags for lines in self.fields.get(tag, ()) for line in lines if line]


def read_records(
    lines: Iterable[str], dialect: Dialect, name: str, limits: Limits, omissions: Omissions
) -> Iterator[Record]:
    """The records of a file; `omissions` are told of tagged lines outside of records, and of records too large."""
    outside = _Outside(name, dialect.around)
    record: Record | None = None
    last: list[str] | None = None
    blank = goes_on = True
    for number, line in enumerate(lines, start=1):
        line = line.lstrip("\ufeff").rstrip()
        match = dialect.tagged.match(line)
        tag = match[1] if match is not None else ""
        if record is not None and tag and (tag in dialect.ends or _begins_next(tag, record, dialect, blank=blank)):
            yield from record.within(limits, omissions)
            record = last = None
        if match is not None and tag not in dialect.ends:
            if record is None and (tag in dialect.begins or not dialect.ends):
                record = Record(number, f"the record of line {number} of {name}", dialect.gap)
            if record is None:
                outside.add(number, line)
            else:
                last, goes_on = [match[2].strip()], not dialect.paragraphs or tag in dialect.paragraphs
                record.fields.setdefault(tag, []).append(last)
        elif last is not None and line and not goes_on and blank:
            outside.add(number, line)
            last = None
        elif last is not None and not tag and not dialect.notes.match(line):
            last.append(line.strip())  # a value that goes on in the next line
        blank = not line.strip()
        if record is not None and record.grow(len(line), limits):
            last = None
    if record is not None:
        yield from record.within(limits, omissions)
    outside.tell(omissions)


def _begins_next(tag: str, record: Record, dialect: Dialect, *, blank: bool) -> bool:
    """Whether a tag begins the record after this one."""
    if dialect.ends or tag in record.fields:
        certain = tag in dialect.begins
        return certain or (not dialect.ends and blank and tag == next(iter(record.fields)))
    return False


class _Outside:
    """The tagged lines that belong to no record."""

    def __init__(self, name: str, expected: frozenset[str]) -> None:
        self._name, self._expected = name, expected
        self._count, self._first = 0, ""

    def add(self, number: int, line: str) -> None:
        if line.split(maxsplit=1)[0] in self._expected:
            return
        self._count += 1
        self._first = self._first or f"line {number}: {line[:_SHOWN]!r}"

    def tell(self, omissions: Omissions) -> None:
        if self._count:
            lines = f"{how_many(self._count, 'line')} of {self._name} outside of its records"
            omissions.tell(f"{lines} were left out, the first of them {self._first}.")


def read_tagged(
    file: BinaryIO,
    name: str,
    limits: Limits,
    warn: Callable[[str], None],
    dialect: Dialect,
    to_reference: Callable[[Record], Reference],
) -> Iterator[Document]:
    """The documents of a file in one dialect; `warn` is told what was left out."""
    omissions = Omissions(warn, limits)
    lines = text_lines(file, name, limits, warn=warn, omit=omissions.value)
    records = read_records(lines, dialect, name, limits, omissions)
    return documents(records, to_reference, omissions, name, limits)
