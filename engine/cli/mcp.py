"""`priorscope mcp`: tools by which an agent asks the library, over the Model Context Protocol."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from engine import server
from engine.cli import app, options
from engine.cli.serve import NEEDS
from engine.core.errors import MissingExtraError
from engine.workspace import Workspace

_ADDRESS, _PORT = "127.0.0.1", 8601


def add_mcp(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_library(parser)
    parser.add_argument("--write", action="store_true", help="let agents import, collect and note, too")
    parser.add_argument(
        "--http",
        action="store_true",
        help="answer any number of agents of this machine over HTTP, not the one that starts the command",
    )
    parser.add_argument("--port", metavar="N", type=int, default=_PORT, help=f"the port of --http (default: {_PORT})")


def run_mcp(arguments: argparse.Namespace) -> None:
    """Answer until the agent closes its end, or until interrupted.

    Raises MissingExtraError without the extra, ConfigError for a port that is taken or that cannot be one.
    """
    try:
        serve = partial(server.serve_agents, port=arguments.port, say=_say) if arguments.http else server.serve_agent
    except ModuleNotFoundError as error:
        raise MissingExtraError(NEEDS.format(error.name)) from None
    if arguments.http:
        app.check_port(_ADDRESS, arguments.port)
    with Workspace(options.library_folder(arguments).absolute(), create=arguments.write) as workspace:
        serve(workspace, write=arguments.write)


def _say(where: str) -> None:
    print(where, file=sys.stderr, flush=True)
