"""`priorscope evaluate` and `bake-off`: how well rankings find known answers, and two of them judged blind."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from functools import partial
from pathlib import Path

from engine import evaluation
from engine.cli import options
from engine.cli.read import read_input
from engine.cli.terminal import bar
from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.files import unreachable
from engine.documents.text import how_many
from engine.evaluation import (
    PRODUCT,
    BakeOff,
    BakeOffs,
    Catalogue,
    EvaluateRequest,
    EvaluationReport,
    check_place,
    load_benchmark,
)
from engine.library import Grade
from engine.workspace import Workspace

_PROGRAM = "priorscope evaluate"
_OF_ROWS = {"encoders", "against", "complete_runs", "metrics"}
"""Options that other commands that measure rows have, too."""


def add_evaluate(parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    add_arguments(parser, PRODUCT, _PROGRAM)


def add_arguments(parser: argparse.ArgumentParser, catalogue: Catalogue, program: str) -> None:
    """Set a parser up for `program`, which measures rows of the catalogue on a benchmark."""
    parser.add_argument(
        "--benchmark",
        metavar="DIR",
        type=Path,
        help="holds corpus.parquet, queries.parquet, qrels.tsv; or as BEIR corpus.jsonl, queries.jsonl, qrels/test.tsv",
    )
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, help="keep each encoder's rows of each corpus here, for later runs"
    )
    options.add_request(parser, EvaluateRequest, without=_OF_ROWS)
    add_rows(parser, catalogue, usual="default, the ranking of a search")
    parser.set_defaults(run=partial(run_evaluate, catalogue=catalogue, program=program))


def add_rows(parser: argparse.ArgumentParser, catalogue: Catalogue, *, usual: str) -> None:
    """Add the options that say which rows are measured, how they are compared, and where the figures go."""
    over = "".join(
        f"; {name}(NAME) and {name}(ANY)=FOLDER rank the first hits of another again" for name in catalogue.over
    )
    parser.add_argument(
        "--encoders",
        metavar="NAMES",
        help=f"separated by commas, among {', '.join(catalogue.names())}, or NAME=FOLDER for an encoder's folder; "
        f"default(NAME) is the ranking of a search by another encoder{over} (default: {usual})",
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report as JSON, and as .md beside it")
    parser.add_argument("--by-query", action="store_true", help="keep each query's scores in the saved report")
    parser.add_argument(
        "--run",
        metavar="[NAME=]FILE",
        dest="run_files",
        action="append",
        default=[],
        help="score the rankings of a TREC run as a row; may be given more than once",
    )
    parser.add_argument("--runs", metavar="DIR", type=Path, help="write each row's rankings here as a TREC run")
    options.add_request(parser, EvaluateRequest, without={"encoders", "queries", "hide_itself"})
    options.add_json(parser)


def run_evaluate(arguments: argparse.Namespace, *, catalogue: Catalogue = PRODUCT, program: str = _PROGRAM) -> None:
    """Measure each system in turn and print the table."""
    if arguments.benchmark is None:
        raise EvaluationError("Expected --benchmark DIR, got none. Name the folder of a benchmark.")
    request = options.request_of(arguments, EvaluateRequest)
    usual = () if arguments.run_files else (evaluation.DEFAULT_ROW,)
    asked = request.choice(catalogue, run_files(arguments), usual=usual)
    check_places(arguments)
    if arguments.cache is not None:
        files.check_writable(arguments.cache / "index.json")
    benchmark = load_benchmark(arguments.benchmark, part=request.queries)
    options.warn(benchmark.notes)
    show(request.run(benchmark, asked, catalogue, cache=arguments.cache, program=program, report=bar()), arguments)


def run_files(arguments: argparse.Namespace) -> dict[str, Path]:
    """Return the TREC runs of the command line by their rows' names. Raises EvaluationError if two have one name."""
    runs: dict[str, Path] = {}
    for text in arguments.run_files:
        name, given, file = text.partition("=")
        path = Path(file if given else text)
        name = name.strip() if given else path.stem
        if unreachable(path) or not path.is_file() or not name or name in runs:
            raise EvaluationError(f"Expected a TREC run as [NAME=]FILE, each with its own name, got {text!r}.")
        runs[name] = path
    return runs


def check_places(arguments: argparse.Namespace) -> None:
    """Refuse what could not be written, before anything is measured. Raises EvaluationError or StorageError."""
    if arguments.save is not None:
        check_place(arguments.save)
    if arguments.runs is not None:
        files.check_writable(arguments.runs / "any.run")


def show(report: EvaluationReport, arguments: argparse.Namespace) -> None:
    """Write what the command line asks for and print the table."""
    if arguments.runs is not None:
        report.save_runs(arguments.runs)
    if arguments.save is not None:
        report.save(arguments.save, by_query=arguments.by_query)
    options.say(arguments, report.figures(), report.as_text())


_GRADES: dict[str, Grade | None] = {"relevant": 1, "not": 0, "back": None}


