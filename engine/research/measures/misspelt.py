"""What misspelt words cost each encoder: `python -m engine.research misspelt --data DIR --encoders NAME[=FOLDER],...`.

DIR of --data holds the benchmarks' folders, --library the sample library (see `priorscope samples`).

Typed: each word of two letters or more of a query is made noisy by a chance of 5, 10 and 20 %, with a fixed seed:
dropped; mistyped (two neighbours swapped, a letter left out, or another in its place); or misread as scans misread
(rn and m, l and 1, e and c, ...). What is noisy at 5 % is so at 20 %. The corpus stays clean, and encoders that learn
from it know nothing of the noise. The figure is the mean nDCG@10, and the share of the clean one that is left at 20 %.

Scanned: the patents of 1877 to 1898 in the sample library, which were read by machine, errors and all. A patent asks
for the other old patents that share one of its CPC groups (the part before the slash). They have no clean text to
compare with. Instead the queries are cut into thirds by their share of words that occur in no other document of the
library (most are misread words), and each third has its own figure. Misreadings that come up twice are not counted, and
thirds differ in more than their noise: compare the rows of one third, not the thirds of one row.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from engine.cli.terminal import bar
from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.documents.text import tokens
from engine.evaluation import Benchmark, load_benchmark
from engine.evaluation.benchmarks import CORPUS, PARTS
from engine.evaluation.measure import PreparedSystem, rank, score
from engine.evaluation.metrics import METRICS
from engine.evaluation.systems import name_of, without_place
from engine.library import Library
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.typesetting.misprints import NOISES, noisy_document

SETS = ("arxiv-subject", "patents-citation")
SHARES = (0.05, 0.1, 0.2)
METRIC = "nDCG@10"
CLEAN, LEFT = "clean", "left at 20 %"
THIRDS = ("all", "fewest strange words", "middle", "most strange words")
_OLD_BEFORE = 1900
_FEWEST_RELATED = 3


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row on every set and on the scanned patents; print the tables and save them after each."""
    given = measurement.read_options(_parser(), arguments)
    rows = ROWS.rows_of(given.encoders)
    report: dict[str, Any] = {"sets": {}, **measurement.circumstances("misspelt", _command(given, rows))}
    for name in given.benchmarks:
        benchmark = load_benchmark(given.data / name, part=given.queries)
        keep = None if given.cache is None else given.cache / benchmark.sha256[CORPUS]
        measured = {name_of(row): typed(benchmark, row, keep, seed=given.seed) for row in rows}
        facts = {"queries": len(benchmark.queries), "part": given.queries, "sha256": dict(benchmark.sha256)}
        report["sets"][name] = {**facts, "encoders": measured}
        measurement.save(given.save, report, as_markdown(report))
    if given.library is not None:
        report["scanned"] = scanned(given, rows)
        measurement.save(given.save, report, as_markdown(report))
    print(as_markdown(report))


def typed(benchmark: Benchmark, row: str, keep: Path | None, *, seed: int) -> dict[str, Any]:
    """Return one row's figure on clean queries and with each noise; the corpus is read once."""
    prepared = ROWS.prepare(row, benchmark.corpus, keep=keep, report=bar())
    figures = {CLEAN: _figure(benchmark, prepared)}
    for noise in NOISES:
        for share in SHARES:
            queries = [noisy_document(query, share, noise, seed=seed) for query in benchmark.queries]
            figures[_column(noise, share)] = _figure(replace(benchmark, queries=queries), prepared)
    return {"fingerprint": prepared.fingerprint, **figures}


