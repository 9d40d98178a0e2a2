"""Whole papers ask a library of papers and abstracts: `python -m engine.research full_texts --data DIR`.

The documents of a set's pairs are the corpus. A query is a whole document that a related pair of the part names; the
others of such pairs are relevant. Its own record, and what a pair of another part relates to it, are left out of its
ranking. Only a share of the documents is kept whole, drawn by a seed; the others are cut to title and abstract, as in a
library of a few hundred PDFs beside many records. The last four columns are the share of whole documents among the
first ten of a ranking, and among the relevant ones; and how many of the whole documents in the first ten are relevant,
and of the cut ones. A ranking that favours whole documents has a larger share of them than of relevant ones, and fewer
relevant ones among them than among the cut. The last row is compared with
every other one on the queries of all sets together: paired randomisation tests, corrected by Holm. --kept names
reports of other sets that were saved before; their scores are pooled with these.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, cast

from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.core.errors import EvaluationError
from engine.evaluation import Benchmark
from engine.evaluation.benchmarks import from_parts
from engine.evaluation.measure import Run
from engine.evaluation.significance import Corrected, contrast_as_json, contrast_runs, holm
from engine.evaluation.systems import name_of
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.matching.pair_set import JUDGED, PairSet, load_pair_set, related_in
from engine.training.long_corpus import Split

SETS = ("acl-long", "pmc-long", "patents-long")
SHARES = (1.0, 0.5, 0.1, 0.0)
SEEDS = (1, 2, 3)
ROWS_SHOWN = ("bm25", "blend", "default-without-passages", "meaning", "default")
_METRICS = ("nDCG@10", "R@100")
_WHOLE = ("whole in the first ten", "of the relevant", "relevant of the whole", "relevant of the cut")
_FIRST = 10

Figures = dict[str, float]
"""The metrics by name, and how many whole documents rankings and judgements hold."""

ByQuery = dict[str, dict[str, float]]
"""The scores by metric and query, means over the seeds."""


class Mixed(NamedTuple):
    """A benchmark whose documents are whole or cut, and the ids of the whole ones."""

    benchmark: Benchmark
    whole: frozenset[str]


class Asking(NamedTuple):
    """The part whose related pairs ask, and how many documents of a set at most, drawn by their ids; 0 for all."""

    part: Split
    most: int = 0

    def limited(self, mixed: Mixed) -> Mixed:
        """Return the same corpus, asked by as many documents at most."""
        queries = mixed.benchmark.queries
        if not self.most or len(queries) <= self.most:
            return mixed
        drawn = sorted(queries, key=lambda query: files.fingerprint(query.id))[: self.most]
        qrels = {query.id: mixed.benchmark.qrels[query.id] for query in drawn}
        return mixed._replace(benchmark=replace(mixed.benchmark, queries=drawn, qrels=qrels))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row on every set at every share, print and save the tables."""
    given = measurement.read_options(_parser(), arguments)
    figures: dict[str, dict[str, dict[str, Figures]]] = {}
    scores: defaultdict[str, dict[str, dict[str, ByQuery]]] = defaultdict(dict)  # by share, set and row
    for path in given.kept:
        for share, sets in _kept(path, given).items():
            scores[share] |= sets
    sha256: dict[str, Mapping[str, str]] = {}
    asking = Asking(given.part, given.most)
    for name in given.sets:
        pairs = load_pair_set(given.data / name, form=None)
        sha256[name] = pairs.sha256
        figures[name] = {}
        for share in given.shares:
            found, scores[_said(share)][name] = measured(pairs, given.rows, share, given.seeds, asking, given.cache)
            figures[name][_said(share)] = found
            print("\n".join(as_markdown({name: {_said(share): found}})), flush=True)
    names = [name_of(row) for row in given.rows]
    contrasts = {share: against_the_last(pooled(sets, names)) for share, sets in scores.items()}
    circumstances = measurement.circumstances("full_texts", _words(given))
    lines = ["# Whole papers ask papers and abstracts", "", *as_markdown(figures)]
    lines += _pooled_lines(contrasts, list(next(iter(scores.values()))))
    text = "\n".join([*lines, *measurement.as_list(circumstances), ""])
    tests = {share: _as_json(one) for share, one in contrasts.items()}
    content = {"circumstances": circumstances, "sha256": sha256, "figures": figures, "pooled": tests}
    measurement.save(given.save, {**content, "form": _form(given), "scores": scores}, text)


def _kept(path: Path, given: argparse.Namespace) -> dict[str, dict[str, dict[str, ByQuery]]]:
    """Return the scores of a saved report by share, set and row. Raises EvaluationError if measured otherwise."""
    report = files.read_json(path)
    wanted, found = _form(given), report.get("form")
    if found != wanted or "scores" not in report:
        raise EvaluationError(f"Expected in {path.name} the scores of {wanted}, got {found}. Measure it likewise.")
    return cast(dict[str, dict[str, dict[str, ByQuery]]], report["scores"])


def _form(given: argparse.Namespace) -> dict[str, object]:
    """Return what two reports must have in common to be pooled."""
    shares = [_said(share) for share in given.shares]
    rows, seeds = list(given.rows), list(given.seeds)
    return {"rows": rows, "shares": shares, "seeds": seeds, "part": given.part, "most": given.most}


def pooled(sets: Mapping[str, Mapping[str, ByQuery]], rows: Sequence[str]) -> dict[str, ByQuery]:
    """Return the scores of each row over the queries of all sets."""
    return {
        row: {
            metric: {f"{name} {query}": score for name, of in sets.items() for query, score in of[row][metric].items()}
            for metric in _METRICS
        }
        for row in rows
    }