def add_bake_off(parser: argparse.ArgumentParser) -> None:
    """Add one word for each thing that is done."""
    add = options.add_actions(parser)
    started = add("start", "start with two rankings; one without a verdict is dropped", start_bake_off)
    for place in ("first", "second"):
        started.add_argument(
            place, metavar="ROW", help="default, default(NAME), NAME for an encoder alone, or keywords"
        )
    started.add_argument("--seed", metavar="N", type=int, default=0, help="of the coin that decides which picks first")
    asked = add("ask", "ask both, and print one list without names", ask_both)
    asked.add_argument("file", metavar="FILE_OR_-", help="a document's file, or - for a text on standard input")
    judged = add("judge", "judge documents of the last list by their numbers", judge_listed)
    judged.add_argument("grade", choices=tuple(_GRADES), help="relevant, not, or back to take a judgement back")
    judged.add_argument("numbers", metavar="N", type=int, nargs="+")
    add("show", "how far it has come, without names, and earlier verdicts", show_bake_offs)
    add("reveal", f"after {BakeOff.ENOUGH} judgements: the verdict, which ends the bake-off", reveal_bake_off)


def start_bake_off(arguments: argparse.Namespace) -> None:
    """Begin a bake-off."""
    with _workspace(arguments) as workspace:
        begun = BakeOffs(workspace.library.folder).start((arguments.first, arguments.second), seed=arguments.seed)
    told = {"rows": begun.rows, "started": begun.started}
    options.say(arguments, told, "Started. Ask with `priorscope bake-off ask`.")


def ask_both(arguments: argparse.Namespace) -> None:
    """Ask both rankings."""
    query = read_input(arguments.file).document
    with _workspace(arguments) as workspace:
        asked = BakeOffs(workspace.library.folder).ask(workspace, query)
        names = {one.id: one.name for one in workspace.library.get([pick.id for pick in asked.picks])}
    picks = [
        {"number": number, "id": one.id, "title": names[one.id]} for number, one in enumerate(asked.picks, start=1)
    ]
    lines = [f"{one['number']:>2}. {one['title']}" for one in picks]
    told = {"key": asked.key, "documents": picks}
    options.say(arguments, told, "\n".join(lines or ["Neither found anything."]))


def judge_listed(arguments: argparse.Namespace) -> None:
    """Judge documents of the last question's list, here and for the library's own judgements.

    Raises EvaluationError for a number that is not in the list.
    """
    with _workspace(arguments) as workspace:
        held = BakeOffs(workspace.library.folder)
        running = held.current()
        asked = running.asked[-1] if running is not None and running.asked else None
        if asked is None or not all(1 <= number <= len(asked.picks) for number in arguments.numbers):
            raise EvaluationError("Expected numbers of the list that was asked for last, got others. Ask first.")
        for number in arguments.numbers:
            running = held.judge(workspace.library, asked, asked.picks[number - 1].id, _GRADES[arguments.grade])
    assert running is not None
    options.say(arguments, _judged(running), bake_off_text(running))


def show_bake_offs(arguments: argparse.Namespace) -> None:
    """Print how far the bake-off is, and the verdicts of earlier ones."""
    with _workspace(arguments) as workspace:
        held = BakeOffs(workspace.library.folder)
        running, ended = held.current(), [one for one in held.all() if one.revealed]
    told = {"running": running and _running(running), "ended": [one.verdict() for one in ended]}
    lines = ["None runs." if running is None else bake_off_text(running)]
    lines += [f"{one.started[:10]}: {' '.join(one.verdict().sentences()[:2])}" for one in ended]
    options.say(arguments, told, "\n".join(lines))


def reveal_bake_off(arguments: argparse.Namespace) -> None:
    """End the bake-off and print its verdict."""
    with _workspace(arguments) as workspace:
        found = BakeOffs(workspace.library.folder).reveal().verdict()
    options.say(arguments, {**asdict(found), "better": found.better}, "\n".join(found.sentences()))


def bake_off_text(running: BakeOff) -> str:
    """Return how far a bake-off is, without a word on who leads."""
    asked = how_many(sum(bool(one.grades) for one in running.asked), "question")
    if not running.is_ready:
        return f"Too early to say: {running.judged} of at least {BakeOff.ENOUGH} documents judged, on {asked}."
    return f"{how_many(running.judged, 'document')} judged on {asked}. `priorscope bake-off reveal` gives the verdict."


def _judged(running: BakeOff) -> dict[str, int]:
    return {"judged": running.judged, "enough": BakeOff.ENOUGH}


def _running(running: BakeOff) -> dict[str, object]:
    """Return how far a bake-off is as a JSON value, without the rankings' names and without who found what."""
    questions = [
        {"key": one.key, "documents": [pick.id for pick in one.picks], "grades": dict(one.grades)}
        for one in running.asked
    ]
    return {"started": running.started, **_judged(running), "questions": questions}


def _workspace(arguments: argparse.Namespace) -> Workspace:
    return Workspace(options.library_folder(arguments))
