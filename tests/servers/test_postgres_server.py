"""A library's server that is empty, foreign, later, killed, slow, gone or replaced, and what machines share there."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg
import pytest
from filelock import Timeout

from engine.cli.main import main
from engine.core.errors import ConfigError, LibraryError, MissingExtraError, StorageError
from engine.core.stores import SERVERS_VARIABLE, Stores, folder_of, keep_stores
from engine.documents import Document
from engine.library import LIBRARY_VARIABLE, Filters, Library, default_library, shared_lock
from engine.library import postgres as module
from engine.library.connections import SCHEMA_VERSION
from engine.library.database import Database
from engine.library.records import Added
from engine.server import AccessTokens
from engine.workspace.checks import check_all
from engine.workspace.reading_state import importing, is_being_read, is_worked_on, reading_alone
from tests.contracts.library_keeping import check_whole
from tests.library.records import KITES, POOLS
from tests.library.told import FILES, PER_FILE, documents
from tests.servers.postgres import PostgresServer, running_postgres

Machine = Callable[..., Path]


@pytest.fixture
def machine(tmp_path: Path, database: str) -> Machine:
    """Makes the folder that a machine has for the library on the server."""

    def made(name: str = "here", vectors: str = "") -> Path:
        keep_stores(tmp_path / name, Stores(documents=database, vectors=vectors))
        return tmp_path / name

    return made


@pytest.fixture(scope="module")
def mortal() -> Iterator[PostgresServer]:
    """A server of these tests alone, which may be killed."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a server that says nothing."""
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 1)
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 2)


def on(server: PostgresServer, tmp_path: Path) -> Path:
    keep_stores(tmp_path / "mortal", Stores(documents=server.make_database()))
    return tmp_path / "mortal"


