"""Who wrote, invented or owns each document: a library's table of names, which lines ask (`author:`, `assignee:`).

A name is kept as its words, in small letters and without accents, each with its person: "Hernández, Ana" is found by
`author:hernandez` and by `author:"ana hernandez"`. A text that is only a name (`PersonName`) is compared
by initials, too: "Hernández, A." fits "Ana Hernández", and the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.documents import Document
from engine.documents.people import PersonName, name_words
from engine.library.connections import Connection, Parameter
from engine.library.records import unpack

AUTHOR, ASSIGNEE = "author", "assignee"


def add_people(connection: Connection, position: int, document: Document) -> None:
    """Note the people of a document under its position."""
    authors = dict.fromkeys((*document.authors, *document.inventors))
    named = [(AUTHOR, name) for name in authors] + [(ASSIGNEE, name) for name in document.assignees]
    rows = [(word, position, person, role) for person, (role, name) in enumerate(named) for word in name_words(name)]
    connection.insert("INSERT INTO people VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)


def named(role: str, words: Sequence[str], *, open_end: bool = False) -> tuple[str, list[Parameter]]:
    """Return an SQL query for the positions of documents with a person of this role whose name has all the words.

    `words` are such as `name_words` gives, at least one; with `open_end` the last is the beginning of a word.
    """
    *whole, last = words
    clauses = ["name >= ? AND name < ?" if open_end else "name = ?"]
    parameters: list[Parameter] = [last, last + chr(0x10FFFF)] if open_end else [last]
    for word in whole:
        clauses.append("(position, person) IN (SELECT position, person FROM people WHERE name = ?)")
        parameters.append(word)
    return f"SELECT position FROM people WHERE {' AND '.join(clauses)} AND role = ?", [*parameters, role]


def works_of(connection: Connection, name: PersonName) -> list[int]:
    """Return the positions of the documents by an author or inventor who may be this person."""
    query, parameters = named(AUTHOR, name.surname)
    if not name.given:
        query = f"SELECT DISTINCT position FROM ({query}) AS works ORDER BY 1"
        return [at for (at,) in connection.execute(query, parameters)]
    letters = {one[0] for one in name.given}  # few of those who share a surname share these
    query += (
        " AND (SELECT count(DISTINCT substr(other.name, 1, 1)) FROM people AS other WHERE"
        " other.position = people.position AND other.person = people.person AND instr(?, substr(other.name, 1, 1)) > 0)"
        " = ?"
    )
    parameters += ["".join(sorted(letters)), len(letters)]
    read = f"SELECT position, body FROM contents WHERE position IN ({query}) ORDER BY position"
    documents = ((position, unpack(body)) for position, body in connection.execute(read, parameters))
    return [at for at, one in documents if any(map(name.fits, (*one.authors, *one.inventors)))]
