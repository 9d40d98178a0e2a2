"""Every system that the four papers name, and the exact name to run it by here: `python -m engine.research names`.

A row gives the paper, the table or section, the paper's name, the commands and the state. A command stands without
`python -m engine.research` and without its data: evaluate also needs --benchmark DIR, match --pairs FILE, train --data
DIR and --out DIR, tables --data DIR and --cache DIR. A folder that train writes is a row of evaluate or, for pairs of
long documents, of match, as NAME=FOLDER. The command checks every name before it prints.

"Runs" means that one of the commands has the paper's form and that a saved report ran it, "departs" that each differs
as the last column says. Words in brackets stand for the notes below the table. Works that a paper only cites as related
are left out.
"""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.core import files
from engine.core.errors import EvaluationError
from engine.research import measurement
from engine.research.measures.figures import REPORTS
from engine.research.paper.named_systems import CDSSM, COLDE, CTPE, KEYVEC, NOTES, RUNS, STATES, SYSTEMS, System
from engine.research.paper.published import cdssm, colde, ctpe, keyvec
from engine.research.paper.ways import Way

LABELS: Mapping[str, tuple[str, ...]] = {
    CTPE: (*ctpe.TABLES_2_AND_3, *ctpe.TABLE_4, *ctpe.METHODS, *ctpe.TABLE_5, *ctpe.TABLE_6),
    KEYVEC: tuple(keyvec.ROWS.values()),
    CDSSM: tuple(named.partition(": ")[2] for named in cdssm.ROWS.values()),
    COLDE: tuple(colde.TABLE_2),
}
"""Every method that the published tables hold, by paper."""

UNRUN = "can be run, no saved report ran it"
"""What stands in place of "runs" where no saved report has a row of the system."""

_HEADS = ("paper", "where", "the paper's name", "run it by", "state here")


def main(arguments: Sequence[str] | None = None) -> None:
    """Check every name, print the table, and save it if asked to."""
    given = measurement.read_options(_parser(), arguments)
    check(SYSTEMS)
    words = [] if given.save is None else ["--save", given.save.name]
    circumstances = measurement.circumstances("names", words)
    text = as_markdown(SYSTEMS, circumstances)
    print(text)
    listed = [as_json(system) for system in SYSTEMS]
    measurement.save(
        given.save, {**circumstances, "counts": counts(SYSTEMS), "notes": dict(NOTES), "systems": listed}, text
    )


def check(systems: Sequence[System]) -> None:
    """Raise EvaluationError for a name that leads nowhere, a published method without an entry, or two of one name."""
    wrong = [f"{system.paper}, {system.name}: {problem}" for system in systems for problem in system.problems]
    if wrong:
        raise EvaluationError("Expected every system under a name to run it by. " + " ".join(wrong))
    missing = unlisted(systems)
    if missing:
        raise EvaluationError(
            f"Expected an entry for every method of the published tables; {', '.join(missing)} have none. "
            "Add them to engine/research/paper/named_systems.py."
        )
    found = Counter((system.paper, system.where, system.name) for system in systems)
    twice = [", ".join(place) for place, count in found.items() if count > 1]
    if twice:
        raise EvaluationError(f"Expected one entry a system and place, got several of {'; '.join(twice)}. Drop one.")


def unlisted(systems: Sequence[System]) -> list[str]:
    """Return the methods of the published tables without an entry, as "CoLDE: HAN"."""
    held = {(system.paper, system.name) for system in systems}
    return [f"{paper}: {name}" for paper, names in LABELS.items() for name in names if (paper, name) not in held]


def counts(systems: Sequence[System]) -> dict[str, int]:
    """Return how many systems are in each state."""
    found = Counter(map(state_of, systems))
    return {state: found[state] for state in (*STATES, UNRUN)}


def state_of(system: System) -> str:
    """Return how a system stands here; that it runs only where a saved report ran it, in the paper's settings.

    No saved report was made with settings for one system alone: a row of a table that needs some was not run with them.
    """
    here = system.here
    changed = any(way.row and "--set" in way.command for way in here.ways)
    return UNRUN if here.state == RUNS and (changed or not any(map(_ran, here.ways))) else here.state


def _ran(way: Way) -> bool:
    """Tell whether a saved report has the row of a table, of `evaluate` or of `match` that a way makes."""
    command, *words = shlex.split(way.command)
    if command == "tables":
        panels = _report("paper-all")["tables"].get(words[1], {"panels": ()})["panels"]
        named = {line["name"] for panel in panels for line in panel["lines"]}
        return way.row in named.union(*(panel["columns"] for panel in panels))
    return command in ("evaluate", "match") and words[1] in _evaluated()


@cache
def _report(name: str) -> Any:  # noqa: ANN401
    return files.read_json(REPORTS / f"{name}.json")


@cache
def _evaluated() -> frozenset[str]:
    """Return the rows of all saved reports of `evaluate` and `match`."""
    held = (_report(path.stem).get("encoders") for path in sorted(REPORTS.glob("*.json")))
    return frozenset(name for rows in held if isinstance(rows, Mapping) for name in rows)


def as_json(system: System) -> dict[str, Any]:
    """Return one entry, ready to be written."""
    here = system.here
    return {
        "paper": system.paper,
        "where": system.where,
        "name": system.name,
        "run_by": [_named(way) for way in here.ways],
        "state": state_of(system),
        "how": here.how,
        "notes": list(here.notes),
        "beside": [_named(way) for way in here.beside],
    }


def as_markdown(systems: Sequence[System], circumstances: Mapping[str, str]) -> str:
    """Return the table, with how many systems are in each state above it."""
    said = [part.strip().replace("\n", " ") for part in (__doc__ or "").split("\n\n")[1:]]
    lines = ["# Every system that the four papers name", ""]
    lines += [line for part in said for line in (part, "")]
    lines += [f"{len(systems)} entries: {', '.join(f'{n} {state}' for state, n in counts(systems).items())}.", ""]
    lines += measurement.table(_HEADS, [_row(system) for system in systems])
    lines += ["Notes:", "", *measurement.as_list(NOTES), "", "Circumstances:", ""]
    return "\n".join([*lines, *measurement.as_list(circumstances), ""])


def _row(system: System) -> tuple[str, ...]:
    here = system.here
    ways = [_shown(way) for way in here.ways]
    ways += [f"beside it {_shown(way)}" for way in here.beside]
    state = f"**{state_of(system)}**" + (f": {here.how}" if here.how else "")
    state += f" ({', '.join(here.notes)})" if here.notes else ""
    return (system.paper, system.where, system.name, "; ".join(ways), state)


def _named(way: Way) -> dict[str, str]:
    return {"command": way.command, **({"row": way.row} if way.row else {})}


def _shown(way: Way) -> str:
    return f"`{way.command}`" + (f" row {way.row}" if way.row else "")


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("names", __doc__, data=False)
    return parser


if __name__ == "__main__":
    main()
