"""`priorscope bake-off`: ask two rankings at once, judge their joined list blind, and hear which finds more."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from engine.cli import options
from engine.cli.read import read_input
from engine.core.errors import EvaluationError
from engine.documents.text import how_many
from engine.evaluation import AskedBlind, BakeOff, BakeOffs
from engine.library import Grade
from engine.workspace import Workspace

_GRADES: dict[str, Grade | None] = {"relevant": 1, "not": 0, "back": None}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command with one word for each thing that is done."""
    parser = commands.add_parser("bake-off")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    shared = argparse.ArgumentParser(add_help=False)
    options.add_library(shared)
    options.add_json(shared)
    started = actions.add_parser("start", parents=[shared], help="begin with two rankings; one without a verdict goes")
    for place in ("first", "second"):
        started.add_argument(
            place, metavar="ROW", help="default, default(NAME), NAME for an encoder alone, or keywords"
        )
    started.add_argument("--seed", metavar="N", type=int, default=0, help="of the coin that says who picks first")
    started.set_defaults(run=run_start)
    asked = actions.add_parser("ask", parents=[shared], help="ask both, and print one list without names")
    asked.add_argument("file", metavar="FILE_OR_-", help="a document's file, or - for a text on standard input")
    asked.set_defaults(run=run_ask)
    judged = actions.add_parser("judge", parents=[shared], help="judge documents of the last list by their numbers")
    judged.add_argument("grade", choices=tuple(_GRADES), help="relevant, not, or back to take a judgement back")
    judged.add_argument("numbers", metavar="N", type=int, nargs="+")
    judged.set_defaults(run=run_judge)
    shown = actions.add_parser("show", parents=[shared], help="how far it is, without names, and earlier verdicts")
    shown.set_defaults(run=run_show)
    ended = actions.add_parser(
        "reveal", parents=[shared], help=f"after {BakeOff.ENOUGH} judgements: the verdict; it ends then"
    )
    ended.set_defaults(run=run_reveal)


def run_start(arguments: argparse.Namespace) -> None:
    """Begin a bake-off."""
    with _workspace(arguments) as workspace:
        begun = BakeOffs(workspace.library.folder).start((arguments.first, arguments.second), seed=arguments.seed)
    _say(arguments, {"rows": list(begun.rows), "started": begun.started}, "Begun. Ask with `priorscope bake-off ask`.")


def run_ask(arguments: argparse.Namespace) -> None:
    """Ask both rankings."""
    query = read_input(arguments.file).document
    with _workspace(arguments) as workspace:
        asked = BakeOffs(workspace.library.folder).ask(workspace, query)
        names = {one.id: one.name for one in workspace.library.get([pick.id for pick in asked.picks])}
    listed = [{"number": number, "id": pick.id, "title": names[pick.id]} for number, pick in enumerate(asked.picks, 1)]
    lines = [f"{one['number']:>2}. {one['title']}" for one in listed]
    _say(arguments, {"key": asked.key, "documents": listed}, "\n".join(lines or ["Neither found anything."]))


def run_judge(arguments: argparse.Namespace) -> None:
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
    _say(arguments, {"judged": running.judged, "enough": BakeOff.ENOUGH}, state(running))


def run_show(arguments: argparse.Namespace) -> None:
    """Print how far the bake-off is, and the verdicts of earlier ones."""
    with _workspace(arguments) as workspace:
        held = BakeOffs(workspace.library.folder)
        running, ended = held.current(), [one for one in held.all() if one.revealed]
    if arguments.json:
        options.print_json(
            {
                "running": None if running is None else _running(running),
                "ended": [dataclasses.asdict(one.verdict()) for one in ended],
            }
        )
        return
    print("None runs." if running is None else state(running))
    for one in ended:
        print(f"{one.started[:10]}: {' '.join(one.verdict().sentences()[:2])}")


def run_reveal(arguments: argparse.Namespace) -> None:
    """End the bake-off and print its verdict."""
    with _workspace(arguments) as workspace:
        found = BakeOffs(workspace.library.folder).reveal().verdict()
    value = {**dataclasses.asdict(found), "better": found.better}
    _say(arguments, value, "\n".join(found.sentences()))


def state(running: BakeOff) -> str:
    """Return how far a bake-off is, without a word on who leads."""
    asked = how_many(sum(bool(one.grades) for one in running.asked), "question")
    if not running.is_ready:
        return f"Too early to say: {running.judged} of at least {BakeOff.ENOUGH} documents judged, on {asked}."
    return f"{how_many(running.judged, 'document')} judged on {asked}. `priorscope bake-off reveal` gives the verdict."


def _running(running: BakeOff) -> dict[str, Any]:
    """Return a bake-off as JSON without the rankings' names, and without who brought what."""
    return {
        "started": running.started,
        "judged": running.judged,
        "enough": BakeOff.ENOUGH,
        "questions": [_blind(one) for one in running.asked],
    }


def _blind(asked: AskedBlind) -> dict[str, Any]:
    return {"key": asked.key, "documents": [pick.id for pick in asked.picks], "grades": dict(asked.grades)}


def _workspace(arguments: argparse.Namespace) -> Workspace:
    return Workspace(options.library_folder(arguments))


def _say(arguments: argparse.Namespace, value: dict[str, Any], sentence: str) -> None:
    if arguments.json:
        options.print_json(value)
    else:
        print(sentence)
