"""The SQLite file of a library: where it lies by default, its tables, and connections that many threads share.

The tables stand together with what brings those of each earlier version up to date, which makes this module long.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError
from engine.core.files import make_private_file, stamp
from engine.core.progress import Progress, Report, silent
from engine.core.stores import library_at
from engine.documents.text import plain_venue, without_accents, without_surrogates
from engine.library.connections import (
    SCHEMA_VERSION,
    DatabaseState,
    FullText,
    TitleAndBody,
    as_number,
    find_lost,
    refuse_later,
    whole_numbers,
)
from engine.library.people import add_people
from engine.library.records import sort_title, unpack

LIBRARY_VARIABLE = "PRIORSCOPE_LIBRARY"


def default_library() -> Path:
    """Return the folder of the default library: $PRIORSCOPE_LIBRARY, or a folder in the person's home."""
    named = os.environ.get(LIBRARY_VARIABLE)
    return library_at(named).expanduser() if named else Path.home() / ".priorscope" / "library"


_APPLICATION_ID = 0x50726963  # marks our files, so that another program's database is refused
_PAGES_AT_ONCE = 2_000
_ALL = 2**31 - 1
_NULL = re.compile(r"NULL value in (\w+)\.(\w+)")
_READING_KIB, _WRITING_KIB = 2_048, 131_072
"""SQLite's own cache of pages, and that of one who writes. Keys come in no order: of a large import each page would be
written many times over, ten times as many bytes at 40,000 documents, if it had to make room for the next."""
_BUSY_SECONDS = 600.0  # a writer waits for another process that is importing a large file
# Every character but white space (Z*) is part of a token: FTS5 then sees exactly the tokens that we made.
_SCHEMA = """
CREATE TABLE files (
    key TEXT PRIMARY KEY, name TEXT NOT NULL, documents INTEGER NOT NULL, folded INTEGER NOT NULL,
    imported_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL, year INTEGER,
    category TEXT NOT NULL, venue TEXT NOT NULL
);
CREATE TABLE contents (position INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE terms (number INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);
CREATE TABLE postings (position INTEGER PRIMARY KEY, numbers BLOB NOT NULL, counts BLOB NOT NULL);
CREATE VIRTUAL TABLE keywords USING fts5(
    title, body, content='',
    tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE TABLE categories (
    category TEXT NOT NULL, position INTEGER NOT NULL, is_group INTEGER NOT NULL, PRIMARY KEY (category, position)
) WITHOUT ROWID;
CREATE TABLE identities (key TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID;
CREATE TABLE aliases (id TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE failures (name TEXT PRIMARY KEY, reason TEXT NOT NULL, failed_at TEXT NOT NULL) WITHOUT ROWID;
"""
# Libraries of version 1 made each of these when first needed, so some have it and some do not.
_SINCE_VERSION_2 = """
CREATE TABLE IF NOT EXISTS origins (document TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (document, file))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS revisions (id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS removals (documents INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY COLLATE NOCASE, made_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS collected (
    collection TEXT NOT NULL COLLATE NOCASE, document TEXT NOT NULL, added_at TEXT NOT NULL,
    PRIMARY KEY (collection, document)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS judged_queries (key TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS judgements (
    query TEXT NOT NULL, document TEXT NOT NULL, grade INTEGER NOT NULL, judged_at TEXT NOT NULL,
    PRIMARY KEY (query, document)
) WITHOUT ROWID;
INSERT INTO removals SELECT 0, 0 WHERE NOT EXISTS (SELECT * FROM removals);
"""
_SINCE_VERSION_3 = """
CREATE TABLE people (
    name TEXT NOT NULL, position INTEGER NOT NULL, person INTEGER NOT NULL, role TEXT NOT NULL,
    PRIMARY KEY (name, position, person)
) WITHOUT ROWID;
CREATE INDEX people_of ON people (position);
"""
# `added` is the first position that a document had; `sort_title` is NULL without a title; `records` is how many
# records of a file are this document.
_SINCE_VERSION_4 = """
ALTER TABLE documents ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN sort_title TEXT;
ALTER TABLE origins ADD COLUMN records INTEGER NOT NULL DEFAULT 1;
CREATE TABLE notes (document TEXT PRIMARY KEY, note TEXT NOT NULL, words TEXT NOT NULL, changed_at TEXT NOT NULL)
    WITHOUT ROWID;
CREATE TABLE tags (key TEXT NOT NULL, name TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (key, document))
    WITHOUT ROWID;
CREATE INDEX tags_of ON tags (document);
CREATE TABLE read_marks (document TEXT PRIMARY KEY, read_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE screened (
    document TEXT PRIMARY KEY, decision TEXT NOT NULL, reason TEXT NOT NULL, decided_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE remembered (document TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE remembered_keys (key TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (key, document)) WITHOUT ROWID;
CREATE TABLE annotating (changes INTEGER NOT NULL);
INSERT INTO annotating VALUES (0);
"""
_INDEXES_SINCE_VERSION_4 = """
CREATE INDEX documents_by_title ON documents (sort_title);
CREATE INDEX documents_by_year ON documents (year);
CREATE INDEX documents_by_addition ON documents (added);
CREATE INDEX origins_of_file ON origins (file, document, records);
CREATE INDEX screened_by_reason ON screened (decision, reason);
"""
# A document is known to its files by `added`, and a file by its number. Libraries of version 4 had one review.
_SINCE_VERSION_5 = """
ALTER TABLE origins RENAME TO origins_by_name;
CREATE TABLE origins (
    added INTEGER NOT NULL, file INTEGER NOT NULL, records INTEGER NOT NULL, PRIMARY KEY (added, file)
) WITHOUT ROWID;
INSERT OR IGNORE INTO origins SELECT added, number, records FROM origins_by_name
    JOIN documents ON id = document JOIN files ON key = file;
DROP TABLE origins_by_name;
CREATE INDEX origins_of_file ON origins (file, added, records);
CREATE UNIQUE INDEX files_by_number ON files (number);
CREATE TABLE reviews (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, made_at TEXT NOT NULL
);
INSERT INTO reviews VALUES (1, 'Review 1', strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'));
ALTER TABLE screened RENAME TO screened_once;
CREATE TABLE screened (
    review INTEGER NOT NULL, document TEXT NOT NULL, decision TEXT NOT NULL, reason TEXT NOT NULL,
    decided_at TEXT NOT NULL, PRIMARY KEY (review, document)
) WITHOUT ROWID;
INSERT INTO screened SELECT 1, document, decision, reason, decided_at FROM screened_once;
DROP TABLE screened_once;
CREATE INDEX screened_by_reason ON screened (review, decision, reason);
"""
# A review that is `limited` screens the documents of `to_screen`, any other all. Versions 4 to 7 made one unasked.
_SINCE_VERSION_8 = """
CREATE TABLE to_screen (
    review INTEGER NOT NULL, document TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (review, document)
) WITHOUT ROWID;
CREATE INDEX to_screen_of ON to_screen (document);
ALTER TABLE reviews ADD COLUMN limited INTEGER NOT NULL DEFAULT 0;
DELETE FROM reviews WHERE name = 'Review 1' AND NOT EXISTS (SELECT 1 FROM screened WHERE review = number);
"""
# Documents at positions above `done`, up to `last`, are indexed by tokens as written, until `keywords.index_again`.
_SINCE_VERSION_9 = """
CREATE TABLE indexing (done INTEGER NOT NULL, last INTEGER NOT NULL);
INSERT INTO indexing SELECT 0, coalesce(max(position), 0) FROM documents;
"""


