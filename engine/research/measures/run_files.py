"""Rankings and scores of one work tree, to compare with another's: `python -m engine.research run_files --data DIR`.

--out DIR takes a TREC run (query, Q0, document, rank, score, tag, with tabs between) of the default ranking on each of
--sets, 100 deep; the document scores of `compare` on --pairs valid and as many test pairs of --pair-set; and ten
searches of --library, or else of the documents that come with Priorscope. --tree DIR is the work tree that ranks, its
own code in processes of their own. --compare DIR DIR says of every file whether its rankings are the same in both and
how far apart the scores are, and fails where one differs by more than 1e-5. Searches print their scores to four
decimals.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.cli.terminal import Parser
from engine.core import files
from engine.core.errors import EvaluationError
from engine.evaluation.benchmarks import CORPUS

SETS = ("cranfield", "cacm", "npl", "arxiv-subject")
WHAT = ("rankings", "pairs", "searches")
QUESTIONS = (
    "How fast do dunes walk?",
    "a pump that knows when its line is blocked",
    "random walks on graphs whose edges change",
    "Which sentences of two documents say the same?",
    "telegraph relay for both directions at once",
    "coupling railway cars without a man between them",
    "dipolar gases near absolute zero",
    "gear wheels of a hub",
    "how plants answer to drought",
    "learning from few labelled examples",
)
MOST_APART = 1e-5
_DEPTH, _HITS = 100, 20
_SUFFIX = ".run"
_PAIRS = "pairs.tsv"
_RANK = """
import sys
from pathlib import Path
from engine.evaluation import systems
from engine.evaluation.benchmarks import load_benchmark
benchmark = load_benchmark(Path(sys.argv[1]))
prepared = getattr(systems, "PRODUCT", systems).prepare("default", benchmark.corpus)
found = prepared.system.rank(benchmark.queries, int(sys.argv[2]))
for query, hits in zip(benchmark.queries, found, strict=True):
    for rank, hit in enumerate(hits, start=1):
        print(query.id, "Q0", hit.id, rank, repr(float(hit.score)), "default", sep="\\t")
