"""The servers that these tests need, each started once a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.milvus import StandaloneMilvus, running_milvus
from tests.servers.postgres import PostgresServer, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server of PostgreSQL, which has pgvector."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty database, which goes with the test."""
    with postgres.new_database() as address:
        yield address


@pytest.fixture(scope="session")
def milvus() -> Iterator[StandaloneMilvus]:
    """A server of Milvus."""
    with running_milvus() as server:
        yield server


@pytest.fixture(scope="session")
def milvus_lite(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a Milvus in this process."""
    return f"milvus-lite://{tmp_path_factory.mktemp('milvus')}/vectors.db"