def measured(
    pairs: PairSet, rows: Sequence[str], share: float, seeds: Sequence[int], asking: Asking, cache: Path | None
) -> tuple[dict[str, Figures], dict[str, ByQuery]]:
    """Return each row's figures and scores, their means over seeds; of all or nothing whole, seeds draw the same."""
    found: defaultdict[str, list[Figures]] = defaultdict(list)
    scores: defaultdict[str, list[Mapping[str, Mapping[str, float]]]] = defaultdict(list)
    for seed in seeds if 0 < share < 1 else seeds[:1]:
        mixed = asking.limited(mixed_benchmark(pairs, share, seed, asking.part))
        for row in rows:
            one = ROWS.measure(mixed.benchmark, row, cache=cache, report=bar())
            found[one.name].append({**{name: one.metrics[name] for name in _METRICS}, **whole_shares(one.run, mixed)})
            scores[one.name].append(one.by_query)
    figures = {name: {key: fmean(one[key] for one in each) for key in each[0]} for name, each in found.items()}
    by_query = {
        name: {
            metric: {query: round(fmean(one[query][metric] for one in each), 4) for query in each[0]}
            for metric in _METRICS
        }
        for name, each in scores.items()
    }
    return figures, by_query


def against_the_last(rows: Mapping[str, ByQuery]) -> list[Corrected]:
    """Return the last row against every other one, metric by metric; p is corrected over those of one metric."""
    *others, ours = rows
    found = []
    for metric in _METRICS:
        pairs = [
            contrast_runs(rows[ours][metric], rows[other][metric], names=(ours, other), metric=metric)
            for other in others
        ]
        found += [Corrected(one, p) for one, p in zip(pairs, holm([one.p for one in pairs]), strict=True)]
    return found


def mixed_benchmark(pairs: PairSet, share: float, seed: int, part: Split) -> Mixed:
    """Return the part's related documents as whole queries, and the corpus with only a share of it whole."""
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
    """Return the share of whole documents among the first ten of each ranking, and among the relevant of each query.

    And the share of relevant documents among all whole ones of first tens, and among all cut ones; 0 without any.
    """
    qrels = mixed.benchmark.qrels
    first = [fmean(name in mixed.whole for name in ids[:_FIRST]) for ids in run.values() if ids]
    relevant = [fmean(name in mixed.whole for name in grades) for grades in qrels.values()]
    shown = [(name in mixed.whole, name in qrels[query]) for query, ids in run.items() for name in ids[:_FIRST]]
    right = [[float(found) for whole, found in shown if whole == wanted] for wanted in (True, False)]
    shares = [first, relevant, *right]
    return dict(zip(_WHOLE, (fmean(each) if each else 0.0 for each in shares), strict=True))


def as_markdown(figures: Mapping[str, Mapping[str, Mapping[str, Figures]]]) -> list[str]:
    """Return a table a set: a line a share and row."""
    columns = (*_METRICS, *_WHOLE)
    lines = []
    for name, shares in figures.items():
        table = [
            [share, row, *(f"{one[column]:.3f}" for column in columns)]
            for share, rows in shares.items()
            for row, one in rows.items()
        ]
        lines += [f"## {name}", "", *measurement.table(("documents whole", "row", *columns), table)]
    return lines


def _pooled_lines(contrasts: Mapping[str, Sequence[Corrected]], sets: Sequence[str]) -> list[str]:
    """Return a line a share, metric and row that the last one is compared with, over the queries of some sets."""
    every = [(share, one, one.contrast) for share, each in contrasts.items() for one in each]
    if not every:
        return []
    rows = [
        [share, it.metric, f"{it.means[0]:.3f}", it.theirs, f"{it.means[1]:.3f}", f"{one.p_holm:.4f}", one.verdict]
        for share, one, it in every
    ]
    ours = every[0][2].ours
    heads = ("documents whole", "metric", ours, "against", "it has", "p (Holm)", "verdict")
    return [f"## The queries of {', '.join(sets)}", "", *measurement.table(heads, rows)]


def _as_json(every: Sequence[Corrected]) -> list[dict[str, object]]:
    return [{key: value for key, value in contrast_as_json(one).items() if key != "moved"} for one in every]


def _said(share: float) -> str:
    return f"{share:g}"


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--sets", *given.sets, "--shares", *map(_said, given.shares)]
    words += ["--seeds", *map(str, given.seeds), "--rows", *given.rows, "--part", given.part]
    words += ["--most", str(given.most)] if given.most else []
    return [*words, *(["--kept", *(path.name for path in given.kept)] if given.kept else [])]


def _parser() -> Parser:
    parser = measurement.make_parser("full_texts", __doc__, cache=True)
    parser.add_argument("--sets", nargs="*", default=SETS, metavar="SET", help=f"default: {' '.join(SETS)}")
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES, metavar="X", help="of whole documents")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS, metavar="N", help="default: 1 2 3")
    parser.add_argument("--rows", nargs="+", default=ROWS_SHOWN, metavar="ROW", help=f"default: {' '.join(ROWS_SHOWN)}")
    parser.add_argument("--part", choices=JUDGED, default="test", help="whose related pairs are asked (default: test)")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="documents of a set that ask (default: all)")
    parser.add_argument("--kept", nargs="+", type=Path, default=[], metavar="FILE", help="saved reports of other sets")
    return parser
