"""Whole papers ask a library of papers and abstracts: `python -m engine.research full_texts --data DIR`.

The documents of a set's pairs are the corpus. A query is a whole document that a related pair of the part names; the
others of such pairs are relevant. Its own record, and what a pair of another part relates to it, are left out of its
ranking. Only a share of the documents is kept whole, drawn by a seed; the others are cut to title and abstract, as in a
library of a few hundred PDFs beside many records. The last two columns are the share of whole documents among the
first ten of a ranking, and among the relevant ones: a fair ranking has the two alike.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from engine import files
from engine.cli.terminal import Parser, bar
from engine.evaluation.benchmarks import Benchmark, from_parts
from engine.evaluation.measure import Run, measure
from engine.research import writing
from engine.research.matching.pair_set import JUDGED, PairSet, load_pair_set, related_in
from engine.training.long_pairs import Split

SETS = ("acl-long", "pmc-long", "patents-long")
SHARES = (1.0, 0.5, 0.1, 0.0)
SEEDS = (1, 2, 3)
ROWS = ("bm25", "student", "default")
_METRICS = ("nDCG@10", "R@100")
_WHOLE = ("whole in the first ten", "of the relevant")
_FIRST = 10

Figures = dict[str, float]
"""The metrics by name, and how many whole documents rankings and judgements hold."""


class Mixed(NamedTuple):
    """A benchmark whose documents are whole or cut, and the ids of the whole ones."""

    benchmark: Benchmark
    whole: frozenset[str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row on every set at every share, print and save the tables."""
    given = _parser().parse_args(arguments)
    if given.save is not None:
        files.check_writable(given.save)
    figures: dict[str, dict[str, dict[str, Figures]]] = {}
    sha256: dict[str, Mapping[str, str]] = {}
    for name in given.sets:
        pairs = load_pair_set(given.data / name, form=None)
        sha256[name] = pairs.sha256
        figures[name] = {}
        for share in given.shares:
            figures[name][_said(share)] = measured(pairs, given.rows, share, given.seeds, given.part, given.cache)
            print("\n".join(as_markdown({name: {_said(share): figures[name][_said(share)]}})), flush=True)
    circumstances = writing.circumstances("full_texts", _words(given))
    text = "\n".join(["# Whole papers ask papers and abstracts", "", *as_markdown(figures)])
    text += "\n".join(writing.as_list(circumstances)) + "\n"
    if given.save is not None:
        writing.save(given.save, {"circumstances": circumstances, "sha256": sha256, "figures": figures}, text)


def measured(
    pairs: PairSet, rows: Sequence[str], share: float, seeds: Sequence[int], part: Split, cache: Path | None
) -> dict[str, Figures]:
    """Each row's figures, their means over the seeds; where all or nothing is whole, seeds draw the same."""
    found: defaultdict[str, list[Figures]] = defaultdict(list)
    for seed in seeds if 0 < share < 1 else seeds[:1]:
        mixed = mixed_benchmark(pairs, share, seed, part)
        for row in rows:
            one = measure(mixed.benchmark, row, cache=cache, report=bar())
            found[one.name].append({**{name: one.metrics[name] for name in _METRICS}, **whole_shares(one.run, mixed)})
    return {name: {key: fmean(one[key] for one in each) for key in each[0]} for name, each in found.items()}


def mixed_benchmark(pairs: PairSet, share: float, seed: int, part: Split) -> Mixed:
    """The part's related documents as whole queries, and the corpus with only a share of it whole."""
    whole = frozenset(
        one.id for one in pairs.corpus if one.sections and random.Random(f"{seed} {one.id}").random() < share
    )
    corpus = [one if one.id in whole else replace(one, sections=(), claims=()) for one in pairs.corpus]
    relevant, others = related_in(pairs.pairs, part)
    queries = [one for one in pairs.corpus if one.id in relevant]
    qrels = {query.id: dict.fromkeys(sorted(relevant[query.id]), 1) for query in queries}
    excluded = {query.id: frozenset({query.id} | (others[query.id] - relevant[query.id])) for query in queries}
    return Mixed(from_parts(pairs.name, corpus, queries, qrels, excluded=excluded), whole)


def whole_shares(run: Run, mixed: Mixed) -> Figures:
    """The share of whole documents among the first ten of each ranking, and among the relevant of each query."""
    first = [fmean(name in mixed.whole for name in ids[:_FIRST]) for ids in run.values() if ids]
    relevant = [fmean(name in mixed.whole for name in grades) for grades in mixed.benchmark.qrels.values()]
    return dict(zip(_WHOLE, (fmean(first) if first else 0.0, fmean(relevant)), strict=True))


def as_markdown(figures: Mapping[str, Mapping[str, Mapping[str, Figures]]]) -> list[str]:
    """A table a set: a line a share and row."""
    columns = (*_METRICS, *_WHOLE)
    lines = []
    for name, shares in figures.items():
        table = [
            [share, row, *(f"{one[column]:.3f}" for column in columns)]
            for share, rows in shares.items()
            for row, one in rows.items()
        ]
        lines += [f"## {name}", "", *writing.table(("documents whole", "row", *columns), table)]
    return lines


def _said(share: float) -> str:
    return f"{share:g}"


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--sets", *given.sets, "--shares", *map(_said, given.shares)]
    return [*words, "--seeds", *map(str, given.seeds), "--rows", *given.rows, "--part", given.part]


def _parser() -> Parser:
    parser = Parser(
        prog="python -m engine.research full_texts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of the benchmarks")
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="SET", help=f"default: {' '.join(SETS)}")
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES, metavar="X", help="of whole documents")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS, metavar="N", help="default: 1 2 3")
    parser.add_argument("--rows", nargs="+", default=ROWS, metavar="ROW", help=f"default: {' '.join(ROWS)}")
    parser.add_argument("--part", choices=JUDGED, default="test", help="whose related pairs are asked (default: test)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep each encoder's rows of each corpus here")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON, and as .md beside it")
    return parser
