"""BibTeX cut into entries and their fields, streamed, with `@string` names put in.

Braces count as TeX counts them: one after a backslash is a character. BibTeX counts it as a brace, so
an entry that closes only by BibTeX's count is read by that one. `@comment`, `@preamble` and whatever stands
between entries, such as lines that begin with `%`, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from engine.core.errors import InputError, InputTooLargeError, MalformedFileError, TruncatedFileError
from engine.reading.base import Omissions
from engine.reading.limits import LIMITS, Limits, record_too_large

_START = re.compile(r"@\s*+([A-Za-z]++)\s*+([{(])")
_SURE_START = re.compile(r"@\s*+[A-Za-z]++\s*+[{(]\s*+[^\s,{}()\"=]++\s*+,")
_STRAY = re.compile(r"\s*+[A-Za-z]++\s*+=\s*+[{\"]")  # what follows an entry that a brace too many has closed
_COMMENT = re.compile(r"\s*+%")
_MARK = re.compile(r"\\.|[{}()]", re.DOTALL)
_KEY = re.compile(r"\s*+(?:[^,={}\"\n]*+,|[^\s,={}\"]*+\s*+(?:,|\Z))")  # BibTeX allows no blank in a key; people do
_FIELD = re.compile(r"[\s,]*+([^\s=,{}\"#()]++)\s*+=\s*+")
_JOINT = re.compile(r"\s*+#\s*+")
_BARE = re.compile(r"[^\s,{}\"#]++")
_REST = re.compile(r"[\s,]*+")
_IN_VALUE = {True: re.compile(r"\\.|[{}\"]", re.DOTALL), False: re.compile(r"[{}\"]")}
_PASSED_OVER = frozenset({"comment", "preamble"})


@dataclass(frozen=True, slots=True)
class BibtexEntry:
    """One entry: its type and fields in lower case, values without their outer braces, and where it stands."""

    kind: str
    fields: dict[str, str]
    place: str
    key: str = ""


@dataclass(slots=True)
class _Open:
    """An entry whose end has not come; depths by TeX's count and by BibTeX's."""

    kind: str
    line: int
    closing: str
    most: int
    parts: list[str] = field(default_factory=list)
    size: int = 0
    depth: int = 1
    strict: int = 1

    def take(self, line: str, at: int) -> int:
        """Take a line in, from `at`; the place after the entry's end, or -1 where it goes on."""
        for match in _MARK.finditer(line, at):
            mark = match[0]
            if mark in ("\\{", "\\}"):
                self.strict += 1 if mark == "\\{" else -1
            elif mark == "{":
                self.depth, self.strict = self.depth + 1, self.strict + 1
            elif mark == "}" and (self.depth > 1 or self.closing == "}"):
                self.depth, self.strict = self.depth - 1, self.strict - 1
            if self.depth == (0 if self.closing == "}" else 1) and mark == self.closing:
                self._add(line[at : match.start()])
                return match.end()
        self._add(line[at:])
        return -1

    def _add(self, text: str) -> None:
        self.size += len(text)
        if self.size <= self.most:
            self.parts.append(text)
        else:
            self.parts.clear()

    def within(self, name: str, omissions: Omissions) -> Iterator[Self]:
        """Yield the entry, unless it is too large, which is told."""
        if self.size <= self.most:
            yield self
        else:
            omissions.entry(record_too_large(f"the entry of line {self.line} of {name}", self.most))

    @property
    def text(self) -> str:
        return "".join(self.parts)


def read_entries(
    lines: Iterable[str], name: str, omissions: Omissions, limits: Limits = LIMITS
) -> Iterator[BibtexEntry]:
    """Yield the entries of a file; `omissions` are told of those that cannot be read."""
    macros: dict[str, str] = {}
    told = False
    for opened, escapes in _cut(lines, name, omissions, limits):
        place = f"the entry of line {opened.line} of {name}"
        try:
            if opened.kind == "string":
                values = _Values(opened.text, place, macros, escapes, limits)
                named = _fields(values, limits.max_macro_characters)
                if len(macros.keys() | named.keys()) <= limits.max_macros:
                    macros |= named
                elif not told:
                    told = True
                    omissions.value(_too_many_macros(place, limits))
            elif opened.kind not in _PASSED_OVER:
                yield _entry(opened, _Values(opened.text, place, macros, escapes, limits))
        except InputError as error:
            omissions.entry(error)


def _entry(opened: _Open, values: _Values) -> BibtexEntry:
    key = _KEY.match(values.text)
    values.at = 0 if key is None else key.end()
    name = "" if key is None else key[0].strip(" \t\r\n,")
    return BibtexEntry(opened.kind, _fields(values, values.limits.max_record_bytes), values.place, name)