def latest_schema() -> list[str]:
    """Return the statements that make the tables and indexes of this version, but for full text."""
    query = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'keywords%' ORDER BY rowid"
    with closing(Database(Path(":memory:"))) as database, database.read() as connection:
        return [sql for (sql,) in connection.execute(query)]


def inspect_database(path: Path) -> DatabaseState:
    """Look at the database of a library that need not be up to date, without changing anything.

    Raises StorageError where it is not ours, of a later schema, or so damaged that SQLite cannot go on.
    """
    while True:
        in_use, mark = _is_in_use(path), stamp(path)
        try:
            with closing(Database(path, read_only=True)) as database:
                state = database.inspect()
            if not state.damage or in_use or mark == stamp(path):
                return state
        except StorageError:
            if in_use or mark == stamp(path):  # else another process came meanwhile and changed it
                raise


def _is_in_use(path: Path) -> bool:
    """Tell whether a process has a database open, or was stopped while it had."""
    return path.with_name(f"{path.name}-wal").exists()


class _Connection(sqlite3.Connection):
    """A connection of SQLite, which finds words by its FTS5."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401 - as in typeshed
        try:
            return super().execute(sql, parameters)
        except (OverflowError, UnicodeEncodeError):  # rare, so that nothing else takes time for it
            return super().execute(sql, _within_columns(parameters))

    def insert(self, sql: str, rows: Iterable[Sequence[object]], /) -> None:
        self.executemany(sql, rows)

    def positions(self, where: str, parameters: Sequence[Any] | Mapping[str, Any] = (), /) -> NDArray[np.int64]:
        query = f"SELECT group_concat(position) FROM documents WHERE {where}"
        return whole_numbers(self.execute(query, parameters).fetchone()[0])

    def add_words(self, position: int, title: Sequence[str], body: Sequence[str]) -> None:
        put = "INSERT INTO keywords (rowid, title, body) VALUES (?, ?, ?)"
        self.execute(put, (position, " ".join(title), " ".join(body)))

    def erase_words(self, position: int, find: Callable[[], TitleAndBody | None], /) -> None:
        if (words := find()) is not None:
            erase = "INSERT INTO keywords (keywords, rowid, title, body) VALUES ('delete', ?, ?, ?)"
            self.execute(erase, (position, *map(" ".join, words)))

    def titles(self, words: FullText, k: int) -> list[str]:
        query = (
            "SELECT documents.id FROM keywords JOIN documents ON documents.position = keywords.rowid"
            " WHERE keywords MATCH ? ORDER BY -bm25(keywords) DESC, documents.position LIMIT ?"
        )
        return [id_ for (id_,) in self.execute(query, (words, k))]


def _within_columns(parameters: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any] | Mapping[str, Any]:
    """Return parameters as columns could hold them."""
    if isinstance(parameters, Mapping):
        return dict(zip(parameters, _within_columns([*parameters.values()]), strict=True))
    texts = [without_surrogates(one) if isinstance(one, str) else one for one in parameters]
    return [as_number(one) if isinstance(one, int) else one for one in texts]


class Database:
    """One SQLite file in WAL mode; a thread borrows a connection, uses it, and gives it back.

    Readers never wait. Writers take turns: by a lock within the process, by SQLite's own between
    processes. In a folder that cannot be written to, it is read alone: SQLite makes no files beside it then, and takes
    it for unchanging unless another process has it open.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open the file, make its tables where it is new, and bring one of an earlier schema up to date, once.

        What is `read_only` stays as it is. Raises StorageError where it is not ours.
        """
        self.path = path
        self.is_read_only = read_only
        self._file = (0, 0)
        self._idle: list[_Connection] = []
        self._lock = threading.Lock()
        self._write_lock = threading.Lock()
        try:
            with self.read() as connection:
                self.schema = self._version(connection)
            if self.schema < SCHEMA_VERSION and not read_only:
                with self.write() as connection:
                    self._prepare(connection)
        except StorageError:
            self.close()
            raise
        self._file = _identity(path)

    def is_in_place(self) -> bool:
        """Return whether the opened file still exists: it may have been deleted, moved or replaced since."""
        return _identity(self.path) == self._file

    def identity(self) -> str:
        """Return what tells this file from all others, also from one that takes its place."""
        return "-".join(map(str, self._file))

    def close(self) -> None:
        """Close every connection that is not in use."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def read(self) -> Iterator[_Connection]:
        """Borrow a connection that sees one state of the library for the length of the block.

        Raises StorageError where the file turns out to be damaged.
        """
        try:
            connection = self._borrow()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.rollback()
                self._give_back(connection)
        except sqlite3.DatabaseError as error:
            raise StorageError(
                f"Expected a library's database at {self.path}; SQLite says: {error}. Bring it back with `priorscope "
                "restore` if you have a backup, or move it away and import again."
            ) from None

    @contextmanager
    def write(self, *, erasing: bool = False) -> Iterator[_Connection]:
        """Borrow a connection whose changes are kept as a whole when the block ends without an error.

        Where it is `erasing`, what is removed is overwritten, not only unlinked. Raises StorageError where changes
        cannot be kept.
        """
        with self._write_lock:
            self._refuse_lost()
            try:
                connection = self._borrow()
                try:
                    if erasing:
                        connection.execute("PRAGMA secure_delete = ON")
                    connection.execute(f"PRAGMA cache_size = -{_WRITING_KIB}")
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    self._refuse_lost()
                    connection.commit()
                finally:
                    connection.rollback()
                    connection.execute(f"PRAGMA cache_size = -{_READING_KIB}")
                    self._give_back(connection)
            except sqlite3.DatabaseError as error:  # a full or damaged disk, a read-only folder
                raise StorageError(
                    f"Expected to write to the library at {self.path}; SQLite says: {error}. Nothing was changed: "
                    "make room, close the other program, or see to the right to write there, and try again."
                ) from None

    def copy_to(self, path: Path, report: Report = silent, /) -> None:
        """Copy the database to a new file as it is at one moment, while others read and write.

        Raises StorageError where it cannot be written.
        """
        started = time.monotonic()

        def tell(_: int, left: int, pages: int) -> None:
            report(Progress("copy the database", pages - left, pages, time.monotonic() - started))

        with self.read() as connection:
            connection.execute("SELECT count(*) FROM sqlite_master")  # the moment: what others write later stays out
            make_private_file(path)
            try:
                with closing(sqlite3.connect(path)) as copy:
                    connection.backup(copy, pages=_PAGES_AT_ONCE, progress=tell)
            except sqlite3.Error as error:
                raise StorageError(
                    f"Expected to write {path}; SQLite says: {error}. Make room, and try again."
                ) from None

    def bytes(self) -> int:
        """Return the size of the database, with what is not yet in its file."""
        with self.read() as connection:
            pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        return int(pages * size)

    def stamp(self) -> Hashable:
        """Return what changes whenever anything is written, by any process."""
        return stamp(self.path), stamp(self.path.with_name(f"{self.path.name}-wal"))

    def inspect(self) -> DatabaseState:
        """Look at every page, without changing any. Raises StorageError where SQLite cannot go on."""
        with self.read() as connection:
            said = next(_faults(connection), "")
            documents, lost = find_lost(connection)
        return DatabaseState(self.schema, documents, said or lost)

    def _refuse_lost(self) -> None:
        """Raise StorageError where the opened file was deleted: what is written to it would be lost."""
        if self._file != (0, 0) and not self.is_in_place():
            raise StorageError(
                f"Expected the library that was opened at {self.path}; it was deleted, moved or replaced meanwhile. "
                "Nothing was written. Put the folder back, or open the library again, and try once more."
            )

    def _borrow(self) -> _Connection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        path, is_uri = str(self.path), False
        may_write = not self.is_read_only and os.access(self.path.parent, os.W_OK)
        if is_read_only := self.path.is_file() and not may_write:
            unchanging = "" if _is_in_use(self.path) else "&immutable=1"
            path, is_uri = f"{self.path.resolve().as_uri()}?mode=ro{unchanging}", True
        connection = sqlite3.connect(
            path,
            timeout=_BUSY_SECONDS,
            check_same_thread=False,
            isolation_level=None,
            uri=is_uri,
            factory=_Connection,
        )
        if is_read_only:
            return connection
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def _give_back(self, connection: _Connection) -> None:
        with self._lock:
            self._idle.append(connection)

    def _version(self, connection: sqlite3.Connection) -> int:
        """Return the version of the library's tables, 0 before they are made.

        Raises StorageError where they are another program's, or of a later version.
        """
        owner: int = connection.execute("PRAGMA application_id").fetchone()[0]
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not tables:
            return 0
        if owner != _APPLICATION_ID or version < 1:
            raise StorageError(
                f"Expected a library at {self.path}; found a database of another program. "
                "Name another folder, or import again into a new one."
            )
        refuse_later(version, 1, SCHEMA_VERSION, self.path)
        return version

    def _prepare(self, connection: _Connection) -> None:
        """Make the tables that this file lacks; another process may make them first."""
        version = self._version(connection)
        if version < 1:
            _run(connection, _SCHEMA)
        if version < 2:
            _run(connection, _SINCE_VERSION_2)
        if version < 3:
            _run(connection, _SINCE_VERSION_3)
            _fill_people(connection)
        if version < 4:
            _run(connection, _SINCE_VERSION_4)
            _fill_sort_keys(connection)
            _fill_records(connection)
            _run(connection, _INDEXES_SINCE_VERSION_4)
        if version < 5:
            connection.execute("ALTER TABLE files ADD COLUMN number INTEGER NOT NULL DEFAULT 0")
            _number_files(connection)
            _run(connection, _SINCE_VERSION_5)
        if version < 6:
            _clean_venues(connection)
        if version < 7:
            connection.execute("ALTER TABLE files ADD COLUMN notes TEXT NOT NULL DEFAULT ''")
        if version < 8:
            _run(connection, _SINCE_VERSION_8)
        if version < SCHEMA_VERSION:
            _run(connection, _SINCE_VERSION_9)
            _spell_names(connection)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _run(connection: sqlite3.Connection, statements: str) -> None:
    """Run statements within the transaction that is open: `executescript` would end it."""
    for statement in statements.split(";\n"):
        connection.execute(statement)


