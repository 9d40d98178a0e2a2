"""Lines for experts: words, phrases and fields joined by AND, OR and NOT, as a condition on a library's documents.

    "heat exchanger" (fin* OR rib) NOT tube title:pump year:2015-2020 cpc:F28F author:"ada smith" seal near/5 ring

FullText stand in a row where all must hold. A word is found as it is written, in large or small letters, with
accents or without, with a hyphen or without; `fin*` also finds fins and finned. AND binds more than OR, NOT more than
AND. Text is found by FTS5, the rest by the library's tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from typing import NamedTuple

from engine.core.errors import LineError
from engine.documents import KINDS
from engine.documents.people import name_words
from engine.documents.text import plain_venue, tokens
from engine.documents.words import UNSPACED, compounds, in_two, phrase
from engine.library.annotations import select_noted, select_tagged
from engine.library.connections import AT_ONCE, MATCHING, Adjacent, Connection, FullText, Parameter, lowered
from engine.library.people import ASSIGNEE, AUTHOR, named
from engine.library.records import placeholders, select_in_category

MOST_LINES, MOST_LINE_CHARACTERS = 10, 1_000
_MOST_PARTS, _MOST_DEPTH = 100, 20
_PIECE = re.compile(
    r'\s*+(?:(?P<near>near/(?P<within>\d++)(?=[\s"]|$))|(?P<sign>[()])|(?P<field>[a-z]++):|(?P<text>"[^"]*+"?+|[^\s()"]++))',
    re.IGNORECASE,
)
_YEARS = re.compile(r"(\d{4})?(?:(-)(\d{4})?)?")
_MOST_APART = 100
_MOST_WAYS = 64
"""Ways to write words that are near each other, each tried."""
_LONGEST = 40
"""Letters of a word that is also looked for in two."""


class Condition(NamedTuple):
    """A condition in SQL over the table `documents`, and its parameters."""

    sql: str
    parameters: list[Parameter]


_UNPRINTED = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
"""What no word holds; a database would end a text there, or refuse it."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sign, an operator, a field's name or a text of a line; `at` is where it begins."""

    kind: str
    value: str
    at: int


def condition(line: str) -> Condition:
    """Return the condition that a line makes. Raises LineError that says what is wrong and where."""
    if len(line) > MOST_LINE_CHARACTERS:
        raise LineError(
            f"Expected a line of at most {MOST_LINE_CHARACTERS:,} characters, got {len(line):,}. Make two lines of it.",
            MOST_LINE_CHARACTERS,
        )
    reader = _Reader(_pieces(_UNPRINTED.sub(" ", line)), len(line))
    found = reader.alternatives()
    if (extra := reader.peek()) is not None:
        raise _wrong("Expected the end of the line", extra, "Take it out, or open a bracket before it.")
    return found


