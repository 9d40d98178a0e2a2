"""A student between two: `python -m engine.research student_between FOLDER OTHER --share 0.3 --write NEW`.

One teacher taught both, with the same layers; OTHER also learnt something else. The weights of the new student lie
--share of the way from the first to the other, and it reads the first --tokens of a text. Its facts keep what both were
made of.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from engine.cli.terminal import Parser
from engine.core import provenance
from engine.encoders.student import StudentEncoder

FACT = "between"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the student between two."""
    given = _parser().parse_args(arguments)
    students = [StudentEncoder.load(folder) for folder in (given.one, given.other)]
    tokens = given.tokens or students[0].settings.max_tokens
    made = between(*students, share=given.share).reading(tokens, query_tokens=given.query_tokens)
    made.save(given.write)
    print(f"{made.card.fingerprint}, written to {given.write}")


def between(one: StudentEncoder, other: StudentEncoder, *, share: float) -> StudentEncoder:
    """Return the student between two, which keeps what both were made of."""
    parts = [{"fingerprint": part.card.fingerprint, **part.facts} for part in (one, other)]
    facts = {FACT: {"share": share, "of": parts}, "commit": provenance.commit(), "hardware": provenance.hardware()}
    return one.between(other, share, facts=facts)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m engine.research student_between",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("one", type=Path, metavar="FOLDER", help="a student")
    parser.add_argument("other", type=Path, metavar="OTHER", help="another of the same teacher and layers")
    parser.add_argument("--share", type=float, required=True, metavar="X", help="how far to the other, from 0 to 1")
    parser.add_argument("--tokens", type=int, metavar="N", help="first tokens that are read (default: as FOLDER does)")
    parser.add_argument(
        "--query-tokens", type=int, default=0, metavar="N", help="of a question (default: as of others)"
    )
    parser.add_argument("--write", type=Path, required=True, metavar="NEW", help="the folder that is written")
    return parser