def _fill_people(connection: _Connection) -> None:
    """Note the people of every document of a library that was filled before it kept them."""
    for position, body in connection.execute("SELECT position, body FROM contents"):
        add_people(connection, position, unpack(body))


def _fill_sort_keys(connection: sqlite3.Connection) -> None:
    """Note by what documents are put in order, in a library that was filled before it kept this."""
    connection.create_function("sort_title", 1, sort_title, deterministic=True)
    connection.execute("UPDATE documents SET added = position, sort_title = sort_title(title)")


def _fill_records(connection: sqlite3.Connection) -> None:
    """Give each file that was imported before records were counted as many as it told of.

    Which document a file repeated was not kept, so its first one gets them all: sums over files are right.
    """
    earlier = (
        "SELECT count(*) FROM origins AS one WHERE one.file = files.key AND EXISTS (SELECT 1 FROM origins AS other"
        " JOIN files AS before ON before.key = other.file WHERE other.document = one.document"
        " AND before.imported_at < files.imported_at)"
    )
    for key, folded, known in connection.execute(f"SELECT key, folded, ({earlier}) FROM files WHERE folded").fetchall():
        first = "(SELECT min(document) FROM origins WHERE file = :key)"
        query = f"UPDATE origins SET records = records + :more WHERE file = :key AND document = {first}"
        connection.execute(query, {"key": key, "more": max(0, folded - known)})


