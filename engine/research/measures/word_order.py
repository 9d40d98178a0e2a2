"""What it costs to order hits by their words: `python -m engine.research word_order --data DIR`.

DIR of --data holds the benchmarks, and the sets of whole papers named by --whole, whose related documents ask as in
`full_texts`. The default ranking answers every query. Its first documents, as many as a list shows, are then ordered by
the word of their reading (`engine.search.readings`), the nearest first, and within a word as they were. The report has
nDCG@10 before and after, p of the paired randomisation test between them, and in how many lists a document stood below
one of a further word.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, cast

from engine.cli.terminal import Parser, bar
from engine.documents import Document
from engine.evaluation import DEFAULT_ROW, PRODUCT, Benchmark, load_benchmark
from engine.evaluation.measure import Run, rank, score
from engine.evaluation.significance import contrast_runs
from engine.evaluation.systems import AsSearched
from engine.research import measurement
from engine.research.matching.pair_set import load_pair_set
from engine.research.measures.full_texts import mixed_benchmark
from engine.search import Corpus, PairReader

SETS = ("cranfield", "cacm", "npl")
WHOLE = ("acl-long",)
SHOWN = (10, 100)
"""How many documents a list shows."""
_METRIC = "nDCG@10"

Figures = dict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every set, print and save the table."""
    given = measurement.read_options(_parser(), arguments)
    benchmarks = {name: load_benchmark(given.data / name) for name in given.sets}
    for name in given.whole:
        benchmarks[name] = mixed_benchmark(load_pair_set(given.data / name, form=None), 1.0, 1, "test").benchmark
    figures: dict[str, dict[str, Figures]] = {}
    for name, benchmark in benchmarks.items():
        figures[name] = measured(benchmark, given.shown, given.cache)
        print("\n".join(as_markdown({name: figures[name]})), flush=True)
    circumstances = measurement.circumstances("word_order", _words(given))
    text = "\n".join(
        ["# Hits ordered by their words", "", *as_markdown(figures), *measurement.as_list(circumstances), ""]
    )
    sha256: dict[str, Any] = {name: dict(one.sha256) for name, one in benchmarks.items()}
    measurement.save(given.save, {**circumstances, "sha256": sha256, "figures": figures}, text)


def measured(benchmark: Benchmark, shown: Sequence[int], cache: Path | None) -> dict[str, Figures]:
    """Return the figures of one benchmark by how many documents a list shows."""
    keep = None if cache is None else cache / benchmark.corpus_sha256
    prepared = PRODUCT.prepare(DEFAULT_ROW, benchmark.corpus, keep=keep, report=bar())
    run, corpus = rank(benchmark, prepared), cast(AsSearched, prepared.system).corpus
    words = words_of(run, benchmark, corpus, max(shown))
    return {str(most): compared(run, words, most, benchmark) for most in shown}


def words_of(run: Run, benchmark: Benchmark, corpus: Corpus, most: int) -> dict[str, list[int]]:
    """Return the rank of each word, 0 for the nearest, of the first documents of every query's list."""
    reader = PairReader(corpus.encoder, corpus.index)
    held = {one.id: one for one in benchmark.corpus}
    found = {}
    for query in benchmark.queries:
        row = reader.question_row(query, corpus.encoder.encode_queries([query]))
        documents: list[Document] = [held[name] for name in run[query.id][:most]]
        found[query.id] = [pair.read().rank for pair in reader.pairs(query, row, documents)]
    return found


def compared(run: Run, words: Mapping[str, Sequence[int]], most: int, benchmark: Benchmark) -> Figures:
    """Return nDCG@10 of a ranking as it is, and with the first `most` documents of each list ordered by their words."""
    moved = {name: by_word(ids, words[name][:most]) for name, ids in run.items()}
    before, after = ({name: one[_METRIC] for name, one in score(each, benchmark)[1].items()} for each in (run, moved))
    found = contrast_runs(after, before, names=("by word", "as fused"), metric=_METRIC)
    mixed = fmean(any(one > other for one, other in pairwise(words[name][:most])) for name in run)
    return {
        "as fused": found.means[1],
        "by word": found.means[0],
        "difference": found.difference.mean,
        "p": found.p,
        "lists out of order": mixed,
    }


def by_word(ids: Sequence[str], words: Sequence[int]) -> list[str]:
    """Return documents whose words are known, the nearest first and otherwise in their order; the others after them."""
    order = sorted(range(len(words)), key=lambda place: words[place])
    return [*(ids[place] for place in order), *ids[len(words) :]]


def as_markdown(figures: Mapping[str, Mapping[str, Figures]]) -> list[str]:
    """Return a line a set and number of documents shown."""
    columns = ("as fused", "by word", "difference", "p", "lists out of order")
    lines = [
        [name, most, *(f"{one[column]:.4f}" for column in columns)]
        for name, each in figures.items()
        for most, one in each.items()
    ]
    return measurement.table(("set", "documents shown", *columns), lines)


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--sets", *given.sets, "--whole", *given.whole]
    return [*words, "--shown", *map(str, given.shown)]


def _parser() -> Parser:
    parser = measurement.make_parser("word_order", __doc__, cache=True)
    parser.add_argument("--sets", nargs="*", default=SETS, metavar="SET", help=f"default: {' '.join(SETS)}")
    parser.add_argument("--whole", nargs="*", default=WHOLE, metavar="SET", help=f"default: {' '.join(WHOLE)}")
    parser.add_argument("--shown", nargs="+", type=int, default=SHOWN, metavar="N", help="default: 10 100")
    return parser
