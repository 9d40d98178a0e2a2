"""Writes to a library's database: adds a file's documents and folds duplicates, removes documents and files.

What is added and removed is noted: which file each document came from, so that a file can be removed with the documents
that only it brought, and which texts changed after import, so that their vectors are made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.core import files
from engine.core.errors import LibraryError
from engine.documents import Document, works
from engine.library.annotations import bring_back, count_set_aside, drop_without_grades, set_aside
from engine.library.connections import Connection, last_position, read_removals, upsert
from engine.library.keywords import KeywordWriter, erase_keywords
from engine.library.people import add_people
from engine.library.records import (
    Added,
    category_group,
    keys_at,
    pack,
    packed,
    placeholders,
    position_of,
    read_document,
    sort_title,
    unpack,
)

_ADDED = "SELECT added FROM documents WHERE position = ?"
_IDENTIFY = "INSERT INTO identities VALUES (?, ?) ON CONFLICT DO NOTHING"
_FILE_NUMBER = "(SELECT number FROM files WHERE key = ?)"
_REMOVED = "file:"
"""What the key of a removed file begins with among those that are remembered (`annotations.forget_removed`)."""


class FileWriter:
    """Writes through the connection of an open transaction; nothing is kept unless it commits."""

    def __init__(self, connection: Connection) -> None:
        """Begin a file."""
        self._connection = connection
        self._keywords = KeywordWriter(connection)
        self._position = last_position(connection)
        self._are_set_aside = count_set_aside(connection) > 0
        self._met: Counter[str] = Counter()  # how many of the file's records each document is, by id
        self._added: list[str] = []
        self._folded = self._completed = 0
        self._before: frozenset[int] = frozenset()  # what the file had brought, where it is read again

    def holds(self, key: str) -> bool:
        """Return whether a file is held with all that it brought; one that lost documents is read again from here."""
        if holds_whole(self._connection, key):
            return True
        rows = self._connection.execute(f"SELECT added FROM origins WHERE file = {_FILE_NUMBER}", (key,))
        self._before = frozenset(added for (added,) in rows)
        return False

    def add(self, document: Document) -> None:
        """Add a document, or fold it into the one that it repeats."""
        body, document = packed(document)
        keys = list(works.keys(document))
        position = self._same_work(document, keys)
        if position is not None:
            self._folded += not self._came_before(position)
            position = self._complete(position, document)
            self._note_alias(document.id, position)
            self._met[read_document(self._connection, position).id] += 1
            return
        if self._positions_of(document.id) != [None]:  # another work under an id that is taken
            document = replace(document, id=_apart(document))
            body = pack(document)
        self._added.append(document.id)
        self._met[document.id] += 1
        self._insert(document, body, keys)
        if self._are_set_aside:
            bring_back(self._connection, document, keys)

    def give_numbers_back(self) -> int:
        """Let documents be known by the ids of versions folded into them before both were kept; return how many."""
        lost = numbers_lost(self._connection)
        for id_ in lost:
            self._complete(position_of(self._connection, id_), Document(id_))
        return len(lost)

    def finish(self, key: str, name: str, when: str) -> Added:
        """Record the file as held, whole."""
        self._keywords.finish()
        row = self._connection.execute("SELECT number, folded FROM files WHERE key = ?", (key,)).fetchone()
        returned = tuple(self._added) if row is not None or was_removed(self._connection, key) else ()
        if row is not None:  # with the counts of its first import
            number, query = row[0], "UPDATE files SET documents = ?, folded = ? WHERE key = ?"
            folded = min(row[1], sum(self._met.values()))
            self._connection.execute(query, (sum(self._met.values()) - folded, folded, key))
            self._connection.execute("DELETE FROM origins WHERE file = ?", (number,))
        else:
            number = self._value("SELECT coalesce(max(number), 0) + 1 FROM files")
            row = (key, name, len(self._added), self._folded, when, number)
            columns = "key, name, documents, folded, imported_at, number"
            self._connection.execute(f"INSERT INTO files ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)
        self._connection.execute("DELETE FROM failures WHERE name = ?", (name,))
        self._connection.execute("DELETE FROM remembered_keys WHERE key = ?", (_REMOVED + key,))
        # also of documents that were held already; a file by its number and a document by `added`, which both stay
        origins = [(number, records, id_) for id_, records in self._met.items()]
        query = "INSERT INTO origins SELECT added, ?, ? FROM documents WHERE id = ? ON CONFLICT DO NOTHING"
        self._connection.executemany(query, origins)
        return Added(len(self._added), self._folded, self._completed, returned)

    def _came_before(self, position: int) -> bool:
        return bool(self._before) and self._value(_ADDED, position) in self._before

    def _note_alias(self, id_: str, position: int) -> None:
        """Let another version's id name a document, unless a held document has that id."""
        if self._value("SELECT count(*) FROM documents WHERE id = ?", id_) == 0:
            self._connection.execute("INSERT INTO aliases VALUES (?, ?) ON CONFLICT DO NOTHING", (id_, position))

    def _same_work(self, document: Document, keys: Sequence[str]) -> int | None:
        """Return the position of a document that this one repeats; `keys` are all keys of this one."""
        own = (document.id, _apart(document))
        held = self._positions_of(*own, *works.earlier_ids(document))
        for number, position in enumerate(held):
            known = None if position is None else read_document(self._connection, position)
            if known is None or known.text != document.text:
                continue
            if number < len(own) or works.same_record(known, document):
                return position
        if held[0] is not None and self._came_before(held[0]):
            return held[0]
        under = self._under(keys)
        for beginning, same in works.RULES_OF_IMPORT:
            for position in (found for key in keys if key.startswith(beginning) for found in under.get(key, ())):
                if same(read_document(self._connection, position), document):
                    return position
        return None

    def _complete(self, position: int, other: Document) -> int:
        """Complete a held document from another version, and return its position.

        A changed document gets a new position, which tells the keyword index to read it again. What FTS5 keeps of the
        old one then belongs to no document.
        """
        held = read_document(self._connection, position)
        document = works.completed(held, other)
        if document == held:
            return position
        if document == replace(held, identifiers=document.identifiers):
            self._connection.execute("UPDATE contents SET body = ? WHERE position = ?", (pack(document), position))
            identities = [(key, position) for key in works.known_as(document)]
            self._connection.executemany(_IDENTIFY, identities)
            self._completed += 1
            return position
        added = self._value(_ADDED, position)
        known = keys_at(self._connection, position)
        for table in ("documents", "contents", "categories", "postings", "people"):
            self._connection.execute(f"DELETE FROM {table} WHERE position = ?", (position,))
        self._insert(document, pack(document), list(works.keys(document)), added=added)
        self._connection.executemany(_IDENTIFY, [(key, self._position) for key in known])
        self._connection.executemany(
            "DELETE FROM identities WHERE key = ? AND position = ?", [(key, position) for key in known]
        )
        self._connection.execute("UPDATE aliases SET position = ? WHERE position = ?", (self._position, position))
        self._completed += 1
        if document.text != held.text:
            revision = (document.id, latest_revision(self._connection) + 1)
            self._connection.execute(upsert("revisions", "id", "number"), revision)
        return self._position

    def _insert(self, document: Document, body: bytes, keys: Sequence[str], *, added: int | None = None) -> None:
        self._position += 1
        position, insert = self._position, self._connection.insert
        self._keywords.add(position, document)  # first, because it looks terms up
        groups = dict.fromkeys(category_group(category) for category in document.categories)
        row = (
            position,
            document.id,
            document.kind,
            document.title,
            document.year,
            next(iter(groups), ""),
            document.venue,
            position if added is None else added,
            sort_title(document.title),
        )
        insert("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [row])
        insert("INSERT INTO contents VALUES (?, ?)", [(position, body)])
        own = [(category, position, 0) for category in document.categories if category not in groups]
        categories = [(group, position, 1) for group in groups] + own
        insert("INSERT INTO categories VALUES (?, ?, ?) ON CONFLICT DO NOTHING", categories)
        insert(_IDENTIFY, [(key, position) for key in keys])
        add_people(self._connection, position, document)

    def _positions_of(self, *ids: str) -> list[int | None]:
        """Return where each id stands, or what it is folded into; None where it is free."""
        listed = placeholders(len(ids))
        query = f"SELECT id, position, 0 FROM aliases WHERE id IN ({listed})"
        query += f" UNION SELECT id, position, 1 FROM documents WHERE id IN ({listed}) ORDER BY 3"
        found = {id_: position for id_, position, _ in self._connection.execute(query, (*ids, *ids))}
        return [found.get(id_) for id_ in ids]

    def _under(self, keys: Sequence[str]) -> dict[str, list[int]]:
        """Return the positions of the works that are known by keys."""
        query = f"SELECT key, position FROM identities WHERE key IN ({placeholders(len(keys))}) ORDER BY position"
        found: dict[str, list[int]] = {}
        for key, position in self._connection.execute(query, keys):
            found.setdefault(key, []).append(position)
        return found

    def _value(self, query: str, *parameters: str | int) -> int:
        return int(self._connection.execute(query, parameters).fetchone()[0])


def _apart(document: Document) -> str:
    """Return the id of a document whose own id another work has."""
    return f"{document.id}#{files.fingerprint(document.text)[:8]}"


_BY_POSITION = ("contents", "categories", "people", "postings", "identities", "aliases", "documents")
_BY_ID = (("collected", "document"), ("judgements", "document"))


def remove_documents(connection: Connection, positions: Sequence[int]) -> None:
    """Remove the documents at some positions, and every file with no document left; what was written waits.

    Their positions are never used again: what was read under one could be taken for another document's.
    """
    documents = [(position, read_document(connection, position)) for position in positions]
    set_aside(connection, documents)
    ids = [document.id for _, document in documents]
    emptied = _forget_origins(connection, ids)
    for position, document in documents:
        erase_keywords(connection, position, document)
        for table in _BY_POSITION:
            connection.execute(f"DELETE FROM {table} WHERE position = ?", (position,))
    for table, column in _BY_ID:
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(id_,) for id_ in ids])
    if revision := latest_revision(connection):  # which stays, because indexes compare theirs with it
        connection.execute(upsert("revisions", "id", "number"), (_NOBODY, revision))
    connection.executemany("DELETE FROM revisions WHERE id = ?", [(id_,) for id_ in ids])
    drop_without_grades(connection)
    for key in emptied:
        forget_file(connection, key)
    number, last = read_removals(connection)
    row = number + len(positions), max(last, *positions)
    connection.execute("UPDATE removals SET documents = ?, last = ?", row)


