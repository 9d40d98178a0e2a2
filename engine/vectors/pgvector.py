"""Rows in PostgreSQL with pgvector: a table an encoder, half vectors found by HNSW, scored again exactly.

    vectors.sets          what each table holds rows of (`TableState`), and its number
    vectors.rows_NUMBER   a row a document or passage: its key, its place in the text, its vector

A row that an index keeps as bytes is kept as a half vector with the step of its bytes, from which the bytes come back
as they were; a row of float32 is kept whole, and the graph (Malkov and Yashunin 2018, "Efficient and robust approximate
nearest neighbor search using HNSW graphs") holds its half. PostgreSQL 13 and pgvector 0.8 or later are needed; tried
with 16.14 and 0.8.5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, TypeVar

import numpy as np
import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

from engine.core.errors import VectorServerError
from engine.core.rows import DenseRows
from engine.vectors.packed import PackedRows
from engine.vectors.served import FoundKeys, HeldDocument, RowKey, RowTable, TableRows, TableState
from engine.vectors.storage import IndexForm

T = TypeVar("T")
Work = Callable[[psycopg.Connection[Any]], T]

_SECONDS = 60
"""An answer is waited for so long; a graph is made, and rows are counted, without a limit."""
_PGVECTOR = (0, 8)
_SETS = """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE SCHEMA IF NOT EXISTS vectors;
CREATE TABLE IF NOT EXISTS vectors.sets (
    name text PRIMARY KEY, number int NOT NULL GENERATED ALWAYS AS IDENTITY, fingerprint text NOT NULL,
    dim int NOT NULL, layout text NOT NULL, precision text NOT NULL, revision bigint NOT NULL, version bigint NOT NULL
)
"""
_ROWS = """
CREATE TABLE IF NOT EXISTS {rows} (
    document text NOT NULL, number int NOT NULL, count int NOT NULL, added bigint NOT NULL, part int NOT NULL,
    start int NOT NULL, stop int NOT NULL, step real NOT NULL, row {type} NOT NULL, PRIMARY KEY (document, number)
)
"""
_COLUMNS = "document, number, count, added, part, start, stop, step, row"


class _Vector(bytes):
    """A vector as PostgreSQL sends and receives it."""


class _VectorDumper(Dumper):
    format = Format.BINARY
    oid = 0  # the column says which type it is

    def dump(self, obj: _Vector) -> bytes:
        return bytes(obj)


class _Database:
    """Connections to a database, each used by one thread at a time, and opened when all are in use."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._idle: deque[psycopg.Connection[Any]] = deque(maxlen=8)

    def run(self, work: Work[T]) -> T:
        """Do some work in a transaction; again over a new connection where one that was idle is found broken.

        Raises VectorServerError where the server does not answer, or refuses.
        """
        while True:
            was_idle = bool(self._idle)
            try:
                connection = self._idle.pop() if was_idle else self._connected()
                try:
                    with connection.transaction():
                        done = work(connection)
                except BaseException:
                    connection.close()
                    raise
            except psycopg.OperationalError as error:
                if was_idle:
                    continue
                raise self._refused(error) from None
            except psycopg.Error as error:
                raise self._refused(error) from None
            if len(self._idle) == self._idle.maxlen:
                connection.close()
            else:
                self._idle.append(connection)
            return done

    def _connected(self) -> psycopg.Connection[Any]:
        connection = psycopg.connect(
            self._address, autocommit=True, connect_timeout=10, keepalives_idle=10, tcp_user_timeout=30_000
        )
        connection.adapters.register_dumper(_Vector, _VectorDumper)
        connection.execute(f"SET statement_timeout = '{_SECONDS}s'")
        connection.execute("SET hnsw.iterative_scan = relaxed_order")
        connection.execute("SET hnsw.max_scan_tuples = 2000000000")
        return connection

    def _refused(self, error: psycopg.Error) -> VectorServerError:
        why = " ".join(str(error).split()) or type(error).__name__
        return VectorServerError(
            f"Expected vectors from PostgreSQL at {self._address}; it says: {why[:200]}. See that it runs and that you "
            "may use it, then ask again."
        )


_database = lru_cache(maxsize=16)(_Database)


