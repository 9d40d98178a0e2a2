"""`priorscope evaluate`: how well each system ranks a benchmark's documents."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from pathlib import Path

from engine import files
from engine.cli import evaluate_table, options
from engine.cli.terminal import bar
from engine.errors import EvaluationError
from engine.evaluation import systems
from engine.evaluation.benchmarks import PARTS, Benchmark, load_benchmark
from engine.evaluation.itself import without_own_works
from engine.evaluation.measure import SCALES, Measured, measure, measure_run
from engine.evaluation.report import Report, check_place
from engine.readers.found import unreachable
from engine.research import quick
from engine.research.paper import command

_PAPER = "paper"
_SCALE = "ctpe"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("evaluate", help="measure encoders on a benchmark")
    parser.add_argument(
        "--benchmark",
        metavar="DIR",
        type=Path,
        help="holds corpus.parquet, queries.parquet, qrels.tsv; or as BEIR corpus.jsonl, queries.jsonl, qrels/test.tsv",
    )
    parser.add_argument(
        "--suite",
        choices=(quick.NAME, _PAPER),
        help="quick: the rows that need nothing fetched, on the small set that comes with Priorscope; paper: the "
        "papers' tables, which need --data and --cache",
    )
    parser.add_argument(
        "--encoders",
        metavar="NAMES",
        help=f"separated by commas, among {', '.join(systems.names())}, or NAME=FOLDER for an encoder's folder; "
        "default(NAME) is the ranking of a search by another encoder (default: default, the ranking of a search)",
    )
    parser.add_argument(
        "--queries",
        choices=PARTS,
        default="all",
        help="which queries to ask (default: all); of BEIR's, valid reads qrels/dev.tsv and the others qrels/test.tsv",
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report as JSON, and as .md beside it")
    parser.add_argument("--by-query", action="store_true", help="keep each query's scores in the saved report")
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, help="keep each encoder's rows of each corpus here, for later runs"
    )
    parser.add_argument(
        "--hide-itself",
        action="store_true",
        help="leave documents out of a ranking that are the query's own work under another id, as a search does",
    )
    _add_comparison(parser)
    options.add_json(parser)
    command.add_arguments(parser)
    parser.set_defaults(run=run)


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar="ROW",
        help="compare every other row with this one: paired randomisation tests, and the queries that move most",
    )
    parser.add_argument(
        "--run",
        metavar="[NAME=]FILE",
        dest="run_files",
        action="append",
        default=[],
        help="score the rankings of a TREC run as a row; may be given more than once",
    )
    parser.add_argument(
        "--complete-runs",
        action="store_true",
        help="judged queries that a --run file lacks found nothing (trec_eval's -c); without it such a file is refused",
    )
    parser.add_argument("--runs", metavar="DIR", type=Path, help="write each row's rankings here as a TREC run")
    parser.add_argument(
        "--metrics",
        choices=tuple(SCALES),
        default=_SCALE,
        help="as CTPE defines them, 100 ranks deep (default), or as trec_eval does, 1,000 deep",
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """What is to be measured: rows by name or folder, and run files by the names of their rows."""

    rows: list[str]
    runs: dict[str, Path]

    @property
    def names(self) -> list[str]:
        return [*(systems.name_of(row) for row in self.rows), *self.runs]


def run(arguments: argparse.Namespace) -> None:
    """Measure each system in turn and print the table."""
    if (arguments.benchmark is None) == (arguments.suite is None):
        raise EvaluationError("Expected --benchmark DIR, or --suite quick or paper; got both or none. Give one.")
    _refuse_strangers(arguments)
    if arguments.suite == _PAPER:
        command.run(arguments)
        return
    asked = _asked(arguments)
    _check_places(arguments)
    benchmark = _benchmark(arguments)
    measured, skipped = _measure(benchmark, asked, arguments)
    against = _against(arguments)
    report = Report(
        benchmark,
        measured,
        command=_command(benchmark.name, asked, arguments),
        scale=SCALES[arguments.metrics],
        against=against if len(measured) > 1 or arguments.against else "",
        skipped=skipped,
    )
    if arguments.runs is not None:
        report.save_runs(arguments.runs)
    if arguments.save is not None:
        report.save(arguments.save, by_query=arguments.by_query)
    if arguments.json:
        options.print_json(report.figures())
    else:
        evaluate_table.show(report)


def _refuse_strangers(arguments: argparse.Namespace) -> None:
    """Raise EvaluationError for options that the suite asked for would pass over."""
    given = {
        quick.NAME: {
            "--queries": arguments.queries != "all",
            "--cache": arguments.cache,
            "--hide-itself": arguments.hide_itself,
        },
        _PAPER: {
            "--encoders": arguments.encoders,
            "--against": arguments.against,
            "--run": arguments.run_files,
            "--complete-runs": arguments.complete_runs,
            "--runs": arguments.runs,
            "--metrics": arguments.metrics != _SCALE,
            "--by-query": arguments.by_query,
            "--json": arguments.json,
            "--hide-itself": arguments.hide_itself,
        },
    }
    strangers = [option for option, value in given.get(arguments.suite, {}).items() if value]
    if strangers:
        raise EvaluationError(
            f"Expected options that --suite {arguments.suite} takes, got {', '.join(strangers)}. Leave them out, or "
            "measure a benchmark with --benchmark DIR."
        )


def _asked(arguments: argparse.Namespace) -> _Rows:
    """The rows of the command line, each with a name of its own. Raises EvaluationError."""
    runs: dict[str, Path] = {}
    for text in arguments.run_files:
        name, given, file = text.partition("=")
        path = Path(file if given else text)
        name = name.strip() if given else path.stem
        if unreachable(path) or not path.is_file() or not name or name in runs:
            raise EvaluationError(f"Expected a TREC run as [NAME=]FILE, each with its own name, got {text!r}.")
        runs[name] = path
    if arguments.encoders is not None:
        rows = systems.rows_of(arguments.encoders)
    elif arguments.suite == quick.NAME:
        rows = quick.rows()
    else:
        rows = [] if runs else [systems.DEFAULT]
    asked = _Rows(rows, runs)
    against = arguments.against
    if against and systems.name_of(against) not in asked.names:
        asked = _Rows(systems.rows_of(",".join([against, *rows])), runs)
    twice = sorted(set(runs) & {systems.name_of(row) for row in asked.rows})
    if twice:
        raise EvaluationError(
            f"Expected a name of its own for each row, got {twice[0]!r} for a run, too. Say NAME=FILE."
        )
    return asked


def _against(arguments: argparse.Namespace) -> str:
    if arguments.against:
        return systems.name_of(arguments.against)
    return quick.AGAINST if arguments.suite == quick.NAME and arguments.encoders is None else ""


def _check_places(arguments: argparse.Namespace) -> None:
    """Refuse what could not be written, before anything is measured. Raises EvaluationError or StorageError."""
    if arguments.save is not None:
        check_place(arguments.save)
    if arguments.runs is not None:
        files.check_writable(arguments.runs / "any.run")
    if arguments.cache is not None:
        files.check_writable(arguments.cache / "index.json")


def _benchmark(arguments: argparse.Namespace) -> Benchmark:
    if arguments.suite == quick.NAME:
        return quick.load()
    benchmark = load_benchmark(arguments.benchmark, part=arguments.queries)
    return without_own_works(benchmark) if arguments.hide_itself else benchmark


def _measure(
    benchmark: Benchmark, asked: _Rows, arguments: argparse.Namespace
) -> tuple[list[Measured], dict[str, str]]:
    """Every row, and why those of a suite that cannot be had here were left out."""
    scale, report = SCALES[arguments.metrics], bar()
    skipped: dict[str, str] = {}
    if arguments.suite == quick.NAME and arguments.encoders is None:
        measured, skipped = quick.measure_rows(benchmark, asked.rows, scale=scale, report=report)
    else:
        measured = [measure(benchmark, row, cache=arguments.cache, scale=scale, report=report) for row in asked.rows]
    complete = arguments.complete_runs
    measured += [measure_run(benchmark, *named, scale=scale, complete=complete) for named in asked.runs.items()]
    return measured, skipped


def _command(benchmark: str, asked: _Rows, arguments: argparse.Namespace) -> str:
    """The command that gives the figures again, with folders and files by their names."""
    parts = ["priorscope", "evaluate"]
    parts += ["--suite", quick.NAME] if arguments.suite else ["--benchmark", benchmark]
    if asked.rows and (arguments.encoders is not None or not arguments.suite):
        parts += ["--encoders", ",".join(systems.without_place(row) for row in asked.rows)]
    if not arguments.suite:
        parts += ["--queries", arguments.queries, *(["--hide-itself"] if arguments.hide_itself else [])]
    for name, path in asked.runs.items():
        parts += ["--run", f"{name}={path.name}"]
    parts += ["--complete-runs"] if asked.runs and arguments.complete_runs else []
    if arguments.against:
        parts += ["--against", systems.name_of(arguments.against)]
    if arguments.metrics != _SCALE:
        parts += ["--metrics", arguments.metrics]
    return shlex.join(parts)
