"""Who wrote, invented or owns each document: a library's table of names, which lines ask (`author:`, `assignee:`).

A name is kept as its words, in small letters and without accents, each with its person: "Hernández, Ana" is found by
`author:hernandez` and by `author:"ana hernandez"`. A text that is only a name (`PersonName`) is compared
by initials, too: "Hernández, A." fits "Ana Hernández", and the other way round.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from engine.documents import Document
from engine.documents.text import without_accents
from engine.library.records import unpack

AUTHOR, ASSIGNEE = "author", "assignee"
_WORD = re.compile(r"[^\W_]+")
_PART = r"[^\W\d_]+(?:\.?[’'-][^\W\d_]+)*\.?"
_PERSON = re.compile(rf"{_PART}(?:(?: ?, ?| |(?<=\.)){_PART}){{0,5}}")
_AND_OTHERS = re.compile(r",? et\.? al\.?\Z", re.IGNORECASE)
_INITIALS = re.compile(r"[^\W\d_]\.?|(?:[^\W\d_]\.-?){2,3}")
_MOST_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person as somebody types them: the words of the surname, and the others, an initial as one letter.

    `is_written` says that it begins with capitals. Any other text may be common words, and fits only the same words.
    """

    surname: tuple[str, ...]
    given: tuple[str, ...]
    is_written: bool

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The name that a text consists of: "Pang, B.", "Christopher Manning", "Manning et al."; None for any other."""
        text = _AND_OTHERS.sub("", " ".join(text.split()))
        if len(text) > _MOST_CHARACTERS or text.count(",") > 1 or _PERSON.fullmatch(text) is None:
            return None
        before, comma, behind = text.partition(",")
        family, others = (before.split(), behind.split()) if comma else _split(before.split())
        given = [word for one in others for word in _letters(one)]
        capitals = all(one[0].isupper() for one in (family[-1], *others[:1]))
        return cls(tuple(name_words(" ".join(family))), tuple(given), capitals)

    def fits(self, name: str) -> bool:
        """Whether a name of a document may be this person's: with the surname, and given names that do not differ.

        An initial stands for a name in its own place: "B. C. Manning" does not fit "Christopher Manning".
        """
        left = name_words(name)
        for one in self.surname:
            if one not in left:
                return False
            left.remove(one)
        for place, one in enumerate(self.given):
            fitting = [one] if one in left and len(one) > 1 else []
            fitting += [other for other in (left if place else left[:1]) if self._abbreviates(one, other)]
            if not fitting:
                return False
            left.remove(fitting[0])
        return True

    def _abbreviates(self, one: str, other: str) -> bool:
        return self.is_written and min(len(one), len(other)) == 1 and one[0] == other[0]


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the surname and the other words of a name without a comma: initials follow a surname, as in "Pang BL"."""
    if len(words) > 1 and words[-1].isupper() and len(words[-1].strip(".")) <= 2 < len(words[0]):
        return words[:-1], list(words[-1].strip("."))
    return words[-1:], words[:-1]


def _letters(word: str) -> list[str]:
    """Return a given name as its words; initials, each as a letter."""
    return name_words(word.replace(".", " ") if _INITIALS.fullmatch(word) else word)


def name_words(name: str) -> list[str]:
    """Return the words of a name as they are compared: small letters without accents."""
    return _WORD.findall(without_accents(name.casefold()))


def add_people(connection: sqlite3.Connection, position: int, document: Document) -> None:
    """Note the people of a document under its position."""
    authors = dict.fromkeys((*document.authors, *document.inventors))
    named = [(AUTHOR, name) for name in authors] + [(ASSIGNEE, name) for name in document.assignees]
    rows = [(word, position, person, role) for person, (role, name) in enumerate(named) for word in name_words(name)]
    connection.executemany("INSERT OR IGNORE INTO people VALUES (?, ?, ?, ?)", rows)


def named(role: str, words: Sequence[str], *, open_end: bool = False) -> tuple[str, list[str | int]]:
    """Return an SQL query for the positions of documents with a person of this role whose name has all the words.

    `words` are such as `name_words` gives, at least one; with `open_end` the last is the beginning of a word.
    """
    *whole, last = words
    clauses = ["name >= ? AND name < ?" if open_end else "name = ?"]
    parameters: list[str | int] = [last, last + chr(0x10FFFF)] if open_end else [last]
    for word in whole:
        clauses.append("(position, person) IN (SELECT position, person FROM people WHERE name = ?)")
        parameters.append(word)
    return f"SELECT position FROM people WHERE {' AND '.join(clauses)} AND role = ?", [*parameters, role]


def works_of(connection: sqlite3.Connection, name: PersonName) -> list[int]:
    """Return the positions of the documents by an author or inventor who may be this person."""
    query, parameters = named(AUTHOR, name.surname)
    if not name.given:
        return [at for (at,) in connection.execute(f"SELECT DISTINCT position FROM ({query}) ORDER BY 1", parameters)]
    letters = {one[0] for one in name.given}  # few of those who share a surname share these
    query += (
        " AND (SELECT count(DISTINCT substr(other.name, 1, 1)) FROM people AS other WHERE"
        " other.position = people.position AND other.person = people.person AND instr(?, substr(other.name, 1, 1)))"
        " = ?"
    )
    parameters += ["".join(sorted(letters)), len(letters)]
    read = f"SELECT position, body FROM contents WHERE position IN ({query}) ORDER BY position"
    documents = ((position, unpack(body)) for position, body in connection.execute(read, parameters))
    return [at for at, one in documents if any(map(name.fits, (*one.authors, *one.inventors)))]
