"""Find the command that was asked for, run it, and turn a user's error into one line and exit code 2."""

from __future__ import annotations

import argparse
import importlib
import io
import logging
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from engine.errors import EngineError

COMMANDS = (
    "app",
    "samples",
    "import",
    "remove",
    "read",
    "salient",
    "search",
    "compare",
    "map",
    "collections",
    "encoders",
    "evaluate",
    "match",
    "train",
    "bench",
)
_MODULES = {  # a module cannot be named after a keyword
    "import": "engine.cli.import_files",
    "bench": "engine.research.bench.command",
    "match": "engine.research.matching.command",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code: 0 done, 2 a user's error, 130 interrupted."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal of few characters, or a file's name that is no text
    parser = build_parser()
    namespace = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO if namespace.verbose else logging.WARNING, format="%(message)s")
    try:
        with _ended_as_by_hand():
            namespace.run(namespace)
    except EngineError as error:
        print(f"priorscope: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; Python would complain at exit
        return 0
    except KeyboardInterrupt:
        print("priorscope: interrupted; what was whole is kept.", file=sys.stderr)
        return 130
    return 0


@contextmanager
def _ended_as_by_hand() -> Iterator[None]:
    """Let the system's request to end (SIGTERM) be what Ctrl-C is: work that is open is closed, and hours are noted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line, as every other error."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}. `{self.prog} --help` shows how it is used.\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command."""
    parser = _Parser(prog="priorscope", description="Shows what lies near a scientific paper or a patent, and why.")
    parser.add_argument("--verbose", action="store_true", help="log what is done")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(_MODULES.get(name, f"engine.cli.{name}"))
        module.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
