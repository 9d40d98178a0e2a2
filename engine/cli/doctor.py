"""`priorscope doctor`: what is installed, what is damaged, and what to do."""

from __future__ import annotations

import argparse

from engine.cli import options
from engine.cli.terminal import bar, one_line
from engine.core.errors import LibraryError
from engine.core.files import shown
from engine.workspace import check_all


def add_doctor(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = "Exit code: 0 healthy, 1 something to mend, 2 a wrong call."
    options.add_shared(parser)


def run_doctor(arguments: argparse.Namespace) -> int:
    """Print a line for each finding; returns 1 where something is to be mended.

    Raises LibraryError where the folder that was named does not exist.
    """
    folder = options.library_folder(arguments)
    if arguments.library is not None and not folder.is_dir():
        raise LibraryError(f"Expected a library in {shown(folder)}; the folder does not exist. Check the path.")
    findings = check_all(folder, bar())
    lines = [f"{one.state:<5} {one.about}: {one.found}{f'. {one.remedy}' if one.remedy else ''}" for one in findings]
    healthy = all(one.state != "mend" for one in findings)
    options.say(arguments, {"healthy": healthy, "findings": findings}, "\n".join(map(one_line, lines)))
    return 0 if healthy else 1
