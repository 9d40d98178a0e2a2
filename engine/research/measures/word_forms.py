"""Match words as written or in all their forms: `python -m engine.research word_forms --data DIR`.

DIR of --data holds the benchmarks; only valid queries are read. BM25 ranks by the tokens of every question, by their
stems, and as a search does, which uses stems for some questions only. It ranks alone, and fused with each encoder as in
a search. The mean over the benchmarks says how much each form is worth; `engine.search.queries.asks_by_stems` decides
which form a question uses.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from engine.cli.terminal import bar
from engine.evaluation import load_benchmark
from engine.evaluation.benchmarks import CORPUS
from engine.evaluation.measure import PreparedSystem, System, rank, score
from engine.evaluation.systems import BM25, BM25_STEMS, KEYWORDS_ROW, by_words, name_of
from engine.library import KeywordIndex
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.measures.fusion import SETS, TriedRanking
from engine.search.queries import asks_by_stems
from engine.search.settings import RankingSettings

METRICS = ("nDCG@10", "R@100")
FORMS: Mapping[str, tuple[str, bool | None]] = {
    "as written": (BM25, False),
    "by stems": (BM25_STEMS, True),
    "as searched": (KEYWORDS_ROW, None),
}
"""The ranking by words alone, and whether the fused one asks by stems."""

ALONE = "keywords alone"
Figures = dict[str, dict[str, dict[str, dict[str, float]]]]
"""By system, how it matches words, and set: the metrics."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every form on every benchmark; print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    names = [ALONE, *(name_of(row) for row in given.encoders)]
    figures: Figures = {name: {form: {} for form in FORMS} for name in names}
    facts: dict[str, Any] = {}
    for name in given.sets:
        benchmark = load_benchmark(given.data / name, part="valid")
        by_stems = sum(map(asks_by_stems, benchmark.queries))
        facts[name] = {"queries": len(benchmark.queries), "by stems": by_stems, "sha256": dict(benchmark.sha256)}
        keywords = KeywordIndex.in_memory(benchmark.corpus)
        keep = None if given.cache is None else given.cache / benchmark.sha256[CORPUS]
        held = [ROWS.prepare(row, benchmark.corpus, keep=keep, report=bar()) for row in given.encoders]
        facts[name]["fingerprints"] = {one.name: one.fingerprint for one in held}
        for form, (row, stemmed) in FORMS.items():
            systems: dict[str, System] = {ALONE: by_words(row, keywords).system}
            for one in held:
                systems[one.name] = TriedRanking(one.system, keywords, RankingSettings(stemmed=stemmed))  # type: ignore[arg-type]  # rows of an encoder
            for system_name, system in systems.items():
                found = score(rank(benchmark, PreparedSystem(system_name, system, "", None)), benchmark)[0]
                figures[system_name][form][name] = {metric: round(found[metric], 4) for metric in METRICS}
        print(name, "measured", flush=True)
    circumstances = measurement.circumstances("word_forms", _words(given))
    asked = {name: f"{of['by stems']} of {of['queries']}" for name, of in facts.items()}
    text = as_markdown(figures, {"queries that a search asks by stems": asked, **circumstances})
    print(text)
    measurement.save(given.save, {**circumstances, "figures": figures, "sets": facts}, text)


def as_markdown(figures: Figures, facts: Mapping[str, object]) -> str:
    """Return a table a system and metric, a line a form, a column a set; the circumstances below."""
    lines = ["# Words as they are written, or in all their forms", ""]
    for name, of_forms in figures.items():
        label = name if name == ALONE else f"default ranking with {name}"
        for metric in METRICS:
            sets = list(next(iter(of_forms.values())))
            lines += [f"## {label}, {metric}, valid queries", ""]
            rows = []
            for form, of_sets in of_forms.items():
                found = [of_sets[one][metric] for one in sets]
                rows.append([form, *(f"{one:.4f}" for one in found), f"{sum(found) / len(found):.4f}"])
            lines += measurement.table(("words match", *sets, "mean"), rows)
    return "\n".join([*lines, *measurement.as_list(facts), ""])


def _words(given: argparse.Namespace) -> list[str]:
    return ["--data", "DIR", "--encoders", *(name_of(row) for row in given.encoders), "--sets", *given.sets]


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("word_forms", __doc__, cache=True)
    parser.add_argument("--encoders", nargs="+", default=["blend"], metavar="NAME[=FOLDER]", help="a name or a folder")
    measurement.add_sets(parser, SETS)
    return parser
