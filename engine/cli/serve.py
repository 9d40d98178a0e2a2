"""`priorscope serve`, `token` and `mcp`: the engine for scripts and agents, and who may ask it over HTTP."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from engine import server
from engine.cli import app, options
from engine.core.errors import MissingExtraError
from engine.server import PORT, ServingSettings
from engine.workspace import Workspace

_ADDRESS = "127.0.0.1"
_MCP = 8601
_NEEDS = (
    "Expected the libraries that serve; {} is not installed. Install them: pip install 'priorscope[server]', or in a "
    "checkout pip install -e '.[server]'."
)


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_library(parser)
    parser.add_argument("--port", metavar="N", type=int, default=PORT, help=f"the port (default: {PORT})")
    parser.add_argument(
        "--address",
        metavar="HOST",
        default=_ADDRESS,
        help="where to listen; any other address than this machine's own asks every caller for a token "
        f"(default: {_ADDRESS})",
    )
    parser.add_argument(
        "--host-name",
        metavar="NAME",
        action="append",
        default=[],
        help="a name that callers use for it, who must all show a token then; repeatable",
    )
    parser.add_argument(
        "--write", action="store_true", help="give agents at /mcp tools to import, collect and note, too"
    )
    parser.add_argument(
        "--ask-token",
        action="store_true",
        help="ask every caller for a token at this machine's own address, too: needed behind a proxy on this machine",
    )
    parser.add_argument("--app", action="store_true", help="serve the app at the same port, too")


def run_serve(arguments: argparse.Namespace) -> None:
    """Serve until interrupted.

    Raises MissingExtraError without the extra, ConfigError for a port in use or where a token is missing.
    """
    serve = _loaded(lambda: server.serve)
    app.check_port(arguments.address, arguments.port)
    folder = options.library_folder(arguments).absolute()
    names = (*arguments.host_name, *app.names_at(arguments.address))
    asks_all = arguments.ask_token or bool(arguments.host_name)  # a proxy of this machine may stand before it
    settings = ServingSettings(arguments.address, names, arguments.write, asks_all)
    with Workspace(folder, create=True) as workspace:
        workspace.library  # noqa: B018  a library that cannot be opened is told now
        server.check_tokens(folder, settings)
        if not arguments.app:
            serve(workspace, settings, port=arguments.port)
            return
    more = {server.SERVED_AT: settings.to_text()}
    app.run_page(folder, arguments.address, arguments.port, names=arguments.host_name, more=more)


def add_token(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("action", choices=("add", "list", "remove"), help="what to do")
    parser.add_argument("name", metavar="NAME", nargs="?", help="who holds the token; it stands in the server's log")
    parser.add_argument(
        "--scope",
        choices=("read", "write"),
        default="read",
        help="whether its holder may only ask, or also import, collect, note, screen and remove (default: read)",
    )
    options.add_shared(parser)


def run_token(arguments: argparse.Namespace) -> None:
    """Add a token and show it once, list the names, or remove one."""
    if (arguments.name is None) != (arguments.action == "list"):
        arguments.refuse("argument NAME: needed to add or remove a token, and only there")
    _loaded(lambda: server.create_app)  # a token is of use where it can serve
    with Workspace(options.library_folder(arguments), create=arguments.action == "add") as workspace:
        tokens = server.AccessTokens(workspace.library.folder)
        if arguments.action == "add":
            secret = tokens.add(arguments.name, arguments.scope)
            told = f"{secret}\nIt is shown this once. Send it with each request: Authorization: Bearer TOKEN"
            options.say(arguments, {"name": arguments.name, "scope": arguments.scope, "token": secret}, told)
        elif arguments.action == "remove":
            tokens.remove(arguments.name)
            options.say(arguments, {"removed": arguments.name}, f"{arguments.name} lets nobody in any more.")
        else:
            rows = [{key: value for key, value in asdict(one).items() if key != "sha256"} for one in tokens.all()]
            lines = [f"{row['name']}  {row['scope']}  made {row['made']}" for row in rows]
            options.say(arguments, rows, "\n".join(lines) or "No token yet; only this machine may ask.")


def add_mcp(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_library(parser)
    parser.add_argument("--write", action="store_true", help="let agents import, collect and note, too")
    parser.add_argument(
        "--http",
        action="store_true",
        help="answer any number of agents of this machine over HTTP, not the one that starts the command",
    )
    parser.add_argument("--port", metavar="N", type=int, default=_MCP, help=f"the port of --http (default: {_MCP})")


def run_mcp(arguments: argparse.Namespace) -> None:
    """Answer until the agent closes its end, or until interrupted.

    Raises MissingExtraError without the extra, ConfigError for a port that is taken or that cannot be one.
    """
    serve = _loaded(lambda: server.serve_agents if arguments.http else server.serve_agent)
    if arguments.http:
        app.check_port(_ADDRESS, arguments.port)
        serve = partial(serve, port=arguments.port, say=partial(print, file=sys.stderr, flush=True))
    with Workspace(options.library_folder(arguments).absolute(), create=arguments.write) as workspace:
        serve(workspace, write=arguments.write)


def _loaded(find: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """Return what is found in the server's room. Raises MissingExtraError where its libraries are not installed."""
    try:
        return find()
    except ModuleNotFoundError as error:
        raise MissingExtraError(_NEEDS.format(error.name)) from None
