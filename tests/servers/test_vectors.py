"""Rows on servers: what every index promises, over PostgreSQL and Milvus."""

from __future__ import annotations

import pytest

from engine.core.stores import Stores
from engine.vectors import served
from engine.vectors.milvus import MilvusTable
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
