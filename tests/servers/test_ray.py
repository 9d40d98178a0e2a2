"""A real cluster of Ray, of two nodes on this machine: the same library as one process makes, whatever is killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
import pytest

from engine import encoders
from engine.library import Library
from engine.search import PassageEncoder
from engine.workspace.indexing import open_vectors
from engine.workspace.passages import open_passages
from tests.conftest import PROJECT
from tests.mixed import make
from tests.workspace.test_workers import told

_DEADLINE_SECONDS = 150.0
ENCODER = "student"


@dataclass(frozen=True)
class Cluster:
    """Where a cluster answers others and nodes of its own, and the process that keeps it."""

    client: str
    node: str
    process: subprocess.Popen[str]

    def working(self, raylet: int | None = None) -> list[psutil.Process]:
        """The workers that do a piece of work now, those of one node or all; each has its name from that."""
        found = []
        for one in psutil.Process(raylet or self.process.pid).children(recursive=True):
            with suppress(psutil.Error):
                if any(word.startswith("ray::_work_on_ray") for word in one.cmdline()):
                    found.append(one)
        return found

    def add_node(self) -> int:
        """Add a node; the process that it is."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(json.loads(self.process.stdout.readline()))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    environment = {
        **os.environ,
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "disabled",
        "GRPC_ENABLE_FORK_SUPPORT": "false",  # with which the server of clients now and then fails to start one
        "PYTHONPATH": str(PROJECT),
    }
    with subprocess.Popen(
        [sys.executable, "-m", "tests.servers.ray_cluster"],
        cwd=PROJECT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        client, node = json.loads(process.stdout.readline())
        yield Cluster(client, node, process)
        process.stdin.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good and broken files of every format, and long ones, so that passages are read."""
    folder = tmp_path_factory.mktemp("files")
    make(folder, 42, 7)
    words = " ".join(page.read_text("utf-8") for page in sorted((PROJECT / "docs").glob("*.md"))).split()
    for number in range(10):
        text = " ".join(words[450 * number : 450 * number + 1_300])
        (folder / f"book {number}.md").write_text(f"# Book {number}\n\n{text}\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def plain(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The library of one process."""
    folder = tmp_path_factory.mktemp("plain") / "library"
    command("import", str(files), "--library", str(folder), "--encoder", ENCODER)
    with Library.open(folder) as library:
        yield library


def started(*words: str, **environment: str) -> subprocess.Popen[str]:
    """A command that runs, in a group of its own as at a terminal, where Ctrl-C is not ignored."""
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "engine.cli.main", *words],
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, ours)


def command(*words: str, code: int = 0, **environment: str) -> str:
    """What a command says; it ends with a code."""
    with started(*words, **environment) as process:
        said = "".join(process.communicate(timeout=_DEADLINE_SECONDS))
    assert process.returncode == code, said
    return said


