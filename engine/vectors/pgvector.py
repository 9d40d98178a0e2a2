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
from dataclasses import astuple
from functools import cached_property, lru_cache
from typing import Any, ClassVar, TypeVar
from weakref import finalize

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

_SECONDS = 60
"""An answer is waited for so long; a graph is made without a limit."""
_PGVECTOR = (0, 8)
_WIDEST = 4_000
"""Half vectors of more numbers have no graph."""
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
_SETTINGS = f"""
SET statement_timeout = '{_SECONDS}s'; SET hnsw.iterative_scan = relaxed_order; SET hnsw.max_scan_tuples = 2000000000
"""


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
        self._idle: deque[psycopg.Connection[Any]] = deque()
        finalize(self, _close, self._idle)

    def rows(self, query: str, values: Sequence[object] = (), *, binary: bool = False) -> list[Any]:
        """Return what a query finds, as `run` does."""
        return self.run(lambda connection: connection.cursor(binary=binary).execute(query, values).fetchall())

    def run(self, work: Callable[[psycopg.Connection[Any]], T]) -> T:
        """Do some work in a transaction; again over a new connection where one that was idle is found broken.

        Raises VectorServerError where the server does not answer, or refuses.
        """
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = None
            try:
                used = connection or self._connected()
                try:
                    with used.transaction():
                        done = work(used)
                except BaseException:
                    used.close()
                    raise
            except psycopg.Error as error:
                if connection is not None and isinstance(error, psycopg.OperationalError):
                    continue
                why = " ".join(str(error).split()) or type(error).__name__
                raise VectorServerError(
                    f"Expected vectors from PostgreSQL at {self._address}; it says: {why[:200]}. See that it runs and "
                    "that you may use it, then ask again."
                ) from None
            self._idle.append(used)
            return done

    def _connected(self) -> psycopg.Connection[Any]:
        connection = psycopg.connect(
            self._address, autocommit=True, connect_timeout=10, keepalives_idle=10, tcp_user_timeout=30_000
        )
        try:
            connection.adapters.register_dumper(_Vector, _VectorDumper)
            if connection.execute("SELECT to_regclass('vectors.sets')").fetchone() == (None,):
                with connection.transaction():
                    connection.execute("SELECT pg_advisory_xact_lock(hashtext('priorscope vectors'))")
                    connection.execute(_SETS)
            found = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
            check_version(found[0] if found is not None else "none")
            connection.execute(_SETTINGS)
        except BaseException:
            connection.close()
            raise
        return connection


def _close(idle: deque[psycopg.Connection[Any]]) -> None:
    while idle:
        idle.pop().close()


_database = lru_cache(maxsize=16)(_Database)


