"""The papers' tables on rebuilt data: `python -m engine.research tables --data DIR --cache DIR`."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from engine.cli.terminal import Parser, bar
from engine.core import config, files
from engine.core.errors import EvaluationError
from engine.core.files import is_folder
from engine.evaluation import check_place
from engine.evaluation.benchmarks import PARTS
from engine.research.paper import suite
from engine.research.paper.markdown import as_markdown
from engine.research.paper.settings import PaperSettings
from engine.research.paper.tables import Earlier
from engine.research.paper.work import Work

_PROGRAM = "python -m engine.research tables"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog=_PROGRAM, description=__doc__)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="holds one folder a set")
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, required=True, help="keeps what is trained and measured for later runs"
    )
    parser.add_argument("--queries", choices=PARTS, default="all", help="which queries to ask (default: all)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the tables as JSON, and as .md beside it")
    parser.add_argument(
        "--tables",
        metavar="NAMES",
        default="all",
        help=f"separated by commas, among {', '.join(suite.TABLES)}; a paper's name for all of its; all (default); or "
        f"{suite.NONE}, to write what --join reports have",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        default=1,
        help="processes that measure parts of the tables side by side, each with its share of the cores and some "
        "gigabytes of memory (default: 1)",
    )
    _add_sources(parser)
    return parser


def _add_sources(parser: argparse.ArgumentParser) -> None:
    """Add the options of what is at hand, and of how the rest is made."""
    parser.add_argument(
        "--trained",
        metavar="NAME=DIR",
        action="append",
        default=[],
        help="take this folder for an encoder that would be trained, as cdssm-words=DIR; may be given more than once",
    )
    parser.add_argument(
        "--join",
        metavar="REPORT",
        type=Path,
        action="append",
        default=[],
        help="add what a report that --save wrote has and this run lacks, with its commit; may be given more than "
        "once, and the first that has a row counts",
    )
    parser.add_argument(
        "--settings",
        metavar="NAME",
        dest="file",
        help="how tables are made: papers-size for as large as the papers' where a GPU was at hand, or a TOML file's "
        "path (default: small)",
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="settings",
        action="append",
        default=[],
        help="change one setting, as ctpe.size.epochs=10 or cdssm.sets='[\"arxiv-subject\"]'",
    )


def main(given: Sequence[str] | None = None) -> None:
    """Make the tables asked for and print them; what is measured stays in --cache, so that a stopped run goes on."""
    arguments = _parser().parse_args(given)
    names = suite.tables_of(arguments.tables)
    if arguments.jobs < 1:
        raise EvaluationError(f"Expected at least one process for --jobs, got {arguments.jobs}. Leave it out for one.")
    if arguments.save is not None:
        check_place(arguments.save)
    files.check_writable(arguments.cache / "index.json")
    settings = _settings(arguments)
    trained = dict(_named_folder(text) for text in arguments.trained)
    work = Work(arguments.data, arguments.cache, settings, arguments.queries, trained, bar())
    command = _command(names, arguments)
    earlier = [Earlier.read(path) for path in arguments.join]
    made = suite.run(names, work, save=arguments.save, command=command, at_once=arguments.jobs, earlier=earlier)
    print(as_markdown(made, {"command": command}, {}))


def _settings(arguments: argparse.Namespace) -> PaperSettings:
    """Return what a file says, changed by single settings."""
    values = config.read_toml(_file(arguments.file)) if arguments.file else {}
    origin = " and ".join(filter(None, (arguments.file, "--set" if arguments.settings else "")))
    made: PaperSettings = config.from_mapping(
        config.with_settings(values, arguments.settings), PaperSettings, origin=origin
    )
    return made


def _file(given: str) -> Path:
    """Return the file of a name that lies beside this module, or of a path."""
    known = {path.stem: path for path in Path(__file__).parent.glob("*.toml")}
    return known.get(given, Path(given))


def _named_folder(text: str) -> tuple[str, Path]:
    name, given, folder = text.partition("=")
    if not given or not name or not is_folder(Path(folder)):
        raise EvaluationError(f"Expected NAME=DIR with an encoder's folder for --trained, got {text!r}.")
    return name, Path(folder)


def _command(names: list[str], arguments: argparse.Namespace) -> str:
    """Return the command that gives the tables again, without one machine's folders."""
    words = [*_PROGRAM.split(), "--tables", ",".join(names) or suite.NONE, "--queries", arguments.queries]
    words += ["--jobs", str(arguments.jobs)] if arguments.jobs > 1 else []
    words += ["--data", "DIR", "--cache", "DIR"]
    for name, folder in (_named_folder(text) for text in arguments.trained):
        words += ["--trained", f"{name}={folder.name}"]
    for path in arguments.join:
        words += ["--join", path.name]
    words += ["--settings", Path(arguments.file).name] if arguments.file else []
    for setting in arguments.settings:
        words += ["--set", setting]
    return shlex.join(words)