def _number_files(connection: sqlite3.Connection) -> None:
    """Number the files of a library that was filled before it did, the first import first."""
    keys = connection.execute("SELECT key FROM files ORDER BY imported_at, key").fetchall()
    rows = [(number, key) for number, (key,) in enumerate(keys, start=1)]
    connection.executemany("UPDATE files SET number = ? WHERE key = ?", rows)


def _clean_venues(connection: sqlite3.Connection) -> None:
    """Make plain text of the venues of a library that was filled before they were cleaned as they came."""
    with_tex = "SELECT venue, position FROM documents WHERE instr(venue, '\\') OR instr(venue, '{')"
    cleaned = [(plain_venue(venue), position) for venue, position in connection.execute(with_tex)]
    connection.executemany("UPDATE documents SET venue = ? WHERE position = ?", cleaned)


def _spell_names(connection: sqlite3.Connection) -> None:
    """Write names and notes of a library that kept letters such as "ł" as they are now compared."""
    connection.create_function("without_accents", 1, without_accents, deterministic=True)
    some = "GLOB '*[^ -~]*'"
    connection.execute(f"UPDATE OR IGNORE people SET name = without_accents(name) WHERE name {some}")
    connection.execute(f"UPDATE notes SET words = without_accents(words) WHERE words {some}")


def _faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what SQLite finds damaged; older ones find NULL in each row of a table like `tags`, which is looked up."""
    for (said,) in connection.execute(f"PRAGMA quick_check({_ALL})"):
        if null := _NULL.fullmatch(said):
            query = f"SELECT count(*) FROM {null[1]} WHERE typeof({null[2]}) = 'null'"  # IS NULL is never looked up
            said = said if connection.execute(query).fetchone()[0] else "ok"
        if said != "ok":
            yield said


def _identity(path: Path) -> tuple[int, int]:
    """Identify the file at a path; (0, 0) if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)
