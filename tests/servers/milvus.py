"""Milvus for tests: the standalone server of the wheel `milvus` on free ports, and milvus-lite in this process."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pymilvus
from milvus import MilvusServer, MilvusServerConfig

_SECONDS = 120.0


class StandaloneMilvus:
    """One server with a folder of its own; its port stays the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        """Name its folder; `start` it then."""
        self._folder, self._port = folder, 0
        self._server: MilvusServer | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        ports = {"proxy_port": self._port} if self._port else {}
        self._server = MilvusServer(MilvusServerConfig(data_dir=str(self._folder), **ports))
        self._server.start()
        self._port = self._server.listen_port
        until = time.monotonic() + _SECONDS
        while True:
            try:
                pymilvus.MilvusClient(uri=self.address, timeout=5).list_collections()
                return
            except pymilvus.MilvusException:  # its proxy answers before the rest of it
                assert time.monotonic() < until

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        assert self._server is not None
        self._process.send_signal(signal.SIGKILL)
        self._server.stop()

    def pause(self) -> None:
        """Let it answer nothing until `resume`."""
        self._process.suspend()

    def resume(self) -> None:
        """Let it go on."""
        self._process.resume()

    def stop(self) -> None:
        """End it."""
        if self._server is not None:
            self._server.stop()

    @property
    def _process(self) -> psutil.Process:
        assert self._server is not None
        return psutil.Process(self._server.server_proc.pid)


@contextmanager
def running_milvus() -> Iterator[StandaloneMilvus]:
    """Run a server within the block."""
    with tempfile.TemporaryDirectory(prefix="milvus-") as folder:
        server = StandaloneMilvus(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
