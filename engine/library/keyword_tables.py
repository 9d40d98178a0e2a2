"""The keyword index's tables in a library's database: written with a document, read as postings."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from engine.documents import Document, Hit, text
from engine.library.database import Database
from engine.library.postings import MOST_COUNT, Postings, TermCounts
from engine.library.records import Titled


class KeywordWriter:
    """Writes documents' terms within one transaction; each makes its own, so that a rollback leaves no trace."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Write through the connection of an open transaction."""
        self._connection = connection
        self._numbers: dict[str, int] = {}
        self._new: list[tuple[int, str]] = []
        self._held: int = connection.execute("SELECT coalesce(max(number) + 1, 0) FROM terms").fetchone()[0]

    def add(self, position: int, document: Document) -> None:
        """Index one document under its position."""
        tokens, titled = _columns(document)
        counts = Counter(tokens)
        numbers = np.fromiter((self._number(term) for term in counts), np.uint32, len(counts))
        found = np.fromiter((min(count, MOST_COUNT) for count in counts.values()), np.uint16, len(counts))
        self._connection.execute(
            "INSERT INTO postings VALUES (?, ?, ?)", (position, numbers.tobytes(), found.tobytes())
        )
        # Only titles are searched there; bodies stand beside them so that every library has one layout.
        self._connection.execute(
            "INSERT INTO keywords (rowid, title, body) VALUES (?, ?, ?)",
            (position, " ".join(tokens[:titled]), " ".join(tokens[titled:])),
        )

    def finish(self) -> None:
        """Write the terms that are new: all at once, which takes half the time of one by one."""
        self._connection.executemany("INSERT INTO terms VALUES (?, ?)", self._new)
        self._held += len(self._new)
        self._new.clear()

    def _number(self, term: str) -> int:
        number = self._numbers.get(term)
        if number is None:
            number = self._numbers[term] = self._held_number(term)
        return number

    def _held_number(self, term: str) -> int:
        """The number of a term that is new in this transaction."""
        if self._held:
            row = self._connection.execute("SELECT number FROM terms WHERE term = ?", (term,)).fetchone()
            if row is not None:
                return int(row[0])
        number = self._held + len(self._new)
        self._new.append((number, term))
        return number


class KeywordEraser:
    """Takes documents' words out of the full-text table, which keeps no text and must be told what it held."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Write through the connection of an open transaction."""
        self._connection = connection

    def __call__(self, position: int, document: Document) -> None:
        """Erase a document that is still held; if its text now gives other tokens, the old ones stay, unreachable."""
        tokens, titled = _columns(document)
        if Counter(tokens) != self._indexed(position):
            return
        self._connection.execute(
            "INSERT INTO keywords (keywords, rowid, title, body) VALUES ('delete', ?, ?, ?)",
            (position, " ".join(tokens[:titled]), " ".join(tokens[titled:])),
        )

    def _indexed(self, position: int) -> Counter[str]:
        """The words under which a document was indexed, by how often it holds them."""
        row = self._connection.execute(
            "SELECT numbers, counts FROM postings WHERE position = ?", (position,)
        ).fetchone()
        numbers, counts = np.frombuffer(row[0], np.uint32), np.frombuffer(row[1], np.uint16)
        terms = (self._connection.execute("SELECT term FROM terms WHERE number = ?", (int(n),)) for n in numbers)
        return Counter({found.fetchone()[0]: int(count) for found, count in zip(terms, counts, strict=True)})


class StoredKeywords:
    """The keyword tables of a library, as a `KeywordIndex` reads them."""

    def __init__(self, database: Database, version: Callable[[sqlite3.Connection], int]) -> None:
        """Read from a library's database; `version` changes with its documents."""
        self._database, self._version = database, version

    def version(self) -> int:
        """A number that grows whenever a document is added, changed or removed."""
        with self._database.read() as connection:
            return self._version(connection)

    def load(self) -> Postings:
        """Read every document's term counts into memory."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT numbers, counts FROM postings ORDER BY position").fetchall()
            ids = [id_ for (id_,) in connection.execute("SELECT id FROM documents ORDER BY position")]
            numbers = dict(connection.execute("SELECT term, number FROM terms"))
        counts = np.frombuffer(b"".join(found for _, found in rows), np.uint16)
        starts = np.cumsum([0, *(len(found) // counts.itemsize for _, found in rows)])
        terms = np.frombuffer(b"".join(terms for terms, _ in rows), np.uint32)
        return Postings(ids, numbers, TermCounts(starts, terms, counts))

    def titles(self, terms: Sequence[str], k: int) -> list[str]:
        """The ids of documents whose title holds all terms, the last one as the beginning of a word."""
        if not terms:
            return []
        return [hit.id for hit in self._match("title : (" + " AND ".join(map(_quoted, terms)) + "*)", k)]

    def titled(self, groups: Sequence[Sequence[str]], k: int) -> list[Titled]:
        """Up to k documents whose title holds all words of at least one group, unordered: bm25() reads every match."""
        alternatives = " OR ".join(f"({' AND '.join(map(_quoted, group))})" for group in groups if group)
        if not alternatives:
            return []
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT documents.id, kind, documents.title, year FROM keywords"
                " JOIN documents ON documents.position = keywords.rowid WHERE keywords MATCH ? LIMIT ?",
                (f"title : ({alternatives})", k),
            )
            return [Titled(*row) for row in rows]

    def _match(self, expression: str, k: int) -> list[Hit]:
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT documents.id, -bm25(keywords) AS score FROM keywords"
                " JOIN documents ON documents.position = keywords.rowid"
                " WHERE keywords MATCH ? ORDER BY score DESC, documents.position LIMIT ?",
                (expression, k),
            )
            return [Hit(id_, score) for id_, score in rows]


def _columns(document: Document) -> tuple[list[str], int]:
    """A document's tokens, and how many of them are the title's, which has a column of its own: the text begins so."""
    return text.tokens(document.text), len(text.tokens(document.title))


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