def run_sql(address: str, *statements: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


# Opening -------------------------------------------------------------------------------------------


def test_an_empty_or_missing_database_holds_no_library(machine: Machine, tmp_path: Path, database: str) -> None:
    with pytest.raises(LibraryError, match=r"library at postgresql://.*; found an empty database or none. Make one"):
        Library.open(machine())
    keep_stores(tmp_path / "missing", Stores(documents=f"{database}-of-nobody"))
    for create in (False, True):
        with pytest.raises(LibraryError, match="-of-nobody; found an empty database or none"):
            Library.open(tmp_path / "missing", create=create)


@pytest.mark.parametrize("schema", ["public", "priorscope"])
def test_a_database_of_another_program_is_refused(machine: Machine, database: str, schema: str) -> None:
    run_sql(database, f"CREATE SCHEMA IF NOT EXISTS {schema}", f"CREATE TABLE {schema}.notes (note text)")
    with pytest.raises(StorageError, match=r"or an empty database, at .* found a database of another program"):
        Library.open(machine(), create=True)


def test_our_own_rows_may_come_before_the_documents(machine: Machine, database: str) -> None:
    run_sql(database, "CREATE SCHEMA vectors", "CREATE TABLE vectors.sets ()")
    with Library.open(machine(), create=True) as library:
        assert len(library) == 0


def test_a_library_of_a_later_version_is_refused(machine: Machine, database: str) -> None:
    Library.open(machine(), create=True).close()
    run_sql(database, "UPDATE priorscope.about SET schema = 99")
    with pytest.raises(StorageError, match=rf"of schema 9 to {SCHEMA_VERSION} at .* found schema 99, which a later"):
        Library.open(machine())


def test_it_is_brought_up_to_date_once_whoever_opens_it(
    machine: Machine, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Library.open(machine(), create=True).close()
    monkeypatch.setattr(module, "SCHEMA_VERSION", 11)
    steps = {10: "CREATE TABLE steps AS SELECT 10 AS step", 11: "INSERT INTO steps VALUES (11)"}
    monkeypatch.setattr(module, "_STEPS", steps)
    with ThreadPoolExecutor(4) as threads:
        for library in threads.map(Library.open, [machine()] * 4):
            library.close()
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT step FROM priorscope.steps ORDER BY step").fetchall() == [(10,), (11,)]


def test_many_make_one_library(machine: Machine) -> None:
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(lambda name: Library.open(machine(name), create=True), "abcd"))
    assert len({library.stamp() for library in opened}) == 1
    for library in opened:
        library.close()


def test_every_version_has_its_step() -> None:
    assert set(module._STEPS) == set(range(module._FIRST + 1, SCHEMA_VERSION + 1))


def test_its_tables_are_those_of_a_file(machine: Machine, database: str, tmp_path: Path) -> None:
    Library.open(machine(), create=True).close()
    columns = "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position"
    file = Database(tmp_path / "file.sqlite3")
    with psycopg.connect(database) as connection, file.read() as lines:
        tables = [name for (name,) in lines.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = [name for name in tables if not name.startswith("keywords")]
        for table in tables:
            held = [name for (_, name, *_) in lines.execute(f"PRAGMA table_info({table})")]
            assert [name for (name,) in connection.execute(columns, [table])] == held
    file.close()
    assert len(tables) > 20


def test_who_may_only_read_can_read(machine: Machine, database: str, tmp_path: Path) -> None:
    with Library.open(machine(), create=True) as library:
        library.add_file("k", "kites", [KITES])
    run_sql(
        database,
        "DROP ROLE IF EXISTS guest",
        "CREATE ROLE guest LOGIN",
        "GRANT USAGE ON SCHEMA priorscope TO guest",
        "GRANT SELECT ON ALL TABLES IN SCHEMA priorscope TO guest",
    )
    keep_stores(tmp_path / "guest", Stores(documents=database.replace("postgres@", "guest@")))
    with Library.open(tmp_path / "guest") as guest:
        assert guest.get([KITES.id]) == [KITES] and guest.ids(Filters(lines=("kites",))) == [KITES.id]
        with pytest.raises(StorageError, match="PostgreSQL says: permission denied"):
            guest.add_file("k2", "pools", [POOLS])
    with Library.open(machine(), read_only=True) as reader:
        assert reader.ids() == [KITES.id]
        with pytest.raises(StorageError, match="opened to be read only"):
            reader.add_file("k2", "pools", [POOLS])


def test_psycopg_is_asked_for_where_it_is_missing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "engine.library.postgres")
    with pytest.raises(MissingExtraError, match=r"pip install 'priorscope\[postgres\]'"):
        Library.open(machine(), create=True)


# Trouble -------------------------------------------------------------------------------------------


def test_a_dead_server_is_said_and_asked_again(mortal: PostgresServer, tmp_path: Path, hasty: None) -> None:
    with Library.open(on(mortal, tmp_path), create=True) as library:
        library.add_file("k", "kites", [KITES])
        mortal.kill()
        for _ in range(2):
            with pytest.raises(StorageError, match=r"PostgreSQL says: .* nothing is kept by halves"):
                library.get([KITES.id])
        with pytest.raises(StorageError, match="PostgreSQL says"):
            library.add_file("k2", "pools", [POOLS])
        with pytest.raises(StorageError, match="PostgreSQL says"):
            Library.open(tmp_path / "mortal")
        mortal.start()
        assert library.get([KITES.id]) == [KITES]
        assert library.add_file("k2", "pools", [POOLS]) == Added(1, 0)


def test_a_server_that_says_nothing_is_given_up_and_asked_again(
    mortal: PostgresServer, tmp_path: Path, hasty: None
) -> None:
    with Library.open(on(mortal, tmp_path), create=True) as library:
        library.add_file("k", "kites", [KITES])
        processes = mortal.processes()
        for process in processes:
            process.suspend()
        try:
            with pytest.raises(StorageError, match=r"PostgreSQL says: .*time"):
                library.get([KITES.id])
        finally:
            for process in processes:
                process.resume()
        assert library.get([KITES.id]) == [KITES]


@pytest.mark.parametrize("seed", range(2))
def test_a_server_killed_at_random_points_loses_nothing_that_was_told(
    mortal: PostgresServer, tmp_path: Path, seed: int, hasty: None
) -> None:
    draw, told = random.Random(seed), list[str]()
    with Library.open(on(mortal, tmp_path), create=True) as library:
        for number in range(FILES):
            key = f"key-{number}"
            killer = threading.Timer(draw.uniform(0, 0.4), mortal.kill)
            killer.start()
            try:
                library.add_file(key, f"file-{number}", documents(number))
                told.append(key)
            except StorageError:
                killer.join()
                mortal.start()
                assert {file.key for file in library.files()} >= set(told)
                library.add_file(key, f"file-{number}", documents(number))  # adds nothing where it was kept
                told.append(key)
            else:
                killer.cancel()
                killer.join()
                if not psutil.pid_exists(mortal.pid):
                    mortal.start()
        assert check_whole(library) == FILES and len(library) == FILES * PER_FILE


def test_a_library_that_was_replaced_is_opened_again(postgres: PostgresServer, tmp_path: Path) -> None:
    address = postgres.make_database()
    keep_stores(tmp_path, Stores(documents=address))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "kites", [KITES])
        run_sql(address, "DROP SCHEMA priorscope CASCADE")
        Library.open(tmp_path, create=True).close()
        assert library.is_in_place()
        with pytest.raises(StorageError, match="it was deleted or replaced meanwhile"):
            library.add_file("k2", "pools", [POOLS])
        assert not library.is_in_place()


def test_one_who_writes_is_not_waited_for_without_end(
    machine: Machine, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        module, "_SESSION", module._SESSION.replace("statement_timeout = '600s'", "statement_timeout = '1s'")
    )
    with Library.open(machine(), create=True) as library, psycopg.connect(database) as other:
        other.execute(f"SELECT pg_advisory_xact_lock({module._LOCK})")
        with pytest.raises(StorageError, match="waited for another who writes"):
            library.add_file("k", "kites", [KITES])
        other.rollback()
        assert library.add_file("k", "kites", [KITES]) == Added(1, 0)


