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
from tests.workspace.test_compute import told

_DEADLINE_SECONDS = 150.0
ENCODER = "student"


@dataclass(frozen=True)
class Cluster:
    """Where a cluster answers others and nodes of its own, and the process that keeps it."""

    client: str
    node: str
    process: psutil.Process

    def working(self) -> list[psutil.Process]:
        """The workers that do a piece of work now; each has its name from that."""
        found = []
        for one in self.process.children(recursive=True):
            with suppress(psutil.Error):
                if any(word.startswith("ray::perform") for word in one.cmdline()):
                    found.append(one)
        return found


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    environment = {
        **os.environ,
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "disabled",
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
        yield Cluster(client, node, psutil.Process(process.pid))
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
    """A command that runs, in a group of its own as at a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", "engine.cli.main", *words],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


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


def kill(workers: Callable[[], Sequence[psutil.Process]], count: int, process: subprocess.Popen[str]) -> None:
    """Kill workers in the middle of what they do, one after the other."""
    for _ in range(count):
        with suppress(psutil.NoSuchProcess):
            until(workers, process).kill()


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
def test_a_command_is_stopped_and_goes_on_from_there(
    cluster: Cluster, files: Path, plain: Library, tmp_path: Path
) -> None:
    """The cluster is the one that this machine belongs to."""
    words = ("import", str(files), "--library", str(tmp_path / "library"), "--encoder", ENCODER, "--ray", "auto")
    with started(*words, RAY_ADDRESS=cluster.node) as process:
        until(cluster.working, process)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=_DEADLINE_SECONDS)[1]
    assert (process.returncode, said.splitlines()[-1]) == (130, "priorscope: interrupted; what was whole is kept.")
    command(*words, RAY_ADDRESS=cluster.node)
    check_same(tmp_path / "library", plain)


ASKED = """
import sys
from engine.core.errors import EngineError
from engine.workspace import compute
from tests.workspace.test_compute import ask

address, gpus, version = sys.argv[1:]
if version:
    compute.version = lambda: version
try:
    with compute.open_workers(ray=address, gpus=float(gpus)) as workers:
        print(workers.count)
        print(ask(workers, "name_processor")["said"])
        ask(workers, "absent")
except EngineError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("gpus", "version", "said"),
    [
        (0, "", ["4", " 1", "to go on; AttributeError: module 'tests.workspace.worker_jobs' has no attribute"]),
        (0.5, "", ["4", "0 1", "to go on; AttributeError: "]),
        (2, "", ["to have a processor and 2 GPUs for a worker; it has 2 and 1. Name fewer GPUs, or"]),
        (0, "9.9", ["4", "Expected Priorscope 9.9 on every worker, found "]),
    ],
)
def test_what_a_cluster_gives_its_workers_and_lacks(
    cluster: Cluster, gpus: float, version: str, said: list[str]
) -> None:
    words = [sys.executable, "-c", ASKED, cluster.client, str(gpus), version]
    run = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, timeout=_DEADLINE_SECONDS, check=True)
    *lines, last = run.stdout.splitlines()
    assert lines == said[:-1] and said[-1] in last


def test_a_port_of_something_else_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"ray://127.0.0.1:{server.getsockname()[1]}"
        said = command("encode", "--ray", address, code=2, RAY_CLIENT_INITIAL_CONNECTION_TIMEOUT_S="1")
    assert said.startswith(
        f"priorscope: Expected the Ray cluster at {address} to answer; ray client connection timeout"
    )


@pytest.mark.timeout(300)
def test_a_cluster_of_this_machine_alone_is_closed_to_others_and_ends_with_the_command(tmp_path: Path) -> None:
    words = (
        "import",
        str(PROJECT / "assets" / "examples"),
        "--library",
        str(tmp_path / "library"),
        "--encoder",
        "tfidf",
    )
    with started(*words, "--ray", "local", "--workers", "1", HOME=str(tmp_path)) as process:
        own = psutil.Process(process.pid)
        raylet = until(lambda: [one for one in own.children(recursive=True) if one.name() == "raylet"], process)
        environment = raylet.environ()
        said = "".join(process.communicate(timeout=_DEADLINE_SECONDS))
    assert process.returncode == 0 and "6 documents from 6 files added" in said
    assert environment["RAY_AUTH_MODE"] == "token" and len(environment["RAY_AUTH_TOKEN"]) == 64
    assert environment["RAY_USAGE_STATS_ENABLED"] == "0"
    assert not raylet.is_running() and not (tmp_path / ".ray").exists()
