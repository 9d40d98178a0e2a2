"""`priorscope mcp`: tools by which an agent asks the library, over the Model Context Protocol."""

from __future__ import annotations

import argparse
import sys

from engine.cli import options
from engine.cli.serve import server_room
from engine.workspace import Workspace

_PORT = 8601


def add_mcp(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("mcp")
    options.add_library(parser)
    parser.add_argument("--write", action="store_true", help="let agents import, collect and note, too")
    parser.add_argument(
        "--http",
        metavar="PORT",
        type=int,
        nargs="?",
        const=_PORT,
        help="answer at this port of this machine, to any number of agents (default port: %(const)s), not on standard "
        "input and output, to the one that starts the command",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Answer until the agent closes the input, or until interrupted.

    Raises MissingExtraError without the extra, ConfigError for a port that is taken.
    """
    server = server_room("serve_agent")
    with Workspace(options.library_folder(arguments).absolute(), create=arguments.write) as workspace:
        if arguments.http is None:
            server.serve_agent(workspace, write=arguments.write)
        else:
            server.serve_agents(workspace, port=arguments.http, write=arguments.write, say=_say)


def _say(where: str) -> None:
    print(where, file=sys.stderr, flush=True)