def _cut(lines: Iterable[str], name: str, omissions: Omissions, limits: Limits) -> Iterator[tuple[_Open, bool]]:
    """Yield each entry's text, and whether its braces count as TeX counts them."""
    opened: _Open | None = None
    stray = 0
    for number, line in enumerate(lines, start=1):
        if opened is not None and _SURE_START.match(line):
            yield from _before_next(opened, number, name, omissions)
            opened = None
        at = 0
        commented = _COMMENT.match(line) is not None
        stray = stray or (number if opened is None and _STRAY.match(line) else 0)
        while 0 <= at < len(line):
            if opened is None:
                start = _START.search(line, at)
                if start is None or commented:
                    break
                closing = "}" if start[2] == "{" else ")"
                opened, at = _Open(start[1].lower(), number, closing, limits.max_record_bytes), start.end()
            at = opened.take(line, at)
            if at >= 0:
                yield from ((one, True) for one in opened.within(name, omissions))
                opened = None
    if stray:
        omissions.tell(f"Fields outside of entries of {name} were left out, the first of them in line {stray}.")
    if opened is not None and opened.kind not in _PASSED_OVER:
        yield from _last(opened, name, omissions)


def _before_next(opened: _Open, number: int, name: str, omissions: Omissions) -> Iterator[tuple[_Open, bool]]:
    """Yield an entry that is open where the next one begins, if it closes as BibTeX counts."""
    if opened.strict <= 0 or opened.size > opened.most:
        yield from ((one, False) for one in opened.within(name, omissions))
        return
    omissions.entry(
        MalformedFileError(
            f"Expected the entry of line {opened.line} of {name} to close before the next one in line {number}. "
            "Close its braces, or take the entry out."
        )
    )


def _last(opened: _Open, name: str, omissions: Omissions) -> Iterator[tuple[_Open, bool]]:
    """Yield an entry that is open where the file ends, if it closes as BibTeX counts."""
    if opened.strict <= 0 or opened.size > opened.most:
        yield from ((one, False) for one in opened.within(name, omissions))
        return
    omissions.entry(
        TruncatedFileError(
            f"Expected the entry of line {opened.line} of {name} to close; the file stops before. "
            "Close its braces, or fetch the file again."
        )
    )


@dataclass(slots=True)
class _Values:
    """The fields of one entry, read from left to right."""

    text: str
    place: str
    macros: dict[str, str]
    escapes: bool
    limits: Limits
    at: int = 0

    def name(self) -> str:
        """Return the next field's name; empty at the end."""
        match = _FIELD.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            return match[1].lower()
        rest = _REST.match(self.text, self.at)
        self.at = rest.end() if rest is not None else self.at
        if self.at < len(self.text.rstrip("}) \t\r\n")):
            raise self._unreadable(self.text[self.at : self.at + 40])
        return ""

    def value(self, longest: int) -> str:
        """Return the next value: braced, quoted, a number or a name, or several of these joined by `#`."""
        parts: list[str] = []
        size = 0
        while True:
            parts.append(self._part())
            size += len(parts[-1])
            if size > longest:
                raise InputTooLargeError(
                    f"Expected values of at most {longest:,} characters in {self.place}; one is longer. Shorten it."
                )
            joint = _JOINT.match(self.text, self.at)
            if joint is None:
                return "".join(parts)
            self.at = joint.end()

    def _part(self) -> str:
        opening = self.text[self.at : self.at + 1]
        if opening in ("{", '"') and opening:
            begin, self.at = self.at + 1, self._end(opening)
            return self.text[begin : self.at - 1]
        bare = _BARE.match(self.text, self.at)
        if bare is None:
            return ""
        self.at = bare.end()
        return self.macros.get(bare[0].lower(), bare[0])

    def _end(self, opening: str) -> int:
        """Return the place after the mark that closes the value which opens here."""
        depth = 0
        for match in _IN_VALUE[self.escapes].finditer(self.text, self.at + 1):
            if match[0] == "{":
                depth += 1
            elif match[0] == "}":
                depth -= 1
            if (depth < 0 and opening == "{") or (match[0] == '"' == opening and depth <= 0):
                return match.end()
        raise self._unreadable(self.text[self.at : self.at + 40])

    def _unreadable(self, found: str) -> MalformedFileError:
        return MalformedFileError(
            f"Expected fields like title = {{...}} in {self.place}, found {' '.join(found.split())!r}. "
            "Close its braces and quotation marks, or take the entry out."
        )


def _fields(values: _Values, longest: int) -> dict[str, str]:
    """Return the values by name; of a name that comes twice, the first, as in BibTeX."""
    found: dict[str, str] = {}
    while name := values.name():
        value = values.value(longest)
        found.setdefault(name, value)
    return found


def _too_many_macros(place: str, limits: Limits) -> InputTooLargeError:
    return InputTooLargeError(
        f"Expected at most {limits.max_macros:,} @string names before {place}; names from there on are not known. "
        "Write their values out."
    )
