"""A server in a thread of its own, on a real socket, over a small library of our own texts."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from starlette.types import ASGIApp

from engine.library import Library
from engine.server import AccessTokens, application, create_app
from engine.server.address import ServingSettings
from engine.server.serving import _server, guarded
from engine.workspace import Workspace
from engine.workspace.indexing import encoder_for, index_library
from tests.search.library import DOCUMENTS

ENCODER = "tfidf"


@dataclass(frozen=True)
class Served:
    """A running server: its library, its tokens, and where it listens."""

    workspace: Workspace
    tokens: AccessTokens
    port: int
    stack: ExitStack

    def client(self, token: str = "", **headers: str) -> httpx2.Client:
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        base = f"http://127.0.0.1:{self.port}/v1"
        return self.stack.enter_context(httpx2.Client(base_url=base, headers=headers, timeout=60))

    def raw(self, request: bytes) -> bytes:
        """What comes back for bytes that no well-behaved client would send."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(request)
            answer = b""
            while part := connection.recv(65_536):
                answer += part
            return answer


@contextmanager
def listening(app: ASGIApp) -> Iterator[int]:
    """Serve an application in a thread within the block; the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = _server(app)
    server.config.timeout_graceful_shutdown = 2
    begun = threading.Event()
    startup = server.startup

    async def told(sockets: list[socket.socket] | None = None) -> None:
        await startup(sockets)
        begun.set()

    server.startup = told  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server")
    thread.start()
    try:
        assert begun.wait(60)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that every test starts from: encoding it takes longer than copying it."""
    folder = tmp_path_factory.mktemp("served") / "library"
    with Library.open(folder, create=True) as library:
        library.add_file("key", "texts", DOCUMENTS)
        index_library(library, encoder_for(library, ENCODER))
    return folder


Serving = Callable[..., Served]


def end_jobs(workspace: Workspace) -> None:
    """Stop what a test put in line: it would go on beside later tests, and hold up the end of the process."""
    for job in workspace.jobs.in_line()[::-1]:
        workspace.jobs.cancel(job.number)
        assert job.finished.wait(60)


@contextmanager
def starting(folder: Path, read_once: Path) -> Iterator[Callable[..., Served]]:
    """What starts servers over a copy of the library; each is ended with the block."""
    shutil.copytree(read_once, folder)
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "begin_work", lambda workspace: None)  # nothing is read while a test asks
        patch.setattr(Workspace, "warm", lambda self, name: None)

        def start(settings: ServingSettings = ServingSettings()) -> Served:  # noqa: B008  it is frozen
            workspace = stack.enter_context(Workspace(folder))
            stack.callback(end_jobs, workspace)
            app = guarded(create_app(workspace), folder, settings)
            return Served(workspace, AccessTokens(folder), stack.enter_context(listening(app)), stack)

        yield start


@pytest.fixture
def serving(tmp_path: Path, read_once: Path) -> Iterator[Callable[..., Served]]:
    with starting(tmp_path / "library", read_once) as start:
        yield start


@pytest.fixture
def served(serving: Callable[..., Served]) -> Served:
    return serving()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, read_once: Path) -> Iterator[Served]:
    """A server for all tests of a module that change nothing."""
    with starting(tmp_path_factory.mktemp("shared") / "library", read_once) as start:
        yield start()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A library for agents, read, and the id of its paper with pages; nothing changes it."""
    from tests.server.agent import make_library  # brings the SDK

    folder = tmp_path_factory.mktemp("agents") / "library"
    return folder, make_library(folder)