class PostgresTable(RowTable):
    """A table of rows in PostgreSQL."""

    most: ClassVar[int] = 2_048

    def __init__(self, address: str, name: str) -> None:
        """Name the table; nothing is asked of the server yet."""
        super().__init__(address, name)
        self._database = _database(address)

    @classmethod
    def names(cls, address: str) -> list[str]:
        """Return the names of all tables at an address."""

        def work(connection: psycopg.Connection[Any]) -> list[str]:
            if not _has_sets(connection):
                return []
            return [name for (name,) in connection.execute("SELECT name FROM vectors.sets ORDER BY name")]

        return _database(address).run(work)

    def state(self) -> TableState | None:
        """Return what the table says of itself; None where there is none."""

        def work(connection: psycopg.Connection[Any]) -> TableState | None:
            if not _has_sets(connection):
                return None
            found = connection.execute(
                "SELECT fingerprint, dim, layout, precision, revision, version FROM vectors.sets WHERE name = %s",
                [self.name],
            ).fetchone()
            return None if found is None else TableState(IndexForm(*found[:4]), *found[4:])

        return self._database.run(work)

    def keep_state(self, state: TableState) -> None:
        """Write it; makes the table where it is missing."""
        form = state.form

        def work(connection: psycopg.Connection[Any]) -> None:
            if not _has_sets(connection):
                connection.execute("SELECT pg_advisory_xact_lock(hashtext('priorscope vectors'))")
                connection.execute(_SETS)
                _check_version(connection)
            made = connection.execute(
                "INSERT INTO vectors.sets (name, fingerprint, dim, layout, precision, revision, version) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (name) "
                "DO UPDATE SET revision = excluded.revision, version = excluded.version RETURNING number",
                [self.name, form.fingerprint, form.dim, form.layout, form.precision, state.revision, state.version],
            ).fetchone()
            kind = f"vector({form.dim})" if form.precision == "float32" else f"halfvec({form.dim})"
            if made is not None:
                connection.execute(_ROWS.format(rows=f"vectors.rows_{made[0]}", type=kind))

        self._database.run(work)

    @cached_property
    def _known(self) -> tuple[str, IndexForm]:
        """The name of the table of rows, and what it holds rows of."""
        found = self._database.run(
            lambda connection: connection.execute(
                "SELECT number, fingerprint, dim, layout, precision FROM vectors.sets WHERE name = %s", [self.name]
            ).fetchone()
        )
        if found is None:
            raise VectorServerError(
                f"Expected the vectors {self.name} at {self.address}; they were removed. Ask again."
            )
        return f"vectors.rows_{found[0]}", IndexForm(*found[1:])

    def listed(self) -> list[HeldDocument]:
        """Return the documents held, in the order added."""
        rows, _ = self._known
        query = f"SELECT document, count, added FROM {rows} WHERE number = 0 ORDER BY added, document"
        return self._database.run(lambda connection: [HeldDocument(*one) for one in connection.execute(query)])

    def put(self, rows: TableRows) -> None:
        """Write rows, in place of those under the same keys."""
        table, form = self._known
        steps = np.ones(len(rows.keys), np.float32)
        if form.precision == "int8":
            packed = PackedRows.of(rows.rows, "int8").steps
            steps = steps if packed is None else packed
        vectors = rows.rows if form.precision == "float32" else PackedRows.of(rows.rows, "float16").codes
        labels = zip(rows.counts.tolist(), rows.added.tolist(), rows.places.tolist(), steps.tolist(), strict=True)
        values = [
            (*key, count, added, *place, step, vector)
            for key, (count, added, place, step), vector in zip(rows.keys, labels, _sent(vectors), strict=True)
        ]
        columns = _COLUMNS.split(", ")[2:]
        query = (
            f"INSERT INTO {table} ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) "
            f"ON CONFLICT (document, number) DO UPDATE SET {', '.join(f'{one} = excluded.{one}' for one in columns)}"
        )
        self._database.run(lambda connection: connection.cursor().executemany(query, values))

    def remove(self, documents: Sequence[str]) -> None:
        """Remove all rows of documents; unknown ones are ignored."""
        query = f"DELETE FROM {self._known[0]} WHERE document = ANY(%s)"
        self._database.run(lambda connection: connection.execute(query, [list(documents)]))

    def take(self, keys: Sequence[RowKey]) -> TableRows:
        """Return rows by their keys, in any order; unknown ones are left out."""
        table, form = self._known
        asked = "unnest(%s::text[], %s::int[]) AS asked (document, number)"
        query = f"SELECT {_COLUMNS} FROM {table} JOIN {asked} USING (document, number)"
        values = [[name for name, _ in keys], [number for _, number in keys]]
        found = self._database.run(lambda connection: connection.cursor(binary=True).execute(query, values).fetchall())
        labels = np.array([one[2:7] for one in found], np.int64).reshape(len(found), 5)
        rows = _received([one[8] for one in found], [one[7] for one in found], form)
        return TableRows([(one[0], one[1]) for one in found], labels[:, 0], labels[:, 1], labels[:, 2:], rows)

    def nearest(self, queries: DenseRows, k: int, within: Sequence[str] | None) -> list[FoundKeys]:
        """Return the k nearest rows of each query (q, dim) by half vectors, with the rows."""
        table, form = self._known
        half = f"row::halfvec({form.dim})"
        limit, among = ("", []) if within is None else ("WHERE document = ANY(%s)", [list(within)])
        query = f"SELECT document, number, step, row FROM {table} {limit} ORDER BY {half} <#> %s LIMIT {k}"

        def work(connection: psycopg.Connection[Any]) -> list[list[Any]]:
            connection.execute(f"SET LOCAL hnsw.ef_search = {min(1_000, max(100, 2 * k))}")
            asked = _sent(queries.astype(np.float16))
            cursor = connection.cursor(binary=True)
            return [cursor.execute(query, [*among, one]).fetchall() for one in asked]

        answers = []
        for own, found in zip(queries, self._database.run(work), strict=True):
            rows = _received([one[3] for one in found], [one[2] for one in found], form)
            answers.append(FoundKeys([(one[0], one[1]) for one in found], rows @ own, rows))
        return answers

    def has_graph(self) -> bool:
        """Return whether near rows are found by a graph; otherwise all are compared."""
        query = "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND indisvalid"
        asked = [f"{self._known[0]}_graph"]
        return self._database.run(lambda connection: connection.execute(query, asked).fetchone()) is not None

    def make_graph(self) -> None:
        """Make the graph, if it is not there."""
        table, form = self._known
        name = f"{table.partition('.')[2]}_graph"

        def work(connection: psycopg.Connection[Any]) -> None:
            connection.execute("SET LOCAL statement_timeout = 0")
            connection.execute("SET LOCAL maintenance_work_mem = '1GB'")
            kind = f"((row::halfvec({form.dim})) halfvec_ip_ops)"
            connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {table} USING hnsw {kind}")

        if not self.has_graph():
            self._database.run(work)

    def compact(self) -> None:
        """Leave the room of removed rows to PostgreSQL, which gives it back by itself (autovacuum)."""

    def drop(self) -> None:
        """Remove the table, if it is there."""
        if self.state() is None:
            return
        table, _ = self._known

        def work(connection: psycopg.Connection[Any]) -> None:
            connection.execute("DELETE FROM vectors.sets WHERE name = %s", [self.name])
            connection.execute(f"DROP TABLE IF EXISTS {table}")

        self._database.run(work)
        del self._known