# What machines share -------------------------------------------------------------------------------


def test_what_one_machine_writes_another_reads(machine: Machine) -> None:
    with Library.open(machine("here"), create=True) as here, Library.open(machine("there")) as there:
        stamp = there.stamp()
        here.add_file("k", "kites", [KITES])
        assert there.get([KITES.id]) == [KITES] and there.stamp() != stamp
        there.annotations.tag([KITES.id], "wind")
        assert here.ids(Filters(lines=("tag:wind",))) == [KITES.id]
        assert [hit.id for hit in there.keywords.search("kites", 3)] == [KITES.id]


def test_tokens_are_known_to_every_machine(machine: Machine) -> None:
    Library.open(machine(), create=True).close()
    here, there = AccessTokens(machine("here")), AccessTokens(machine("there"))
    assert here.all() == there.all() == ()
    secret = here.add("ada", "read")
    found = there.find(secret)
    assert found is not None and (found.name, found.scope) == ("ada", "read")
    with pytest.raises(ConfigError, match="which a token has"):
        there.add("ada", "write")
    there.remove("ada")
    assert here.find(secret) is None
    with pytest.raises(ConfigError, match="there is none"):
        here.remove("ada")


def test_one_machine_reads_at_a_time_where_vectors_are_shared(machine: Machine, database: str) -> None:
    with (
        Library.open(machine("here", database), create=True) as here,
        Library.open(machine("there", database)) as there,
    ):
        assert not is_being_read(there)
        with reading_alone(here, lambda _: None):
            assert is_being_read(there) and is_worked_on(there.folder)

            def give_up(_: object) -> None:
                raise InterruptedError

            with pytest.raises(InterruptedError), reading_alone(there, give_up):  # type: ignore[arg-type]
                pass
        assert not is_being_read(there)
        with importing(there):
            assert is_worked_on(here.folder)
        with reading_alone(there, lambda _: None):
            pass


def test_a_machine_that_is_gone_lets_go_of_its_lock(mortal: PostgresServer, tmp_path: Path, hasty: None) -> None:
    address = mortal.make_database()
    keep_stores(tmp_path, Stores(documents=address, vectors=address))
    Library.open(tmp_path, create=True).close()
    gone, next_ = shared_lock(tmp_path, "reading.lock"), shared_lock(tmp_path, "reading.lock")
    gone.acquire()
    with pytest.raises(Timeout):
        next_.acquire(timeout=0.05)
    mortal.kill()
    with pytest.raises(StorageError, match="PostgreSQL says"):
        next_.acquire(blocking=False)
    mortal.start()
    next_.acquire(timeout=5)
    for lock in (gone, next_):
        lock.release()


def test_each_machine_reads_for_itself_where_vectors_are_its_own(machine: Machine) -> None:
    with Library.open(machine("here"), create=True) as here, Library.open(machine("there")) as there:
        with reading_alone(here, lambda _: None):
            assert is_being_read(here) and not is_being_read(there)


# Naming it -----------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this machine keeps folders for libraries on servers."""
    monkeypatch.setenv(SERVERS_VARIABLE, str(tmp_path / "servers"))
    return tmp_path / "servers"


def test_a_command_takes_its_address(
    home: Path, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["documents", "--library", database]) == 2
    assert "found an empty database or none" in capsys.readouterr().err
    with Library.open(folder_of(database), create=True) as library:
        library.add_file("k", "kites", [KITES])
    monkeypatch.setenv(LIBRARY_VARIABLE, database)
    assert default_library() == folder_of(database)
    capsys.readouterr()
    assert main(["documents"]) == 0
    assert KITES.title in capsys.readouterr().out
    assert [one.state for one in check_all(default_library()) if one.about == "database"] == ["good"]
    assert main(["backup", str(tmp_path / "backup")]) == 2
    assert "Back it up with pg_dump" in capsys.readouterr().err
    assert main(["documents", "--library", "postgresql://me:secret@server/x"]) == 2
    assert "must not hold a password" in capsys.readouterr().err


def test_the_doctor_tells_of_what_is_damaged(machine: Machine, database: str) -> None:
    folder = machine()
    with Library.open(folder, create=True) as library:
        library.add_file("k", "kites", [KITES, Document("x", title="Reels")])
    assert Library.inspect(folder) == (SCHEMA_VERSION, 2, "")
    run_sql(database, "DELETE FROM priorscope.contents WHERE position = 1")
    (found,) = (one for one in check_all(folder) if one.about == "database")
    assert (found.state, found.found) == ("mend", "found damage: 1 of 2 documents lack their text")
