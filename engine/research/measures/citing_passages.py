"""How much keywords count if a citing passage asks: `python -m engine.research citing_passages`.

DIR of --data holds acm-citation, whose queries are passages under the title of the paper that they come from. Each asks
once with its title and once without, as a person pastes a passage. Keywords count at each of --weights, and the words
of citing sentences each of --times over. The mean of both forms on the valid queries decides; the table also has all
queries, and BM25 alone. `engine.encoders.registry.Entry.passage_weight` and `engine.search.settings.RankingSettings`
have the values chosen.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from engine.cli.terminal import bar
from engine.documents.questions import is_citing_passage
from engine.evaluation import Benchmark, load_benchmark
from engine.evaluation.benchmarks import CORPUS, QueryPart
from engine.evaluation.measure import PreparedSystem, System, rank, score
from engine.evaluation.systems import BM25, name_of
from engine.library import KeywordIndex
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.measures.fusion import TriedRanking
from engine.search.settings import SHIPPED, RankingSettings

SET, ENCODER = "acm-citation", "blend"
WEIGHTS = (0.75, 1.5, 2.0, 2.5, 3.0, 4.0)
METRICS = ("nDCG@10", "R@100")
PARTS: tuple[QueryPart, ...] = ("valid", "all")
WITH, WITHOUT = "with the citing paper's title", "the passage alone"

Figures = dict[str, dict[str, dict[str, float]]]
"""By ranking, then by part and form of the queries, the metrics."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every weight on valid and all queries, with titles and without; print the table and save it."""
    given = measurement.read_options(_parser(), arguments)
    whole = load_benchmark(given.data / given.set, part="all")
    keep = None if given.cache is None else given.cache / whole.sha256[CORPUS]
    held = ROWS.prepare(given.encoder, whole.corpus, keep=keep, report=bar())
    keywords = KeywordIndex.in_memory(whole.corpus)
    systems: dict[str, System] = {BM25: ROWS.prepare(BM25, whole.corpus, keep=keep, report=bar()).system}
    for weight, times in product(given.weights, given.times):
        settings = RankingSettings(passage_weight=weight, citing_times=times)
        name = f"{weight:g}" if len(given.times) == 1 else f"{weight:g}, where they cite {times} times"
        systems[name] = TriedRanking(held.system, keywords, settings)  # type: ignore[arg-type]  # rows of an encoder
    figures: Figures = {name: {} for name in systems}
    counts: dict[str, int] = {}
    for part in PARTS:
        benchmark = load_benchmark(given.data / given.set, part=part)
        for form, asked in forms(benchmark).items():
            counts[f"{part}, {form}"] = sum(is_citing_passage(query) for query in asked.queries)
            for name, system in systems.items():
                found = score(rank(asked, PreparedSystem(name, system, held.fingerprint, None)), asked)[0]
                figures[name][f"{part}, {form}"] = {metric: round(found[metric], 4) for metric in METRICS}
                print(name, part, form, "measured", flush=True)
    circumstances = measurement.circumstances("citing_passages", _words(given))
    text = as_markdown(figures, {**circumstances, "passages that cite": counts})
    print(text)
    about = {"sha256": dict(whole.sha256), "fingerprint": held.fingerprint, "passages": counts}
    measurement.save(given.save, {**circumstances, **about, "chosen": chosen(figures), "figures": figures}, text)


def forms(benchmark: Benchmark) -> dict[str, Benchmark]:
    """Return the queries as they are, and without their titles."""
    bare = [replace(query, title="") for query in benchmark.queries]
    return {WITH: benchmark, WITHOUT: replace(benchmark, queries=bare)}


def chosen(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return the key with the largest mean over both forms of the valid queries; the first of equal ones."""
    weights = [name for name in figures if name != BM25]
    return max(
        weights, key=lambda name: sum(figures[name][f"{PARTS[0]}, {form}"][METRICS[0]] for form in (WITH, WITHOUT))
    )


def as_markdown(figures: Figures, facts: Mapping[str, object]) -> str:
    """Return a line a weight, a column a part and form of the queries, the chosen in bold; the circumstances below."""
    best, columns = chosen(figures), list(next(iter(figures.values())))
    lines = ["# Passages that cite: the weight of keywords", "", f"{' / '.join(METRICS)}.", ""]
    rows = []
    for name, of in figures.items():
        label = "BM25 alone" if name == BM25 else f"**{name}**" if name == best else name
        rows.append([label, *(" / ".join(f"{of[column][metric]:.4f}" for metric in METRICS) for column in columns)])
    lines += measurement.table(("keywords count", *columns), rows)
    return "\n".join([*lines, *measurement.as_list(facts), ""])


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--set", given.set, "--encoder", name_of(given.encoder)]
    return [*words, "--weights", *map(str, given.weights), "--times", *map(str, given.times)]


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("citing_passages", __doc__, cache=True)
    parser.add_argument("--set", default=SET, metavar="SET", help=f"whose queries are passages (default: {SET})")
    parser.add_argument("--encoder", default=ENCODER, metavar="NAME[=FOLDER]", help=f"a name or a folder ({ENCODER})")
    parser.add_argument("--weights", nargs="+", type=float, default=WEIGHTS, metavar="W", help="beside the encoder's 1")
    parser.add_argument(
        "--times",
        nargs="+",
        type=int,
        default=(SHIPPED.citing_times,),
        metavar="N",
        help=f"how often words count where a passage cites (default: {SHIPPED.citing_times})",
    )
    return parser
