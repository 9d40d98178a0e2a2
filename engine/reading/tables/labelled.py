"""Records whose fields have names, into documents: Ovid, ProQuest, EBSCO, Cochrane, CAB, CNKI, NoteExpress and more.

A field's name stands before a hyphen or a colon, in braces, or alone above its indented value; the names are as in
tables' columns. Records are parted by lines that number them, else by the name that comes again. A file is such a list
if a title stands in it twice, with other fields that we know, or if a line that numbers a record opens it. What
looks like records, without a title that we know, does not pass for a text: `unread_records` names it.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from engine.documents import Document
from engine.documents.people import DEGREE, split_names, unmarked
from engine.reading.base import Omissions
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits, record_too_large
from engine.reading.signatures import Foreign, find_list
from engine.reading.tables.columns import as_ours, plain_name
from engine.reading.tables.records import PRINTED, TableRow, to_document

_HEAD_LINES, _PREAMBLE_LINES, _HEAD_CHARACTERS = 1_000, 12, 1 << 16
_NUMBERED = re.compile(
    r"<\s?\d{1,7}\s?\.?\s?>|<?(?:(?:Search )?Results?|Record|Document|Citation|Reference|Item|Entry|Hit|Treffer)"
    r"(?: # ?|: ?| (?:No\.? ?)?)\d{1,7}(?: (?:of|/|von) \d{1,7})?(?:[.:]|(?: - [^\n]{1,80}|>))?|"
    r"\d{1,4}/\d{1,2}/\d{1,7}",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[_=*-]{10,}|ER {1,2}-|\d{1,7}\.|\[\d{1,7}\]|(?:START|BEGIN|END)[_ ](?:OF[_ ])?RECORD", re.IGNORECASE
)
_STYLES = (
    re.compile(r"[{【]([^{}【】]{1,40})(?:\}:|】)[ \t]*+(.*)"),
    re.compile(
        r"([A-Za-z][A-Za-z0-9]{1,3}(?= {1,2}-)|[A-Z][A-Z0-9]{1,3}(?=-)|[A-Z][A-Z0-9](?= {2,6}[^\s-]))"
        r"(?: {0,2}-(?:[ \t]++|$)| ++)(.*)"
    ),
    re.compile(r"(?:FIELD )?+([^\W\d_][^\n:：]{0,40}+)[:：](?!//)[ \t]*+(.*)"),
    re.compile(r"([A-Z][^\n:.]{0,40}+)()$"),
    re.compile(r'"([^"\n]{1,60})",(".*")$'),
    re.compile(r"([A-Z][A-Z ,/()-]{1,40}+)()$"),
)
"""How a name stands before its value: "{Title}: a", "TI  - a", "Title: a", alone on its line above an indented value,
as Embase's rows, or in capitals on its line."""
_COLON, _ALONE, _ROW, _CAPITALS = 2, 3, 4, 5
_OF_ABSTRACTS = frozenset(
    "background objective objectives aim aims purpose introduction context importance design setting participants "
    "patients methods method materials interventions measurements findings results result discussion conclusion "
    "conclusions interpretation significance limitations relevance".split()
)
"""What stands before a colon within an abstract."""
_OTHERS = ("authors", "abstract", "year", "venue", "keywords", "doi")
_COLUMNS = frozenset(
    {"title", "url", "pmid", "document type", "patent number", "text", *_OTHERS, *(names[0] for names in PRINTED)}
)
_BEHIND_NAME = re.compile(rf"(?:(?<!\s)\s++(?:\[[^\[\]]{{1,60}}\]|\([\d, ]{{1,20}}\))|,? {DEGREE})$")
_BEHIND_TITLE = re.compile(r"(?<=\.)\s{2,}\[[^\[\]]{3,40}\]$")
"""The kind of work, as Ovid names it."""
_NEXT_NAME = re.compile(r"(?<=[A-Z]\.)\s++(?=[^\W\d_]{1,40} (?:[A-Z]\.){1,4})")

_Field = tuple[str, list[str]]