def scanned(given: argparse.Namespace, rows: Sequence[str]) -> dict[str, Any]:
    """Return every row's figure on old patents, over all queries and by thirds."""
    benchmark, strange = scanned_benchmark(given.library, queries=given.scanned_queries, seed=given.seed)
    place = files.fingerprint(*(document.id for document in benchmark.corpus))
    encoders = {}
    for row in rows:
        keep = None if given.cache is None else given.cache / place
        prepared = ROWS.prepare(row, benchmark.corpus, keep=keep, report=bar())
        _, by_query = score(rank(benchmark, prepared), benchmark, metrics={METRIC: METRICS[METRIC]})
        figures = {query: scores[METRIC] for query, scores in by_query.items()}
        encoders[prepared.name] = {"fingerprint": prepared.fingerprint, **by_thirds(figures, strange)}
    shares = sorted(strange.values())
    return {
        "queries": len(benchmark.queries),
        "documents": len(benchmark.corpus),
        "documents_sha256": place,
        "strange_words": {"least": shares[0], "median": shares[len(shares) // 2], "most": shares[-1]},
        "encoders": encoders,
    }


def scanned_benchmark(folder: Path, *, queries: int, seed: int) -> tuple[Benchmark, dict[str, float]]:
    """Return old patents that ask for others of a CPC group of theirs, and each query's share of strange words.

    Raises EvaluationError if the library holds too few.
    """
    with Library.open(folder) as library:
        documents = list(library.iter_documents())
    old = [one for one in documents if one.kind == "patent" and one.year and one.year < _OLD_BEFORE and one.categories]
    groups: dict[str, set[str]] = {}
    for document in old:
        for group in _groups(document):
            groups.setdefault(group, set()).add(document.id)
    related = {one.id: set().union(*(groups[group] for group in _groups(one))) - {one.id} for one in old}
    asking = [document for document in old if len(related[document.id]) >= _FEWEST_RELATED]
    if len(asking) < len(THIRDS):
        raise EvaluationError(
            f"Expected scanned patents with {_FEWEST_RELATED} related ones in {folder.name}, found {len(asking)}. "
            "Get the sample library first: priorscope samples."
        )
    chosen = random.Random(seed).sample(asking, min(queries, len(asking)))
    qrels = {document.id: dict.fromkeys(sorted(related[document.id]), 1) for document in chosen}
    return Benchmark("scanned patents", "all", old, chosen, qrels, {}), strange_words(chosen, documents)


def strange_words(queries: Sequence[Document], documents: Sequence[Document]) -> dict[str, float]:
    """Return the share of each query's words that occur in no other document."""
    held = Counter(word for document in documents for word in set(tokens(document.text)))
    words = {query.id: tokens(query.text) for query in queries}
    return {name: round(sum(held[word] < 2 for word in own) / max(1, len(own)), 4) for name, own in words.items()}


def by_thirds(figures: Mapping[str, float], strange: Mapping[str, float]) -> dict[str, float]:
    """Return the mean figure of all queries, and of each third by the share of strange words."""
    ordered = sorted(figures, key=lambda query: (strange[query], query))
    size = len(ordered) // 3
    parts = (ordered, ordered[:size], ordered[size:-size], ordered[-size:])
    return {name: round(mean(figures[query] for query in part), 4) for name, part in zip(THIRDS, parts, strict=True)}


def as_markdown(report: Mapping[str, Any]) -> str:
    """Return a table a set, one of the scanned patents, the protocol, and the circumstances."""
    columns = [_column(noise, share) for noise in NOISES for share in SHARES]
    lines = ["# Misspelt words", ""]
    for name, made in report["sets"].items():
        lines += [f"## {name}: {METRIC} over {made['queries']:,} queries ({made['part']})", ""]
        rows = [
            [row, *(f"{one[column]:.4f}" for column in (CLEAN, *columns)), *map(_left, [one] * len(NOISES), NOISES)]
            for row, one in made["encoders"].items()
        ]
        lines += measurement.table(["", CLEAN, *columns, *(f"{noise}: {LEFT}" for noise in NOISES)], rows)
        lines += [*measurement.as_list({"sha256": made["sha256"], "fingerprints": _fingerprints(made)}), ""]
    if "scanned" in report:
        lines += _scanned_lines(report["scanned"])
    protocol = str(__doc__).split("\n\n", 2)[2].strip()
    facts = measurement.as_list({name: report[name] for name in ("command", "commit", "hardware")})
    return "\n".join([*lines, "## Protocol", "", protocol, "", *facts, ""])


def _scanned_lines(made: Mapping[str, Any]) -> list[str]:
    rows = [[row, *(f"{one[third]:.4f}" for third in THIRDS)] for row, one in made["encoders"].items()]
    head = f"## Scanned patents: {METRIC} over {made['queries']:,} queries, {made['documents']:,} documents"
    facts = {"strange words": made["strange_words"], "fingerprints": _fingerprints(made)}
    return [head, "", *measurement.table(["", *THIRDS], rows), *measurement.as_list(facts), ""]


def _fingerprints(made: Mapping[str, Any]) -> str:
    return ", ".join(f"{row} {one['fingerprint']}" for row, one in made["encoders"].items())


def _left(figures: Mapping[str, Any], noise: str) -> str:
    clean, noisy = figures[CLEAN], figures[_column(noise, SHARES[-1])]
    return f"{noisy / clean:.3f}" if clean else "-"


def _figure(benchmark: Benchmark, prepared: PreparedSystem) -> float:
    figures, _ = score(rank(benchmark, prepared), benchmark, metrics={METRIC: METRICS[METRIC]})
    return round(figures[METRIC], 4)


def _column(noise: str, share: float) -> str:
    return f"{noise} {share:.0%}"


def _groups(document: Document) -> set[str]:
    """Return the CPC groups of a patent: "F23D3" of "F23D3/00"."""
    return {code.partition("/")[0] for code in document.categories}


def _command(given: argparse.Namespace, rows: Sequence[str]) -> list[str]:
    words = ["--data", "DIR", "--encoders", ",".join(map(without_place, rows)), "--benchmarks", *given.benchmarks]
    words += ["--queries", given.queries, "--seed", str(given.seed)]
    library = ["--library", "DIR", "--scanned-queries", str(given.scanned_queries)]
    return words + (library if given.library is not None else [])


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("misspelt", __doc__, cache=True)
    parser.add_argument("--encoders", required=True, metavar="NAMES", help="as in `priorscope evaluate`, with commas")
    parser.add_argument("--benchmarks", nargs="*", metavar="NAME", default=list(SETS))
    parser.add_argument("--queries", choices=PARTS, default="test", help="which queries to ask (default: test)")
    parser.add_argument("--library", type=Path, metavar="DIR", help="the sample library, for its scanned patents")
    parser.add_argument("--scanned-queries", type=int, default=500, help="scanned patents that ask (default: 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.set_defaults(save=Path("engine/research/reports/misspelt.json"))
    return parser