def whole_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Return those of some lines that can be read, each once, up to ten."""
    return tuple(dict.fromkeys(line for line in lines if fault_of(line) is None))[:MOST_LINES]


def fault_of(line: str) -> LineError | None:
    """Return what is wrong with a line; None for one that can be read."""
    try:
        condition(line)
    except LineError as error:
        return error
    return None


def _pieces(line: str) -> list[_Piece]:
    found: list[_Piece] = []
    at = 0
    while line[at:].strip():
        match = _PIECE.match(line, at)
        assert match is not None, "every character but white space begins a piece"
        kind = str(match.lastgroup if match.lastgroup != "within" else "near")
        value, begins = match[kind], match.start(kind)
        if kind == "text" and value.upper() in ("AND", "OR", "NOT"):
            kind, value = value.upper(), value.upper()
        if kind == "text" and value.startswith('"') and (len(value) == 1 or not value.endswith('"')):
            told = f'Expected a second " for the one at character {begins + 1}; the line ends before. Close the phrase.'
            raise LineError(told, begins)
        found.append(_Piece(kind, match["within"] if kind == "near" else value, begins))
        at = match.end()
    if len(found) > _MOST_PARTS:
        raise LineError(
            f"Expected a line of at most {_MOST_PARTS} words and signs, got {len(found)}. Make two lines of it.",
            found[_MOST_PARTS].at,
        )
    return found


class _Reader:
    """Reads the pieces of one line from left to right."""

    def __init__(self, pieces: list[_Piece], length: int) -> None:
        self._pieces, self._end = pieces, _Piece("end", "the end of the line", length)
        self._next = self._depth = 0

    def peek(self) -> _Piece | None:
        """Return the piece that comes next, if there is one."""
        return self._pieces[self._next] if self._next < len(self._pieces) else None

    def take(self) -> _Piece:
        piece = self.peek() or self._end
        self._next += 1
        return piece

    def alternatives(self) -> Condition:
        """Read conditions joined by OR."""
        return self._joined("OR", self._all)

    def _all(self) -> Condition:
        """Read conditions joined by AND, or that stand in a row."""
        return self._joined("AND", self._not, in_a_row=True)

    def _joined(self, word: str, read: Callable[[], Condition], *, in_a_row: bool = False) -> Condition:
        found = [read()]
        while (piece := self.peek()) is not None:
            if piece.kind == word:
                self.take()
            elif not in_a_row or piece.kind in ("OR", "near") or piece.value == ")":
                break
            found.append(read())
        if len(found) == 1:
            return found[0]
        sql = f" {word} ".join(f"({one.sql})" for one in found)
        return Condition(sql, [value for one in found for value in one.parameters])

    def _not(self) -> Condition:
        piece = self.peek()
        if piece is None or piece.kind != "NOT":
            return self._one()
        self.take()
        found = self._one()
        return found._replace(sql=f"NOT ({found.sql})")

    def _one(self) -> Condition:
        """Read a bracket, a field, or a text with what must stand near it."""
        piece = self.take()
        if piece.value == "(" and piece.kind == "sign":
            return self._bracket(piece)
        if piece.kind == "field":
            return self._field(piece)
        if piece.kind != "text":
            raise _wrong("Expected a word, a phrase, a field or a bracket", piece, "Write what the document must hold.")
        return self._text(piece)

    def _bracket(self, opened: _Piece) -> Condition:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise _wrong(f"Expected at most {_MOST_DEPTH} brackets within each other", opened, "Make two lines of it.")
        found = self.alternatives()
        closed = self.take()
        if closed.value != ")":
            told = f"Close the bracket that opens at character {opened.at + 1}."
            raise _wrong("Expected a closing bracket", closed, told)
        self._depth -= 1
        return found

    def _field(self, field: _Piece) -> Condition:
        name = field.value.lower()
        if name != "title" and name not in _FIELDS:
            told = f"Put the words in quotes, or use one of {', '.join(('title', *_FIELDS))}."
            raise _wrong("Expected the name of a field", field, told)
        value = self.take()
        if value.kind != "text":
            raise _wrong(f"Expected a word or a phrase after {name}:", value, f"Write {name}:word.")
        return self._text(value, in_title=True) if name == "title" else _FIELDS[name](_bare(value))

    def _text(self, first: _Piece, *, in_title: bool = False) -> Condition:
        """Read a word or a phrase, alone or near others."""
        parts, within = [_phrases(first)], 0
        while (piece := self.peek()) is not None and piece.kind == "near":
            self.take()
            within = max(within, _apart(piece))
            other = self.take()
            if other.kind != "text":
                raise _wrong(f"Expected a word or a phrase after near/{piece.value}", other, "Write it there.")
            parts.append(_phrases(other))
        words = FullText(tuple(islice(product(*parts), _MOST_WAYS)), within, in_title=in_title)
        return Condition(f"position IN ({MATCHING})", [words])


def _bare(piece: _Piece) -> _Piece:
    """Return a text without its quotes."""
    return replace(piece, value=piece.value.strip('"').strip())


def _phrases(piece: _Piece) -> list[Adjacent]:
    """Return a word or a phrase for full text, which holds the library's own terms, in each way that it may be written.

    A word with a prefix may be two. Documents that are not indexed again yet are found by tokens as written.
    """
    text = _bare(piece).value
    words, is_beginning = phrase(text)
    if not words:
        raise _wrong("Expected a word with a letter", piece, "Numbers and signs alone are not kept of a text.")
    ways = [words, tokens(text), phrase(_in_one(text))[0]]
    if len(words) == 1 and (apart := in_two(words[0])) is not None:
        ways.append([*apart])
    is_open = text.endswith("*") or is_beginning
    return list(dict.fromkeys(Adjacent(tuple(way), is_open) for way in ways if way))


def _in_one(text: str) -> str:
    """Return a text with each of its compounds in one word."""
    at, pieces = 0, list[str]()
    for one in sorted(compounds(text), key=lambda one: one.start):
        pieces += (text[at : one.start], one.solid) if one.start >= at else ()
        at = max(at, one.stop)
    return "".join((*pieces, text[at:]))


def with_compounds(connection: Connection, words: FullText) -> FullText:
    """Return what is asked for with each word also in two, where a document has it so: e-mail for "email"."""
    asked = {word for way in words.ways for one in way for word in one.words if word.isalpha()}
    parted = {(word[:at], word[at:]) for word in asked if 4 <= len(word) <= _LONGEST for at in range(1, len(word) - 1)}
    held = dict[str, list[tuple[str, ...]]]()
    names = sorted(map("-".join, parted))
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        query = f"SELECT term FROM terms WHERE term IN ({placeholders(len(some))}) ORDER BY term"
        for (term,) in connection.execute(query, some):
            held.setdefault(term.replace("-", ""), []).append(tuple(term.split("-")))
    if not held:
        return words
    ways = islice(
        chain.from_iterable(product(*(_writings(one, held) for one in way)) for way in words.ways), _MOST_WAYS
    )
    return replace(words, ways=tuple(dict.fromkeys((*words.ways, *ways))))


def _writings(phrase: Adjacent, held: Mapping[str, list[tuple[str, ...]]]) -> list[Adjacent]:
    each = product(*([(word,), *held.get(word, ())] for word in phrase.words))
    return [Adjacent(tuple(chain.from_iterable(one)), phrase.open) for one in islice(each, _MOST_WAYS)]


def _apart(piece: _Piece) -> int:
    """Return how many words may stand between two that are near."""
    number = int(piece.value[:6])
    if not 1 <= number <= _MOST_APART:
        raise _wrong(
            f"Expected near/1 to near/{_MOST_APART}", replace(piece, value=f"near/{piece.value}"), "Change it."
        )
    return number


def _year(value: _Piece) -> Condition:
    match = _YEARS.fullmatch(value.value)
    if match is None or not (match[1] or match[3]):
        raise _wrong("Expected a year or years", value, "Write year:2015, year:2015-2020, year:2015- or year:-2015.")
    first = int(match[1] or 0)
    last = int(match[3] or 9999) if match[2] else first
    return Condition("coalesce(year BETWEEN ? AND ?, FALSE)", [first, last])  # without a year: not of these years


def _category(value: _Piece) -> Condition:
    query, parameters = select_in_category([value.value])
    return Condition(f"position IN ({query})", [*parameters])


def _venue(value: _Piece) -> Condition:
    escaped = re.sub(r"([\\%_])", r"\\\1", plain_venue(value.value))
    return Condition(r"lower(venue) LIKE ? ESCAPE '\'", [f"%{lowered(escaped)}%"])


def _kind(value: _Piece) -> Condition:
    kind = value.value.lower().removesuffix("s")
    if kind not in KINDS:
        raise _wrong(f"Expected one of {', '.join(KINDS)}", value, "Write kind:paper or kind:patent.")
    return Condition("kind = ?", [kind])


def _person(role: str) -> Callable[[_Piece], Condition]:
    def read(value: _Piece) -> Condition:
        words = name_words(value.value)
        if not words:
            raise _wrong("Expected a name", value, 'Write author:smith or author:"ada smith".')
        query, parameters = named(role, words, open_end=_has_open_end(value))
        return Condition(f"position IN ({query})", parameters)

    return read


def _tag(value: _Piece) -> Condition:
    return _with_ids(*select_tagged(value.value))


def _note(value: _Piece) -> Condition:
    words = name_words(value.value)
    if not words:
        raise _wrong("Expected a word of a note", value, 'Write note:pump or note:"heat pump".')
    open_start = UNSPACED.match(value.value) is not None
    return _with_ids(*select_noted(words, open_start=open_start, open_end=_has_open_end(value)))


def _has_open_end(value: _Piece) -> bool:
    """Return whether the last word may be a beginning: in a script without spaces a surname is one."""
    return value.value.endswith("*") or UNSPACED.fullmatch(value.value.split()[-1]) is not None


def _read(value: _Piece) -> Condition:
    found = _with_ids("SELECT document FROM read_marks", [])
    if value.value.lower() not in ("yes", "no"):
        raise _wrong("Expected yes or no", value, "Write read:yes or read:no.")
    return found if value.value.lower() == "yes" else found._replace(sql=f"NOT ({found.sql})")


def _screen(value: _Piece) -> Condition:
    """Return the decision of a review, which is named before a stroke: screen:"Pumps/included".

    "all" passes what the review screens, and "undecided" what of it has no decision.
    """
    name, _, said = value.value.rpartition("/")
    said, (review, given) = said.lower(), review_number(name)
    if said in ("all", "undecided"):
        unlimited = f"coalesce((SELECT limited FROM reviews WHERE number = {review}), 0) = 0"
        named = f"SELECT position FROM documents WHERE id IN (SELECT document FROM to_screen WHERE review = {review})"
        if said == "all":  # quick where few are named: a review without limits has no need to ask
            every = f"{named} UNION ALL SELECT position FROM documents WHERE {unlimited}"
            return Condition(f"position IN ({every})", [*given, *given])
        decided = f"SELECT 1 FROM screened WHERE review = {review} AND document = documents.id"
        return Condition(f"NOT EXISTS ({decided}) AND ({unlimited} OR position IN ({named}))", [*given, *given, *given])
    if said not in ("included", "excluded"):
        raise _wrong("Expected included, excluded, undecided or all", value, "Write screen:undecided.")
    return _with_ids(f"SELECT document FROM screened WHERE review = {review} AND decision = ?", [*given, said])


def _with_ids(query: str, parameters: list[Parameter]) -> Condition:
    """Return the condition that a document's id is among those of a query."""
    return Condition(f"position IN (SELECT position FROM documents WHERE id IN ({query}))", parameters)


_FIELDS: Mapping[str, Callable[[_Piece], Condition]] = {
    "author": _person(AUTHOR),
    "inventor": _person(AUTHOR),
    "assignee": _person(ASSIGNEE),
    "year": _year,
    "cpc": _category,
    "category": _category,
    "venue": _venue,
    "kind": _kind,
    "tag": _tag,
    "note": _note,
    "read": _read,
    "screen": _screen,
}


def _wrong(expected: str, found: _Piece, do: str) -> LineError:
    value = found.value if found.kind == "end" else f"“{found.value}”"
    return LineError(f"{expected} at character {found.at + 1}, got {value}. {do}", found.at)


def review_number(name: str) -> tuple[str, list[Parameter]]:
    """Return a scalar in SQL for the number of a review, of the first without a name, and its parameters."""
    if not name:
        return "(SELECT min(number) FROM reviews)", []
    return "(SELECT number FROM reviews WHERE lower(name) = ?)", [lowered(name_on_one_line(name))]


def name_on_one_line(name: str) -> str:
    """Return a review's name as it is kept and compared."""
    return " ".join(name.split())
