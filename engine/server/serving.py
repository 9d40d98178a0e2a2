"""The server as a process: alone, or beside the page in the page's own process, on one port and with one workspace."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from engine.core.errors import ConfigError
from engine.server.access import Access, is_api
from engine.server.address import SERVED_AT, ServingSettings, is_loopback
from engine.server.agents.protocol import PATH, mcp_application
from engine.server.application import create_app
from engine.server.tokens import AccessTokens
from engine.workspace import Workspace

_LOG = logging.getLogger("priorscope")
_ADDRESS = "127.0.0.1"
_MOST_AT_ONCE = 200
"""Connections; one more is told to come again."""
_SECONDS_FOR_A_HEAD = 10.0
"""How long a connection has to send the head of a request: idle ones would soon take every place."""
_SECONDS_TO_END = 5


def guarded(app: ASGIApp, library: Path, settings: ServingSettings) -> Access:
    """Return an application behind what checks who asks, as the address that it listens at demands."""
    tokens = AccessTokens(library)
    return Access(app, hosts=settings.hosts, tokens=tokens, needs_token=settings.needs_token)


def check_tokens(library: Path, settings: ServingSettings) -> None:
    """Raise ConfigError where every caller must show a token, and the library has none."""
    if settings.needs_token and not AccessTokens(library).all():
        where = settings.address if is_loopback(settings.address) else f"{settings.address}, which other machines reach"
        raise ConfigError(
            f"Expected a token before the library is served at {where}; it has none. "
            "Make one: priorscope token add NAME --scope read."
        )


def serve(workspace: Workspace, settings: ServingSettings, *, port: int) -> None:
    """Answer requests until interrupted. Raises ConfigError where a token is missing."""
    check_tokens(workspace.folder, settings)
    log_requests()
    app = guarded(create_app(workspace, agents_write=settings.agents_write), workspace.folder, settings)
    address = settings.address
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address.strip("[]"), port), family=family, backlog=_MOST_AT_ONCE) as listening:
        shown = f"[{address}]" if ":" in address else address
        here = f"http://{shown}:{listening.getsockname()[1]}/v1"
        _LOG.info("Priorscope answers at %s; %s/docs shows what it answers.", here, here)
        _server(app).run(sockets=[listening])


def serve_agents(workspace: Workspace, *, port: int, write: bool = False, say: Callable[[str], None]) -> None:
    """Answer agents of this machine over HTTP, at a free port, until interrupted; `say` hears where."""
    app = guarded(mcp_application(workspace, write=write), workspace.folder, ServingSettings())
    with socket.create_server((_ADDRESS, port)) as listening:
        say(f"Agents are answered at http://{_ADDRESS}:{port}{PATH}")
        _server(app).run(sockets=[listening])


class _PromptProtocol(H11Protocol):
    """HTTP over a connection that is closed where the head of its next request does not come in time."""

    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._watch()

    def _watch(self) -> None:
        """Begin to wait for a head, or stop: one that comes byte by byte has no longer."""
        if not self._waits and self._due is not None:
            self._due.cancel()
            self._due = None
        elif self._waits and self._due is None:
            self._due = self.loop.call_later(_SECONDS_FOR_A_HEAD, self._give_up)

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered; a connection that became a socket has left."""
        return self in self.connections and (self.cycle is None or self.cycle.response_complete)

    def _give_up(self) -> None:
        if self._waits:  # a request that was read ahead may have begun
            self.transport.close()


def _server(app: ASGIApp) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=_PromptProtocol,
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=_MOST_AT_ONCE,
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
    )


def log_requests() -> None:
    """Write a line for each request to standard error: the token's name, the method, the path, the status, the time."""
    if not _LOG.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
        _LOG.addHandler(handler)
    _LOG.setLevel(logging.INFO)
    _LOG.propagate = False


class BesidePage:
    """Stands before the page: answers what is asked of the server in the same process, from the same workspace."""

    def __init__(self, app: ASGIApp, *, workspace: Workspace) -> None:
        """Take the page's application, and the workspace that it shows; the environment says where both listen."""
        settings = ServingSettings.from_text(os.environ[SERVED_AT])
        self._page, self._api = app, create_app(workspace, agents_write=settings.agents_write)
        self._guarded = guarded(self._either, workspace.folder, settings)
        log_requests()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the server or to the page; begin and end both together."""
        if scope["type"] == "lifespan":
            async with self._api.router.lifespan_context(self._api):
                await self._page(scope, receive, send)
        else:
            await self._guarded(scope, receive, send)

    async def _either(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._api if is_api(scope["path"]) else self._page)(scope, receive, send)
