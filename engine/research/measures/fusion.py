"""The weight of keywords beside an encoder: `python -m engine.research fusion --data DIR --encoders NAME[=FOLDER] ...`.

DIR of --data holds the benchmarks. Both rankings of every query are fused at each weight of the keywords; the encoder
has weight 1. The mean over the benchmarks decides. Only valid queries are read, so the test queries can measure a
weight chosen here. `engine.encoders.registry.Entry.keyword_weight` has the weights chosen.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from engine.cli.terminal import bar
from engine.core.errors import EvaluationError
from engine.documents import Document, Hit, Kind
from engine.evaluation import Benchmark, load_benchmark
from engine.evaluation.benchmarks import CORPUS
from engine.evaluation.measure import PreparedSystem, System, rank, score
from engine.evaluation.metrics import METRICS
from engine.evaluation.systems import KEYWORDS_ROW, Encoded, name_of
from engine.library import KeywordIndex
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.search import Corpus, ranking_fingerprint
from engine.search.ranking import fuse_relative
from engine.search.settings import SHIPPED, RankingSettings


@dataclass(frozen=True)
class TriedRanking:
    """Ranks rows of an encoder and keywords of one corpus with other `settings`; ranks each of `kinds` separately."""

    held: Encoded
    keywords: KeywordIndex
    settings: RankingSettings
    kinds: Mapping[Kind, Set[str]] = field(default_factory=dict)

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best hits of each query."""
        corpus = Corpus(self.held.encoder, self.held.index, self.keywords, self.kinds)
        return corpus.rank(queries, k, settings=self.settings)


SETS = ("arxiv-subject", "patents-citation", "acm-citation", "cranfield", "cacm", "npl")
WEIGHTS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
ALONE = "alone"


@dataclass
class Fusion:
    """Fuses the rankings of two systems by a weight that may change, and asks each system only once."""

    encoder: System
    keywords: System
    weight: float = 1.0
    _found: dict[int, list[dict[str, list[Hit]]]] = field(default_factory=dict)

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first; the same queries each time."""
        if k not in self._found:
            depth = max(k, SHIPPED.depth)
            both = zip(self.encoder.rank(queries, depth), self.keywords.rank(queries, depth), strict=True)
            self._found[k] = [{"encoder": ours, "keywords": theirs} for ours, theirs in both]
        depth, found = SHIPPED.depth, self._found[k]
        return [fuse_relative(one["encoder"], one["keywords"], self.weight, depth=depth)[:k] for one in found]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every encoder with every weight on every benchmark; print the table and save it."""
    given = measurement.read_options(_parser(), arguments)
    figures: dict[str, dict[str, dict[str, float]]] = {name_of(row): {} for row in given.encoders}
    facts: dict[str, dict[str, object]] = {}
    fingerprints: dict[str, str] = {}
    for name in given.sets:
        benchmark = load_benchmark(given.data / name, part="valid")
        facts[name] = {"queries": len(benchmark.queries), "sha256": dict(benchmark.sha256)}
        keywords = ROWS.prepare(KEYWORDS_ROW, benchmark.corpus)
        for row in given.encoders:
            keep = None if given.cache is None else given.cache / benchmark.sha256[CORPUS]
            encoder = ROWS.prepare(row, benchmark.corpus, keep=keep, report=bar())
            fingerprints[encoder.name] = encoder.fingerprint
            found = curve(benchmark, encoder, keywords, given.weights, given.metric)
            figures[encoder.name][name] = found
            print(encoder.name, name, {weight: round(figure, 4) for weight, figure in found.items()}, flush=True)
    means = {encoder: _means(of_sets) for encoder, of_sets in figures.items()}
    text = as_text(means, given.metric)
    print(text)
    words = ["--data", "DIR", "--encoders", *map(name_of, given.encoders), "--metric", given.metric]
    report = {**measurement.circumstances("fusion", words), "part": "valid", "metric": given.metric}
    made = {"keywords": ranking_fingerprint(None), "fingerprints": fingerprints, "sets": facts}
    choice = {encoder: best_weight(mean) for encoder, mean in means.items()}
    measurement.save(given.save, {**report, **made, "best": choice, "mean": means, "figures": figures}, text)


def curve(
    benchmark: Benchmark, encoder: PreparedSystem, keywords: PreparedSystem, weights: Sequence[float], metric: str
) -> dict[str, float]:
    """Return the metric with each ranking alone, and fused at each weight of the keywords."""
    fusion = Fusion(encoder.system, keywords.system)
    figures = {}
    for name, prepared in (("encoder", encoder), ("keywords", keywords)):
        figures[f"{name} {ALONE}"] = score(rank(benchmark, prepared), benchmark)[0][metric]
    for weight in weights:
        fusion.weight = weight
        run = rank(benchmark, PreparedSystem("fused", fusion, encoder.fingerprint, None))
        figures[f"{weight:g}"] = score(run, benchmark)[0][metric]
    return figures


def best_weight(means: Mapping[str, float]) -> float:
    """Return the weight with the largest mean; the smallest of equal ones, which leaves the encoder more say."""
    weights = [weight for weight in means if ALONE not in weight]
    return float(max(weights, key=lambda weight: (means[weight], -float(weight))))


def as_text(means: Mapping[str, Mapping[str, float]], metric: str) -> str:
    """Return a line an encoder: the mean over the benchmarks at every weight, and the best one."""
    lines = []
    for encoder, mean in means.items():
        cells = ", ".join(f"{weight}: {figure:.4f}" for weight, figure in mean.items())
        lines.append(f"{encoder}: mean {metric}, keywords at {cells}; best {best_weight(mean):g}")
    return "\n".join(lines)


def _means(of_sets: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the mean over the benchmarks at each weight, every benchmark counting the same."""
    each = list(of_sets.values())
    return {weight: round(sum(figures[weight] for figures in each) / len(each), 4) for weight in each[0]}


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("fusion", __doc__, cache=True)
    parser.add_argument("--encoders", nargs="+", required=True, metavar="NAME[=FOLDER]", help="a name or a folder")
    measurement.add_sets(parser, SETS)
    parser.add_argument("--weights", nargs="+", type=_weight, default=WEIGHTS, metavar="W", help="of the keywords")
    parser.add_argument("--metric", choices=tuple(METRICS), default="nDCG@10", help="what decides (default: nDCG@10)")
    return parser


def _weight(text: str) -> float:
    weight = float(text)
    if not 0 < weight < float("inf"):
        raise EvaluationError(f"Expected a weight above 0, got {text}. Leave it out: each ranking alone is measured.")
    return weight