"""
"""Ranks a benchmark in whichever tree it runs: the rows were a module's functions before they were a catalogue's."""


class Apart(NamedTuple):
    """How one file differs: whether it lists the same documents in the same order, and the largest step of a score."""

    same_rankings: bool
    scores: float

    @property
    def passes(self) -> bool:
        """Whether both files say the same."""
        return self.same_rankings and self.scores <= MOST_APART


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files of one tree, or compare those of two; raises EvaluationError where they differ."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.compare:
        _compare(*given.compare)
        return
    if given.out is None or (given.data is None and given.what != "searches"):
        parser.error("expected --data DIR and --out DIR, or --compare DIR DIR; --what searches needs no --data")
    strange = set(given.what.split(",")) - set(WHAT)
    if strange:
        raise EvaluationError(f"Expected files among {', '.join(WHAT)}, got {', '.join(sorted(strange))}.")
    made = {"rankings": _rankings, "pairs": _pairs, "searches": _searches}
    for name in given.what.split(","):
        made[name](given)


def compared(one: Path, other: Path) -> dict[str, Apart]:
    """Return how far apart the run files of two folders are, by name. Raises EvaluationError if one lacks any."""
    names = [{path.name for path in folder.glob(f"*{_SUFFIX}")} for folder in (one, other)]
    if names[0] != names[1] or not names[0]:
        alone = ", ".join(sorted(names[0] ^ names[1])) or "no file at all"
        raise EvaluationError(f"Expected the same run files in {one} and {other}, got {alone} in one. Write both.")
    return {name: _apart(_read(one / name), _read(other / name)) for name in sorted(names[0])}


def _compare(one: Path, other: Path) -> None:
    found = compared(one, other)
    for name, apart in found.items():
        print(f"{name}: {'same' if apart.same_rankings else 'OTHER'} rankings, scores apart by {apart.scores:.2g}")
    failed = [name for name, apart in found.items() if not apart.passes]
    if failed:
        raise EvaluationError(
            f"Expected the same rankings, with scores within {MOST_APART:g}; {', '.join(failed)} differ."
        )


def _apart(one: list[list[str]], other: list[list[str]]) -> Apart:
    same = [line[:4] for line in one] == [line[:4] for line in other]
    theirs = {(line[0], line[2]): float(line[4]) for line in other}
    both = [(float(line[4]), theirs[line[0], line[2]]) for line in one if (line[0], line[2]) in theirs]
    return Apart(same, max((abs(a - b) for a, b in both), default=0.0))


def _read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _write(path: Path, lines: Iterable[Sequence[object]]) -> None:
    files.write_bytes(path, "".join("\t".join(map(str, line)) + "\n" for line in lines).encode())
    print(path, flush=True)


def _rankings(given: argparse.Namespace) -> None:
    for name in given.sets:
        text = _run(given.tree, "-c", _RANK, str(given.data.resolve() / name), str(_DEPTH))
        _write(given.out / f"{name}{_SUFFIX}", [line.split("\t") for line in text.splitlines()])


def _pairs(given: argparse.Namespace) -> None:
    """Run the scores of some pairs, each with its first document as the query."""
    source = given.data.resolve() / given.pair_set
    if not (source / _PAIRS).is_file():
        raise EvaluationError(f"Expected {_PAIRS} in {source}, found none. Name another --pair-set.")
    head, *rows = (source / _PAIRS).read_text("utf-8").splitlines()
    some = [
        row
        for split, label in itertools.product(("valid", "test"), "01")
        for row in [row for row in rows if row.split("\t")[2:] == [label, split]][: given.pairs // 2]
    ]
    is_product = (given.tree / "engine" / "research" / "__main__.py").is_file()
    command = ("engine.research", "match") if is_product else ("engine.cli.main", "match")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / given.pair_set
        files.write_bytes(folder / _PAIRS, "\n".join([head, *some, ""]).encode())
        (folder / CORPUS).symlink_to(source / CORPUS)
        scores = Path(temporary) / "scores.json"
        places = ["--pairs", str(folder / _PAIRS), "--scores", str(scores)]
        _run(given.tree, "-m", *command, *places, "--encoders", given.matcher)
        table = files.read_json(scores)["scores"]
    _write(
        given.out / f"{given.pair_set}{_SUFFIX}",
        [(a, "Q0", b, 1, repr(score), given.matcher) for a, b, *_, score in table],
    )


def _searches(given: argparse.Namespace) -> None:
    """Run ten searches of --library, or else of a library of the documents that come with Priorscope."""
    with tempfile.TemporaryDirectory() as temporary:
        library = ["--library", str((given.library or Path(temporary) / "library").resolve())]
        if given.library is None:
            own = [given.tree / "assets" / "examples", given.tree / "assets" / "benchmarks" / "small" / "corpus.jsonl"]
            _run(given.tree, "-m", "engine.cli.main", "import", *map(str, own), *library)
        lines = []
        for number, question in enumerate(QUESTIONS, start=1):
            asked = Path(temporary) / f"q{number}.txt"
            files.write_bytes(asked, question.encode())
            words = ["search", str(asked), "-k", str(_HITS), "--json", *library]
            hits = json.loads(_run(given.tree, "-m", "engine.cli.main", *words))["hits"]
            lines += [(f"q{number}", "Q0", hit["id"], hit["rank"], hit["score"], "search") for hit in hits]
    _write(given.out / f"searches{_SUFFIX}", lines)


def _run(tree: Path, *words: str) -> str:
    """Return what the tree's own code prints. Raises EvaluationError if it fails."""
    surroundings = {**os.environ, "PYTHONPATH": str(tree)}
    ended = subprocess.run(
        [sys.executable, *words], cwd=tree, env=surroundings, stdout=subprocess.PIPE, text=True, check=False
    )
    if ended.returncode:
        raise EvaluationError(
            f"Expected {tree} to run {words[:3]}, it ended with {ended.returncode}. See its error above."
        )
    return ended.stdout


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m engine.research run_files",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="holds one folder a set")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the run files go")
    here = Path(__file__).resolve().parents[3]
    parser.add_argument("--tree", type=Path, metavar="DIR", default=here, help="the work tree (default: this one)")
    parser.add_argument("--library", type=Path, metavar="DIR", help="searched instead of the documents that come along")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="DIR", help="compare the files of two folders")
    parser.add_argument(
        "--what", metavar="NAMES", default=",".join(WHAT), help=f"among {','.join(WHAT)} (default: all)"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET", default=list(SETS), help=f"default: {' '.join(SETS)}")
    parser.add_argument("--pair-set", metavar="SET", default="acl-long", help="pairs to score (default: acl-long)")
    parser.add_argument("--pairs", type=int, metavar="N", default=16, help="of each split (default: 16)")
    parser.add_argument("--matcher", metavar="ROW", default="compare", help="scores the pairs (default: compare)")
    return parser
