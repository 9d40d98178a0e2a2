"""How far between two students: `python -m engine.research student_shares ONE OTHER --data DIR`.

One teacher taught ONE and OTHER, with the same layers. DIR of --data holds the benchmarks; only valid queries are read.
The student at each of --shares of the way from ONE to OTHER is measured alone, in place of the student in the shipped
blend, and in that blend fused with the keywords. A corpus of more than --documents is cut to the documents relevant to
any of these queries and others drawn at random, so its figures come from an easier search than the whole corpus.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.cli.terminal import Parser
from engine.core import files
from engine.encoders.student import StudentEncoder
from engine.evaluation import load_benchmark
from engine.research import writing
from engine.research.measures.fusion import SETS
from engine.research.measures.smaller import smaller
from engine.research.measures.student_reading import Length, as_markdown, loaded, measured

SHARES = (0.0, 0.3, 0.5, 1.0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every share on every set, print and save the tables."""
    given = _parser().parse_args(arguments)
    if given.save is not None:
        files.check_writable(given.save)
    one, other = (StudentEncoder.load(folder) for folder in (given.one, given.other))
    students = {f"{share:g}": given.tokens.read_by(one.between(other, share)) for share in given.shares}
    figures: dict[str, dict[str, dict[str, Any]]] = {}
    sizes: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for share, student in students.items():
            student.save(Path(temporary) / share)
        for name in given.sets:
            cut = smaller(load_benchmark(given.data / name, part="valid"), given.documents)
            held, sizes[name] = loaded(cut, None), len(cut.corpus)
            figures[name] = {
                share: measured(held, student, Path(temporary) / share) for share, student in students.items()
            }
            print(name, figures[name], flush=True)
    about = {"documents": sizes, "fingerprints": [student.card.fingerprint for student in (one, other)]}
    circumstances = writing.circumstances("student_shares", _words(given))
    title = "How far from the first student to the other"
    text = as_markdown(figures, {**about, **circumstances}, title=title, tried="share of the way")
    print(text)
    if given.save is not None:
        writing.save(given.save, {**circumstances, **about, "figures": figures}, text)


def _words(given: argparse.Namespace) -> list[str]:
    places = ["ONE", "OTHER", "--data", "DIR", "--sets", *given.sets, "--shares", *(f"{one:g}" for one in given.shares)]
    return [*places, "--tokens", str(given.tokens), "--documents", str(given.documents)]


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m engine.research student_shares",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("one", type=Path, metavar="ONE", help="the folder of a student")
    parser.add_argument("other", type=Path, metavar="OTHER", help="another of the same teacher and layers")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of the benchmarks")
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="SET", help=f"default: {' '.join(SETS)}")
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES, metavar="X", help="from 0, the one, to 1")
    parser.add_argument(
        "--tokens", type=Length.parse, default=Length(256), metavar="N[/M]", help="first tokens that are read"
    )
    parser.add_argument(
        "--documents", type=int, default=6_000, metavar="N", help="of a set, 0 for all (default: 6,000)"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON, and as .md beside it")
    return parser