def holds_whole(connection: Connection, key: str) -> bool:
    """Return whether a file is held, and no document that it brought was removed."""
    brought = "(SELECT coalesce(sum(records), 0) FROM origins WHERE file = number)"
    query = f"SELECT count(*) FROM files WHERE key = ? AND documents + folded <= {brought}"
    return bool(connection.execute(query, (key,)).fetchone()[0])


def was_removed(connection: Connection, key: str) -> bool:
    """Return whether a file was held once and removed, and that was not forgotten since."""
    query = "SELECT count(*) FROM remembered_keys WHERE key = ?"
    return bool(connection.execute(query, (_REMOVED + key,)).fetchone()[0])


def numbers_lost(connection: Connection) -> list[str]:
    """Return the ids of folded versions that are a number by which their document is not known.

    Earlier versions kept such an id, and nothing else of a version that they folded.
    """
    known = (
        "SELECT 1 FROM identities AS one WHERE one.position = aliases.position AND key = 'known:' || lower(aliases.id)"
    )
    query = (
        "SELECT aliases.id, body FROM aliases JOIN documents USING (position) JOIN contents USING (position)"
        " WHERE kind = 'paper' AND (lower(substr(aliases.id, 1, 4)) = 'doi:'"
        " OR substr(aliases.id, 1, 6) IN ('arxiv:', 'arXiv:') OR substr(aliases.id, 1, 5) = 'pmid:'"
        f" OR (aliases.id >= 'PMC0' AND aliases.id < 'PMC:')) AND NOT EXISTS ({known})"
    )
    found = connection.execute(query)
    return [id_ for id_, body in found if not {*works.known_as(Document(id_))} <= {*works.known_as(unpack(body))}]


