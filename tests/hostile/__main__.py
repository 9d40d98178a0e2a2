"""`python -m tests.hostile --count 2000 --seed 1`: tries hostile inputs; exits with 1 if one is over the pass mark."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.hostile.campaign import is_over, table, tried
from tests.hostile.inputs import KINDS, inputs, largest
from tests.hostile.many import FAMILIES


def main() -> int:
    """Try the inputs, print the table, and keep those that are over the mark."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1, help="which of all possible inputs")
    parser.add_argument("--minutes", type=float, default=30, help="end after so long")
    parser.add_argument("--kind", choices=list(KINDS), help="inputs of one kind only")
    parser.add_argument("--largest", choices=list(FAMILIES), help="instead, the largest of each input of a family")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="priorscope-hostile-"))
    ends = time.monotonic() + 60 * arguments.minutes
    outcomes = []
    for one in largest(arguments.largest) if arguments.largest else inputs(arguments.count, arguments.seed):
        if time.monotonic() > ends:
            break
        if arguments.kind in (None, one.kind):
            outcomes.append(tried(one, folder))
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{len(outcomes)} inputs")
    sys.stdout.write(f"{table(outcomes)}\n")
    if any(map(is_over, outcomes)):
        sys.stdout.write(f"Kept in {folder}.\n")
        return 1
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
