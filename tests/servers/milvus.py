"""Milvus for tests: the standalone server of the wheel `milvus` on free ports, and milvus-lite in this process."""

from __future__ import annotations

import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pymilvus
import pytest
from milvus import MilvusServer, MilvusServerConfig

_SECONDS = 120.0


class StandaloneMilvus:
    """One server with a folder of its own; its port stays the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        """Name its folder; `start` it then."""
        self._folder = folder
        names = [name for name in MilvusServerConfig().configurable_items if name.endswith("_port")]
        peer, self._health, *ports = _free_ports(2 + len(names))
        self._ports = dict(zip(names, ports, strict=True))
        ours, others = f"http://127.0.0.1:{self._ports['etcd_port']}", f"http://127.0.0.1:{peer}"
        settings = {"listen-client-urls": ours, "advertise-client-urls": ours, "listen-peer-urls": others}
        settings |= {"initial-advertise-peer-urls": others, "initial-cluster": f"default={others}"}
        (folder / "etcd.yaml").write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))
        self._server: MilvusServer | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._ports['proxy_port']}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._server = MilvusServer(MilvusServerConfig(data_dir=str(self._folder / "milvus"), **self._ports))
        self._server.webservice_port = self._health
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ETCD_CONFIG_PATH", str(self._folder / "etcd.yaml"))  # else every server takes one port
            self._server.start()
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


def _free_ports(count: int) -> list[int]:
    """Ports that nothing listens on."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


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
