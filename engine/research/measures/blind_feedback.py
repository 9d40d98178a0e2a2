"""How far the default ranking moves a question towards what it found first: `python -m engine.research blind_feedback`.

DIR of --data holds the benchmarks; only valid queries are read. Each encoder is fused with the keywords as in a search.
It is then asked again with the mean of the first few documents added to the question, for each number of documents and
each beta. The mean over the benchmarks decides; `engine.search.settings.Blind` has the values chosen.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from engine.cli.terminal import bar
from engine.evaluation import load_benchmark
from engine.evaluation.benchmarks import CORPUS
from engine.evaluation.measure import PreparedSystem, rank, score
from engine.evaluation.metrics import METRICS
from engine.evaluation.systems import name_of
from engine.library import KeywordIndex
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.measures.fusion import SETS, TriedRanking
from engine.search.settings import Blind, RankingSettings

DOCUMENTS = (3, 5, 10)
BETAS = (0.25, 0.5, 0.75, 1.0)
WITHOUT = Blind(beta=0.0)

Figures = dict[Blind, dict[str, float]]
"""The metric by what was tried, then by set."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every encoder with every value on every benchmark; print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    tried = [WITHOUT, *(Blind(*values) for values in product(given.documents, given.betas))]
    figures: dict[str, Figures] = {name_of(row): {one: {} for one in tried} for row in given.encoders}
    facts: dict[str, Any] = {}
    for name in given.sets:
        benchmark = load_benchmark(given.data / name, part="valid")
        facts[name] = {"queries": len(benchmark.queries), "sha256": dict(benchmark.sha256), "fingerprints": {}}
        keywords = KeywordIndex.in_memory(benchmark.corpus)
        for row in given.encoders:
            keep = None if given.cache is None else given.cache / benchmark.sha256[CORPUS]
            prepared = ROWS.prepare(row, benchmark.corpus, keep=keep, report=bar())
            facts[name]["fingerprints"][prepared.name] = prepared.fingerprint
            for blind in tried:
                system = TriedRanking(prepared.system, keywords, RankingSettings(blind=blind))  # type: ignore[arg-type]  # rows
                run = rank(benchmark, PreparedSystem(prepared.name, system, prepared.fingerprint, None))
                figures[prepared.name][blind][name] = score(run, benchmark)[0][given.metric]
            print(prepared.name, name, "measured", flush=True)
    circumstances = measurement.circumstances("blind_feedback", _words(given))
    text = as_markdown(figures, given.metric, circumstances)
    print(text)
    tables = {encoder: [_as_json(one, of_sets) for one, of_sets in each.items()] for encoder, each in figures.items()}
    measurement.save(given.save, {**circumstances, "metric": given.metric, "figures": tables, "sets": facts}, text)


def chosen(figures: Mapping[Blind, Mapping[str, float]]) -> Blind:
    """Return the key with the largest mean over the sets; the first of equal ones."""
    return max(figures, key=lambda one: mean(figures[one]))


def mean(of_sets: Mapping[str, float]) -> float:
    """Return the mean over the sets, every one counting the same, to four decimals."""
    return round(sum(of_sets.values()) / len(of_sets), 4)


def as_markdown(figures: Mapping[str, Figures], metric: str, facts: Mapping[str, object]) -> str:
    """Return a table an encoder, a line a value tried, a column a set, the largest in bold; circumstances below."""
    lines = ["# Blind feedback in the default ranking", ""]
    for encoder, each in figures.items():
        best, sets = chosen(each), list(next(iter(each.values())))
        lines += [f"## {encoder}, {metric}, valid queries", ""]
        rows = []
        for one, of_sets in each.items():
            whole = f"**{mean(of_sets):.4f}**" if one == best else f"{mean(of_sets):.4f}"
            label = f"{one.documents} documents, beta {one.beta:g}" if one.beta else "none"
            rows.append([label, *(f"{of_sets[name]:.4f}" for name in sets), whole])
        lines += measurement.table(("moved towards", *sets, "mean"), rows)
    return "\n".join([*lines, *measurement.as_list(facts), ""])


def _as_json(blind: Blind, of_sets: Mapping[str, float]) -> dict[str, Any]:
    return {"documents": blind.documents, "beta": blind.beta, "sets": dict(of_sets), "mean": mean(of_sets)}


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--encoders", *(name_of(row) for row in given.encoders), "--sets", *given.sets]
    words += ["--documents", *map(str, given.documents), "--betas", *map(str, given.betas)]
    return [*words, "--metric", given.metric]


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("blind_feedback", __doc__, cache=True)
    parser.add_argument("--encoders", nargs="+", default=["blend"], metavar="NAME[=FOLDER]", help="a name or a folder")
    measurement.add_sets(parser, SETS)
    parser.add_argument("--documents", nargs="+", type=int, default=DOCUMENTS, metavar="N", help="of the first ranking")
    parser.add_argument("--betas", nargs="+", type=float, default=BETAS, metavar="B", help="how far")
    parser.add_argument("--metric", choices=tuple(METRICS), default="nDCG@10", help="what decides (default: nDCG@10)")
    return parser