def until(found: Callable[[], Sequence[psutil.Process]], process: subprocess.Popen[str]) -> psutil.Process:
    """The first of some processes, once there is one, while a command runs."""
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while not (seen := found()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return seen[0]


def kill(workers: Callable[[], Sequence[psutil.Process]], count: int, process: subprocess.Popen[str]) -> None:
    """Kill workers in the middle of what they do, one after the other."""
    for _ in range(count):
        with suppress(psutil.NoSuchProcess):
            until(workers, process).kill()


def check_same(folder: Path, plain: Library) -> None:
    """Hold a library against that of one process: documents, files, failures, notes, vectors and passages."""
    with Library.open(folder) as library:
        assert told(library) == told(plain)
        ids, encoder, reader = plain.ids(), encoders.load(ENCODER), PassageEncoder()
        rows = [open_vectors(one, encoder).rows(ids) for one in (library, plain)]
        np.testing.assert_allclose(*rows, atol=1e-6)
        ours, theirs = (open_passages(one, reader).view() for one in (library, plain))
        assert ours.names == theirs.names and ours.owner.tolist() == theirs.owner.tolist() and len(theirs.owner)
        everything = np.arange(len(theirs.owner))
        np.testing.assert_allclose(ours.rows(everything), theirs.rows(everything), atol=1e-6)


@pytest.mark.timeout(600)
def test_workers_are_killed_and_nothing_is_lost_or_doubled(
    cluster: Cluster, files: Path, plain: Library, tmp_path: Path
) -> None:
    words = ("--library", str(tmp_path / "library"), "--encoder", ENCODER, "--ray", cluster.client)
    with started("import", str(files), *words) as process:
        assert process.stderr
        kill(cluster.working, 2, process)
        while "import files" not in (line := process.stderr.readline()):
            assert line
        kill(cluster.working, 2, process)
        said = "".join(process.communicate(timeout=_DEADLINE_SECONDS))
    assert process.returncode == 0, said
    check_same(tmp_path / "library", plain)


@pytest.mark.timeout(600)
def test_a_machine_is_lost_and_nothing_of_the_library(
    cluster: Cluster, files: Path, plain: Library, tmp_path: Path
) -> None:
    raylet = cluster.add_node()
    words = ("--library", str(tmp_path / "library"), "--encoder", ENCODER, "--ray", cluster.node)
    with started("import", str(files), *words) as process:
        until(lambda: cluster.working(raylet), process)
        psutil.Process(raylet).kill()
        said = "".join(process.communicate(timeout=_DEADLINE_SECONDS))
    assert process.returncode == 0, said
    assert "raylet" not in said, said
    check_same(tmp_path / "library", plain)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("who", [("--workers", "2"), ("--ray", "auto")])
def test_a_command_is_stopped_and_goes_on_from_there(
    cluster: Cluster, files: Path, plain: Library, tmp_path: Path, who: tuple[str, str]
) -> None:
    """The cluster is the one that this machine belongs to."""
    words = ("import", str(files), "--library", str(tmp_path / "library"), "--encoder", ENCODER, *who)
    with started(*words, RAY_ADDRESS=cluster.node) as process:
        own = psutil.Process(process.pid)
        working = cluster.working if "--ray" in who else lambda: own.children(recursive=True)[2:]
        until(working, process)
        children = own.children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=_DEADLINE_SECONDS)[1]
    assert (process.returncode, said.splitlines()[-1]) == (130, "priorscope: interrupted; what was whole is kept.")
    assert not psutil.wait_procs([*children, *cluster.working()], timeout=30)[1]
    command(*words, RAY_ADDRESS=cluster.node)
    check_same(tmp_path / "library", plain)


ASKED = """
import sys
from engine.core.errors import EngineError
from engine.workspace import workers
from tests.workspace import worker_jobs
from tests.workspace.test_workers import ask

address, gpus, version = sys.argv[1:]
if version:
    workers.version = lambda: version
try:
    with workers.open_workers(ray=address, gpus=float(gpus)) as opened:
        print(opened.count)
        print(ask(opened, worker_jobs.name_processor))
        print(ask(opened, worker_jobs.name_processor, encodes=True))
        try:
            ask(opened, worker_jobs.refuse, "this")
        except EngineError as error:
            print(error)
        try:
            ask(opened, worker_jobs.end)
        except EngineError as error:
            print(error)
        ask(opened, worker_jobs.fail)
except EngineError as error:
    print(error)
"""
REFUSED = ["Expected more than this. Fetch it again.", "Expected a worker's answer; 3 workers ended over the same work"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", ["client", "node"])
@pytest.mark.parametrize(
    ("gpus", "version", "expected"),
    [
        (
            0,
            "",
            ["2", " 1", " 1", *REFUSED, "to go on; AttributeError: no such name. Is the same Priorscope installed"],
        ),
        (0.5, "", ["2", " 1", "0 1", *REFUSED, "to go on; AttributeError: no such name."]),
        (2, "", ["to have a processor and 2 GPUs for a worker; it has 2 and 1. Name fewer GPUs, or"]),
        (0, "9.9", ["2", "Expected Priorscope 9.9 on every worker, found "]),
    ],
)
def test_what_a_cluster_gives_its_workers_and_lacks(
    cluster: Cluster, way: str, gpus: float, version: str, expected: list[str]
) -> None:
    words = [sys.executable, "-c", ASKED, getattr(cluster, way), str(gpus), version]
    run = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, timeout=_DEADLINE_SECONDS, check=True)
    lines = run.stdout.splitlines()
    assert len(lines) == len(expected), lines
    for line, part in zip(lines, expected, strict=True):
        assert part in line


def test_a_port_of_something_else_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"ray://127.0.0.1:{server.getsockname()[1]}"
        said = command("encode", "--ray", address, code=2, RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S="1")
    assert said == (
        f"priorscope: Expected the Ray cluster at {address} to answer; ConnectionError: ray client connection timeout. "
        "Is it running?\n"
    )


def test_a_cluster_that_is_gone_is_told_soon() -> None:
    """Also where something else listens at its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        begun = time.monotonic()
        said = command("encode", "--ray", "auto", code=2, RAY_ADDRESS=address)
        assert time.monotonic() - begun < 40  # 12 on a machine at rest, where Ray alone takes minutes
    assert said.startswith("priorscope: Expected the Ray cluster at auto to answer; ConnectionError: ")
    assert said.count("\n") == 1
