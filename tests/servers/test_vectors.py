"""Rows on servers: what every index promises, over PostgreSQL and Milvus."""

from __future__ import annotations

import re
import signal

import pytest

from engine.core.errors import VectorServerError
from engine.core.stores import Stores
from engine.vectors import milvus as milvus_rows
from engine.vectors import served
from engine.vectors.milvus import MilvusTable
from engine.vectors.pgvector import PostgresTable, check_version
from engine.vectors.served import RowTable, TableState
from engine.vectors.storage import IndexForm
from tests.contracts.index import IndexContract
from tests.contracts.passages import PassageContract, SharedPassageContract
from tests.servers.milvus import StandaloneMilvus
from tests.servers.postgres import PostgresServer


@pytest.fixture(scope="session")
def pgvector(postgres: PostgresServer) -> str:
    """A database for rows."""
    return postgres.make_database()


class OnPostgres(IndexContract):
    @pytest.fixture(autouse=True)
    def server(self, pgvector: str) -> None:
        self.stores = Stores(vectors=pgvector)


class TestLoadedFromPostgres(OnPostgres):
    kind = "embedded"
    precision = "int8"
    tolerance = 0.5001 / 127


class TestFoundByPostgres(OnPostgres):
    kind, is_elsewhere = "binary", True


class TestBytesFoundByPostgres(OnPostgres):
    kind, is_elsewhere = "binary", True
    precision = "int8"
    tolerance = 0.5001 / 127


class TestHalvesFoundByPostgres(OnPostgres):
    kind, is_elsewhere = "binary", True
    precision = "float16"
    tolerance = 2**-11


class TestFoundByMilvus(IndexContract):
    kind, is_elsewhere = "binary", True
    precision = "int8"
    tolerance = 0.5001 / 127

    @pytest.fixture(autouse=True)
    def server(self, milvus: StandaloneMilvus) -> None:
        self.stores = Stores(vectors=milvus.address)


class OnMilvusLite(IndexContract):
    @pytest.fixture(autouse=True)
    def server(self, milvus_lite: str) -> None:
        self.stores = Stores(vectors=milvus_lite)


class TestLoadedFromMilvusLite(OnMilvusLite):
    kind = "embedded"


class TestFoundByMilvusLite(OnMilvusLite):
    kind, is_elsewhere = "binary", True
    precision = "int8"
    tolerance = 0.5001 / 127


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries of any size are too large to be read into memory, and have a graph."""
    monkeypatch.setattr(served, "_FEW", 0)


class TestPassagesLoadedFromPostgres(SharedPassageContract):
    @pytest.fixture(autouse=True)
    def server(self, pgvector: str) -> None:
        self.stores = Stores(vectors=pgvector)


@pytest.mark.usefixtures("many")
class TestPassagesFoundByPostgres(TestPassagesLoadedFromPostgres):
    pass


@pytest.mark.usefixtures("many")
class TestPassagesFoundByMilvus(SharedPassageContract):
    @pytest.fixture(autouse=True)
    def server(self, milvus: StandaloneMilvus, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stores = Stores(vectors=milvus.address)
        monkeypatch.setattr(MilvusTable, "make_graph", lambda _: None)  # which takes ten seconds


class TestPassagesLoadedFromMilvusLite(PassageContract):
    @pytest.fixture(autouse=True)
    def server(self, milvus_lite: str) -> None:
        self.stores = Stores(vectors=milvus_lite)


@pytest.mark.usefixtures("many")
class TestPassagesFoundByMilvusLite(TestPassagesLoadedFromMilvusLite):
    pass


# What is said ------------------------------------------------------------------------------------

FORM = IndexForm("f", 4, "dense", "float32")


def test_rows_that_another_process_removed_are_named(pgvector: str, milvus_lite: str) -> None:
    tables: tuple[RowTable, ...] = (PostgresTable(pgvector, "gone"), MilvusTable(milvus_lite, "gone"))
    for table in tables:
        table.keep_state(TableState(FORM))
        told = f"Expected the rows of 'd1' at {table.address}; another process removed them. Ask again."
        with pytest.raises(VectorServerError, match=re.escape(told)):
            table.fetch([("d1", 0)])
        table.drop()


def test_a_table_that_another_process_removed_is_named(pgvector: str) -> None:
    told = f"Expected nowhere at {pgvector}; it was removed. Ask again."
    with pytest.raises(VectorServerError, match=re.escape(told)):
        PostgresTable(pgvector, "nowhere").listed()


@pytest.mark.parametrize("version", ["0.7.4", "none"])
def test_a_pgvector_that_is_too_old_is_refused(version: str) -> None:
    with pytest.raises(VectorServerError, match=rf"^Expected pgvector 0\.8 or later in PostgreSQL, found {version}\. "):
        check_version(version)
    check_version("0.8.0")


def test_a_server_that_says_nothing_is_given_up_and_answers_again(
    milvus: StandaloneMilvus, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = MilvusTable(milvus.address, "paused")
    table.keep_state(TableState(FORM))
    monkeypatch.setattr(milvus_rows, "_SECONDS", 2.0)
    milvus.send(signal.SIGSTOP)
    try:
        with pytest.raises(VectorServerError, match=r"^Expected vectors from Milvus at .*; it says: .*ask again\.$"):
            table.state()
    finally:
        milvus.send(signal.SIGCONT)
    monkeypatch.undo()
    assert table.state() == TableState(FORM)
    table.drop()
