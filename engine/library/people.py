"""Who wrote, invented or owns each document: a library's table of names, which lines ask (`author:`, `assignee:`).

A name is kept as its words, in small letters and without accents, each with its person: "Hernández, Ana" is found by
`author:hernandez` and by `author:"ana hernandez"`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from engine.documents import Document
from engine.library.records import unpack
from engine.text import without_accents

AUTHOR, ASSIGNEE = "author", "assignee"
_WORD = re.compile(r"[^\W_]+")


def name_words(name: str) -> list[str]:
    """The words of a name as they are compared: small letters without accents."""
    return _WORD.findall(without_accents(name.casefold()))


def add(connection: sqlite3.Connection, position: int, document: Document) -> None:
    """Note the people of a document under its position."""
    authors = dict.fromkeys((*document.authors, *document.inventors))
    named = [(AUTHOR, name) for name in authors] + [(ASSIGNEE, name) for name in document.assignees]
    rows = [(word, position, person, role) for person, (role, name) in enumerate(named) for word in name_words(name)]
    connection.executemany("INSERT OR IGNORE INTO people VALUES (?, ?, ?, ?)", rows)


def add_all(connection: sqlite3.Connection) -> None:
    """Note the people of every document of a library that was filled before it kept them."""
    for position, body in connection.execute("SELECT position, body FROM contents"):
        add(connection, position, unpack(body))


def named(role: str, words: Sequence[str], *, open_end: bool = False) -> tuple[str, list[str | int]]:
    """An SQL query for the positions of documents with a person of this role whose name has all the words.

    `words` are such as `name_words` gives, at least one; with `open_end` the last is the beginning of a word.
    """
    *whole, last = words
    clauses = ["name >= ? AND name < ?" if open_end else "name = ?"]
    parameters: list[str | int] = [last, last + chr(0x10FFFF)] if open_end else [last]
    for word in whole:
        clauses.append("(position, person) IN (SELECT position, person FROM people WHERE name = ?)")
        parameters.append(word)
    return f"SELECT position FROM people WHERE {' AND '.join(clauses)} AND role = ?", [*parameters, role]
