"""Adds the documents of one file to a library within one transaction, and folds duplicates."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.core import files
from engine.core.errors import UnknownDocumentError
from engine.documents import Document, works
from engine.library import origins, people, remembered, removals, revisions
from engine.library.categories import category_group
from engine.library.held import position_of
from engine.library.keyword_tables import KeywordWriter
from engine.library.records import Added, pack, unpack
from engine.library.sort_keys import sort_title


class FileWriter:
    """Writes through the connection of an open transaction; nothing is kept unless it commits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Begin a file."""
        self._connection = connection
        self._keywords = KeywordWriter(connection)
        self._position = removals.last_position(connection)
        self._met: Counter[str] = Counter()  # how many of the file's records each document is, by id
        self._added = self._folded = self._completed = 0

    def holds(self, key: str) -> bool:
        """Whether a file with this content is held already."""
        return self._value("SELECT count(*) FROM files WHERE key = ?", key) > 0

    def add(self, document: Document) -> None:
        """Add a document, or fold it into the one that it repeats."""
        body = pack(document)
        document = unpack(body)  # as it will be read back: broken characters are replaced
        keys = list(works.keys(document))
        position = self._same_work(document, keys)
        if position is not None:
            self._folded += 1
            position = self._complete(position, document)
            self._note_alias(document.id, position)
            self._met[self._read(position).id] += 1
            return
        if self._position_of(document.id) is not None:  # another work under an id that is taken
            document = replace(document, id=f"{document.id}#{files.fingerprint(document.text)[:8]}")
            body = pack(document)
            if self._position_of(document.id) is not None:
                self._folded += 1
                self._met[document.id] += 1
                return
        self._added += 1
        self._met[document.id] += 1
        self._insert(document, body, keys)
        remembered.bring_back(self._connection, document, keys)

    def finish(self, key: str, name: str, when: str) -> Added:
        """Record the file as held."""
        self._keywords.finish()
        number = origins.next_number(self._connection)
        row = (key, name, self._added, self._folded, when, number)
        self._connection.execute("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?)", row)
        self._connection.execute("DELETE FROM failures WHERE name = ?", (name,))
        origins.note(self._connection, number, self._met)
        return Added(self._added, self._folded, self._completed)

    def _note_alias(self, id_: str, position: int) -> None:
        """Let another version's id name a document, unless a held document has that id."""
        if self._value("SELECT count(*) FROM documents WHERE id = ?", id_) == 0:
            self._connection.execute("INSERT OR IGNORE INTO aliases VALUES (?, ?)", (id_, position))

    def _same_work(self, document: Document, keys: Sequence[str]) -> int | None:
        """The position of a document that this one repeats; `keys` are all keys of this one."""
        held = self._position_of(document.id)
        if held is not None and self._read(held).text == document.text:
            return held
        for beginning, same in works.RULES_OF_IMPORT:
            for position in (found for key in keys if key.startswith(beginning) for found in self._under(key)):
                if same(self._read(position), document):
                    return position
        return None

    def _complete(self, position: int, other: Document) -> int:
        """Complete a held document from another version, and return its position.

        A changed document gets a new position, which tells the keyword index to read it again. What FTS5 keeps of the
        old one then belongs to no document.
        """
        held = self._read(position)
        document = works.completed(held, other)
        if document == held:
            return position
        added = self._value("SELECT added FROM documents WHERE position = ?", position)
        for table in ("documents", "contents", "categories", "postings", "people"):
            self._connection.execute(f"DELETE FROM {table} WHERE position = ?", (position,))
        self._insert(document, pack(document), list(works.keys(document)), added=added)
        for table in ("identities", "aliases"):
            self._connection.execute(
                f"UPDATE OR REPLACE {table} SET position = ? WHERE position = ?", (self._position, position)
            )
        self._completed += 1
        if document.text != held.text:
            revisions.note(self._connection, document.id)
        return self._position

    def _insert(self, document: Document, body: bytes, keys: Sequence[str], *, added: int | None = None) -> None:
        self._position += 1
        position, execute = self._position, self._connection.execute
        groups = dict.fromkeys(category_group(category) for category in document.categories)
        execute(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                position,
                document.id,
                document.kind,
                document.title,
                document.year,
                next(iter(groups), ""),
                document.venue,
                position if added is None else added,
                sort_title(document.title),
            ),
        )
        execute("INSERT INTO contents VALUES (?, ?)", (position, body))
        own = [(category, position, 0) for category in document.categories if category not in groups]
        categories = [(group, position, 1) for group in groups] + own
        self._connection.executemany("INSERT OR IGNORE INTO categories VALUES (?, ?, ?)", categories)
        identities = [(key, position) for key in keys]
        self._connection.executemany("INSERT OR IGNORE INTO identities VALUES (?, ?)", identities)
        people.add(self._connection, position, document)
        self._keywords.add(position, document)

    def _position_of(self, id_: str) -> int | None:
        try:
            return position_of(self._connection, id_)
        except UnknownDocumentError:
            return None

    def _under(self, key: str) -> list[int]:
        query = "SELECT position FROM identities WHERE key = ? ORDER BY position"
        return [position for (position,) in self._connection.execute(query, (key,))]

    def _read(self, position: int) -> Document:
        row = self._connection.execute("SELECT body FROM contents WHERE position = ?", (position,)).fetchone()
        return unpack(row[0])

    def _value(self, query: str, *parameters: str | int) -> int:
        return int(self._connection.execute(query, parameters).fetchone()[0])
