"""Lists what was measured and how, and runs one of the commands: `python -m engine.research NAME`."""

from __future__ import annotations

import ast
import importlib
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.cli.terminal import exit_code_of
from engine.core.errors import ConfigError

_ROOM = Path(__file__).resolve().parent
_PACKAGE = "engine.research"
_MEASURES = "measures"
_MODULES = {
    "bench": "bench.command",
    "bring": "bring",
    "ctpe_files": "sets.ctpe_files",
    "dblp_stand_in": "sets.dblp_stand_in",
    "evaluate": "evaluate",
    "judge": "judging.command",
    "match": "matching.command",
    "quick": "quick",
    "salience": "salience.command",
    "scale": "scale.command",
    "tables": "paper.command",
    "train": "train",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code: 0 done, 2 a user's error, 130 interrupted."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    return exit_code_of(lambda: _run(given), program=f"python -m {_PACKAGE}")


def commands() -> dict[str, str]:
    """Return the module of each command by the command's name; one that measures is named as its file."""
    measures = {path.stem: f"{_MEASURES}.{path.stem}" for path in (_ROOM / _MEASURES).glob("*.py") if _has_main(path)}
    return dict(sorted({**_MODULES, **measures}.items()))


def _run(given: Sequence[str]) -> None:
    known = commands()
    if not given or given[0] in {"-h", "--help"}:
        print(_listed(known))
        return
    if given[0] not in known:
        raise ConfigError(f"Expected a command among {', '.join(known)}; got {given[0]!r}.")
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    importlib.import_module(f"{_PACKAGE}.{known[given[0]]}").main(given[1:])


def _listed(known: dict[str, str]) -> str:
    """Return each command with the first line of its module, which is read and not imported: many bring torch."""
    width = max(map(len, known)) + 2
    lines = [f"{name:<{width}}{_sign(_file_of(module))}" for name, module in known.items()]
    return "\n".join([f"python -m {_PACKAGE} NAME --help shows how one is used.", "", *lines])


def _sign(path: Path) -> str:
    first = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]
    return first.partition(": `python")[0].rstrip(".")


def _has_main(path: Path) -> bool:
    tree = ast.parse(path.read_text("utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)


def _file_of(module: str) -> Path:
    return _ROOM / f"{module.replace('.', '/')}.py"


if __name__ == "__main__":
    sys.exit(main())
