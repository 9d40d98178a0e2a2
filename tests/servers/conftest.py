"""The servers that these tests need, each started once a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.postgres import PostgresServer, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server of PostgreSQL, which has pgvector."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty database, which goes with the test."""
    address = postgres.new_database()
    yield address
    postgres.drop(address)