class _Style(NamedTuple):
    """How fields stand in a file, whether lines number its records, and their names, where other words may be text."""

    number: int
    numbered: bool
    names: frozenset[str] | None = None

    def field(self, line: str) -> _Field | None:
        """Return the name and the lines of the field that begins in a line, if one does."""
        style = _STYLES[self.number]
        match = style.match(line)
        name = "" if match is None else match[1].strip()
        if match is None or (self.number in (_COLON, _CAPITALS) and not self._is_name(name)):
            return None
        return name, next(csv.reader([match[2]])) if self.number == _ROW else [match[2] or ""]

    def _is_name(self, name: str) -> bool:
        known = self.names is None or name in self.names or (name.isupper() and self.number == _COLON)
        return known and _plain(name) not in _OF_ABSTRACTS


def looks_like_labelled(text: str) -> bool:
    """Return whether a text is a list of records whose fields have names."""
    return _style(_head(text)) is not None


def has_fields_by_row(text: str) -> bool:
    """Return whether a text is CSV with a field a row and a record a block, as Embase writes it on demand."""
    style = _style(_head(text)) if text.lstrip("\ufeff")[:1] == '"' else None
    return style is not None and style.number == _ROW


def unread_records(text: str) -> Foreign | None:
    """Return what list of records a text is that we do not read; None for any other text."""
    lines = _head(text)
    for names in (_named(lines, 0), _named(lines, 1)):
        often = [name for name, count in names.items() if count > 1]
        if len({ours for name in often if (ours := _ours(name))}) > 1 and names.total() * 2 > len(lines):
            what = f"a list of records with the fields {', '.join(often[:5])}"
            return Foreign(what, "Export it as RIS, BibTeX or CSV.")
    return find_list("\n".join(lines))