def check_version(version: str) -> None:
    """Raise VectorServerError where pgvector is older than what goes on to search until enough rows pass a filter."""
    if tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) < _PGVECTOR:
        raise VectorServerError(f"Expected pgvector 0.8 or later in PostgreSQL, found {version}. Update it.")


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
        return [name for (name,) in _database(address).rows("SELECT name FROM vectors.sets ORDER BY name")]

    def state(self) -> TableState | None:
        """Return what the table says of itself; None before it is made."""
        columns = "fingerprint, dim, layout, precision, revision, version"
        found = self._database.rows(f"SELECT {columns} FROM vectors.sets WHERE name = %s", [self.name])
        return TableState(IndexForm(*found[0][:4]), *found[0][4:]) if found else None

    def keep_state(self, state: TableState) -> None:
        """Write it; makes the table where it is missing."""
        form = state.form
        query = (
            "INSERT INTO vectors.sets (name, fingerprint, dim, layout, precision, revision, version) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (name) "
            "DO UPDATE SET revision = excluded.revision, version = excluded.version RETURNING number"
        )
        values = [self.name, *astuple(form), state.revision, state.version]
        kind = f"{'vector' if form.precision == 'float32' else 'halfvec'}({form.dim})"

        def work(connection: psycopg.Connection[Any]) -> None:
            for (number,) in connection.execute(query, values).fetchall():
                connection.execute(_ROWS.format(rows=f"vectors.rows_{number}", type=kind))

        self._database.run(work)

    @cached_property
    def _known(self) -> tuple[str, IndexForm]:
        """The name of the table of rows, and what it holds rows of."""
        columns = "number, fingerprint, dim, layout, precision"
        found = self._database.rows(f"SELECT {columns} FROM vectors.sets WHERE name = %s", [self.name])
        if not found:
            raise VectorServerError(f"Expected {self.name} at {self.address}; it was removed. Ask again.")
        return f"vectors.rows_{found[0][0]}", IndexForm(*found[0][1:])

    def listed(self) -> list[HeldDocument]:
        """Return the documents held, in the order added."""
        query = f"SELECT document, count, added FROM {self._known[0]} WHERE number = 0 ORDER BY added, document"
        return [HeldDocument(*one) for one in self._database.rows(query)]

    def put(self, rows: TableRows) -> None:
        """Write rows, in place of those under the same keys."""
        table, form = self._known
        steps = PackedRows.of(rows.rows, "int8").steps if form.precision == "int8" else None
        each = np.ones(len(rows.keys), np.float32) if steps is None else steps
        vectors = rows.rows if form.precision == "float32" else PackedRows.of(rows.rows, "float16").codes
        said = np.column_stack([rows.counts, rows.added, rows.places]).tolist()
        values = [
            (*key, *labels, step, vector)
            for key, labels, step, vector in zip(rows.keys, said, each.tolist(), _sent(vectors), strict=True)
        ]
        changed = ", ".join(f"{one} = excluded.{one}" for one in _COLUMNS.split(", ")[2:])
        query = (
            f"INSERT INTO {table} ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) "
            f"ON CONFLICT (document, number) DO UPDATE SET {changed}"
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
        found = self._database.rows(query, values, binary=True)
        labels = np.array([one[2:7] for one in found], np.int64).reshape(len(found), 5)
        return TableRows([one[:2] for one in found], labels[:, 0], labels[:, 1], labels[:, 2:], _received(found, form))

    def nearest(self, queries: DenseRows, k: int, within: Sequence[str] | None) -> list[FoundKeys]:
        """Return the k nearest rows of each query (q, dim) by half vectors, with the rows."""
        table, form = self._known
        limit, among = ("", []) if within is None else ("WHERE document = ANY(%s)", [list(within)])
        order = f"row::halfvec({form.dim}) <#> %s"
        query = f"SELECT document, number, step, row FROM {table} {limit} ORDER BY {order} LIMIT {k}"

        def work(connection: psycopg.Connection[Any]) -> list[list[Any]]:
            connection.execute(f"SET LOCAL hnsw.ef_search = {min(1_000, max(100, 2 * k))}")
            cursor = connection.cursor(binary=True)
            return [cursor.execute(query, [*among, one]).fetchall() for one in _sent(queries.astype(np.float16))]

        answers = []
        for own, found in zip(queries, self._database.run(work), strict=True):
            rows = _received(found, form)
            answers.append(FoundKeys([one[:2] for one in found], rows @ own, rows))
        return answers

    def has_graph(self) -> bool:
        """Return whether near rows are found by a graph; otherwise all are compared."""
        query = "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND indisvalid"
        return bool(self._database.rows(query, [f"{self._known[0]}_graph"]))

    def make_graph(self) -> None:
        """Make the graph, if it is not there."""
        table, form = self._known
        name, kind = f"{table.partition('.')[2]}_graph", f"((row::halfvec({form.dim})) halfvec_ip_ops)"

        def work(connection: psycopg.Connection[Any]) -> None:
            connection.execute("SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '1GB'")
            connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {table} USING hnsw {kind}")

        if form.dim <= _WIDEST and not self.has_graph():
            self._database.run(work)

    def compact(self) -> None:
        """Leave the room of removed rows to PostgreSQL, which gives it back by itself (autovacuum)."""

    def drop(self) -> None:
        """Remove the table, if it is there."""
        if self.state() is not None:
            table = self._known[0]
            remove = f"DELETE FROM vectors.sets WHERE name = %s; DROP TABLE IF EXISTS {table}"
            self._database.run(lambda connection: psycopg.ClientCursor(connection).execute(remove, [self.name]))
            del self._known


def _sent(rows: DenseRows) -> list[_Vector]:
    """Return rows (n, dim) as PostgreSQL receives a vector: its length, two bytes of zero, its numbers."""
    head = rows.shape[1].to_bytes(2, "big") + b"\0\0"
    return [_Vector(head + row.tobytes()) for row in rows.astype(rows.dtype.newbyteorder(">"))]


def _received(found: Sequence[Sequence[Any]], form: IndexForm) -> DenseRows:
    """Return rows (n, dim) as they were before they were sent; their vectors and steps come last."""
    kind = ">f4" if form.precision == "float32" else ">f2"
    numbers = np.frombuffer(b"".join(one[-1][4:] for one in found), kind).astype(np.float32)
    rows = numbers.reshape(len(found), form.dim)
    if form.precision != "int8":
        return rows
    steps = np.array([one[-2] for one in found], np.float32)[:, None]
    return np.asarray(np.rint(rows / steps) * steps, np.float32)
