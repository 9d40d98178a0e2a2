"""A library's tables on a server of PostgreSQL, 14 or later: what a group shares that has one library on many machines.

They stand in a schema of their own, and are those that SQLite has (`engine/library/database.py`), but for full text.
That is here two texts of a document's words, of the title and the rest: the words are looked up in an index, and their
order in the texts themselves. PostgreSQL's own tsvector holds neither the 256th place of a word nor a text of 1 MB.
Long, because all that differs from SQLite stands in one place.
"""

from __future__ import annotations

import json
import math
import re
import secrets
import threading
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import psycopg
from filelock import Timeout
from numpy.typing import NDArray
from psycopg.adapt import AdaptersMap
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper

from engine.core.errors import EngineError, LibraryError, StorageError
from engine.core.progress import Report, silent
from engine.documents.text import without_surrogates
from engine.library.connections import (
    AT_ONCE,
    MATCHING,
    SCHEMA_VERSION,
    Adjacent,
    Cursor,
    DatabaseState,
    FullText,
    as_number,
    find_lost,
    refuse_later,
    whole_numbers,
)
from engine.library.database import latest_schema

T = TypeVar("T")
SCHEMA, MOVING = "priorscope", "priorscope_moving"
"""The schema of a library's tables, and of those that `priorscope move` has begun to fill."""
_LOCK = 0x50726963
"""The lock of whoever writes; it is let go at the end of a transaction, however that comes."""
_CONNECT_SECONDS, _ANSWER_SECONDS, _STATEMENT_SECONDS = 5, 10, 600
"""How long a server may take to let us in, to begin a transaction, and for a statement; who writes is waited for so."""
_MOST_IDLE = 8
_MOST_WORD = 500
"""Characters by which a word is found: an index holds no key of 3 kB, as a sequence of genes may be."""
_FIRST = 9
"""The first version of the tables that a server had."""
_STEPS: Mapping[int, str] = {}
"""What brings the tables of the version before up to each later one."""
_ROW = re.compile(r"(?<=VALUES )(\([?, ]+\))")
"""Where a row's parameters stand in a statement that inserts it."""
_K1, _B, _LEAST = 1.2, 0.75, 1e-6
"""As in FTS5's bm25()."""
_SESSION = f"""
SET statement_timeout = '{_STATEMENT_SECONDS}s';
SET client_connection_check_interval = '10s';
SET tcp_keepalives_idle = 30;
SET tcp_keepalives_interval = 10;
SET tcp_keepalives_count = 3
"""
# `changes` counts transactions that wrote; `texts` and `words` are the totals by which titles are ranked.
_MORE = f"""
CREATE TABLE about (schema INTEGER NOT NULL, id TEXT NOT NULL, changes BIGINT NOT NULL, texts BIGINT NOT NULL,
    words BIGINT NOT NULL);
CREATE TABLE keywords (position INTEGER PRIMARY KEY, title TEXT COLLATE "C" NOT NULL, body TEXT COLLATE "C" NOT NULL,
    words INTEGER NOT NULL);
CREATE TABLE shared (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE INDEX keywords_of_title ON keywords USING gin (string_to_array(title, ' '));
CREATE INDEX keywords_of_body ON keywords USING gin (string_to_array(body, ' '));
CREATE INDEX terms_by_term ON terms USING hash (term);
CREATE INDEX terms_by_beginning ON terms ("left"(term, {_MOST_WORD}));
CREATE INDEX identities_of ON identities (position);
CREATE INDEX aliases_of ON aliases (position);
CREATE INDEX categories_of ON categories (position);
CREATE UNIQUE INDEX collections_by_name ON collections (lower(name));
CREATE UNIQUE INDEX reviews_by_name ON reviews (lower(name));
CREATE INDEX documents_by_title_back ON documents (sort_title DESC NULLS LAST, position DESC);
CREATE INDEX documents_by_year_back ON documents (year DESC NULLS LAST, position DESC);
INSERT INTO removals VALUES (0, 0);
INSERT INTO annotating VALUES (0);
INSERT INTO indexing VALUES (0, 0);
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT strpos($1, $2)';
CREATE FUNCTION likelihood(boolean, numeric) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION json_each(text) RETURNS TABLE (value integer) LANGUAGE sql IMMUTABLE
    AS 'SELECT value::integer FROM json_array_elements_text($1::json)';
CREATE FUNCTION stand_near(words text[], phrases jsonb, within bigint) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE COST 9999 AS $$
    DECLARE
        ends bigint[] := array_fill(NULL::bigint, ARRAY[jsonb_array_length(phrases)]);
        place record;
    BEGIN
        FOR place IN
            WITH asked AS (
                SELECT number, word, at, jsonb_array_length(phrase->0) AS size,
                    (phrase->>1)::boolean AND at = jsonb_array_length(phrase->0) AS open
                FROM jsonb_array_elements(phrases) WITH ORDINALITY AS each(phrase, number),
                    jsonb_array_elements_text(phrase->0) WITH ORDINALITY AS one(word, at)
            )
            SELECT number, size, held - at AS start FROM asked, LATERAL (
                SELECT unnest(array_positions(words, word)) AS held WHERE NOT open
                UNION ALL SELECT held FROM unnest(words) WITH ORDINALITY AS each(other, held)
                WHERE open AND starts_with(other, word)
            ) AS places GROUP BY number, size, start HAVING count(*) = size ORDER BY start
        LOOP
            ends[place.number] := place.start + place.size;
            IF place.start - within <= ALL (ends) THEN
                RETURN true;
            END IF;
        END LOOP;
        RETURN false;
    END
$$
"""