def read_labelled(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Yield the documents of a list of records; `warn` is told of those that cannot be read or have no text."""
    csv.field_size_limit(max(csv.field_size_limit(), limits.max_record_bytes))
    omissions = Omissions(warn, limits)
    lines = (line.rstrip() for line in text_lines(file, name, limits, warn=warn, omit=omissions.value))
    begun = list(islice(lines, _HEAD_LINES))
    style = _style(begun) or _style(begun[:100]) or _Style(_COLON, numbered=False)
    for at, record in _records(chain(begun, lines), style, limits):
        place = f"the record of line {at} of {name}"
        if record is None:
            omissions.entry(record_too_large(place, limits.max_record_bytes))
            continue
        for document in omissions.documents([to_document(_row(record, place), limits, omissions.value)], place):
            if document.title or document.abstract:
                yield document
            else:
                warn(f"The record of line {at} of {name} has neither a title nor an abstract, and was left out.")
    omissions.finish()


def _head(text: str) -> list[str]:
    return [line.rstrip() for line in text.lstrip("\ufeff")[:_HEAD_CHARACTERS].splitlines()[:_HEAD_LINES]]


def _plain(name: str) -> str:
    """Return the name of a field as columns are named; CNKI gives it in two languages."""
    first, _, second = name.partition("-")
    return plain_name(first if second and (not second.isascii() or first == second) else name)


def _ours(name: str) -> str:
    """Return our column for the name of a field; empty for others."""
    (ours,) = as_ours([_plain(name)])
    return ours if ours in _COLUMNS else ""


def _named(lines: list[str], number: int) -> Counter[str]:
    """Return how often each name stands in some lines, where fields are written in one style."""
    found: Counter[str] = Counter()
    for line, below in zip(lines, [*lines[1:], ""], strict=False):
        match = _STYLES[number].match(line)
        if match is not None and (number != _ALONE or below[:1].isspace()):
            found[match[1].strip()] += 1
    return found


def _style(lines: list[str]) -> _Style | None:
    """Return the style of a list of records that begins with these lines; None where they are something else."""
    filled = [line for line in lines if line and not line[0].isspace()]
    numbered = any(map(_NUMBERED.fullmatch, filled[:_PREAMBLE_LINES]))
    filled = [line for line in filled if not (_NUMBERED.fullmatch(line) or _PARTS.fullmatch(line))]
    for number in range(len(_STYLES)):
        names = _named(lines, number)
        if names.total() * 4 <= len(filled):
            continue
        columns = {name: _ours(name) for name in names if _plain(name) not in _OF_ABSTRACTS}
        titles = max((names[name] for name, ours in columns.items() if ours == "title"), default=0)
        others = {one: sum(names[name] for name, ours in columns.items() if ours == one) for one in _OTHERS}
        kinds = sum(map(bool, others.values()))
        listed = titles > 1 and sum(others.values()) >= titles and (kinds > 1 or others["abstract"] == titles)
        one = titles == 1 and (kinds > 2 if number < _COLON else kinds > 1 and names.total() == len(filled))
        if listed or (numbered and kinds > 1) or one:
            dense = names.total() * 10 > len(filled) * 7 and number != _CAPITALS
            fields = None if dense else frozenset(one for one in columns if columns[one] or names[one] > 1)
            return _Style(number, numbered, fields)
    return None


def _records(lines: Iterable[str], style: _Style, limits: Limits) -> Iterator[tuple[int, list[_Field] | None]]:
    """Yield the fields of each record and the line that it begins at; None in place of one that is too large.

    What stands before the first field, such as ProQuest's title, is a field without a name. Where lines number records,
    what such a line does not open is none.
    """
    record: list[_Field] = []
    names: dict[str, bool] = {}  # of the record's fields, and whether each is its title's
    begun = size = 0
    blank, opened = True, not style.numbered
    for at, line in enumerate(lines, start=1):
        text, field = line.strip(), style.field(line)
        opens = _NUMBERED.fullmatch(text) is not None
        parted = opens or _PARTS.fullmatch(text) is not None
        if record and (parted or (not style.numbered and field and _begins(field[0], names, blank=blank))):
            yield begun, record if size <= limits.max_record_bytes else None
            record, names, size = [], {}, 0
        blank = not text
        opened = (opens or not style.numbered) if parted else opened
        if parted or not opened or (blank and not record):
            continue
        begun = begun if record else at
        size += len(line) + 1
        if size > limits.max_record_bytes:
            record, names = record[:1], dict(list(names.items())[:1])
        elif field or not record:
            record.append(field or ("", [text]))
            if (name := record[-1][0]) and name not in names:
                names[name] = _ours(name) == "title"
        else:
            record[-1][1].append(text)
    if record:
        yield begun, record if size <= limits.max_record_bytes else None


def _begins(name: str, names: Mapping[str, bool], *, blank: bool) -> bool:
    """Return whether a field begins the next record: one that this began with, or has, after a blank line."""
    return name in names and (name == next(iter(names)) or (blank and any(names.values())))


def _row(record: list[_Field], place: str) -> TableRow:
    """Return a record in our columns."""
    names = list(dict.fromkeys(name for name, _ in record if name))
    ours = dict(zip(names, as_ours([_plain(name) for name in names]), strict=True))
    values: dict[str, list[str]] = {"title": [], "authors": [], "abstract": [], "keywords": []}
    for name, lines in record:
        if (column := ours.get(name, "")) in _COLUMNS and (text := "\n".join(lines).strip()):
            spelt = len(lines) > 1 and _ours(lines[0]) == column  # CSA: "TI: Title", and the title below
            values.setdefault(column, []).append("\n".join(lines[1:]).strip() if spelt else text)
    title = next(iter(values["title"]), "" if record[0][0] else record[0][1][0])
    abstract = "\n\n".join(re.sub(r"(?<!\n)\n(?!\n)", " ", text) for text in values["abstract"])
    return TableRow(
        {name: texts[0] for name, texts in values.items() if texts}
        | {"title": _BEHIND_TITLE.sub("", title), "abstract": abstract, "authors": list(_people(values["authors"]))}
        | {"keywords": "\n".join(values["keywords"]).replace("*", "")},
        place,
    )


def _people(authors: list[str]) -> Iterator[str]:
    """Yield names without what services write behind them: a role, degrees, marks of addresses."""
    if len(authors) == 1:
        authors = several if len(several := _NEXT_NAME.split(authors[0])) > 1 else split_names(authors[0])
    for name in authors:
        bare = unmarked(name.rstrip(" +"))
        while (shorter := unmarked(_BEHIND_NAME.sub("", bare))) != bare:
            bare = shorter
        yield re.sub(r"-(?=[A-Z]{1,3}$)", " ", bare)  # SilverPlatter: "Lind-A"
