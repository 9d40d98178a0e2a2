"""Find the command that was asked for, run it, and turn a user's error into one line and exit code 2."""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence

from engine.cli.terminal import Parser, exit_code_of
from engine.core.provenance import version

COMMANDS = {
    "app": "open the app in your browser",
    "serve": "answer scripts and agents over HTTP, with the app beside it if you like",
    "token": "let other machines ask the server: add, list and remove tokens",
    "samples": "get the sample library: 26,277 real papers and patents",
    "import": "add files and folders of papers and patents to the library",
    "encode": "make the vectors and passages of the library that are missing",
    "remove": "take documents, or all that a file brought, out of the library",
    "library": "show what the library holds, and the copies of PDFs that it keeps",
    "backup": "back up the library while it is in use",
    "restore": "bring a library back from its backup",
    "move": "copy a library from its folder to a server, or back",
    "doctor": "check what is installed, and that the library is whole",
    "documents": "list the library's documents; note, tag and screen them",
    "read": "show what is read from a paper or a patent",
    "page": "show a passage on the page of its PDF",
    "salient": "show which sentences of a document to read first, and its key words",
    "search": "find what lies near a paper or a patent, and why",
    "coverage": "show which parts of a document the library already says, which it comes close to, and which it lacks",
    "compare": "compare two long documents by sections, chunks and passages",
    "map": "fit the map of a library and place a document on it",
    "mcp": "let an agent ask the library, over the Model Context Protocol",
    "recent": "list recent searches and comparisons, or forget them",
    "collections": "keep documents of the library in named collections",
    "encoders": "list the encoders, or add a model of your own",
    "evaluate": "measure encoders on a benchmark",
    "bake-off": "judge two rankings of your own questions blind, and hear which finds more",
    "train": "train an encoder's weights by a recipe",
}
"""Every command, and what it is for: said here, so that only the module of the one that runs is imported."""

_FAMILIES = {
    **dict.fromkeys(("samples", "import", "encode", "remove"), "library"),
    **dict.fromkeys(("restore", "move", "doctor"), "backup"),
    "collections": "documents",
    **dict.fromkeys(("token", "mcp"), "serve"),
    **dict.fromkeys(("page", "salient"), "read"),
    "bake-off": "evaluate",
}
"""The module of each command that has none of its own name."""
_VERBOSE = "--verbose"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code: 0 done, 1 something to mend, 2 a user's error, 130 interrupted."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    return exit_code_of(lambda: _run(given), program="priorscope")


def _run(given: Sequence[str]) -> object:
    words = [word for word in given if word != _VERBOSE]
    namespace = build_parser(words[0] if words else "").parse_args(given)
    logging.basicConfig(level=logging.INFO if namespace.verbose else logging.WARNING, format="%(message)s")
    return namespace.run(namespace)


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """Return a parser that knows the options of one command, and of the others what they are for."""
    parser = Parser(prog="priorscope", description="Shows what lies near a scientific paper or a patent, and why.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version, and end")
    parser.add_argument(_VERBOSE, action="store_true", help="log what is done")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        one = commands.add_parser(name, help=purpose)
        if name == command:
            module, called = importlib.import_module(f"engine.cli.{_FAMILIES.get(name, name)}"), name.replace("-", "_")
            one.set_defaults(run=getattr(module, f"run_{called}", None), refuse=one.error)
            getattr(module, f"add_{called}")(one)
    return parser


class _Version(argparse.Action):
    """Prints the version when asked: to look it up takes longer than most parsers."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and end."""
        print(f"priorscope {version()}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