class _Text(StrDumper):
    """Writes a text without the sign for nothing, which PostgreSQL takes in no text."""

    def dump(self, obj: str) -> bytes | bytearray | memoryview | None:
        return super().dump(without_surrogates(obj).replace("\0", "\ufffd"))


class _Number(Int8Dumper):
    """Writes a number of 64 bits."""

    def dump(self, obj: int) -> bytes | bytearray | memoryview | None:
        return super().dump(as_number(obj))


_ADAPTERS = AdaptersMap(psycopg.adapters)
_ADAPTERS.register_dumper(str, _Text)
_ADAPTERS.register_dumper(int, _Number)


class _Session(psycopg.Connection[Any]):
    """A session with the server, which is given up where it does not answer."""

    patience_seconds: float = _STATEMENT_SECONDS

    def wait(self, gen: Generator[Any, Any, T], interval: float = 0.1, timeout: float | None = None) -> T:
        return super().wait(gen, interval, timeout or self.patience_seconds)


class _Connection:
    """A session within a transaction, which takes the SQL that SQLite takes."""

    def __init__(self, session: _Session) -> None:
        self._session = session
        self._waiting: list[tuple[str, list[Sequence[Any]]]] = []
        self.texts = self.words = 0
        """What came to the texts and words that are found by."""

    def execute(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = (), /) -> Cursor:
        self._send()
        if MATCHING in sql:
            sql, parameters = _with_full_text(sql, list(parameters))
        return self._session.execute(_spelt(sql), parameters or None)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Cursor:
        self._send()
        cursor = self._session.cursor()
        cursor.executemany(_spelt(sql), parameters)
        return cursor

    def insert(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        listed = list(rows)
        for start in range(0, len(listed), AT_ONCE):
            self._waiting.append((sql, listed[start : start + AT_ONCE]))

    def _send(self) -> None:
        if self._waiting:
            with self._session.pipeline():
                for sql, rows in self._waiting:
                    before, row, after = _ROW.split(sql, maxsplit=1)
                    together = f"{before}{', '.join([row] * len(rows))}{after}"
                    self._session.execute(_spelt(together), [*chain.from_iterable(rows)])
            self._waiting.clear()

    def positions(self, where: str, parameters: Sequence[Any] | Mapping[str, Any] = (), /) -> NDArray[np.int64]:
        query = f"SELECT string_agg(CAST(position AS text), ',') FROM documents WHERE {where}"
        return whole_numbers(self.execute(query, parameters).fetchone()[0])

    def add_words(self, position: int, title: Sequence[str], body: Sequence[str]) -> None:
        texts = (" ".join(word[:_MOST_WORD] for word in words) for words in (title, body))
        self.insert("INSERT INTO keywords VALUES (?, ?, ?, ?)", [(position, *texts, len(title) + len(body))])
        self.texts += 1
        self.words += len(title) + len(body)

    def erase_words(self, position: int, _: object, /) -> None:
        for (words,) in self.execute("DELETE FROM keywords WHERE position = ? RETURNING words", (position,)):
            self.texts -= 1
            self.words -= words

    def titles(self, words: FullText, k: int) -> list[str]:
        """Rank titles as FTS5's bm25() does, whose lengths are of whole texts."""
        total, length = self.execute("SELECT texts, words FROM about").fetchone()
        if not total:
            return []
        counts: list[Any] = []
        weights: list[float] = []
        for phrase in words.ways[0]:
            where, given = _condition(FullText(((phrase,),), in_title=words.in_title))
            (held,) = self.execute(f"SELECT count(*) FROM keywords WHERE {where}", given).fetchone()
            weights.append(max(math.log((total - held + 0.5) / (held + 0.5)), _LEAST))
            counts.append(phrase.words[0][:_MOST_WORD])
        columns = ", ".join(
            f"(SELECT count(*) FROM unnest(string_to_array(title, ' ')) AS each(word)"
            f" WHERE {'starts_with(word, ?)' if phrase.open else 'word = ?'})::float8 AS times{place}"
            for place, phrase in enumerate(words.ways[0])
        )
        saturated = f"{_K1} * ({1 - _B} + {_B} * words / ?::float8)"
        score = " + ".join(
            f"?::float8 * times{place} * {_K1 + 1} / (times{place} + {saturated})" for place in range(len(weights))
        )
        where, given = _condition(words)
        query = (
            f"SELECT id FROM (SELECT position, words, {columns} FROM keywords WHERE {where}) AS found"
            f" JOIN documents USING (position) ORDER BY {score} DESC, position LIMIT ?"
        )
        scored = [value for weight in weights for value in (weight, length / total)]
        return [id_ for (id_,) in self.execute(query, [*counts, *given, *scored, k])]


def _connected(address: str, schema: str) -> _Session:
    """Return a new session, for the tables of a schema. Raises psycopg.Error."""
    session = _Session.connect(
        address, autocommit=True, connect_timeout=_CONNECT_SECONDS, application_name="priorscope", context=_ADAPTERS
    )
    session.execute(f"SET search_path = {schema};{_SESSION}")
    return session


def _unanswered(address: str, error: psycopg.Error) -> StorageError:
    """Return what is said where a server does not do what it is asked."""
    said = (str(error).strip() or type(error).__name__).splitlines()[0]
    if isinstance(error, psycopg.errors.QueryCanceled):
        said = f"it worked, or waited for another who writes, for {_STATEMENT_SECONDS} s"
    return StorageError(
        f"Expected the library at {_shown(address)} to answer; PostgreSQL says: {said}. Look whether the server runs "
        "and lets you in, and try again: nothing is kept by halves."
    )


def _shown(address: str) -> str:
    return address.partition("?")[0]


class ServerLock:
    """A lock that one process of all machines holds, in a session of its own: the server lets it go with that."""

    def __init__(self, address: str, name: str) -> None:
        """Name the lock of a library on a server; nothing is asked yet."""
        self._address, self._name = address, name
        self._session: _Session | None = None

    def acquire(self, timeout: float | None = None, *, blocking: bool | None = None) -> None:
        """Take the lock within seconds, or at once; without either, wait for it.

        Raises Timeout where another holds it, StorageError where the server does not answer.
        """
        milliseconds = 1 if blocking is False else round(1000 * (timeout or 0))
        try:
            self._session = self._session or _connected(self._address, SCHEMA)
            self._session.execute(f"SET lock_timeout = {milliseconds}")
            self._session.execute(f"SELECT pg_advisory_lock({_LOCK}, hashtext(%s))", (self._name,))
        except psycopg.errors.LockNotAvailable:
            raise Timeout(self._name) from None
        except psycopg.Error as error:
            self.release()
            raise _unanswered(self._address, error) from None

    def release(self) -> None:
        """Let it go, if it is held."""
        if self._session is not None:
            self._session.close()
            self._session = None


class PostgresDatabase:
    """The tables of one library on a server; a thread borrows a session, uses it, and gives it back.

    Readers never wait. Writers take turns, over all machines. A server that went away is asked again at the next block.
    """

    def __init__(self, address: str, *, create: bool = False, read_only: bool = False, schema: str = SCHEMA) -> None:
        """Open the library in a database; `create` makes its tables where they are missing.

        Raises LibraryError where they are missing, StorageError where the server does not answer, or what the database
        holds is not ours.
        """
        self.address, self._shown = address, _shown(address)
        self.is_read_only, self._schema = read_only, schema
        self._id = ""
        self._is_in_place = True
        self._idle: list[_Session] = []
        self._lock, self._write_lock = threading.Lock(), threading.Lock()
        try:
            with self.read() as connection:
                self.schema = self._version(connection)
            if not self.schema and not create:
                raise self._missing()
            if self.schema < SCHEMA_VERSION and not read_only:
                with self.write() as connection:
                    self._prepare(connection)
            with self.read() as connection:
                self._id, self.schema = connection.execute("SELECT id, schema FROM about").fetchone()
        except EngineError:
            self.close()
            raise

    def is_in_place(self) -> bool:
        """Return whether the tables that were opened still exist, as far as was seen."""
        return self._is_in_place

    def close(self) -> None:
        """Close every session that is not in use."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def read(self) -> Iterator[_Connection]:
        """Borrow a connection that sees one state of the library for the length of the block. Raises StorageError."""
        with self._borrowed("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as session:
            yield _Connection(session)

    @contextmanager
    def write(self, *, erasing: bool = False) -> Iterator[_Connection]:  # noqa: ARG002 - as SQLite takes it
        """Borrow a connection whose changes are kept as a whole when the block ends without an error.

        What is removed is overwritten when the server next cleans up. Raises StorageError where changes cannot be kept.
        """
        if self.is_read_only:
            raise StorageError(f"Expected a library that may be written to; {self._shown} was opened to be read only.")
        with self._write_lock, self._borrowed("BEGIN") as session:
            session.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
            connection = _Connection(session)
            yield connection
            changed = "UPDATE about SET changes = changes + 1, texts = texts + ?, words = words + ?"
            given = (connection.texts, connection.words, self._id, self._id)
            if not connection.execute(f"{changed} WHERE id = ? OR ? = ''", given).rowcount:  # others made new tables
                self._is_in_place = False
                raise self._lost()
            session.commit()

    def identity(self) -> str:
        """Return what tells these tables from all others, also from those that take their place."""
        return self._id

    def copy_to(self, path: Path, _: Report = silent, /) -> None:
        """Refuse: what copies a server's database to a file is `priorscope move`, or `pg_dump`."""
        raise StorageError(
            f"Expected a library in a folder, got the one at {self._shown}, which is not copied to {path.name}. Back "
            "it up with pg_dump, or copy it into a folder with `priorscope move`."
        )

    def bytes(self) -> int:
        """Return the size of the tables on the server."""
        sizes = "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class WHERE relkind = 'r'"
        with self.read() as connection:
            return int(connection.execute(f"{sizes} AND relnamespace = '{self._schema}'::regnamespace").fetchone()[0])

    def stamp(self) -> Hashable:
        """Return what changes whenever anything is written, by any process."""
        with self.read() as connection:
            found: tuple[str, int] = connection.execute("SELECT id, changes FROM about").fetchone()
        return found

    def inspect(self) -> DatabaseState:
        """Look whether every document has its text."""
        with self.read() as connection:
            return DatabaseState(self.schema, *find_lost(connection))

    @contextmanager
    def _borrowed(self, begin: str) -> Iterator[_Session]:
        """Borrow a session within a new transaction. Raises StorageError with what the server says."""
        session = None
        try:
            session = self._begun(begin)
            yield session
        except psycopg.Error as error:
            if error.sqlstate is None and session is not None:  # it said nothing, and would not now
                session.close()
            raise self._failed(error) from None
        finally:
            if session is not None:
                self._give_back(session)

    def _begun(self, begin: str) -> _Session:
        """Return a session with a new transaction; where those that lie idle do not answer, one that is new."""
        with self._lock:
            session = self._idle.pop() if self._idle else None
        if session is not None:
            try:
                return self._begin(session, begin)
            except psycopg.OperationalError:
                session.close()
                self.close()
        session = self._connect()
        if not self._is_in_place:
            session.close()
            raise self._lost()
        return self._begin(session, begin)

    def _begin(self, session: _Session, begin: str) -> _Session:
        session.patience_seconds = _ANSWER_SECONDS
        session.execute(begin)
        session.patience_seconds = _STATEMENT_SECONDS + _ANSWER_SECONDS
        return session

    def _connect(self) -> _Session:
        session = _connected(self.address, self._schema)
        if self._id:
            there = session.execute("SELECT to_regclass('about')").fetchone() != (None,)
            self._is_in_place = there and session.execute("SELECT id FROM about").fetchone() == (self._id,)
        return session

    def _give_back(self, session: _Session) -> None:
        with suppress(psycopg.Error):
            session.rollback()
        with self._lock:
            if not session.closed and len(self._idle) < _MOST_IDLE:
                self._idle.append(session)
                return
        session.close()

    def _lost(self) -> StorageError:
        return StorageError(
            f"Expected the library that was opened at {self._shown}; it was deleted or replaced meanwhile. Nothing "
            "was written. Open the library again, and try once more."
        )

    def _missing(self) -> LibraryError:
        return LibraryError(
            f"Expected a library at {self._shown}; found an empty database or none. Make one with `priorscope "
            "samples` or `priorscope import PATH`, or name another with --library."
        )

    def _failed(self, error: psycopg.Error) -> EngineError:
        """Return the sentence that an error of the server's becomes."""
        said = str(error)
        if not self._id and 'database "' in said and '" does not exist' in said:
            return self._missing()
        return _unanswered(self.address, error)

    def _version(self, connection: _Connection) -> int:
        """Return the version of the tables, 0 in an empty database.

        Raises StorageError where they are another program's, or of a later version.
        """
        if connection.execute("SELECT to_regclass('about')").fetchone() == (None,):
            others = (
                "SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
                " WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
                f" AND (nspname = '{self._schema}' OR nspname NOT LIKE '{SCHEMA}%')"
                " AND nspname != 'vectors' AND NOT EXISTS"  # of our own rows, which may come first
                " (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')"
            )
            if connection.execute(others).fetchone() != (0,):
                raise StorageError(
                    f"Expected a library, or an empty database, at {self._shown}; found a database of another program. "
                    "Name another, or make one with createdb."
                )
            return 0
        version = int(connection.execute("SELECT schema FROM about").fetchone()[0])
        refuse_later(version, _FIRST, SCHEMA_VERSION, self._shown)
        return version

    def _prepare(self, connection: _Connection) -> None:
        """Make the tables where they are missing, or bring them up to date; another process may do it first."""
        version = self._version(connection)
        if not version:
            made = (f"CREATE SCHEMA IF NOT EXISTS {self._schema}", *map(_as_postgres, latest_schema()), _MORE)
            connection.execute(";".join(made))
            about = "INSERT INTO about VALUES (?, ?, 0, 0, 0)"
            connection.execute(about, (SCHEMA_VERSION, secrets.token_hex(8)))
        for step in range(version + 1 if version else SCHEMA_VERSION + 1, SCHEMA_VERSION + 1):
            connection.execute(_STEPS[step])
            connection.execute("UPDATE about SET schema = ?", (step,))


def rename_schema(address: str, was: str, now: str) -> None:
    """Give the tables of a schema another one at a stroke; an empty name removes them. Raises StorageError."""
    with closing(PostgresDatabase(address, create=True, schema=was)) as database:
        with database._borrowed("BEGIN") as session:
            session.execute(f"ALTER SCHEMA {was} RENAME TO {now}" if now else f"DROP SCHEMA {was} CASCADE")
            session.commit()


# SQL -----------------------------------------------------------------------------------------------


def _as_postgres(statement: str) -> str:
    """Return a statement that makes a table or an index of SQLite as one for PostgreSQL.

    Texts are put in order by their bytes, as in SQLite. A term may be too long for the key of an index.
    """
    statement = re.sub(r"WITHOUT ROWID|COLLATE NOCASE|(?<=term TEXT NOT NULL) UNIQUE", "", statement)
    return re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', statement).replace("BLOB", "BYTEA")


@lru_cache(maxsize=512)
def _spelt(sql: str) -> str:
    """Return a statement with parameters as psycopg writes them."""
    return re.sub(r"(?<!:):([a-z]+)", r"%(\1)s", sql.replace("%", "%%").replace("?", "%s"))


def _with_full_text(sql: str, parameters: list[Any]) -> tuple[str, list[Any]]:
    """Return a statement that asks for words as one that asks the texts, and its parameters."""
    first, *rest = sql.split(MATCHING)
    parts, given = [first], parameters[: first.count("?")]
    at = len(given)
    for part in rest:
        where, asked = _condition(parameters[at])
        more = parameters[at + 1 : at + 1 + part.count("?")]
        parts.append(f"SELECT position FROM keywords WHERE {where}{part}")
        given += [*asked, *more]
        at += 1 + len(more)
    return "".join(parts), given


def _condition(words: FullText) -> tuple[str, list[Any]]:
    """Return the condition over the table `keywords` that full text holds some words, and its parameters."""
    columns = ("title",) if words.in_title else ("title", "body")
    ways: list[str] = []
    given: list[Any] = []
    for way in words.ways:
        if words.within:
            phrases = json.dumps([[[word[:_MOST_WORD] for word in one.words], one.open] for one in way])
            near = [[*(_holds(column, one) for one in way), _near(column, phrases, words.within)] for column in columns]
            ways.append(" OR ".join(" AND ".join(sql for sql, _ in every) for every in near))
            given += [value for every in near for _, values in every for value in values]
        else:
            held = [[_holds(column, one) for column in columns] for one in way]
            ways.append(" AND ".join(f"({' OR '.join(sql for sql, _ in each)})" for each in held))
            given += [value for each in held for _, values in each for value in values]
    return f"({' OR '.join(f'({way})' for way in ways)})", given


def _holds(column: str, phrase: Adjacent) -> tuple[str, list[Any]]:
    """Return the condition that a column holds a phrase, by the index of its words and then by its text."""
    *whole, last = (word[:_MOST_WORD] for word in phrase.words)
    clauses: list[str] = []
    given: list[Any] = []
    if complete := whole if phrase.open else [*whole, last]:
        clauses.append(f"string_to_array({column}, ' ') @> ?")
        given.append(complete)
    if phrase.open:
        beginning = f'"left"(term, {_MOST_WORD})'
        some = f"SELECT {beginning} FROM terms WHERE {beginning} >= ? AND {beginning} < ?"
        clauses.append(f"string_to_array({column}, ' ') && ARRAY({some})")
        given += [last, last + chr(0x10FFFF)]
    if whole:
        clauses.append(f"strpos(' ' || {column} || ' ', ?) > 0")
        given.append(f" {' '.join((*whole, last))}{'' if phrase.open else ' '}")
    return " AND ".join(clauses), given


def _near(column: str, phrases: str, within: int) -> tuple[str, list[Any]]:
    return f"stand_near(string_to_array({column}, ' '), ?::jsonb, ?)", [phrases, within]