def documents_brought_by(connection: Connection, key: str) -> list[str]:
    """Return the ids of a file's documents that came with no other file.

    Raises LibraryError for an unknown file, or one whose documents were not recorded.
    """
    row = connection.execute("SELECT name, documents, number FROM files WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise LibraryError(f"Expected a file of the library, got the key {key!r}. Choose one that it lists.")
    query = (
        "SELECT id, (SELECT count(*) FROM origins AS other WHERE other.added = origins.added)"
        " FROM origins JOIN documents USING (added) WHERE file = ? ORDER BY id"
    )
    found = connection.execute(query, (row[2],)).fetchall()
    if row[1] and not found:
        raise LibraryError(
            f"Expected a file whose documents are known; {row[0]} was imported before this was kept. Remove its "
            "documents one by one."
        )
    return [id_ for id_, files in found if files == 1]


def files_that_brought(connection: Connection, id_: str) -> list[str]:
    """Return the keys of the files that a document came with."""
    query = (
        "SELECT key FROM documents JOIN origins USING (added) JOIN files ON number = file WHERE documents.id = ?"
        " ORDER BY key"
    )
    return [key for (key,) in connection.execute(query, (id_,))]


def _forget_origins(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Forget where documents, which are still held, came from; returns the keys of files with no document left."""
    touched: set[str] = set()
    for id_ in ids:
        touched.update(files_that_brought(connection, id_))
        connection.execute("DELETE FROM origins WHERE added = (SELECT added FROM documents WHERE id = ?)", (id_,))
    query = f"SELECT 1 FROM origins WHERE file = {_FILE_NUMBER} LIMIT 1"
    return [key for key in sorted(touched) if connection.execute(query, (key,)).fetchone() is None]


def forget_file(connection: Connection, key: str) -> None:
    """Forget a file and what came with it, but for its key: who imports it again is told that it comes back."""
    connection.execute("INSERT INTO remembered_keys VALUES (?, '') ON CONFLICT DO NOTHING", (_REMOVED + key,))
    connection.execute(f"DELETE FROM origins WHERE file = {_FILE_NUMBER}", (key,))
    connection.execute("DELETE FROM files WHERE key = ?", (key,))


_NOBODY = ""  # no document has this id: its row keeps the last number when the document that had it is taken out


def latest_revision(connection: Connection) -> int:
    """Return the number of the last revision; 0 where no text was ever changed."""
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM revisions").fetchone()[0])


def revised_since(connection: Connection, number: int) -> list[str]:
    """Return the ids of documents whose text has changed after a revision."""
    found = connection.execute(
        "SELECT id FROM revisions WHERE number > ? AND id <> ? ORDER BY number", (number, _NOBODY)
    )
    return [id_ for (id_,) in found]