def _has_sets(connection: psycopg.Connection[Any]) -> bool:
    found = connection.execute("SELECT to_regclass('vectors.sets') IS NOT NULL").fetchone()
    return found is not None and bool(found[0])


def _check_version(connection: psycopg.Connection[Any]) -> None:
    found = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    version = found[0] if found is not None else "none"
    if tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) < _PGVECTOR:
        raise VectorServerError(f"Expected pgvector 0.8 or later in PostgreSQL, found {version}. Update it.")


def _sent(rows: DenseRows) -> list[_Vector]:
    """Return rows (n, dim) as PostgreSQL receives a vector: its length, two bytes of zero, its numbers."""
    head = rows.shape[1].to_bytes(2, "big") + b"\0\0"
    kind = ">f2" if rows.dtype == np.float16 else ">f4"
    return [_Vector(head + row.tobytes()) for row in rows.astype(kind)]


def _received(vectors: Sequence[bytes], steps: Sequence[float], form: IndexForm) -> DenseRows:
    """Return rows (n, dim) as they were before they were sent."""
    kind = ">f4" if form.precision == "float32" else ">f2"
    numbers = np.frombuffer(b"".join(one[4:] for one in vectors), kind).astype(np.float32)
    rows = numbers.reshape(len(vectors), form.dim)
    if form.precision != "int8":
        return rows
    each = np.array(steps, np.float32)[:, None]
    return np.asarray(np.rint(rows / each.reshape(-1, 1)) * each.reshape(-1, 1), np.float32)
