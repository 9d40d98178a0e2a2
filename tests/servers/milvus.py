"""A server of Milvus for tests: that of the wheel `milvus`, on free ports of this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import milvus
import pymilvus

_SECONDS = 120.0


class StandaloneMilvus:
    """One server with a folder of its own; its ports stay the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        """Unpack its programs; `start` it then."""
        self._folder = folder
        names = [name for name in milvus.MilvusServerConfig().configurable_items if name.endswith("_port")]
        self._health, peer, *ports = _free_ports(2 + len(names))
        wanted = dict(zip(names, ports, strict=True))
        milvus.MilvusServerConfig(data_dir=str(folder), **wanted).resolve()
        milvus._initialize_data_files(str(folder))
        self.address = f"http://127.0.0.1:{wanted['proxy_port']}"
        ours, others = f"http://127.0.0.1:{wanted['etcd_port']}", f"http://127.0.0.1:{peer}"
        settings = {"listen-client-urls": ours, "advertise-client-urls": ours, "listen-peer-urls": others}
        settings |= {"initial-advertise-peer-urls": others, "initial-cluster": f"default={others}"}
        (folder / "etcd.yaml").write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        program = self._folder / "bin" / "milvus"
        named = {"DEPLOY_MODE": "STANDALONE", "METRICS_PORT": self._health, "MILVUS_RUN_DIR": self._folder / "run"}
        named |= {"LD_LIBRARY_PATH": program.parent, "ETCD_CONFIG_PATH": self._folder / "etcd.yaml"}
        environment = os.environ | {name: str(value) for name, value in named.items()}
        with (self._folder / "log").open("ab") as log:
            command = [program, "run", "standalone"]
            self._process = subprocess.Popen(command, cwd=self._folder, env=environment, stdout=log, stderr=log)
        until = time.monotonic() + _SECONDS
        while True:
            try:
                pymilvus.MilvusClient(uri=self.address, timeout=5).list_collections(timeout=5)
                return
            except pymilvus.MilvusException:
                assert time.monotonic() < until and self._process.poll() is None, self._folder

    def send(self, number: signal.Signals) -> None:
        """Send it a signal: SIGSTOP lets it answer nothing until SIGCONT."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


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
            server.kill()
